"""A store that cannot be written: reading works, and every write is refused with the typed error."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acts import prepared
from tests.nursery import Nursery
from tests.stores import files
from tests.troubles import READS, WRITES


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user can reach; those of pytest are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="reverie-tests-", dir="/tmp" if os.geteuid() == 0 else None))
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.case("R-12")
@pytest.mark.parametrize("left", ["closed", "killed"])
def test_a_store_without_write_permission_serves_reads(left: str, open_folder: Path, children: Nursery) -> None:
    """Also one that was killed, whose newest commits are still in the log."""
    store = open_folder / "store"
    prepared(store)
    if left == "killed":
        ended = children.one("tests.acts:record_until_killed", str(store), 0.1)
        assert ended.code == -signal.SIGKILL
    _lock(store)
    before = files(store)

    _assert_reads_only(children, store, open_folder)

    assert files(store) == before


@pytest.mark.deep
@pytest.mark.case("R-12")
def test_a_disk_that_is_mounted_read_only_serves_reads(open_folder: Path, children: Nursery) -> None:
    """Where nothing can be mounted, permissions are taken away instead."""
    prepared(open_folder / "origin")
    store = open_folder / "store"
    store.mkdir()
    bound = _run("mount", "--bind", str(open_folder / "origin"), str(store))
    if not bound:
        shutil.copytree(open_folder / "origin", store, dirs_exist_ok=True)
        _lock(store)
        _assert_reads_only(children, store, open_folder)
        return
    try:
        _open_to_all(open_folder / "origin")
        assert _run("mount", "-o", "remount,ro,bind", str(store))
        _assert_reads_only(children, store, open_folder)
    finally:
        assert _run("umount", str(store))


def _assert_reads_only(children: Nursery, store: Path, folder: Path) -> None:
    ended = children.one("tests.troubles:read_only", str(store), str(folder / "scratch"))
    assert ended.code == 0, ended.lines
    found = dict(line.split(": ") for line in ended.lines)
    reads = (*READS, "backup", "export")
    assert found == {name: "done" for name in reads} | {name: "store_read_only" for name in WRITES} | {"sound": "True"}


def _lock(store: Path) -> None:
    for path in sorted(store.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    store.chmod(0o555)


def _open_to_all(store: Path) -> None:
    for path in [store, *store.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)


def _run(*words: str) -> bool:
    return shutil.which(words[0]) is not None and not subprocess.run(words, capture_output=True, check=False).returncode
