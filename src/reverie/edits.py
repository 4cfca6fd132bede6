"""Edits: the one verdict that every write passes, whoever writes and by whichever surface.

A verdict is a pure decision on the new text of a file: it is valid, its secrets are masked, it keeps to the file's
limit, and a whole-file write does not lose most of the file by accident. Nothing is ever cut to fit: a text is taken
whole or refused with a sentence that says what to do. How a text is changed is in `passages` and `sections`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reverie.catalogue import LimitKind
from reverie.errors import OverLimit, ShrinkRefused
from reverie.markdown.entries import BYTE_ORDER_MARK
from reverie.markdown.lines import body, is_blank, lines
from reverie.markdown.passages import replace_passage
from reverie.markdown.sections import appended, replace_section
from reverie.markdown.standins import stand_ins
from reverie.prompts import prompt
from reverie.secrets import mask
from reverie.validity import MAX_CHARS, MAX_LINE, checked_text

__all__ = [
    "MAX_CHARS", "MAX_LINE", "Bounds", "Verdict", "appended", "checked_text", "judge_change", "judge_found", "judge_write",
    "replace_passage", "replace_section",
]  # fmt: skip

GUARDED_CHARS = 200
"""From this size a whole-file write may not take more than half of a text unless that is meant (SPEC 2)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a verdict needs to know of the file: its name, its limit in code points, and the language of notices."""

    file: str
    limit: int
    kind: LimitKind
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to store: `text` None removes the file. `notices` tell the writer what happened on the way."""

    text: str | None
    notices: tuple[str, ...] = ()


def judge_write(bounds: Bounds, current: str | None, text: object, *, removal_meant: bool = False) -> Verdict:
    """The verdict on a whole-file write through the API or a tool; blank text is a removal.

    Raises InvalidText, OverLimit, and ShrinkRefused, unless `removal_meant`, for a write that empties the file, takes
    more than half from 200 characters or more, or loses a line and has a stand-in line that the current text has not.
    """
    verdict = _judged(bounds, text)
    if current is not None and not removal_meant:
        _guard(bounds.file, current, verdict.text)
    return _limited(bounds, verdict)


def judge_change(bounds: Bounds, text: object) -> Verdict:
    """The verdict on a change of the text there is (append, edit, restore): no guard against shrinking.

    Raises InvalidText and OverLimit. Blank text is a removal.
    """
    return _limited(bounds, _judged(bounds, text))


def judge_found(bounds: Bounds, text: object) -> Verdict:
    """The verdict on what a person saved in the working tree or imports: never refused for its length alone.

    Raises InvalidText, and OverLimit only above 1,000,000 characters. Blank text is a removal.
    """
    verdict = _judged(bounds, text)
    if verdict.text is None or len(verdict.text) <= bounds.limit:
        return verdict
    name = "over_limit" if bounds.kind == "hard" else "compress"
    return _noticed(verdict, _told(name, bounds, size=len(verdict.text), limit=bounds.limit))


def _judged(bounds: Bounds, text: object) -> Verdict:
    valid = checked_text(text, bounds.file)
    if not valid.replace(BYTE_ORDER_MARK, "").strip():
        return Verdict(None)
    masked = mask(valid)
    found = ", ".join(dict.fromkeys(masked.found))
    notices = (_told("masked", bounds, found=found),) if found else ()
    return Verdict(masked.text, notices)


def _limited(bounds: Bounds, verdict: Verdict) -> Verdict:
    text = verdict.text
    if text is None or len(text) <= bounds.limit:
        return verdict
    size, limit = len(text), bounds.limit
    if bounds.kind == "hard":
        raise OverLimit(
            f"{bounds.file} would have {size:,} characters ({len(text.encode()):,} bytes in UTF-8); "
            f"its limit is {limit:,} characters. Nothing was stored.",
            f"Shorten it by {size - limit:,} characters: merge duplicates, drop what is outdated. "
            "A character is a Unicode code point, in every script.",
            size=size,
            limit=limit,
        )
    return _noticed(verdict, _told("compress", bounds, size=size, limit=limit))


def _guard(file: str, current: str, text: str | None) -> None:
    """Refuse a whole-file write that loses text by accident."""
    if not current.strip():
        return
    size = len(current)
    if text is None:
        raise ShrinkRefused(
            f"The new text is blank and would remove {file} ({size:,} characters). Nothing was stored.",
            "Pass removal_meant=true if the file should go.",
        )
    known = _lines_of(current)
    if known - _lines_of(text):  # else every line is still there, whatever stands between them
        for number, line in stand_ins(text).items():
            if line.strip() not in known:
                raise ShrinkRefused(
                    f"Line {number} of the new text, {line.strip()!r}, stands in for text that is not there; a write "
                    f"replaces the whole of {file} ({size:,} characters now, {len(text):,} in the new text). "
                    "Nothing was stored.",
                    "Send the complete text, or use an edit or append; pass removal_meant=true to store it as it is.",
                )
    if size >= GUARDED_CHARS and 2 * len(text) < size:
        raise ShrinkRefused(
            f"The new text would shrink {file} from {size:,} to {len(text):,} characters, by more than half. "
            "Nothing was stored.",
            "Send the complete text, or use an edit or append; pass removal_meant=true if the rest should go.",
        )


def _lines_of(text: str) -> Counter[str]:
    """The lines of a text that are not blank, without indentation and ends, and how often each occurs."""
    return Counter(body(line).strip() for line in lines(text) if not is_blank(line))


def _told(name: str, bounds: Bounds, **values: object) -> str:
    return prompt(name, bounds.language).strip().format(file=bounds.file, **values)


def _noticed(verdict: Verdict, notice: str) -> Verdict:
    return Verdict(verdict.text, (*verdict.notices, notice))
