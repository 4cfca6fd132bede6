"""Nothing planted in the working tree leads a read or a write outside it, and no secret stays in it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie.tree import exchange
from reverie.tree.safe import open_root
from tests.trees import USER, TreeStore, make_old, state, tree_store

MEMORY = "MEMORY.md"
TOPIC = "topics/travel.md"
BASE = "- likes tea\n"
OUTSIDE = "not memory\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TreeStore]:
    with tree_store(tmp_path / "store") as opened:
        opened.write(MEMORY, BASE)
        opened.write(TOPIC, BASE)
        yield opened


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file beside the store that nobody may read or change through it."""
    path = tmp_path / "outside.md"
    path.write_text(OUTSIDE)
    return path


def symbolic_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def dangling_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside.with_name("created.md"))


def hard_link(path: Path, outside: Path) -> None:
    os.link(outside, path)


def pipe(path: Path, outside: Path) -> None:
    os.mkfifo(path)


def folder(path: Path, outside: Path) -> None:
    path.mkdir()


def not_utf8(path: Path, outside: Path) -> None:
    path.write_bytes(b"caf\xe9\n")


def nul(path: Path, outside: Path) -> None:
    path.write_bytes(b"a\0b\n")


def half_a_character(path: Path, outside: Path) -> None:
    path.write_bytes(b"\xed\xa0\xbd\n")


def too_big(path: Path, outside: Path) -> None:
    with path.open("wb") as file:
        file.truncate(9 * 1024 * 1024)


ODD = [symbolic_link, dangling_link, hard_link, pipe, folder, not_utf8, nul, half_a_character, too_big]

Plant = Callable[[Path, Path], None]


@pytest.mark.case("S-10")
@pytest.mark.parametrize("file", [MEMORY, TOPIC])
@pytest.mark.parametrize("plant", ODD)
def test_what_is_no_text_file_is_reported_and_not_touched(
    store: TreeStore, outside: Path, plant: Plant, file: str
) -> None:
    path = store.path(file)
    path.unlink()
    plant(path, outside)
    before = state(path)

    assert store.settle() == ["tree_unusable"]

    assert store.text(file) == BASE
    assert state(path) == before
    assert outside.read_text() == OUTSIDE
    assert not outside.with_name("created.md").exists()


@pytest.mark.case("S-10")
@pytest.mark.parametrize("plant", ODD)
def test_a_write_does_not_go_through_what_is_planted(store: TreeStore, outside: Path, plant: Plant) -> None:
    store.path(MEMORY).unlink()
    plant(store.path(MEMORY), outside)

    store.write(MEMORY, "a new version\n")
    store.write(MEMORY, None)

    assert store.text(MEMORY) is None
    assert outside.read_text() == OUTSIDE
    assert not outside.with_name("created.md").exists()


@pytest.mark.case("S-10")
@pytest.mark.parametrize("plant", ODD)
def test_the_file_comes_back_once_the_planted_thing_is_gone(
    store: TreeStore, outside: Path, plant: Plant
) -> None:
    path = store.path(MEMORY)
    path.unlink()
    plant(path, outside)
    store.settle()
    path.rmdir() if plant is folder else path.unlink()

    assert store.settle() == ["tree_restored"]
    assert path.read_text() == BASE


@pytest.mark.case("S-10")
@pytest.mark.parametrize(
    "parent", ["agents", "agents/ann", "agents/ann/users", "agents/ann/users/bob", "topics"]
)
def test_no_parent_may_be_a_link(store: TreeStore, tmp_path: Path, parent: str) -> None:
    path = store.root / parent if parent != "topics" else store.path(TOPIC).parent
    moved = tmp_path / "moved"
    path.rename(moved)
    path.symlink_to(moved)
    before = sorted((found, found.lstat().st_mtime_ns) for found in moved.rglob("*"))

    assert set(store.settle()) == {"tree_unusable"}
    store.write(MEMORY, "a new version\n") if parent != "topics" else store.write(TOPIC, "a new version\n")

    assert sorted((found, found.lstat().st_mtime_ns) for found in moved.rglob("*")) == before
    assert store.text(TOPIC if parent == "topics" else MEMORY) == "a new version\n"


