"""The command line as real processes: bytes, exit codes, terminals, broken pipes, and many at once on one store."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from tests.surfaces.command_line import WHO, WHOSE, CommandLine


def _on_a_terminal(reverie: CommandLine, *words: str) -> str:
    """What a command shows on a terminal of its own."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        reverie.command(*words), stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=reverie.variables() | {"TERM": "xterm", "COLUMNS": "100"}
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_bytes_pass_through_a_process_unchanged(reverie: CommandLine) -> None:
    text = "\ufeffone\r\ntwo\rthree \u65e5\u672c\n"
    assert reverie.process("write", "SOUL.md", "-", *WHOSE, stdin=text.encode()).code == 0
    ran = subprocess.run(reverie.command("read", "SOUL.md", *WHOSE), capture_output=True, env=reverie.variables(), check=True)
    assert ran.stdout == text.encode()


def test_a_locale_cannot_spoil_a_text(reverie: CommandLine) -> None:
    odd = CommandLine(reverie.store, {**reverie.environment, "PYTHONIOENCODING": "ascii"})
    text = "\u0447\u0430\u0439\n".encode()
    assert odd.process("write", "SOUL.md", *WHOSE, stdin=text).code == 0
    ran = subprocess.run(odd.command("read", "SOUL.md", *WHOSE), capture_output=True, env=odd.variables(), check=True)
    assert ran.stdout == text


def test_an_error_is_one_json_document_on_standard_error_and_an_exit_code(reverie: CommandLine) -> None:
    ran = reverie.process("write", "SOUL.md", *WHOSE, "--json", stdin=b"x" * 2001)
    assert (ran.code, ran.out) == (4, "")
    assert {"code": "over_limit", "size": 2001, "limit": 2000}.items() <= ran.error.items()
    assert ran.error["message"]
    assert ran.error["remedy"]


def test_options_before_the_command_and_wrong_names_are_understood_by_a_process_too(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    assert reverie.process(*WHOSE, "--json", "read", "SOUL.md").json["text"] == "calm\n"
    assert "Did you mean 'read'" in reverie.process("raed", "SOUL.md").err


@pytest.mark.parametrize("variable", ["REVERIE_NOW", "REVERIE_TIMEZONE", "REVERIE_STRATEGY"])
def test_a_wrong_environment_is_an_error_with_a_remedy(variable: str, reverie: CommandLine) -> None:
    wrong = CommandLine(reverie.store, {variable: "2026-12-01"})
    ran = wrong("files", *WHOSE, "--json")
    assert ran.code == 3
    assert ran.error["remedy"]


def test_a_text_can_neither_steer_a_terminal_nor_be_taken_for_markup(reverie: CommandLine) -> None:
    markup = "[red]a[/red] [link=http://x]b[/link] :smile:"
    text = f"{markup} \x1b]0;owned\x07 \x1b[2J \u202e"
    reverie("write", "SOUL.md", *WHOSE, "--by", text, "--reason", text, stdin=text.encode())
    for words in (["read", "SOUL.md"], ["diff", "SOUL.md"], ["context", "--prompt"], ["blame", "SOUL.md"], ["history", "SOUL.md"]):
        shown = _on_a_terminal(reverie, *words, *WHOSE)
        assert [sign for sign in ("\x1b]", "\x07", "\x1b[2J", "\u202e") if sign in shown] == []
        if words[0] in ("read", "diff", "context"):
            assert markup in shown


def test_a_terminal_gets_tables_and_sections(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    assert "SOUL.md" in _on_a_terminal(reverie, "files", *WHOSE)
    assert "tokens" in _on_a_terminal(reverie, "context", *WHOSE)
    assert _on_a_terminal(reverie, "read", "SOUL.md", *WHOSE) == "calm\r\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_fault(unbuffered: str, reverie: CommandLine) -> None:
    reverie("write", "MEMORY.md", "- a line of memory\n" * 8000, *WHO)
    command = subprocess.Popen(
        reverie.command("read", "MEMORY.md", *WHO), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=reverie.variables() | {"PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.read(10)
    command.stdout.close()
    assert command.stderr.read() == b""
    command.stderr.close()
    assert command.wait() == 141


def test_an_interrupt_is_quiet_and_writes_nothing(reverie: CommandLine) -> None:
    command = subprocess.Popen(
        reverie.command("write", "SOUL.md", *WHOSE), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=reverie.variables() | {"PYTHONUNBUFFERED": "1"}, start_new_session=True,
    )  # fmt: skip
    _until_it_reads(command)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate()
    assert (command.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert reverie("history", "SOUL.md", *WHOSE, "--json").json == []


def _until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process sleeps on standard input, as the kernel sees it."""
    assert process.stdin is not None
    while process.poll() is None:
        call = Path(f"/proc/{process.pid}/wchan").read_text(encoding="ascii")
        if "pipe_read" in call or "pipe_wait" in call or "anon_pipe_read" in call:
            return
    raise AssertionError("it ended before it read")


def test_processes_at_once_on_one_store_lose_nothing(reverie: CommandLine) -> None:
    running = [
        subprocess.Popen(
            reverie.command("append", "MEMORY.md", f"- entry {number}", *WHO), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, env=reverie.variables(),
        )
        for number in range(8)
    ]  # fmt: skip
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert ended == [(b"", 0)] * 8
    text = reverie("read", "MEMORY.md", *WHO).out
    assert sorted(text.strip().split("\n")) == [f"- entry {number}" for number in range(8)]
    assert len(reverie("history", "MEMORY.md", *WHO, "--json").json) == 8
    assert reverie("verify").code == 0
