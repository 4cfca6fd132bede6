"""Round trip: any valid text comes back byte for byte, from the ledger and from the tree, in both directions.

Nothing is normalised: a byte order mark, every kind of line break and a missing final one are kept. The one exception
is a secret, which is masked before anything is stored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings

from reverie import Memory
from reverie.memory import User
from reverie.records import Entry
from reverie.scopes import folder_of
from reverie.secrets import mask
from reverie.testing import FixedClock
from reverie.versions import Version
from tests.databases import PostgresServer
from tests.stores import assert_sound
from tests.texts import texts, written

FILE = "topics/text.md"
ODD = "\ufeff---\r\ntitle: a: b\r\n---\r\none\rtwo\u2028three\x0cfour\x85 🍋 é e\u0301\n\n\n  last line without an end"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round") / "store"


@pytest.fixture(scope="module")
def user(folder: Path) -> Iterator[User]:
    with Memory.open(folder, clock=FixedClock()) as memory:
        yield memory.agent("ann").user("bob")
        assert_sound(memory)


@pytest.fixture(scope="module")
def remote_user(postgres_server: PostgresServer) -> Iterator[User]:
    url = postgres_server.create_database()
    with Memory.open(url, clock=FixedClock()) as memory:
        yield memory.agent("ann").user("bob")
    postgres_server.drop_database(url)


@pytest.mark.case("R-08")
@example(text=ODD)
@given(text=written)
def test_what_is_written_is_read(user: User, folder: Path, text: str) -> None:
    _written_and_read(user, text)
    assert _path(user, folder).read_bytes() == mask(text).text.encode()


@pytest.mark.case("R-08")
@example(text=ODD)
@given(text=written)
def test_what_is_written_to_a_server_is_read(remote_user: User, text: str) -> None:
    _written_and_read(remote_user, text)


@pytest.mark.case("R-08")
@example(text=ODD)
@given(text=written)
def test_what_an_editor_saves_is_read(user: User, folder: Path, text: str) -> None:
    _saved_and_read(user, folder, text)


@pytest.mark.case("R-08")
@example(text=ODD)
@given(text=texts)
def test_what_is_said_is_in_the_journal(user: User, remote_user: User, text: str) -> None:
    for whose in (user, remote_user):
        record = whose._store.book.append(whose.scope, [Entry("user", "user", text)])[0]
        read = whose.journal(after=record.seq - 1)
        assert [one.text for one in read] == [mask(text).text]


@pytest.mark.deep
@pytest.mark.case("R-08")
@settings(max_examples=5000)
@given(text=written)
def test_ten_thousand_texts_come_back(user: User, folder: Path, text: str) -> None:
    """Each of five thousand texts goes both ways: written and found in the tree, saved there and read."""
    _written_and_read(user, text)
    assert _path(user, folder).read_bytes() == mask(text).text.encode()
    _saved_and_read(user, folder, text + "\n- saved")


def _written_and_read(user: User, text: str) -> None:
    made = user.write(FILE, text, removal_meant=True)
    assert isinstance(made, Version)
    document = user.read(FILE)
    assert document is not None
    assert document.text == made.text == mask(text).text
    assert document.text.encode() == mask(text).text.encode()
    assert document.version == made.number


def _saved_and_read(user: User, folder: Path, text: str) -> None:
    path = _path(user, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name("saved")
    temporary.write_bytes(text.encode())
    os.replace(temporary, path)
    document = user.read(FILE)
    assert document is not None
    assert document.text == mask(text).text
    assert path.read_bytes() == mask(text).text.encode()


def _path(user: User, folder: Path) -> Path:
    return folder.joinpath(*folder_of(user.scope), *FILE.split("/"))
