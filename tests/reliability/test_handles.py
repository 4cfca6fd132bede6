"""Out of file handles: a typed error, nothing leaks, and with handles to spare the store goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.acts import prepared
from tests.nursery import Nursery

TYPED = {"done", "store_busy", "store_read_only", "store_full", "store_damaged"}


@pytest.mark.case("R-18")
def test_no_verb_leaves_a_file_open(tmp_path: Path, children: Nursery) -> None:
    """Each verb twice: the first use may open what the store keeps, the second may not open more."""
    prepared(tmp_path / "store")
    ended = children.one("tests.troubles:verbs_twice", str(tmp_path / "store"))
    assert (ended.code, ended.lines) == (0, [])


@pytest.mark.deep
@pytest.mark.case("R-18")
def test_a_store_without_file_handles_says_so_and_recovers(tmp_path: Path, children: Nursery) -> None:
    prepared(tmp_path / "prepared")
    seen = set()
    for spare in range(40):
        shutil.copytree(tmp_path / "prepared", tmp_path / str(spare))
        ended = children.one("tests.troubles:few_handles", str(tmp_path / str(spare)), spare)
        assert ended.code == 0, (spare, ended.lines)
        outcomes, leaked, after, sound = ended.lines
        assert set(outcomes.split()) <= TYPED, (spare, outcomes)
        assert (leaked, after, sound) == ("leaked []", "done", "sound True"), spare
        seen |= set(outcomes.split())
    assert "done" in seen
    assert seen != {"done"}
