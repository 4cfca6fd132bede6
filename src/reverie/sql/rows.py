"""Rows and values: how what the tables hold becomes the values of the core, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, TypeVar

import sqlalchemy as sa

from reverie.errors import StoreDamaged
from reverie.records import Link, Record, commitment, text_hash
from reverie.scopes import Scope
from reverie.sql.schema import SCOPE
from reverie.versions import ORIGINS, Head, Version

V = TypeVar("V")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LATEST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND


def micros(time: datetime) -> int:
    """Microseconds since the Unix epoch."""
    return (time - EPOCH) // _MICROSECOND


def moment(number: int) -> datetime:
    """The UTC datetime of so many microseconds since the Unix epoch."""
    return EPOCH + number * _MICROSECOND


def key_of(scope: Scope) -> dict[str, Any]:
    """The scope's parts as the column values of a new row."""
    return {"project": scope.project, "agent": scope.agent, "user_id": scope.user}


def named(scope: Scope) -> dict[str, Any]:
    """The scope's parts as the parameters that `within` asks for."""
    return {"in_project": scope.project, "in_agent": scope.agent, "in_user_id": scope.user}


def within(table: sa.Table) -> sa.ColumnElement[bool]:
    """The condition that every statement on a scope's rows begins with: equality of all parts."""
    return sa.and_(*(table.c[part] == sa.bindparam(f"in_{part}", type_=sa.Text) for part in SCOPE))


def readable(make: Callable[[sa.Row[Any]], V]) -> Callable[[sa.Row[Any]], V]:
    """Say StoreDamaged for a row whose values are not of their kinds; SQLite keeps any value in any column."""

    @wraps(make)
    def made(row: sa.Row[Any]) -> V:
        try:
            return make(row)
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            raise StoreDamaged(
                f"A row of the store cannot be read as a {make.__name__}.",
                "Run `reverie verify` to see what is damaged, then `reverie restore-backup`.",
            ) from error

    return made


@readable
def head(row: sa.Row[Any]) -> Head:
    """A row of `heads`."""
    _check(row, int, "number", "modified")
    _check(row, str, "file", "hash", "origin")
    if row.chars is not None:
        _check(row, int, "chars")
    return Head(row.file, row.number, row.hash, row.chars, moment(row.modified), row.origin, row.mirrored)


@readable
def version(row: sa.Row[Any]) -> Version:
    """A row of `versions`; StoreDamaged when the text is not the one that was stored."""
    _check(row, int, "number", "parent", "seq")
    _check(row, str, "file", "origin", "actor")
    if row.erased_at is None and (row.text is None) != (row.chars is None):
        raise _damaged(row.file, row.number)
    if row.erased_at is None and text_hash(row.text) != row.hash:
        raise _damaged(row.file, row.number)
    return Version(
        file=row.file, number=row.number, parent=row.parent, hash=row.hash or "", at=moment(row.at), origin=row.origin,
        text=row.text, seq=row.seq, actor=row.actor, session=row.session, dream=row.dream, approver=row.approver,
        reason=row.reason, evidence=tuple(json.loads(row.evidence)),
    )  # fmt: skip


def told_version(row: sa.Row[Any]) -> Version:
    """A row of `versions` as a history tells of it: marked and without text when it is damaged."""
    try:
        return version(row)
    except StoreDamaged:
        return _placeholder(row)


@readable
def _placeholder(row: sa.Row[Any]) -> Version:
    _check(row, int, "number")
    _check(row, str, "file")
    at = row.at if isinstance(row.at, int) and 0 <= row.at < _LATEST else 0
    return Version(
        file=row.file, number=row.number, parent=row.number - 1, hash=_or(row.hash, ""), at=moment(at),
        origin=row.origin if row.origin in ORIGINS else "system", text=None,
        seq=row.seq if isinstance(row.seq, int) else 0, actor=_or(row.actor, ""), session=_or(row.session, None),
        dream=_or(row.dream, None), approver=_or(row.approver, None), reason=_or(row.reason, None), damaged=True,
    )  # fmt: skip


def _or(value: object, other: V) -> str | V:
    return value if isinstance(value, str) else other


@readable
def record(row: sa.Row[Any]) -> Record:
    """A row of `records`; StoreDamaged when the words are not the ones that were stored."""
    _check(row, int, "seq", "at")
    _check(row, str, "kind", "origin", "hash")
    if row.erased_at is None and (
        row.salt is None or commitment(row.salt, row.text, row.data) != row.commitment
    ):
        raise StoreDamaged(
            f"Record {row.seq} does not match its hash and is not shown.",
            "Run `reverie verify` to see what else is damaged, then `reverie restore-backup`.",
        )
    data = json.loads(row.data)
    return Record(
        seq=row.seq, at=moment(row.at), kind=row.kind, origin=row.origin, text=row.text, hash=row.hash,
        session=row.session, speaker=row.speaker, actor=row.actor, key=row.key, file=row.file, version=row.version,
        batch=row.batch, dates=tuple(data.get("dates", ())),
    )  # fmt: skip


def link(row: sa.Row[Any]) -> Link:
    """A row of `records` with its place in the chain."""
    return Link(record(row), row.at, row.salt, row.commitment, row.previous, row.data)


def _check(row: sa.Row[Any], kind: type, *names: str) -> None:
    for name in names:
        if not isinstance(row._mapping[name], kind):
            raise TypeError(name)


def _damaged(file: str, number: int) -> StoreDamaged:
    return StoreDamaged(
        f"Version {number} of {file} does not match its hash and is not shown.",
        f"See `reverie history {file}` and restore another version, or write the file anew; `reverie restore-backup` brings "
        "back this one. `reverie verify` tells what else is damaged.",
    )
