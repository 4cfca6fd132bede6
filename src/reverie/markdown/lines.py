r"""Lines: where a text breaks, by one rule for the whole library.

A line ends at `\r\n`, `\r` or `\n` and nowhere else. Python's own `splitlines` also breaks at U+2028, form feeds
and others, which people use inside a line; a parser, a diff and a merge that disagree about that lose text.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines(text: str) -> list[str]:
    """The lines with their ends; joined they give the text back. The last one may have no end."""
    return _LINE.findall(text)


def body(line: str) -> str:
    """A line without its end."""
    return line.rstrip("\r\n")


def is_blank(line: str) -> bool:
    """Whether a line is blank as CommonMark means it: only spaces and tabs before its end."""
    return not line.strip(" \t\r\n")


def line_end(text: str) -> str:
    r"""The line end that a text mostly uses; `\n` when it has none or the counts are equal."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=lambda end: counts[end])


def line_ends(text: str) -> frozenset[str]:
    """The kinds of line end that occur in a text."""
    return frozenset(_LINE_END.findall(text))


def with_line_end(text: str, end: str) -> str:
    """The text with every line end written as `end`."""
    return _LINE_END.sub(lambda _: end, text)


def line_number(text: str, offset: int) -> int:
    """The number, from 1, of the line that the code point at this offset stands in."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        before = before[:-1]
    return len(_LINE_END.findall(before)) + 1


def break_between(before: str, end: str, after: str = "") -> str:
    r"""A line end to put between two texts: `end`, unless it would join a `\r` before it or a `\n` after it."""
    if before.endswith("\r") and end == "\n":
        return "\r"
    return "\n" if end == "\r" and after.startswith("\n") else end
