"""Every way to write on the command line obeys the same limits and checks, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surfaces.command_line import WHOSE, CommandLine, Ran, script

START = "I am calm.\n"
Way = Callable[[CommandLine, Path, str], Ran]


def _write(reverie: CommandLine, folder: Path, text: str) -> Ran:
    return reverie("write", "SOUL.md", *WHOSE, "--json", stdin=text.encode(errors="surrogatepass"))


def _write_argument(reverie: CommandLine, folder: Path, text: str) -> Ran:
    return reverie("write", "SOUL.md", text, *WHOSE, "--json")


def _append(reverie: CommandLine, folder: Path, text: str) -> Ran:
    return reverie("append", "SOUL.md", text, *WHOSE, "--json")


def _edit(reverie: CommandLine, folder: Path, text: str) -> Ran:
    return reverie("edit", "SOUL.md", "--old", "calm", "--new", text, *WHOSE, "--json")


def _editor(reverie: CommandLine, folder: Path, text: str) -> Ran:
    code = f"import sys, pathlib; pathlib.Path(sys.argv[-1]).write_bytes({text.encode(errors='surrogatepass')!r})"
    with_editor = CommandLine(reverie.store, {**reverie.environment, "VISUAL": script(folder, "editor.py", code)})
    return with_editor("edit", "SOUL.md", *WHOSE, "--json")


def _as_agent(reverie: CommandLine, folder: Path, text: str) -> Ran:
    return reverie("write", "SOUL.md", text, *WHOSE, "--origin", "agent", "--json")


WAYS: dict[str, Way] = {
    "write from standard input": _write,
    "write an argument": _write_argument,
    "append": _append,
    "edit a passage": _edit,
    "edit in an editor": _editor,
    "write as the agent": _as_agent,
}
BAD = {
    "over the limit": ("x" * 2001, "over_limit"),
    "over the limit in Cyrillic": ("\u0436" * 2001, "over_limit"),
    "NUL": ("calm\0 and kind", "invalid_text"),
    "half of a character": ("calm \ud83d", "invalid_text"),
}


@pytest.mark.case("R-09")
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("way", WAYS)
def test_what_one_way_refuses_every_way_refuses(way: str, bad: str, reverie: CommandLine, tmp_path: Path) -> None:
    reverie("write", "SOUL.md", START, *WHOSE)
    text, code = BAD[bad]
    ran = WAYS[way](reverie, tmp_path, text)
    assert (ran.code != 0, ran.out, ran.error["code"]) == (True, "", code)
    assert len(reverie("history", "SOUL.md", *WHOSE, "--json").json) == 1
    assert reverie("read", "SOUL.md", *WHOSE).out == START
    assert reverie("verify").code == 0


@pytest.mark.case("R-09")
@pytest.mark.parametrize("way", WAYS)
def test_every_way_masks_a_secret_and_says_so(way: str, reverie: CommandLine, tmp_path: Path) -> None:
    reverie("write", "SOUL.md", START, *WHOSE)
    secret = "Tulip-" + "44-Comet"
    ran = WAYS[way](reverie, tmp_path, f"calm. The password is {secret}")
    assert ran.code == 0
    assert ran.json["notices"]
    kept = b"".join(path.read_bytes() for path in Path(reverie.store).rglob("*") if path.is_file())
    assert secret.encode() not in kept


@pytest.mark.parametrize("name", ["../SOUL.md", "/etc/passwd", "agents/ann/SOUL.md", "soul.md", "NOTES.md", "topics/../x.md", ""])
def test_no_command_takes_a_path_for_a_name(name: str, reverie: CommandLine) -> None:
    for words in (["read", name], ["write", name, "x"], ["history", name], ["delete", name], ["edit", name, "--old", "a", "--new", "b"]):
        ran = reverie(*words, *WHOSE, "--user", "bob", "--json")
        assert (ran.code, ran.error["code"]) == (3, "invalid_name")
