"""The ledger under test: implementations of Versions and Journal over one store, and the clock that they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from reverie.ports import Journal, Versions
from reverie.records import Entry, Record
from reverie.scopes import Scope
from reverie.testing.clock import FixedClock
from reverie.versions import Version, Write

AGENT = Scope("default", "ann")
USER = Scope("default", "ann", "bob")
MEMORY = "MEMORY.md"

E = TypeVar("E", bound=Exception)


@dataclass(frozen=True)
class Ledger:
    """A fresh, empty store behind the two ports, with the clock that it was opened with."""

    versions: Versions
    journal: Journal
    clock: FixedClock

    def put(self, text: str | None, *, file: str = MEMORY, scope: Scope = USER) -> Version:
        """Store the next version of a file."""
        return self.versions.change(
            scope=scope, act=lambda change: change.put(write=Write(file, text, "agent"))
        )

    def say(self, text: str, *, scope: Scope = USER, session: str | None = None, key: str | None = None) -> Record:
        """Append one record of the user's words."""
        entry = Entry("user", "user", text, session=session, key=key)
        return self.journal.append(scope=scope, entries=[entry])[0]


Promise = Callable[[Ledger], None]


def name_of(promise: Callable[..., object]) -> str:
    """What a promise is called, for the names of tests."""
    return getattr(promise, "__name__", repr(promise))


@contextmanager
def refused(kind: type[E]) -> Iterator[list[E]]:
    """Expect an error inside the block; it is the only item of the list afterwards."""
    caught: list[E] = []
    try:
        yield caught
    except kind as error:
        caught.append(error)
        return
    raise AssertionError(f"{kind.__name__} was expected, and nothing was raised")
