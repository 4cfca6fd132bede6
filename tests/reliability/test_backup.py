"""Backups: a consistent copy of a live store, brought back without deleting or mistaking anything."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reverie import Memory
from reverie.backups import restore_backup
from reverie.errors import (
    InvalidText,
    NotAllowed,
    NotFound,
    ReverieError,
    SchemaTooNew,
    StoreBusy,
    StoreDamaged,
)
from reverie.sql import upgrade
from tests.stores import assert_sound, everything, rows

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from reverie import Memory
memory = Memory.open(sys.argv[1])
user = memory.agent("bot").user(sys.argv[2])
for number in range(100000):
    user.append("MEMORY.md", f"fact {number}")
    if number % 50 == 49:
        user.delete("MEMORY.md")
    print(number, flush=True)
"""


def _filled(url: str) -> Memory:
    memory = Memory.open(url)
    memory.agent("bot").write("SOUL.md", "I am calm.\n")
    user = memory.agent("bot").user("ann")
    user.append("MEMORY.md", "likes tea")
    user.append("MEMORY.md", "likes the sea")
    Memory(memory.store, "second").agent("bot").write("SOUL.md", "Another project.\n")
    return memory


def _text(memory: Memory, file: str = "MEMORY.md") -> str | None:
    return getattr(memory.agent("bot").user("ann").read(file), "text", None)


def test_a_backup_brings_the_same_store_back(store_url: str, tmp_path: Path) -> None:
    with _filled(store_url) as memory:
        memory.backup(tmp_path / "backup")
        before = rows(memory)
    aside = restore_backup(tmp_path / "backup", tmp_path / "new")

    with Memory.open(tmp_path / "new") as back:
        assert_sound(back)
        after = rows(back)
        assert Memory(back.store, "second").agent("bot").read("SOUL.md") is not None
    assert aside is None
    assert (tmp_path / "new" / "agents" / "bot" / "users" / "ann" / "MEMORY.md").read_text() == "- likes tea\n- likes the sea\n"
    del before["heads"], after["heads"]  # they say what the working tree holds
    assert after == before


def test_a_store_on_a_server_comes_back_from_its_backup(postgres_url: str, sqlite_url: str, tmp_path: Path) -> None:
    with _filled(sqlite_url) as memory:
        export = memory.export(tmp_path / "export")
    restore_backup(Path(export.path) / "reverie-export.jsonl", postgres_url)

    with Memory.open(postgres_url) as memory:
        assert_sound(memory)
        assert _text(memory) == "- likes tea\n- likes the sea\n"
    with pytest.raises(NotAllowed):
        restore_backup(Path(export.path) / "reverie-export.jsonl", postgres_url)


def test_a_backup_overwrites_nothing(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with _filled(sqlite_url) as memory:
        for name in ("taken", "link"):
            with pytest.raises(NotAllowed):
                memory.backup(tmp_path / name)
        with pytest.raises(NotFound):
            memory.backup(tmp_path / "no" / "folder")

    assert (tmp_path / "taken").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "store", "taken"]


def test_a_restore_moves_what_was_there_aside_and_takes_no_file_for_an_edit(sqlite_url: str, tmp_path: Path) -> None:
    folder = Path(sqlite_url)
    with _filled(sqlite_url) as memory:
        memory.backup(tmp_path / "backup")
        user = memory.agent("bot").user("ann")
        user.append("MEMORY.md", "written after the backup")
        user.write("topics/later.md", "- later\n")
    (folder / "agents" / "bot" / "SOUL.md").write_text("edited and not looked at\n")

    with pytest.raises(NotAllowed):
        restore_backup(tmp_path / "backup", folder)
    aside = restore_backup(tmp_path / "backup", folder, replace=True)

    with Memory.open(folder) as memory:
        assert memory.verify().problems == []
        assert _text(memory) == "- likes tea\n- likes the sea\n"
        assert _text(memory, "topics/later.md") is None
        assert len(memory.agent("bot").history("SOUL.md")) == 1
        assert not memory.agent("bot").context().warnings
    assert aside is not None
    assert (aside / "agents" / "bot" / "SOUL.md").read_text() == "edited and not looked at\n"
    restore_backup(aside / "reverie.db", tmp_path / "old")
    with Memory.open(tmp_path / "old") as old:
        assert (_text(old) or "").endswith("written after the backup\n")


