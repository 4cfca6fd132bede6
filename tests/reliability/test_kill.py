"""Kill -9 at each step of every act: what was acknowledged is there, what was not is old or new, nothing is mixed."""

from __future__ import annotations

import random
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reverie import Memory
from reverie.records import text_hash
from reverie.scopes import Scope, folder_of
from reverie.testing import FixedClock
from tests.acts import ACTS, AGENT, EDITED, FILE, USER, prepared
from tests.nursery import Ended, Nursery
from tests.steps import can_trace
from tests.stores import assert_settled, assert_sound, assert_straight

EVERY = 10
"""In the quick tier one step in so many is tried, beginning at a different one for each act."""

State = dict[str, Any]
PERSON = Scope("default", AGENT, USER)
SCOPES = (PERSON, PERSON.of_agent)


@pytest.fixture(scope="session")
def prepared_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared") / "store"
    prepared(folder)
    return folder


@pytest.mark.slow
@pytest.mark.case("R-01")
@pytest.mark.parametrize("way", ["steps", "calls"])
@pytest.mark.parametrize("act", ACTS)
def test_a_kill_at_some_step_leaves_old_or_new(
    act: str, way: str, prepared_store: Path, tmp_path: Path, children: Nursery
) -> None:
    rig = Rig(act, way, prepared_store, tmp_path, children)
    dry = rig.dry_run()
    first = random.Random(f"{act} {way}").randrange(EVERY)
    for step in range(1 + first, len(dry.steps) + 1, EVERY):
        rig.kill_at(step, dry)


@pytest.mark.deep
@pytest.mark.case("R-01")
@pytest.mark.parametrize("way", ["steps", "calls"])
@pytest.mark.parametrize("act", ACTS)
def test_a_kill_at_any_step_leaves_old_or_new(
    act: str, way: str, prepared_store: Path, tmp_path: Path, children: Nursery
) -> None:
    rig = Rig(act, way, prepared_store, tmp_path, children)
    dry = rig.dry_run()
    for step in range(1, len(dry.steps) + 1):
        rig.kill_at(step, dry)


@pytest.mark.case("R-01")
def test_every_record_that_was_acknowledged_before_a_kill_is_there(tmp_path: Path, children: Nursery) -> None:
    """The kill comes from outside, while the child appends as fast as it can."""
    prepared(tmp_path / "store")
    ended = children.one("tests.acts:record_until_killed", str(tmp_path / "store"), 0.3)
    assert ended.code == -signal.SIGKILL
    with Memory.open(tmp_path / "store") as memory:
        user = memory.agent(AGENT).user(USER)
        texts = [record.text for record in user.journal(limit=100_000) if record.kind == "user"]
        assert [int(text or "") for text in texts][: len(ended.lines)] == list(range(len(ended.lines)))
        assert 0 <= len(texts) - len(ended.lines) <= 1
        assert_sound(memory)


@dataclass(frozen=True)
class Dry:
    """An act undisturbed: its steps, and the states before and after it."""

    steps: list[str]
    before: State
    after: State


@dataclass(frozen=True)
class Rig:
    """One act on copies of the prepared store. Where tracing is not permitted, steps are those seen from inside."""

    act: str
    way: str
    prepared: Path
    folder: Path
    children: Nursery

    def dry_run(self) -> Dry:
        folder = self._copy("dry")
        with Memory.open(folder, clock=FixedClock()) as memory:
            before = _state(memory)
        ended = self._run(folder, None)
        assert ended.acked
        assert ended.code == 0
        with Memory.open(folder, clock=FixedClock()) as memory:
            return Dry(ended.steps, before, _state(memory))

    def kill_at(self, step: int, dry: Dry) -> None:
        where = f"killed at step {step} of {len(dry.steps)}: {dry.steps[step - 1]}"
        folder = self._copy(str(step))
        ended = self._run(folder, step)
        assert ended.code == -signal.SIGKILL, where
        with Memory.open(folder, clock=FixedClock()) as memory:
            left = _state(memory)
            assert left == dry.after if ended.acked else left in (dry.before, dry.after), where
            assert_sound(memory)
            user = memory.agent(AGENT).user(USER)
            assert_settled(memory, memory.agent(AGENT), user)
            for info in user.files():
                assert_straight(user.history(info.name))
            assert _state(memory) == (dry.after if self.act == "adopt" else left), where
            _assert_files_are_heads(memory, folder)
        shutil.rmtree(folder)

    def _run(self, folder: Path, kill: int | None) -> Ended:
        traced = self.way == "calls" and can_trace()
        return self.children.one("tests.acts:act", self.act, str(folder), kill=kill, traced=traced)

    def _copy(self, name: str) -> Path:
        folder = self.folder / name
        shutil.copytree(self.prepared, folder)
        if self.act == "adopt":
            folder.joinpath(*folder_of(PERSON), FILE).write_text(EDITED, encoding="utf-8")
        return folder


def _state(memory: Memory) -> State:
    """What the ledger says, without looking at the tree; what differs from run to run is left out."""
    versions, journal = memory.store.versions, memory.store.journal
    found: State = {}
    for scope in SCOPES:
        files = {file for (_, file) in versions.heads(scopes=[scope])}
        found[str(scope)] = (
            {file: [version.text for version in versions.history(scope=scope, file=file)] for file in files},
            [(edit.file, edit.text, edit.status) for edit in versions.edits(scope=scope, status=None)],
            [(record.kind, record.file, record.version) for record in journal.read(scope=scope)],
        )
    return found


def _assert_files_are_heads(memory: Memory, folder: Path) -> None:
    for (scope, file), head in memory.store.versions.heads(scopes=SCOPES).items():
        path = folder.joinpath(*folder_of(scope), *file.split("/"))
        if file.endswith(".md"):
            found = path.read_text(encoding="utf-8") if path.exists() else None
            assert text_hash(found) == head.hash, file
            assert (found is None) == head.absent, file
