"""Edits that wait for a person: what was changed behind the store's back is seen, never accepted, and can be discarded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import InvalidText, NotFound, StoreDamaged
from reverie.memory import Agent
from reverie.sql import schema
from reverie.testing import FixedClock
from reverie.versions import Version
from tests.altered import ALTERED_EDITS, MISSING_EDITS, WAITING_EDITS, Mutation, run
from tests.stores import assert_sound, rows

ALTERED = pytest.mark.parametrize("mutate", WAITING_EDITS, ids=range(len(WAITING_EDITS)))


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    """A store in which one edit of two versions of a file waits."""
    with Memory.open(store_url, clock=FixedClock(), settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("bot")
        agent.write("SOUL.md", "calm\n")
        agent.write("SOUL.md", "calm and kind\n")
        agent.acting(actor="model", session="s1").write("SOUL.md", "calm, kind and brave\n", origin="agent")
        yield memory


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return memory.agent("bot")


@pytest.mark.case("S-09", "R-43")
@ALTERED
def test_an_edit_that_was_changed_is_marked_and_cannot_be_accepted(memory: Memory, agent: Agent, mutate: Mutation) -> None:
    mutate(memory)
    agent.append("SOUL.md", "I came later.", origin="agent")

    damaged, sound = agent.edits()

    assert (damaged.damaged, damaged.text, sound.damaged) == (True, None, False)
    for text in (None, "resolved"):
        with pytest.raises(StoreDamaged, match=damaged.id):
            agent.accept_edit(damaged.id, text=text)
    assert [version.number for version in agent.history("SOUL.md")] == [1, 2]
    assert isinstance(agent.accept_edit(sound.id), Version)


@pytest.mark.case("S-09", "R-43")
@ALTERED
def test_an_edit_that_was_changed_can_be_discarded(memory: Memory, agent: Agent, mutate: Mutation) -> None:
    mutate(memory)
    [damaged] = agent.edits()

    assert agent.discard_edit(damaged.id, by="vera").status == "discarded"

    assert agent.edits() == []
    assert {problem.code for problem in memory.verify().problems} <= {"edit_altered", "edit_missing"}
    agent.append("SOUL.md", "I go on.", origin="agent")
    agent.accept_edit(agent.edits()[0].id)


def test_an_edit_that_the_database_cannot_give_hides_no_other_and_can_be_discarded(sqlite_url: str) -> None:
    with Memory.open(sqlite_url, settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("bot")
        for text in ("one", "two"):
            agent.write("SOUL.md", text, origin="agent")
        run(memory, "UPDATE edits SET text = CAST(x'ff' AS TEXT) WHERE text = 'one'")

        damaged, sound = agent.edits()

        assert (damaged.damaged, sound.text) == (True, "two")
        assert {problem.code for problem in memory.verify().problems} == {"edit_altered"}
        agent.discard_edit(damaged.id)
        assert agent.edits() == [sound]


@pytest.mark.case("R-43", "D-10")
@pytest.mark.parametrize("mutate", [*ALTERED_EDITS, *MISSING_EDITS], ids=range(len(ALTERED_EDITS) + len(MISSING_EDITS)))
def test_edits_that_were_changed_are_not_exported(memory: Memory, mutate: Mutation, tmp_path: Path) -> None:
    mutate(memory)

    with pytest.raises(StoreDamaged):
        memory.export(tmp_path / "export")

    assert not (tmp_path / "export").exists()


@pytest.mark.case("D-10")
def test_edits_travel_with_their_records(memory: Memory, agent: Agent, tmp_path: Path) -> None:
    agent.discard_edit(agent.edits()[0].id, by="vera")
    agent.write("ABOUT.md", "a tutor", origin="agent")
    memory.export(tmp_path / "export")

    with Memory.open(tmp_path / "second") as second:
        second.import_("reverie", tmp_path / "export")
        assert_sound(second)
        assert rows(second)["edits"] == rows(memory)["edits"]
        assert second.agent("bot").accept_edit(second.agent("bot").edits()[0].id).text == "a tutor"
        assert_sound(second)


@pytest.mark.case("S-09")
def test_who_decided_and_why_is_kept(memory: Memory, agent: Agent) -> None:
    agent.write("ABOUT.md", "a tutor", origin="agent")
    first, second = agent.edits()

    told = agent.acting(reason="too bold").discard_edit(first.id, by="vera")
    agent.accept_edit(second.id, by="ivan")

    assert (told.decided_by, told.decided_reason) == ("vera", "too bold")
    found = _rows(memory)
    assert [(row.status, row.decided_by, row.decided_reason) for row in found] == [
        ("discarded", "vera", "too bold"),
        ("accepted", "ivan", None),
    ]
    decisions = [json.loads(link.data) for link in memory.store.journal.links(scope=agent.scope) if '"by"' in link.data]
    assert [(told["edit"], told["status"], told["by"]) for told in decisions] == [
        (first.id, "discarded", "vera"),
        (second.id, "accepted", "ivan"),
    ]
    assert_sound(memory)


def test_who_acts_decides_unless_another_is_named(memory: Memory, agent: Agent) -> None:
    [edit] = agent.edits()

    assert agent.acting(actor="ed").discard_edit(edit.id).decided_by == "ed"

    with pytest.raises(NotFound):
        agent.discard_edit(edit.id)


def test_a_name_that_cannot_be_stored_decides_nothing(agent: Agent) -> None:
    [edit] = agent.edits()

    with pytest.raises(InvalidText):
        agent.discard_edit(edit.id, by="ve\0ra")

    assert agent.edits() == [edit]


def test_a_write_does_not_look_at_the_edits_of_long_ago(memory: Memory, agent: Agent) -> None:
    asked: list[str] = []

    @sa.event.listens_for(sa.Engine, "before_cursor_execute")
    def _note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if "edits" in statement:
            asked.append(statement)

    try:
        agent.write("SOUL.md", "calm, kind and patient\n")
        agent.context()
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", _note)

    assert asked == []


def test_edits_that_wait_are_found_by_an_index(memory: Memory, agent: Agent) -> None:
    indexes = sa.inspect(memory.store.database.writer).get_indexes("edits")
    assert [index["column_names"] for index in indexes] == [[*schema.SCOPE, "status", "seq"]]
    if memory.store.database.kind == "sqlite":
        with memory.store.database.reader.connect() as connection:
            query = "EXPLAIN QUERY PLAN SELECT * FROM edits WHERE project = 'p' AND agent = 'a' AND user_id = '' AND status = 'pending' ORDER BY seq"
            plan = [str(row.detail) for row in connection.exec_driver_sql(query)]
        assert len(plan) == 1
        assert str(indexes[0]["name"]) in plan[0]


def _rows(memory: Memory) -> list[Any]:
    with memory.store.database.snapshot() as connection:
        return list(connection.execute(sa.select(schema.edits).order_by(schema.edits.c.seq)).all())
