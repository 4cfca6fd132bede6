"""`reverie edit`: what is typed in an editor is stored on the version that was read, or kept in a file that is named."""

from __future__ import annotations

import re
from pathlib import Path

from tests.surfaces.command_line import WHOSE, CommandLine, script

APPEND = "import sys, pathlib; p = pathlib.Path(sys.argv[-1]); p.write_bytes(p.read_bytes() + b'kind\\r\\n')"
LOOK = "import sys, pathlib; assert pathlib.Path(sys.argv[-1]).name == 'SOUL.md' and sys.argv[1] == '--wait'"


def _with_editor(reverie: CommandLine, command: str) -> CommandLine:
    return CommandLine(reverie.store, {**reverie.environment, "VISUAL": "", "EDITOR": command})


def _kept(said: str) -> Path:
    found = re.search(r"kept in (\S+)\.$", said.strip())
    assert found is not None, said
    return Path(found[1])


def test_an_edited_text_becomes_the_next_version_byte_for_byte(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", *WHOSE, stdin=b"calm\r\n")
    ran = _with_editor(reverie, script(tmp_path, "append.py", APPEND)).process("edit", "SOUL.md", *WHOSE)
    assert (ran.code, ran.out) == (0, "SOUL.md: version 2, 12 of 2,000 characters.\n")
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm\r\nkind\r\n"


def test_an_absent_file_is_made_in_the_editor(tmp_path: Path, reverie: CommandLine) -> None:
    ran = _with_editor(reverie, script(tmp_path, "append.py", APPEND)).process("edit", "SOUL.md", *WHOSE)
    assert ran.code == 0
    assert reverie("read", "SOUL.md", *WHOSE).out == "kind\r\n"


def test_visual_wins_and_may_have_arguments_and_an_unchanged_text_is_no_version(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    visual = script(tmp_path, "look.py", LOOK) + " --wait"
    ran = CommandLine(reverie.store, {"VISUAL": visual, "EDITOR": "false"}).process("edit", "SOUL.md", *WHOSE)
    assert (ran.code, ran.out) == (0, "")
    assert "was not changed" in ran.err
    assert len(reverie("history", "SOUL.md", *WHOSE, "--json").json) == 1


def test_an_editor_that_fails_writes_nothing(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    for command in ("false", "/no/such/editor", "'unclosed"):
        ran = _with_editor(reverie, command).process("edit", "SOUL.md", *WHOSE, "--json")
        assert (ran.code, ran.error["code"]) == (1, "editor_failed")
    assert len(reverie("history", "SOUL.md", *WHOSE, "--json").json) == 1


def test_a_text_that_somebody_overtook_is_kept(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    command = " ".join(reverie.command("write", "SOUL.md", "overtaken", *WHOSE))
    overtake = script(tmp_path, "overtake.py", f"import subprocess; subprocess.run({command!r}.split(), check=True)\n{APPEND}")
    ran = _with_editor(reverie, overtake).process("edit", "SOUL.md", *WHOSE)
    assert ran.code == 6
    assert _kept(ran.err).read_bytes() == b"calm\nkind\r\n"
    assert reverie("read", "SOUL.md", *WHOSE).out == "overtaken\n"


def test_a_text_that_is_refused_is_kept(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    long = "import sys, pathlib; pathlib.Path(sys.argv[-1]).write_text('x' * 2001)"
    ran = _with_editor(reverie, script(tmp_path, "long.py", long)).process("edit", "SOUL.md", *WHOSE, "--json")
    assert (ran.code, ran.error["code"]) == (4, "over_limit")
    assert len(_kept(ran.error["remedy"]).read_text(encoding="utf-8")) == 2001


def test_a_text_that_is_not_utf_8_is_kept(tmp_path: Path, reverie: CommandLine) -> None:
    latin = "import sys, pathlib; pathlib.Path(sys.argv[-1]).write_bytes(b'caf\\xe9')"
    ran = _with_editor(reverie, script(tmp_path, "latin.py", latin)).process("edit", "SOUL.md", *WHOSE)
    assert ran.code == 3
    assert _kept(ran.err).read_bytes() == b"caf\xe9"
