"""Characters that a reader does not see, and their visible form.

Text on its way to a model or a screen may carry characters that hide or reorder words: tag letters, direction
overrides, zero-width marks, runs of variation selectors, control characters. They are shown as `⟦U+202E⟧`, never
dropped. The same characters have honest uses, and those pass: joiners inside emoji and in the scripts that need
them, a variation selector after a base that takes one, the three tag flags of the United Kingdom, a byte order
mark at the very start. What is honest is one table of sequences below; a risky character outside one is shown.

Sources: Unicode Standard chapter 23 (special areas and format characters), DerivedCoreProperties (Default
Ignorable Code Point), StandardizedVariants, UTS #51 (emoji sequences). Pictographs and the bases of variation
selectors are given by block, so a few neighbours of real emoji count as emoji too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple


class Risky(NamedTuple):
    """A risky character: its offset in code points, and its number as `U+202E`."""

    offset: int
    code_point: str


Ranges = tuple[tuple[int, int], ...]

RISKY: Ranges = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F),  # controls, but for tab and line breaks
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C),  # soft hyphen, grapheme joiner, Arabic letter mark
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),  # Hangul fillers, Khmer vowels, Mongolian selectors
    (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),  # zero width, separators, direction, invisible operators
    (0x2800, 0x2800), (0x3164, 0x3164), (0xD800, 0xF8FF),  # blank Braille, filler, surrogates and private use
    (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),  # noncharacters, variation selectors, byte order mark
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),  # filler, annotation marks, noncharacters
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),  # hieroglyph, shorthand and music controls
    (0x1FFFE, 0x1FFFF), (0x2FFFE, 0x2FFFF), (0x3FFFE, 0x10FFFF),  # noncharacters; empty planes, tags, private use
)  # fmt: skip

IGNORABLE: Ranges = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Default Ignorable Code Point: what a renderer shows as nothing at all."""


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _plain() -> Ranges:
    """What of the first plane is not RISKY."""
    gaps = ((before[1] + 1, after[0] - 1) for before, after in pairwise(RISKY) if after[0] <= 0xFFFF)
    return tuple((first, last) for first, last in gaps if first <= last)


