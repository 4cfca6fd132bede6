"""Where a secret stands in a text: the value that the rules yield and `secrets.mask` replaces."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A secret in a text: code point offsets, and the kind that its placeholder names."""

    start: int
    end: int
    kind: str
