"""Inspecting: what is wrong in the working tree, told without touching it.

Nothing is created, not even for a moment, and nothing is settled: a difference that the next read settles is told as
one, a file that was there and is gone is damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from reverie.catalogue import files_of
from reverie.damage import Problem
from reverie.lineage import StoredHead
from reverie.scopes import CONTINUED, Scope, folder_of
from reverie.tree.decision import Content, Disk, Empty, Missing, Unusable
from reverie.tree.looking import MAX_NESTING, folder_path, looked_at
from reverie.tree.paths import SUFFIX, TOPICS, topic_at
from reverie.tree.safe import SECOND_NAME, TEMPORARY, Folder, open_root

_OWN_FOLDERS = frozenset({"users", TOPICS, "logs", "dreams"})


class TreeInspection:
    """Looks at the tree of an embedded store."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def scope(self, scope: Scope, heads: Mapping[str, StoredHead]) -> Iterator[Problem]:
        """What is wrong with the files of one scope; `heads` are those of its memory files."""
        with open_root(self._root) as root:
            files, problems = _files(root, scope, heads)
            yield from problems
            for file in sorted(files):
                yield from _compared(root, scope, file, heads.get(file))

    def strays(self, project: str, scopes: Iterable[Scope]) -> Iterator[Problem]:
        """Folders of a project's part of the tree that belong to no scope of the store."""
        known = {path[:length] for path in map(folder_of, scopes) for length in range(1, len(path) + 1)}
        known |= {(*path, "users") for path in known}
        top = folder_of(Scope(project, "any"))
        above = top[: top.index("agents") + 1]
        with open_root(self._root) as root:
            folder = root.walk(above)
            if isinstance(folder, Folder):
                with folder:
                    yield from _strange(folder, known)


def _files(root: Folder, scope: Scope, heads: Mapping[str, StoredHead]) -> tuple[set[str], list[Problem]]:
    """The files to compare, on either side, and the names in the scope's folder that are none."""
    own = {row.name for row in files_of("user" if scope.is_user else "agent")}
    files, problems = own | heads.keys(), []
    folder = root.walk(folder_of(scope))
    if not isinstance(folder, Folder):
        return files, []
    with folder:
        for name in folder.names():
            if name.startswith(TEMPORARY):
                problems.append(_leftover(folder, name))
            elif name.endswith(SUFFIX) and not name.startswith(".") and name not in own:
                problems.append(_stray(folder, name, "no memory file of this scope has this name"))
        if scope.is_user:
            found, odd = _topics(folder, (TOPICS,))
            files |= found
            problems += odd
    return files, problems


def _topics(above: Folder, path: tuple[str, ...]) -> tuple[set[str], list[Problem]]:
    folder = above.walk((path[-1],))
    files: set[str] = set()
    problems: list[Problem] = []
    if not isinstance(folder, Folder):
        return files, problems
    with folder:
        for name in folder.names():
            below = (*path, name)
            if name.startswith(TEMPORARY):
                problems.append(_leftover(folder, name))
            elif name.endswith(CONTINUED) and len(below) <= MAX_NESTING:
                more, odd = _topics(folder, below)
                files |= more
                problems += odd
            elif name.endswith(SUFFIX) and not name.startswith("."):
                topic = topic_at(below[1:])
                if topic is None:
                    problems.append(_stray(folder, name, "no topic has this path"))
                else:
                    files.add(topic)
    return files, problems


def _compared(root: Folder, scope: Scope, file: str, head: StoredHead | None) -> Iterator[Problem]:
    names, name = folder_path(scope, file)
    folder = root.walk(names)
    crashed = False
    disk: Disk
    if isinstance(folder, Folder):
        with folder:
            disk = looked_at(folder.read(name)).disk
            crashed = any(one.startswith(TEMPORARY) for one in folder.names())
    else:
        disk = folder
    said = _verdict(disk, head, crashed=crashed)
    if said is not None:
        yield Problem(said[0], f"{scope}: {file}", said[1])


def _verdict(disk: Disk, head: StoredHead | None, *, crashed: bool) -> tuple[str, str] | None:
    wanted = head.hash if head is not None and head.chars is not None else ""
    noted = (head.mirrored if head is not None else None) or ""
    waiting = "tree_differs", "the newest version is not written out yet"
    edited = "tree_differs", "it was edited and the edit is not taken yet"
    match disk:
        case Unusable(reason):
            if crashed and reason == SECOND_NAME:
                return "tree_leftover", "a crash came while it was being replaced"
            return "tree_odd", reason
        case Missing():
            if not wanted:
                return None
            return ("tree_missing", "it was there and is gone") if noted == wanted else waiting
        case Empty():
            return edited if wanted else None
        case Content(found):
            if found == wanted:
                return None
            return waiting if found == noted else edited


def _strange(folder: Folder, known: set[tuple[str, ...]]) -> Iterator[Problem]:
    for name in folder.names():
        path = (*folder.path, name)
        if name.startswith(".") or (name in _OWN_FOLDERS - {"users"} and folder.path in known):
            continue
        below = folder.walk((name,))
        if not isinstance(below, Folder):
            continue
        with below:
            if path in known:
                yield from _strange(below, known)
            elif name != "users":
                yield Problem(
                    "tree_stray", "/".join(path), "nothing is stored about an agent or user of this name"
                )


def _leftover(folder: Folder, name: str) -> Problem:
    return Problem(
        "tree_leftover", "/".join((*folder.path, name)), "left by a crash in the middle of a write"
    )


def _stray(folder: Folder, name: str, why: str) -> Problem:
    return Problem("tree_stray", "/".join((*folder.path, name)), why)
