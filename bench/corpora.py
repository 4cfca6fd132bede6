"""The texts that the token estimate is fitted and measured on, each kind in two halves.

English, Russian and Chinese come from the public corpora under $REVERIE_DATA (conversations, cut into texts of a
memory file's size); every other language, Markdown and code from our own `token_samples.md`, and memory files from the
samples of the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
MEMORY_FILES = HERE.parent / "tests" / "unit" / "samples"
FILE_SIZE = 3000
"""Characters of a text: about a memory file."""

Halves = tuple[list[str], list[str]]


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