@pytest.mark.case("S-10")
def test_the_shelf_may_not_be_a_link(store: TreeStore, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    store.write(MEMORY, BASE + "- more\n")
    (store.root / ".replaced").rename(tmp_path / "shelf")
    (store.root / ".replaced").symlink_to(elsewhere)

    store.put(MEMORY, "a new version\n")

    assert store.settle() == ["tree_not_written"]
    assert list(elsewhere.iterdir()) == []
    assert store.path(MEMORY).read_text() == BASE + "- more\n"


@pytest.mark.case("S-11")
@pytest.mark.parametrize("times", [500, pytest.param(10_000, marks=pytest.mark.deep)])
def test_a_parent_swapped_for_a_link_leads_no_write_outside(
    store: TreeStore, tmp_path: Path, times: int
) -> None:
    outside = tmp_path / "outside"
    (outside / "users" / "bob").mkdir(parents=True)
    (store.root / "agents" / "way-out").symlink_to(outside)
    written: list[int] = []

    def write() -> None:
        for number in range(times // 10):
            store.write(MEMORY, f"version {number}\n")
            written.append(number)

    writer = threading.Thread(target=write)
    swaps = 0
    with open_root(store.root / "agents") as agents:
        writer.start()
        while writer.is_alive() or swaps < times:
            assert exchange.swap(agents.handle, "ann", "way-out")
            swaps += 1
        writer.join()

    assert len(written) == times // 10
    assert [path for path in outside.rglob("*") if path.is_file()] == []


@pytest.mark.case("S-12")
def test_a_root_that_is_a_link_works(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "store").symlink_to("real")

    with tree_store(tmp_path / "store") as store:
        store.write(MEMORY, BASE)
        store.path(MEMORY).write_text(BASE + "- more\n")

        assert store.settle() == ["tree_edit_adopted"]
        assert store.text(MEMORY) == BASE + "- more\n"
        assert (tmp_path / "real" / "agents" / "ann" / "users" / "bob" / MEMORY).is_file()


def a_secret() -> str:
    """Built here, so that scanners of this repository stay quiet."""
    return "-".join(("Tulip", "44", "Comet"))


def everything_under(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_a_secret_in_an_edit_is_masked_on_both_sides_and_not_kept(store: TreeStore) -> None:
    store.path(MEMORY).write_text(BASE + f"- the password is {a_secret()}\n- plays chess\n")

    assert store.settle() == ["tree_edit_adopted", "secret_masked"]

    assert store.text(MEMORY) == store.path(MEMORY).read_text()
    assert "plays chess" in store.path(MEMORY).read_text()
    assert a_secret().encode() not in everything_under(store.root)
    assert store.settle() == []


def test_a_secret_in_a_merged_edit_is_masked(store: TreeStore) -> None:
    store.path(MEMORY).write_text(f"- the password is {a_secret()}\n\n{BASE}")
    store.put(MEMORY, BASE + "- plays chess\n")

    store.settle()

    assert "plays chess" in store.path(MEMORY).read_text()
    assert store.text(MEMORY) == store.path(MEMORY).read_text()
    assert a_secret().encode() not in everything_under(store.root)
    assert store.edits() == []


@pytest.mark.case("S-09")
def test_a_secret_in_a_held_edit_is_masked(store: TreeStore) -> None:
    store.settings = type(store.settings)(tree_edits="review")
    store.path(MEMORY).write_text(BASE + f"- the password is {a_secret()}\n")

    assert store.settle() == ["tree_edit_held", "secret_masked"]

    assert store.path(MEMORY).read_text() == BASE
    assert len(store.edits()) == 1
    assert a_secret().encode() not in everything_under(store.root)


def test_the_same_secret_typed_again_changes_nothing(store: TreeStore) -> None:
    leaky = BASE + f"- the password is {a_secret()}\n"
    store.path(MEMORY).write_text(leaky)
    store.settle()
    store.path(MEMORY).write_text(leaky)

    store.settle()

    assert len(store.history(MEMORY)) == 2
    assert a_secret().encode() not in everything_under(store.root)


def test_what_another_scope_has_is_never_looked_at(store: TreeStore) -> None:
    other = type(USER)("default", "ann", "bobby")
    store.write(MEMORY, "bobby's\n", other)
    store.path(MEMORY, other).write_text("")
    make_old(store.path(MEMORY, other))

    assert store.settle(USER) == []
    assert store.text(MEMORY, other) == "bobby's\n"
