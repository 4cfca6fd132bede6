"""Appenders: records of many processes are whole, once and in sequence; a torn end of the log is never glued to the next."""

from __future__ import annotations

import random
import shutil
import signal
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import StoreDamaged
from reverie.records import Entry
from tests.acts import AGENT, USER, prepared
from tests.nursery import Job, Nursery
from tests.stores import assert_sound

PROCESSES = 8
CUTS = 16


@pytest.mark.slow
@pytest.mark.case("R-05")
def test_records_of_many_processes_are_whole_once_and_in_sequence(store_url: str, children: Nursery) -> None:
    _append_and_check(store_url, children, each=40)


@pytest.mark.deep
@pytest.mark.case("R-05")
def test_a_thousand_records_of_each_process_are_whole_once_and_in_sequence(store_url: str, children: Nursery) -> None:
    _append_and_check(store_url, children, each=1000)


@pytest.mark.slow
@pytest.mark.case("R-05")
def test_a_log_cut_anywhere_in_its_last_record_is_set_aside_and_appending_goes_on(
    tmp_path: Path, children: Nursery
) -> None:
    """A kill leaves the log behind; then its end is cut as a torn write would leave it."""
    prepared(tmp_path / "store")
    ended = children.one("tests.acts:record_until_killed", str(tmp_path / "store"), 0.3)
    assert ended.code == -signal.SIGKILL
    log = tmp_path / "store" / "reverie.db-wal"
    if not log.exists():
        return  # a rollback journal has no tail: what is in the file is whole
    chance = random.Random("cuts")
    size = log.stat().st_size
    for cut in [0, 1, *(chance.randrange(1, 9000) for _ in range(CUTS))]:
        folder = tmp_path / str(cut)
        shutil.copytree(tmp_path / "store", folder, dirs_exist_ok=True)
        with (folder / log.name).open("r+b") as file:
            file.truncate(max(0, size - cut))
        _assert_goes_on(folder, said=len(ended.lines))
        shutil.rmtree(folder)


def _assert_goes_on(folder: Path, said: int) -> None:
    try:
        memory = Memory.open(folder)
    except StoreDamaged:
        return  # the other answer that is allowed: said, and named
    with memory:
        user = memory.agent(AGENT).user(USER)
        before = [record.text for record in user.journal(limit=100_000) if record.kind == "user"]
        assert [int(text or "") for text in before] == list(range(len(before))), "whole, once, in sequence"
        assert len(before) >= said - 4, "only the torn end is gone"
        memory.store.book.append(user.scope, [Entry("user", "user", "after")])
        records = user.journal(limit=100_000)
        assert [record.seq for record in records] == list(range(1, len(records) + 1))
        assert [record.text for record in records if record.kind == "user"] == [*before, "after"]
        assert_sound(memory)


def _append_and_check(url: str, children: Nursery, each: int) -> None:
    Memory.open(url).close()
    ended = children.run(Job("tests.acts:record", (url, each), copies=PROCESSES))
    assert [(child.code, child.lines) for child in ended] == [(0, ["done"])] * PROCESSES
    with Memory.open(url) as memory:
        user = memory.agent(AGENT).user(USER)
        records = user.journal(limit=PROCESSES * each + 1)
        assert [record.seq for record in records] == list(range(1, PROCESSES * each + 1))
        for number in range(PROCESSES):
            own = [record.text for record in user.journal(session=f"s{number}", limit=each + 1)]
            assert own == [f"record {count} of {number} {'.' * (count % 97)}" for count in range(each)]
        assert_sound(memory)
