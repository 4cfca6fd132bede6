r"""Sections: adding an entry where it belongs, and replacing what stands under a heading.

A section is found by the exact text of its heading, as CommonMark reads it: case counts, `## To do` is not
`## To do #soon`, and nothing inside a fence is a heading. What is added becomes part of the file's Markdown without
touching a byte of what is there, and is written with the file's own line ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import repr as shown  # bounded

from reverie.errors import InvalidText, PassageAmbiguous, PassageNotFound
from reverie.markdown.entries import BYTE_ORDER_MARK, Outline, Section, Span, headings, parse
from reverie.markdown.lines import body, break_between, is_blank, line_end, lines, with_line_end
from reverie.markdown.windows import window
from reverie.validity import checked_text

_INDENT = "  "
_MARKER = re.compile(r" {0,3}(?:([-+*])|\d{1,9}([.)]))")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HTML_ENDS = (
    (re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE), "</{0}>"),
    (re.compile(r" {0,3}<!--"), "-->"),
    (re.compile(r" {0,3}<\?"), "?>"),
    (re.compile(r" {0,3}<!\[CDATA\["), "]]>"),
    (re.compile(r" {0,3}<![A-Za-z]"), ">"),
)
"""HTML blocks that a blank line does not end, and what does (CommonMark 0.31, section 4.6, kinds 1 to 5)."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading asked for; `level` is 0 if it was given without #'s."""

    title: str
    level: int

    @property
    def line(self) -> str:
        """The heading as a line of Markdown that reads as exactly this title."""
        marks = "#" * (self.level or 2)
        plain = f"{marks} {self.title}"
        return plain if _titles(plain) == [self.title] else f"{plain} {marks}"


def appended(text: str | None, entry: str, heading: str | None = None) -> str:
    """The text with an entry added at the end of the file, or at the end of a heading's own entries.

    Plain text becomes one list item, its further lines indented; text that already is a Markdown block (list item,
    heading, table, fence, quotation) is taken as it is. The heading may be given with or without #'s and is created at
    the end, as `##` unless its #'s say otherwise, if it is missing; of several alike the first counts. An entry goes
    before the subsections of its heading, so that it lies under that heading and no other. A fence or comment that the
    file leaves open is closed first: by CommonMark it ended at the end of the file, so that changes nothing else.
    Raises InvalidText for a blank entry or heading, a heading of several lines, and an entry that leaves a fence or
    comment open.
    """
    text = text or ""
    block = _block(entry)
    end = line_end(text or entry)
    block = with_line_end(block, end)
    if heading is None:
        return _inserted(text, len(text), block, end)
    wanted = _heading(heading)
    outline = parse(text)
    section = _first(outline, wanted)
    if section is None:
        title = wanted.line
        return _inserted(text, len(text), f"{title}{end}{end}{block}", end, outline)
    return _inserted(text, _end_of_own(outline, section), block, end, outline)


def replace_section(text: str, heading: str, new: str) -> str:
    """The text with what stands under a heading, subsections too, replaced; blank `new` leaves the bare heading.

    Raises PassageNotFound, which lists the headings, if none has exactly this text, and PassageAmbiguous(matches) if
    several have.
    """
    wanted = _heading(heading)
    outline = parse(text)
    found = _matching(outline, wanted)
    if not found:
        known = ", ".join(repr(span.text.strip()) for span in headings(text)) or "none"
        raise PassageNotFound(
            f"There is no heading {wanted.title!r}; nothing was changed.", f"The headings of the file are: {known}."
        )
    if len(found) > 1:
        raise PassageAmbiguous(
            f"{len(found)} headings read {wanted.title!r}; nothing was changed.",
            "Edit a passage of the section that is meant instead.",
            matches=len(found),
        )
    low, high = window(text, found[0].heading.end, found[0].end, outline)
    before, after = text[low : found[0].heading.end], text[found[0].end : high]
    if is_blank(checked_text(new, "the section")):
        return text[:low] + before + after + text[high:]
    end = line_end(text)
    content = with_line_end(new.strip("\r\n"), end)
    _closed(content)
    start = before if before.endswith(("\n", "\r")) else before + end
    replaced = f"{start}{break_between(start, end)}{content}{end}{end if after else ''}{after}"
    _check(replaced, before, after)
    return text[:low] + replaced + text[high:]


def _heading(heading: str) -> _Heading:
    remedy = "Give the text of one heading, with or without #'s."
    if len(lines(heading.strip())) > 1:
        raise InvalidText(f"The heading {shown(heading)} has several lines.", remedy)
    spans = headings(heading.strip())
    title, level = (spans[0].title, spans[0].level) if spans else (heading.strip(), 0)
    if not title:
        raise InvalidText("The heading is blank.", remedy)
    return _Heading(title, level)


def _titles(line: str) -> list[str]:
    return [span.title for span in headings(line)]