_S = _class(RISKY)
_PICTOGRAPH = (
    r"\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_TONE = r"\U0001f3fb-\U0001f3ff"
_SELECTOR = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_IDEOGRAPH = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_JOINING = (  # scripts that spell with zero-width joiners and non-joiners, without their risky characters
    r"\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u0f00-\u109f\u1700-\u17b3\u17b6-\u17ff\u1810-\u18af\u1950-\u1c4f"
    r"\ua800-\ua8ff\ua930-\ua95f\ua980-\uaaff\uabc0-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    r"\U00010840-\U00011fff\U0001e900-\U0001e95f"
)
_SPACELESS = (  # scripts that mark word breaks with a zero-width space
    r"\u0e00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
)
_ACCENT = r"\u0300-\u034e\u0350-\u036f\u0591-\u05bd\u05bf-\u05c7"
_DIRECTION = r"\u061c\u200e\u200f"


def _tags(letters: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in letters)


def _beside(controls: str, block: str) -> str:
    """One control character next to a character of its own block."""
    return f"(?<=[{block}])[{controls}](?![{_S}])|(?<![{_S}])[{controls}](?=[{block}])"


_HONEST = (
    r"\A\ufeff",
    f"\U0001f3f4(?:{_tags('gbeng')}|{_tags('gbsct')}|{_tags('gbwls')})\U000e007f",
    f"[{_PICTOGRAPH}][{_TONE}]?\ufe0f?(?:\u200d[{_PICTOGRAPH}][{_TONE}]?\ufe0f?)+(?![{_SELECTOR}])",
    f"[{_PICTOGRAPH}][{_TONE}]?[\ufe0e\ufe0f](?![{_SELECTOR}])",
    f"[0-9#*][\ufe0e\ufe0f](?![{_SELECTOR}])",
    f"[{_IDEOGRAPH}][\ufe00-\ufe02\U000e0100-\U000e01ef](?![{_SELECTOR}])",
    f"[0\u2200-\u22ff\u2a00-\u2aff\u1000-\u109f\ua840-\ua877\u3001\u3002\uff01-\uff1f][\ufe00\ufe01](?![{_SELECTOR}])",
    f"(?<=[{_JOINING}])[\u200c\u200d](?![{_S}])|(?<![{_S}])[\u200c\u200d](?=[{_JOINING}])",
    f"(?<=[{_SPACELESS}])\u200b(?![{_S}])",
    f"(?<![{_DIRECTION}])[{_DIRECTION}]{{1,2}}(?![{_DIRECTION}])",
    f"(?<=[{_ACCENT}])\u034f(?=[{_ACCENT}])",
    "(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f](?![\u180b-\u180f])|(?<=[\u1820-\u18aa])\u180e(?=[\u1820\u1821])",
    "[\u1100-\u115e\ua960-\ua97c]\u1160|\u115f[\u1161-\u11a7\ud7b0-\ud7c6]",
    "(?<=[\u2801-\u28ff])\u2800+|\u2800+(?=[\u2801-\u28ff])",
    _beside("\U00013430-\U0001343f", "\U00013000-\U0001342f"),
    _beside("\U0001bca0-\U0001bca3", "\U0001bc00-\U0001bc9f"),
    _beside("\U0001d173-\U0001d17a", "\U0001d100-\U0001d172\U0001d17b-\U0001d1ff"),
)
"""Sequences in which a risky character is at home. Their context is never itself a risky character that might
be shown, so making text visible twice changes nothing."""

_JOINER_AT_HOME = f"(?<![{_JOINING}][\u200c\u200d](?![{_S}]))"
_EMOJI_AT_HOME = (
    f"(?<![{_PICTOGRAPH}]\ufe0f(?![{_SELECTOR}]))(?<![{_PICTOGRAPH}]\u200d(?=[{_PICTOGRAPH}]))"
    f"(?<![{_PICTOGRAPH}]\ufe0f\u200d(?=[{_PICTOGRAPH}]))"
)
_LONGEST_BASE = 2
"""Characters of a sequence before its first risky one: a pictograph and its skin tone."""


# Patterns are compiled at first use: together they take 30 ms, which a command that shows no text need not pay.


@cache
def _doubtful() -> re.Pattern[str]:
    """A risky character outside the everyday uses, so that ordinary text costs one search.

    It begins with a class of the first plane, which is searched twice as fast as one that reaches beyond.
    """
    return re.compile(f"[^{_class(_plain())}](?<=[{_S}]){_JOINER_AT_HOME}{_EMOJI_AT_HOME}")


@cache
def _any() -> re.Pattern[str]:
    """A risky character; blank Braille as a run, so that a long one is judged once."""
    return re.compile(f"\u2800+|[{_S}]")


@cache
def _honest() -> re.Pattern[str]:
    return re.compile("|".join(_HONEST))


@cache
def _ignorable() -> re.Pattern[str]:
    return re.compile(f"[{_class(IGNORABLE)}]")


def risky(text: str) -> tuple[Risky, ...]:
    """The characters of a text that would be shown by number, in order."""
    return tuple(Risky(offset, _number(text[offset])) for offset in _offsets(text))


def visible(text: str) -> str:
    """The text with each risky character as `⟦U+202E⟧`; nothing is dropped, and doing it twice changes nothing.

    Text that already says `⟦U+202E⟧` stays as it is. Costs 0.15 ms for 20,000 characters of plain text.
    """
    pieces, done = [], 0
    for offset in _offsets(text):
        pieces += [text[done:offset], f"⟦{_number(text[offset])}⟧"]
        done = offset + 1
    return "".join((*pieces, text[done:])) if pieces else text


def without_bom(text: str) -> str:
    """The text without the byte order mark that some editors put at the very start of a file."""
    return text.removeprefix("\ufeff")


def without_ignorable(text: str) -> str:
    """The text without default ignorable characters: for comparing texts, never for storing or showing one."""
    return text if text.isascii() else _ignorable().sub("", text)


def _offsets(text: str) -> Iterator[int]:
    """Where the shown characters stand: the risky ones that no honest sequence covers."""
    if not _doubtful().search(text):
        return
    covered = 0
    for found in _any().finditer(text):
        offset = found.start()
        if offset < covered:
            continue
        starts = range(max(covered, offset - _LONGEST_BASE), offset + 1)
        covered = next((match.end() for start in starts if (match := _honest().match(text, start))), 0)
        if covered <= offset:
            covered = found.end()
            yield from range(offset, covered)


def _number(character: str) -> str:
    return f"U+{ord(character):04X}"
