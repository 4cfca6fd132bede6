"""Scopes: whose memory it is, compared by equality of its parts and never by prefix.

A scope is an agent, or an agent and a user, inside a project. Ids are opaque: any Unicode text in NFC, at
most 200 characters, no control characters. Folder names encode ids reversibly and stay distinct on a
case-insensitive disk, so two scopes never share a path.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.errors import InvalidId

MAX_ID = 200
"""Longest id, in code points of its NFC form."""

MAX_SEGMENT = 200
"""Longest folder name, in UTF-8 bytes; most file systems stop at 255."""

CONTINUED = "!"
"""Ends a folder name whose id goes on in the folder below."""

_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))]
)

_INVISIBLE_LETTERS = "\u115f\u1160"  # Hangul fillers


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """An agent (`user` is empty) or an agent and a user, in a project."""

    project: str
    agent: str
    user: str = ""

    @property
    def is_user(self) -> bool:
        """Whether this is an agent+user scope."""
        return bool(self.user)

    @property
    def of_agent(self) -> Scope:
        """The agent scope that this scope belongs to (itself, for an agent scope)."""
        return Scope(self.project, self.agent) if self.user else self

    def __str__(self) -> str:
        return f"agent {self.agent!r}, user {self.user!r}" if self.user else f"agent {self.agent!r}"


def checked_id(what: str, value: object) -> str:
    """The NFC form of an id, or InvalidId naming `what` (project, agent, user, session)."""
    if not isinstance(value, str):
        raise InvalidId(f"The {what} id must be text, not {type(value).__name__}.", "Pass a string.")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise InvalidId(
            f"The {what} id holds half of a character (a lone surrogate).", "Send whole characters."
        )
    name = unicodedata.normalize("NFC", value)
    if not name.strip():
        raise InvalidId(f"The {what} id is empty.", f"Give the {what} a name.")
    if len(name) > MAX_ID:
        raise InvalidId(f"The {what} id has {len(name)} characters.", f"Use at most {MAX_ID}.")
    if any(unicodedata.category(character) == "Cc" for character in name):
        raise InvalidId(f"The {what} id {name!r} holds a control character.", "Remove it.")
    return name


def folder_names(identity: str) -> tuple[str, ...]:
    """One or more folder names for an id: nested when the encoded name passes MAX_SEGMENT bytes.

    No name is empty, begins or ends with a dot, or is a device of Windows. Only a name that goes on ends with
    CONTINUED, so such a folder holds further names and is never itself the folder of an id.
    """
    names: list[str] = []
    current, size = "", 0
    for position, character in enumerate(identity):
        ends = position == len(identity) - 1
        piece = _escaped(character) if character == "." and ends else _encoded(character)
        if size + len(piece.encode()) > MAX_SEGMENT - len(CONTINUED):
            names.append(current + CONTINUED)
            current, size = "", 0
        if not current and (character == "." or identity[position:].partition(".")[0] in _RESERVED):
            piece = _escaped(character)
        current, size = current + piece, size + len(piece.encode())
    return (*names, current)


def identity_of(names: Sequence[str]) -> str:
    """The id that `folder_names` encoded; InvalidId for names that it never makes."""
    joined = "".join(name.removesuffix(CONTINUED) for name in names)
    try:
        identity = checked_id("folder", _decoded(unicodedata.normalize("NFC", joined)))
    except (ValueError, IndexError) as error:
        raise InvalidId(
            f"{'/'.join(names)!r} is not a folder of this store.", "Leave it or remove it."
        ) from error
    if folder_names(identity) != tuple(unicodedata.normalize("NFC", name) for name in names):
        raise InvalidId(f"{'/'.join(names)!r} is not a folder of this store.", "Leave it or remove it.")
    return identity


def folder_of(scope: Scope) -> tuple[str, ...]:
    """The path of a scope's folder below the store's root, as folder names."""
    path: Iterable[str] = ("agents", *folder_names(scope.agent))
    if scope.project != "default":
        path = ("projects", *folder_names(scope.project), *path)
    return (*path, "users", *folder_names(scope.user)) if scope.user else tuple(path)


def _plain(character: str) -> bool:
    """Whether a character stands for itself: a letter without capitals, compatibility forms or invisibility."""
    if character in "-_." or "a" <= character <= "z" or "0" <= character <= "9":
        return True
    return (
        _old_letter(character)
        and character == character.lower() == character.casefold()
        and unicodedata.normalize("NFKC", character) == character
        and character.upper().lower() == character
    )


def _old_letter(character: str) -> bool:
    """Whether Unicode 3.2 knows the letter: its data never change, so a newer Python makes the same names."""
    return (
        ord(character) > 127
        and unicodedata.ucd_3_2_0.category(character)[0] == "L"
        and character not in _INVISIBLE_LETTERS
    )


def _encoded(character: str) -> str:
    if _plain(character):
        return character
    lower = character.lower()
    stable = character.isascii() or _old_letter(character)
    if stable and len(lower) == 1 and lower != character and lower.upper() == character and _plain(lower):
        return "+" + lower
    return _escaped(character)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02x}" for byte in character.encode())


def _decoded(name: str) -> str:
    out = bytearray()
    position = 0
    while position < len(name):
        character = name[position]
        if character == "%":
            out.append(int(name[position + 1 : position + 3], 16))
            position += 3
        elif character == "+":
            out += name[position + 1].upper().encode()
            position += 2
        else:
            out += character.encode()
            position += 1
    return out.decode()