def test_a_store_in_use_is_not_replaced(sqlite_url: str, tmp_path: Path) -> None:
    with _filled(sqlite_url) as memory:
        memory.backup(tmp_path / "backup")
        before = everything(memory)
        with pytest.raises(StoreBusy):
            restore_backup(tmp_path / "backup", sqlite_url, replace=True)
        assert everything(memory) == before


@pytest.mark.parametrize(
    ("name", "error"), [("cut", StoreDamaged), ("noise", InvalidText), ("empty", InvalidText), ("nothing", NotFound), ("other", StoreDamaged)]
)  # fmt: skip
def test_what_is_no_whole_backup_changes_nothing(sqlite_url: str, tmp_path: Path, name: str, error: type[Exception]) -> None:
    with _filled(sqlite_url) as memory:
        memory.backup(tmp_path / "backup")
        before = rows(memory)
    content = (tmp_path / "backup").read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    (tmp_path / "noise").write_bytes(b"noise" * 100)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "other").write_bytes(content[:100] + b"\0" * 3996)

    with pytest.raises(error):
        restore_backup(tmp_path / name, sqlite_url, replace=True)

    with Memory.open(sqlite_url) as memory:
        assert rows(memory) == before
    assert not list(Path(sqlite_url).glob(".replaced/restored-*"))


@pytest.mark.parametrize("name", ["noise", "nothing", "newer"])
def test_a_restore_that_fails_leaves_no_folder_behind(sqlite_url: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "noise").write_bytes(b"noise" * 100)
    with _filled(sqlite_url) as memory:
        with memory.store.database.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        memory.backup(tmp_path / "newer")
    (tmp_path / "kept").mkdir()

    for folder in (tmp_path / "a" / "new" / "store", tmp_path / "kept"):
        with pytest.raises(ReverieError):
            restore_backup(tmp_path / name, folder)

    assert not (tmp_path / "a").exists()
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_backup_of_a_newer_schema_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    with _filled(sqlite_url) as memory:
        with memory.store.database.writer.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        memory.backup(tmp_path / "backup")

    with pytest.raises(SchemaTooNew):
        restore_backup(tmp_path / "backup", tmp_path / "new")


@pytest.mark.case("R-42")
def test_a_migration_makes_a_backup_first(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with _filled(sqlite_url) as memory:
        before = rows(memory)
    monkeypatch.setattr(upgrade, "HEAD", "9999")  # so that the store's own revision counts as an older one
    with Memory.open(sqlite_url) as memory:
        assert rows(memory) == before
    monkeypatch.undo()

    (made,) = (Path(sqlite_url) / "backups").iterdir()
    restore_backup(made, Path(sqlite_url) / "old")
    with Memory.open(Path(sqlite_url) / "old") as old:
        assert_sound(old)


@pytest.mark.deep
@pytest.mark.case("R-17")
def test_backups_under_write_load_are_consistent_points(tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    Memory.open(url).close()
    program = [sys.executable, "-c", WRITER, url]
    writers = [subprocess.Popen([*program, user], cwd=ROOT, stdout=subprocess.DEVNULL) for user in ("ann", "bob", "cat")]
    try:
        counts = []
        with Memory.open(url) as memory:
            for number in range(20):
                _wait_for_records(memory, 30 * (number + 1))
                memory.backup(tmp_path / f"backup-{number}")
        for number in range(20):
            restore_backup(tmp_path / f"backup-{number}", tmp_path / f"back-{number}")
            with Memory.open(tmp_path / f"back-{number}") as back:
                report = back.verify()
                assert report.problems == []
                counts.append(report.records)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()

    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


@pytest.mark.deep
@pytest.mark.case("R-17")
def test_a_naive_copy_of_a_live_database_is_found_out(tmp_path: Path) -> None:
    """`cp reverie.db` leaves the newest commits in the log; a checkpoint says that they are missing."""
    with _filled(str(tmp_path / "store")) as memory:
        checkpoint = memory.checkpoint()
        (tmp_path / "copy").mkdir()
        shutil.copy(tmp_path / "store" / "reverie.db", tmp_path / "copy" / "reverie.db")

    with Memory.open(tmp_path / "copy") as copy:
        problems = copy.verify(against=checkpoint).problems

    assert {problem.code for problem in problems} & {"tail_missing", "scope_missing"}


def _wait_for_records(memory: Memory, wanted: int) -> None:
    for _ in range(6000):
        scopes = memory.store.versions.scopes(project="default")
        if sum(memory.store.journal.counters(scope=scope)["seq"] for scope in scopes) >= wanted:
            return
        time.sleep(0.01)
    raise AssertionError("the writers stand still")
