"""Every way in obeys the same rules: what may be stored at all, which secrets are masked, and what a limit does.

The ways differ in one thing only. A writer's text over a hard limit is refused; what a person saved in the working tree
or imports is taken whole, and every report says that it is over the limit.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import ReverieError
from reverie.memory import Agent
from reverie.scopes import folder_of
from reverie.testing import FixedClock

FILE = "SOUL.md"
SECRET = "Tulip-" + "44-Comet"
FOUND = ("tree", "import")
"""Ways by which a person's own text comes: never refused for its length."""


@dataclass(frozen=True)
class Outcome:
    """What became of a text: what is stored of it, the code of the refusal, whether something was told."""

    stored: str | None
    refused: str | None = None
    told: bool = False


@dataclass(frozen=True)
class Place:
    """A fresh store with one agent, and a folder beside it."""

    memory: Memory
    root: Path

    @property
    def agent(self) -> Agent:
        return self.memory.agent("ann")

    @property
    def stored(self) -> str | None:
        document = self.agent.read(FILE)
        return document.text if document else None


Way = Callable[[Place, bytes], Outcome]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with Memory.open(tmp_path / "store", clock=FixedClock()) as memory:
        yield Place(memory, tmp_path)


def written(place: Place, text: bytes) -> Outcome:
    return _called(place, lambda: place.agent.write(FILE, _decoded(text)))


def appended(place: Place, text: bytes) -> Outcome:
    return _called(place, lambda: place.agent.append(FILE, _decoded(text)))


def edited(place: Place, text: bytes) -> Outcome:
    place.agent.write(FILE, "old")
    return _called(place, lambda: place.agent.edit(FILE, "old", _decoded(text)))


def accepted(place: Place, text: bytes) -> Outcome:
    place.agent.configure(shared_writes="review")
    place.agent.write(FILE, "old", origin="agent")
    edit = place.agent.edits()[0].id
    return _called(place, lambda: place.agent.accept_edit(edit, text=_decoded(text)))


def held(place: Place, text: bytes) -> Outcome:
    place.agent.configure(shared_writes="review")
    outcome = _called(place, lambda: place.agent.write(FILE, _decoded(text), origin="agent"))
    waiting = place.agent.edits()
    return Outcome(waiting[0].text if waiting else None, outcome.refused, outcome.told)


def copied(place: Place, text: bytes) -> Outcome:
    """From an agent that may have longer files; what cannot be stored at all cannot be copied, and what is, is masked."""
    other = place.memory.agent("other")
    other.configure(limits={FILE: 900_000})
    outcome = _called(place, lambda: other.write(FILE, _decoded(text)))
    if outcome.refused:
        return outcome
    copy = _called(place, lambda: other.copy(FILE, to=place.agent))
    return Outcome(copy.stored, copy.refused, outcome.told or copy.told)


def restored(place: Place, text: bytes) -> Outcome:
    """A version that was taken when the limit was another."""
    place.agent.configure(limits={FILE: 900_000})
    outcome = _called(place, lambda: place.agent.write(FILE, _decoded(text)))
    if outcome.refused:
        return outcome
    place.agent.delete(FILE)
    place.agent.configure(limits=None)
    restore = _called(place, lambda: place.agent.restore(FILE, 1))
    return Outcome(restore.stored, restore.refused, outcome.told or restore.told)


def tree(place: Place, text: bytes) -> Outcome:
    path = place.root.joinpath("store", *folder_of(place.agent.scope), FILE)
    path.parent.mkdir(parents=True)
    path.write_bytes(text)
    told = bool(place.agent.context().warnings)
    stored = place.stored
    assert path.read_bytes() == (text if stored is None else stored.encode()), "what is refused stays as it was saved"
    return Outcome(stored, None if stored else "invalid_text", told)


