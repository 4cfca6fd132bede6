"""The fixture of a schema: a small store as SQL text, written once for each released schema and kept.

    python -m tests.fixture_store > tests/data/schema-0001.sql
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from reverie import Memory
from reverie.records import Entry
from reverie.testing import FixedClock


def fill(folder: Path) -> None:
    """Make a store with everything that the tests of old schemas look for."""
    clock = FixedClock(datetime(2026, 12, 1, 9, tzinfo=UTC))
    with Memory.open(folder, clock=clock, settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("bot")
        agent.write("SOUL.md", "I am calm.\n")
        agent.configure(language="ru", timezone="Europe/Minsk")
        agent.append("SOUL.md", "I am patient.", origin="agent")
        user = agent.user("анна")
        user.write("USER.md", "- имя: Анна\n")
        user.append("MEMORY.md", "плывёт в Одессу", heading="План")
        user.append("MEMORY.md", "likes tea")
        user.delete("USER.md")
        user.write("topics/лодки.md", "- лодка\n")
        said = [Entry("user", "user", "Привет"), Entry("agent", "agent", "Здравствуй", key="k1")]
        memory.store.book.append(user.scope, said)


def as_sql(database: Path) -> str:
    """The whole database as SQL text."""
    connection = sqlite3.connect(database)
    try:
        return "\n".join(connection.iterdump()) + "\n"
    finally:
        connection.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        fill(Path(made) / "store")
        restored = Path(made) / "copy.db"
        with Memory.open(Path(made) / "store") as opened:
            opened.backup(restored)
        sys.stdout.write(as_sql(restored))
