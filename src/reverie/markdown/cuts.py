r"""Cuts: where a text can be taken apart so that each part reads by itself as it does in the whole.

A block parser goes from the first line to the last, and what it keeps from line to line is only which blocks are open.
An item or heading at the margin that begins with a word ends every block before it but two kinds: a fence, and HTML that
runs to the next blank line or further. In a text that opens neither, which is the usual memory file, such lines are found
without parsing anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

_FENCES = ("```", "~~~")
_HTML = re.compile(r"(?:^|[\r\n])[ \t>*+\-\d.)]*<")
"""HTML at the beginning of a line or an entry; like a fence it may swallow lines at the margin."""

_MARGIN = r"(?:(?<=\n)|(?<=\r)(?!\n))"
_ITEM = re.compile(_MARGIN + r"[-*+] [^\W_]")
_BLOCK = re.compile(_MARGIN + r"(?:[-*+]|(#{1,6})) [^\W_][^\r\n]{0,60}")

_STEP = 4096
"""Code points that are first searched from the end."""

_LEAST, _MOST = 1000, 8000
"""Code points of a part, where there are places to cut."""

_ONE_IN = 16
"""Of so many items about one is a place to cut, chosen by what it says: so a change somewhere moves few cuts."""


def parts(text: str) -> Iterator[str]:
    """The text in parts of some thousand code points; in one where only a parser can tell where to cut."""
    start = 0
    if len(text) > _LEAST and not _is_tangled(text):
        for match in _BLOCK.finditer(text, _LEAST):
            size = match.start() - start
            chosen = match[1] is not None or crc32(match[0].encode(errors="surrogatepass")) % _ONE_IN == 0
            if size >= _MOST or (size >= _LEAST and chosen):
                yield text[start : match.start()]
                start = match.start()
    yield text[start:]


def item_near_end(text: str, number: int) -> int | None:
    """Where the last item but so many at the margin begins, 1 for the last; None when only a parser can tell."""
    if _is_tangled(text):
        return None
    size = _STEP
    while True:
        found = [match.start() for match in _ITEM.finditer(text, max(0, len(text) - size))]
        if len(found) >= number:
            return found[-number]
        if size >= len(text):
            return None
        size *= 4


def _is_tangled(text: str) -> bool:
    """Whether a fence, HTML or front matter may hold lines that look like blocks of their own."""
    if text[:4].lstrip("\ufeff").startswith("---") or any(fence in text for fence in _FENCES):
        return True
    return "<" in text and _HTML.search(text) is not None
