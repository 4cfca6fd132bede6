"""Names that look alike but are not the same: `аdmin` with a Cyrillic letter beside `admin`.

Such names are different names, always; the rules here only say that a person should look twice. The skeleton is
that of UTS #39 (Unicode security mechanisms, section 4) over our own selection from its confusables table: the
Cyrillic, Greek, Armenian and Cherokee letters that pass for Latin ones, a few Latin letters and digits that pass
for each other, and every compatibility form (full width, mathematical letters).
"""

from __future__ import annotations

import unicodedata

from reverie.text.invisible import without_ignorable

_PAIRS = (
    ("асԁеһіјӏорԛѕѵԝхугь", "acdehijlopqsvwxyrb"),  # Cyrillic
    ("АВСЕНІЈКМОРЅТХУҮԌѴԜԚӀЗ", "ABCEHlJKMOPSTXYYGVWQl3"),
    ("αονριυγσϲϳ", "aovpiuyocj"),  # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHlKMNOPTYX"),
    ("օսհոցզՕՏԼ", "ouhngqOSL"),  # Armenian
    ("ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHlJKLMPRSTVWZ"),  # Cherokee
    ("ıɑɡɩȷI1|0", "iagijlllO"),  # Latin and digits
)
_SKELETON = str.maketrans(
    {"m": "rn", **{odd: plain for odds, plains in _PAIRS for odd, plain in zip(odds, plains, strict=True)}}
)

_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
_APART = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})


def confusable(a: str, b: str) -> bool:
    """Whether two different names look the same; names that are equal in NFC are not confusable but equal."""
    composed_a, composed_b = (unicodedata.normalize("NFC", name) for name in (a, b))
    return composed_a != composed_b and _skeleton(a) == _skeleton(b)


def mixed_scripts(name: str) -> frozenset[str]:
    """The scripts that meet within one word of a name and do not belong together; empty for ordinary names.

    "Moderately restrictive" of UTS #39: Latin may meet one other script in a word, but not one whose letters pass
    for Latin; Chinese, Japanese and Korean writing mix as usual. Words are judged one by one, so `план-api`
    passes. Scripts are read from character names.
    """
    found: set[str] = set()
    for word in _words(unicodedata.normalize("NFKC", name)):
        scripts = {script for character in word if (script := _script(character))}
        if len(scripts) > 1 and not _belong_together(scripts):
            found |= scripts
    return frozenset(found)


def _belong_together(scripts: set[str]) -> bool:
    return any(scripts <= allowed for allowed in _TOGETHER) or (
        len(scripts) == 2 and "LATIN" in scripts and not scripts & _APART
    )


def _skeleton(name: str) -> str:
    bare = without_ignorable(unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", bare).translate(_SKELETON))


def _words(name: str) -> list[str]:
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in name).split()


def _script(character: str) -> str:
    if not character.isalpha():
        return ""
    script = unicodedata.name(character, "").partition(" ")[0].partition("-")[0]
    return "" if script == "MODIFIER" else script
