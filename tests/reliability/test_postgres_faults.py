"""A broken PostgreSQL connection: tried again where that is safe, a typed error otherwise, and never two effects."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import StoreBusy
from reverie.memory import User
from reverie.ports import Change
from reverie.records import Entry
from reverie.scopes import Scope
from reverie.testing import FixedClock
from reverie.versions import Version, Write
from tests.databases import PostgresServer
from tests.stores import assert_sound, assert_straight

FILE = "MEMORY.md"
Act = Callable[[], None]


@pytest.fixture
def memory(postgres_url: str) -> Iterator[Memory]:
    with Memory.open(postgres_url, clock=FixedClock()) as opened:
        opened.agent("ann").user("bob").write(FILE, "- old\n")
        yield opened


@pytest.fixture
def user(memory: Memory) -> User:
    return memory.agent("ann").user("bob")


@pytest.mark.slow
@pytest.mark.case("R-20")
@pytest.mark.parametrize("moment", ["before_cursor_execute", "after_cursor_execute"])
def test_a_backend_that_ends_at_any_statement_costs_nothing(
    moment: str, memory: Memory, user: User, postgres_server: PostgresServer
) -> None:
    """The administrator ends the backend once: the write is run again from the start and has one effect.

    Only where COMMIT itself meets the broken connection is the answer an error, after it was looked up that nothing was
    stored.
    """
    database = memory.store.url.rpartition("/")[2]
    statements = _count(memory, moment, lambda: user.append(FILE, "counted"))
    assert statements > 4
    for number in range(1, statements + 1):
        before = len(user.history(FILE))
        refused = 0
        with _at(memory, moment, number, lambda: postgres_server.terminate_backends(database)):
            try:
                user.append(FILE, f"entry {number}")
            except StoreBusy:
                refused = 1
        assert not refused or (moment, number) == ("after_cursor_execute", statements)
        assert len(user.history(FILE)) == before + 1 - refused
    _assert_straight_and_sound(memory, user)


@pytest.mark.slow
@pytest.mark.case("R-20")
def test_a_backend_that_ends_again_and_again_is_a_typed_error(
    memory: Memory, user: User, postgres_server: PostgresServer
) -> None:
    database = memory.store.url.rpartition("/")[2]
    engine = memory.store.database.writer

    def end(*_: Any) -> None:
        postgres_server.terminate_backends(database)

    sa.event.listen(engine, "before_cursor_execute", end)
    with pytest.raises(StoreBusy):
        user.append(FILE, "never")
    sa.event.remove(engine, "before_cursor_execute", end)

    assert [version.number for version in user.history(FILE)] == [1]
    user.append(FILE, "again")
    _assert_straight_and_sound(memory, user)


@pytest.mark.case("R-20")
def test_a_commit_whose_answer_was_lost_is_looked_up_and_not_done_again(memory: Memory, user: User) -> None:
    with _losing_the_answer(memory, committed=True):
        made = user.append(FILE, "once")
    assert isinstance(made, Version)
    assert made.number == 2
    assert [version.text for version in user.history(FILE)] == ["- old\n", "- old\n- once\n"]
    _assert_straight_and_sound(memory, user)


@pytest.mark.case("R-20")
def test_a_commit_that_was_lost_with_its_connection_is_a_typed_error(memory: Memory, user: User) -> None:
    with _losing_the_answer(memory, committed=False), pytest.raises(StoreBusy):
        user.append(FILE, "never")
    assert [version.text for version in user.history(FILE)] == ["- old\n"]
    user.append(FILE, "again")
    _assert_straight_and_sound(memory, user)


@pytest.mark.case("R-20")
def test_a_record_whose_answer_was_lost_is_there_once(memory: Memory, user: User) -> None:
    with _losing_the_answer(memory, committed=True):
        memory.store.book.append(user.scope, [Entry("user", "user", "hello", key="k")])
    memory.store.book.append(user.scope, [Entry("user", "user", "hello", key="k")])
    assert [record.text for record in user.journal() if record.kind == "user"] == ["hello"]


@pytest.mark.slow
@pytest.mark.case("R-20")
@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_conflict_that_the_server_breaks_is_run_again(state: str, memory: Memory, user: User) -> None:
    runs: list[None] = []

    def act(change: Change) -> Version:
        runs.append(None)
        put = change.put(write=Write(FILE, f"- run {len(runs)}\n", "agent"))
        if len(runs) < 3:
            connection: sa.Connection = vars(change)["_connection"]
            connection.exec_driver_sql(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}'; END $$")
        return put

    made = memory.store.versions.change(scope=user.scope, act=act)

    assert (made.number, made.text) == (2, "- run 3\n")
    _assert_straight_and_sound(memory, user)


@pytest.mark.slow
@pytest.mark.case("R-20")
def test_a_real_deadlock_is_run_again(memory: Memory, user: User) -> None:
    """Another session holds one scope and waits for ours, while we wait for its; the server ends our transaction."""
    other = Scope("default", "ann", "carol")
    memory.store.book.append(other, [Entry("user", "user", "here")])
    lock = "SELECT 1 FROM scopes WHERE user_id = %s FOR UPDATE"
    runs: list[None] = []
    with psycopg.connect(memory.store.url) as session:
        session.execute("SET deadlock_timeout = '1h'")
        session.execute(lock, ["carol"])

        def wait_for_ours() -> None:
            session.execute(lock, ["bob"])
            session.commit()

        waiting = threading.Thread(target=wait_for_ours)

        def act(change: Change) -> Version:
            runs.append(None)
            if len(runs) == 1:
                waiting.start()
                connection: sa.Connection = vars(change)["_connection"]
                connection.exec_driver_sql(lock, ("carol",))
            return change.put(write=Write(FILE, "- new\n", "agent"))

        made = memory.store.versions.change(scope=user.scope, act=act)
        waiting.join()
    assert (made.number, len(runs)) == (2, 2)
    _assert_straight_and_sound(memory, user)


@pytest.mark.case("R-20")
def test_a_scope_that_stays_locked_is_a_typed_error(memory: Memory, user: User) -> None:
    engine = memory.store.database.writer
    engine.dispose()
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute("SET SESSION lock_timeout = '100ms'"))
    with psycopg.connect(memory.store.url) as session:
        session.execute("SELECT 1 FROM scopes FOR UPDATE")
        with pytest.raises(StoreBusy):
            user.append(FILE, "never")
        document = user.read(FILE)
        assert document is not None
        assert document.text == "- old\n"
    user.append(FILE, "now")
    _assert_straight_and_sound(memory, user)


@pytest.mark.case("R-20")
def test_a_pool_without_connections_is_a_typed_error(memory: Memory, user: User) -> None:
    engine = memory.store.database.writer
    pool = engine.pool
    assert isinstance(pool, sa.pool.QueuePool)
    pool._timeout = 0.1  # there is no public way to change it after the engine was made
    taken = [engine.connect() for _ in range(15)]
    with pytest.raises(StoreBusy, match="connections"):
        user.append(FILE, "never")
    assert user.read(FILE) is not None
    for connection in taken:
        connection.close()
    user.append(FILE, "now")
    _assert_straight_and_sound(memory, user)


@pytest.mark.deep
@pytest.mark.case("R-20", "R-01")
@pytest.mark.parametrize("stop", ["stop_immediate", "kill"])
def test_a_server_that_stops_in_the_middle_of_commits_keeps_what_it_acknowledged(
    stop: str, private_postgres: PostgresServer
) -> None:
    url = private_postgres.create_database()
    with Memory.open(url) as memory:
        user = memory.agent("ann").user("bob")
        said: list[str] = []
        for round_ in range(5):
            unsure = _append_until_it_fails(user, round_, said, getattr(private_postgres, stop))
            private_postgres.start()
            made = user.append(FILE, f"after {round_}")
            assert isinstance(made, Version)
            found = (made.text or "").split("\n")
            assert [line for line in said if f"- {line}" not in found] == [], "acknowledged and gone"
            assert found.count(f"- {unsure}") <= 1
        assert len(said) > 5
        _assert_straight_and_sound(memory, user)


def _append_until_it_fails(user: User, round_: int, said: list[str], stop: Act) -> str:
    """Append while another thread stops the server after the third; the entry that was not acknowledged."""
    third = threading.Event()

    def stop_after_the_third() -> None:
        third.wait()
        stop()

    stopping = threading.Thread(target=stop_after_the_third)
    stopping.start()
    number = 0
    try:
        while True:
            user.append(FILE, f"{round_}.{number}.")
            said.append(f"{round_}.{number}.")
            number += 1
            if number == 3:
                third.set()
    except StoreBusy:
        return f"{round_}.{number}."
    finally:
        third.set()
        stopping.join()


@contextmanager
def _at(memory: Memory, moment: str, number: int, act: Callable[[], object]) -> Iterator[list[None]]:
    """Do something at the n-th statement of the writer, once; the list counts the statements."""
    engine, seen = memory.store.database.writer, list[None]()

    def statement(*_: Any) -> None:
        seen.append(None)
        if len(seen) == number:
            act()

    sa.event.listen(engine, moment, statement)
    try:
        yield seen
    finally:
        sa.event.remove(engine, moment, statement)


def _count(memory: Memory, moment: str, act: Callable[[], object]) -> int:
    with _at(memory, moment, -1, lambda: None) as seen:
        act()
    return len(seen)


@contextmanager
def _losing_the_answer(memory: Memory, *, committed: bool) -> Iterator[None]:
    """The next COMMIT takes effect or not, and either way the connection breaks before its answer."""
    dialect = memory.store.database.writer.dialect
    commit = dialect.do_commit

    def broken(connection: Any) -> None:
        vars(dialect).pop("do_commit")
        if committed:
            commit(connection)
        connection.dbapi_connection.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    vars(dialect)["do_commit"] = broken
    try:
        yield
    finally:
        vars(dialect).pop("do_commit", None)


def _assert_straight_and_sound(memory: Memory, user: User) -> None:
    assert_straight(user.history(FILE))
    assert_sound(memory)
