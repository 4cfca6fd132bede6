"""A full disk: the typed error, the old content intact, reading goes on, and the same open store recovers."""

from __future__ import annotations

import contextlib
import errno
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import StoreFull
from reverie.testing import FixedClock
from tests.acts import ACTS, AGENT, FILE, OLD, USER, prepared
from tests.nursery import Nursery
from tests.steps import can_fail
from tests.stores import assert_settled, assert_sound

EVERY = 6
REFUSED = {"refused store_full", "refused store_damaged", "refused store_read_only"}
KILOBYTE = 1024


@pytest.mark.slow
@pytest.mark.case("R-11")
@pytest.mark.parametrize("act", [name for name in ACTS if name != "adopt"])
def test_no_room_at_some_call_is_survived(act: str, tmp_path: Path, children: Nursery) -> None:
    _no_room(act, EVERY, tmp_path, children)


@pytest.mark.deep
@pytest.mark.case("R-11")
@pytest.mark.parametrize("act", [name for name in ACTS if name != "adopt"])
def test_no_room_at_any_call_is_survived(act: str, tmp_path: Path, children: Nursery) -> None:
    _no_room(act, 1, tmp_path, children)


@pytest.mark.case("R-11")
def test_a_full_ledger_refuses_and_recovers_without_being_opened_again(sqlite_url: str) -> None:
    with Memory.open(sqlite_url, clock=FixedClock()) as memory:
        user = memory.agent(AGENT).user(USER)
        user.write(FILE, OLD)
        size = _pages(memory, "page_count", limit=None)
        _pages(memory, "max_page_count", limit=size)
        refused: list[str] = []
        for number in range(40):
            before = user.history("topics/big.md")
            try:
                user.write("topics/big.md", f"- {number} " + "x" * 5000 + "\n")
            except StoreFull as error:
                refused.append(str(error))
                assert user.history("topics/big.md") == before  # what was refused is not there
            document = user.read(FILE)
            assert document is not None
            assert document.text == OLD
            user.context()
        assert len(refused) > 30
        assert all("full" in said and "Free some space" in said for said in refused)
        assert_sound(memory)

        _pages(memory, "max_page_count", limit=2**30)
        user.write("topics/big.md", "- small again\n", removal_meant=True)
        assert_settled(memory, user)
        assert [path for path in Path(sqlite_url).rglob("*.md") if not path.stat().st_size] == []


@pytest.mark.deep
@pytest.mark.case("R-11")
def test_a_small_disk_that_fills_up_at_each_page(tmp_path: Path, children: Nursery) -> None:
    """On a real file system of eight megabytes; where none can be mounted, every call is refused room instead."""
    with _small_disk(tmp_path / "disk") as mount:
        if mount is None:
            for act in ("write", "create", "delete"):
                _no_room(act, 1, tmp_path / act, children)
            return
        ended = children.one("tests.troubles:full_disk", str(mount), 0, 4 * KILOBYTE, 400 * KILOBYTE)
        outcomes = [line.split() for line in ended.lines]
        assert ended.code == 0
        assert len(outcomes) == 100
        assert {code for code, _ in outcomes} == {"done", "store_full"}
        assert {empty for _, empty in outcomes} == {"0"}, "no file of nothing, ever"


def _no_room(act: str, every: int, folder: Path, children: Nursery) -> None:
    prepared(folder / "prepared")
    shutil.copytree(folder / "prepared", folder / "dry")
    traced = can_fail()
    dry = children.one("tests.acts:act_and_go_on", act, str(folder / "dry"), kill=None, traced=traced)
    assert dry.lines[-2:] == ["recovered", "sound True"]
    for step in range(1 + random.Random(act).randrange(every), len(dry.steps) + 1, every):
        where = f"no room at step {step} of {len(dry.steps)}: {dry.steps[step - 1]}"
        store = folder / str(step)
        shutil.copytree(folder / "prepared", store)
        ended = children.one(
            "tests.acts:act_and_go_on", act, str(store), kill=step, traced=traced, error=errno.ENOSPC
        )
        outcome = ended.lines[0]
        assert outcome == "done" or outcome in REFUSED, where
        assert outcome != "refused store_damaged" or "sync" in dry.steps[step - 1], where
        assert ended.lines[-2:] == ["recovered", "sound True"], where
        shown = next(line for line in dry.lines if line.startswith("read"))
        assert (shown if outcome == "done" else f"read {OLD!r}") in ended.lines, where
        with Memory.open(store, clock=FixedClock()) as memory:
            assert_sound(memory)
            assert_settled(memory, memory.agent(AGENT), memory.agent(AGENT).user(USER))
        assert [path for path in store.rglob("*.md") if not path.stat().st_size] == [], where


def _pages(memory: Memory, pragma: str, *, limit: int | None) -> int:
    """Ask the writer's connection; the pool hands the same one out again."""
    connection = memory.store.database.writer.raw_connection()
    try:
        cursor = connection.cursor()
        words = f"PRAGMA {pragma}" if limit is None else f"PRAGMA {pragma}={limit}"
        cursor.execute(words)
        row = cursor.fetchone()
        assert row is not None
        return int(row[0])
    finally:
        connection.close()


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of eight megabytes in memory; None where this process may not mount one."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
