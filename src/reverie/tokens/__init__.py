"""Tokens: how many a text costs a model, estimated without a tokenizer, or counted when one is asked for.

The estimate cuts a text roughly where o200k_base cuts it before it merges bytes (words, up to three digits, runs of
punctuation, line breaks), and adds a measured average price for each piece: by script, by length, and for words by
capitals. It is the default everywhere, so that the same text gives the same figure on every machine; the exact
tokenizer is used only on request. The prices stand in `tokens/costs.py`, made by `bench/calibrate_tokens.py`; the
measured error is in the documentation ("How tokens are estimated").
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from reverie.errors import InvalidSetting, MissingExtra
from reverie.tokens.costs import COSTS, PREMIUM

CounterName = Literal["estimate", "o200k_base"]
COUNTERS: tuple[CounterName, ...] = ("estimate", "o200k_base")

PIECES = re.compile(
    r"[A-Z]*[a-z\u00c0-\u1fff]+|[A-Z]+|[!-/:-@\[-`{-~]+[\r\n]*| ?[0-9]{1,3}|[\r\n]+|  +|\t+"
    r"|[\u3040-\u30ff]+|[\u3100-\udfff]+|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\u00bf\u2000-\u303f\ue000-\U0010ffff]+[\r\n]*"
)
"""What is priced. A single space is free: tokenizers join it to the word that follows."""

_BLOCKS: tuple[tuple[int, str], ...] = (
    (0x0000, "ascii"), (0x0080, "symbol"), (0x00C0, "latin_accented"), (0x0100, "latin_marked"), (0x0370, "greek"),
    (0x0400, "cyrillic"), (0x0530, "other"), (0x0590, "hebrew"), (0x0600, "arabic"), (0x0780, "other"),
    (0x0900, "indic"), (0x0E00, "thai"), (0x0F00, "other"), (0x1E00, "latin_marked"), (0x1F00, "greek"),
    (0x2000, "symbol"), (0x3000, "wide"), (0x3040, "kana"), (0x3100, "han"), (0xAC00, "hangul"), (0xE000, "symbol"),
    (0xFF00, "wide"), (0x10000, "emoji"), (0x20000, "han"), (0x40000, "symbol"),
)  # fmt: skip
_STARTS = tuple(start for start, _ in _BLOCKS)


class _Rows(dict[str, str]):
    """Character -> row, each found once (there are only so many characters)."""

    def __missing__(self, character: str) -> str:
        return self.setdefault(character, _BLOCKS[bisect_right(_STARTS, ord(character)) - 1][1])


_ROWS = _Rows()

_UNRUSSIAN = re.compile("[\u0452-\u052f]")

_TRADITIONAL = frozenset(
    "個們這為來時對說會後國過還讓開關點樣學與沒麼當裡發現實問題東業書長門見間氣車語話請誰種從認總處將務廳單約"
)
"""Frequent Han letters that simplified Chinese and Japanese do not write alike; text in them costs more."""

_MARKED = {"latin_accented": "latin", "latin_marked": "latin", "cyrillic_marked": "cyrillic"}
"""Rows of words with letters that English, or Russian, does not have -> the row of that script's plain words."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """A way to count tokens and its name, which travels with every figure it made."""

    name: CounterName
    count: Callable[[str], int]


def kind(piece: str) -> str:
    """The row of the price table that a piece of text belongs to."""
    if piece.isascii():
        return _plain_kind(piece)
    row = _ROWS[piece[0]]
    if row == "cyrillic":
        if _UNRUSSIAN.search(piece):
            return "cyrillic_marked"
        return "cyrillic_title" if piece[0].isupper() else row
    if row == "greek":
        return "greek_title" if piece[0].isupper() else row
    if row == "han":
        return row if _TRADITIONAL.isdisjoint(piece) else "han_marked"
    return _ROWS[max(piece)] if row in ("ascii", "latin_accented") else row


def _plain_kind(piece: str) -> str:
    if piece.islower():
        return "latin"
    if piece.isupper():
        return "latin_upper" if len(piece) > 1 else "latin_title"
    if piece[-1].isdigit():
        return "digits_spaced" if piece[0] == " " else "digits"
    if piece.isspace():
        return "space"
    return "latin_title" if piece[-1].isalpha() else "punctuation"


def cost(piece: str, row: str) -> int:
    """The price of a piece in thousandths of a token; past the end of a row it grows by the row's last step."""
    prices = COSTS[row]
    size = len(piece)
    if size <= len(prices):
        return prices[size - 1]
    return prices[-1] + (size - len(prices)) * (prices[-1] - prices[-2])


@lru_cache(maxsize=512)
def estimate(text: str) -> int:
    """How many o200k_base tokens a text has, to within a few per cent for a text of a file's size.

    Plain words cost more in a language that writes other words with diacritics (Polish) than in one that does not
    (English), so their price rises with the share of such words.
    """
    prices: dict[str, int] = dict.fromkeys(COSTS, 0)
    words = dict(prices)
    for piece, times in Counter(PIECES.findall(text)).items():
        row = kind(piece)
        price = cost(piece, row) * times
        prices[row] += price
        words[row] += times
    total = sum(prices.values())
    for marked, plain in _MARKED.items():
        if words[marked] and words[plain]:
            share = words[marked] / (words[marked] + words[plain])
            total += round(prices[plain] * share * PREMIUM[marked])
    return -(-total // 1000)


def counter(name: str = "estimate") -> TokenCounter:
    """The counter of this name: `estimate`, or `o200k_base` for the exact tokenizer (extra `tokens`).

    Raises InvalidSetting for another name and MissingExtra when the tokenizer's package is not installed. The
    tokenizer takes about a second to load, once.
    """
    if name == "estimate":
        return TokenCounter("estimate", estimate)
    if name == "o200k_base":
        return _exact()
    raise InvalidSetting(f"There is no token counter {name!r}.", f"Use one of {', '.join(COUNTERS)}.")


@cache
def _exact() -> TokenCounter:
    try:
        with warnings.catch_warnings():
            # bpe-openai 0.1 opens its vocabulary by a deprecated function of the standard library.
            warnings.simplefilter("ignore", DeprecationWarning)
            import bpe_openai

            encode = bpe_openai.get_encoding("o200k_base").encode_ordinary
    except ImportError as error:
        raise MissingExtra(
            "Exact token counts need the package bpe-openai.", "Install it: pip install 'reverie[tokens]'."
        ) from error
    return TokenCounter("o200k_base", lambda text: len(encode(text)))
