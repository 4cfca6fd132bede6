"""The pages of the documentation as a reader follows them: the blocks of each, in order.

What a block is comes from its fence:

- `python` is run in one namespace that the page's later blocks share;
- `sh` is run by a shell in the same folder, with `reverie` and `python` on its path;
- `output` is what the block before it prints, word for word;
- a block of any language whose first line is a comment that names a file is that file (`# agent.py`);
- everything else (`text`, `json` …) is only shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"

_FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|//|<!--) ([\w./-]+\.[a-z]+)(?: -->)?\n")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, its text, the line that it begins in, and the file that it is, if it is one."""

    language: str
    text: str
    line: int
    file: str | None


def pages() -> list[Path]:
    """Every page that people read: the README and all of docs/."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def written_pages() -> list[Path]:
    """Those that people write, too."""
    return [path for path in pages() if REFERENCE not in path.parents]


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        indent, language, body = found.groups()
        body = "".join(line.removeprefix(indent) for line in re.split(r"(?<=\n)", body))
        named = _FILE.match(body)
        line = text.count("\n", 0, found.start()) + 1
        yield Block(language, body, line, named.group(1) if named else None)


def name(page: Path) -> str:
    """A page's path below the root."""
    return page.relative_to(ROOT).as_posix()
