"""How far the token estimate is from the exact count, by kind of text, on the halves that it was not fitted on.

The table of the page "How tokens are estimated" is written anew with the figures.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from pathlib import Path

import bpe_openai

from bench.corpora import HERE, samples
from bench.effort import Effort
from bench.measured import Figure, Unmeasurable
from reverie import tokens

PAGE = HERE.parent / "docs" / "explanation" / "tokens.md"
RULE = "|---|---:|---:|---:|---:|---:|\n"
ENCODING = bpe_openai.get_encoding("o200k_base")
NAMES = {
    "es": "Spanish", "de": "German", "fr": "French", "pl": "Polish", "pt": "Portuguese", "id": "Indonesian",
    "ja": "Japanese", "ko": "Korean", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "th": "Thai", "el": "Greek",
    "uk": "Ukrainian", "zh-TW": "Chinese, traditional", "markdown": "Markdown with tables and links", "code": "code",
    "emoji": "emoji and symbols",
}  # fmt: skip


def exact(text: str) -> int:
    """The true number of tokens."""
    return len(ENCODING.encode_ordinary(text))


def measure(effort: Effort) -> list[Figure]:
    """The mean error of each kind of text, in per cent of the exact count."""
    if "REVERIE_DATA" not in os.environ:
        raise Unmeasurable("set REVERIE_DATA to the folder with the corpora")
    found = samples(Path(os.environ["REVERIE_DATA"]))
    figures = [_figure(NAMES.get(name, name), held_out) for name, (_, held_out) in found.items()]
    _document(figures)
    return figures


def _figure(name: str, texts: Sequence[str]) -> Figure:
    errors = [tokens.estimate(text) / exact(text) - 1 for text in texts]
    sizes = sorted(abs(error) for error in errors)
    return Figure(
        name,
        statistics.mean(sizes) * 100,
        "%",
        detail={
            "texts": len(errors),
            "characters per token": round(sum(map(len, texts)) / sum(map(exact, texts)), 2),
            "bias": round(statistics.mean(errors) * 100, 1),
            "p95": round(sizes[min(len(sizes) - 1, int(len(sizes) * 0.95))] * 100, 1),
        },
    )


def _document(figures: Sequence[Figure]) -> None:
    rows = [
        f"| {one.name} | {one.detail['texts']} | {one.detail['characters per token']} | {one.detail['bias']:+}% "
        f"| {one.value:.1f}% | {one.detail['p95']}% |\n"
        for one in figures
    ]
    before, rule, after = PAGE.read_text(encoding="utf-8").partition(RULE)
    PAGE.write_text(f"{before}{rule}{''.join(rows)}{after[after.index(chr(10) * 2) + 1 :]}", encoding="utf-8")
