"""The shape of the repository: short files and functions, one place for each technology, nothing tied to a machine.

A limit that has to give way is named in `EXCEPTIONS` with its reason; the list only shrinks.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "reverie"
CODE = sorted(path for name in ("src", "tests", "bench") for path in (ROOT / name).rglob("*.py"))
MODULES = sorted(SOURCE.rglob("*.py"))
TEXT_SUFFIXES = frozenset(
    {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".txt", ".cfg", ".ini", ".sh", ""}
)

FILE_LINES = 400
FUNCTION_LINES = 50
PUBLIC_LIMIT = 25

# What `from reverie import …` promises; a name is added here and in `__init__` by decision, not by accident.
PUBLIC_NAMES = ["Memory", "ReverieError", "ToolSet"]

# What is too long, and why: {"src/reverie/file.py": "reason"} or {"src/reverie/file.py:function": "reason"}.
EXCEPTIONS: dict[str, str] = {
    "src/reverie/sql/migrations/versions/0001_core.py:upgrade": "a released migration is a flat, frozen list of tables",
}

# Which modules may import a technology; everything else reaches it through a port or through the wiring.
OWNERS = {
    "sqlalchemy": ("sql/",),
    "alembic": ("sql/",),
    "psycopg": ("sql/",),
    "pysqlite3": ("sql/",),
    "sqlite3": ("sql/",),
    "typer": ("cli/",),
    "rich": ("cli/", "demo"),
    "markdown_it": ("markdown/",),
    "reverie.sql": ("sql/", "wiring.py"),
    "reverie.tree": ("tree/", "wiring.py"),
}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _repository_texts() -> Iterator[Path]:
    """Every text file that a clone holds: what git does not ignore, found without git by leaving dot folders out."""
    folders = ("src", "tests", "bench", "docs", ".ci")
    for path in [*ROOT.iterdir(), *(file for folder in folders for file in (ROOT / folder).rglob("*"))]:
        if path.is_file() and path.suffix in TEXT_SUFFIXES and "__pycache__" not in path.parts:
            yield path


def test_files_are_short() -> None:
    lengths = {_name(path): path.read_text(encoding="utf-8").count("\n") for path in CODE}
    assert {
        name: lines for name, lines in lengths.items() if lines > FILE_LINES and name not in EXCEPTIONS
    } == {}


def test_functions_are_short() -> None:
    long = {}
    for path in MODULES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long[f"{_name(path)}:{node.name}"] = lines
    assert {name: lines for name, lines in long.items() if name not in EXCEPTIONS} == {}


def test_exceptions_are_needed_and_reasoned() -> None:
    for name, reason in EXCEPTIONS.items():
        assert reason, name
        assert (ROOT / name.partition(":")[0]).exists(), f"{name} is gone; remove it from the list"


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_opens_with_its_idea(path: Path) -> None:
    tree = _tree(path)
    assert ast.get_docstring(tree) or not tree.body, "Say in the module's docstring what it is for."


def test_lines_are_split_at_line_breaks_only() -> None:
    """`str.splitlines` also splits at form feeds, U+2028 and others, and would change a person's text."""
    wanted = "splitlines"
    found = [
        f"{_name(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and node.attr == wanted
    ]
    assert found == []


def test_the_environment_is_read_by_the_settings_only() -> None:
    readers = {
        _name(path)
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    }
    assert readers <= {"src/reverie/settings.py"}


@pytest.mark.parametrize("technology", OWNERS)
def test_a_technology_has_one_place(technology: str) -> None:
    guests = {
        path.relative_to(SOURCE).as_posix()
        for path in MODULES
        for module in _imports(path)
        if module == technology or module.startswith(f"{technology}.")
    }
    assert [name for name in sorted(guests) if not name.startswith(OWNERS[technology])] == []


def test_data_is_found_through_the_environment_only() -> None:
    """The folder of real data stands beside the clone in CI, and only the CI script may know that."""
    neighbour = "/".join(("..", "shared"))
    speakers = {_name(path) for path in _repository_texts() if neighbour in path.read_text(encoding="utf-8")}
    assert speakers <= {".ci/run"}


def test_pins_are_exact_and_name_no_place() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n")
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert [line for line in pins if line.count("==") != 1 or "/" in line or " " in line] == []


def test_tests_skip_only_by_marker() -> None:
    """A module that skips itself has no tests to carry a case, so the register would not see it."""
    words = ("importorskip", "allow_module_level")
    found = [
        _name(path)
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(_tree(path))
        if (isinstance(node, ast.Attribute) and node.attr in words)
        or (isinstance(node, ast.keyword) and node.arg in words)
    ]
    assert found == []


def test_public_names_are_pinned_and_exist() -> None:
    import reverie

    assert list(reverie.__all__) == PUBLIC_NAMES
    assert len(PUBLIC_NAMES) <= PUBLIC_LIMIT
    assert [name for name in PUBLIC_NAMES if not hasattr(reverie, name)] == []
