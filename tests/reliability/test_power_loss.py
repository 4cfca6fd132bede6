"""Power loss at any moment: what was acknowledged is there, and nothing that was lost or left looks like an edit."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from reverie import Memory
from reverie.scopes import Scope, folder_of
from reverie.testing import FixedClock
from tests.acts import ACTS, AGENT, EDITED, FILE, OLD, USER, prepared
from tests.power import Recording, Synced, after_power_loss, recorded
from tests.stores import assert_settled, assert_sound, assert_straight

PERSON = Scope("default", AGENT, USER)
SEEDS = {"quick": 40, "deep": 1200}
"""For each of the nine acts; together more than ten thousand in the deep tier."""

State = dict[str, list[str | None]]


@pytest.mark.slow
@pytest.mark.case("R-02")
@pytest.mark.parametrize("act", ACTS)
def test_a_few_power_losses_leave_old_or_new(act: str, tmp_path: Path) -> None:
    _lose_power(act, SEEDS["quick"], tmp_path)


@pytest.mark.deep
@pytest.mark.case("R-02")
@pytest.mark.parametrize("act", ACTS)
def test_many_power_losses_leave_old_or_new(act: str, tmp_path: Path) -> None:
    _lose_power(act, SEEDS["deep"], tmp_path)


def _lose_power(act: str, seeds: int, folder: Path) -> None:
    recording, before, after, acknowledged = _recorded(act, folder / "store")
    seen: set[Any] = set()
    for seed in range(seeds):
        left = folder / f"left-{seed}"
        moment, fingerprint = after_power_loss(recording, random.Random(f"{act} {seed}"), left)
        if fingerprint not in seen:
            seen.add(fingerprint)
            _check(left, act, moment >= acknowledged, before, after)
        shutil.rmtree(left)
    assert len(seen) > 1


def _recorded(act: str, store: Path) -> tuple[Recording, State, State, int]:
    prepared(store)
    path = store.joinpath(*folder_of(PERSON), FILE)
    unsynced = {}
    if act == "adopt":
        path.write_text(EDITED, encoding="utf-8")
        unsynced[path] = OLD.encode()
    with Memory.open(store, clock=FixedClock()) as memory:
        before = _state(memory)
        with recorded(store, unsynced) as recording:
            ACTS[act](memory.agent(AGENT).user(USER), memory.agent(AGENT))
        acknowledged = len(recording.ledgers) - 1
        after = _state(memory)
    assert after != before
    return recording, before, after, acknowledged


def _check(left: Path, act: str, acknowledged: bool, before: State, after: State) -> None:
    with Memory.open(left, clock=FixedClock()) as memory:
        found = _state(memory)
        assert found in (before, after)
        if acknowledged:
            assert found == after
        assert_sound(memory)
        agent = memory.agent(AGENT)
        assert_settled(memory, agent, agent.user(USER))
        settled = _state(memory)
        assert settled == found or (act == "adopt" and settled == after), "what was left was taken for an edit"
        for info in agent.user(USER).files():
            assert_straight(agent.user(USER).history(info.name))


def _state(memory: Memory) -> State:
    versions = memory.store.versions
    found: State = {}
    for scope in (PERSON, PERSON.of_agent):
        for _, file in versions.heads(scopes=[scope]):
            found[f"{scope} {file}"] = [version.text for version in versions.history(scope=scope, file=file)]
        found[f"{scope} edits"] = [edit.text for edit in versions.edits(scope=scope)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("act", "kind"), [("write", "files"), ("write", "folders"), ("create", "folders")])
def test_the_simulation_notices_a_sync_that_is_left_out(act: str, kind: str, tmp_path: Path) -> None:
    recording, before, after, acknowledged = _recorded(act, tmp_path / "store")
    recording.events[:] = [
        Synced(-1) if isinstance(event, Synced) and (event.what in recording.contents) == (kind == "files") else event
        for event in recording.events
    ]

    def lose_power() -> None:
        for seed in range(SEEDS["quick"]):
            moment, _ = after_power_loss(recording, random.Random(seed), tmp_path / str(seed))
            _check(tmp_path / str(seed), act, moment >= acknowledged, before, after)

    with pytest.raises(AssertionError):
        lose_power()
