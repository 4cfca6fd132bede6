"""A file over its limit warns whoever writes it, and nothing of it is left out of a prompt, the newest least of all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import OverLimit
from reverie.scopes import folder_of
from reverie.versions import Version

NOTES = "".join(f"- note {number}: what was learned on day {number}\n" for number in range(1, 230))
NEWEST = "- note 230: Never release on a Friday\n"


@pytest.mark.case("I-03")
def test_the_writer_is_warned_and_the_newest_note_is_in_the_prompt(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        user = memory.agent("a").user("u")
        version = user.write("MEMORY.md", NOTES + NEWEST)
        assert any("compress" in notice for notice in version.notices)
        context = user.context(strategy="full")
        assert NEWEST.strip() in context.system_prompt
        assert NOTES.strip() in context.system_prompt
        assert ("over_limit", "MEMORY.md") in [(notice.code, notice.file) for notice in context.warnings]


@pytest.mark.case("I-03")
def test_a_hard_limit_says_so_before_anything_is_stored(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        agent = memory.agent("a")
        agent.write("SOUL.md", "- first note\n")
        with pytest.raises(OverLimit) as raised:
            agent.append("SOUL.md", "x" * 2000)
        assert (raised.value.size, raised.value.limit) == (2016, 2000)
        assert agent.context().system_prompt.count("- first note") == 1


@pytest.mark.case("I-03")
def test_what_a_person_saved_over_the_limit_is_all_in_the_prompt_and_reported(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        agent = memory.agent("a")
        agent.write("SOUL.md", "- first note\n")
        Path(sqlite_url).joinpath(*folder_of(agent.scope), "SOUL.md").write_text(
            NOTES + NEWEST, encoding="utf-8"
        )
        context = agent.context()
        assert NEWEST.strip() in context.system_prompt
        assert [notice.code for notice in context.warnings if notice.file == "SOUL.md"].count(
            "over_limit"
        ) == 1
        assert [info.over_limit for info in agent.files()] == [True]


@pytest.mark.case("R-36")
def test_a_line_of_ten_megabytes_is_refused_and_later_reads_and_appends_work(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        user = memory.agent("a").user("u")
        user.append("MEMORY.md", "before")
        huge = "x" * 10_000_000
        acts: tuple[Callable[[], object], ...] = (
            lambda: user.append("MEMORY.md", huge),
            lambda: user.write("MEMORY.md", huge),
        )
        for act in acts:
            with pytest.raises(OverLimit):
                act()
        user.append("MEMORY.md", "after")
        document = user.read("MEMORY.md")
        assert document is not None
        assert document.text == "- before\n- after\n"
        assert memory.verify().ok


@pytest.mark.case("R-36")
def test_a_line_of_ten_megabytes_in_the_tree_is_left_there_and_reported(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        agent = memory.agent("a")
        agent.write("SOUL.md", "I am.\n")
        path = Path(sqlite_url).joinpath(*folder_of(agent.scope), "SOUL.md")
        path.write_text("x" * 10_000_000, encoding="utf-8")
        context = agent.context()
        assert "I am." in context.system_prompt
        assert [notice.file for notice in context.warnings] == ["SOUL.md"]
        assert path.stat().st_size == 10_000_000


@pytest.mark.case("R-44")
def test_every_act_that_reports_success_can_be_read_back(store_url: str, tmp_path: Path) -> None:
    with Memory.open(store_url) as memory:
        agent, user = memory.agent("a"), memory.agent("a").user("u")
        for version in (
            agent.write("SOUL.md", "I am.\n"),
            user.append("MEMORY.md", "A fact."),
            user.edit("MEMORY.md", "A fact.", "Another fact."),
            user.restore("MEMORY.md", 1),
            user.delete("MEMORY.md"),
        ):
            assert isinstance(version, Version)
            scope = agent if version.file == "SOUL.md" else user
            assert scope.history(version.file)[version.number - 1].hash == version.hash
            assert scope.journal(after=version.seq - 1, limit=1)[0].text == version.hash
        memory.export(tmp_path / "export")
        with Memory.open(tmp_path / "again") as other:
            report = other.import_("reverie", tmp_path / "export")
            assert report.added > 0
            assert [v.hash for v in other.agent("a").user("u").history("MEMORY.md")] == [
                v.hash for v in user.history("MEMORY.md")
            ]
            again = other.import_("reverie", tmp_path / "export")
            assert again.added == 0
            assert other.verify().ok
