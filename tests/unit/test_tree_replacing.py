"""Replacing a file only if it still is what was read, and keeping what was replaced."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.tree import exchange
from reverie.tree.decision import Missing, Unusable
from reverie.tree.replacing import remove, replace
from reverie.tree.safe import TEMPORARY, Folder, Found, open_root, temporary_name
from reverie.tree.shelf import REPLACED, Shelf

NAME = "SOUL.md"


@pytest.fixture(params=["swap", "link"])
def root(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    """An open folder, on a system that can swap two names and on one that cannot."""
    if request.param == "link":
        monkeypatch.setattr(exchange, "_system_call", lambda: None)
    with open_root(tmp_path) as folder:
        yield folder


@pytest.fixture
def shelf(root: Folder) -> Shelf:
    return Shelf(root, lambda text: "hunter2" in text)


def kept(root: Path) -> list[bytes]:
    """What is on the shelf."""
    return [path.read_bytes() for path in sorted((root / REPLACED).rglob("*")) if path.is_file()]


def left_over(root: Path) -> list[str]:
    return [path.name for path in root.iterdir() if path.name.startswith(TEMPORARY)]


def test_a_file_that_is_what_was_read_is_replaced_and_kept(
    root: Folder, shelf: Shelf, tmp_path: Path
) -> None:
    (tmp_path / NAME).write_bytes(b"old")

    assert replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert (tmp_path / NAME).read_bytes() == b"new"
    assert kept(tmp_path) == [b"old"]
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o400])
def test_a_replaced_file_keeps_its_permissions(root: Folder, shelf: Shelf, tmp_path: Path, mode: int) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    (tmp_path / NAME).chmod(mode)

    assert replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert (tmp_path / NAME).stat().st_mode & 0o7777 == mode


def test_a_group_that_cannot_be_given_gets_nothing(
    root: Folder, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    (tmp_path / NAME).chmod(0o640)
    real = os.stat

    def of_another_group(path: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        status = list(real(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks))
        if path == NAME:
            status[5] += 1
        return os.stat_result(status)

    def refuse(handle: int, user: int, group: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", of_another_group)
        patched.setattr(os, "fchown", refuse)
        temporary = root.temporary(b"new", like=NAME)

    assert (tmp_path / temporary).stat().st_mode & 0o777 == 0o600


def test_a_new_file_is_for_its_owner_only(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    assert replace(root, NAME, b"new", expected=None, shelf=shelf)

    assert (tmp_path / NAME).stat().st_mode & 0o7777 == 0o600


def test_a_file_saved_in_between_is_not_replaced(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"saved in between")

    assert not replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert (tmp_path / NAME).read_bytes() == b"saved in between"
    assert left_over(tmp_path) == []


def test_a_new_file_does_not_overwrite_one_that_appeared(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    assert replace(root, NAME, b"new", expected=None, shelf=shelf)
    assert not replace(root, NAME, b"newer", expected=None, shelf=shelf)

    assert (tmp_path / NAME).read_bytes() == b"new"
    assert (tmp_path / NAME).stat().st_nlink == 1
    assert left_over(tmp_path) == []


def test_a_file_that_vanished_is_not_replaced(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    assert not replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert not (tmp_path / NAME).exists()
    assert left_over(tmp_path) == []


def test_a_file_is_removed_only_if_it_is_what_was_read(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"saved in between")

    assert not remove(root, NAME, expected=b"old", shelf=shelf)
    assert (tmp_path / NAME).read_bytes() == b"saved in between"

    assert remove(root, NAME, expected=b"saved in between", shelf=shelf)
    assert not (tmp_path / NAME).exists()
    assert kept(tmp_path) == [b"saved in between"]


def test_a_replaced_file_with_a_secret_is_not_kept(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"my password is hunter2")

    assert replace(root, NAME, b"masked", expected=b"my password is hunter2", shelf=shelf)

    assert kept(tmp_path) == []
    assert left_over(tmp_path) == []


def test_a_link_put_in_the_way_is_not_written_through(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"old")
    (tmp_path / NAME).symlink_to(outside)

    assert not replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert outside.read_bytes() == b"old"
    assert (tmp_path / NAME).is_symlink()


@pytest.mark.case("R-13")
def test_a_failed_sync_is_reported_and_leaves_the_old_file(
    root: Folder, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    shelf.place_for(()).close()
    real, calls = os.fsync, []

    def failing_once(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 1:
            raise OSError(errno.EIO, "Input/output error")
        real(handle)

    monkeypatch.setattr(os, "fsync", failing_once)

    with pytest.raises(OSError, match="Input/output"):
        replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert len(calls) == 1
    assert (tmp_path / NAME).read_bytes() == b"old"
    assert left_over(tmp_path) == []


@pytest.mark.case("R-11")
@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_full_disk_leaves_the_old_file_and_no_empty_one(
    root: Folder, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    real = os.write

    def write(handle: int, data: memoryview) -> int:
        nonlocal room
        if room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        room -= 1
        return real(handle, data[:1])

    monkeypatch.setattr(os, "write", write)

    with pytest.raises(OSError, match="No space"):
        replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert (tmp_path / NAME).read_bytes() == b"old"
    assert left_over(tmp_path) == []


def test_what_a_crash_left_is_put_on_the_shelf(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"the file")
    (tmp_path / temporary_name()).write_bytes(b"swapped out, then the crash came")
    os.link(tmp_path / NAME, tmp_path / temporary_name())

    shelf.sweep(root)

    assert left_over(tmp_path) == []
    assert kept(tmp_path) == [b"swapped out, then the crash came"]
    assert isinstance(root.read(NAME), Found)


def test_the_shelf_is_cleared_of_what_is_older_than_a_day(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    old = tmp_path / REPLACED / "2020-01-01T05" / "agents" / "a"
    other = tmp_path / REPLACED / "notes"
    old.mkdir(parents=True)
    other.mkdir()
    (old / "SOUL.md~0").write_bytes(b"long ago")
    (tmp_path / NAME).write_bytes(b"old")

    replace(root, NAME, b"new", expected=b"old", shelf=shelf)

    assert not (tmp_path / REPLACED / "2020-01-01T05").exists()
    assert other.exists()
    assert kept(tmp_path) == [b"old"]


@pytest.mark.case("S-10")
def test_clearing_the_shelf_does_not_follow_links(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_bytes(b"stays")
    old = tmp_path / REPLACED / "2020-01-01T05"
    old.mkdir(parents=True)
    (old / "way-out").symlink_to(outside)

    shelf.place_for(()).close()

    assert not old.exists()
    assert (outside / "precious").read_bytes() == b"stays"


def test_a_kept_file_that_changes_is_a_late_edit_until_it_is_accepted(
    root: Folder, shelf: Shelf, tmp_path: Path
) -> None:
    (tmp_path / NAME).write_bytes(b"old")
    with (tmp_path / NAME).open("ab") as editor:
        replace(root, NAME, b"new", expected=b"old", shelf=shelf)
        assert shelf.late((), NAME) == []
        editor.write(b" and more")

    assert shelf.disturbed(()) == [((), NAME)]
    (late,) = shelf.late((), NAME)
    assert late.found.content == b"old and more"

    shelf.accept(late)
    assert shelf.disturbed(()) == []


def test_threads_may_ask_what_is_watched_while_another_moves_files(root: Folder, shelf: Shelf, tmp_path: Path) -> None:
    def move() -> None:
        with shelf.place_for(()) as place:
            for number in range(300):
                (tmp_path / f"{number}.md").write_bytes(b"old")
                shelf.take(root, f"{number}.md", place, NAME, b"old")

    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(move)
        while not moving.done():
            assert shelf.disturbed(()) == []
        moving.result()
    assert shelf.watching


@pytest.mark.case("S-10")
def test_only_a_regular_file_with_one_name_is_read(root: Folder, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "twin").write_bytes(b"text")
    os.link(tmp_path / "twin", tmp_path / "twin-2")
    with (tmp_path / "big").open("wb") as big:
        big.truncate(8 * 1024 * 1024 + 1)

    assert isinstance(root.read("file"), Found)
    assert isinstance(root.read("nothing"), Missing)
    assert root.read("link") == Unusable("it is a symbolic link")
    assert root.read("dangling") == Unusable("it is a symbolic link")
    assert root.read("folder") == Unusable("it is a folder")
    assert root.read("pipe") == Unusable("it is a pipe or a device")
    assert root.read("twin") == Unusable("it has a second name (a hard link)")
    assert root.read("big") == Unusable("it is larger than 8 MB")


@pytest.mark.case("S-10")
def test_no_segment_of_a_path_may_be_a_link(root: Folder, tmp_path: Path) -> None:
    (tmp_path / "real" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")

    assert isinstance(root.walk(("link", "below")), Unusable)
    assert root.walk(("real", "nothing")) == Missing()
    with pytest.raises(OSError, match="link"):
        root.make(("link", "new"))
    assert not (tmp_path / "real" / "new").exists()


def test_folders_are_made_for_their_owner_only(root: Folder, tmp_path: Path) -> None:
    root.make(("agents", "a")).close()

    assert (tmp_path / "agents" / "a").stat().st_mode & 0o777 == 0o700
