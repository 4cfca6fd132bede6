"""The app: every command in its place, and the one place where errors become messages and exit codes.

Importing this module is cheap: nothing of the database, of rich or of the memory itself is loaded before a command
needs it. Help is plain text for the same reason.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.cli import config, exits, held, history, moving, output, prompt, reading, starting, writing
from reverie.cli.expanding import expanded
from reverie.cli.parsing import Command, Group
from reverie.cli.place import Place
from reverie.errors import ReverieError

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter  # Typer names its types nowhere else

COLLECT_AFTER = 100_000
"""New objects between two looks for garbage."""

COMMANDS: dict[str, tuple[Callable[..., None] | typer.Typer, ...]] = {
    "Start": (starting.init, starting.demo),
    "Prompt": (prompt.context, prompt.compare),
    "Files": (reading.files, reading.read, writing.write, writing.append, writing.edit, writing.delete, writing.copy),
    "History": (history.history, history.diff, history.blame, history.restore, held.app),
    "Store": (config.app, moving.verify, moving.import_, moving.export, moving.backup, moving.restore_backup),
}
"""Every command, in families and in the order in which help lists them."""

_WORDS = "reverie.words"
_JSON = "--json"


class Commands(Group):
    """The top of the command line: help in families, errors as messages with exit codes."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """List the commands family by family."""
        families: dict[str, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands))
        for name, command in self.commands.items():
            help = command.get_short_help_str(limit=formatter.width - width - 6)
            families.setdefault(str(command.rich_help_panel), []).append((name.ljust(width), help))  # type: ignore[attr-defined]  # set by Typer on all its commands
        for family, rows in families.items():
            with formatter.section(family):
                formatter.write_dl(rows)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options before the command, and remember all words."""
        ctx.meta[_WORDS] = list(args)
        with _told_as_json(args):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Context) -> Any:
        """Run the command; a refusal is printed and becomes its exit code."""
        words: list[str] = ctx.meta[_WORDS]
        try:
            with _told_as_json(words):
                return super().invoke(ctx)
        except ReverieError as error:
            exits.report(error, as_json=_JSON in words)
            raise typer.Exit(exits.exit_code(error)) from error
        except BrokenPipeError as error:
            _silence(sys.stdout)
            raise typer.Exit(exits.BROKEN_PIPE) from error


def _print_version(wanted: bool) -> None:
    """Say the version and end."""
    if wanted:
        from importlib.metadata import version

        output.line(f"reverie {version('reverie')}")
        raise typer.Exit


@contextmanager
def _told_as_json(words: list[str]) -> Iterator[None]:
    """Print a wrong command line as JSON if JSON was asked for; its words are looked at, since it has no options yet."""
    try:
        yield
    except typer.TyperException as error:
        if _JSON not in words:
            raise
        exits.report_usage(error.format_message())
        raise typer.Exit(exits.USAGE) from error


@expanded
def reverie(
    place: Place,
    version: Annotated[
        bool, typer.Option("--version", help="Print which Reverie this is.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """The memory of AI agents: five Markdown files, every version kept.

    The options below also go after the command. Each command explains itself: reverie COMMAND --help.
    """


def build(only: str | None = None) -> typer.Typer:
    """The app with all its commands, or with one: describing a command to Typer takes time, and one is run."""
    app = typer.Typer(
        cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip
    app.callback()(reverie)
    for family, commands in COMMANDS.items():
        for command in commands:
            name = name_of(command)
            if only is not None and name != only:
                continue
            if isinstance(command, typer.Typer):
                app.add_typer(command, name=name, rich_help_panel=family)
            else:
                app.command(name, cls=Command, rich_help_panel=family)(expanded(command))
    return app


def name_of(command: Callable[..., None] | typer.Typer) -> str:
    """What a command is called on the command line."""
    if isinstance(command, typer.Typer):
        assert command.registered_callback is not None
        assert command.registered_callback.callback is not None
        return command.registered_callback.callback.__name__
    return command.__name__.strip("_").replace("_", "-")


def run() -> None:
    """The console command `reverie`.

    A command loads many objects that stay and makes little garbage: looking for it as often as Python does by default,
    and once more through everything at the end, would be a quarter of its time.
    """
    gc.set_threshold(COLLECT_AFTER)
    names = {name_of(command) for commands in COMMANDS.values() for command in commands}
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        build(first if first in names else None)(prog_name="reverie")
    finally:
        gc.freeze()


def _silence(stream: Any) -> None:
    """Point a stream whose reader went away at nothing, so that the interpreter does not complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
