"""What children of the nursery do: each act opens a store, says that it begins, does one thing and says that it is done."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from reverie import Memory
from reverie.errors import ReverieError, StaleVersion
from reverie.memory import Agent, User
from reverie.records import Entry
from reverie.testing import FixedClock
from reverie.versions import PendingEdit, Version
from tests.nursery import Parent

AGENT, USER, FILE = "ann", "bob", "MEMORY.md"
OLD = "# Memory\n\n- likes tea\n- lives in Riga\n"
NEW = OLD + "- works at night\n"
EDITED = "# Memory\n\n- likes green tea\n- lives in Riga\n"


Made = Version | PendingEdit | None


def prepared(folder: Path) -> None:
    """The store that every act begins with: two versions of one file, one topic, one held-back edit, records."""
    with Memory.open(folder, clock=FixedClock()) as memory:
        agent = memory.agent(AGENT)
        user = agent.user(USER)
        user.write(FILE, "the first text\n")
        user.write(FILE, OLD, removal_meant=True)
        user.write("topics/travel.md", "- trains\n")
        agent.write("SOUL.md", "calm\n")
        agent.configure(shared_writes="review")
        agent.write("SOUL.md", "calm and kind\n", origin="agent")
        user.context()


def _write(user: User, agent: Agent) -> Made:
    return user.write(FILE, NEW, version=2)


def _create(user: User, agent: Agent) -> Made:
    return user.write("USER.md", NEW, version=0)


def _append(user: User, agent: Agent) -> Made:
    return user.append(FILE, "works at night")


def _edit(user: User, agent: Agent) -> Made:
    return user.edit(FILE, "likes tea", "likes green tea")


def _delete(user: User, agent: Agent) -> Made:
    return user.delete(FILE)


def _restore(user: User, agent: Agent) -> Made:
    return user.restore(FILE, 1)


def _accept(user: User, agent: Agent) -> Made:
    return agent.accept_edit(agent.edits()[0].id, by="carol")


def _hold(user: User, agent: Agent) -> Made:
    return agent.write("ABOUT.md", "a tutor\n", origin="agent")


def _adopt(user: User, agent: Agent) -> Made:
    user.context()
    return None


ACTS: dict[str, Callable[[User, Agent], Made]] = {
    "write": _write, "create": _create, "append": _append, "edit": _edit, "delete": _delete, "restore": _restore,
    "accept": _accept, "hold": _hold, "adopt": _adopt,
}  # fmt: skip


def act(parent: Parent, name: str, folder: str) -> None:
    """One act on a prepared store."""
    memory = Memory.open(folder, clock=FixedClock())
    agent = memory.agent(AGENT)
    user = agent.user(USER)
    parent.begin()
    ACTS[name](user, agent)
    parent.say("done")


def act_and_go_on(parent: Parent, name: str, folder: str) -> None:
    """One act while something fails once: say how it ended, what is read then, and whether the next write works."""
    memory = Memory.open(folder, clock=FixedClock())
    agent = memory.agent(AGENT)
    user = agent.user(USER)
    user.write("topics/before.md", "- everything is open and imported\n")
    parent.begin()
    try:
        made = ACTS[name](user, agent)
        parent.say("done")
        if made is not None and made.notices:
            parent.say("told")
    except ReverieError as error:
        parent.say(f"refused {error.code}")
    parent.ended()
    document = user.read(FILE)
    parent.say(f"read {document.text if document else None!r}")
    user.write("topics/after.md", "- it goes on\n")
    parent.say("recovered")
    report = memory.verify()
    parent.say(f"sound {report.ok or report.problems}")


def race(parent: Parent, url: str, edits: int) -> None:
    """Edit one file again and again, always on the version that was read; say each outcome."""
    with Memory.open(url) as memory:
        user = memory.agent(AGENT).user(USER)
        for number in range(edits):
            document = user.read(FILE)
            text = f"- edit {number} of {parent.number}\n"
            try:
                made = user.write(FILE, text, version=document.version if document else 0)
                assert isinstance(made, Version)
                parent.say(f"won {made.number} {made.text!r}")
            except StaleVersion as error:
                parent.say(f"lost {error.current} {document.version if document else 0}")


def record(parent: Parent, url: str, records: int) -> None:
    """Append records to one journal."""
    with Memory.open(url) as memory:
        user = memory.agent(AGENT).user(USER)
        for number in range(records):
            text = f"record {number} of {parent.number} {'.' * (number % 97)}"
            memory.store.book.append(user.scope, [Entry("user", "user", text, session=f"s{parent.number}")])
    parent.say("done")


def record_until_killed(parent: Parent, folder: str, seconds: float) -> None:
    """Append records and say each, until another process kills this one."""
    with Memory.open(folder) as memory:
        user = memory.agent(AGENT).user(USER)
        killed, killer = os.getpid(), os.fork()
        if not killer:
            time.sleep(seconds)
            os.kill(killed, signal.SIGKILL)
            os._exit(0)
        for number in itertools.count():
            memory.store.book.append(user.scope, [Entry("user", "user", str(number))])
            parent.say(number)
