"""A failed sync is reported and never tried again into a success: what is said to be done is done."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from reverie import Memory
from reverie.testing import FixedClock
from tests.acts import AGENT, FILE, NEW, OLD, USER, prepared
from tests.nursery import Nursery
from tests.steps import can_fail
from tests.stores import assert_settled, assert_sound


@pytest.mark.slow
@pytest.mark.case("R-13")
@pytest.mark.parametrize("act", ["write", "create", "delete", "accept"])
def test_each_sync_that_fails_is_reported(act: str, tmp_path: Path, children: Nursery) -> None:
    """One sync fails with EIO and the next would succeed.

    If it was the ledger's, nothing was acknowledged. If it was the tree's, the ledger has the text, and the writer is
    told that the file has not.
    """
    traced = can_fail()
    prepared(tmp_path / "prepared")
    shutil.copytree(tmp_path / "prepared", tmp_path / "dry")
    dry = children.one("tests.acts:act_and_go_on", act, str(tmp_path / "dry"), kill=None, traced=traced)
    syncs = [step for step, name in enumerate(dry.steps, 1) if "sync" in name]
    assert len(syncs) >= (3 if traced else 1)
    for step in syncs:
        where = f"step {step}: {dry.steps[step - 1]}"
        shutil.copytree(tmp_path / "prepared", tmp_path / str(step))
        ended = children.one(
            "tests.acts:act_and_go_on", act, str(tmp_path / str(step)), kill=step, traced=traced, error=errno.EIO
        )
        if ended.lines[0] == "done":
            assert "told" in ended.lines, where
            assert step != syncs[0] or not traced, "the first sync is the ledger's"
        else:
            assert ended.lines[0] == "refused store_damaged", where
        assert ended.lines[-2:] == ["recovered", "sound True"], where
        with Memory.open(tmp_path / str(step), clock=FixedClock()) as memory:
            assert_sound(memory)
            user = memory.agent(AGENT).user(USER)
            assert_settled(memory, memory.agent(AGENT), user)
            if act == "write":
                document = user.read(FILE)
                assert document is not None
                assert document.text == (NEW if ended.lines[0] == "done" else OLD), where
