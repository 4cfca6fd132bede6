"""Kill -9 at each step of settling: run as a program, told a folder and a scenario, it prints what it found as JSON.

For each step of the scenario a child process is forked from a clean start and killed when it reaches that step; then
the store is opened again and looked at. The steps are the calls that change the disk, of the tree and of nobody else.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.tree import exchange
from tests.trees import TreeStore, tree_store

FILE = "MEMORY.md"
OLD = "- likes tea\n- lives in Riga\n"
NEW = "- likes tea\n- lives in Riga\n- written by the agent\n"
EDITED = "- likes green tea\n- lives in Riga\n"
CLASHING = "- likes rum\n- lives in Riga\n"
STEPS = ("write", "fsync", "rename", "unlink", "mkdir", "link")


def written(store: TreeStore) -> None:
    """An agent's write goes to the file."""
    store.write(FILE, NEW)


def removed(store: TreeStore) -> None:
    """A removal goes to the file."""
    store.write(FILE, None)


def adopted(store: TreeStore) -> None:
    """A person's edit becomes a version."""
    store.path(FILE).write_text(EDITED)
    store.settle()


def held(store: TreeStore) -> None:
    """A person's edit is held back and the file written over."""
    store.settings = replace(store.settings, tree_edits="review")
    store.path(FILE).write_text(EDITED)
    store.settle()


def merged(store: TreeStore) -> None:
    """Both sides changed, and it merges."""
    store.put(FILE, NEW)
    store.path(FILE).write_text(EDITED)
    store.settle()


def clashing(store: TreeStore) -> None:
    """Both sides changed, and it does not merge."""
    store.put(FILE, CLASHING)
    store.path(FILE).write_text(EDITED)
    store.settle()


SCENARIOS: dict[str, Callable[[TreeStore], None]] = {
    scenario.__name__: scenario for scenario in (written, removed, adopted, held, merged, clashing)
}


def kill_at(step: int) -> None:
    """Make this process kill itself when the tree reaches its step-th change of the disk."""
    count = 0

    def counting(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)

        return counted

    for name in STEPS:
        setattr(os, name, counting(getattr(os, name)))
    exchange.swap = counting(exchange.swap)
    exchange.rename_new = counting(exchange.rename_new)


def outcome(start: Path, root: Path, scenario: str, step: int) -> dict[str, Any]:
    """Run a scenario in a child that dies at a step, and what the store is like afterwards."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(start, root)
    child = os.fork()
    if child == 0:
        with tree_store(root) as store:
            kill_at(step)
            SCENARIOS[scenario](store)
            os._exit(0)
    _, status = os.waitpid(child, 0)
    with tree_store(root) as store:
        if scenario == "held":
            store.settings = replace(store.settings, tree_edits="review")
        store.settle()
        path = store.path(FILE)
        return {
            "killed": os.WIFSIGNALED(status),
            "file": path.read_text() if path.exists() else None,
            "head": store.text(FILE),
            "history": [version.text for version in store.history(FILE)],
            "edits": [edit.text for edit in store.edits()],
            "left_over": [str(left) for left in store.left_over()],
            "in_step": store.is_in_step(),
        }


def main(root: str, scenario: str) -> None:
    start = Path(root).with_name("start")
    with tree_store(start) as store:
        store.write(FILE, OLD)
    found, step = [], 1
    while True:
        found.append(outcome(start, Path(root), scenario, step))
        if not found[-1]["killed"]:
            break
        step += 1
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
