"""Export and import are complete: every row comes back, a repeat adds nothing, a hostile file changes nothing."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import InvalidText, NotAllowed, NotFound, ScopeRequired
from reverie.records import GENESIS, Entry
from reverie.sql import schema
from reverie.sql.lines import SCOPED, json_line
from tests.stores import assert_sound, rows

ROWS = "reverie-export.jsonl"


def _fill(memory: Memory) -> None:
    agent = memory.agent("bot")
    agent.write("SOUL.md", "\ufeffI am calm.\r\n")
    agent.configure(language="ru", timezone="Europe/Minsk", shared_writes="review")
    user = agent.user("анна/../../etc")
    user.append("MEMORY.md", "плывёт в Одессу")
    user.append("MEMORY.md", "likes \u2028 tea")
    user.write("topics/лодки.md", "- лодка\n")
    user.delete("topics/лодки.md")
    memory.store.book.append(user.scope, [Entry("user", "user", "Привет\nдруг", key="k", data=(("dates", ["2026-07-01"]),))])
    agent.user("bob").write("USER.md", "- Bob\n")
    memory.agent("other").write("SOUL.md", "Another one.\n")
    for text in ("a tutor", "a poet"):
        agent.write("ABOUT.md", text, origin="agent")
    agent.discard_edit(agent.edits()[0].id, by="vera")
    with memory.store.database.writer.begin() as connection:
        for table in SCOPED:
            if table not in (schema.scopes, schema.heads, schema.versions, schema.records, schema.edits):
                connection.execute(sa.insert(table), _values(table))


def _values(table: sa.Table) -> dict[str, Any]:
    """A row for a table of which nothing is known but its columns, so that new tables are covered by themselves."""
    known = {
        "project": "default", "agent": "bot", "user_id": "bob", "file": "USER.md", "kind": "user", "status": "discarded",
        "notices": "[]",
    }  # fmt: skip
    made = {int: 7, str: "text", bool: True}
    return {column.name: known.get(column.name, made[column.type.python_type]) for column in table.columns}


def _insert(memory: Memory, table: sa.Table, **values: Any) -> None:
    with memory.store.database.writer.begin() as connection:
        connection.execute(sa.insert(table), {"project": "default", "agent": "bot", "user_id": ""} | values)


def _comparable(memory: Memory) -> dict[str, Any]:
    with memory.store.database.snapshot() as connection:
        found = {}
        for table in SCOPED:
            columns = [column for column in table.columns if column.name != "mirrored"]
            found[table.name] = sorted(map(repr, connection.execute(sa.select(*columns)).all()))
    return found


@pytest.mark.case("D-10")
def test_what_was_exported_comes_back_equal(store_url: str, tmp_path: Path) -> None:
    with Memory.open(store_url) as memory:
        _fill(memory)
        report = memory.export(tmp_path / "export")
        before, checkpoint = _comparable(memory), memory.checkpoint()

    with Memory.open(tmp_path / "second") as second:
        done = second.import_("reverie", tmp_path / "export")
        assert (done.added, done.skipped, done.errors) == (4, 0, [])
        assert _comparable(second) == before
        assert second.verify(against=checkpoint).problems == []
        assert second.export(tmp_path / "again").sha256 != ""
        first_rows = (tmp_path / "export" / ROWS).read_bytes().split(b"\n")[1:-2]
        assert (tmp_path / "again" / ROWS).read_bytes().split(b"\n")[1:-2] == first_rows
    assert all(before.values()), "every table had a row"
    assert report.rows == sum(map(len, before.values()))


@pytest.mark.case("D-10")
def test_importing_again_adds_nothing(store_url: str, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "first") as first:
        _fill(first)
        first.export(tmp_path / "export")
    with Memory.open(store_url) as memory:
        memory.import_("reverie", tmp_path / "export")
        memory.agent("bot").user("bob").append("USER.md", "went on here")
        before = rows(memory)

        done = memory.import_("reverie", tmp_path / "export")

        assert (done.added, done.skipped) == (0, 4)
        assert rows(memory) == before


@pytest.mark.case("D-10")
def test_a_repeat_adds_nothing_to_a_scope_without_a_journal(store_url: str, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "first") as first:
        first.agent("bot")
        _insert(first, schema.scopes, created_at=1, seq=0, hash=GENESIS, records=0, versions=0, last_at=1)
        _insert(first, schema.measures, **(_values(schema.measures) | {"user_id": ""}))
        first.export(tmp_path / "export")
        _insert(first, schema.measures, **(_values(schema.measures) | {"user_id": "", "at": 8}))
        first.export(tmp_path / "another")
    with Memory.open(store_url) as memory:
        assert memory.import_("reverie", tmp_path / "export").added == 1
        before = rows(memory)

        assert memory.import_("reverie", tmp_path / "export").skipped == 1
        assert rows(memory) == before
        with pytest.raises(NotAllowed, match="something else"):
            memory.import_("reverie", tmp_path / "another")
        assert rows(memory) == before


@pytest.mark.case("D-10")
def test_a_scope_that_holds_something_else_is_refused_and_nothing_is_half_done(store_url: str, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "first") as first:
        _fill(first)
        first.export(tmp_path / "export")
    with Memory.open(store_url) as memory:
        memory.agent("other").write("SOUL.md", "Somebody else.\n")
        before = rows(memory)

        with pytest.raises(NotAllowed, match="other"):
            memory.import_("reverie", tmp_path / "export")

        assert rows(memory) == before


@pytest.mark.case("D-10")
def test_an_export_has_the_files_as_people_know_them(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        _fill(memory)
        report = memory.export(tmp_path / "export")
        manifest = json.loads((tmp_path / "export" / "manifest.json").read_text(encoding="utf-8"))

    assert (tmp_path / "export" / "agents" / "bot" / "SOUL.md").read_bytes() == "\ufeffI am calm.\r\n".encode()
    written = [path for path in (tmp_path / "export").rglob("*.md") if path.is_file()]
    assert len(written) == report.files == 4
    assert manifest["sha256"][ROWS] == hashlib.sha256((tmp_path / "export" / ROWS).read_bytes()).hexdigest()
    assert {path.name for path in tmp_path.iterdir()} == {"store", "export"}


def test_one_agent_or_one_user_is_exported_alone(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        _fill(memory)
        assert memory.export(tmp_path / "agent", agent="bot").scopes == 3
        assert memory.export(tmp_path / "user", agent="bot", user="bob").scopes == 1
        with pytest.raises(ScopeRequired):
            memory.export(tmp_path / "nobody", user="bob")
        with pytest.raises(NotFound, match="agent that there is: 'bot', 'other'"):
            memory.export(tmp_path / "nobody", agent="nobody")
        with pytest.raises(NotFound, match="user that there is: 'bob'"):
            memory.export(tmp_path / "nobody", agent="bot", user="nobody")
        with pytest.raises(NotAllowed):
            memory.export(tmp_path / "user")
    assert b"likes" not in (tmp_path / "user" / ROWS).read_bytes()
    assert not (tmp_path / "nobody").exists()

    with Memory.open(tmp_path / "second") as second:
        assert second.import_("reverie", tmp_path / "agent", agent="bot", user="bob").added == 1
        assert second.agents() == ["bot"]
        assert_sound(second)
        with pytest.raises(NotAllowed):
            second.import_("reverie", tmp_path / "agent", agent="nobody")


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def _sealed(lines: list[Any]) -> bytes:
    """Lines with the checksum that belongs to them: what somebody writes who knows the format."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    scopes = sum(isinstance(line, dict) and "scope" in line for line in lines)
    end = {"sha256": hashlib.sha256(body).hexdigest(), "rows": sum(isinstance(line, list) for line in lines), "scopes": scopes}
    return body + json_line({"end": end})


