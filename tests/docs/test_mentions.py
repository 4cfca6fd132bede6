"""Nothing that a user can name is missing from the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reverie import errors
from reverie.catalogue import FILES
from reverie.cli import reference
from reverie.cli.exits import EXIT_CODES
from reverie.damage import DAMAGES
from reverie.memory import Agent, Memory, ScopeMemory, User
from reverie.memory_tools import MEMORY_TOOLS
from reverie.settings import TABLE
from reverie.strategies import STRATEGIES
from tests.docs.pages import name, pages, written_pages

TEXT = "\n".join(page.read_text(encoding="utf-8") for page in pages())
WRITTEN = "\n".join(page.read_text(encoding="utf-8") for page in written_pages())
COMMANDS = [context.command_path for _, context in reference.commands(*reference.root())]
ERRORS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ReverieError)]
VERBS = sorted({verb for kind in (Memory, ScopeMemory, Agent, User) for verb in vars(kind) if not verb.startswith("_")})

LATER = ("dreaming", "review", "idle_minutes", "session_writes")
"""Settings whose feature is not here yet; the reference has them, the guides do not speak of them."""


@pytest.mark.parametrize("setting", [row.name for row in TABLE])
def test_a_setting_is_documented(setting: str) -> None:
    assert f"`{setting}`" in TEXT
    assert f"`REVERIE_{setting.upper()}`" in TEXT


@pytest.mark.parametrize("setting", [row.name for row in TABLE if row.name not in LATER])
def test_a_setting_that_works_today_is_explained_by_a_person(setting: str) -> None:
    assert re.search(rf"\b{setting}\b", WRITTEN)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_documented(command: str) -> None:
    assert f"### {command}\n" in TEXT


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.count(" ") == 1])
def test_a_command_has_its_place_in_the_guides(command: str) -> None:
    assert re.search(rf"\b{command}\b", WRITTEN)


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.code)
def test_an_error_is_documented(kind: type[errors.ReverieError]) -> None:
    assert f"`{kind.__name__}`" in TEXT
    assert f"`{kind.code}`" in TEXT


@pytest.mark.parametrize(
    "word",
    [
        *(row.name for row in FILES),
        *(row.name for row in STRATEGIES),
        *(row.name for row in MEMORY_TOOLS),
        *(row.code for row in DAMAGES),
    ],
)
def test_what_a_table_holds_is_documented(word: str) -> None:
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize("number", [row.number for row in EXIT_CODES])
def test_an_exit_code_is_documented(number: int) -> None:
    assert f"\n| {number} | " in TEXT


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_of_the_library_is_documented(verb: str) -> None:
    assert re.search(rf"^### {verb}( \(property\))?$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("page", written_pages(), ids=name)
def test_a_page_is_short(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("\n") <= 200
