"""Text as it is compared, and the names under which the rest of the package finds text rules.

Stored text is never changed by anything here: normal forms are for comparing, the visible form is for showing.
"""

from __future__ import annotations

import unicodedata

from reverie.text.graphemes import clip, graphemes, preview
from reverie.text.invisible import Risky, risky, visible, without_bom, without_ignorable
from reverie.text.lookalikes import confusable, mixed_scripts

__all__ = [
    "Risky", "clip", "confusable", "graphemes", "mixed_scripts", "normal_form", "preview", "risky", "same_name",
    "visible", "without_bom",
]  # fmt: skip


def normal_form(text: str) -> str:
    """The form in which texts are compared for search and duplicates; it is not for storing or showing.

    Compatibility caseless form (Unicode Standard D146, composed: NFKC with full case folding), without default
    ignorable characters, each run of white space as one space, none at the ends. Doing it twice changes nothing.
    Names are compared by `same_name` instead.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", without_ignorable(unicodedata.normalize("NFD", text)).casefold())
        text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.casefold().split())


def same_name(a: str, b: str) -> bool:
    """Whether two names are one: equal in NFC, and case matters (`PATH` and `path` are two names)."""
    return a == b or unicodedata.normalize("NFC", a) == unicodedata.normalize("NFC", b)
