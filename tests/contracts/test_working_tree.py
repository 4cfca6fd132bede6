"""The working tree: the ledger is the truth, an editor's change becomes a version, and nothing is lost on either side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.ports import Settled
from reverie.records import text_hash
from reverie.tree.nothing import NoTree
from tests.trees import AGENT, USER, TreeStore, make_old, state, tree_store

MEMORY = "MEMORY.md"
TOPIC = "topics/план-на-июль.md"
BASE = "# Memory\n\n- likes tea\n- lives in Riga\n- works at night\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TreeStore]:
    with tree_store(tmp_path / "store") as opened:
        yield opened


def review(store: TreeStore) -> None:
    store.settings = replace(store.settings, tree_edits="review")


def test_a_store_server_without_a_folder_has_no_tree() -> None:
    assert NoTree().settle(scope=USER, heads={}) == Settled()


def test_a_scope_without_files_makes_no_folder(store: TreeStore) -> None:
    assert store.settled() == Settled()
    assert not (store.root / "agents").exists()


@pytest.mark.parametrize("file", [MEMORY, TOPIC, "topics/" + "🍋" * 80 + ".md"])
def test_a_version_is_written_out_byte_for_byte(store: TreeStore, file: str) -> None:
    text = "\ufeffone\r\ntwo\rthree\u2028 ⟦tea⟧ 🍋\n\n"

    store.write(file, text)

    assert store.path(file).read_bytes() == text.encode()
    assert store.path(file).stat().st_mode & 0o777 == 0o600
    assert store.path(file).parent.stat().st_mode & 0o777 == 0o700
    assert store.is_in_step()


def test_settling_twice_says_and_does_nothing_more(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    before = state(store.path(MEMORY))

    assert store.settled() == Settled()
    assert state(store.path(MEMORY)) == before


def test_agent_files_and_user_files_live_apart(store: TreeStore) -> None:
    store.write("SOUL.md", "calm", AGENT)
    store.write(MEMORY, BASE)

    assert store.path("SOUL.md", AGENT) == store.root / "agents" / "ann" / "SOUL.md"
    assert store.path(MEMORY) == store.root / "agents" / "ann" / "users" / "bob" / MEMORY


def test_an_editors_change_becomes_a_version(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- plays chess\n")

    settled = store.settled()

    version = store.history(MEMORY)[-1]
    assert (version.text, version.origin, version.actor) == (BASE + "- plays chess\n", "editor", "ed")
    assert [notice.code for notice in settled.notices] == ["tree_edit_adopted"]
    assert settled.moved
    assert store.settled() == Settled()


def test_a_revert_to_older_text_is_an_edit_too(store: TreeStore) -> None:
    store.write(MEMORY, "one\n")
    store.write(MEMORY, "two\n")
    store.path(MEMORY).write_text("one\n")

    assert store.settle() == ["tree_edit_adopted"]
    assert [version.text for version in store.history(MEMORY)] == ["one\n", "two\n", "one\n"]


@pytest.mark.parametrize("file", ["USER.md", TOPIC])
def test_a_file_that_a_person_makes_is_adopted(store: TreeStore, file: str) -> None:
    store.path(file).parent.mkdir(parents=True)
    store.path(file).write_text("made by hand\n")

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text(file) == "made by hand\n"
    assert store.is_in_step()


def test_an_edit_over_the_limit_is_taken(store: TreeStore) -> None:
    store.path("USER.md").parent.mkdir(parents=True)
    store.path("USER.md").write_text("long " * 1000)

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text("USER.md") == "long " * 1000


def test_a_missing_file_comes_back(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).unlink()

    assert store.settle() == ["tree_restored"]
    assert store.path(MEMORY).read_text() == BASE
    assert len(store.history(MEMORY)) == 1


def test_a_missing_tree_comes_back(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.write(TOPIC, "detail\n")
    (store.root / "agents").rename(store.root / "elsewhere")

    assert store.settle() == ["tree_restored", "tree_restored"]
    assert store.path(MEMORY).read_text() == BASE
    assert store.path(TOPIC).read_text() == "detail\n"


@pytest.mark.parametrize("blank", ["", "\n", " \r\n\t", "\ufeff"])
def test_a_file_emptied_just_now_is_waited_for(store: TreeStore, blank: str) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(blank)

    assert store.settle() == ["tree_settling"]
    assert store.text(MEMORY) == BASE


@pytest.mark.parametrize("blank", ["", "\n", " \r\n\t", "\ufeff"])
def test_a_file_that_stays_empty_is_a_removal(store: TreeStore, blank: str) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(blank)
    make_old(store.path(MEMORY))

    assert store.settle() == ["tree_edit_adopted"]
    assert store.history(MEMORY)[-1].text is None
    assert store.settled() == Settled()


def test_a_file_emptied_for_long_can_still_be_filled(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    with store.path(MEMORY).open("w") as editor:
        make_old(store.path(MEMORY))
        store.settle()
        editor.write("slow but there\n")

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text(MEMORY) == "slow but there\n"


def test_a_removal_in_the_ledger_removes_the_file(store: TreeStore) -> None:
    store.write(MEMORY, BASE)

    store.write(MEMORY, None)

    assert not store.path(MEMORY).exists()
    assert store.kept() == [BASE]
    assert store.settled() == Settled()


def test_changes_of_different_entries_are_merged(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE.replace("likes tea", "likes green tea"))
    store.put(MEMORY, BASE.replace("at night", "by day"))

    assert store.settle() == ["tree_edit_merged"]
    both = BASE.replace("likes tea", "likes green tea").replace("at night", "by day")
    assert store.text(MEMORY) == both
    assert store.path(MEMORY).read_text() == both
    assert store.is_in_step()


def test_changes_of_one_entry_keep_the_head_and_hold_the_edit(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE.replace("Riga", "Tartu"))
    store.put(MEMORY, BASE.replace("Riga", "Narva"))

    assert store.settle() == ["tree_conflict"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == BASE.replace("Riga", "Narva")
    (edit,) = store.edits()
    assert (edit.text, edit.base, edit.conflict, edit.origin) == (
        BASE.replace("Riga", "Tartu"),
        1,
        True,
        "editor",
    )
    assert BASE.replace("Riga", "Tartu") in store.kept()
    assert store.settled() == Settled()


def test_an_edit_of_a_removed_file_is_held(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- new\n")
    store.put(MEMORY, None)

    assert store.settle() == ["tree_conflict"]
    assert not store.path(MEMORY).exists()
    assert [edit.text for edit in store.edits()] == [BASE + "- new\n"]


def test_a_removal_by_hand_of_a_changed_file_is_held(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text("")
    make_old(store.path(MEMORY))
    store.put(MEMORY, BASE + "- new\n")

    assert store.settle() == ["tree_conflict"]
    assert store.path(MEMORY).read_text() == BASE + "- new\n"
    assert [edit.text for edit in store.edits()] == [None]


def test_the_same_change_on_both_sides_is_no_conflict(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- new\n")
    store.put(MEMORY, BASE + "- new\n")

    assert store.settled() == Settled()
    assert store.is_in_step()


def test_a_tree_that_the_ledger_never_wrote_is_not_written_over(store: TreeStore) -> None:
    store.path(MEMORY).parent.mkdir(parents=True)
    store.path(MEMORY).write_text("from another store\n")
    store.put(MEMORY, BASE)

    assert store.settle() == ["tree_conflict"]
    assert store.text(MEMORY) == BASE
    assert [edit.text for edit in store.edits()] == ["from another store\n"]


@pytest.mark.case("S-09")
def test_under_review_an_edit_waits_and_the_old_version_is_served(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- new\n")

    settled = store.settled()

    assert [notice.code for notice in settled.notices] == ["tree_edit_held"]
    assert not settled.moved
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == BASE
    (edit,) = store.edits()
    assert (edit.text, edit.base, edit.conflict, edit.actor) == (BASE + "- new\n", 1, False, "ed")
    assert BASE + "- new\n" in store.kept()
    assert store.settled() == Settled()


@pytest.mark.case("S-09")
def test_under_review_the_same_edit_is_held_once(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    for _ in range(3):
        store.path(MEMORY).write_text(BASE + "- new\n")
        store.settle()

    assert len(store.edits()) == 1
    assert store.path(MEMORY).read_text() == BASE


@pytest.mark.case("S-09")
def test_under_review_the_same_text_over_a_newer_version_is_another_edit(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- new\n")
    store.settle()
    store.write(MEMORY, BASE + "- from an agent\n")
    store.path(MEMORY).write_text(BASE + "- new\n")
    store.settle()

    assert [(edit.text, edit.base) for edit in store.edits()] == [(BASE + "- new\n", 1), (BASE + "- new\n", 2)]
    assert store.path(MEMORY).read_text() == BASE + "- from an agent\n"
    assert store.settled() == Settled()


@pytest.mark.case("S-09")
def test_under_review_a_new_file_waits_outside_the_tree(store: TreeStore) -> None:
    review(store)
    store.path(TOPIC).parent.mkdir(parents=True)
    store.path(TOPIC).write_text("made by hand\n")

    assert store.settle() == ["tree_edit_held"]
    assert not store.path(TOPIC).exists()
    assert store.text(TOPIC) is None
    assert [(edit.file, edit.text, edit.base) for edit in store.edits()] == [(TOPIC, "made by hand\n", 0)]


@pytest.mark.case("S-09")
def test_under_review_a_removal_by_hand_waits(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text("")
    make_old(store.path(MEMORY))

    assert store.settle() == ["tree_edit_held"]
    assert store.path(MEMORY).read_text() == BASE
    assert [edit.text for edit in store.edits()] == [None]


@pytest.mark.case("S-09")
def test_an_edit_with_the_old_time_and_size_is_seen(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    before = store.path(MEMORY).stat()
    store.path(MEMORY).write_text(BASE.replace("tea", "rum"))
    os.utime(store.path(MEMORY), ns=(before.st_atime_ns, before.st_mtime_ns))

    assert store.settle() == ["tree_edit_held"]
    assert store.text(MEMORY) == BASE


def test_the_accepted_edit_is_written_out(store: TreeStore) -> None:
    review(store)
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text(BASE + "- new\n")
    store.settle()

    store.write(MEMORY, BASE + "- new\n")

    assert store.path(MEMORY).read_text() == BASE + "- new\n"


def test_a_stray_topic_is_told_of_and_left_alone(store: TreeStore) -> None:
    store.write(TOPIC, "detail\n")
    stray = store.path(TOPIC).with_name("Travel.md")
    stray.write_text("not read\n")
    store.path(TOPIC).with_name("notes.txt").write_text("no Markdown\n")

    (notice,) = store.settled().notices

    assert notice.code == "tree_odd_name"
    assert "topics/travel.md" in notice.message
    assert stray.read_text() == "not read\n"
    assert set(store.heads()) == {TOPIC}


def test_files_outside_the_catalogue_are_left_alone(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    names = ("NOTES.md", ".MEMORY.md.swp", "MEMORY.md~", "SOUL.md")
    for name in names:
        store.path(MEMORY).with_name(name).write_text("mine\n")

    assert store.settled() == Settled()
    assert all(store.path(MEMORY).with_name(name).read_text() == "mine\n" for name in names)


def test_what_was_put_at_a_path_is_remembered(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    assert store.heads()[MEMORY].mirrored == text_hash(BASE)

    store.write(MEMORY, None)
    assert store.heads()[MEMORY].mirrored == ""


def test_differences_are_told_without_touching_anything(store: TreeStore) -> None:
    store.write(MEMORY, BASE)
    store.path(MEMORY).write_text("edited\n")

    assert list(store.tree.differences(scope=USER, heads=store.heads())) == [MEMORY]
    assert store.text(MEMORY) == BASE
    assert store.path(MEMORY).read_text() == "edited\n"
