"""Power loss, simulated: what a disk may hold when the machine stops between two system calls.

While an act runs, every call that changes the working tree is recorded, with a copy of the ledger as it lies on the
disk after it. The ledger syncs each commit before it is acknowledged, so a copy is what power loss leaves of it. Of the
tree, what was not synced may be lost: of a file any part of what was written since its last sync, of a folder any set
of the changes to its names. A rename is one change, wholly there or not at all, as journalling file systems keep it.
"""

from __future__ import annotations

import os
import random
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.tree import exchange

LEDGER = ("reverie.db", "reverie.db-wal")
WITNESS = ".reverie.lock"
"""Never synced: after a power loss it may be as it was at any earlier moment."""

Place = tuple[int, str]


@dataclass(frozen=True)
class Named:
    """Names that change together: a place, and the file or folder there afterwards (None: nothing)."""

    places: Mapping[Place, int | None]


@dataclass(frozen=True)
class Written:
    """Bytes added to a file."""

    file: int
    content: bytes


@dataclass(frozen=True)
class Synced:
    """A file or folder that is on disk from here on."""

    what: int


Event = Named | Written | Synced
Note = Callable[[Event], None]
Exchange = Callable[[int, str, str], bool]


@dataclass
class Recording:
    """The tree as it was on disk, what happened to it in order, and the ledger before, after each event, and at last."""

    root: int
    names: dict[Place, int] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)
    folders: set[int] = field(default_factory=set)
    unsynced: dict[int, bytes] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    ledgers: list[dict[str, bytes]] = field(default_factory=list)


@contextmanager
def recorded(store: Path, unsynced: Mapping[Path, bytes] | None = None) -> Iterator[Recording]:
    """Record what happens in a store. `unsynced` names files that an editor saved and did not sync, and what was there.

    Such a save is lost or kept whole, as one under a new name is. What power loss tears of a save in place is lost to
    any program that comes after it.
    """
    recording = _begun(store)
    for path, before in (unsynced or {}).items():
        file = path.stat().st_ino
        recording.unsynced[file] = recording.contents[file]
        recording.contents[file] = before
    recording.ledgers.append(_ledger(store))

    def note(event: Event) -> None:
        recording.events.append(event)
        recording.ledgers.append(_ledger(store))

    kept = {
        name: getattr(os, name)
        for name in ("open", "write", "fsync", "rename", "link", "unlink", "mkdir", "rmdir")
    }
    swap, rename_new = exchange.swap, exchange.rename_new
    for name, replacement in _recorders(kept, recording, note).items():
        setattr(os, name, replacement)
    for name, replacement in _exchanges(swap, rename_new, note).items():
        setattr(exchange, name, replacement)
    try:
        yield recording
    finally:
        for name, call in kept.items():
            setattr(os, name, call)
        for name, exchanged in (("swap", swap), ("rename_new", rename_new)):
            setattr(exchange, name, exchanged)
        recording.ledgers.append(_ledger(store))


def after_power_loss(
    recording: Recording, chance: random.Random, folder: Path
) -> tuple[int, tuple[object, ...]]:
    """Write out what may be left of a store into a new folder; the moment of the loss, and a fingerprint of what is left."""
    moment = chance.randrange(len(recording.ledgers))
    events = recording.events[:moment]
    files = _contents(recording, events, chance)
    names = _names(recording, events, chance)
    ledger = dict(recording.ledgers[moment])
    witnesses = [one[WITNESS] for one in recording.ledgers[: moment + 1] if WITNESS in one]
    if witnesses:
        ledger[WITNESS] = chance.choice(witnesses)
    laid: dict[str, bytes] = {}
    _lay(recording, recording.root, "", names, files, laid)
    laid |= ledger
    for path, content in laid.items():
        target = folder / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return moment, tuple(sorted((path, hash(content)) for path, content in laid.items()))


def _begun(store: Path) -> Recording:
    recording = Recording(store.stat().st_ino)
    recording.folders.add(recording.root)
    for path in sorted(store.rglob("*")):
        if path.parent == store and path.name.startswith(("reverie.db", WITNESS)):
            continue
        status = path.lstat()
        recording.names[path.parent.stat().st_ino, path.name] = status.st_ino
        if stat.S_ISDIR(status.st_mode):
            recording.folders.add(status.st_ino)
        else:
            recording.contents[status.st_ino] = path.read_bytes()
    return recording


def _ledger(store: Path) -> dict[str, bytes]:
    return {name: (store / name).read_bytes() for name in (*LEDGER, WITNESS) if (store / name).exists()}