def _set(table: str, column: str, value: object) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        place = lines[0]["tables"][table].index(column)
        next(line for line in lines if isinstance(line, list) and line[0] == table)[1][place] = value

    return change


def _rename(scope: list[object]) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        next(line for line in lines if isinstance(line, dict) and "scope" in line)["scope"] = scope

    return change


def _double(lines: list[Any]) -> None:
    lines[1:1] = lines[1 : next(n for n, line in enumerate(lines) if n > 1 and isinstance(line, dict))]


HOSTILE: dict[str, Callable[[list[Any]], None]] = {
    "a path for a file": _set("heads", "file", "../../../etc/cron.d/x"),
    "a path for a version": _set("versions", "file", "/etc/passwd"),
    "a path that is nearly a topic": _set("versions", "file", "topics/../../x.md"),
    "other words": _set("versions", "text", "other words"),
    "a record that was changed": _set("records", "text", "other words"),
    "a record of another place": _set("records", "seq", 9),
    "an edit with other words": _set("edits", "text", "other words"),
    "an edit that somebody accepted": _set("edits", "status", "accepted"),
    "an edit of another file": _set("edits", "file", "TOOLS.md"),
    "an edit that is gone": lambda lines: lines.remove(next(line for line in lines if isinstance(line, list) and line[0] == "edits")),
    "a number that is text": _set("heads", "number", "1"),
    "a number that no database holds": _set("scopes", "seq", 2**70),
    "a time that is no time": _set("records", "at", 2**62),
    "text with a NUL": _set("versions", "text", "\0"),
    "half a character": _set("versions", "reason", "\ud800"),
    "an empty agent": _rename(["default", "", ""]),
    "a scope of two parts": _rename(["default", "bot"]),
    "a scope that is not text": _rename(["default", 7, ""]),
    "another scope": _rename(["default", "stranger", ""]),
    "an unknown table": lambda lines: lines[0]["tables"].update(alembic_version=["version_num"]),
    "an unknown column": lambda lines: lines[0]["tables"]["heads"].append("x"),
    "rows of an unknown table": lambda lines: lines.insert(2, ["store", ["a", "b"]]),
    "a second header": lambda lines: lines.insert(2, lines[0]),
    "a row that is too short": lambda lines: lines[2][1].pop(),
    "a scope twice": _double,
    "no rows for a scope": lambda lines: lines.insert(-1, {"scope": ["default", "empty", ""]}),
    "no scope at all": lambda lines: lines.__setitem__(slice(1, -1), []),
}  # fmt: skip


