"""Config: what each setting is, where its value comes from, and an agent's own settings with their history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from reverie.cli import completion, output
from reverie.cli.arguments import Writing
from reverie.cli.expanding import expanded
from reverie.cli.parsing import Command, Group
from reverie.cli.place import Place


class Settings(Group):
    """The commands on settings."""

    def hint(self, words: list[str]) -> str:
        """The command to change a setting, for those who begin with its name."""
        from reverie.settings import TABLE

        name = words[0].partition("=")[0] if words else ""
        if name not in {row.name for row in TABLE}:
            return ""
        value = " ".join(word for word in words[1:] if not word.startswith("--")) or words[0].partition("=")[2] or "VALUE"
        return f"To change a setting: `reverie config set {name} {value}`."


app = typer.Typer(cls=Settings, rich_markup_mode=None, invoke_without_command=True)

SettingName = Annotated[
    str, typer.Argument(metavar="NAME", help="The setting.", autocompletion=completion.setting_names)
]  # fmt: skip


@app.callback()
@expanded
def config(place: Place, context: typer.Context) -> None:
    """Show every setting and where its value is from.

    Of an agent, or of the store when no agent is named. With a sub-command, change an agent's own settings.
    """
    if context.invoked_subcommand is not None:
        return
    with place.open() as memory:
        alone = place.named("agent") is None
        explained = memory.store.settings.explain({}) if alone else place.agent_in(memory).explain_settings()
        if place.json:
            output.document(explained)
            return
        rows = [[row.name, _shown(row.value), row.source, row.explains] for row in explained]
        output.table(["setting", "value", "source", "what it is"], rows)


@app.command("set", cls=Command)
@expanded
def set_value(
    place: Place,
    how: Writing,
    name: SettingName,
    value: Annotated[list[str], typer.Argument(metavar="VALUE...", help="The value; for limits and ttl FILE=NUMBER, several if need be.")],
) -> None:  # fmt: skip
    """Give an agent a setting of its own; limits and ttl are replaced as a whole."""
    _configure(place, how, name, ",".join(value))


@app.command(cls=Command)
@expanded
def unset(place: Place, how: Writing, name: SettingName) -> None:
    """Take a setting of an agent's own back, so that the store's or the default holds again."""
    _configure(place, how, name, None)


@app.command(cls=Command)
@expanded
def history(place: Place) -> None:
    """List every state of an agent's own settings, oldest first."""
    with place.open() as memory:
        agent = place.agent_in(memory)
        versions = agent.settings_history()
        if place.json:
            output.document(versions)
            return
        if not versions:
            output.note("This agent has no settings of its own yet.")
            return
        zone = output.zone_of(agent)
        rows = [[str(v.number), output.moment(v.at, zone), v.actor, v.reason or "", "(damaged)" if v.damaged else _packed(v.text)] for v in versions]
        output.table(["version", "at", "by", "reason", "settings"], rows, right=["version"])


def _configure(place: Place, how: Writing, name: str, value: str | None) -> None:
    with place.open(make=True) as memory:
        agent = how.acting(place.agent_in(memory))
        agent.configure(**{name: value})
        [row] = [row for row in agent.explain_settings() if row.name == name]
        if place.json:
            output.document(row)
            return
        output.line(f"{row.name} = {_shown(row.value)} ({row.source})")
        if value is not None and row.source != "agent":
            output.note(f"note: the agent's own value is stored, but {row.source} wins over it.")


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={number}" for name, number in value.items()) or "-"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _packed(text: str | None) -> str:
    import json

    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in json.loads(text or "{}").items())
