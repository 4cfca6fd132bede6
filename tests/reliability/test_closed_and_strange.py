"""A store that was closed stays closed, and what cannot be a store, a clock or a setting is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import InvalidSetting, InvalidTime, NotAllowed, NotFound, ReverieError
from reverie.settings import Settings
from tests.databases import PostgresServer


def test_a_closed_store_answers_nobody_and_never_from_another_store(tmp_path: Path) -> None:
    first = Memory.open(tmp_path / "first")
    agent = first.agent("bot")
    agent.write("SOUL.md", "I am the first.\n")
    first.close()
    with Memory.open(tmp_path / "second") as second:
        other = second.agent("bot")
        other.write("SOUL.md", "I am the second.\n")
        acts: tuple[Callable[[], object], ...] = (
            lambda: agent.read("SOUL.md"),
            lambda: agent.write("SOUL.md", "Text of the first.\n"),
            agent.files,
            agent.context,
            agent.journal,
            agent.edits,
            first.agents,
            first.verify,
            lambda: first.backup(tmp_path / "copy.db"),
            lambda: first.export(tmp_path / "export"),
        )
        for act in acts:
            with pytest.raises(NotAllowed, match="closed"):
                act()
        assert len(other.history("SOUL.md")) == 1
    with Memory.open(tmp_path / "first") as again:
        assert [version.text for version in again.agent("bot").history("SOUL.md")] == ["I am the first.\n"]


def test_closing_twice_is_harmless_and_an_outer_block_finds_the_store_closed(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        with memory:
            memory.agent("a").write("SOUL.md", "I am.\n")
        with pytest.raises(NotAllowed):
            memory.agent("a").read("SOUL.md")
    memory.close()


class NaiveClock:
    def now(self) -> datetime:
        return datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001  (what is refused here)


def test_a_clock_without_a_zone_is_refused_and_nothing_is_stored(store_url: str) -> None:
    with Memory.open(store_url, clock=NaiveClock()) as memory, pytest.raises(InvalidTime):
        memory.agent("a").write("SOUL.md", "I am.\n")
    with Memory.open(store_url) as memory:
        assert memory.agents() == []


@pytest.mark.parametrize("moment", ["2026-03-02", datetime(2026, 3, 2).date(), datetime(2026, 3, 2)])  # noqa: DTZ001
def test_as_of_takes_only_moments(moment: datetime, sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory, pytest.raises(InvalidTime):
        memory.agent("a").read("SOUL.md", as_of=moment)


@pytest.mark.parametrize("url", ["", "  ", None, 7, "ftp://example/store"])
def test_what_is_no_address_makes_no_store(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotAllowed):
        Memory.open(url)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(NotAllowed, match="is a file"):
        Memory.open(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_database_that_does_not_exist_is_named_as_such(postgres_server: PostgresServer) -> None:
    with pytest.raises(NotFound, match="does not exist"):
        Memory.open(postgres_server.url("nowhere"))


@pytest.mark.parametrize(
    "changes",
    [
        {"ttl": {"SOUL.md": 10**12}},
        {"ttl": {"SOUL.md": -1}},
        {"limits": {"SOUL.md": 10**9}},
        {"limits": "5"},
        {"limits": "SOUL.md:1500"},
        {"limits": "SOUL.md=1500,MEMORY.md"},
        {"idle_minutes": 10**18},
        {"session_writes": 10**18},
    ],
)
def test_a_setting_that_would_break_its_agent_is_refused(changes: dict[str, object], sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        agent = memory.agent("a")
        agent.write("SOUL.md", "I am.\n")
        agent.configure(limits={"SOUL.md": 1500})
        with pytest.raises(InvalidSetting):
            agent.configure(**changes)
        assert agent.settings.limit("SOUL.md") == 1500
        assert "I am." in agent.context().system_prompt


def test_given_settings_lie_over_what_the_store_says(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_LANGUAGE", "ru")
    with Memory.open(postgres_url, settings=Settings(arguments={"timezone": "Europe/Minsk"})) as memory:
        settings = memory.agent("a").settings
        assert (settings.shared_writes, settings.language, settings.timezone) == (
            "review",
            "ru",
            "Europe/Minsk",
        )


def test_strategies_can_be_given_as_arguments(store_url: str) -> None:
    given = {"strategies": {"personal": {"files": ["SOUL.md", "USER.md"]}}, "strategy": "personal"}
    with Memory.open(store_url, settings=given) as memory:
        user = memory.agent("a").user("u")
        user.write("USER.md", "Likes tea.\n")
        assert "Likes tea." in user.context().system_prompt
        assert "personal" in [row.strategy for row in user.compare()]


def test_every_refusal_here_has_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ReverieError) as raised:
        Memory.open("")
    assert raised.value.remedy
