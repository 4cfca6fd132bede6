"""The schema: every table of a store, the same for SQLite and PostgreSQL.

Each table that holds memory has a composite key that begins with the scope (project, agent, user_id), so a query
without a scope cannot use it. `user_id` is empty for what belongs to an agent. Times are microseconds since the Unix
epoch, UTC. Texts that erasure must be able to remove are nullable; the shell around them is not.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, Integer, Table, Text

HEAD = "0001"
"""The newest migration; a store at this revision needs none."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

SCOPE = ("project", "agent", "user_id")


def _table(name: str, key: tuple[str, ...], *columns: sa.schema.SchemaItem) -> Table:
    scope = [Column(part, Text, nullable=False) for part in SCOPE]
    return Table(name, metadata, *scope, *columns, sa.PrimaryKeyConstraint(*SCOPE, *key))


store = Table("store", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))
"""Facts about the store itself: its id, and the key of its forget marks."""

scopes = _table(
    "scopes",
    (),
    Column("created_at", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("records", BigInteger, nullable=False),
    Column("versions", BigInteger, nullable=False),
    Column("messages", BigInteger, nullable=False, server_default="0"),
    Column("sessions_finished", BigInteger, nullable=False, server_default="0"),
    Column("last_at", BigInteger, nullable=False),
    Column("captured_seq", BigInteger, nullable=False, server_default="0"),
    Column("consumed_seq", BigInteger, nullable=False, server_default="0"),
    Column("dreamed_at", BigInteger),
    Column("fence", BigInteger, nullable=False, server_default="0"),
    Column("mark_key", Text),
)
"""One row a scope: the head of its journal chain, which every append locks, and its counters."""

heads = _table(
    "heads",
    ("file",),
    Column("file", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("hash", Text, nullable=False),
    Column("chars", Integer),
    Column("modified", BigInteger, nullable=False),
    Column("origin", Text, nullable=False),
    Column("mirrored", Text),
)
"""The newest version of each file; `mirrored` is the hash last written at its path in the working tree."""

versions = _table(
    "versions",
    ("file", "number"),
    Column("file", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("parent", Integer, nullable=False),
    Column("hash", Text),
    Column("chars", Integer),
    Column("text", Text),
    Column("at", BigInteger, nullable=False),
    Column("origin", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("session", Text),
    Column("dream", Text),
    Column("approver", Text),
    Column("reason", Text),
    Column("evidence", Text, nullable=False, server_default="[]"),
    Column("seq", BigInteger, nullable=False),
    Column("erased_at", BigInteger),
)
"""Every state of every file. `chars` is null for a removal; `text` of a state that has chars is null once erased."""

records = _table(
    "records",
    ("seq",),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("session", Text),
    Column("speaker", Text),
    Column("key", Text),
    Column("file", Text),
    Column("version", Integer),
    Column("batch", Text),
    Column("text", Text),
    Column("salt", Text),
    Column("commitment", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("data", Text, nullable=False, server_default="{}"),
    Column("hidden_by", BigInteger),
    Column("erased_at", BigInteger),
    Column("transaction", Text, nullable=False),
)
"""The journal. `transaction` names the commit, so that a lost answer to COMMIT can be looked up."""
sa.Index(None, *(records.c[part] for part in SCOPE), records.c.session, records.c.seq)
sa.Index(None, *(records.c[part] for part in SCOPE), records.c.at)
sa.Index(None, *(records.c[part] for part in SCOPE), records.c.session, records.c.key, unique=True)
sa.Index(None, *(records.c[part] for part in SCOPE), records.c.file, records.c.version)

sessions = _table(
    "sessions",
    ("id",),
    Column("id", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("last_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("messages", BigInteger, nullable=False, server_default="0"),
    Column("writes", BigInteger, nullable=False, server_default="0"),
    Column("captured_seq", BigInteger, nullable=False, server_default="0"),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
)
"""One row a session; its messages are records."""
sa.Index(None, *(sessions.c[part] for part in SCOPE), sessions.c.last_at)

recalls = _table(
    "recalls",
    ("seq", "file"),
    Column("seq", BigInteger, nullable=False),
    Column("file", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("session", Text),
    Column("fingerprint", Text),
)
"""Which file versions a session was shown, by the record that says so."""

edits = _table(
    "edits",
    ("id",),
    Column("id", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("file", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("text", Text),
    Column("removal", Boolean, nullable=False),
    Column("origin", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("session", Text),
    Column("reason", Text),
    Column("at", BigInteger, nullable=False),
    Column("conflict", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("notices", Text, nullable=False, server_default="[]"),
    Column("decided_seq", BigInteger),
    Column("decided_by", Text),
    Column("decided_at", BigInteger),
    Column("decided_reason", Text),
)
"""Changes held back until a person decides; `seq` and `decided_seq` are the records that say so."""
sa.Index(None, *(edits.c[part] for part in SCOPE), edits.c.status, edits.c.seq)

dreams = _table(
    "dreams",
    ("id",),
    Column("id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("requested_by", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("from_seq", BigInteger, nullable=False),
    Column("until_seq", BigInteger, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("input_hash", Text),
    Column("proposal_id", Text),
    Column("tokens", BigInteger, nullable=False, server_default="0"),
    Column("cost", Text),
    Column("settings", Text, nullable=False, server_default="{}"),
    Column("report", Text, nullable=False, server_default="{}"),
)
"""One row a consolidation run, whatever became of it."""

proposals = _table(
    "proposals",
    ("id",),
    Column("id", Text, nullable=False),
    Column("dream", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("proposer", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("base", Text, nullable=False),
    Column("body", Text),
    Column("reviewer", Text),
    Column("reviewed_at", BigInteger),
)
"""What a dream proposes: base versions and changes with their evidence, as JSON."""

changes = _table(
    "changes",
    ("proposal", "id"),
    Column("proposal", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("decided_by", Text),
    Column("decided_at", BigInteger),
)
"""The decision on each change; a rejected fingerprint comes back only on new evidence."""

marks = _table(
    "marks",
    ("mark",),
    Column("mark", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text),
    Column("lifted_seq", BigInteger),
)
"""Forget marks: keyed hashes of what must not be learned again, never the words."""

measures = _table(
    "measures",
    ("at",),
    Column("at", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("figures", Text, nullable=False),
)
"""Readings of a scope's health over time, as JSON."""

batches = _table(
    "batches",
    ("id",),
    Column("id", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("quarantined_at", BigInteger),
    Column("report", Text, nullable=False, server_default="{}"),
)
"""Import batches, so that everything one import brought can be found and hidden at once."""

erasures = _table(
    "erasures",
    ("seq",),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("finished_at", BigInteger),
)
"""Who erased what and why; logged before it is done, confirmed after."""
