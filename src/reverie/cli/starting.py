"""Starting: a new store with an agent in it, and a demonstration."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import output
from reverie.cli.arguments import Writing
from reverie.cli.exits import PROBLEMS
from reverie.cli.input import ended
from reverie.cli.place import Place
from reverie.errors import NotAllowed

if TYPE_CHECKING:
    from reverie.memory import Agent

SETTINGS_FILE = "reverie.toml"


def init(
    place: Place,
    how: Writing,
    folder: Annotated[str | None, typer.Argument(metavar="FOLDER", help="Where; else --store.", show_default=False)] = None,
    soul: Annotated[str | None, typer.Option("--soul", metavar="TEXT", help="The agent's SOUL.md: who it is.")] = None,
    about: Annotated[str | None, typer.Option("--about", metavar="TEXT", help="The agent's ABOUT.md: what it does.")] = None,
) -> None:  # fmt: skip
    """Make a store, and an agent's first files.

    A folder gets a settings file to fill in. Doing it again changes nothing: what is there stays as it is.
    """
    place = dataclasses.replace(place, store=folder) if folder is not None else place
    done: list[str] = []
    settings = _settings_file(place)
    fresh = settings is not None and not settings.exists()
    with place.open(make=True) as memory:
        if fresh:
            done.append(str(settings))
        texts = {name: ended(text) for name, text in {"SOUL.md": soul, "ABOUT.md": about}.items() if text is not None}
        if texts:
            agent = how.acting(place.agent_in(memory))
            done += [name for name, text in texts.items() if _first(agent, name, text)]
    if place.json:
        output.document({"store": place.shown_url, "made": done})
        return
    output.line(f"The store is ready: {place.shown_url}")
    for name in done:
        output.line(f"  made {name}")
    _next_steps(place)


def demo(
    place: Place,
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A new folder for its store.", show_default="a temporary one")
    ] = None,
) -> None:
    """Watch an agent's memory at work.

    It is put together, changed, compared and rolled back, on a store of its own that stays there to be looked at.
    """
    import tempfile

    from rich.console import Console

    from reverie.demo import run

    if folder is not None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotAllowed(f"{folder} is there already.", "Name a new folder for the demonstration.")
    if place.json:
        raise NotAllowed("The demonstration is for reading and has no JSON form.", "Leave --json out.")
    if not run(folder or Path(tempfile.mkdtemp(prefix="reverie-demo-")), Console(highlight=False)):
        raise typer.Exit(PROBLEMS)


def _settings_file(place: Place) -> Path | None:
    """Where a folder has its settings file; None for a store without a folder. A new store gets one when it is opened."""
    folder = place.folder()
    return None if folder is None else folder / SETTINGS_FILE


def _first(agent: Agent, name: str, text: str) -> bool:
    """Write an agent's file unless it has one; whether it was written."""
    there = agent.read(name)
    if there is None:
        agent.write(name, text, version=0)
    elif there.text != text:
        output.note(f"note: {name} is there already and stays as it is; change it with `reverie edit {name}`.")
    return there is None


def _next_steps(place: Place) -> None:
    agent = place.named("agent") or "my-agent"
    store = "" if place.store is None else f" --store {place.shown_url}"
    output.line()
    output.line("Next:")
    output.line(f"  reverie edit SOUL.md --agent {agent}{store}    say who the agent is")
    output.line(f"  reverie context --agent {agent}{store}         see its prompt")
    output.line(f"  reverie config --agent {agent}{store}          see its settings")
