"""User-perceived characters, for previews that never show half of one.

The rule is that of extended grapheme clusters (UAX #29, rules GB3 to GB13), as far as the Unicode data of the
standard library allows. Approximate are: the break properties, which are derived from general categories;
pictographs, which are taken by block; and the linking of Indic conjuncts (GB9c), known for the six scripts of
Unicode 15.1. Nothing that is stored is ever cut.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

Kind = Literal[
    "cr", "lf", "control", "extend", "linker", "zwj", "mark", "prepend", "pictograph", "consonant", "region", "other",
    "L", "V", "T", "LV", "LVT",
]  # fmt: skip

ELLIPSIS = "…"

_HANGUL: dict[str, tuple[Kind, ...]] = {
    "L": ("L", "V", "LV", "LVT"),
    "LV": ("V", "T"),
    "V": ("V", "T"),
    "LVT": ("T",),
    "T": ("T",),
}
_PREPEND = frozenset(
    [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E, 0x110BD, 0x110CD, 0x111C2, 0x111C3]
)
_EXTEND = frozenset([0x200C, 0xFF9E, 0xFF9F, *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)])
_PICTOGRAPHS = (
    (0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x21AA), (0x231A, 0x23FF), (0x24C2, 0x24C2), (0x25AA, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B55),
    (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1F1E5), (0x1F200, 0x1FAFF),
)  # fmt: skip
_CONJUNCT_SCRIPTS = (
    (0x900, 0x97F),
    (0x980, 0x9FF),
    (0xA80, 0xAFF),
    (0xB00, 0xB7F),
    (0xC00, 0xC7F),
    (0xD00, 0xD7F),
)
_VIRAMA = 9  # the combining class of Indic viramas


def graphemes(text: str) -> Iterator[str]:
    """The text's user-perceived characters, in order; joined they are the text."""
    start, before, regions = 0, "other", 0
    emoji: Literal["", "open", "joined"] = ""
    conjunct: Literal["", "open", "linked"] = ""
    for position, character in enumerate(text):
        kind = _kind(character)
        joined = (
            _joins(before, kind)
            or (emoji == "joined" and kind == "pictograph")
            or (conjunct == "linked" and kind == "consonant")
            or (kind == "region" and regions % 2 == 1)
        )
        if position and not joined:
            yield text[start:position]
            start = position
        regions = regions + 1 if kind == "region" else 0
        if kind == "pictograph":
            emoji = "open"
        elif emoji != "open" or kind not in ("extend", "linker"):
            emoji = "joined" if emoji == "open" and kind == "zwj" else ""
        if kind == "consonant":
            conjunct = "open"
        elif kind == "linker" and conjunct:
            conjunct = "linked"
        elif kind not in ("extend", "zwj"):
            conjunct = ""
        before = kind
    if text:
        yield text[start:]


def clip(text: str, limit: int) -> str:
    """The longest beginning of whole graphemes that has at most `limit` code points."""
    if len(text) <= limit:
        return text
    size = 0
    for grapheme in graphemes(text):
        if size + len(grapheme) > limit:
            break
        size += len(grapheme)
    return text[:size]


def preview(text: str, limit: int) -> str:
    """The text, or its beginning and `…`: at most `limit` code points in all, never half a grapheme.

    Raises ValueError for a limit below 1.
    """
    if limit < 1:
        raise ValueError(f"A preview needs room for one character, not {limit}.")
    return text if len(text) <= limit else clip(text, limit - len(ELLIPSIS)) + ELLIPSIS


def _joins(before: str, kind: Kind) -> bool:
    if before == "cr" and kind == "lf":
        return True
    if before in ("cr", "lf", "control") or kind in ("cr", "lf", "control"):
        return False
    return (
        kind in ("extend", "linker", "zwj", "mark") or before == "prepend" or kind in _HANGUL.get(before, ())
    )


@lru_cache(maxsize=4096)
def _kind(character: str) -> Kind:
    code = ord(character)
    category = unicodedata.category(character)
    if code < 0x300:
        return _latin_kind(character, category)
    if code in _EXTEND or category in ("Mn", "Me"):
        linker = unicodedata.combining(character) == _VIRAMA and _within(code, _CONJUNCT_SCRIPTS)
        return "linker" if linker else "extend"
    if code == 0x200D:
        return "zwj"
    if code in _PREPEND:
        return "prepend"
    if category in ("Cf", "Zl", "Zp"):
        return "control"
    if category == "Mc" or code in (0xE33, 0xEB3):
        return "mark"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "region"
    if _within(code, _PICTOGRAPHS):
        return "pictograph"
    if category == "Lo" and _within(code, _CONJUNCT_SCRIPTS):
        return "consonant"
    return _hangul_kind(code)


def _latin_kind(character: str, category: str) -> Kind:
    if character in "\r\n":
        return "cr" if character == "\r" else "lf"
    if category in ("Cc", "Cf"):
        return "control"
    return "pictograph" if character in "©®" else "other"


def _hangul_kind(code: int) -> Kind:
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    return "other"


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
