"""Looking at the tree: what is at each file's path, and what would have to be done about it.

This is the way of every read, so it takes no lock and writes nothing: each file is opened safely, read and hashed, and
the hash compared with the ledger's. Times and sizes are never trusted instead of the content.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.catalogue import TOPIC_PREFIX, files_of
from reverie.markdown.entries import BYTE_ORDER_MARK
from reverie.notices import Notice
from reverie.scopes import CONTINUED, Scope, folder_of
from reverie.tree.decision import (
    SETTLING_SECONDS,
    Content,
    Disk,
    Empty,
    InStep,
    Missing,
    Outcome,
    Unusable,
    decide,
    head_hash,
)
from reverie.tree.paths import SUFFIX, TOPICS, path_meant, path_of, topic_at
from reverie.tree.safe import TEMPORARY, Folder, Found
from reverie.versions import Head

MAX_NESTING = 8
"""How deep names that go on in a folder below are followed; the longest slug needs five."""

STRAYS_TOLD = 10
"""How many stray names are told one by one."""

_folder_of = functools.lru_cache(maxsize=1024)(folder_of)
_path_of = functools.lru_cache(maxsize=4096)(path_of)
_topic_at = functools.lru_cache(maxsize=4096)(topic_at)
_NAMES = {level: tuple(row.name for row in files_of(level)) for level in ("agent", "user")}


@dataclass(frozen=True, slots=True)
class Looked:
    """What is at a path: as the decision needs it, as bytes (None: no file), and as text (None: none or blank)."""

    disk: Disk
    content: bytes | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """The files of a scope that are not in step, with the outcome for each, and stray names worth telling about."""

    outcomes: Mapping[str, Outcome]
    notices: tuple[Notice, ...] = ()


def survey(root: Folder, scope: Scope, heads: Mapping[str, Head]) -> Survey:
    """Compare every file of a scope's level, and its topics on either side, with the heads."""
    names = _NAMES["user" if scope.is_user else "agent"]
    folder = root.walk(_folder_of(scope))
    if not isinstance(folder, Folder):
        files = [*names, *(file for file in heads if file.startswith(TOPIC_PREFIX))]
        return Survey(_outcomes(files, heads, folder))
    with folder:
        outcomes: dict[str, Outcome] = {}
        for file in names:
            outcome = _compared(folder, file, file, heads.get(file))
            if outcome is not None:
                outcomes[file] = outcome
        if not scope.is_user:
            return Survey(outcomes)
        return _with_topics(folder, heads, outcomes)


def look(folder: Folder, name: str) -> Looked:
    """Read a file and say what it is; never raises for what is on the disk."""
    return _looked(folder, folder.read(name))


def unswept(root: Folder, scope: Scope) -> list[tuple[str, ...]]:
    """The folders of a scope in which a crash left temporary files, or in which another process is at work now."""
    found: list[tuple[str, ...]] = []
    waiting = [_folder_of(scope)]
    while waiting:
        path = waiting.pop()
        folder = root.walk(path)
        if not isinstance(folder, Folder):
            continue
        with folder:
            names = folder.names()
        if any(name.startswith(TEMPORARY) for name in names):
            found.append(path)
        if len(path) < len(_folder_of(scope)) + MAX_NESTING:
            waiting += [(*path, name) for name in names if name == TOPICS or name.endswith(CONTINUED)]
    return found


def folder_path(scope: Scope, file: str) -> tuple[tuple[str, ...], str]:
    """The folder of a memory file, as names below the store's root, and its name in it."""
    *folders, name = _path_of(file)
    return (*_folder_of(scope), *folders), name


def _compared(folder: Folder, file: str, name: str, head: Head | None) -> Outcome | None:
    """The outcome for one file, None for one in step; the common case costs one read and one hash."""
    found = folder.read(name)
    if isinstance(found, Found):
        digest = hashlib.sha256(found.content).hexdigest()
        if head is not None and digest == head.hash and digest == head.mirrored and not head.absent:
            return None
    elif isinstance(found, Missing) and (head is None or (head.absent and not head.mirrored)):
        return None
    disk = _looked(folder, found).disk
    outcome = decide(head=head_hash(head), mirrored=head.mirrored if head else None, disk=disk)
    return None if isinstance(outcome, InStep) else outcome


