"""What stays out: of a bare install, of a memory at work, and of commands that only read.

What takes long to import is a promise as much as a figure is; `python -m bench install startup` measures both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bench.install import AT_WORK, DEPENDENCIES_GOAL, FOREIGN
from tests.docs.pages import ROOT

NOT_FOR_READING = ("alembic", "bpe_openai", "detect_secrets", "markdown_it", "mako", "psycopg", "pygments")
NOT_FOR_HELP = (*NOT_FOR_READING, "pysqlite3", "sqlalchemy", "sqlite3")

RUN = """
import json, sys
from reverie.cli.main import run
sys.argv[0] = "reverie"
try:
    run()
except SystemExit:
    pass
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
"""


def _modules(program: str, *words: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    told = (done.stderr if words else done.stdout).rstrip().rpartition("\n")[2]
    return set(json.loads(told))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a file in it, made by another process."""
    folder = tmp_path_factory.mktemp("light") / "store"
    program = "from reverie.cli.main import run; run()"
    words = ["init", "--store", str(folder), "--agent", "atlas", "--soul", "I am Atlas."]
    subprocess.run([sys.executable, "-c", program, *words], capture_output=True, check=True)
    return folder


def test_the_core_has_few_direct_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) <= DEPENDENCIES_GOAL


def test_a_memory_at_work_imports_no_model_and_no_server() -> None:
    assert _modules(AT_WORK) & set(FOREIGN) == set()


def test_help_waits_for_nothing() -> None:
    assert _modules(RUN, "--help") & {*FOREIGN, *NOT_FOR_HELP} == set()


@pytest.mark.parametrize(
    "words",
    [["files"], ["read", "SOUL.md"], ["context"], ["compare"], ["history", "SOUL.md"], ["edits"], ["config"], ["verify"]],
    ids=" ".join,
)
def test_a_reading_command_loads_nothing_that_only_writing_needs(words: list[str], store: Path) -> None:
    loaded = _modules(RUN, *words, "--store", str(store), "--agent", "atlas")
    assert loaded & {*FOREIGN, *NOT_FOR_READING} == set()
