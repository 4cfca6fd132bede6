"""How long the command line takes as a whole process: help, and every command that reads."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.effort import Effort
from bench.measured import Figure
from bench.stores import AGENT, USER, fill_files, temporary_folder
from bench.timing import times
from reverie import Memory

HELP_GOAL, READING_GOAL = 250.0, 500.0
"""Milliseconds."""

READING = (
    ("files",), ("read", "SOUL.md"), ("context",), ("compare",), ("history", "SOUL.md"), ("diff", "SOUL.md"),
    ("blame", "SOUL.md"), ("edits",), ("config",), ("verify",),
)  # fmt: skip


def measure(effort: Effort) -> list[Figure]:
    """The median of whole processes, one command after another in rounds, so that a busy moment hits all alike."""
    program = str(Path(sysconfig.get_path("scripts")) / "reverie")
    commands = {"reverie --help": [program, "--help"]}
    commands |= {f"reverie {' '.join(words)}": [program, *words] for words in READING}
    with temporary_folder() as folder:
        store = folder / "store"
        _prepare(store)
        environment = _environment(store, folder / "byte-code")
        took: dict[str, list[int]] = {name: [] for name in ("python -c pass", *commands)}
        for number in range(effort.processes + 1):
            for name, command in {"python -c pass": [sys.executable, "-c", "pass"], **commands}.items():
                spent = _run(command, environment)
                if number:  # the first round fills the disk cache and writes byte code
                    took[name].append(spent)
    figures = []
    for name, spent_times in took.items():
        summary = times(spent_times)
        goal = {"python -c pass": None, "reverie --help": HELP_GOAL}.get(name, READING_GOAL)
        figures.append(
            Figure(name, summary.median, "ms", goal, checked=name in commands, detail=summary.detail)
        )
    return figures


def _environment(store: Path, byte_code: Path) -> dict[str, str]:
    """What a user has: byte code is kept from the first run on, whatever this machine is set to."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    whose = {"REVERIE_STORE": str(store), "REVERIE_AGENT": AGENT, "REVERIE_USER": USER}
    return {**kept, **whose, "PYTHONPYCACHEPREFIX": str(byte_code)}


def _prepare(store: Path) -> None:
    with Memory.open(store) as memory:
        fill_files(memory)
        agent = memory.agent(AGENT)
        document = agent.read("SOUL.md")
        assert document is not None, "it was just written"
        agent.write("SOUL.md", document.text.swapcase())


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    start = time.perf_counter_ns()
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter_ns() - start
