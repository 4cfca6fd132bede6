"""A refused input changes nothing: not a row of the ledger, not a byte or a time of the tree; and it is told well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import ReverieError
from reverie.testing import FixedClock
from tests.databases import PostgresServer
from tests.refused import Refused, Target, every, filled
from tests.stores import assert_sound, everything

TABLE = list(every())


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """One store for all inputs: what is refused leaves it as it was."""
    if request.param == "sqlite":
        with Memory.open(_folder(tmp_path_factory), clock=FixedClock()) as memory:
            yield filled(memory)
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.create_database()
    with Memory.open(url, clock=FixedClock()) as memory:
        yield filled(memory)
    server.drop_database(url)


@pytest.mark.case("R-07")
@pytest.mark.parametrize("refused", TABLE, ids=lambda refused: refused.what[:60])
def test_a_refused_input_changes_nothing(refused: Refused, target: Target) -> None:
    before = everything(target.memory)

    with pytest.raises(refused.error) as caught:
        refused.attempt(target)

    assert everything(target.memory) == before
    _assert_told_well(caught.value, refused)


@pytest.mark.case("R-07")
def test_after_all_refusals_the_store_is_sound(target: Target) -> None:
    assert_sound(target.memory)


def test_the_table_has_inputs_for_every_kind() -> None:
    assert len(TABLE) >= 200
    assert len({refused.what for refused in TABLE}) == len(TABLE)


def _assert_told_well(error: ReverieError, refused: Refused) -> None:
    assert error.code
    assert error.message.rstrip(".")
    assert error.remedy
    assert refused.names in str(error)
    assert len(str(error)) < 2000, "an error does not repeat a text of a megabyte"
    str(error).encode()


def _folder(factory: pytest.TempPathFactory) -> Path:
    return factory.mktemp("refused") / "store"
