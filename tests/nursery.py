"""A nursery: real child processes for tests, forked from one clean interpreter that has everything imported.

Tests that kill processes need many of them, and a fork costs milliseconds where a new interpreter costs half a second.
The nursery is a program of its own (`python -m tests.nursery`), because forking the test runner itself, with its
threads, is not safe. It reads one job a line and answers with what became of the children.

A job names a function as `module:function`. It is called with a `Parent` and the job's arguments; what it says comes
back as lines. A child may be killed at the n-th step after it called `Parent.begin`; see `tests.steps`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests import steps

_write = os.write  # as it is before steps are counted: what a child says is no step
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Job:
    """What to run, how often at the same time, and at which step to kill it.

    `kill` None only counts the steps; 0 neither counts nor kills. `traced` takes system calls as steps; then an
    `error` (errno) makes the call at that step fail instead.
    """

    act: str
    arguments: Sequence[object] = ()
    copies: int = 1
    kill: int | None = 0
    traced: bool = False
    error: int = 0


@dataclass(frozen=True)
class Ended:
    """What became of one child: its lines, its exit code or the negative number of a signal, its steps."""

    lines: list[str]
    code: int
    steps: list[str] = field(default_factory=list)

    @property
    def acked(self) -> bool:
        """Whether the child said that its act was done."""
        return "done" in self.lines


class Parent:
    """What a child can say to the test, and how it says that its act begins."""

    def __init__(self, handle: int, job: Job, number: int) -> None:
        self._handle = handle
        self._job = job
        self.number = number

    def say(self, line: object) -> None:
        """Tell the test a line at once."""
        _write(self._handle, f"{line}\n".encode())

    def begin(self) -> None:
        """Steps count from here."""
        if self._job.kill == 0:
            return
        if self._job.traced:
            steps.ask_to_be_traced()
        else:
            steps.count(self._job.kill, lambda step: self.say(f"step {step}"), self._job.error)

    def ended(self) -> None:
        """The act is over; in traced jobs steps count no more."""
        if self._job.kill != 0 and self._job.traced:
            steps.ask_to_be_left()


class Nursery:
    """The test's side: starts the program and gives it jobs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, job: Job) -> list[Ended]:
        """Run a job and wait until all its children ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the nursery itself died; its words are on standard error"
        return [Ended(**ended) for ended in json.loads(answer)]

    def one(
        self, act: str, *arguments: object, kill: int | None = 0, traced: bool = False, error: int = 0
    ) -> Ended:  # fmt: skip
        """Run one child."""
        return self.run(Job(act, arguments, 1, kill, traced, error))[0]


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    """Start the program and end it."""
    command = [sys.executable, "-m", "tests.nursery"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Nursery(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait()
        process.stdout.close()


def main() -> None:
    """Read jobs until there are none."""
    from tests import acts, troubles  # noqa: F401  # so that the children have them

    for line in sys.stdin:
        print(json.dumps([asdict(ended) for ended in _run(Job(**json.loads(line)))]), flush=True)  # noqa: T201


def _run(job: Job) -> list[Ended]:
    sys.stdout.flush()
    children = [_born(job, number) for number in range(job.copies)]
    return [_ended(pid, handle, job) for pid, handle in children]


def _born(job: Job, number: int) -> tuple[int, int]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    os.close(reading)
    code = 1
    try:
        module, name = job.act.split(":")
        getattr(importlib.import_module(module), name)(Parent(writing, job, number), *job.arguments)
        code = 0
    except BaseException:  # noqa: BLE001  # whatever it was, the test sees it by the exit code
        traceback.print_exc()
    finally:
        os._exit(code)


def _ended(pid: int, handle: int, job: Job) -> Ended:
    if job.traced and job.kill != 0:
        calls, status = steps.follow(pid, job.kill, job.error)
        text = _read(handle)
    else:
        text = _read(handle)
        status = os.waitpid(pid, 0)[1]
        calls = []
    lines = text.removesuffix("\n").split("\n") if text else []
    told = [line.removeprefix("step ") for line in lines if line.startswith("step ")]
    return Ended([line for line in lines if not line.startswith("step ")], _code(status), calls or told)


def _read(handle: int) -> str:
    with os.fdopen(handle, encoding="utf-8") as pipe:
        return pipe.read()


def _code(status: int) -> int:
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
