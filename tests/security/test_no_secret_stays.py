"""After secrets came in by every door, no byte of the store, its copies or its prompts holds one of them."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from reverie import Memory
from reverie.errors import ReverieError
from reverie.records import Entry
from reverie.scopes import folder_of
from reverie.versions import PendingEdit
from tests.stores import rows

DICE = random.Random(19)


def _drawn(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(DICE.choice(alphabet) for _ in range(length - 3)) + "a7K"


SECRETS: Mapping[str, tuple[str, str]] = {
    "provider key": ("sk-" + "proj-" + _drawn(48), "The key is {} for now."),
    "cloud id": (
        "AK" + "IA" + _drawn(19, string.ascii_uppercase)[:16],
        "Cloud access id {} of the old account.",
    ),
    "bearer": (_drawn(40), "Authorization: Bearer {}"),
    "password in a link": (_drawn(14), "The database is postgres://bot:{}@db.example/main"),
    "password": ("Tulip-44-" + "Comet", "The staging password is {}"),
    "card": ("4111 1111 " + "1111 1111", "Pay with {} please."),
    "in a fence": ("gh" + "p_" + _drawn(36), "```\nexport GITHUB_TOKEN={}\n```"),
}
"""Secrets made at run time, each with a sentence to come in."""

Door = Callable[[Memory, str, Path], None]


def _written(memory: Memory, text: str, outside: Path) -> None:
    memory.agent("a").write("SOUL.md", text + "\n")


def _appended(memory: Memory, text: str, outside: Path) -> None:
    memory.agent("a").user("u").append("MEMORY.md", text, heading="Context")


def _edited(memory: Memory, text: str, outside: Path) -> None:
    user = memory.agent("a").user("u")
    user.write("USER.md", "before MARK after\n", removal_meant=True)
    user.edit("USER.md", "MARK", text)


def _refused(memory: Memory, text: str, outside: Path) -> None:
    with suppress(ReverieError):
        memory.agent("a").write("ABOUT.md", text + "\n" + "x" * 3000)
    with suppress(ReverieError):
        memory.agent("a").write("ABOUT.md", text, version=77)


def _reasoned(memory: Memory, text: str, outside: Path) -> None:
    memory.agent("a").acting(actor="sam", reason=text).append("TOOLS.md", "A note.")


def _held(memory: Memory, text: str, outside: Path) -> None:
    agent = memory.agent("held")
    agent.configure(shared_writes="review")
    waiting = agent.append("TOOLS.md", text, origin="agent")
    assert isinstance(waiting, PendingEdit)
    agent.accept_edit(waiting.id)
    discarded = agent.append("TOOLS.md", text, origin="agent")
    assert isinstance(discarded, PendingEdit)
    agent.acting(reason=text).discard_edit(discarded.id)
    agent.append("TOOLS.md", text, origin="agent")


def _journalled(memory: Memory, text: str, outside: Path) -> None:
    memory.store.book.append(memory.agent("a").user("u").scope, [Entry("user", "user", text, session="s")])


def _imported(memory: Memory, text: str, outside: Path) -> None:
    outside.joinpath("memory").mkdir(parents=True, exist_ok=True)
    outside.joinpath("TOOLS.md").write_text(text, encoding="utf-8")
    outside.joinpath("memory/2026-02-03.md").write_text(text, encoding="utf-8")
    memory.import_("openclaw", outside, agent="imported", user="u")


def _saved_by_an_editor(memory: Memory, text: str, outside: Path) -> None:
    agent = memory.agent("edited")
    agent.write("SOUL.md", "I am.\n")
    assert memory.store.folder is not None
    path = memory.store.folder.joinpath(*folder_of(agent.scope), "SOUL.md")
    path.write_text(text, encoding="utf-8")
    agent.context()
    agent.write("SOUL.md", "I am again.\n", removal_meant=True)


DOORS: tuple[Door, ...] = (_written, _appended, _edited, _refused, _reasoned, _held, _journalled, _imported)


@pytest.mark.case("S-19")
@pytest.mark.parametrize("name", SECRETS)
def test_no_byte_of_a_secret_is_on_disk_or_in_a_prompt(name: str, tmp_path: Path) -> None:
    secret, sentence = SECRETS[name]
    store = tmp_path / "store"
    with Memory.open(store) as memory:
        prompts = []
        for door in (*DOORS, _saved_by_an_editor):
            door(memory, sentence.format(secret), tmp_path / "workspace")
            prompts += [
                memory.agent(a).user("u").context(strategy="full").system_prompt for a in memory.agents()
            ]
        memory.backup(tmp_path / "copy.db")
        memory.export(tmp_path / "export")
        assert memory.verify().ok
        assert not any(secret in prompt for prompt in prompts)
    places = [path for root in (store, tmp_path / "export") for path in root.rglob("*") if path.is_file()]
    holding = [path.name for path in (*places, tmp_path / "copy.db") if secret.encode() in path.read_bytes()]
    assert places
    assert holding == []


@pytest.mark.case("S-19")
@pytest.mark.parametrize("name", SECRETS)
def test_no_row_of_a_server_holds_a_secret(name: str, postgres_url: str, tmp_path: Path) -> None:
    secret, sentence = SECRETS[name]
    with Memory.open(postgres_url) as memory:
        for door in DOORS:
            door(memory, sentence.format(secret), tmp_path / "workspace")
        assert memory.verify().ok
        held = rows(memory)
    assert any(held.values())
    assert [table for table, lines in held.items() if secret in "".join(lines)] == []


@pytest.mark.case("S-19")
@pytest.mark.parametrize("name", SECRETS)
def test_no_error_repeats_a_secret(name: str, sqlite_url: str) -> None:
    secret, sentence = SECRETS[name]
    text = sentence.format(secret)
    with Memory.open(sqlite_url) as memory:
        agent = memory.agent("a")
        agent.write("SOUL.md", "I am.\n")
        acts: tuple[Callable[[], object], ...] = (
            lambda: agent.write("SOUL.md", text + "x" * 5000),
            lambda: agent.write("SOUL.md", text, version=9),
            lambda: agent.edit("SOUL.md", text, "nothing"),
            lambda: agent.write("SOUL.md", f"{text}\n\n(rest unchanged)\n"),
        )
        for act in acts:
            with pytest.raises(ReverieError) as raised:
                act()
            assert secret not in str(raised.value.as_dict())
