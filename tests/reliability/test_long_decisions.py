"""A long decision on a text does not keep others from writing, and every change gets through.

The decision itself writes here, by the same store: under the store's lock it would wait for itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reverie import Memory
from reverie.deciding import QUICK_CHARS, STARTS
from reverie.errors import NotFound, PassageNotFound
from reverie.memory import User
from reverie.versions import Version, Writer

FILE = "MEMORY.md"
LONG = "- abc\n" * QUICK_CHARS


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    with Memory.open(store_url) as memory:
        yield memory


@pytest.fixture
def user(memory: Memory) -> User:
    user = memory.agent("ann").user("bob")
    user.write(FILE, LONG)
    return user


def test_others_write_while_a_change_is_decided(memory: Memory, user: User) -> None:
    def decide(current: str | None) -> str:
        assert isinstance(user.write("USER.md", "- Bob\n"), Version)
        return f"{current}- decided\n"

    made = memory.store.files.change(user.scope, FILE, decide, writer=Writer())
    assert made.text == LONG + "- decided\n"


def test_a_change_is_decided_again_on_what_somebody_wrote_meanwhile(memory: Memory, user: User) -> None:
    seen: list[str | None] = []

    def decide(current: str | None) -> str:
        seen.append(current)
        if len(seen) == 1:
            user.write(FILE, LONG + "- theirs\n")
        return f"{current}- ours\n"

    made = memory.store.files.change(user.scope, FILE, decide, writer=Writer())
    assert seen == [LONG, LONG + "- theirs\n"]
    assert made.text == LONG + "- theirs\n- ours\n"
    assert [version.number for version in user.history(FILE)] == [1, 2, 3]


def test_a_change_gets_through_however_often_somebody_is_faster(memory: Memory, user: User) -> None:
    seen: list[str | None] = []

    def decide(current: str | None) -> str:
        seen.append(current)
        if len(seen) <= STARTS:
            user.write(FILE, f"{LONG}- theirs {len(seen)}\n")
        return f"{current}- ours\n"

    made = memory.store.files.change(user.scope, FILE, decide, writer=Writer())
    assert len(seen) == STARTS + 1
    assert made.text == f"{LONG}- theirs {STARTS}\n- ours\n"


def test_a_short_text_is_decided_on_again_in_the_same_transaction(memory: Memory, user: User) -> None:
    seen: list[str | None] = []

    def decide(current: str | None) -> str:
        seen.append(current)
        if len(seen) == 1:
            user.write("USER.md", "- theirs\n")
        return f"{current or ''}- ours\n"

    made = memory.store.files.change(user.scope, "USER.md", decide, writer=Writer())
    assert seen == [None, "- theirs\n"]
    assert made.text == "- theirs\n- ours\n"


def test_what_is_refused_on_the_way_stores_nothing(memory: Memory, user: User) -> None:
    def decide(current: str | None) -> str:
        user.delete(FILE)
        raise PassageNotFound("gone", "look again")

    with pytest.raises(PassageNotFound):
        memory.store.files.change(user.scope, FILE, decide, writer=Writer())
    with pytest.raises(NotFound):
        user.edit(FILE, "abc", "xyz")
    assert len(user.history(FILE)) == 2


def test_an_edit_that_waited_is_merged_with_what_came_meanwhile(store_url: str) -> None:
    with Memory.open(store_url, settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("ann")
        agent.write("TOOLS.md", "- one\n- two\n")
        held = agent.write("TOOLS.md", "- one\n- two\n- three\n", origin="agent")
        agent.write("TOOLS.md", "- zero\n- one\n- two\n")
        assert not isinstance(held, Version)
        assert agent.accept_edit(held.id).text == "- zero\n- one\n- two\n- three\n"
