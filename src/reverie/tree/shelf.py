"""The shelf: replaced files, kept for a day in case somebody wants one back.

A replaced file is moved to `.replaced/<UTC hour>/<its path>~<hash>-<random>`, the hour being the file system's. A whole
hour goes once it is older than a day, looked at when a new hour begins. A file that holds a secret is not kept.

An editor that had the file open may still write to it after it was moved. The hash in the name tells: a kept file that
is not what it was when it came here is an edit that arrived late. What this process moved lately is watched for that;
threads that read may ask while another moves a file, so the list of watched files is a tuple that is put in place whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock

from reverie.tree.safe import PROBE, TEMPORARY, Folder, Found

REPLACED = ".replaced"
KEPT_HOURS = 25
"""An hour's folder goes when the hour began this long ago, so that each file stays for at least a day."""

WATCHED_FILES, WATCHED_SECONDS = 32, 60.0
"""How many files, and for how long, a process watches after it moved them."""

SEARCH_SECONDS = 60.0
"""How long a file's kept predecessors are not looked through again without a hint."""

_HOUR = "%Y-%m-%dT%H"
_IS_HOUR = re.compile(r"\d{4}-\d\d-\d\dT\d\d")
_IS_KEPT = re.compile(r"(.+)~([0-9a-f]{16})-[0-9a-f]{8}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Late:
    """A kept file that changed after it was replaced; `digest` begins the hash of what it was."""

    folder: tuple[str, ...]
    name: str
    digest: str
    found: Found


@dataclass(frozen=True, slots=True)
class _Watched:
    folder: tuple[str, ...]
    title: str
    path: str
    modified: int
    until: float


class Shelf:
    """Where replaced files of one store go. `secret` says whether a text must not be kept."""

    def __init__(self, root: Folder, secret: Callable[[str], bool]) -> None:
        self._root = root
        self._secret = secret
        self._searched: dict[tuple[tuple[str, ...], str], float] = {}
        self._watched: tuple[_Watched, ...] = ()  # oldest first; changed under the lock, read without it
        self._watching = Lock()

    def place_for(self, path: tuple[str, ...]) -> Folder:
        """The folder that takes the replaced files of a folder of the tree; close it after use. Raises OSError."""
        with self._root.make((REPLACED,)) as shelf:
            now = datetime.fromtimestamp(shelf.now() / 1e9, tz=UTC)
            hour = now.strftime(_HOUR)
            if hour not in shelf.names():
                _purge(shelf, (now - timedelta(hours=KEPT_HOURS)).strftime(_HOUR))
            return shelf.make((hour, *path))

    def take(self, folder: Folder, name: str, place: Folder, title: str, content: bytes) -> None:
        """Move a file that held `content` from a folder to its place, or remove it when that is a secret."""
        if self._secret(content.decode(errors="replace")):
            os.unlink(name, dir_fd=folder.handle)
            return
        kept = f"{title}~{hashlib.sha256(content).hexdigest()[:16]}-{secrets.token_hex(4)}"
        os.rename(name, kept, src_dir_fd=folder.handle, dst_dir_fd=place.handle)
        modified = os.stat(kept, dir_fd=place.handle, follow_symlinks=False).st_mtime_ns
        until = time.monotonic() + WATCHED_SECONDS
        moved = _Watched(folder.path, title, "/".join((*place.path, kept)), modified, until)
        with self._watching:
            self._watched = (*self._watched, moved)[-WATCHED_FILES:]

    def sweep(self, folder: Folder) -> None:
        """Clear away what a crash left in a folder. Only under the store's lock: nobody else is writing here then."""
        left = []
        for name in folder.names():
            if name.startswith(PROBE):
                folder.discard(name)
            elif name.startswith(TEMPORARY):
                left.append(name)
        if not left:
            return
        with self.place_for(folder.path) as place:
            for name in left:
                found = folder.read(name)
                if isinstance(found, Found):
                    self.take(folder, name, place, name, found.content)
                else:
                    folder.discard(name)  # a second name of a file that is still there

    @property
    def watching(self) -> bool:
        """Whether this process moved a file lately."""
        return bool(self._watched)

    def disturbed(self, below: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
        """Folder and name of the files in or below a folder whose replaced predecessor changed; a hint to look closer."""
        now = time.monotonic()
        self._unwatch(lambda one: one.until < now)
        near = [one for one in self._watched if one.folder[: len(below)] == below]
        changed = [(one.folder, one.title) for one in near if self._changed(one)]
        for one in changed:
            self._searched.pop(one, None)
        return changed

    def late(self, path: tuple[str, ...], title: str) -> list[Late]:
        """The late edits of a file of the tree, oldest first, among what the last two hours replaced.

        Other processes' shelvings are looked through once a minute for each file, this process's when one changed.
        """
        now = time.monotonic()
        if now < self._searched.get((path, title), now):
            return []
        self._searched[path, title] = now + SEARCH_SECONDS
        shelf = self._root.walk((REPLACED,))
        if not isinstance(shelf, Folder):
            return []
        with shelf:
            hours = [name for name in shelf.names() if _IS_HOUR.fullmatch(name)][-2:]
            found = [late for hour in hours for late in _late_in(shelf, (hour, *path), title)]
        return sorted(found, key=lambda late: late.found.modified)

    def accept(self, late: Late) -> None:
        """Note that a late edit is in the ledger: the kept file is named after what it holds now."""
        folder = self._root.walk(late.folder)
        if not isinstance(folder, Folder):
            return
        with folder:
            title = late.name.rsplit("~", 1)[0]
            path = "/".join((*late.folder, late.name))
            self._unwatch(lambda one: one.path == path)
            with contextlib.suppress(
                OSError
            ):  # another process accepted it as well, or the ledger gets it once more
                self.take(folder, late.name, folder, title, late.found.content)

    def _unwatch(self, done: Callable[[_Watched], bool]) -> None:
        """Stop watching what is `done`."""
        if not any(map(done, self._watched)):
            return
        with self._watching:
            self._watched = tuple(one for one in self._watched if not done(one))

    def _changed(self, watched: _Watched) -> bool:
        try:
            status = os.stat(watched.path, dir_fd=self._root.handle, follow_symlinks=False)
        except OSError:
            return False
        return status.st_mtime_ns != watched.modified


def _late_in(shelf: Folder, path: tuple[str, ...], title: str) -> Iterator[Late]:
    folder = shelf.walk(path)
    if not isinstance(folder, Folder):
        return
    with folder:
        for name in folder.names():
            kept = _IS_KEPT.fullmatch(name)
            if kept is None or kept[1] != title:
                continue
            found = folder.read(name)
            if isinstance(found, Found) and not hashlib.sha256(found.content).hexdigest().startswith(kept[2]):
                yield Late(folder.path, name, kept[2], found)


def _purge(shelf: Folder, oldest: str) -> None:
    for name in shelf.names():
        if name.startswith(PROBE):
            shelf.discard(name)
        elif _IS_HOUR.fullmatch(name) and name < oldest:
            _remove(shelf, name)


def _remove(folder: Folder, name: str) -> None:
    """Remove a file or a folder with all that is in it; another process may be doing the same."""
    below = folder.walk((name,))
    try:
        if not isinstance(below, Folder):
            os.unlink(name, dir_fd=folder.handle)
            return
        with below:
            for child in below.names():
                _remove(below, child)
        os.rmdir(name, dir_fd=folder.handle)
    except FileNotFoundError:
        return
