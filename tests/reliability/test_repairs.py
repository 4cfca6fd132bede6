"""What `verify` says about each kind of damage is true: the repair it names is done here, and the damage is gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.backups import restore_backup
from reverie.damage import DAMAGES
from reverie.errors import StoreDamaged
from reverie.memory import User
from reverie.records import Entry

pytestmark = pytest.mark.case("R-14")

FILE = "MEMORY.md"

BACKED_UP = {
    "record_altered": "UPDATE records SET text = 'other words' WHERE seq = 2 AND user_id = 'bob'",
    "records_missing": "DELETE FROM records WHERE seq = 1 AND user_id = 'bob'",
    "tail_missing": "DELETE FROM records WHERE seq = 3 AND user_id = 'bob'",
    "head_mismatch": "UPDATE scopes SET hash = 'none' WHERE user_id = 'bob'",
    "version_altered": "UPDATE versions SET text = 'other words' WHERE number = 2 AND user_id = 'bob'",
    "version_missing": "DELETE FROM versions WHERE number = 1 AND user_id = 'bob'",
    "version_orphan": "UPDATE versions SET seq = 3 WHERE number = 2 AND user_id = 'bob'",
    "parent_wrong": "UPDATE versions SET parent = 2 WHERE number = 2 AND user_id = 'bob'",
    "counter_wrong": "UPDATE scopes SET versions = 9 WHERE user_id = 'bob'",
    "row_orphan": "DELETE FROM scopes WHERE user_id = 'bob'",
}  # fmt: skip


def _run(memory: Memory, statement: str) -> None:
    with memory.store.database.writer.begin() as connection:
        connection.execute(sa.text(statement))


def _bob(memory: Memory) -> User:
    return memory.agent("ann").user("bob")


def _fill(memory: Memory) -> None:
    memory.agent("ann").write("SOUL.md", "calm\n")
    memory.agent("ann").configure(shared_writes="review", language="ru")
    _bob(memory).write(FILE, "- one\n")
    _bob(memory).write(FILE, "- two\n")
    memory.store.book.append(_bob(memory).scope, [Entry("user", "user", "hello")])


def _codes(memory: Memory) -> set[str]:
    return {problem.code for problem in memory.verify().problems}


@pytest.mark.parametrize("code", list(BACKED_UP))
def test_a_backup_repairs_it(sqlite_url: str, tmp_path: Path, code: str) -> None:
    assert "restore-backup" in next(row.repair for row in DAMAGES if row.code == code)
    with Memory.open(sqlite_url) as memory:
        _fill(memory)
        memory.backup(tmp_path / "backup")
        _run(memory, BACKED_UP[code])
        assert code in _codes(memory)

    restore_backup(tmp_path / "backup", sqlite_url, replace=True)

    with Memory.open(sqlite_url) as memory:
        assert memory.verify().ok
        assert [version.text for version in _bob(memory).history(FILE)] == ["- one\n", "- two\n"]


@pytest.mark.parametrize("repair", [lambda bob: bob.restore(FILE, 1), lambda bob: bob.write(FILE, "- new\n")], ids=["restore", "write"])
def test_an_altered_version_is_told_of_still_but_the_file_can_be_read(store_url: str, repair: Callable[[User], object]) -> None:
    with Memory.open(store_url) as memory:
        _fill(memory)
        _run(memory, BACKED_UP["version_altered"])
    with Memory.open(store_url) as memory:
        with pytest.raises(StoreDamaged):
            _bob(memory).read(FILE)
        repair(_bob(memory))
        assert _bob(memory).read(FILE) is not None
        assert _codes(memory) == {"version_altered"}


@pytest.mark.parametrize(
    "damage", ["DELETE FROM heads WHERE user_id = 'bob'", "UPDATE heads SET number = 1 WHERE user_id = 'bob'"]
)
def test_a_whole_write_repairs_a_wrong_head(store_url: str, damage: str) -> None:
    with Memory.open(store_url) as memory:
        _fill(memory)
        _run(memory, damage)
        assert _codes(memory) - {"tree_differs"} == {"head_wrong"}
        _bob(memory).write(FILE, "- new\n")
        assert memory.verify().ok


def test_setting_a_value_repairs_settings_that_a_setting_cannot_take(store_url: str, tmp_path: Path) -> None:
    with Memory.open(store_url, settings={}) as memory:
        _fill(memory)
        _run(memory, "UPDATE versions SET text = '{' WHERE file = 'settings.json'")
        assert {"settings_wrong", "version_altered"} == _codes(memory)
        memory.agent("ann").configure(language="en")
        assert _codes(memory) == {"version_altered"}
        assert memory.agent("ann").settings.language == "en"


def _to_a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    ("code", "damage", "repair"),
    [
        ("tree_missing", lambda path: path.unlink(), lambda path: None),
        ("tree_odd", _to_a_link, lambda path: path.unlink()),
        ("tree_odd", lambda path: path.write_bytes(b"\xff\xfe"), lambda path: path.rename(path.with_name("aside"))),
        ("tree_differs", lambda path: path.write_text("- edited\n"), lambda path: None),
        ("tree_stray", lambda path: path.with_name("Notes.md").touch(), lambda path: path.with_name("Notes.md").unlink()),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_tree_goes_with_the_next_read(
    sqlite_url: str, code: str, damage: Callable[[Path], object], repair: Callable[[Path], object]
) -> None:
    with Memory.open(sqlite_url) as memory:
        _fill(memory)
        path = Path(sqlite_url) / "agents" / "ann" / "users" / "bob" / FILE
        damage(path)
        assert _codes(memory) == {code}
        repair(path)
        document = _bob(memory).read(FILE)
        assert document is not None
        assert memory.verify().problems in ((), [])
        assert path.read_text() == document.text