@pytest.mark.case("S-40")
@pytest.mark.parametrize("what", list(HOSTILE))
def test_a_hostile_export_is_refused_and_changes_nothing(sqlite_url: str, tmp_path: Path, what: str) -> None:
    with Memory.open(tmp_path / "first") as first:
        _fill(first)
        first.export(tmp_path / "export")
    lines = _lines(tmp_path / "export" / ROWS)
    HOSTILE[what](lines)
    (tmp_path / "export" / ROWS).write_bytes(_sealed(lines))

    with Memory.open(sqlite_url) as memory:
        before = rows(memory)
        with pytest.raises((InvalidText, NotAllowed)):
            memory.import_("reverie", tmp_path / "export")
        assert rows(memory) == before
        assert memory.agents() == []


@pytest.mark.case("S-40")
@pytest.mark.parametrize("what", ["cut", "flipped", "longer", "empty", "noise", "deep", "endless"])
def test_a_damaged_export_is_refused_and_changes_nothing(sqlite_url: str, tmp_path: Path, what: str) -> None:
    with Memory.open(tmp_path / "first") as first:
        _fill(first)
        first.export(tmp_path / "export")
    path = tmp_path / "export" / ROWS
    content = path.read_bytes()
    path.write_bytes({
        "cut": content[: len(content) // 2], "flipped": content.replace(b"calm", b"evil"), "longer": content + b"x",
        "empty": b"", "noise": b"\xff\x00" * 50, "deep": b"[" * 200_000, "endless": b'"' + b"x" * (17 * 1024 * 1024),
    }[what])  # fmt: skip

    with Memory.open(sqlite_url) as memory:
        before = rows(memory)
        with pytest.raises(InvalidText):
            memory.import_("reverie", tmp_path / "export")
        assert rows(memory) == before


def test_a_path_that_is_not_there_and_a_format_that_is_not_known_are_named(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        with pytest.raises(NotFound):
            memory.import_("reverie", tmp_path / "nowhere")
        with pytest.raises(NotFound, match="openclaw"):
            memory.import_("openclow", tmp_path, agent="bot")


@pytest.mark.deep
@pytest.mark.case("S-40")
def test_entries_are_streamed_however_many_there_are(tmp_path: Path) -> None:
    """Memory stays flat: ten times the journal takes no more of it, so ten million entries do not either."""
    small, large = _peak(tmp_path / "small", 10_000), _peak(tmp_path / "large", 100_000)

    assert large < small + 1024 * 1024


def _peak(folder: Path, entries: int) -> int:
    """The most memory that exporting and importing a journal takes at once, in bytes."""
    with Memory.open(folder / "first") as first:
        scope = first.agent("bot").user("ann").scope
        for part in range(entries // 5000):
            first.store.book.append(scope, [Entry("user", "user", f"message {part} {number}") for number in range(5000)])
        first.export(folder / "warm")
        tracemalloc.start()
        first.export(folder / "export")
        with Memory.open(folder / "second") as second:
            second.import_("reverie", folder / "export")
            peak = tracemalloc.get_traced_memory()[1]
            assert second.store.journal.counters(scope=scope)["records"] == entries
        tracemalloc.stop()
    return peak