def imported(place: Place, text: bytes) -> Outcome:
    folder = place.root / "workspace"
    folder.mkdir()
    (folder / FILE).write_bytes(text)
    report = place.memory.import_("openclaw", folder, agent="ann", user="bob")
    return Outcome(place.stored, "invalid_text" if report.errors else None, bool(report.errors or report.notes))


def command(place: Place, text: bytes) -> Outcome:
    words = [sys.executable, "-m", "reverie.cli", "write", FILE, "--store", str(place.root / "store"), "--agent", "ann"]
    ran = subprocess.run(words, input=text, capture_output=True, check=False)
    refused = {0: None, 3: "invalid_text", 4: "over_limit"}[ran.returncode]
    return Outcome(place.stored, refused, bool(ran.stderr) or b"masked" in ran.stdout)


WAYS: dict[str, Way] = {
    "write": written, "append": appended, "edit": edited, "accept": accepted, "hold": held, "copy": copied,
    "restore": restored, "tree": tree, "import": imported, "command": command,
}  # fmt: skip


@pytest.mark.case("R-09")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["- calm\n", "- спокойный 🍋 e\u0301\r\n", "# Soul\n\n- a\u2028b\n", "- " + "ж" * 1997 + "\n"])
def test_an_ordinary_text_is_stored_as_it_is(way: str, text: str, place: Place) -> None:
    assert WAYS[way](place, text.encode()).stored == text


@pytest.mark.case("R-09", "S-17")
@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_masked_and_told(way: str, place: Place) -> None:
    outcome = WAYS[way](place, f"- the password is {SECRET}\n".encode())
    assert outcome.refused is None
    assert outcome.told
    assert outcome.stored is not None
    assert SECRET not in outcome.stored
    assert outcome.stored.startswith("- the password is ")
    kept = [path for path in place.root.joinpath("store").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert kept == []


@pytest.mark.case("R-09")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "text", [b"- a\0b\n", b"- half \xed\xa0\xbd\n", b"x" * 100_001, b"- \xff\xfe\n"], ids=["NUL", "half", "line", "bytes"]
)
def test_what_cannot_be_stored_is_refused(way: str, text: bytes, place: Place) -> None:
    outcome = WAYS[way](place, text)
    assert outcome.refused == "invalid_text"
    assert outcome.told
    assert outcome.stored in (None, "old")


@pytest.mark.case("R-09")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ["- ten chars\n" * 200, "- " + "語" * 1999, "- " + "😀" * 1999], ids=["entries", "kanji", "emoji"])
def test_a_hard_limit_refuses_a_writer_and_marks_what_a_person_brings(way: str, text: str, place: Place) -> None:
    outcome = WAYS[way](place, text.encode())
    assert outcome.told
    if way in FOUND:
        assert outcome.refused is None
        assert outcome.stored == text
        assert [(info.name, info.over_limit) for info in place.agent.files()] == [(FILE, True)]
        assert "over_limit" in {warning.code for warning in place.agent.context().warnings}
    else:
        assert outcome.refused == "over_limit"
        assert outcome.stored in (None, "old")


@pytest.mark.case("R-09", "I-07")
@pytest.mark.parametrize("way", [way for way in WAYS if way not in FOUND])
@pytest.mark.parametrize("character", ["x", "ж", "語", "😀"])
def test_a_limit_counts_code_points_in_every_script(way: str, character: str, place: Place) -> None:
    """The limit of this file is 2,000; an entry's mark and line end count too."""
    text = f"- {character * 1997}\n"
    outcome = WAYS[way](place, text.encode())
    assert (outcome.refused, outcome.stored) == (None, text)


def _called(place: Place, act: Callable[[], object]) -> Outcome:
    try:
        made = act()
    except ReverieError as error:
        return Outcome(place.stored, error.code, told=True)
    return Outcome(place.stored, None, told=bool(getattr(made, "notices", ())))


def _decoded(text: bytes) -> str:
    """What a program gets that reads these bytes and does not look closely."""
    return text.decode(errors="surrogateescape")
