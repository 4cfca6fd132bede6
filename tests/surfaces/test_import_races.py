"""Imports that stop in the middle, or meet another."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.importers.reconciling import reconcile
from reverie.sql import schema
from reverie.transfers import ImportReport
from reverie.versions import Writer
from tests.stores import assert_sound
from tests.workspaces import import_workspace


def test_a_crash_leaves_nothing_of_an_unknown_batch(tmp_path: Path, workspace: Path) -> None:
    """Whichever commit is the first that does not come about."""

    class Stopped(Exception):
        pass

    for last in range(40):
        with Memory.open(tmp_path / f"store-{last}") as memory:
            commits = iter(range(last))

            def stop(connection: sa.Connection, commits: Iterator[int] = commits) -> None:
                if next(commits, None) is None:
                    raise Stopped

            sa.event.listen(memory.store.database.writer, "commit", stop)
            with suppress(Stopped):
                import_workspace(memory, workspace)
                break
            sa.event.remove(memory.store.database.writer, "commit", stop)
            with memory.store.database.snapshot() as connection:
                known = connection.execute(sa.select(schema.batches.c.user_id, schema.batches.c.id)).all()
                found = connection.execute(sa.select(schema.records.c.user_id, schema.records.c.batch).distinct()).all()
            assert {tuple(row) for row in found} <= {tuple(row) for row in known}
            assert_sound(memory)
    else:
        raise AssertionError("the import never ends")


def test_two_imports_at_once_add_everything_once(store_url: str, workspace: Path) -> None:
    Memory.open(store_url).close()
    with Memory.open(store_url) as first, Memory.open(store_url) as second:
        with ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda memory: import_workspace(memory, workspace), (first, second)))

        assert sum(report.added for report in reports) == 9
        assert sum(report.skipped for report in reports) == 9
        user = first.agent("bot").user("ann")
        assert [len(user.history(name)) for name in ("USER.md", "MEMORY.md", "topics/boats.md")] == [1, 1, 1]
        assert len([record for record in user.journal() if record.kind != "change"]) == 4
        assert_sound(first)


@pytest.mark.parametrize("here", [None, "- name: Annie\n"])
def test_an_import_that_another_overtakes_decides_anew(sqlite_url: str, workspace: Path, here: str | None) -> None:
    """The other one comes in after the decision and before the transaction, when the batch begins."""
    with Memory.open(sqlite_url) as memory:
        user = memory.agent("bot").user("ann")
        if here:
            user.write("USER.md", here)
        overtaken: list[ImportReport] = []

        def begin() -> None:
            if not overtaken:
                overtaken.append(import_workspace(memory, workspace))

        done = reconcile(
            memory.store, user.scope, "USER.md", "- name: Ann\n", writer=Writer("import", reason="imported"), begin=begin
        )

        assert done.step == ("wait" if here else "pass")
        assert len(user.history("USER.md")) == 1
        assert len(user.edits()) == (1 if here else 0)
