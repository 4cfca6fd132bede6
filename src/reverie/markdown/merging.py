"""Merging: two sets of changes to one file, made apart from each other, put together by entries.

The file is cut into its spans (entries, headings, blank lines), and each side's changes are found by anchors. A change
is taken where it touches spans that the other side left alone; both may add at the same place, ours first. Two changes
of the same entry are a conflict, and so is whatever would lose, repeat or misfile text: then there is no merged text
at all, only the list of conflicts. Nothing is ever guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.markdown.anchors import hunks, pairs
from reverie.markdown.entries import Span, parse
from reverie.markdown.lines import break_between, is_blank, line_end, line_ends, with_line_end


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two changes that exclude each other: what stood there, what each side made of it ("" for nothing), and why."""

    base: str
    ours: str
    theirs: str
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged text, or None and the conflicts."""

    text: str | None
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class _Edit:
    """One side's change: the base's spans from `start` to `end` become `spans`."""

    start: int
    end: int
    spans: tuple[str, ...]


def merge(base: str, ours: str, theirs: str) -> Merged:
    """Put the changes that ours and theirs made to base together.

    A side that changed nothing leaves the other's text, and equal changes are taken once. Changing sides changes only
    the order of what both added at one place. An editor that rewrites every line end of a file changed that and no
    entry. The last line has an end unless the side that changed that wants none.
    """
    if ours in (base, theirs):
        return Merged(theirs)
    if theirs == base:
        return Merged(ours)
    if (end := _merged_end(base, ours, theirs)) is not None:
        merged = merge(*(with_line_end(text, "\n") for text in (base, ours, theirs)))
        return replace(merged, text=None if merged.text is None else with_line_end(merged.text, end))
    end = line_end(ours + theirs)
    whole = [_ended(text, end) for text in (base, ours, theirs)]
    spans = [parse(text).spans for text in whole]
    old, mine, other = ([span.text for span in side] for side in spans)
    left, right = _edits(old, mine), _edits(old, other)
    if conflicts := tuple(_conflicts(left, right, spans[0])):
        return Merged(None, conflicts)
    seamed = _assembled(old, left, right)
    if _repeated(old, mine, other, [text for _, text in seamed if not is_blank(text)]):
        conflict = Conflict(base, ours, theirs, "put together, the two changes would repeat or bring back text")
        return Merged(None, (conflict,))
    return _settled(base, ours, theirs, seamed, end)


def _merged_end(base: str, ours: str, theirs: str) -> str | None:
    """The line end of the result if each text knows only one and they differ; None if there is no such question."""
    kinds = [line_ends(text) for text in (base, ours, theirs)]
    if any(len(kind) > 1 for kind in kinds) or len(kinds[0] | kinds[1] | kinds[2]) < 2:
        return None
    old, mine, other = (next(iter(kind), "") for kind in kinds)
    return mine if mine and mine != old else other or old


def _ended(text: str, end: str) -> str:
    """The text with an end on its last line, so that adding a line after it does not look like changing it."""
    return text if not text or text.endswith(("\n", "\r")) else text + end


def _edits(old: Sequence[str], new: Sequence[str]) -> list[_Edit]:
    return [_Edit(hunk.start, hunk.end, tuple(new[hunk.new_start : hunk.new_end])) for hunk in hunks(old, new)]


def _conflicts(left: Sequence[_Edit], right: Sequence[_Edit], base: Sequence[Span]) -> Iterator[Conflict]:
    i = j = 0
    while i < len(left) and j < len(right):
        mine, other = left[i], right[j]
        if mine != other and (reason := _clash(mine, other, base)):
            start, end = min(mine.start, other.start), max(mine.end, other.end)
            stood = "".join(span.text for span in base[start:end])
            yield Conflict(stood, "".join(mine.spans), "".join(other.spans), reason)
        if (mine.end, mine.start) <= (other.end, other.start):
            i += 1
        else:
            j += 1


def _clash(mine: _Edit, other: _Edit, base: Sequence[Span]) -> str:
    """Why two edits exclude each other, "" if they do not."""
    if max(mine.start, other.start) < min(mine.end, other.end):
        return "both changed the same text"
    for inner, outer in ((mine, other), (other, mine)):
        if inner.start != inner.end or outer.start == outer.end:
            continue
        if outer.start < inner.start < outer.end:
            return "one added where the other changed the text"
        headless = any(span.kind == "heading" for span in base[outer.start : outer.end]) and not any(
            span.kind == "heading" for span in parse("".join(outer.spans)).spans
        )
        if outer.end == inner.start and headless:
            return "one added under a heading that the other removed"
    return ""


def _assembled(old: Sequence[str], left: Sequence[_Edit], right: Sequence[_Edit]) -> list[tuple[str, str]]:
    """The merged spans, each with the side it comes from: "base", "ours", "theirs" or "both"."""
    result: list[tuple[str, str]] = []
    at = 0
    mine, other = list(left), list(right)
    while mine or other:
        first = min([*mine[:1], *other[:1]], key=lambda edit: (edit.start, edit.end))
        result += [("base", text) for text in old[at : first.start]]
        takes_mine = bool(mine) and (mine[0].start, mine[0].end) == (first.start, first.end)
        takes_other = bool(other) and (other[0].start, other[0].end) == (first.start, first.end)
        if takes_mine and takes_other:
            result += _woven(mine[0].spans, other[0].spans)
        else:
            side = "ours" if takes_mine else "theirs"
            result += [(side, text) for text in first.spans]
        at = first.end
        del mine[: int(takes_mine)], other[: int(takes_other)]
    return result + [("base", text) for text in old[at:]]


def _woven(mine: tuple[str, ...], other: tuple[str, ...]) -> list[tuple[str, str]]:
    """What both added at one place: what is equal once, otherwise ours before theirs."""
    swapped = mine > other
    same = pairs(other, mine) if swapped else pairs(mine, other)
    result: list[tuple[str, str]] = []
    i = j = 0
    for pair in [*same, None]:
        next_i, next_j = (len(mine), len(other)) if pair is None else (pair[::-1] if swapped else pair)
        result += [("ours", text) for text in mine[i:next_i]] + [("theirs", text) for text in other[j:next_j]]
        if pair is not None:
            result.append(("both", mine[next_i]))
        i, j = next_i + 1, next_j + 1
    return result


def _settled(base: str, ours: str, theirs: str, spans: Sequence[tuple[str, str]], end: str) -> Merged:
    """The merged text, if it still reads as the spans it is made of."""
    whole = Conflict(base, ours, theirs, "put together, the two changes would read differently")
    planned = [text for _, text in spans if not is_blank(text)]
    for candidate in ("".join(text for _, text in spans), "".join(_parted(spans, end))):
        if [span.text for span in parse(candidate).spans if span.kind != "blank"] == planned:
            return Merged(_trimmed(base, ours, theirs, candidate))
    return Merged(None, (whole,))


def _parted(spans: Sequence[tuple[str, str]], end: str) -> Iterator[str]:
    """The texts with a blank line wherever ours meets theirs without one."""
    side_before, text_before = "base", ""
    for side, text in spans:
        if {side_before, side} == {"ours", "theirs"} and not is_blank(text_before) and not is_blank(text):
            yield break_between(text_before, end)
        yield text
        side_before, text_before = side, text


def _repeated(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], merged: Sequence[str]
) -> bool:
    """Whether a span occurs more often than the two sides together want it.

    That happens when both move an entry to different places, or one moves what the other removes.
    """
    old, mine, other = Counter(base), Counter(ours), Counter(theirs)
    for text, count in Counter(merged).items():
        b, o, t = old[text], mine[text], other[text]
        wanted = max(o, t) if min(o, t) >= b else min(o, t) if max(o, t) <= b else o + t - b
        if count > wanted:
            return True
    return False


def _trimmed(base: str, ours: str, theirs: str, merged: str) -> str:
    """The merged text without the end of its last line, if the side that changed it wants none."""
    bare = [bool(text) and not text.endswith(("\n", "\r")) for text in (base, ours, theirs)]
    wants_bare = bare[1] if bare[1] != bare[0] else bare[2]
    if not wants_bare:
        return merged
    return merged[:-2] if merged.endswith("\r\n") else merged[:-1]
