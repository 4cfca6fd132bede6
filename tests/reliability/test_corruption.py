"""Damage of the bytes: a flipped bit or a cut file gives the right answer or a typed error, never wrong text or less.

The store is made once; each run damages a copy of it at a random place and then reads all there is to read.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from reverie import Memory
from reverie.errors import ReverieError, StoreDamaged
from reverie.versions import Version

ROOT = Path(__file__).parents[2]
MIRROR = "agents/bot/users/ann/MEMORY.md"

FILL = """
import os, signal, sys
from reverie import Memory
memory = Memory.open(sys.argv[1])
agent = memory.agent("bot")
user = agent.user("ann")
agent.write("SOUL.md", "I am calm and exact.\\n" * 20)
user.write("USER.md", "- name: Ann\\n" * 30)
for number in range(int(sys.argv[3])):
    user.append("MEMORY.md", f"fact number {number} about the long river")
    user.write(f"topics/t{number % 5}.md", f"- detail {number}\\n" * 10, removal_meant=True)
memory.agent("other").write("SOUL.md", "Another one.\\n")
if sys.argv[2] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
memory.close()
"""


UNREADABLE = "a version that is marked as damaged"


def _made(folder: Path, ending: str, rounds: int = 40) -> Path:
    program = [sys.executable, "-c", FILL, str(folder), ending, str(rounds)]
    run = subprocess.run(program, cwd=ROOT, check=False, capture_output=True)
    assert run.returncode == (-9 if ending == "kill" else 0), run.stderr
    return folder


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was closed in order: one database file."""
    return _made(tmp_path_factory.mktemp("closed") / "store", "close")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose process was killed: all of it is still in the log."""
    return _made(tmp_path_factory.mktemp("killed") / "store", "kill", 12)


def _reading(folder: Path) -> dict[str, Any]:
    """All that can be read of a store, each part the answer or the code of a typed error."""
    found: dict[str, Any] = {}

    def noted(name: str, read: Any) -> None:
        try:
            found[name] = read()
        except ReverieError as error:
            found[name] = error.code

    with Memory.open(folder) as memory:
        noted("agents", memory.agents)
        for scope in (memory.agent("bot"), memory.agent("bot").user("ann"), memory.agent("other")):
            noted(f"{scope.scope} journal", lambda scope=scope: [(r.seq, r.text, r.version) for r in scope.journal()])
            noted(f"{scope.scope} files", lambda scope=scope: [info.name for info in scope.files()])
            for file in ("SOUL.md", "USER.md", "MEMORY.md", *(f"topics/t{number}.md" for number in range(5))):
                if file != "SOUL.md" and not scope.scope.is_user:
                    continue
                noted(f"{scope.scope} {file}", lambda scope=scope, file=file: getattr(scope.read(file), "text", None))
                noted(f"{scope.scope} {file} history", lambda scope=scope, file=file: _texts(scope.history(file)))
        memory.verify()  # may say what is wrong; may not fail
    return found


def _texts(history: list[Version]) -> list[str | None]:
    """The texts that followed one another; a head with a wrong hash is healed by a version of the same text."""
    return [text for text, _ in groupby(UNREADABLE if version.damaged else version.text for version in history)]


def _agrees(found: Any, truth: Any) -> bool:
    """Whether an answer is the right one, or a history in which damaged versions are marked and all else is right.

    A damaged newest version may be followed by its text again: the working tree still had it.
    """
    if found == truth or not isinstance(truth, list) or not isinstance(found, list) or UNREADABLE not in found:
        return bool(found == truth)
    expected = [*truth, truth[-1]] if found[-2:] == [UNREADABLE, truth[-1]] and len(found) > len(truth) else truth
    return len(found) == len(expected) and all(
        one in (UNREADABLE, other) for one, other in zip(found, expected, strict=True)
    )


def _codes() -> set[str]:
    return {kind.code for kind in _kinds(ReverieError)}


def _kinds(kind: type[ReverieError]) -> set[type[ReverieError]]:
    return {kind}.union(*(_kinds(one) for one in kind.__subclasses__()))


def _damage(path: Path, chance: random.Random) -> str:
    """Flip one bit, or cut the file; what was done."""
    content = bytearray(path.read_bytes())
    place = chance.randrange(len(content))
    if chance.random() < 0.2:
        path.write_bytes(content[:place])
        return f"cut {path.name} at {place} of {len(content)}"
    content[place] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return f"flipped a bit of byte {place} of {path.name}"


def _judge(made: Path, copy: Path, name: str, seed: int, truth: dict[str, Any]) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(made, copy)
    (copy / "reverie.db-shm").unlink(missing_ok=True)
    done = _damage(copy / name, random.Random(seed))
    try:
        found = _reading(copy)
    except ReverieError:
        return
    codes = _codes()
    wrong = {
        part: found[part]
        for part in truth
        if not _agrees(found[part], truth[part]) and not (isinstance(found[part], str) and found[part] in codes)
    }
    assert not wrong, f"{done}: {str(wrong)[:500]}"


@pytest.mark.case("R-14")
@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_database_answers_right_or_not_at_all(closed: Path, tmp_path: Path, seed: int) -> None:
    _judge(closed, tmp_path / "copy", "reverie.db", seed, _truth(closed, tmp_path))


@pytest.mark.case("R-14")
@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_log_answers_right_or_not_at_all(killed: Path, tmp_path: Path, seed: int) -> None:
    _judge(killed, tmp_path / "copy", "reverie.db-wal", seed, _truth(killed, tmp_path))


@pytest.mark.deep
@pytest.mark.case("R-14")
@pytest.mark.parametrize("hundred", range(3))
def test_three_hundred_runs_answer_right_or_not_at_all(
    closed: Path, killed: Path, tmp_path: Path, hundred: int
) -> None:
    truths = {made: _truth(made, tmp_path / made.parent.name) for made in (closed, killed)}
    for seed in range(1000 + hundred * 100, 1100 + hundred * 100):
        made, name = (closed, "reverie.db") if seed % 2 else (killed, "reverie.db-wal")
        _judge(made, tmp_path / "copy", name, seed, truths[made])


@pytest.mark.case("R-14")
@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_mirror_is_an_edit_and_takes_nothing_away(closed: Path, tmp_path: Path, seed: int) -> None:
    """Nobody can tell a flipped bit in a Markdown file from an editor; the text before it stays a version."""
    folder = tmp_path / "copy"
    shutil.copytree(closed, folder)
    with Memory.open(folder) as memory:
        before = memory.agent("bot").user("ann").read("MEMORY.md")
    _damage(folder / MIRROR, random.Random(seed))

    with Memory.open(folder) as memory:
        user = memory.agent("bot").user("ann")
        user.context()
        texts = [version.text for version in user.history("MEMORY.md")]
        assert memory.verify().problems == [] or user.context().warnings

    assert before is not None
    assert before.text in texts


@pytest.mark.case("R-14")
def test_a_version_that_does_not_match_its_hash_is_never_shown(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.agent("bot").write("SOUL.md", "I am calm.\n")
        memory.agent("other").write("SOUL.md", "I am too.\n")
    content = (tmp_path / "reverie.db").read_bytes()
    (tmp_path / "reverie.db").write_bytes(content.replace(b"I am calm", b"I am evil"))
    (tmp_path / "agents" / "bot" / "SOUL.md").unlink()

    with Memory.open(tmp_path) as memory:
        with pytest.raises(StoreDamaged, match=r"SOUL\.md"):
            memory.agent("bot").read("SOUL.md")
        assert memory.agent("other").read("SOUL.md") is not None
        assert next(problem.code for problem in memory.verify().problems) == "version_altered"


@pytest.mark.deep
@pytest.mark.case("R-15")
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("what", ["removed", "emptied", "older", "foreign", "garbage"])
def test_a_side_file_that_was_exchanged_is_refused_or_recovered_from(killed: Path, tmp_path: Path, suffix: str, what: str) -> None:
    truth = _truth(killed, tmp_path)
    folder = tmp_path / "copy"
    shutil.copytree(killed, folder)
    side = folder / f"reverie.db{suffix}"
    match what:
        case "removed":
            side.unlink(missing_ok=True)
        case "emptied":
            side.write_bytes(b"")
        case "older":
            content = side.read_bytes() if side.exists() else b""
            side.write_bytes(content[: len(content) // 2])
        case "foreign":
            other = _made(tmp_path / "foreign", "kill", 5) / f"reverie.db{suffix}"
            side.write_bytes(other.read_bytes() if other.exists() else b"\0" * 512)
        case "garbage":
            side.write_bytes(random.Random(1).randbytes(8192))

    try:
        found = _reading(folder)
    except StoreDamaged:
        return
    assert found == truth


def _truth(made: Path, tmp_path: Path) -> dict[str, Any]:
    shutil.copytree(made, tmp_path / "whole")
    return _reading(tmp_path / "whole")
