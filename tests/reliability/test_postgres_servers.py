"""The servers that the tests stand on behave as the reliability tests assume."""

from __future__ import annotations

import psycopg
import pytest

from tests.databases import PostgresServer


def rows(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("SELECT n FROM kept ORDER BY n")]


def keep(url: str, number: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n integer)")
        connection.execute("INSERT INTO kept VALUES (%s)", [number])


@pytest.mark.parametrize("number", [1, 2])
def test_each_test_has_an_empty_database_of_its_own(postgres_url: str, number: int) -> None:
    keep(postgres_url, number)
    assert rows(postgres_url) == [number]


def test_a_database_can_be_dropped_while_it_is_in_use(postgres_server: PostgresServer) -> None:
    url = postgres_server.create_database()
    with psycopg.connect(url) as connection:
        postgres_server.drop_database(url)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


@pytest.mark.slow
def test_a_private_server_keeps_what_it_acknowledged_before_it_was_stopped_or_killed(
    private_postgres: PostgresServer,
) -> None:
    url = private_postgres.create_database()
    keep(url, 1)
    private_postgres.stop_immediate()
    private_postgres.start()
    keep(url, 2)
    private_postgres.kill()
    private_postgres.start()
    keep(url, 3)
    private_postgres.stop()
    private_postgres.start()
    assert rows(url) == [1, 2, 3]


@pytest.mark.slow
def test_terminated_backends_are_gone_and_new_ones_are_welcome(private_postgres: PostgresServer) -> None:
    url = private_postgres.create_database()
    with psycopg.connect(url) as connection:
        assert private_postgres.terminate_backends() == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    keep(url, 1)
    assert rows(url) == [1]
