"""How real editors save, and how programs append: whatever way, the text ends as a version and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.tree import exchange
from tests.trees import USER, TreeStore, tree_store

MEMORY = "MEMORY.md"
BASE = "# Memory\n\n- likes tea\n- lives in Riga\n- works at night\n"
EDITED = BASE + "- plays chess\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TreeStore]:
    with tree_store(tmp_path / "store") as opened:
        opened.write(MEMORY, BASE)
        yield opened


def in_place(path: Path, text: str) -> None:
    """nano, VS Code, `cat >`: empty the file and fill it."""
    path.write_text(text)


def temporary_and_rename(path: Path, text: str) -> None:
    """`sed -i`, gedit, most libraries: write beside it, rename over it."""
    beside = path.with_name("." + path.name + ".Ab12Cd")
    beside.write_text(text)
    beside.rename(path)


def backup_and_rename(path: Path, text: str) -> None:
    """vim with backupcopy=no: move the old file away, write a new one, remove the old one."""
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def backup_that_stays(path: Path, text: str) -> None:
    """emacs: the old file becomes `file~` and stays."""
    path.rename(path.with_name(path.name + "~"))
    path.write_text(text)


def linked_backup(path: Path, text: str) -> None:
    """vim with backupcopy=auto on some disks: a second name for the old file, then a rename over it."""
    backup = path.with_name(path.name + "~")
    os.link(path, backup)
    temporary_and_rename(path, text)
    backup.unlink()


def removed_and_written(path: Path, text: str) -> None:
    """Some synchronising tools: remove the file and make it again."""
    path.unlink()
    path.write_text(text)


def another_process(path: Path, text: str) -> None:
    """A program that appends."""
    added = text.removeprefix(path.read_text())
    script = f"open({str(path)!r}, 'a').write({added!r})"
    subprocess.run([sys.executable, "-c", script], check=True)


WAYS = [
    in_place, temporary_and_rename, backup_and_rename, backup_that_stays, linked_backup, removed_and_written,
    another_process,
]  # fmt: skip

Save = Callable[[Path, str], None]


@pytest.mark.parametrize("save", WAYS)
def test_each_way_of_saving_ends_as_a_version(store: TreeStore, save: Save) -> None:
    save(store.path(MEMORY), EDITED)

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED
    assert store.is_in_step()


@pytest.mark.case("S-09")
@pytest.mark.parametrize("save", WAYS)
def test_each_way_of_saving_is_held_under_review(store: TreeStore, save: Save) -> None:
    store.settings = replace(store.settings, tree_edits="review")
    save(store.path(MEMORY), EDITED)

    assert store.settle() == ["tree_edit_held"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == BASE
    assert [edit.text for edit in store.edits()] == [EDITED]


@pytest.mark.parametrize("save", WAYS)
def test_a_save_after_the_ledger_moved_is_merged(store: TreeStore, save: Save) -> None:
    store.put(MEMORY, BASE.replace("tea", "coffee"))
    save(store.path(MEMORY), EDITED)

    assert store.settle() == ["tree_edit_merged"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED.replace("tea", "coffee")


@pytest.mark.parametrize("save", WAYS)
def test_saves_one_after_the_other_are_each_a_version(store: TreeStore, save: Save) -> None:
    texts = [BASE + "- one more note\n" * number for number in range(1, 6)]
    for text in texts:
        save(store.path(MEMORY), text)
        store.settle()

    assert [version.text for version in store.history(MEMORY)] == [BASE, *texts]


def test_a_save_in_two_steps_ends_with_the_whole_text(store: TreeStore) -> None:
    with store.path(MEMORY).open("w") as editor:
        assert store.settle() == ["tree_settling"]
        editor.write(EDITED[:20])
        editor.flush()
        store.settle()
        editor.write(EDITED[20:])

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text(MEMORY) == EDITED


def test_the_moment_without_a_file_is_not_a_removal(store: TreeStore) -> None:
    path = store.path(MEMORY)
    path.rename(path.with_name("MEMORY.md~"))
    assert store.settle() == ["tree_restored"]

    temporary_and_rename(path, EDITED)

    assert store.settle() == ["tree_edit_adopted"]
    assert store.text(MEMORY) == EDITED


@pytest.mark.parametrize("swapping", [True, False])
def test_a_handle_kept_open_over_a_write_loses_nothing(
    store: TreeStore, swapping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not swapping:
        monkeypatch.setattr(exchange, "_system_call", lambda: None)
    with store.path(MEMORY).open("a") as editor:
        store.write(MEMORY, BASE.replace("tea", "coffee"))
        editor.write("- plays chess\n")

    assert store.settle() == ["tree_edit_merged"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED.replace("tea", "coffee")
    assert store.settle() == []


def test_a_late_save_that_does_not_merge_is_held(store: TreeStore) -> None:
    with store.path(MEMORY).open("r+") as editor:
        store.write(MEMORY, BASE.replace("tea", "coffee"))
        editor.write(BASE.replace("tea", "rum"))
        editor.truncate()

    assert store.settle() == ["tree_conflict"]
    assert store.path(MEMORY).read_text() == BASE.replace("tea", "coffee")
    assert [(edit.text, edit.base) for edit in store.edits()] == [(BASE.replace("tea", "rum"), 1)]
    assert store.settle() == []


@pytest.mark.case("S-09")
def test_a_late_save_is_held_under_review(store: TreeStore) -> None:
    store.settings = replace(store.settings, tree_edits="review")
    with store.path(MEMORY).open("a") as editor:
        store.write(MEMORY, BASE.replace("tea", "coffee"))
        editor.write("- plays chess\n")

    assert store.settle() == ["tree_edit_held"]
    assert [edit.text for edit in store.edits()] == [EDITED]
    assert store.path(MEMORY).read_text() == BASE.replace("tea", "coffee")


def test_a_late_save_is_seen_by_the_next_process_that_writes(store: TreeStore) -> None:
    with store.path(MEMORY).open("a") as editor:
        store.write(MEMORY, BASE.replace("tea", "coffee"))
        editor.write("- plays chess\n")

    with tree_store(store.root) as other:
        other.write(MEMORY, BASE.replace("tea", "water"))

    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED.replace("tea", "water")


def test_a_save_between_the_look_and_the_replacing_is_not_lost(
    store: TreeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MEMORY, BASE.replace("tea", "coffee"))
    swap, saves = exchange.swap, iter([EDITED])

    def interrupted(folder: int, first: str, second: str) -> bool:
        for text in saves:
            temporary_and_rename(store.path(MEMORY), text)
        return swap(folder, first, second)

    monkeypatch.setattr(exchange, "swap", interrupted)

    assert store.settle() == ["tree_edit_merged"]
    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED.replace("tea", "coffee")
    assert store.left_over() == []


def test_of_two_saves_while_replacing_the_later_wins_and_the_earlier_is_kept(
    store: TreeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MEMORY, BASE.replace("tea", "coffee"))
    swap, saves = exchange.swap, iter([BASE + "- first\n", EDITED])

    def interrupted(folder: int, first: str, second: str) -> bool:
        text = next(saves, None)
        if text is not None:
            temporary_and_rename(store.path(MEMORY), text)
        return swap(folder, first, second)

    monkeypatch.setattr(exchange, "swap", interrupted)
    store.settle()

    assert store.text(MEMORY) == store.path(MEMORY).read_text() == EDITED.replace("tea", "coffee")
    assert BASE + "- first\n" in store.kept()
    assert store.left_over() == []


def test_an_editor_and_an_agent_at_the_same_time_lose_nothing(store: TreeStore) -> None:
    script = (
        "import os, pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "for number in range(300):\n"
        "    while True:\n"
        "        try:\n"
        "            text = path.read_text()\n"
        "            break\n"
        "        except FileNotFoundError:\n"
        "            pass\n"
        "    beside = path.with_name('.saving')\n"
        "    beside.write_text(text.replace('- likes tea\\n', f'- likes tea {number}\\n', 1)"
        " if number == 0 else text.replace(f'tea {number - 1}\\n', f'tea {number}\\n', 1))\n"
        "    beside.rename(path)\n"
    )
    editor = subprocess.Popen([sys.executable, "-c", script, str(store.path(MEMORY))])
    written = 0
    while editor.poll() is None:
        store.settle()
        head = store.heads()[MEMORY]
        current = store.versions.get(scope=USER, file=MEMORY, number=head.number)
        assert current is not None
        assert current.text is not None
        store.put(MEMORY, current.text + f"- from the agent {written}\n")
        written += 1
        store.settle()
    for _ in range(3):
        store.settle()

    assert store.path(MEMORY).read_text() == store.text(MEMORY)
    assert store.is_in_step()
    assert store.left_over() == []
    texts = [version.text or "" for version in store.history(MEMORY)]
    assert all(any(f"agent {number}\n" in text for text in texts) for number in range(written))


@pytest.mark.deep
def test_saves_by_rename_against_a_stream_of_versions_all_survive(store: TreeStore) -> None:
    script = (
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "for number in range(20_000):\n"
        "    beside = path.with_name('.saving')\n"
        "    beside.write_text(f'save {number}\\n')\n"
        "    beside.rename(path)\n"
    )
    editor = subprocess.Popen([sys.executable, "-c", script, str(store.path(MEMORY))])
    number = 0
    while editor.poll() is None:
        store.write(MEMORY, f"version {number}\n")
        number += 1
    store.settle()

    texts = {version.text for version in store.history(MEMORY)} | {edit.text for edit in store.edits()}
    assert "save 19999\n" in texts
    assert store.path(MEMORY).read_text() == store.text(MEMORY)
