"""Fits the prices of the token estimate on one half of the sample texts and writes `src/reverie/tokens/costs.py`.

    REVERIE_DATA=… python -m bench.calibrate_tokens --fit

Each token of the exact tokenizer is given to the piece in which it starts, so the prices add up to the true total. What
the estimate is worth is measured on the other half by `python -m bench token_estimate`.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.corpora import HERE, Halves, samples
from bench.token_estimate import ENCODING, exact
from reverie import tokens
from reverie.tokens import costs as token_costs

COSTS = HERE.parent / "src" / "reverie" / "tokens/costs.py"
ENOUGH = 40
LONGEST = 16

MARKED = {"latin_accented": ("es", "de", "fr", "pt"), "latin_marked": ("pl",), "cyrillic_marked": ("uk",)}
"""Which samples tell how much dearer the plain words get."""

WEIGHTS = {"Russian, notes": 4, "Russian, memory files": 4}
"""Written notes count as much as the conversations, of which there are more; all else counts once."""

Seen = dict[str, dict[int, list[int]]]


def seen_in(texts: Iterable[str]) -> Seen:
    """Row of the price table -> length of the piece -> [pieces, tokens that start in them]."""
    seen: Seen = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for text in texts:
        starts = ENCODING.decode_with_offsets(ENCODING.encode_ordinary(text))[1]
        position = 0
        for match in tokens.PIECES.finditer(text):
            piece, first = match.group(), position
            while position < len(starts) and starts[position] < match.end():
                position += 1
            cell = seen[tokens.kind(piece)][len(piece)]
            cell[0] += 1
            cell[1] += position - first
    return seen


def prices(lengths: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Thousandths of a token by length: means where there are enough pieces, else a line through all of them."""
    base, slope = _line(lengths)
    row: list[float] = []
    for size in range(1, LONGEST + 1):
        pieces, count = lengths.get(size, (0, 0))
        if pieces < ENOUGH:
            break
        row.append(max(count / pieces, row[-1] if row else 0.0))
    while len(row) < 1 or (len(row) < 4 and max(lengths) > len(row)):
        row.append(max(base + slope * (len(row) + 1), row[-1] if row else 0.5))
    beyond = [(size - len(row), cell) for size, cell in lengths.items() if size > len(row)]
    excess = sum(extra * pieces for extra, (pieces, _) in beyond)
    if excess >= ENOUGH:
        slope = sum(count - row[-1] * pieces for _, (pieces, count) in beyond) / excess
    row.append(row[-1] + max(slope, 0.0))
    return tuple(round(price * 1000) for price in row)


def _line(lengths: Mapping[int, Sequence[int]]) -> tuple[float, float]:
    total = sum(pieces for pieces, _ in lengths.values())
    middle = sum(size * pieces for size, (pieces, _) in lengths.items()) / total
    mean = sum(count for _, count in lengths.values()) / total
    spread = sum(pieces * (size - middle) ** 2 for size, (pieces, _) in lengths.items())
    slope = sum((size - middle) * (count - mean * pieces) for size, (pieces, count) in lengths.items()) / (
        spread or 1
    )
    return mean - slope * middle, slope


def fit(found: Mapping[str, Halves]) -> None:
    """Write the price table anew from the first halves, and use it."""
    seen = seen_in(text for name, (texts, _) in found.items() for text in texts * WEIGHTS.get(name, 1))
    token_costs.COSTS.clear()
    token_costs.COSTS.update({row: prices(seen[row]) for row in sorted(seen)})
    token_costs.COSTS["other"] = token_costs.COSTS["greek"]
    for row, names in MARKED.items():
        texts = [text for name in names for text in found[name][0]]
        token_costs.PREMIUM[row] = min((step / 20 for step in range(60)), key=partial(_misfit, row, texts))
    lines = [f'    "{row}": {costs},' for row, costs in sorted(token_costs.COSTS.items())]
    head = COSTS.read_text().split("COSTS:")[0]
    COSTS.write_text(
        head + "COSTS: dict[str, tuple[int, ...]] = {\n" + "\n".join(lines) + "\n}  # fmt: skip\n"
        '"""Thousandths of a token by the length of a piece, in code points; the last step goes on for longer ones."""\n\n'
        f"PREMIUM: dict[str, float] = {json.dumps(token_costs.PREMIUM)}\n"
        '"""By how much plain words of the script get dearer when every word is of this row; in proportion below that."""\n'
    )


def _misfit(row: str, texts: Sequence[str], premium: float) -> float:
    token_costs.PREMIUM[row] = premium
    return sum((tokens.estimate.__wrapped__(text) / exact(text) - 1) ** 2 for text in texts)


if __name__ == "__main__":
    if "REVERIE_DATA" not in os.environ or sys.argv[1:] != ["--fit"]:
        sys.exit("Set REVERIE_DATA to the folder with the corpora, and say --fit: it writes the prices anew.")
    fit(samples(Path(os.environ["REVERIE_DATA"])))
