"""Budgets: what is absurdly big, deep or many is refused or costs no more than the ordinary, and never breaks later use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import InvalidSetting, InvalidText, OverLimit, PassageNotFound, ReverieError
from reverie.memory import User
from reverie.records import Entry
from reverie.scopes import folder_of
from reverie.testing import FixedClock
from tests.stores import assert_settled, assert_sound, everything

FILE = "MEMORY.md"
MEGABYTE = 1_000_000
LONG = "x" * (10 * MEGABYTE)
MANY = "- x\n" * (3 * MEGABYTE)
NOTICED = 20


@pytest.fixture
def memory(sqlite_url: str) -> Iterator[Memory]:
    with Memory.open(sqlite_url, clock=FixedClock()) as opened:
        opened.agent("ann").user("bob").write(FILE, "- tea\n")
        yield opened


@pytest.fixture
def user(memory: Memory) -> User:
    return memory.agent("ann").user("bob")


VERBS: dict[str, Callable[[User, str], object]] = {
    "write": lambda user, text: user.write(FILE, text),
    "create": lambda user, text: user.write("topics/big.md", text, version=0),
    "append": lambda user, text: user.append(FILE, text),
    "append under a heading": lambda user, text: user.append(FILE, "x", heading=text),
    "edit to": lambda user, text: user.edit(FILE, "tea", text),
    "edit from": lambda user, text: user.edit(FILE, text, "tea"),
    "reason": lambda user, text: user.acting(reason=text).append(FILE, "x"),
    "actor": lambda user, text: user.acting(actor=text).append(FILE, "x"),
    "record": lambda user, text: user._store.book.append(user.scope, [Entry("user", "user", text)]),
    "speaker": lambda user, text: user._store.book.append(user.scope, [Entry("user", "user", "x", speaker=text)]),
    "key": lambda user, text: user._store.book.append(user.scope, [Entry("user", "user", "x", key=text)]),
    "name": lambda user, text: user.write(text, "x"),
    "id": lambda user, text: user._store and Memory(user._store, "default").agent(text),
}


@pytest.mark.case("S-40", "R-36")
@pytest.mark.parametrize("text", [LONG, MANY], ids=["a line of 10 MB", "3,000,000 lines"])
@pytest.mark.parametrize("verb", VERBS)
def test_ten_megabytes_are_refused_by_every_verb(verb: str, text: str, memory: Memory, user: User) -> None:
    before = everything(memory)
    with pytest.raises(ReverieError) as caught:
        VERBS[verb](user, text)
    assert len(str(caught.value)) < 2000, "the refusal does not repeat them"
    assert everything(memory) == before
    user.append(FILE, "goes on")
    assert_settled(memory, user)


@pytest.mark.case("S-40", "R-36")
def test_ten_megabytes_in_the_tree_are_not_memory_and_break_nothing(memory: Memory, user: User) -> None:
    assert memory.store.folder is not None
    path = memory.store.folder.joinpath(*folder_of(user.scope), FILE)
    path.write_text(LONG, encoding="utf-8")
    document = user.read(FILE)
    assert document is not None
    assert document.text == "- tea\n"
    assert FILE in {warning.file for warning in user.context().warnings}
    assert path.stat().st_size == len(LONG), "it is not thrown away either"
    user.append("USER.md", "goes on")
    path.unlink()
    assert_settled(memory, user)


@pytest.mark.case("S-40")
@pytest.mark.parametrize(
    "text",
    ["> " * 5000 + "x\n", "- " * 5000 + "x\n", "  " * 5000 + "- x\n", "[" * 20_000 + "\n", "*" * 20_000 + "x\n", "`" * 20_000 + "\n",
     "a" * 50_000 + "!\n", "| a " * 5000 + "|\n" + "|-" * 5000 + "|\n", "<!--" * 5000 + "\n", "key=" * 10_000 + "\n"],
    ids=["quotes", "lists", "indents", "brackets", "stars", "ticks", "letters", "cells", "comments", "labels"],
)  # fmt: skip
def test_markdown_that_is_nested_or_repeated_without_end_is_ordinary_text(text: str, memory: Memory, user: User) -> None:
    user.write("topics/deep.md", text)
    user.append("topics/deep.md", "an entry")
    user.edit("topics/deep.md", "an entry", "another")
    user.history("topics/deep.md")
    user.blame("topics/deep.md")
    user.context(strategy="full")
    assert_settled(memory, user)


@pytest.mark.case("S-40")
def test_a_passage_is_never_a_pattern(user: User) -> None:
    user.write(FILE, "- " + "a" * 40_000 + "!\n")
    for pattern in ("(a+)+$", "a*", ".", "^", "%", "_"):
        with pytest.raises(PassageNotFound):
            user.edit(FILE, pattern, "x")


@pytest.mark.case("S-40")
@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{x=" * 100_000, "[" + "a." * 10_000 + "b]\n"])
def test_a_settings_file_nested_without_end_is_a_typed_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "reverie.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidSetting) as caught:
        Memory.open(tmp_path)
    assert len(str(caught.value)) < 2000


@pytest.mark.case("S-40")
def test_settings_of_an_agent_nested_without_end_are_a_typed_error(user: User, memory: Memory) -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"SOUL.md": deep}
    before = everything(memory)
    for name in ("limits", "ttl", "strategy", "timezone", "idle_minutes", "generated_tools"):
        with pytest.raises(ReverieError):
            memory.agent("ann").configure(**{name: deep})
    assert everything(memory) == before
    while deep:  # taken apart by hand: the interpreter would do it recursively
        deep = deep.pop("SOUL.md")


@pytest.mark.slow
@pytest.mark.case("S-40")
def test_many_tiny_writes_do_not_make_the_next_one_or_a_context_dearer(memory: Memory, user: User) -> None:
    """Counted in statements and rows, not in time."""
    user.write("USER.md", "- here\n")
    costs = []
    for _ in range(3):
        for _ in range(60):
            user.append("topics/log.md", "x")
        costs.append((_cost(memory, user.context), _cost(memory, lambda: user.append("USER.md", "x"))))
    assert costs[0] == costs[1] == costs[2]
    assert_sound(memory)


@pytest.mark.deep
@pytest.mark.case("S-40")
def test_a_hundred_thousand_tiny_records_break_nothing(memory: Memory, user: User) -> None:
    before = _cost(memory, user.context)
    for start in range(0, 100_000, 1000):
        entries = [Entry("user", "user", str(number)) for number in range(start, start + 1000)]
        memory.store.book.append(user.scope, entries)
    assert _cost(memory, user.context) == before
    assert [record.text for record in user.journal(after=99_999)] == ["99998", "99999"]
    assert_sound(memory)


@pytest.mark.case("S-40")
def test_a_crowd_of_strange_files_is_told_in_few_words(memory: Memory, user: User) -> None:
    assert memory.store.folder is not None
    topics = memory.store.folder.joinpath(*folder_of(user.scope), "topics")
    topics.mkdir()
    for number in range(500):
        (topics / f"Strange {number}.md").write_text("x", encoding="utf-8")
    context = user.context()
    assert 0 < len(context.warnings) <= NOTICED
    document = user.read(FILE)
    assert document is not None
    assert_sound(memory)


@pytest.mark.case("S-40")
def test_one_user_who_is_full_takes_nothing_from_another(memory: Memory, user: User) -> None:
    with pytest.raises(OverLimit):
        user.write("USER.md", "x" * 2001)
    user.write("USER.md", "x" * 2000)
    with pytest.raises(OverLimit):
        user.append("USER.md", "x")
    memory.agent("ann").user("carol").write("USER.md", "y" * 2000)
    with pytest.raises(InvalidText):
        user.append(FILE, "")
    assert_settled(memory, user, memory.agent("ann").user("carol"))


def _cost(memory: Memory, act: Callable[[], object]) -> int:
    """How many statements an act takes."""
    seen = []
    engines = (memory.store.database.reader, memory.store.database.writer)

    def statement(*arguments: Any) -> None:
        seen.append(arguments[2])

    for engine in engines:
        sa.event.listen(engine, "before_cursor_execute", statement)
    act()
    for engine in engines:
        sa.event.remove(engine, "before_cursor_execute", statement)
    return len(seen)
