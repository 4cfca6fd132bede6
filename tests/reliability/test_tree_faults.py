"""Crashes, full disks, disks that cannot be written or that fail: the ledger has the truth and the tree follows."""

from __future__ import annotations

import errno
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reverie.tree.safe import temporary_name
from tests.reliability import tree_kills
from tests.trees import TreeStore, state, tree_store

MEMORY = "MEMORY.md"
BASE = "- likes tea\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TreeStore]:
    with tree_store(tmp_path / "store") as opened:
        opened.write(MEMORY, BASE)
        yield opened


@pytest.mark.slow
@pytest.mark.case("R-01")
@pytest.mark.parametrize("scenario", list(tree_kills.SCENARIOS))
def test_a_kill_at_any_step_leaves_ledger_and_file_whole(tmp_path: Path, scenario: str) -> None:
    program = [sys.executable, "-m", "tests.reliability.tree_kills", str(tmp_path / "store"), scenario]
    run = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr

    outcomes: list[dict[str, Any]] = json.loads(run.stdout)

    assert len(outcomes) > 1
    for found in outcomes:
        assert found["in_step"]
        assert found["file"] == found["head"]
        assert found["left_over"] == []
        if scenario in ("adopted", "merged", "held", "clashing"):
            assert any("green tea" in (text or "") for text in found["history"] + found["edits"])


def test_a_crash_before_the_file_was_written_is_repaired(store: TreeStore) -> None:
    store.put(MEMORY, "new\n")

    assert store.settle() == []
    assert store.path(MEMORY).read_text() == "new\n"


def test_a_crash_after_the_file_was_written_is_noted(store: TreeStore) -> None:
    store.put(MEMORY, "new\n")
    store.path(MEMORY).write_text("new\n")

    assert store.settle() == []
    assert len(store.history(MEMORY)) == 2
    assert store.is_in_step()


def test_a_crash_while_a_second_name_existed_is_repaired(store: TreeStore) -> None:
    os.link(store.path(MEMORY), store.path(MEMORY).with_name(temporary_name()))

    assert store.settle() == []
    assert store.left_over() == []
    assert store.path(MEMORY).read_text() == BASE


@pytest.mark.case("R-07")
@pytest.mark.parametrize("refused", ["x" * 1_000_001, "line " * 200_001])
def test_an_edit_that_can_never_be_stored_changes_nothing(store: TreeStore, refused: str) -> None:
    store.path(MEMORY).write_text(refused)
    before = state(store.path(MEMORY))

    assert store.settle() == ["tree_unusable"]

    assert store.text(MEMORY) == BASE
    assert len(store.history(MEMORY)) == 1
    assert state(store.path(MEMORY)) == before


def failing(call: Callable[..., Any], number: int, times: int) -> Callable[..., Any]:
    """A system call that fails the first times it is made."""

    def failed(*arguments: Any, **named: Any) -> Any:
        nonlocal times
        if times > 0:
            times -= 1
            raise OSError(number, os.strerror(number))
        return call(*arguments, **named)

    return failed


@pytest.mark.case("R-13")
def test_a_failed_sync_is_reported_and_the_write_done_anew(
    store: TreeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MEMORY, "new\n")
    monkeypatch.setattr(os, "fsync", failing(os.fsync, errno.EIO, 1))

    (notice,) = store.settled().notices

    assert notice.code == "tree_not_written"
    assert "input/output error" in notice.message
    assert store.path(MEMORY).read_text() == BASE
    assert store.left_over() == []
    assert not store.is_in_step()

    assert store.settle() == []
    assert store.path(MEMORY).read_text() == "new\n"


@pytest.mark.case("R-13")
@pytest.mark.parametrize("failures", range(1, 5))
def test_no_failed_sync_is_noted_as_done(
    store: TreeStore, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    store.path(MEMORY).write_text(BASE + "- edited\n")
    monkeypatch.setattr(os, "fsync", failing(os.fsync, errno.EIO, failures))

    while not store.is_in_step():
        codes = store.settle()

    assert codes == ["tree_edit_adopted"] or store.text(MEMORY) == BASE + "- edited\n"
    assert store.path(MEMORY).read_text() == BASE + "- edited\n"


@pytest.mark.case("R-11")
def test_a_full_disk_leaves_the_old_file_and_recovers(
    store: TreeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MEMORY, "new\n")
    with monkeypatch.context() as full:
        full.setattr(os, "write", failing(os.write, errno.ENOSPC, 1000))
        assert store.settle() == ["tree_not_written"]
        assert store.path(MEMORY).read_text() == BASE
        assert store.text(MEMORY) == "new\n"
        assert store.left_over() == []

    assert store.settle() == []
    assert store.path(MEMORY).read_text() == "new\n"


@pytest.mark.case("R-12")
def test_a_ledger_that_cannot_be_written_is_still_read(tmp_path: Path) -> None:
    with tree_store(tmp_path / "store") as store:
        store.write(MEMORY, BASE)
        store.path(MEMORY).write_text(BASE + "- edited\n")

    with tree_store(tmp_path / "store", read_only=True) as store:
        (notice,) = store.settled().notices
        assert notice.code == "tree_not_taken"
        assert store.text(MEMORY) == BASE
        assert store.path(MEMORY).read_text() == BASE + "- edited\n"

    with tree_store(tmp_path / "store") as store:
        assert store.settle() == ["tree_edit_adopted"]


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Run the block as a user for whom permissions count, who owns the folder."""
    if os.geteuid() != 0:
        yield
        return
    account = pwd.getpwnam("nobody")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account.pw_uid, account.pw_gid)
    os.setegid(account.pw_gid)
    os.seteuid(account.pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


@pytest.mark.case("R-12")
def test_a_tree_that_cannot_be_written_serves_the_ledger(open_folder: Path) -> None:
    with unprivileged(open_folder), tree_store(open_folder / "store") as store:
        store.write(MEMORY, BASE)
        store.put(MEMORY, "new\n")
        store.path(MEMORY).parent.chmod(0o500)

        assert store.settle() == ["tree_not_written"]
        assert store.text(MEMORY) == "new\n"
        assert store.path(MEMORY).read_text() == BASE

        store.path(MEMORY).parent.chmod(0o700)
        assert store.settle() == []
        assert store.path(MEMORY).read_text() == "new\n"


@pytest.mark.case("R-12")
def test_an_edit_in_a_tree_that_cannot_be_written_is_taken(open_folder: Path) -> None:
    with unprivileged(open_folder), tree_store(open_folder / "store") as store:
        store.write(MEMORY, BASE)
        store.path(MEMORY).write_text(BASE + "- edited\n")
        store.path(MEMORY).parent.chmod(0o500)

        assert store.settle() == ["tree_edit_adopted"]
        assert store.text(MEMORY) == BASE + "- edited\n"
        store.path(MEMORY).parent.chmod(0o700)


def test_a_file_that_may_not_be_read_is_told_of(open_folder: Path) -> None:
    with unprivileged(open_folder), tree_store(open_folder / "store") as store:
        store.write(MEMORY, BASE)
        store.path(MEMORY).chmod(0)

        (notice,) = store.settled().notices

        assert notice.code == "tree_unusable"
        assert "permission denied" in notice.message
        assert store.text(MEMORY) == BASE
