"""Fits the prices of the token estimate on one half of the sample texts and measures its error on the other half.

    REVERIE_DATA=… python bench/calibrate_tokens.py          measure, write the figures and the page about them
    REVERIE_DATA=… python bench/calibrate_tokens.py --fit    first make src/reverie/token_costs.py anew

English, Russian and Chinese come from the public corpora under $REVERIE_DATA (conversations, cut into texts of a
memory file's size); every other language, Markdown and code from our own `token_samples.md` and the
sample files of the tests. Each token of the exact
tokenizer is given to the piece in which it starts, so the prices add up to the true total.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import bpe_openai

from reverie import token_costs, tokens

HERE = Path(__file__).parent
FIGURES = HERE / "figures" / "token_estimate.json"
COSTS = HERE.parent / "src" / "reverie" / "token_costs.py"
MEMORY_FILES = HERE.parent / "tests" / "unit" / "samples"
PAGE = HERE.parent / "docs" / "explanation" / "tokens.md"
NAMES = {
    "es": "Spanish", "de": "German", "fr": "French", "pl": "Polish", "pt": "Portuguese", "id": "Indonesian",
    "ja": "Japanese", "ko": "Korean", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "th": "Thai", "el": "Greek",
    "uk": "Ukrainian", "zh-TW": "Chinese, traditional", "markdown": "Markdown with tables and links", "code": "code",
    "emoji": "emoji and symbols",
}  # fmt: skip
FILE_SIZE = 3000
ENOUGH = 40
LONGEST = 16
ENCODING = bpe_openai.get_encoding("o200k_base")

MARKED = {"latin_accented": ("es", "de", "fr", "pt"), "latin_marked": ("pl",), "cyrillic_marked": ("uk",)}
"""Which samples tell how much dearer the plain words get."""

WEIGHTS = {"Russian, notes": 4, "Russian, memory files": 4}
"""Written notes count as much as the conversations, of which there are more; all else counts once."""

Halves = tuple[list[str], list[str]]
Seen = dict[str, dict[int, list[int]]]


def exact(text: str) -> int:
    """The true number of tokens."""
    return len(ENCODING.encode_ordinary(text))


def samples(data: Path) -> dict[str, Halves]:
    """Name of a kind of text -> texts to fit on and texts to measure."""
    found: dict[str, Halves] = {}
    for name, texts in (
        ("English, conversations (LoCoMo)", _locomo(data / "locomo-dev" / "locomo_dev.json")),
        ("English with Markdown (RealMem)", _realmem(data / "realmem-dev")),
        ("Russian, conversations", _dialogues(data / "dialogues-ru")),
        ("Russian, notes", _notes(data / "extraction-en-ru" / "memory_extraction_dataset.ru.jsonl")),
        ("English, notes", _notes(data / "extraction-en-ru" / "memory_extraction_dataset.jsonl")),
        ("Chinese, conversations", _memorybank(data / "memorybank" / "memory_bank_cn.json")),
    ):
        cut = list(_file_sized(texts))
        found[name] = (cut[0::2], cut[1::2])
    for language, name in (("en", "English, memory files"), ("ru", "Russian, memory files")):
        lines = [
            line
            for path in sorted((MEMORY_FILES / language).glob("*.md"))
            for line in path.read_text().split("\n")
        ]
        found[name] = (["\n".join(lines[0::2])], ["\n".join(lines[1::2])])
    for name, lines in _own().items():
        found[name] = (["\n".join(lines[0::2])], ["\n".join(lines[1::2])])
    return found


def _locomo(path: Path) -> Iterator[str]:
    for item in json.loads(path.read_text()):
        for turns in item["conversation"].values():
            if isinstance(turns, list):
                yield from (f"{turn['speaker']}: {turn['text']}" for turn in turns)


def _realmem(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.json")):
        for dialogue in json.loads(path.read_text())["dialogues"]:
            yield from (turn["content"] for turn in dialogue["dialogue_turns"])


def _dialogues(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.json")):
        for session in json.loads(path.read_text())["sessions"]:
            yield from (message["text"] for message in session["messages"])


def _notes(path: Path) -> Iterator[str]:
    yield from (f"- {json.loads(line)['text']}" for line in path.read_text().split("\n") if line)


def _memorybank(path: Path) -> Iterator[str]:
    for person in json.loads(path.read_text()).values():
        for day in person["history"].values():
            for turn in day:
                yield from turn.values() if isinstance(turn, dict) else [str(turn)]


def _own() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in (HERE / "token_samples.md").read_text().split("\n"):
        if line.startswith("# "):
            name = line[2:]
            found[name] = []
        elif line:
            found[name].append(line.removeprefix("- ") if name in ("markdown", "code") else line)
    return found


def _file_sized(texts: Iterable[str]) -> Iterator[str]:
    current = ""
    for text in texts:
        current += text + "\n"
        if len(current) >= FILE_SIZE:
            yield current
            current = ""


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


def measure(found: Mapping[str, Halves]) -> dict[str, dict[str, Any]]:
    """Relative errors of the estimate on the held-out halves."""
    figures = {}
    for name, (_, held_out) in found.items():
        errors = [tokens.estimate(text) / exact(text) - 1 for text in held_out]
        sizes = sorted(abs(error) for error in errors)
        figures[name] = {
            "texts": len(errors),
            "characters_per_token": round(sum(map(len, held_out)) / sum(map(exact, held_out)), 2),
            "bias": round(statistics.mean(errors), 4),
            "mean_error": round(statistics.mean(sizes), 4),
            "p95_error": round(sizes[min(len(sizes) - 1, int(len(sizes) * 0.95))], 4),
        }
    return figures


def document(figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Put the figures into the table of the documentation."""
    rows = [
        f"| {NAMES.get(name, name)} | {row['texts']} | {row['characters_per_token']} | {row['bias']:+.1%} "
        f"| {row['mean_error']:.1%} | {row['p95_error']:.1%} |"
        for name, row in figures.items()
    ]
    before, rule, after = PAGE.read_text().partition("|---|---:|---:|---:|---:|---:|\n")
    PAGE.write_text(f"{before}{rule}" + "\n".join(rows) + "\n" + after[after.index("\n\n") + 1 :])


def main() -> None:
    """Measure, after fitting if asked to."""
    if "REVERIE_DATA" not in os.environ:
        sys.exit("Set REVERIE_DATA to the folder with the corpora.")
    found = samples(Path(os.environ["REVERIE_DATA"]))
    if "--fit" in sys.argv[1:]:
        fit(found)
        tokens.estimate.cache_clear()
    figures = measure(found)
    for name, row in figures.items():
        print(
            f"{name:34} texts {row['texts']:4}  chars/token {row['characters_per_token']:5}  bias {row['bias']:+7.1%}"
            f"  mean {row['mean_error']:6.1%}  p95 {row['p95_error']:6.1%}"
        )
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    header = {
        "machine": machine,
        "python": platform.python_version(),
        "tokenizer": f"bpe-openai {metadata.version('bpe-openai')}, o200k_base",
        "date": datetime.now(UTC).date().isoformat(),
    }
    document(figures)
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps({**header, "figures": figures}, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