def _matching(outline: Outline, wanted: _Heading) -> list[Section]:
    """The sections with this title; if #'s were given and some have that level, only those."""
    found = outline.sections(wanted.title)
    exact = [section for section in found if section.heading.level == wanted.level]
    return exact or found


def _first(outline: Outline, wanted: _Heading) -> Section | None:
    return next(iter(_matching(outline, wanted)), None)


def _end_of_own(outline: Outline, section: Section) -> int:
    """Where a section's own entries end: before the blank lines that part it from the next heading."""
    if section.own_end == outline.spans[-1].end:
        return section.own_end
    own = [span for span in outline.spans if section.heading.start <= span.start < section.own_end]
    return max(span.end for span in own if span.kind != "blank")


def _block(entry: str) -> str:
    """An entry as a Markdown block without blank lines around it."""
    content = checked_text(entry, "the entry").removeprefix(BYTE_ORDER_MARK)
    all_lines = lines(content)
    while all_lines and is_blank(all_lines[0]):
        del all_lines[0]
    while all_lines and is_blank(all_lines[-1]):
        del all_lines[-1]
    if not all_lines or not content.strip():
        raise InvalidText("The entry is blank.", "Give the text to remember.")
    margin = all_lines[0][: len(all_lines[0]) - len(all_lines[0].lstrip(" \t"))]
    block = "".join(line.removeprefix(margin) for line in all_lines).rstrip("\r\n")
    spans = _closed(block)
    if spans[0].block != "paragraph" or any(span.kind == "heading" for span in spans):
        return block
    first, *others = lines(block.rstrip(" \t"))
    item = f"- {first}" + "".join(line if is_blank(line) else _INDENT + line for line in others)
    return item if parse(item).spans[0].block == "item" else block  # `--` as an item would be a rule


def _closed(block: str) -> list[Span]:
    """The spans of new text, blank ones left out; InvalidText if it leaves a fence or comment open."""
    spans = [span for span in parse(block).spans if span.kind != "blank"]
    if closing := _closing(spans[-1]):
        raise InvalidText(
            f"The new text opens a block that it does not close: {body(lines(spans[-1].text)[0])!r}.",
            f"End it with the line {closing!r}.",
        )
    return spans


def _inserted(text: str, at: int, block: str, end: str, outline: Outline | None = None) -> str:
    """The text with a block at an offset, parted by blank lines where Markdown needs them."""
    low, high = window(text, at, at, outline)
    before, after = text[low:at], text[at:high]
    above = [span for span in parse(before).spans if span.kind != "mark"]
    if before and before != BYTE_ORDER_MARK and not before.endswith(("\n", "\r")):
        before += end
    solid = [span for span in above if span.kind != "blank"]
    if solid and (closing := _closing(solid[-1])):
        before += closing + end
    if solid and not _goes_on(above, block) and not (above[-1].kind == "blank" and above[-1] is not solid[-1]):
        before += break_between(before, end)
    tail = end if after and not is_blank(lines(after)[0]) else ""
    result = f"{before}{block}{break_between('', end, after)}{tail}{after}"
    _check(result, before, after)
    return text[:low] + result + text[high:]


def _goes_on(above: list[Span], block: str) -> bool:
    """Whether a block continues the list above it, so that no blank line is wanted between them."""
    loose = len(above) > 2 and above[-2].kind == "blank" and above[-3].block == "item"
    if loose or above[-1].block != "item":
        return False
    mine, theirs = _MARKER.match(block), _MARKER.match(above[-1].text)
    return parse(block).spans[0].block == "item" and bool(mine and theirs and mine.groups() == theirs.groups())


def _closing(span: Span) -> str:
    """The line that ends a fence or HTML block which is open at its end, "" for one that is not."""
    first, *others = lines(span.text)
    if span.block == "fence" and (fence := _FENCE.match(first)):
        end = re.compile(rf" {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*")
        return "" if others and end.fullmatch(body(others[-1])) else fence[1]
    if span.block == "html":
        for start, closing in _HTML_ENDS:
            if found := start.match(first):
                return "" if closing.format(*found.groups()).lower() in span.text.lower() else closing.format(*found.groups())
    return ""


def _check(result: str, before: str, after: str) -> None:
    """Refuse what would change how the text around it reads, such as an HTML tag that swallows the next lines."""
    spans = [span.text.rstrip() for span in parse(result).spans if span.kind != "blank"]
    above = [span.text.rstrip() for span in parse(before).spans if span.kind != "blank"]
    below = [span.text.rstrip() for span in parse("\n" + after).spans if span.kind != "blank"]
    kept = spans[: len(above)] == above and spans[len(spans) - len(below) :] == below
    if not kept or len(spans) <= len(above) + len(below):
        raise InvalidText(
            "The new text would change how the text around it reads; nothing was changed.",
            "Close every fence, comment and HTML tag in it, and give it as a block of its own.",
        )
