"""Altering a store behind its back: statements as mutations, journals cut and mixed up, every way to alter an edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sa

from reverie import Memory
from reverie.chain import StoredRecord
from reverie.records import GENESIS, record_hash
from reverie.scopes import Scope

ANN = Scope("default", "bot", "ann")
Mutation = Callable[[Memory], None]


def run(memory: Memory, statement: str, **values: object) -> None:
    """Run a statement on the database of a store that is open."""
    with memory.store.database.writer.begin() as connection:
        connection.execute(sa.text(statement), values)


def sql(statement: str) -> Mutation:
    """A statement as a mutation."""
    return lambda memory: run(memory, statement)


def swap_rows(memory: Memory) -> None:
    """Exchange two whole records."""
    for old, new in ((6, 106), (7, 6), (106, 7)):
        run(memory, "UPDATE records SET seq = :new WHERE user_id = 'ann' AND seq = :old", old=old, new=new)


def swap_words(memory: Memory) -> None:
    """Exchange the words of two records, with what the chain holds of them."""
    with memory.store.database.writer.begin() as connection:
        rows = connection.execute(sa.text("SELECT seq, text, salt, commitment FROM records WHERE user_id = 'ann' AND seq IN (6, 7)")).all()
        for row, other in (rows, rows[::-1]):
            connection.execute(
                sa.text("UPDATE records SET text = :text, salt = :salt, commitment = :commitment WHERE user_id = 'ann' AND seq = :seq"),
                {"text": other.text, "salt": other.salt, "commitment": other.commitment, "seq": row.seq},
            )  # fmt: skip


def cut_tail(memory: Memory) -> None:
    """Remove the newest records."""
    run(memory, "DELETE FROM records WHERE user_id = 'ann' AND seq > 9")


def cut_tail_and_its_count(memory: Memory) -> None:
    """What nobody can find without a checkpoint: a shorter journal looks like a quiet day."""
    cut_tail(memory)
    run(
        memory,
        "UPDATE scopes SET seq = 9, records = 9, messages = 5,"
        " hash = (SELECT hash FROM records WHERE user_id = 'ann' AND seq = 9) WHERE user_id = 'ann'",
    )


def rewrite(memory: Memory) -> None:
    """Change words and compute the whole chain anew, as somebody with write access can."""
    with memory.store.database.writer.begin() as connection:
        before = GENESIS
        for stored in list(memory.store.inspection().records(ANN, 1000)):
            assert isinstance(stored, StoredRecord)
            link = stored.link
            link = replace(link, previous=before, record=replace(link.record, actor="somebody"))
            before = record_hash(ANN, link)
            connection.execute(
                sa.text("UPDATE records SET actor = 'somebody', previous = :previous, hash = :hash WHERE user_id = 'ann' AND seq = :seq"),
                {"previous": link.previous, "hash": before, "seq": link.record.seq},
            )  # fmt: skip
        connection.execute(sa.text("UPDATE versions SET actor = 'somebody' WHERE user_id = 'ann'"))
        connection.execute(sa.text("UPDATE scopes SET hash = :hash WHERE user_id = 'ann'"), {"hash": before})


def _discard(memory: Memory) -> None:
    agent = memory.agent("bot")
    agent.discard_edit(agent.edits()[0].id, by="carol")
    assert memory.verify().problems == []


def _undecide(memory: Memory) -> None:
    """Let an edit that was discarded wait again."""
    _discard(memory)
    run(memory, "UPDATE edits SET status = 'pending', decided_seq = NULL, decided_by = NULL, decided_at = NULL")


def _decide_by_another(memory: Memory) -> None:
    _discard(memory)
    run(memory, "UPDATE edits SET decided_by = 'somebody'")


def _accept_what_was_discarded(memory: Memory) -> None:
    _discard(memory)
    run(memory, "UPDATE edits SET status = 'accepted'")


def _discard_and_delete(memory: Memory) -> None:
    _discard(memory)
    run(memory, "DELETE FROM edits")


WAITING_EDITS: list[Mutation] = [
    sql("UPDATE edits SET text = 'other words'"),
    sql("UPDATE edits SET text = NULL"),
    sql("UPDATE edits SET text = NULL, removal = NOT removal"),
    sql("UPDATE edits SET removal = NOT removal"),
    sql("UPDATE edits SET conflict = NOT conflict"),
    sql("UPDATE edits SET base = base + 1"),
    sql("UPDATE edits SET file = 'ABOUT.md'"),
    sql("UPDATE edits SET origin = 'user'"),
    sql("UPDATE edits SET actor = 'somebody'"),
    sql("UPDATE edits SET session = 'another'"),
    sql("UPDATE edits SET reason = 'another'"),
    sql("UPDATE edits SET at = at + 1"),
    sql("UPDATE edits SET notices = '[0'"),
    sql("""UPDATE edits SET notices = '["all is well"]'"""),
    sql("UPDATE edits SET decided_by = 'somebody'"),
    sql("UPDATE edits SET seq = 1"),
    sql("UPDATE edits SET id = 'another'"),
]
"""What can be done to the one edit that waits in a store, so that it waits on."""

ALTERED_EDITS: list[Mutation] = [
    *WAITING_EDITS,
    sql("UPDATE edits SET status = 'accepted'"),
    sql("UPDATE edits SET status = 'discarded', decided_seq = seq, decided_by = '', decided_at = at"),
    _undecide,
    _decide_by_another,
    _accept_what_was_discarded,
]
MISSING_EDITS: list[Mutation] = [sql("DELETE FROM edits"), _discard_and_delete]
