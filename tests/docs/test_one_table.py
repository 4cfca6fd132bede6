"""A stranger adds a sixth memory file, or a fifth strategy, by one row of one table; everything else follows.

The rows of `docs/how-to/sixth-file.md` are put into a copy of the source, and the copy is used as a stranger would.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT

pytestmark = pytest.mark.slow

SOURCE = ROOT / "src" / "reverie"
COMMAND = "from reverie.cli.main import run; run()"
GOALS = "- Ship the parcel service in May.\n"


@dataclass(frozen=True)
class Copy:
    """A copy of the source with one more row, and a store that it made."""

    source: Path
    store: Path

    def python(self, program: str, *words: str, stdin: str = "") -> str:
        """What a program prints that runs on the copy."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
        environment |= {"PYTHONPATH": str(self.source), "REVERIE_STORE": str(self.store), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, *words],
            env=environment, cwd=self.source, input=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def reverie(self, *words: str, stdin: str = "") -> str:
        """What the command line prints."""
        return self.python(COMMAND, *words, stdin=stdin)


@pytest.fixture
def copied(tmp_path: Path) -> Copy:
    """The source as it is, in a folder of its own."""
    source = tmp_path / "source"
    shutil.copytree(SOURCE, source / "reverie", ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(source, tmp_path / "store")


def documented_row() -> str:
    """The row that the page tells people to add."""
    page = (DOCS / "how-to" / "sixth-file.md").read_text(encoding="utf-8")
    found = re.search(r"^MemoryFile\(.*\),$", page, re.MULTILINE)
    assert found is not None
    return found.group()


def insert(path: Path, before: str, row: str) -> None:
    """Put a row before the only line that begins like this."""
    text = path.read_text(encoding="utf-8")
    [line] = [line for line in text.split("\n") if line.startswith(before)]
    path.write_text(text.replace(line, f"    {row}\n{line}", 1), encoding="utf-8")


def test_a_sixth_memory_file_is_one_row(copied: Copy) -> None:
    insert(copied.source / "reverie" / "catalogue.py", '    MemoryFile("ABOUT.md"', documented_row())
    whose = ("--agent", "atlas")
    copied.reverie("write", "GOALS.md", *whose, stdin=GOALS)
    copied.reverie("append", "GOALS.md", "Rest in June.", *whose)

    assert copied.reverie("read", "GOALS.md", *whose) == f"{GOALS}- Rest in June.\n"
    assert (copied.store / "agents" / "atlas" / "GOALS.md").read_text(encoding="utf-8") == f"{GOALS}- Rest in June.\n"
    assert "GOALS.md" in copied.reverie("files", *whose)
    assert "GOALS.md" in copied.reverie("read", "--help")
    assert "GOALS.md" in copied.reverie("history", "GOALS.md", *whose, "--json")
    assert "## Agent Goals" in copied.reverie("context", *whose, "--user", "alice", "--prompt")
    reads = {row["strategy"]: row["by_file"] for row in json.loads(copied.reverie("compare", *whose, "--json"))}
    assert [name for name, files in reads.items() if "GOALS.md" in files] == ["full", "hybrid-v1", "hybrid-v2"]


def test_a_sixth_memory_file_is_edited_by_hand_limited_and_known_to_the_model(copied: Copy) -> None:
    insert(copied.source / "reverie" / "catalogue.py", '    MemoryFile("ABOUT.md"', documented_row())
    said = copied.python("""
import os, pathlib
from reverie import Memory
from reverie.errors import OverLimit
with Memory.open(os.environ["REVERIE_STORE"]) as memory:
    agent = memory.agent("atlas")
    agent.write("GOALS.md", "Ship it.")
    (pathlib.Path(os.environ["REVERIE_STORE"]) / "agents/atlas/GOALS.md").write_text("Ship it by hand.")
    context = agent.user("alice").context()
    print("Ship it by hand." in context.system_prompt, agent.read("GOALS.md").version)
    print(any("GOALS.md" in str(tool) for tool in context.tools))
    try:
        agent.write("GOALS.md", "x " * 800)
    except OverLimit as error:
        print(error.limit)
    print(memory.verify().ok)
""")
    assert said.split("\n") == ["True 2", "True", "1500", "True", ""]


def test_a_fifth_strategy_is_one_row(copied: Copy) -> None:
    table = copied.source / "reverie" / "strategies.py"
    insert(table, '    from_layers("on-demand"', 'from_layers("essential", (0, 2), nearest="a diary"),')
    whose = ("--agent", "atlas", "--user", "alice")
    copied.reverie("write", "SOUL.md", "I am Atlas.", "--agent", "atlas")
    copied.reverie("write", "MEMORY.md", "- We moved to Vilnius.", *whose)
    copied.reverie("config", "set", "strategy", "essential", "--agent", "atlas")

    prompt = copied.reverie("context", *whose, "--prompt")
    assert "I am Atlas." in prompt
    assert "Vilnius" in prompt
    rows = {row["strategy"]: row for row in json.loads(copied.reverie("compare", *whose, "--json"))}
    assert (rows["essential"]["nearest"], list(rows["essential"]["by_file"])) == ("a diary", ["SOUL.md", "MEMORY.md"])
    assert "essential" in copied.python("from reverie.cli.reference import pages; print(pages()['strategies.md'])")