def looked_at(found: Found | Missing | Unusable, *, young: bool = False) -> Looked:
    """What was read, as the decision needs it; `young` matters for an empty file only."""
    if not isinstance(found, Found):
        return Looked(found)
    content = found.content
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return Looked(Unusable("it is not UTF-8 text"), content)
    if "\0" in text:
        return Looked(Unusable("it holds NUL characters"), content)
    if not text.replace(BYTE_ORDER_MARK, "").strip():
        return Looked(Empty(young), content)
    return Looked(Content(hashlib.sha256(content).hexdigest()), content, text)


def _looked(folder: Folder, found: Found | Missing | Unusable) -> Looked:
    looked = looked_at(found)
    if isinstance(found, Found) and isinstance(looked.disk, Empty):
        return looked_at(found, young=_is_young(folder, found))
    return looked


def _is_young(folder: Folder, found: Found) -> bool:
    """Whether a file changed a moment ago; where the file system does not tell its time, it may have."""
    try:
        age = folder.now() - found.modified
    except OSError:
        return True
    return abs(age) < SETTLING_SECONDS * 1e9


def _outcomes(files: list[str], heads: Mapping[str, Head], disk: Missing | Unusable) -> dict[str, Outcome]:
    """The outcome for files that all share one fate: their folder is missing or cannot be entered."""
    found: dict[str, Outcome] = {}
    for file in files:
        head = heads.get(file)
        if head is None:
            continue
        outcome = decide(head=head_hash(head), mirrored=head.mirrored, disk=disk)
        if not isinstance(outcome, InStep):
            found[file] = outcome
    return found


def _with_topics(folder: Folder, heads: Mapping[str, Head], outcomes: dict[str, Outcome]) -> Survey:
    known = [file for file in heads if file.startswith(TOPIC_PREFIX)]
    topics = folder.walk((TOPICS,))
    if not isinstance(topics, Folder):
        return Survey(outcomes | _outcomes(known, heads, topics))
    with topics:
        paths, notices = _listed(topics, ())
        for file in sorted({*known, *paths}):
            *folders, name = paths.get(file) or _path_of(file)[1:]
            below = topics.walk(folders) if folders else topics
            if isinstance(below, Folder):
                outcome = _compared(below, file, name, heads.get(file))
                if below is not topics:
                    below.close()
            else:
                outcome = _outcomes([file], heads, below).get(file)
            if outcome is not None:
                outcomes[file] = outcome
    return Survey(outcomes, _few(notices))


def _listed(folder: Folder, above: tuple[str, ...]) -> tuple[dict[str, tuple[str, ...]], tuple[Notice, ...]]:
    """The topics that have a file here or in a folder where long names go on; notices for stray Markdown files."""
    topics: dict[str, tuple[str, ...]] = {}
    notices: tuple[Notice, ...] = ()
    for name in folder.names():
        path = (*above, name)
        if name.endswith(CONTINUED) and len(above) < MAX_NESTING:
            below = folder.walk((name,))
            if isinstance(below, Folder):
                with below:
                    more, odd = _listed(below, path)
                topics |= more
                notices += odd
        elif name.endswith(SUFFIX) and not name.startswith("."):
            topic = _topic_at(path)
            if topic is None:
                notices += (_stray(path),)
            else:
                topics[topic] = path
    return topics, notices


def _few(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    """Some of the notices on stray names and how many more there are: a crowd of files must not crowd a prompt."""
    if len(notices) <= STRAYS_TOLD:
        return notices
    more = f"{len(notices) - STRAYS_TOLD} more files in the working tree have names of no topic and are not read."
    return (*notices[:STRAYS_TOLD], Notice("tree_odd_name", "", more))


def _stray(path: tuple[str, ...]) -> Notice:
    shown = TOPIC_PREFIX + "/".join(path)
    meant = path_meant(path[-1].lower())
    remedy = f"rename it to {meant}" if meant else "use lower-case letters, digits, '-' and '_'"
    return Notice(
        "tree_odd_name",
        "",
        f"{shown!r} in the working tree is not read, because no topic has this path: {remedy}.",
    )
