"""Where a memory file lives below the folder of its scope.

The catalogue's files keep their names. A topic's slug is encoded as ids are, so that two topics never share a path on a
disk that ignores case, and a name that would grow too long goes on in a folder below:
`topics/план-на-июль.md`, `topics/<first part>!/<rest>.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from reverie.catalogue import TOPIC_PREFIX, file_name
from reverie.errors import InvalidId, InvalidName
from reverie.scopes import CONTINUED, folder_names, identity_of

TOPICS = TOPIC_PREFIX.rstrip("/")
SUFFIX = ".md"


def path_of(file: str) -> tuple[str, ...]:
    """The path of a memory file, as names below its scope's folder."""
    if not file.startswith(TOPIC_PREFIX):
        return (file,)
    *folders, last = folder_names(file.removeprefix(TOPIC_PREFIX).removesuffix(SUFFIX))
    return (TOPICS, *folders, last + SUFFIX)


def topic_at(names: Sequence[str]) -> str | None:
    """The topic whose file has this path below the topics folder; None for a name that no topic has."""
    *folders, last = names
    if not last.endswith(SUFFIX) or not all(name.endswith(CONTINUED) for name in folders):
        return None
    try:
        return file_name(f"{TOPIC_PREFIX}{identity_of([*folders, last.removesuffix(SUFFIX)])}{SUFFIX}")
    except (InvalidId, InvalidName):
        return None


def path_meant(name: str) -> str | None:
    """The path that a stray name in the topics folder should have had; None when no topic can be called so."""
    try:
        return "/".join(path_of(file_name(TOPIC_PREFIX + name)))
    except InvalidName:
        return None
