"""No command shows one scope what belongs to another; the commands are taken from the app, so that none is forgotten."""

from __future__ import annotations

import unicodedata
from itertools import count
from pathlib import Path

import pytest

from reverie.catalogue import files_of
from reverie.cli import reference
from tests.surfaces.command_line import CommandLine

USERS = ("u1", "u10", "u1%", "u_1", "U1", "u1/", "u1:x", "['a', 'b:c']", "['a', 'b', 'c']", "acme", "acme-corp", "caf\u00e9")
AGENTS = ("a1", "A1")
SCOPES = [("a1", user) for user in USERS] + [("A1", "u1"), ("A1", "U1")]
EVERY_FILE = ("SOUL.md", "USER.md", "MEMORY.md", "topics/tea.md")

# Reading commands with the words that make them show all they can; a file name stands for each that the scope has.
READING: dict[str, list[list[str]]] = {
    "reverie context": [["--strategy", name] for name in ("full", "on-demand", "hybrid-v1", "hybrid-v2")],
    "reverie compare": [[]],
    "reverie files": [[]],
    "reverie read": [["FILE"], ["FILE", "--version", "1"], ["FILE", "--as-of", "2027-01-01T00:00:00Z"]],
    "reverie history": [["FILE"]],
    "reverie diff": [["FILE", "0", "1"]],
    "reverie blame": [["FILE"]],
    "reverie edits": [[]],
    "reverie config": [[]],
    "reverie config history": [[]],
    "reverie export": [["FOLDER"]],
    "reverie edits show": [["EDIT"]],
}
OTHERS = {
    "reverie init": "writes", "reverie demo": "has a store of its own", "reverie write": "writes", "reverie append": "writes",
    "reverie edit": "writes", "reverie delete": "writes", "reverie copy": "writes, and names both sides",
    "reverie restore": "writes", "reverie edits accept": "writes", "reverie edits discard": "writes",
    "reverie config set": "writes", "reverie config unset": "writes", "reverie verify": "is for the store's keeper",
    "reverie import": "writes", "reverie backup": "is for the store's keeper", "reverie restore-backup": "is for the store's keeper",
}  # fmt: skip


def test_every_command_is_run_here_or_has_a_reason_not_to_be() -> None:
    paths = {context.command_path for _, context in reference.commands(*reference.root())}
    assert paths == READING.keys() | OTHERS.keys()


def _canary(agent: str, user: str) -> str:
    """A word of the scope's own, of letters only, so that no two contain each other."""
    number = (AGENTS.index(agent) * (len(USERS) + 1)) + (USERS.index(user) + 1 if user else 0)
    return "canary" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}") + "z"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A store with a word in every file of every scope, in its history, its reasons, and an edit that waits."""
    reverie = CommandLine(str(tmp_path_factory.mktemp("store")), {"REVERIE_NOW": "2026-12-01T09:30:00+00:00"})
    for agent in AGENTS:
        reverie("config", "set", "shared_writes", "review", "--agent", agent, "--reason", _canary(agent, ""))
        for row in files_of("agent"):
            reverie("write", row.name, f"{_canary(agent, '')} one", "--agent", agent, "--reason", _canary(agent, ""))
        reverie("append", "SOUL.md", f"{_canary(agent, '')} held", "--agent", agent, "--origin", "agent")
    for agent, user in SCOPES:
        word = _canary(agent, user)
        for file in EVERY_FILE[1:]:
            reverie("write", file, f"{word} one\n", "--agent", agent, "--user", user, "--by", word, "--reason", word)
    return reverie


@pytest.mark.slow
@pytest.mark.case("S-13")
@pytest.mark.parametrize("path", READING)
def test_a_command_shows_a_scope_its_own_words_and_no_others(path: str, planted: CommandLine, tmp_path: Path) -> None:
    words = {_canary(agent, user) for agent, user in [*SCOPES, *((agent, "") for agent in AGENTS)]}
    numbers, turns = count(), count()
    for agent, user in SCOPES:
        own = {_canary(agent, user), _canary(agent, "")}
        for template in READING[path]:
            seen = ""
            for file in EVERY_FILE if "FILE" in template else ("",):
                folder = tmp_path / str(next(numbers))
                filled = [_filled(word, file, folder, planted, agent) for word in template]
                form = ["--json"] if next(turns) % 2 else []
                ran = planted(*path.split()[1:], *filled, "--agent", agent, "--user", user, *form)
                seen += ran.out + ran.err
                seen += "".join(p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.is_file())
            assert {word for word in words if word in seen} <= own, (path, agent, user)
            if "FILE" in template:
                assert own <= {word for word in words if word in seen}, "the test would see a word if it were shown"


def _filled(word: str, file: str, folder: Path, reverie: CommandLine, agent: str) -> str:
    if word == "FILE":
        return file
    if word == "FOLDER":
        return str(folder)
    if word == "EDIT":
        found: str = reverie("edits", "--agent", agent, "--json").json[0]["id"]
        return found
    return word


@pytest.mark.case("S-13")
def test_composed_and_decomposed_spellings_name_one_user(planted: CommandLine) -> None:
    decomposed = unicodedata.normalize("NFD", "caf\u00e9")
    assert decomposed != "caf\u00e9"
    ran = planted("read", "MEMORY.md", "--agent", "a1", "--user", decomposed)
    assert _canary("a1", "caf\u00e9") in ran.out


def test_an_empty_id_is_refused_and_never_means_everybody(planted: CommandLine) -> None:
    for words in (["--agent", ""], ["--agent", "a1", "--user", ""]):
        ran = planted("context", *words, "--json")
        assert (ran.code, ran.error["code"]) == (3, "invalid_id")
