r"""Entries: a memory file cut into the blocks that can stand alone, and back, byte for byte.

The blocks are found by a CommonMark parser (with tables), never by a text separator: a heading inside a fence is no
heading, a bullet that mentions `## Archive` is a bullet. The spans partition the text, so joining them gives it back
exactly; what the parser has no token for (reference definitions, blank lines, a byte order mark) is a span as well.
Only the top level counts: a list item owns its children, and a heading inside a quotation opens no section.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

from reverie.markdown.cuts import parts
from reverie.markdown.lines import body, is_blank, lines

if TYPE_CHECKING:
    from markdown_it.token import Token

Kind = Literal["mark", "front_matter", "heading", "entry", "rule", "reference", "blank"]
Block = Literal["", "item", "paragraph", "table", "fence", "code", "quote", "html"]

BYTE_ORDER_MARK = "\ufeff"
CACHED_CHARS = 100_000
"""Texts longer than this are parsed each time, so that the cache stays small."""

_BLOCKS: dict[str, Block] = {
    "paragraph_open": "paragraph", "table_open": "table", "fence": "fence", "code_block": "code",
    "blockquote_open": "quote", "html_block": "html",
}  # fmt: skip
_LISTS = ("bullet_list_open", "ordered_list_open")
_KEY = re.compile(r"(\w[\w .-]*):(?:[ \t]+(.*))?")
_CONTINUED = re.compile(r"[ \t]+\S.*|- .*|#.*|[ \t]*")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text: `text` is what stands from `start` to `end`, in code points.

    `path` holds the titles of the headings above it, outermost first (of a heading: without its own). `level` (1 to 6)
    and `title` are a heading's; a title is the source between the markers, as CommonMark reads it: `C#` for `## C#`.
    `block` says what an entry is.
    """

    kind: Kind
    start: int
    end: int
    text: str
    path: tuple[str, ...] = ()
    block: Block = ""
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what it governs, as offsets: its own entries end at `own_end`, its subsections at `end`."""

    heading: Span
    own_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The spans of a text in order; together they are the text."""

    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The text that was parsed."""
        return "".join(span.text for span in self.spans)

    @property
    def entries(self) -> tuple[Span, ...]:
        """The spans that are entries."""
        return tuple(span for span in self.spans if span.kind == "entry")

    @property
    def headings(self) -> tuple[Span, ...]:
        """The spans that are headings."""
        return tuple(span for span in self.spans if span.kind == "heading")

    def sections(self, title: str) -> list[Section]:
        """The sections whose heading has exactly this title: case counts, canonically equivalent letters are equal."""
        wanted = unicodedata.normalize("NFC", title)
        found = []
        for number, span in enumerate(self.spans):
            if span.kind == "heading" and unicodedata.normalize("NFC", span.title) == wanted:
                found.append(self._section(number))
        return found

    def _section(self, number: int) -> Section:
        heading, end = self.spans[number], self.spans[-1].end
        later = [span for span in self.spans[number + 1 :] if span.kind == "heading"]
        own_end = later[0].start if later else end
        return Section(heading, own_end, next((span.start for span in later if span.level <= heading.level), end))


def parse(text: str) -> Outline:
    """Cut a text into spans; any text is legal. Parsed texts are remembered."""
    return _remembered(text) if len(text) <= CACHED_CHARS else _parse(text)


def entries(text: str) -> tuple[Span, ...]:
    """The entries of a text, in order."""
    return parse(text).entries


def headings(text: str) -> tuple[Span, ...]:
    """The headings of a text, in order."""
    return parse(text).headings


def front_matter(text: str) -> dict[str, str]:
    """The `key: value` lines between `---` and `---` at the top of a text; empty without such lines.

    Every value is a string, as written: `yes`, `1e3` and `2026-01-02` are not interpreted, only the first colon counts,
    and quotes around a whole value are taken off. Indented lines and list items go on with the value above them, one
    line each. Of a key given twice the last counts.
    """
    span = next((span for span in parse(text).spans if span.kind == "front_matter"), None)
    values: dict[str, list[str]] = {}
    current: list[str] = []
    for line in map(body, lines(span.text)[1:-1] if span else []):
        if key := _KEY.fullmatch(line):
            current = values[key[1].rstrip()] = [_unquoted((key[2] or "").strip())]
        elif line.strip() and not line.startswith("#"):
            current.append(line.strip())
    return {key: "\n".join(part for part in parts if part) for key, parts in values.items()}


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


@lru_cache(maxsize=256)
def _remembered(text: str) -> Outline:
    return _parse(text)


def _parse(text: str) -> Outline:
    path: list[tuple[int, str]] = []
    above: tuple[str, ...] = ()
    spans: list[Span] = []
    start = 0
    for part in chain.from_iterable(_read(part) for part in parts(text)):
        if part.kind == "heading":
            path = [other for other in path if other[0] < part.level]
            above = tuple(name for _, name in path)
        end = start + len(part.text)
        spans.append(Span(part.kind, start, end, part.text, above, part.block, part.level, part.title))
        start = end
        if part.kind == "heading":
            path.append((part.level, part.title))
            above = (*above, part.title)
    return Outline(tuple(spans))


@dataclass(frozen=True, slots=True)
class _Part:
    """A span before it has its place."""

    kind: Kind
    text: str
    block: Block = ""
    level: int = 0
    title: str = ""


def _read(part: str) -> Sequence[_Part]:
    return _read_once(part) if len(part) <= CACHED_CHARS else list(_parts(part))


@lru_cache(maxsize=1024)
def _read_once(part: str) -> tuple[_Part, ...]:
    return tuple(_parts(part))


def _parts(text: str) -> Iterator[_Part]:
    from reverie.markdown.commonmark import (
        block_tokens,  # the parser takes longer to import than a memory takes to read
    )

    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    all_lines = lines(text[len(mark) :])
    matter = _front_matter_lines(all_lines)
    if mark:
        yield _Part("mark", mark)
    if matter:
        yield _Part("front_matter", "".join(all_lines[:matter]))
    rest = all_lines[matter:]
    for piece in _filled(_pieces(block_tokens(rest)), rest):
        content = "".join(rest[piece.first : piece.last])
        yield _Part(piece.kind, content, piece.block, piece.level, piece.title)


def _front_matter_lines(all_lines: Sequence[str]) -> int:
    """How many lines the front matter takes: from `---` to `---` or `...`, with only `key: value` lines between."""
    if not all_lines or body(all_lines[0]).rstrip(" \t") != "---":
        return 0
    keys = 0
    for number, line in enumerate(map(body, all_lines[1:]), 2):
        if line.rstrip(" \t") in ("---", "..."):
            return number if keys else 0
        if _KEY.fullmatch(line):
            keys += 1
        elif not _CONTINUED.fullmatch(line):
            return 0
    return 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block by its line numbers, `last` exclusive."""

    first: int
    last: int
    kind: Kind
    block: Block = ""
    level: int = 0
    title: str = ""


