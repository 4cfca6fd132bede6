"""What children of the nursery do in trouble: on a disk that is full or cannot be written, and without file handles."""

from __future__ import annotations

import contextlib
import os
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path

from reverie import Memory
from reverie.errors import ReverieError
from reverie.memory import Agent, User
from reverie.testing import FixedClock
from tests.acts import AGENT, FILE, OLD, USER, prepared
from tests.nursery import Parent

NOBODY = 65534
Verb = Callable[[User, Agent], object]

READS: dict[str, Verb] = {
    "read": lambda user, agent: user.read(FILE),
    "read of a version": lambda user, agent: user.read(FILE, version=1),
    "files": lambda user, agent: user.files(),
    "history": lambda user, agent: user.history(FILE),
    "blame": lambda user, agent: user.blame(FILE),
    "diff": lambda user, agent: user.diff(FILE, 1, 2),
    "context": lambda user, agent: user.context(),
    "journal": lambda user, agent: user.journal(),
    "edits": lambda user, agent: agent.edits(),
    "users": lambda user, agent: agent.users(),
}
WRITES: dict[str, Verb] = {
    "write": lambda user, agent: user.write("USER.md", "new"),
    "append": lambda user, agent: user.append(FILE, "new"),
    "edit": lambda user, agent: user.edit(FILE, "Riga", "Rome"),
    "delete": lambda user, agent: user.delete(FILE),
    "restore": lambda user, agent: user.restore(FILE, 1),
    "accept": lambda user, agent: agent.accept_edit(agent.edits()[0].id),
    "discard": lambda user, agent: agent.discard_edit(agent.edits()[0].id),
    "configure": lambda user, agent: agent.configure(language="ru"),
}


def read_only(parent: Parent, folder: str, scratch: str) -> None:
    """Everything on a store that this process may not write. Root may write anything, so it becomes nobody first."""
    prepared(Path(scratch))
    with Memory.open(scratch, clock=FixedClock()) as memory:
        for verb in (*READS.values(), *WRITES.values()):
            with contextlib.suppress(IndexError):  # the one edit that waits can be decided once
                _outcome(memory, verb)  # so that all is imported that nobody may not read
        memory.verify()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    with Memory.open(folder, clock=FixedClock()) as memory:
        for name, verb in (READS | WRITES).items():
            parent.say(f"{name}: {_outcome(memory, verb)}")
        with tempfile.TemporaryDirectory(dir="/tmp" if os.geteuid() == NOBODY else None) as out:
            parent.say(f"backup: {_outcome(memory, lambda user, agent: memory.backup(Path(out, 'backup')))}")
            parent.say(f"export: {_outcome(memory, lambda user, agent: memory.export(Path(out, 'export')))}")
        report = memory.verify()
        parent.say(f"sound: {report.ok or report.problems}")


def full_disk(parent: Parent, mount: str, first: int, step: int, last: int) -> None:
    """Write with ever less room on a small disk; say each outcome, and whether the same store goes on afterwards."""
    filler = Path(mount) / "filler"
    text = "# Memory\n\n" + "- something to remember\n" * 180
    with Memory.open(Path(mount) / "store", clock=FixedClock()) as memory:
        user = memory.agent(AGENT).user(USER)
        user.write(FILE, "- old\n")
        for room in range(first, last, step):
            before = user.read(FILE)
            _fill(filler, Path(mount), room)
            try:
                user.write(FILE, f"{text}- {room}\n", removal_meant=True)
                outcome = "done"
            except ReverieError as error:
                outcome = error.code
                assert user.read(FILE) == before
            user.context()
            empty = [path for path in Path(mount, "store", "agents").rglob("*") if path.is_file() and not path.stat().st_size]
            filler.unlink()
            user.write(FILE, f"- after {room}\n", removal_meant=True)
            after = user.read(FILE)
            assert after is not None
            assert after.text == f"- after {room}\n"
            assert memory.verify().ok
            parent.say(f"{outcome} {len(empty)}")


def few_handles(parent: Parent, folder: str, spare: int) -> None:
    """Use a store when only so many more files can be opened; then with as many as before."""
    with Memory.open(folder, clock=FixedClock()) as memory:
        for verb in (*READS.values(), WRITES["append"]):  # so that all is imported: an import opens files too
            _outcome(memory, verb)
        memory.verify()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = _handles()
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before) + 1 + spare, hard))
    outcomes = []
    try:
        with Memory.open(folder, clock=FixedClock()) as memory:
            outcomes += [_outcome(memory, verb) for verb in (READS["context"], WRITES["append"], READS["history"])]
    except ReverieError as error:
        outcomes.append(error.code)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    parent.say(" ".join(outcomes))
    parent.say(f"leaked {[os.readlink(f'/proc/self/fd/{number}') for number in sorted(_handles() - before)]}")
    with Memory.open(folder, clock=FixedClock()) as memory:
        parent.say(_outcome(memory, WRITES["append"]))
        parent.say(f"sound {memory.verify().ok}")


def verbs_twice(parent: Parent, folder: str) -> None:
    """Use every verb and say what each left open the second time."""
    with Memory.open(folder, clock=FixedClock()) as memory:
        for name, verb in (READS | WRITES).items():
            if name in ("accept", "discard"):
                continue  # once only, and they write as `write` does
            _outcome(memory, verb)
            memory.agent(AGENT).user(USER).write(FILE, OLD, removal_meant=True)
            before = _handles()
            _outcome(memory, verb)
            if left := _handles() - before:
                parent.say(f"{name}: {[os.readlink(f'/proc/self/fd/{number}') for number in left]}")


def _outcome(memory: Memory, verb: Verb) -> str:
    agent = memory.agent(AGENT)
    try:
        verb(agent.user(USER), agent)
    except ReverieError as error:
        return error.code
    return "done"


def _handles() -> set[int]:
    """The numbers of this process's open files."""
    listed = {int(name) for name in os.listdir("/dev/fd")}
    return {number for number in listed if _is_open(number)}


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _fill(filler: Path, mount: Path, room: int) -> None:
    """Use up a disk but for so many bytes."""
    with filler.open("wb") as file:
        status = os.statvfs(mount)
        with contextlib.suppress(OSError):
            file.write(b"x" * max(0, status.f_bavail * status.f_frsize - room))
