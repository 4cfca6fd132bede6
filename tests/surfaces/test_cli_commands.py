"""The command line as a whole: complete, documented, quick to start, and every error with its exit code."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from reverie import errors
from reverie.cli import reference
from reverie.cli.editor import EditorFailed
from reverie.cli.exits import EXIT_CODES, exit_code
from reverie.cli.wording import OPTIONS
from reverie.errors import ReverieError
from reverie.settings import TABLE
from tests.surfaces.command_line import WHOSE, CommandLine

PACKAGE = Path(errors.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "reference"
PROMISED = {
    "init", "context", "compare", "files", "read", "write", "append", "edit", "delete", "copy", "history", "diff", "blame",
    "restore", "edits", "config", "import", "export", "verify", "backup", "restore-backup", "demo",
}  # fmt: skip
COMMANDS = {context.command_path: command for command, context in reference.commands(*reference.root())}
ERRORS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, ReverieError)]


def _kinds(kind: type[ReverieError]) -> Iterator[type[ReverieError]]:
    yield kind
    for child in kind.__subclasses__():
        if child.__module__.startswith("reverie."):
            yield from _kinds(child)


def test_every_command_of_this_part_is_there() -> None:
    top = {path.split()[1] for path in COMMANDS}
    assert top == PROMISED


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_the_common_options_and_explains_itself(path: str, reverie: CommandLine) -> None:
    names = {name for parameter in COMMANDS[path].params for name in parameter.opts}
    assert {"--store", "--agent", "--user", "--project", "--json"} <= names
    ran = reverie(*path.split()[1:], "--help")
    assert ran.code == 0
    assert COMMANDS[path].help
    assert "--json" in ran.out


def test_it_says_which_version_it_is(reverie: CommandLine) -> None:
    assert reverie("--version").out == f"reverie {version('reverie')}\n"


@pytest.mark.parametrize("words", [("language", "ru"), ("language=ru",), ("language", "ru", *WHOSE)])
def test_a_setting_in_the_place_of_a_command_gets_the_command_to_change_it(reverie: CommandLine, words: tuple[str, ...]) -> None:
    ran = reverie("config", *words)
    assert ran.code == 2
    assert "`reverie config set language ru" in ran.err
    assert "config set" not in reverie("config", "colour", "red").err
    assert "`reverie config set language VALUE`" in reverie("config", "language", "--json").error["message"]


@pytest.mark.parametrize("option", OPTIONS.values())
def test_what_the_command_line_says_instead_of_an_argument_is_one_of_its_options(option: str) -> None:
    known = {name for command in COMMANDS.values() for parameter in command.params for name in parameter.opts}
    assert option.strip("`") in known


@pytest.mark.parametrize("argument", OPTIONS)
def test_what_the_command_line_translates_is_what_the_library_says(argument: str) -> None:
    said = [path.read_text(encoding="utf-8") for kind in ("*.py", "*.md") for path in PACKAGE.rglob(kind) if path.parent.name != "cli"]
    assert any(argument in text for text in said)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_is_in_the_reference(path: str) -> None:
    assert f"### {path}\n" in (DOCS / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", reference.pages())
def test_a_reference_page_is_what_the_program_says(name: str) -> None:
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written == reference.pages()[name], "Run `python -m reverie.cli.reference docs/reference`."


@pytest.mark.parametrize("kind", [*ERRORS, EditorFailed], ids=lambda kind: kind.__name__)
def test_every_error_has_one_exit_code_and_is_documented(kind: type[ReverieError]) -> None:
    rows = [row for row in EXIT_CODES if kind.code in row.errors]
    assert len(rows) == 1
    assert f"`{kind.code}`" in (DOCS / "exit-codes.md").read_text(encoding="utf-8")


def test_the_table_of_exit_codes_is_closed() -> None:
    numbers = [row.number for row in EXIT_CODES]
    assert len(set(numbers)) == len(numbers)
    known = {kind.code for kind in _kinds(ReverieError)}
    assert {code for row in EXIT_CODES for code in row.errors} == known


def test_an_error_of_somebody_elses_making_still_ends_with_a_failure() -> None:
    class Unheard(ReverieError):
        """Of another package."""

    assert exit_code(Unheard("It did not work.", "")) == 1


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_setting_is_documented_and_in_the_file_that_init_writes(row: object, reverie: CommandLine) -> None:
    name = getattr(row, "name", "")
    assert f"`{name}`" in (DOCS / "settings.md").read_text(encoding="utf-8")
    assert reverie("init").code == 0
    assert f"# {name} = " in (Path(reverie.store) / "reverie.toml").read_text(encoding="utf-8")


def test_a_mistyped_command_is_answered_with_the_nearest_one(reverie: CommandLine) -> None:
    ran = reverie("hisotry", "SOUL.md")
    assert ran.code == 2
    assert "Did you mean 'history'" in ran.err


def test_a_mistyped_option_is_answered_with_the_nearest_one(reverie: CommandLine) -> None:
    ran = reverie("read", "SOUL.md", "--agnet", "ann")
    assert ran.code == 2
    assert "--agent" in ran.err


def test_a_wrong_command_line_is_told_as_json_when_json_was_asked_for(reverie: CommandLine) -> None:
    for words in (["read", "--json"], ["raed", "--json"], ["--bogus", "--json", "read"], ["read", "SOUL.md", "--version", "x", "--json"]):
        ran = reverie(*words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.error["code"] == "usage"


def test_options_go_before_or_after_the_command(reverie: CommandLine) -> None:
    reverie("--agent", "ann", "write", "SOUL.md", "calm")
    assert reverie("read", "SOUL.md", "--agent", "ann").out == "calm\n"
    assert reverie("--agent", "zoe", "read", "SOUL.md", "--agent", "ann").out == "calm\n"
    assert reverie("--json", "--agent", "ann", "read", "SOUL.md").json["text"] == "calm\n"


def test_the_environment_names_agent_and_user_and_an_option_wins(reverie: CommandLine) -> None:
    named = CommandLine(reverie.store, {**reverie.environment, "REVERIE_AGENT": "ann", "REVERIE_USER": "bob"})
    named("write", "USER.md", "likes tea")
    assert reverie("read", "USER.md", "--agent", "ann", "--user", "bob").out == "likes tea\n"
    assert named("read", "USER.md", "--user", "eve").out == ""


def test_help_and_a_wrong_name_load_neither_database_nor_drawing() -> None:
    """A start is quick because of what it does not import, which can be checked without a clock."""
    heavy = ("sqlalchemy", "alembic", "rich", "pydantic", "markdown_it", "reverie.memory", "reverie.secrets")
    code = (
        "import sys\nfrom reverie.cli.main import build\n"
        "try: build()(sys.argv[1:], prog_name='reverie')\n"
        f"except SystemExit: print([name for name in {heavy!r} if name in sys.modules])"
    )
    for words in (["--help"], ["read", "--help"], ["raed"]):
        ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert ran.stdout.strip().endswith("[]"), words


def test_a_reading_command_loads_neither_migrations_nor_drawing_nor_other_databases(reverie: CommandLine) -> None:
    heavy = ("alembic", "rich", "pydantic", "psycopg", "detect_secrets", "sqlalchemy.dialects.postgresql")
    code = (
        "import sys\nfrom reverie.cli.main import build\n"
        "try: build()(sys.argv[1:], prog_name='reverie')\n"
        f"except SystemExit: print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert reverie("write", "SOUL.md", "calm\n", "--agent", "ann").code == 0
    words = ["read", "SOUL.md", "--agent", "ann"]
    ran = subprocess.run([sys.executable, "-c", code, *words], env=reverie.variables(), capture_output=True, text=True, check=True)  # fmt: skip
    assert ran.stdout == "calm\n[]\n"


@pytest.mark.parametrize(("words", "offered"), [("reverie read SO", "SOUL.md"), ("reverie config set sha", "shared_writes"), ("reverie context --strategy hy", "hybrid-v1"), ("reverie resto", "restore-backup")])  # fmt: skip
def test_the_shell_completes_commands_files_settings_and_strategies(words: str, offered: str, reverie: CommandLine) -> None:
    variables = reverie.variables() | {
        "_REVERIE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
    }  # fmt: skip
    code = "from reverie.cli.main import run; run()"
    ran = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert offered in ran.stdout.split()
