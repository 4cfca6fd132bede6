"""Importing workspaces and folders: what was taken comes back equal, the rest is named, a repeat adds nothing."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import NotFound, ScopeRequired
from reverie.importers import IMPORTERS, importer
from reverie.importers.openclaw import NOT_TAKEN
from tests.stores import assert_sound, rows
from tests.workspaces import DAY, SOUL, import_workspace


def _text(memory: Memory, file: str) -> str | None:
    return getattr(memory.agent("bot").user("ann").read(file), "text", None)


def test_a_workspace_goes_in_and_its_files_come_back_equal(store_url: str, workspace: Path, tmp_path: Path) -> None:
    with Memory.open(store_url) as memory:
        report = import_workspace(memory, workspace)
        user = memory.agent("bot").user("ann")
        for name in ("SOUL.md", "USER.md", "MEMORY.md", "TOOLS.md"):
            document = user.read(name)
            assert document is not None
            assert document.text.encode() == (workspace / name).read_bytes()
            assert document.origin == "import"
        assert (report.added, report.skipped) == (9, 0)
        assert "I am calm." in user.context().system_prompt
        memory.export(tmp_path / "out")
        assert_sound(memory)

    assert (tmp_path / "out" / "agents" / "bot" / "SOUL.md").read_bytes() == SOUL.encode()


def test_daily_notes_become_records_at_noon_of_the_agents_day(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        memory.agent("bot").configure(timezone="Europe/Minsk")
        report = import_workspace(memory, workspace)
        records = [record for record in memory.agent("bot").user("ann").journal() if record.kind != "change"]

    assert [record.text for record in records] == [
        "## Morning\n- met Ann", "## Morning\n- drank tea", "## Plans\nSail to Odessa.", "- called late",
    ]  # fmt: skip
    assert records[0].at == datetime(2026, 1, 2, 9, tzinfo=UTC)
    assert {(record.origin, record.batch) for record in records} == {("import", report.batch)}


def test_other_notes_become_topics(sqlite_url: str, workspace: Path) -> None:
    (workspace / "memory" / "2026-02-30.md").write_text("- no such day\n")
    (workspace / "memory" / "Boats.md").write_text("- the same name\n")
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)
        names = [info.name for info in memory.agent("bot").user("ann").files()]

    assert [name for name in names if name.startswith("topics/")] == ["topics/2026-02-30.md", "topics/boats.md"]
    assert dict(report.errors)["memory/boats.md"].startswith("it would be topics/boats.md")


def test_importing_again_adds_nothing(store_url: str, workspace: Path) -> None:
    (workspace / "TOOLS.md").write_text("- key: AKIAIOSFODNN7EXAMPLE\n")
    with Memory.open(store_url) as memory:
        first = import_workspace(memory, workspace)
        before = rows(memory)

        again = import_workspace(memory, workspace)

        assert (again.added, again.skipped, again.batch) == (0, first.added, None)
        assert rows(memory) == before


def test_only_what_changed_in_the_source_is_taken_again(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        import_workspace(memory, workspace)
        user = memory.agent("bot").user("ann")
        user.append("MEMORY.md", "learnt here")
        (workspace / "USER.md").write_text("- name: Anna\n")
        (workspace / "memory" / "2026-01-02.md").write_text(DAY.replace("- drank", "- slept well\n- drank"))

        report = import_workspace(memory, workspace)

        assert report.added == 2
        assert [version.origin for version in user.history("USER.md")] == ["import", "import"]
        assert [version.origin for version in user.history("MEMORY.md")] == ["import", "editor"]
        assert user.journal()[-1].text == "## Morning\n- slept well"


def test_a_file_that_went_on_here_and_in_the_source_is_merged(store_url: str, workspace: Path) -> None:
    (workspace / "USER.md").write_text("# User\n\n- name: Ann\n- city: Riga\n")
    with Memory.open(store_url) as memory:
        import_workspace(memory, workspace)
        user = memory.agent("bot").user("ann")
        user.append("USER.md", "learnt here")
        (workspace / "USER.md").write_text("# User\n\n- name: Anna\n- city: Riga\n")

        report = import_workspace(memory, workspace)

        assert _text(memory, "USER.md") == "# User\n\n- name: Anna\n- city: Riga\n- learnt here\n"
        assert report.added == 1
        assert any("USER.md was merged" in note for note in report.notes)
        assert {line.text: line.origin for line in user.blame("USER.md")}["- learnt here"] == "editor"
        assert user.edits() == []
        before = rows(memory)
        assert import_workspace(memory, workspace).added == 0
        assert rows(memory) == before

        user.edit("USER.md", "- name: Anna\n", "")
        assert import_workspace(memory, workspace).added == 0
        (workspace / "USER.md").write_text("# User\n\n- name: Anna\n- city: Minsk\n")
        import_workspace(memory, workspace)
        assert _text(memory, "USER.md") == "# User\n\n- city: Minsk\n- learnt here\n"
        assert_sound(memory)


@pytest.mark.parametrize("how", ["edited", "removed", "never imported"])
def test_a_source_that_does_not_merge_waits_for_a_person(store_url: str, workspace: Path, how: str) -> None:
    with Memory.open(store_url) as memory:
        user = memory.agent("bot").user("ann")
        if how == "never imported":
            user.write("USER.md", "- written here\n")
        else:
            import_workspace(memory, workspace)
            user.delete("USER.md") if how == "removed" else user.write("USER.md", "- name: Annie\n")
        here = _text(memory, "USER.md")
        (workspace / "USER.md").write_text("- name: Anna\n")

        report = import_workspace(memory, workspace)

        assert _text(memory, "USER.md") == here
        (edit,) = user.edits()
        assert (edit.text, edit.origin, edit.conflict) == ("- name: Anna\n", "import", True)
        assert edit.id in dict(report.errors)["USER.md"]
        before = rows(memory)
        again = import_workspace(memory, workspace)
        assert rows(memory) == before
        assert "USER.md" not in dict(again.errors)
        assert any(edit.id in note for note in again.notes)

        user.accept_edit(edit.id, text="- name: Anna (Annie)\n")
        assert import_workspace(memory, workspace).added == 0
        assert _text(memory, "USER.md") == "- name: Anna (Annie)\n"
        assert_sound(memory)


def test_a_waiting_import_over_its_limit_can_be_accepted(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        agent = memory.agent("bot")
        agent.write("SOUL.md", "I was here before.\n")
        (workspace / "SOUL.md").write_text("I am. " * 500)
        import_workspace(memory, workspace)
        (edit,) = agent.edits()

        assert edit.text is not None
        accepted = agent.accept_edit(edit.id, text=edit.text)

        assert any("2000" in notice.replace(",", "") for notice in accepted.notices)


def test_what_was_said_and_removed_here_does_not_come_back(sqlite_url: str, workspace: Path) -> None:
    """Also when the file said by itself what the source came to say."""
    with Memory.open(sqlite_url) as memory:
        import_workspace(memory, workspace)
        user = memory.agent("bot").user("ann")
        user.append("USER.md", "city: Riga")
        (workspace / "USER.md").write_text("- name: Ann\n- city: Riga\n")
        import_workspace(memory, workspace)
        user.edit("USER.md", "- city: Riga\n", "")

        assert import_workspace(memory, workspace).added == 0
        assert _text(memory, "USER.md") == "- name: Ann\n"


def test_what_is_not_memory_is_named(sqlite_url: str, workspace: Path) -> None:
    (workspace / "Diary.md").write_text("Dear diary\n")
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)

    told = dict(report.errors)
    assert {name: told[name] for name in ("AGENTS.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md")} == {
        name: NOT_TAKEN[name] for name in ("AGENTS.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md")
    }
    assert "Diary.md" in told
    assert any("skills" in note for note in report.notes)


def test_named_files_become_sections_of_about(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        for _ in range(2):
            report = memory.import_("openclaw", workspace, agent="bot", user="ann", about_from=("IDENTITY.md", "AGENTS.md"))
        document = memory.agent("bot").read("ABOUT.md")

    assert document is not None
    assert document.text == "## IDENTITY\n\n- Name: Bot\n\n## AGENTS\n\nRead SOUL.md first.\n"
    assert document.version == 1
    assert "AGENTS.md" not in dict(report.errors)


def test_without_a_user_only_the_agents_files_are_taken(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace, user=None)

        assert report.added == 2
        assert memory.agent("bot").users() == []
    assert {"USER.md", "MEMORY.md", "memory/2026-01-02.md", "memory/boats.md"} <= dict(report.errors).keys()


def test_a_file_over_its_limit_is_taken_and_reported_and_not_cut(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)
        info = next(info for info in memory.agent("bot").user("ann").files() if info.name == "MEMORY.md")

    assert info.over_limit
    assert info.chars == 12_000
    assert any("MEMORY.md" in note and "5000" in note.replace(",", "") for note in report.notes)


@pytest.mark.case("S-17")
def test_a_secret_is_masked_and_reported(sqlite_url: str, workspace: Path) -> None:
    (workspace / "TOOLS.md").write_text("- key: AKIAIOSFODNN7EXAMPLE\n")
    (workspace / "memory" / "2026-01-02.md").write_text("- the key is AKIAIOSFODNN7EXAMPLE\n")
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)

    assert any("secret" in note for note in report.notes)
    for path in Path(sqlite_url).rglob("*"):
        assert not path.is_file() or b"AKIAIOSFODNN7EXAMPLE" not in path.read_bytes(), path


def test_what_cannot_be_used_is_named_and_the_rest_is_taken(sqlite_url: str, workspace: Path) -> None:
    for name in ("SOUL.md", "USER.md", "TOOLS.md", "memory/boats.md", "MEMORY.md"):
        (workspace / name).unlink()
    (workspace / "SOUL.md").symlink_to("/etc/passwd")
    (workspace / "USER.md").write_bytes(b"\xff\xfe\x00")
    (workspace / "TOOLS.md").write_bytes(b"a\0b")
    (workspace / "MEMORY.md").mkdir()
    os.mkfifo(workspace / "memory" / "boats.md")
    (workspace / "memory" / "2026-01-04.md").hardlink_to(workspace / "AGENTS.md")
    (workspace / "memory" / "2026-01-05.md").write_bytes(b"")
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)
        assert_sound(memory)

    told = dict(report.errors)
    unusable = {"SOUL.md", "USER.md", "TOOLS.md", "MEMORY.md", "memory/boats.md", "memory/2026-01-04.md", "memory/2026-01-05.md"}
    assert unusable <= told.keys()
    assert report.added == 4
    assert "root:" not in str(report)


def test_the_whole_notes_folder_may_be_a_link_that_is_not_followed(sqlite_url: str, workspace: Path, tmp_path: Path) -> None:
    (workspace / "memory").rename(tmp_path / "elsewhere")
    (workspace / "memory").symlink_to(tmp_path / "elsewhere")
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)

    assert "memory" in dict(report.errors)
    assert report.added == 4


def test_lower_case_memory_counts_where_the_other_is_missing(sqlite_url: str, workspace: Path) -> None:
    (workspace / "MEMORY.md").rename(workspace / "memory.md")
    with Memory.open(sqlite_url) as memory:
        import_workspace(memory, workspace)
        assert memory.agent("bot").user("ann").read("MEMORY.md") is not None


def test_a_folder_in_our_own_names_is_taken(sqlite_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "memories"
    (folder / "topics").mkdir(parents=True)
    for name in ("SOUL.md", "ABOUT.md", "TOOLS.md", "USER.md", "MEMORY.md", "Notes.md", "topics/План на июль.md", "topics/x.md"):
        (folder / name).write_text(f"- {name}\n", encoding="utf-8")
    with Memory.open(sqlite_url) as memory:
        report = memory.import_("folder", folder, agent="bot", user="ann")
        names = [info.name for info in memory.agent("bot").user("ann").files()]
        again = memory.import_("folder", folder, agent="bot", user="ann")

    assert names == ["SOUL.md", "ABOUT.md", "TOOLS.md", "USER.md", "MEMORY.md", "topics/x.md", "topics/план-на-июль.md"]
    assert [name for name, _ in report.errors] == ["Notes.md"]
    assert (report.added, again.added, again.skipped) == (7, 0, 7)


def test_what_an_export_wrote_is_a_folder_that_can_be_imported(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        user = memory.agent("bot").user("ann")
        user.write("USER.md", "- Ann\n")
        user.write(f"topics/{'лодка-' * 12}😀.md", "- long\n")
        memory.export(tmp_path / "out")
        memory.import_("folder", tmp_path / "out" / "agents" / "bot" / "users" / "ann", agent="bot", user="second")

        assert [info.name for info in memory.agent("bot").user("second").files()] == [info.name for info in user.files()]


def test_a_batch_says_what_came_and_names_no_path(sqlite_url: str, workspace: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        report = import_workspace(memory, workspace)
        found = rows(memory)["batches"]

    assert len(found) == 2
    assert all(f"'{report.batch}', 'openclaw', 'workspace'" in row for row in found)
    assert all(str(workspace.parent) not in row for row in found)


def test_an_importer_asks_for_what_it_needs(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        with pytest.raises(ScopeRequired):
            memory.import_("openclaw", tmp_path)
        with pytest.raises(NotFound):
            memory.import_("openclaw", tmp_path / "nowhere", agent="bot")
        assert memory.import_("openclaw", tmp_path, agent="bot", user="ann").added == 0
        assert memory.agents() == []


def test_every_row_of_the_table_has_its_module() -> None:
    for row in IMPORTERS:
        assert importer(row.name) is row
        assert row.explains
        __import__(f"reverie.importers.{row.module}")
