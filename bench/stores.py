"""Stores to measure: both databases, every file full, and a journal as long as wanted.

PostgreSQL is a real server on a loopback port, started as the tests start theirs. A long journal is written in bulk,
row by row what `SqlChange.append` would have written: salted commitments, linked by their hashes.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from reverie import Memory
from reverie.memory import ScopeMemory, User
from reverie.records import Link, Record, commitment, record_hash
from reverie.scopes import Scope
from reverie.sql import rows, schema
from tests.databases import FAST, PostgresServer, end_run, new_server, remove_server, run_folder
from tests.unit.full_files import full_files

CACHE = Path(__file__).parent / ".cache"
AGENT, USER = "atlas", "alice"
BATCH = 5000
FIRST_DAY = datetime(2025, 1, 1, 8, tzinfo=UTC)
SENTENCES = (
    "Could you look at the deployment script again? It still waits forty seconds before the health check.",
    "I shortened the wait to ten seconds and added a retry, since the container needs about six to start.",
    "Good. Please remember that staging has one replica only, so a rolling update shows an error page there.",
    "Noted: staging runs one replica; errors during its updates are expected and not worth an alarm.",
)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder on the disk of this clone, so that what is measured is that disk and not one in memory."""
    CACHE.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=CACHE))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres(settings: dict[str, str] | None = None) -> Iterator[PostgresServer]:
    """A server of our own on a free loopback port; by default one that does not sync."""
    run = run_folder()
    try:
        server = new_server(run, "bench", FAST if settings is None else settings)
        try:
            yield server
        finally:
            remove_server(server)
    finally:
        end_run(run)


@contextmanager
def urls(settings: dict[str, str] | None = None) -> Iterator[dict[str, str]]:
    """Where to make a store on each database, by the database's name."""
    with temporary_folder() as folder, postgres(settings) as server:
        yield {"SQLite": str(folder / "store"), "PostgreSQL": server.create_database()}


def fill_files(memory: Memory, language: str = "en") -> User:
    """Write every file of the catalogue at its limit; the user whose memory it is."""
    agent = memory.agent(AGENT)
    user = agent.user(USER)
    agent.configure(language=language)
    for loaded in full_files(language):
        own: ScopeMemory = user if loaded.file in ("USER.md", "MEMORY.md") else agent
        if own.read(loaded.file) is None:
            own.write(loaded.file, loaded.text or "", removal_meant=True)
    return user


def records_of(memory: Memory, user: User) -> int:
    """How many records the user's journal has."""
    return int(memory.store.journal.counters(scope=user.scope).get("records", 0))


def fill_journal(memory: Memory, user: User, wanted: int) -> None:
    """Add messages to a user's journal until it has so many records, in transactions of some thousand."""
    missing = wanted - records_of(memory, user)
    while missing > 0:
        number = min(BATCH, missing)
        memory.store.database.change(partial(_append, scope=user.scope, number=number))
        missing -= number


def _append(connection: sa.Connection, *, scope: Scope, number: int) -> None:
    row = connection.execute(
        sa.select(schema.scopes).where(rows.within(schema.scopes)).with_for_update(), rows.named(scope)
    ).one()
    transaction = secrets.token_hex(16)
    seq, previous = row.seq, row.hash
    values = []
    for _ in range(number):
        seq += 1
        values.append(rows.key_of(scope) | _record(scope, seq, previous) | {"transaction": transaction})
        previous = values[-1]["hash"]
    connection.execute(sa.insert(schema.records), values)
    counters = {
        "seq": seq, "hash": previous, "records": row.records + number, "messages": row.messages + number,
        "last_at": values[-1]["at"],
    }  # fmt: skip
    connection.execute(sa.update(schema.scopes).where(rows.within(schema.scopes)).values(counters), rows.named(scope))


def _record(scope: Scope, seq: int, previous: str) -> dict[str, Any]:
    at = FIRST_DAY + timedelta(seconds=20 * seq)
    speaker: Literal["user", "agent"] = "user" if seq % 2 else "agent"
    session = f"session-{seq // 40}"
    text = f"{SENTENCES[seq % len(SENTENCES)]} ({seq})"
    salt = secrets.token_hex(16)
    record = Record(seq=seq, at=at, kind=speaker, origin=speaker, text=text, hash="", session=session)
    link = Link(record, rows.micros(at), salt, commitment(salt, text), previous)
    return {
        "seq": seq, "at": link.micros, "kind": speaker, "origin": speaker, "actor": "", "session": session,
        "speaker": None, "key": None, "file": None, "version": None, "batch": None, "text": text, "salt": salt,
        "commitment": link.commitment, "previous": previous, "hash": record_hash(scope, link), "data": json.dumps({}),
    }  # fmt: skip
