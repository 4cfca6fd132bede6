"""Whether a warm `context()` gets slower as the journal grows: a scope of 10 records beside one of a million.

Requests to the two take turns, so that a busy moment of the machine hits both alike. The long SQLite store is kept in
`bench/.cache`, because it takes a minute to write.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bench.effort import Effort
from bench.measured import Figure
from bench.stores import CACHE, fill_files, fill_journal, postgres, records_of
from bench.timing import times
from reverie import Memory
from reverie.memory import User
from reverie.sql.schema import HEAD

FEW = 10
WARM = 50


def measure(effort: Effort) -> list[Figure]:
    """The medians at both lengths, and by how many per cent they differ."""
    figures = []
    with ExitStack() as stack:
        stores = [stack.enter_context(_kept(wanted)) for wanted in (FEW, effort.records)]
        figures += _compared("SQLite", stores, effort)
    with postgres() as server, ExitStack() as stack:
        stores = [
            stack.enter_context(_filled(server.create_database(), wanted)) for wanted in (FEW, effort.records)
        ]
        figures += _compared("PostgreSQL", stores, effort)
    return figures


def _compared(name: str, stores: list[tuple[Memory, User]], effort: Effort) -> list[Figure]:
    took: list[list[int]] = [[] for _ in stores]
    for number in range(WARM + effort.requests):
        for (_, user), mine in zip(stores, took, strict=True):
            start = time.perf_counter_ns()
            user.context()
            if number >= WARM:
                mine.append(time.perf_counter_ns() - start)
    figures = []
    for (memory, user), mine in zip(stores, took, strict=True):
        summary = times(mine)
        title = f"warm context(), {name}, {records_of(memory, user):,} records"
        figures.append(Figure(title, summary.median, "ms", detail=summary.detail))
    few, many = figures
    difference = (many.value / few.value - 1) * 100
    return [*figures, Figure(f"many records against few, {name}", difference, "%", checked=False)]


@contextmanager
def _kept(wanted: int) -> Iterator[tuple[Memory, User]]:
    """The store of this length from an earlier run, or a new one; one that was not filled to the end is made anew."""
    CACHE.mkdir(exist_ok=True)
    folder = CACHE / f"journal-{wanted}-schema-{HEAD}"
    done = folder / "filled"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
    with _filled(str(folder), wanted) as filled:
        done.touch()
        yield filled


@contextmanager
def _filled(url: str, wanted: int) -> Iterator[tuple[Memory, User]]:
    with Memory.open(url) as memory:
        user = fill_files(memory)
        fill_journal(memory, user, wanted)
        yield memory, user
