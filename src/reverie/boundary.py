"""The boundary: how a memory file stands in a prompt as data that cannot pretend to be anything else.

The text lies between two tags whose name is derived from the text, so that the same text gives the same bytes and no
text contains its own end. A tag of this form inside any text is made visible as `&lt;`, so the boundary of one section,
read from an earlier prompt and written into another file, is not a boundary there either.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from reverie.text import visible, without_bom

LENGTH = 8
"""Hexadecimal digits of a boundary; a text that contains them all the same gets others."""

_TAG = re.compile(r"<(?=\s*(?:/\s*)?memory-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Marked:
    """A text as a model sees it, the name of its boundary, and the whole block with its tags."""

    text: str
    boundary: str
    block: str


def shown(text: str) -> str:
    """A text on its way to a model: no byte order mark, risky characters visible, tags like ours no longer tags."""
    return _TAG.sub("&lt;", visible(without_bom(text)))


def boundary_of(text: str) -> str:
    """The name of the tags around a text: the first of its hashes that does not occur in it."""
    hashes = (hashlib.sha256(f"{turn}\n{text}".encode()).hexdigest()[:LENGTH] for turn in count())
    return f"memory-{next(digits for digits in hashes if digits not in text)}"


@lru_cache(maxsize=512)
def marked(file: str, text: str) -> Marked:
    """A memory file's text as a block of data."""
    text = shown(text)
    boundary = boundary_of(text)
    end = "" if text.endswith("\n") else "\n"
    return Marked(text, boundary, f'<{boundary} file="{file}">\n{text}{end}</{boundary}>')
