"""Opening: which SQLite is trusted with what, what an unclean stop leaves, and which schemas open."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import SchemaTooNew, StoreDamaged
from reverie.scopes import Scope
from reverie.sql.database import journal_mode, sqlite_driver
from reverie.sql.presence import LOCK, Presence
from reverie.sql.startup import check_file, left_unclean
from reverie.sql.upgrade import revisions
from tests.stores import assert_sound

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"

KILLED = """
import os, signal, sys
from reverie import Memory
user = Memory.open(sys.argv[1]).agent("bot").user("ann")
for number in range(5):
    user.append("MEMORY.md", f"fact {number}")
os.kill(os.getpid(), signal.SIGKILL)
"""

KILLED_BUILDING = """
import os, signal, sys
import sqlalchemy as sa
from reverie import Memory
from reverie.sql import database
seen = 0
@sa.event.listens_for(sa.Engine, "before_cursor_execute")
def count(connection, cursor, statement, parameters, context, many):
    global seen
    seen += statement.lstrip().upper().startswith(("CREATE", "INSERT", "UPDATE"))
    if seen == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
Memory.open(sys.argv[1])
print(seen)
"""


def _killed(folder: Path) -> Path:
    run = subprocess.run([sys.executable, "-c", KILLED, str(folder)], cwd=ROOT, check=False)
    assert run.returncode == -signal.SIGKILL
    return folder


@pytest.mark.case("R-16")
@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 51, 2), "delete"), ((3, 51, 3), "wal"), ((3, 53, 0), "wal"), ((3, 50, 6), "delete"), ((3, 50, 7), "wal"),
        ((3, 44, 5), "delete"), ((3, 44, 6), "wal"), ((3, 45, 0), "delete"), ((3, 40, 1), "delete"), ((3, 7, 0), "delete"),
    ],
)  # fmt: skip
def test_a_log_is_used_only_where_sqlite_is_fixed(version: tuple[int, int, int], mode: str) -> None:
    assert journal_mode(version, "ext4") == mode


@pytest.mark.case("R-16")
@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "fuse.sshfs", "9p"])
def test_no_log_is_used_on_a_network_file_system(kind: str) -> None:
    assert journal_mode((3, 53, 0), kind) == "delete"


@pytest.mark.case("R-16")
def test_an_unclean_stop_is_known_and_recovered_from(tmp_path: Path) -> None:
    folder = _killed(tmp_path / "store")
    assert left_unclean(folder / "reverie.db")

    with Memory.open(folder) as memory:
        assert_sound(memory)
        assert len(memory.agent("bot").user("ann").history("MEMORY.md")) == 5
    assert not left_unclean(folder / "reverie.db")


@pytest.mark.case("R-15", "R-16")
def test_a_log_that_was_lost_is_refused_and_not_passed_over(tmp_path: Path) -> None:
    folder = _killed(tmp_path / "store")
    (folder / "reverie.db-wal").write_bytes(b"")

    for _ in range(2):
        with pytest.raises(StoreDamaged, match="acknowledged"):
            Memory.open(folder)

    (folder / LOCK).unlink()
    with Memory.open(folder) as memory:
        assert_sound(memory)


@pytest.mark.case("R-17")
@pytest.mark.parametrize("instead", ["an older copy", "another store", "nothing"])
def test_a_database_that_is_not_the_one_used_here_last_is_refused(tmp_path: Path, instead: str) -> None:
    store = tmp_path / "store"
    with Memory.open(store) as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
        shutil.copy(store / "reverie.db", tmp_path / "an older copy")  # while it is open: the log is left out
    with Memory.open(store) as memory:
        memory.agent("bot").write("SOUL.md", "I am calm.\n")
    with Memory.open(tmp_path / "other") as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
    shutil.copy(tmp_path / "other" / "reverie.db", tmp_path / "another store")
    shutil.copytree(store, tmp_path / "moved")
    (store / "reverie.db").unlink()
    if instead != "nothing":
        shutil.copy(tmp_path / instead, store / "reverie.db")

    for _ in range(2):
        with pytest.raises(StoreDamaged, match="used here last"):
            Memory.open(store)

    with Memory.open(tmp_path / "moved") as memory:
        assert memory.verify().problems == []
    (store / LOCK).unlink()
    with Memory.open(store) as memory:
        memory.agent("bot").context()
        assert_sound(memory)


@pytest.mark.case("R-17")
def test_files_that_are_newer_than_a_copied_database_are_not_taken_for_edits(tmp_path: Path) -> None:
    """As after `cp -r store/* copy`, which leaves the lock file out, or a copy of the database into an old folder."""
    store, copy = tmp_path / "store", tmp_path / "copy"
    with Memory.open(store) as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
    with Memory.open(store) as memory:
        copy.mkdir()
        shutil.copy(store / "reverie.db", copy / "reverie.db")
        memory.agent("bot").write("SOUL.md", "I am calm.\n")
        shutil.copytree(store / "agents", copy / "agents")

    for _ in range(2):
        with Memory.open(copy) as memory:
            agent = memory.agent("bot")
            soul = agent.read("SOUL.md")
            assert soul is not None
            assert (soul.text, soul.version) == ("I am.\n", 1)
            assert [(edit.text, edit.conflict) for edit in agent.edits()] == [("I am calm.\n", True)]
            assert_sound(memory)


@pytest.mark.case("R-17")
def test_a_folder_that_is_moved_or_opened_again_is_the_same_store(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "store") as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
    (tmp_path / "store").rename(tmp_path / "moved")
    (tmp_path / "moved" / "agents" / "bot" / "SOUL.md").write_text("I was edited.\n")

    for _ in range(2):
        with Memory.open(tmp_path / "moved") as memory:
            soul = memory.agent("bot").read("SOUL.md")
            assert soul is not None
            assert (soul.text, soul.version) == ("I was edited.\n", 2)
            assert memory.agent("bot").edits() == []


@pytest.mark.case("R-16")
def test_a_store_that_somebody_has_open_is_not_checked_again(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as first:
        first.agent("bot").write("SOUL.md", "I am.\n")
        with Presence(tmp_path) as second:
            assert not second.alone
        with Memory.open(tmp_path) as second_memory:
            assert second_memory.agents() == ["bot"]
    with Presence(tmp_path) as alone:
        assert alone.alone
        witness = alone.witnessed()
        assert witness is not None
        assert witness.rested


def test_the_witness_is_the_last_commit(tmp_path: Path) -> None:
    scope = Scope("default", "bot", "ann")
    with Presence(tmp_path) as presence:
        presence.witness(scope, 7, "ab" * 32)
        found = presence.witnessed()
        presence.forget()
        assert presence.witnessed() is None
    assert found is not None
    assert (found.seq, found.hash, found.rested) == (7, "ab" * 32, False)


@pytest.mark.case("R-16")
def test_the_check_at_start_is_bounded(tmp_path: Path) -> None:
    """With no time at all it finds nothing, also in a damaged file, instead of keeping the caller."""
    path = tmp_path / "some.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a TEXT)")
    connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 20_000)
    connection.commit()
    connection.close()

    check_file(path, sqlite_driver(), seconds=-1)


@pytest.mark.case("R-42")
@pytest.mark.parametrize("revision", sorted(revisions()))
def test_a_store_of_every_released_schema_opens(tmp_path: Path, revision: str) -> None:
    connection = sqlite3.connect(tmp_path / "reverie.db")
    connection.executescript((DATA / f"schema-{revision}.sql").read_text(encoding="utf-8"))
    connection.close()

    with Memory.open(tmp_path) as memory:
        user = memory.agent("bot").user("анна")
        user.context()
        assert_sound(memory)
        memory_file = user.read("MEMORY.md")
        assert memory_file is not None
        assert memory_file.text == "## План\n\n- плывёт в Одессу\n- likes tea\n"
        assert [info.name for info in user.files()] == ["SOUL.md", "MEMORY.md", "topics/лодки.md"]
        assert [record.text for record in user.journal() if record.kind in ("user", "agent")] == ["Привет", "Здравствуй"]
        assert memory.agent("bot").settings.timezone == "Europe/Minsk"
        assert len(memory.agent("bot").edits()) == 1
        user.append("MEMORY.md", "written since")
        assert_sound(memory)


@pytest.mark.case("R-42")
def test_a_store_of_a_newer_schema_is_refused_and_left_alone(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
        with memory.store.database.writer.begin() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(SchemaTooNew, match="9999"):
        Memory.open(store_url)


@pytest.mark.case("R-42")
@pytest.mark.parametrize("step", [1, 2, 5, 10, 20, 23])
def test_a_kill_while_the_schema_is_built_leaves_a_store_that_opens(tmp_path: Path, step: int) -> None:
    program = [sys.executable, "-c", KILLED_BUILDING, str(tmp_path / "store"), str(step)]
    run = subprocess.run(program, cwd=ROOT, check=False, capture_output=True, env={**os.environ, "PYTHONWARNINGS": ""})
    assert run.returncode == -signal.SIGKILL, run.stdout + run.stderr

    with Memory.open(tmp_path / "store") as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
        assert_sound(memory)
