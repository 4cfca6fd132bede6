"""One transaction on one scope: what an act may do while it holds the scope.

The scope's row is locked first. It carries the head of the journal's hash chain and the counters, so whatever the
transaction adds is linked to it and written back at the end.
"""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from reverie.errors import KeyReused, NotFound
from reverie.holding import damaged, decision, holding
from reverie.ports import Clock
from reverie.records import (
    GENESIS,
    Entry,
    Link,
    Record,
    commitment,
    data_text,
    record_hash,
    surroundings,
    text_hash,
)
from reverie.scopes import Scope
from reverie.sql import held, rows, statements
from reverie.versions import Head, PendingEdit, Version, Write


class SqlChange:
    """The open transaction that `SqlVersions.change` hands to an act."""

    def __init__(self, connection: sa.Connection, scope: Scope, clock: Clock, transaction: str) -> None:
        self._connection = connection
        self._scope = scope
        self._named = rows.named(scope)
        self._clock = clock
        self._transaction = transaction
        self._state = self._locked()
        # The time is taken under the lock: a writer that waited is not dated before the one it waited for.
        self._now = rows.micros(clock.now())
        self._dirty = False

    def head(self, *, file: str) -> Head | None:
        """The file's head; made from the newest version where the table has none or an older one."""
        parameters = self._named | {"file_is": file}
        row = self._connection.execute(statements.HEAD, parameters).one_or_none()
        head = None if row is None else rows.head(row)
        newest = self._connection.execute(statements.NEWEST, parameters).one_or_none()
        if newest is None or (head is not None and not _follows(newest.number, head.number)):
            return head
        return replace(rows.head(newest), mirrored=None if head is None else head.mirrored)

    def version(self, *, file: str, number: int) -> Version | None:
        found = self._connection.execute(
            statements.VERSION, self._named | {"file_is": file, "number_is": number}
        )
        row = found.one_or_none()
        return None if row is None else rows.version(row)

    def put(self, *, write: Write) -> Version:
        head = self.head(file=write.file)
        number = head.number + 1 if head else 1
        digest = text_hash(write.text)
        made = self.append(
            entry=Entry(
                kind="change", origin=write.origin, text=digest, session=write.session, actor=write.actor,
                file=write.file, version=number, batch=write.batch,
                data=surroundings(write.dream, write.approver, write.reason, write.evidence),
            )
        )  # fmt: skip
        values = {
            "file": write.file, "number": number, "parent": number - 1, "hash": digest,
            "chars": None if write.text is None else len(write.text), "text": write.text, "at": self._now,
            "origin": write.origin, "actor": write.actor, "session": write.session, "dream": write.dream,
            "approver": write.approver, "reason": write.reason, "evidence": json.dumps(list(write.evidence)),
            "seq": made.seq,
        }  # fmt: skip
        self._connection.execute(statements.INSERT_VERSION, rows.key_of(self._scope) | values)
        self._point_head(head, values)
        self._state["versions"] += 1
        return Version(
            file=write.file, number=number, parent=number - 1, hash=digest, at=rows.moment(self._now),
            origin=write.origin, text=write.text, seq=made.seq, actor=write.actor, session=write.session,
            dream=write.dream, approver=write.approver, reason=write.reason, evidence=write.evidence,
        )  # fmt: skip

    def append(self, *, entry: Entry) -> Record:
        if entry.key is not None:
            parameters = self._named | {"key_is": entry.key}
            if entry.session is None:
                before = self._connection.execute(statements.KEYED_OUTSIDE, parameters).one_or_none()
            else:
                parameters["session_is"] = entry.session
                before = self._connection.execute(statements.KEYED_IN_SESSION, parameters).one_or_none()
            if before is not None:
                return _same(before, entry)
        salt, data = secrets.token_hex(16), data_text(entry.data)
        record = Record(
            seq=self._state["seq"] + 1, at=rows.moment(rows.micros(entry.at) if entry.at else self._now),
            kind=entry.kind, origin=entry.origin, text=entry.text, hash="", session=entry.session,
            speaker=entry.speaker, actor=entry.actor, key=entry.key, file=entry.file, version=entry.version,
            batch=entry.batch, dates=tuple(dict(entry.data).get("dates", ())),
        )  # fmt: skip
        link = Link(
            record,
            rows.micros(record.at),
            salt,
            commitment(salt, entry.text, data),
            self._state["hash"],
            data,
        )
        digest = record_hash(self._scope, link)
        values = {
            "seq": record.seq, "at": link.micros, "kind": entry.kind, "origin": entry.origin, "actor": entry.actor,
            "session": entry.session, "speaker": entry.speaker, "key": entry.key, "file": entry.file,
            "version": entry.version, "batch": entry.batch, "text": entry.text, "salt": salt,
            "commitment": link.commitment, "previous": link.previous, "hash": digest,
            "data": data, "transaction": self._transaction,
        }  # fmt: skip
        self._connection.execute(statements.INSERT_RECORD, rows.key_of(self._scope) | values)
        self._state.update(
            seq=record.seq, hash=digest, records=self._state["records"] + 1, last_at=link.micros
        )
        self._state["messages"] += entry.kind in ("user", "agent", "tool")
        self._dirty = True
        return replace(record, hash=digest)

    def hold(self, *, edit: PendingEdit) -> PendingEdit:
        if edit.id:
            return self._decide(edit)
        new = replace(edit, id=uuid.uuid4().hex[:12], at=rows.moment(rows.micros(edit.at)))
        new = replace(new, seq=self.append(entry=holding(new)).seq)
        values = {
            "id": new.id, "seq": new.seq, "file": new.file, "base": new.base, "text": new.text,
            "removal": new.text is None, "origin": new.origin, "actor": new.actor, "session": new.session,
            "reason": new.reason, "at": rows.micros(new.at), "conflict": new.conflict, "status": new.status,
            "notices": json.dumps(list(new.notices), ensure_ascii=False),
        }  # fmt: skip
        self._connection.execute(statements.INSERT_EDIT, rows.key_of(self._scope) | values)
        return new

    def edits(self, *, file: str) -> Sequence[PendingEdit]:
        parameters = self._named | {"file_is": file, "status_is": "pending"}
        return [held.edit(row._mapping) for row in self._connection.execute(held.OF_FILE, parameters)]

    def mirror(self, *, file: str, hash: str) -> None:
        """Remember it in the file's head, which is made anew if it is gone."""
        moved = self._connection.execute(statements.MIRROR, self._named | {"file_is": file, "mirrored_is": hash})
        head = None if moved.rowcount else self.head(file=file)
        if head is not None:
            values = {name: getattr(head, name) for name in ("file", "number", "hash", "chars", "origin")}
            new = rows.key_of(self._scope) | values | {"modified": rows.micros(head.modified), "mirrored": hash}
            self._connection.execute(statements.INSERT_HEAD, new)

    def finish(self) -> tuple[int, str] | None:
        """Write the chain's head and the counters back to the scope's row; number and hash of a new newest record."""
        if not self._dirty:
            return None
        counters = {f"{name}_is": self._state[name] for name in statements.COUNTERS}
        self._connection.execute(statements.COUNT, self._named | counters)
        return self._state["seq"], self._state["hash"]

    def _decide(self, edit: PendingEdit) -> PendingEdit:
        """Accept or discard an edit that waits; a damaged one can be discarded, whatever is left of it."""
        parameters = self._named | {"id_is": edit.id}
        shell = self._connection.execute(held.SHELL, parameters).one_or_none()
        if shell is None or shell.status != "pending":
            raise NotFound(
                f"Edit {edit.id!r} does not wait any more.", "Somebody decided it; see `reverie history`."
            )
        if edit.status == "accepted":
            found = held.edit(self._connection.execute(held.ONE, parameters).one()._mapping)
            if found.damaged:
                raise damaged(found)
        by = edit.decided_by or ""
        new = replace(edit, decided_by=by, decided_at=rows.moment(self._now))
        digest = shell.held_text if isinstance(shell.held_text, str) else text_hash(None)
        made = self.append(entry=decision(new, digest))
        decided = {
            "status_is": new.status, "decided_seq_is": made.seq, "decided_by_is": by,
            "decided_at_is": self._now, "decided_reason_is": new.decided_reason,
        }  # fmt: skip
        self._connection.execute(statements.DECIDE_EDIT, parameters | decided)
        return new

    def _locked(self) -> dict[str, Any]:
        row = self._connection.execute(statements.SCOPE_ROW, self._named).one_or_none()
        if row is None:
            now = rows.micros(self._clock.now())
            first = {
                "created_at": now,
                "seq": 0,
                "hash": GENESIS,
                "records": 0,
                "versions": 0,
                "last_at": now,
            }
            insert = statements.insert_scope(self._connection.dialect.name)
            self._connection.execute(insert, rows.key_of(self._scope) | first)
            row = self._connection.execute(statements.SCOPE_ROW, self._named).one()
        return dict(row._mapping)

    def _point_head(self, head: Head | None, values: dict[str, Any]) -> None:
        """The scope is locked, so whether the file has a head yet cannot change in between."""
        new = {name: values[name] for name in ("file", "number", "hash", "chars", "origin")} | {
            "modified": values["at"]
        }
        if head is not None:
            moved = {f"{name}_is": value for name, value in new.items()}
            if self._connection.execute(statements.MOVE_HEAD, self._named | moved).rowcount:
                return
        self._connection.execute(statements.INSERT_HEAD, rows.key_of(self._scope) | new)


def _follows(number: object, other: int) -> bool:
    return isinstance(number, int) and number > other


def _same(row: sa.Row[Any], entry: Entry) -> Record:
    """The record that an idempotency key already stands for, if the content is the same."""
    text_differs = row.salt is not None and row.commitment != commitment(
        row.salt, entry.text, data_text(entry.data)
    )
    if text_differs or (row.kind, row.speaker) != (entry.kind, entry.speaker):
        raise KeyReused(
            f"The key {entry.key!r} was used for another record (number {row.seq}).",
            "Use a new key for new content.",
        )
    return rows.record(row)
