"""A version that does not match its hash is never shown, keeps nobody from the other files, and can be replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import NotAllowed, ShrinkRefused, StaleVersion, StoreDamaged
from reverie.memory import User
from reverie.testing import FixedClock
from reverie.versions import PendingEdit, Version

pytestmark = pytest.mark.case("R-14")

FILE = "MEMORY.md"
SECRETLY = "tampered with"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def memory(store_url: str, clock: FixedClock) -> Iterator[Memory]:
    """Two versions of MEMORY.md an hour apart, the newest one damaged, and other files beside it."""
    with Memory.open(store_url, clock=clock) as memory:
        memory.agent("ann").write("SOUL.md", "calm\n")
        user = memory.agent("ann").user("bob")
        user.write("USER.md", "- Bob\n")
        for text in ("- one\n" * 100, "- one\n" * 100 + "- two\n"):
            user.write(FILE, text)
            clock.advance(timedelta(hours=1))
        run(memory, f"UPDATE versions SET text = '{SECRETLY}' WHERE number = 2")
    with Memory.open(store_url, clock=clock) as memory:
        yield memory


@pytest.fixture
def user(memory: Memory) -> User:
    return memory.agent("ann").user("bob")


def run(memory: Memory, statement: str) -> None:
    with memory.store.database.writer.begin() as connection:
        connection.execute(sa.text(statement))


def test_what_needs_its_text_says_which_version_is_damaged_and_changes_nothing(user: User) -> None:
    attempts: tuple[Callable[[], object], ...] = (
        lambda: user.read(FILE), lambda: user.read(FILE, version=2), lambda: user.append(FILE, "three"),
        lambda: user.edit(FILE, "two", "three"), lambda: user.restore(FILE, 2), lambda: user.diff(FILE, 1, 2),
        lambda: user.copy(FILE, to=user),
    )  # fmt: skip
    for attempt in attempts:
        with pytest.raises(StoreDamaged, match=r"(Version 2 of MEMORY\.md|newest version of MEMORY\.md)"):
            attempt()
    assert len(user.history(FILE)) == 2


def test_its_history_marks_it_and_shows_the_others(user: User) -> None:
    first, second = user.history(FILE)
    assert (first.number, first.text, first.damaged) == (1, "- one\n" * 100, False)
    assert (second.number, second.text, second.damaged, second.parent, second.origin) == (2, None, True, 1, "editor")


def test_older_states_can_be_read(user: User, clock: FixedClock) -> None:
    document = user.read(FILE, version=1)
    earlier = user.read(FILE, as_of=clock.now() - timedelta(minutes=90))
    assert document is not None
    assert document == earlier
    assert document.text == "- one\n" * 100
    with pytest.raises(StoreDamaged, match="Version 2"):
        user.read(FILE, as_of=clock.now())


def test_a_restore_goes_over_it(memory: Memory, user: User) -> None:
    made = user.restore(FILE, 1)
    assert (made.number, made.parent, made.text) == (3, 2, "- one\n" * 100)
    assert any("damaged" in notice for notice in made.notices)
    assert user.append(FILE, "three").notices == ()
    assert {problem.code for problem in memory.verify().problems} == {"version_altered"}


def test_a_whole_text_goes_over_it_unguarded_and_a_notice_says_so(user: User) -> None:
    made = user.write(FILE, "- short\n")
    assert isinstance(made, Version)
    assert made.number == 3
    assert any("Version 2 of MEMORY.md is damaged" in notice for notice in made.notices)


def test_a_blank_text_goes_over_it_only_if_that_is_meant(user: User) -> None:
    with pytest.raises(ShrinkRefused, match="damaged"):
        user.write(FILE, " \n")
    made = user.write(FILE, "", removal_meant=True)
    assert (made.text, user.read(FILE)) == (None, None)


def test_a_delete_goes_over_it(user: User) -> None:
    assert user.delete(FILE, version=2).text is None
    assert user.read(FILE) is None


def test_compare_and_set_works_against_its_number(user: User) -> None:
    for stale in (0, 1, 3):
        with pytest.raises(StaleVersion) as caught:
            user.write(FILE, "- lost\n", version=stale)
        assert (caught.value.current, caught.value.text) == (2, None)
    made = user.write(FILE, "- three\n", version=2)
    assert isinstance(made, Version)
    assert made.number == 3


def test_blame_stands_in_for_a_damaged_newest_version_and_passes_over_an_older_one(user: User) -> None:
    [line] = user.blame(FILE)
    assert (line.line, line.text, line.version, line.damaged) == (1, "", 2, True)
    user.restore(FILE, 1)
    assert {(line.version, line.damaged) for line in user.blame(FILE)} == {(1, False)}


def test_a_context_leaves_it_out_with_a_warning_and_has_the_rest(memory: Memory, user: User) -> None:
    context = user.context(strategy="full")
    assert {section.file for section in context.sections if section.file} == {"SOUL.md", "USER.md"}
    assert [(warning.code, warning.file) for warning in context.warnings] == [("damaged", FILE)]
    assert SECRETLY not in context.system_prompt
    assert memory.agent("ann").context().warnings == ()
    assert user.compare()
    user.restore(FILE, 1)
    assert user.context(strategy="full").warnings == ()


def test_an_import_goes_over_it_and_brings_the_same_text_back(memory: Memory, user: User, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("- one\n" * 100 + "- two\n")
    report = memory.import_("folder", tmp_path, agent="ann", user="bob")
    document = user.read(FILE)
    assert report.added == 1
    assert document is not None
    assert document.text.endswith("- two\n")


def test_an_edit_that_waited_is_accepted_over_it_only_with_a_text(store_url: str) -> None:
    with Memory.open(store_url, settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("ann")
        agent.write("SOUL.md", "calm\n")
        removal = agent.delete("SOUL.md", origin="agent")
        other = agent.write("SOUL.md", "kind\n", origin="agent")
        agent.write("SOUL.md", "calm and kind\n")
        run(memory, f"UPDATE versions SET text = '{SECRETLY}' WHERE number = 2")
        assert not isinstance(removal, Version)
        assert not isinstance(other, Version)

        for edit in (removal, other):
            with pytest.raises(NotAllowed):
                agent.accept_edit(edit.id)
        assert agent.accept_edit(other.id, text="quiet\n").number == 3


@pytest.mark.parametrize(
    "damage", ["text = '{}'", "text = '{'", "text = '[1]'", "text = NULL", "chars = NULL", "hash = 'none'"]
)
def test_damaged_settings_give_way_to_the_last_readable_ones_until_they_are_set_again(store_url: str, damage: str) -> None:
    with Memory.open(store_url) as memory:
        agent = memory.agent("ann")
        agent.write("SOUL.md", "calm\n")
        agent.configure(language="ru")
        agent.configure(timezone="Europe/Minsk")
        run(memory, f"UPDATE versions SET {damage} WHERE file = 'settings.json' AND number = 2")
    with Memory.open(store_url) as memory:
        agent = memory.agent("ann")
        assert (agent.settings.language, agent.settings.timezone) == ("ru", "UTC")
        assert agent.read("SOUL.md") is not None
        [warning] = agent.user("bob").context().warnings
        assert (warning.code, warning.file) == ("damaged", "settings.json")
        assert "version 1" in warning.message
        made = agent.write("SOUL.md", "calm and kind\n")
        assert warning.message in made.notices
        assert [version.damaged for version in agent.settings_history()] == [False, True]
        assert agent.explain_settings()

        agent.configure(timezone="Europe/Riga")

        assert (agent.settings.language, agent.settings.timezone) == ("ru", "Europe/Riga")
        assert agent.context().warnings == ()


def test_damaged_settings_with_none_before_them_leave_the_other_layers(store_url: str) -> None:
    with Memory.open(store_url, settings={"idle_minutes": 7}) as memory:
        memory.agent("ann").configure(language="ru")
        run(memory, "UPDATE versions SET text = '{' WHERE file = 'settings.json'")
    with Memory.open(store_url, settings={"idle_minutes": 7}) as memory:
        agent = memory.agent("ann")
        assert (agent.settings.language, agent.settings.idle_minutes) == ("en", 7)
        agent.configure(timezone="Europe/Riga")
        assert agent.settings.timezone == "Europe/Riga"


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM heads", "UPDATE heads SET number = 1", "UPDATE heads SET hash = 'none'", "UPDATE heads SET chars = 1",
        "UPDATE heads SET number = 1, hash = (SELECT hash FROM versions WHERE number = 1)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("act", ["write", "restore", "delete"])
def test_a_wrong_head_is_made_anew_by_the_next_whole_write(store_url: str, damage: str, act: str) -> None:
    with Memory.open(store_url) as memory:
        user = memory.agent("ann").user("bob")
        user.write(FILE, "- one\n")
        user.write(FILE, "- two\n")
        run(memory, damage)
    with Memory.open(store_url) as memory:
        user = memory.agent("ann").user("bob")
        assert not memory.verify().ok
        acts: dict[str, Callable[[], Version | PendingEdit]] = {
            "write": lambda: user.write(FILE, "- three\n"), "restore": lambda: user.restore(FILE, 1),
            "delete": lambda: user.delete(FILE),
        }  # fmt: skip
        made = acts[act]()
        assert isinstance(made, Version)
        assert made.number >= 3
        assert memory.verify().ok
        document = user.read(FILE)
        assert (document.text if document else None) == made.text


def test_a_head_that_is_gone_is_made_anew_from_the_tree_by_the_next_look(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        user = memory.agent("ann").user("bob")
        user.write(FILE, "- one\n")
        run(memory, "DELETE FROM heads")
        document = user.read(FILE)
        assert document is not None
        assert (document.text, document.version) == ("- one\n", 1)
        assert memory.verify().ok
        assert user.context().warnings == ()
