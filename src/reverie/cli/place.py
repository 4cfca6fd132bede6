"""Place: where a command works and for whom, from its options, the options before it, and the environment.

Nothing is guessed: a store with one agent still wants it named, so that a script means the same tomorrow, when there
are two. The error names the agents that there are.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from reverie import settings
from reverie.catalogue import memory_file
from reverie.errors import NotFound, ScopeRequired

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.memory import Agent, Memory, ScopeMemory, User

DEFAULT_STORE = "~/.reverie"
_PANEL = "Where and who"


@dataclass(frozen=True, slots=True)
class Place:
    """The common options of every command."""

    store: Annotated[
        str | None,
        typer.Option("--store", metavar="URL", help="A folder or postgresql://… ($REVERIE_STORE, else ~/.reverie)."),
    ] = None
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="ID", help="Whose memory ($REVERIE_AGENT).")
    ] = None  # fmt: skip
    user: Annotated[
        str | None, typer.Option("--user", metavar="ID", help="About which user ($REVERIE_USER).")
    ] = None  # fmt: skip
    project: Annotated[
        str | None, typer.Option("--project", metavar="ID", help="In which project ($REVERIE_PROJECT, else default).")
    ] = None  # fmt: skip
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document; errors as JSON too.")] = False

    def completed_by(self, outer: object) -> Place:
        """This place, with what it leaves open taken from the options before the command."""
        if not isinstance(outer, Place):
            return self
        mine = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return Place(**{name: getattr(outer, name) if value in (None, False) else value for name, value in mine.items()})

    def named(self, what: str) -> str | None:
        """The store, agent, user or project: the option, else the environment."""
        option: str | None = getattr(self, what)
        return option if option is not None else settings.environment_defaults()[what] or None

    @property
    def url(self) -> str:
        """The store to open."""
        return self.named("store") or DEFAULT_STORE

    @property
    def shown_url(self) -> str:
        """The store as it may be printed: without a password."""
        return re.sub(r"(://[^/@:]*):[^/@]*@", r"\1:***@", self.url)

    def open(self, *, make: bool = False) -> Memory:
        """The memory at this place; only commands that write make a store where there is none."""
        from reverie.memory import Memory

        if not make:
            self._check_there()
        return Memory.open(self.url, project=self.named("project") or "default")

    def agent_in(self, memory: Memory) -> Agent:
        """The named agent; ScopeRequired when none is named."""
        name = self.named("agent")
        if name is None:
            raise ScopeRequired("No agent was named.", _choose("--agent", "REVERIE_AGENT", memory.agents()))
        return memory.agent(name)

    def user_in(self, memory: Memory) -> User:
        """The named agent's memory of the named user; ScopeRequired when one of them is not named."""
        agent = self.agent_in(memory)
        name = self.named("user")
        if name is None:
            raise ScopeRequired("No user was named.", _choose("--user", "REVERIE_USER", agent.users()))
        return agent.user(name)

    def scope_in(self, memory: Memory) -> ScopeMemory:
        """The named agent and user, or the agent alone when no user is named."""
        return self.agent_in(memory) if self.named("user") is None else self.user_in(memory)

    def owner_in(self, memory: Memory, file: str) -> ScopeMemory:
        """Whose file it is: the agent's, whether or not a user is named, or the user's."""
        if memory_file(file).level == "agent":
            return self.agent_in(memory)
        agent = self.agent_in(memory)
        if self.named("user") is None:
            raise ScopeRequired(
                f"{file} belongs to an agent and a user, and no user was named.",
                _choose("--user", "REVERIE_USER", agent.users()),
            )
        return self.user_in(memory)

    def for_whom(self, agent: str, user: str | None) -> Place:
        """The same store, for another agent, and for another user if one is named."""
        return dataclasses.replace(self, agent=agent, user=user if user is not None else self.user)

    def folder(self) -> Path | None:
        """The store's folder; None for a database behind an address."""
        from pathlib import Path

        return None if "://" in self.url else Path(self.url).expanduser()

    def _check_there(self) -> None:
        """A reading command makes nothing: an empty folder is an empty store, any other must hold one."""
        folder = self.folder()
        if folder is None or (folder / "reverie.db").exists() or (folder / "reverie.toml").exists():
            return
        try:
            somethings_else = not folder.is_dir() or any(folder.iterdir())
        except OSError as error:
            from reverie.outside import disk_error

            raise disk_error(error, folder) from error
        if somethings_else:
            raise NotFound(
                f"There is no store in {self.shown_url}.", "Make one with `reverie init`, or name another with --store."
            )


def _choose(option: str, variable: str, there: list[str]) -> str:
    how = f"Name one with {option} or set {variable}."
    if not there:
        return f"{how} None has anything stored yet."
    shown = ", ".join(map(repr, there[:10]))
    return f"{how} There {'is' if len(there) == 1 else 'are'} {shown}{' and more' if len(there) > 10 else ''}."
