"""No lost update: processes that expect the version they read, on each database; each loser is told what is current."""

from __future__ import annotations

import re

import pytest

from reverie import Memory
from tests.acts import AGENT, FILE, USER
from tests.nursery import Job, Nursery
from tests.stores import assert_settled, assert_sound, assert_straight

PROCESSES, EDITS = 8, 50


@pytest.mark.slow
@pytest.mark.case("R-03", "R-04")
def test_every_success_is_in_history_and_every_loser_knows_the_current_version(
    store_url: str, children: Nursery
) -> None:
    Memory.open(store_url).close()
    ended = children.run(Job("tests.acts:race", (store_url, EDITS), copies=PROCESSES))

    assert [child.code for child in ended] == [0] * PROCESSES, "no lock error, no other error"
    lines = [line for child in ended for line in child.lines]
    assert len(lines) == PROCESSES * EDITS
    won = dict(_win(line) for line in lines if line.startswith("won"))
    lost = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("lost")]
    assert len(won) + len(lost) == PROCESSES * EDITS, "no two successes got one number"
    assert len(won) >= EDITS, "whoever lost, lost to somebody who won"
    assert all(current > expected for current, expected in lost)

    with Memory.open(store_url) as memory:
        user = memory.agent(AGENT).user(USER)
        history = user.history(FILE)
        assert_straight(history)
        assert {version.number: repr(version.text) for version in history} == won
        changes = [(record.file, record.version) for record in user.journal(limit=1000) if record.kind == "change"]
        assert changes == [(FILE, number) for number in range(1, len(won) + 1)]
        assert_sound(memory)
        assert_settled(memory, user)


def _win(line: str) -> tuple[int, str]:
    found = re.fullmatch(r"won (\d+) (.*)", line)
    assert found is not None
    return int(found[1]), found[2]