def _recorders(
    kept: Mapping[str, Callable[..., Any]], recording: Recording, note: Note
) -> dict[str, Callable[..., Any]]:
    """The calls of `os` that the tree makes, each relative to an open folder, recording what they did."""

    def write(handle: int, content: Any) -> int:
        size: int = kept["write"](handle, content)
        if _inode(handle) in recording.contents:
            note(Written(_inode(handle), bytes(content[:size])))
        return size

    def fsync(handle: int) -> None:
        kept["fsync"](handle)
        note(Synced(_inode(handle)))

    return {
        "write": write, "fsync": fsync, **_makers(kept, recording, note), **_movers(kept, note),
        "unlink": _remover(kept["unlink"], note), "rmdir": _remover(kept["rmdir"], note),
    }  # fmt: skip


def _makers(
    kept: Mapping[str, Callable[..., Any]], recording: Recording, note: Note
) -> dict[str, Callable[..., Any]]:
    def made_or_opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        handle: int = kept["open"](path, flags, mode, dir_fd=dir_fd)
        if flags & os.O_EXCL and dir_fd is not None:
            recording.contents[_inode(handle)] = b""
            note(Named({(_inode(dir_fd), path): _inode(handle)}))
        return handle

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        kept["mkdir"](path, mode, dir_fd=dir_fd)
        if dir_fd is not None:
            folder = _at(dir_fd, path)
            recording.folders.add(folder)
            note(Named({(_inode(dir_fd), path): folder}))

    return {"open": made_or_opened, "mkdir": mkdir}


def _movers(kept: Mapping[str, Callable[..., Any]], note: Note) -> dict[str, Callable[..., Any]]:
    def rename(old: Any, new: Any, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        what = _at(src_dir_fd, old)
        kept["rename"](old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        note(Named({(_inode(src_dir_fd), old): None, (_inode(dst_dir_fd), new): what}))

    def link(old: Any, new: Any, *, src_dir_fd: int, dst_dir_fd: int, follow_symlinks: bool) -> None:
        kept["link"](old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd, follow_symlinks=follow_symlinks)
        note(Named({(_inode(dst_dir_fd), new): _at(dst_dir_fd, new)}))

    return {"rename": rename, "link": link}


def _remover(call: Callable[..., Any], note: Note) -> Callable[..., None]:
    def remove(path: Any, *, dir_fd: int | None = None) -> None:
        call(path, dir_fd=dir_fd)
        if dir_fd is not None:
            note(Named({(_inode(dir_fd), path): None}))

    return remove


def _exchanges(swap: Exchange, rename_new: Exchange, note: Note) -> dict[str, Exchange]:
    def swapped(folder: int, first: str, second: str) -> bool:
        one, two = _at(folder, first), _at(folder, second)
        done = swap(folder, first, second)
        if done:
            note(Named({(_inode(folder), first): two, (_inode(folder), second): one}))
        return done

    def renamed(folder: int, old: str, new: str) -> bool:
        what = _at(folder, old)
        done = rename_new(folder, old, new)
        if done:
            note(Named({(_inode(folder), old): None, (_inode(folder), new): what}))
        return done

    return {"swap": swapped, "rename_new": renamed}


def _inode(handle: int) -> int:
    return os.fstat(handle).st_ino


def _at(handle: int, name: str) -> int:
    return os.stat(name, dir_fd=handle, follow_symlinks=False).st_ino


def _contents(recording: Recording, events: list[Event], chance: random.Random) -> dict[int, bytes]:
    """For each file what is left of it: all that was synced, and any part of what was not."""
    durable, pending = dict(recording.contents), dict(recording.unsynced)
    for event in events:
        if isinstance(event, Written):
            pending[event.file] = pending.get(event.file, durable.get(event.file, b"")) + event.content
        elif isinstance(event, Synced) and event.what in pending:
            durable[event.what] = pending.pop(event.what)
    for file, content in pending.items():
        if chance.random() < 0.7:
            whole = file in recording.unsynced
            sizes = [len(content)] if whole else [0, len(content), chance.randrange(len(content) + 1)]
            durable[file] = content[: chance.choice(sizes)]
    return durable


def _names(recording: Recording, events: list[Event], chance: random.Random) -> dict[Place, int]:
    """For each place what is left there: every change that was synced, and any set of the others."""
    names = dict(recording.names)
    synced_later: set[int] = set()
    kept: list[Named] = []
    for event in reversed(events):
        if isinstance(event, Synced):
            synced_later.add(event.what)
        elif isinstance(event, Named):
            durable = any(folder in synced_later for folder, _ in event.places)
            if durable or chance.random() < 0.5:
                kept.append(event)
    for event in reversed(kept):
        for place, what in event.places.items():
            if what is None:
                names.pop(place, None)
            else:
                names[place] = what
    return names


def _lay(
    recording: Recording, folder: int, path: str, names: Mapping[Place, int], files: Mapping[int, bytes], laid: dict[str, bytes]
) -> None:  # fmt: skip
    for (above, name), what in names.items():
        if above != folder:
            continue
        if what in recording.folders:
            laid[f"{path}{name}/"] = b""
            _lay(recording, what, f"{path}{name}/", names, files, laid)
        else:
            laid[path + name] = files.get(what, b"")