def _pieces(tokens: Sequence[Token]) -> Iterator[_Piece]:
    in_list = False
    for number, token in enumerate(tokens):
        if token.level == 0:
            in_list = token.type in _LISTS
        if token.map is None or token.nesting < 0:
            continue
        first, last = token.map
        if token.level == 1 and in_list and token.type == "list_item_open":
            yield _Piece(first, last, "entry", "item")
        elif token.level == 0 and token.type == "heading_open":
            yield _Piece(first, last, "heading", "", int(token.tag[1:]), tokens[number + 1].content)
        elif token.level == 0 and token.type == "hr":
            yield _Piece(first, last, "rule")
        elif token.level == 0 and token.type in _BLOCKS:
            yield _Piece(first, last, "entry", _BLOCKS[token.type])


def _filled(pieces: Iterator[_Piece], all_lines: Sequence[str]) -> Iterator[_Piece]:
    """The pieces without gaps: blank lines after a list item leave it, and what has no token is named by its look."""
    done = 0
    for piece in pieces:
        yield from _untold(done, piece.first, all_lines)
        last = min(piece.last, len(all_lines))
        while piece.block == "item" and last > piece.first + 1 and is_blank(all_lines[last - 1]):
            last -= 1
        yield _Piece(piece.first, last, piece.kind, piece.block, piece.level, piece.title)
        done = last
    yield from _untold(done, len(all_lines), all_lines)


def _untold(first: int, last: int, all_lines: Sequence[str]) -> Iterator[_Piece]:
    start = first
    for number in range(first, last):
        blank = is_blank(all_lines[number])
        if number + 1 == last or is_blank(all_lines[number + 1]) != blank:
            yield _Piece(start, number + 1, "blank" if blank else "reference")
            start = number + 1
