"""Windows: the part of a text that has to be parsed to change one place of it.

The window begins a few blocks before the change, at an item or heading from which on the text reads by itself, and ends
behind the first heading after it. In the usual file, a list, its beginning is even found without parsing anything.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from reverie.markdown.cuts import item_near_end
from reverie.markdown.entries import Outline, Span, parse

_BLOCKS_BEFORE = 4
"""Blocks before the change that a window has, where there are as many: what looks at the list above needs three."""


def window(text: str, start: int, end: int, outline: Outline | None = None) -> tuple[int, int]:
    """Offsets around `text[start:end]` so that changing it can change how the text between them reads, and no other.

    `outline` is the text's, if the caller has it; without one the end of the text is asked for.
    """
    if outline is None:
        if (low := item_near_end(text, _BLOCKS_BEFORE)) is not None:
            return low, len(text)
        outline = parse(text)
    spans = outline.spans
    return _low(text, start, spans), _high(text, end, spans)


def _low(text: str, at: int, spans: tuple[Span, ...]) -> int:
    """Where the window begins: at an item or heading from which on the text reads by itself as it does in the whole."""
    last = bisect_right(spans, at, key=lambda span: span.end)
    first, blocks = last, 0
    while first > 0 and blocks < _BLOCKS_BEFORE:
        first -= 1
        blocks += spans[first].kind == "heading" or spans[first].block == "item"
    if first == 0:
        return 0
    inside = [span.text for span in spans[first:last]]
    alone = [span.text for span in parse(text[spans[first].start : at]).spans]
    return spans[first].start if inside == alone else 0


def _high(text: str, at: int, spans: tuple[Span, ...]) -> int:
    """Where the window ends: behind the first heading after the change."""
    behind = spans[bisect_left(spans, at, key=lambda span: span.start) :]
    return next((span.end for span in behind if span.kind == "heading"), len(text))
