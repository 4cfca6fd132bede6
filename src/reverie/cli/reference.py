"""The reference pages of the documentation, made from the same tables and commands that the program runs on.

`python -m reverie.cli.reference docs/reference` writes them; a test compares them with what is there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

from reverie.cli import library_reference
from reverie.cli.exits import EXIT_CODES
from reverie.cli.main import build
from reverie.cli.tables import MADE, table
from reverie.settings import TABLE

if TYPE_CHECKING:
    from typer._click import Command, Context  # Typer names its types nowhere else

COMMON = frozenset({"store", "agent", "user", "project", "json", "help"})
"""Options that every command has; they are described once."""


def pages() -> dict[str, str]:
    """Every generated page, by its file name."""
    own = {"cli.md": commands_page(), "exit-codes.md": exit_codes_page(), "settings.md": settings_page()}
    return own | library_reference.pages()


def commands(group: TyperGroup, parent: Context) -> Iterator[tuple[Command, Context]]:
    """Every command below a group with a context to ask it in, groups before what they hold."""
    for name, command in group.commands.items():
        context = type(parent)(command, parent=parent, info_name=name)
        yield command, context
        if isinstance(command, TyperGroup):
            yield from commands(command, context)


def root() -> tuple[TyperGroup, Context]:
    """The whole command line, and a context to ask it in."""
    command = typer.main.get_command(build())
    assert isinstance(command, TyperGroup)
    return command, command.make_context("reverie", ["help"], resilient_parsing=True)


def commands_page() -> str:
    """The page on the command line."""
    group, top = root()
    families: dict[str, list[str]] = {}
    for command, context in commands(group, top):
        family = getattr((group.commands[context.command_path.split()[1]]), "rich_help_panel", "")
        families.setdefault(str(family), []).append(_command(command, context))
    common = _options(group, top, frozenset({"install_completion", "show_completion", "version"}))
    parts = [f"## {family}\n\n" + "\n".join(texts) for family, texts in families.items()]
    return (
        f"{MADE}# Command line\n\n"
        "`reverie COMMAND`, with these options before or after the command:\n\n"
        f"{common}\n"
        "Results go to standard output, everything said about them to standard error. `--json` prints one JSON document\n"
        "with the field names of the library, and errors as JSON with `code`, `message` and `remedy`. A text that begins\n"
        "with dashes and a space, like a list item, is taken as a text. How a command ends: [exit codes](exit-codes.md).\n"
        "`reverie --install-completion` teaches your shell to complete commands, options, files and settings;\n"
        "`reverie --version` prints which Reverie this is.\n\n"
        + "\n".join(parts)
    )


def exit_codes_page() -> str:
    """The page on exit codes."""
    rows = [[str(row.number), row.means, ", ".join(f"`{code}`" for code in row.errors)] for row in EXIT_CODES]
    return (
        f"{MADE}# Exit codes\n\nHow a command ends, by the kind of error. The code of an error is its `code` in JSON.\n\n"
        + table(["exit code", "means", "errors"], rows)
    )


def settings_page() -> str:
    """The page on settings."""
    rows = [
        [f"`{row.name}`", row.explains, ", ".join(f"`{choice}`" for choice in row.choices), _default(row.default), f"`REVERIE_{row.name.upper()}`"]
        for row in TABLE
    ]  # fmt: skip
    return (
        f"{MADE}# Settings\n\n"
        "A value comes from the first that has one: an argument of `Memory.open`, the environment, what is stored for the\n"
        "agent (`reverie config set`, `agent.configure`), `reverie.toml` in the store's folder, the default. `reverie config`\n"
        "shows every value and where it comes from. A store that many share (PostgreSQL) starts with `shared_writes` at\n"
        "`review`.\n\n" + table(["setting", "what it is", "values", "default", "environment"], rows)
    )


def _command(command: Command, context: Context) -> str:
    title = f"### {context.command_path}\n\n"
    words = "\n".join(line.strip() for line in (command.help or "").split("\n"))
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    listed = _options(command, context, COMMON)
    return f"{title}{words}\n\n```text\n{usage}\n```\n{listed and chr(10)}{listed}"


def _options(command: Command, context: Context, left_out: frozenset[str]) -> str:
    rows = []
    for parameter in command.get_params(context):
        record = None if parameter.name in left_out else parameter.get_help_record(context)
        if record is not None:
            rows.append([f"`{record[0].split(' <')[0]}`", " ".join(record[1].split())])
    return table(["", ""], rows) if rows else ""


def _default(value: object) -> str:
    if isinstance(value, Mapping):
        return "as in the catalogue"
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def _write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
