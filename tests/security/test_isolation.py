"""Isolation: what one scope holds is seen by no verb of another, whatever their names have in common.

The verbs are found by looking at the classes, so that a new one cannot be forgotten: it must be called here, or be
named with the reason why it needs no call.
"""

from __future__ import annotations

import inspect
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie import Memory
from reverie.errors import ReverieError
from reverie.memory import Agent, ScopeMemory, User
from reverie.records import Entry
from reverie.scopes import Scope, folder_of
from reverie.testing import FixedClock
from tests.stores import assert_sound, rows

USERS = (
    "u1", "u10", "u1%", "u_1", "U1", "u1/", "u1:x", "u1\u200b", "%", "_", "*", "../u1", "..", "u1.", "u1 ", '["a","b:c"]',
    '["a","b","c"]', unicodedata.normalize("NFC", "é1"), "e1", "é", "CON", "con", "x" * 200, "x" * 199 + "y", "users", "agents",
)  # fmt: skip
AGENTS = ("acme", "acme-corp", "Acme", "acme/users/u1", "u1")
FILES = ("USER.md", "MEMORY.md", "topics/tea.md")
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)

Read = Callable[[Any], object]

ANY_SCOPE: dict[str, Read] = {
    "files": lambda scope: [(info, scope.read(info.name)) for info in scope.files()],
    "read": lambda scope: [_of(scope.read, file) for file in (*FILES, "SOUL.md", "ABOUT.md")],
    "history": lambda scope: [_of(scope.history, file) for file in (*FILES, "SOUL.md")],
    "diff": lambda scope: [_of(scope.diff, file, 0, 1) for file in (*FILES, "SOUL.md")],
    "blame": lambda scope: [_of(scope.blame, file) for file in (*FILES, "SOUL.md")],
    "edits": lambda scope: scope.edits(),
    "journal": lambda scope: [scope.journal(), scope.journal(day=NOW.date()), scope.journal(session="s")],
    "context": lambda scope: [scope.context(), scope.context(strategy="full"), scope.context(language="ru")],
    "compare": lambda scope: scope.compare(),
    "settings": lambda scope: scope.settings,
    "explain_settings": lambda scope: scope.explain_settings(),
    "restore": lambda scope: _of(scope.restore, "MEMORY.md", 1) if scope.scope.is_user else None,
    "edit": lambda scope: _of(scope.edit, "MEMORY.md", "canary", "canary") if scope.scope.is_user else None,
    "accept_edit": lambda scope: [_of(scope.accept_edit, id) for id in _foreign_edits(scope)],
    "discard_edit": lambda scope: [_of(scope.discard_edit, id) for id in _foreign_edits(scope)],
}
AGENT_ONLY: dict[str, Read] = {"settings_history": lambda agent: agent.settings_history()}
NEED_NO_CALL = {
    "scope": "the name itself",
    "acting": "the same memory with other words about who writes",
    "write": "gives back what it was given",
    "append": "gives back the scope's own text, and `edit` does the same",
    "delete": "gives back nothing of a text; that it removes nothing else is S-15",
    "copy": "is the one verb that takes a text across, by a person, and says so in both histories",
    "user": "gives a scope, and every scope is tried",
    "users": "names users, which is what it is for; that it names those of this agent only is a test of its own",
    "configure": "changes settings and holds no memory",
    "import_": "brings in what the caller has",
}


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    """Every combination of odd names, each with its own word in every place that keeps text."""
    with Memory.open(store_url, clock=FixedClock(NOW)) as opened:
        for agent in AGENTS:
            whose = opened.agent(agent)
            whose.write("SOUL.md", f"canary {_canary(whose.scope)}")
            whose.configure(shared_writes="review")
            whose.write("ABOUT.md", f"held {_canary(whose.scope)}", origin="agent")
            for user in USERS if agent == AGENTS[0] else USERS[:3]:
                _fill(opened, whose.user(user))
        yield opened


@pytest.mark.slow
@pytest.mark.case("S-13")
def test_the_canary_matrix_is_the_identity_matrix(memory: Memory) -> None:
    scopes: list[ScopeMemory] = [memory.agent(agent) for agent in AGENTS]
    scopes += [memory.agent(AGENTS[0]).user(user) for user in USERS]
    scopes += [memory.agent(agent).user(user) for agent in AGENTS[1:] for user in USERS[:3]]
    canaries = {_canary(scope.scope): scope.scope for scope in scopes}
    assert len(canaries) == len(scopes)
    for scope in scopes:
        allowed = {scope.scope, scope.scope.of_agent}
        verbs = ANY_SCOPE | (AGENT_ONLY if isinstance(scope, Agent) else {})
        seen = set()
        for name, verb in verbs.items():
            shown = repr(verb(scope))
            found = {whose for canary, whose in canaries.items() if canary in shown}
            assert found <= allowed, f"{name} of {scope.scope} shows {found - allowed}"
            seen |= found
        assert seen == allowed, "and each scope sees its own"
    assert_sound(memory)


@pytest.mark.case("S-13")
@pytest.mark.parametrize(("kind", "called"), [(User, ANY_SCOPE), (Agent, ANY_SCOPE | AGENT_ONLY)])
def test_every_verb_is_in_the_matrix(kind: type[ScopeMemory], called: dict[str, Read]) -> None:
    public = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    assert sorted(public - called.keys() - NEED_NO_CALL.keys()) == []
    assert sorted((called.keys() | NEED_NO_CALL.keys()) - public - {"user", "users", "configure", "settings_history", "import_"}) == []


@pytest.mark.slow
@pytest.mark.case("S-13")
@pytest.mark.parametrize("user", ["u1", "u10", "u1%", "U1", None])
def test_an_export_holds_its_own_canary_only(user: str | None, memory: Memory, tmp_path: Path) -> None:
    """Of a user: that user and what all users of the agent share; of an agent: all that is its own, no other agent's."""
    memory.export(tmp_path / "export", agent=AGENTS[0], user=user)
    written = b"".join(path.read_bytes() for path in (tmp_path / "export").rglob("*") if path.is_file())
    agent = Scope("default", AGENTS[0])
    own = {agent, *(Scope("default", AGENTS[0], name) for name in ([user] if user else USERS))}
    others = {scope for scope in memory.store.versions.scopes(project="default") if scope not in own}
    assert [scope for scope in others if _canary(scope).encode() in written] == []
    assert [scope for scope in own if scope.is_user and _canary(scope).encode() not in written] == []


@pytest.mark.case("S-13")
def test_every_verb_of_the_store_is_known_here() -> None:
    """Those that show memory are `export`, above, and the scopes' own; the others work on the store as a whole."""
    whole = {"open", "close", "store", "verify", "checkpoint", "backup", "import_"}
    public = {name for name, _ in inspect.getmembers(Memory) if not name.startswith("_")}
    assert public == whole | {"agents", "agent", "export"}


@pytest.mark.case("S-13")
def test_lists_name_their_own(memory: Memory) -> None:
    assert memory.agents() == sorted(AGENTS)
    assert memory.agent(AGENTS[0]).users() == sorted(USERS)
    assert memory.agent(AGENTS[1]).users() == sorted(USERS[:3])
    assert memory.agent("acm").users() == []


@pytest.mark.case("S-13")
def test_twins_by_normal_form_are_one_id_and_a_blank_id_is_none(memory: Memory) -> None:
    composed, decomposed = USERS[17], unicodedata.normalize("NFD", USERS[17])
    assert composed != decomposed
    agent = memory.agent(AGENTS[0])
    assert agent.user(decomposed).scope == agent.user(composed).scope
    for blank in ("", " ", "\u2003"):
        with pytest.raises(ReverieError):
            agent.user(blank)


@pytest.mark.case("S-13")
def test_projects_do_not_see_each_other(store_url: str) -> None:
    for project in ("default", "default2", "Default", "%"):
        with Memory.open(store_url, project=project) as memory:
            assert memory.agents() == []
            memory.agent("ann").user("bob").write("MEMORY.md", f"- of {project}")
    for project in ("default", "default2", "Default", "%"):
        with Memory.open(store_url, project=project) as memory:
            assert memory.agents() == ["ann"]
            document = memory.agent("ann").user("bob").read("MEMORY.md")
            assert document is not None
            assert document.text == f"- of {project}"
            assert_sound(memory)


@pytest.mark.case("S-13")
def test_no_two_scopes_share_a_folder_even_where_case_does_not_count() -> None:
    scopes = [Scope("default", agent, user) for agent in AGENTS for user in ("", *USERS)]
    folders = ["/".join(folder_of(scope)).casefold() for scope in scopes]
    assert len(set(folders)) == len(scopes)
    for folder in folders:
        assert not any(part in ("", ".", "..") for part in folder.split("/"))


@pytest.mark.case("S-15")
@pytest.mark.parametrize("user", ["u1", "u1%", "%", "u_1", "U1"])
def test_removing_everything_of_one_user_leaves_every_other_byte_identical(memory: Memory, user: str) -> None:
    agent = memory.agent(AGENTS[0])
    gone = agent.user(user)
    before, files = _others(memory, gone.scope), _files_of_others(memory, gone.scope)

    for info in gone.files():
        if info.name in FILES:
            gone.delete(info.name)
    for edit in gone.edits():
        gone.discard_edit(edit.id)

    assert [info.name for info in gone.files() if info.name in FILES] == []
    assert _others(memory, gone.scope) == before
    assert _files_of_others(memory, gone.scope) == files
    assert_sound(memory)


def _fill(memory: Memory, user: User) -> None:
    canary = _canary(user.scope)
    for file in FILES:
        user.write(file, f"- canary {canary}\n")
    user.acting(actor=canary, reason=canary, session="s").append("MEMORY.md", "more")
    memory.store.book.append(user.scope, [Entry("user", "user", f"said {canary}", session="s", key="k")])


def _canary(scope: Scope) -> str:
    """A word that no other scope has."""
    return f"word{scope.agent.encode().hex()}x{scope.user.encode().hex()}end"


def _foreign_edits(scope: ScopeMemory) -> list[str]:
    """The ids of edits that wait in other scopes; no caller should know them, and one may guess."""
    store = scope._store
    found = store.versions.scopes(project="default")
    return [edit.id for other in found if other != scope.scope for edit in store.versions.edits(scope=other)]


def _of(verb: Callable[..., object], *arguments: object) -> object:
    """What a verb gives, or the words of its refusal."""
    try:
        return verb(*arguments)
    except ReverieError as error:
        return (str(error), error.as_dict())


def _others(memory: Memory, scope: Scope) -> dict[str, list[str]]:
    """Every row that is not of one scope."""
    begins = f"({scope.project!r}, {scope.agent!r}, {scope.user!r}"
    return {table: [row for row in found if not row.startswith(begins)] for table, found in rows(memory).items()}


def _files_of_others(memory: Memory, scope: Scope) -> dict[Path, bytes]:
    root = memory.store.folder
    if root is None:
        return {}
    own = root.joinpath(*folder_of(scope))
    return {
        path: path.read_bytes()
        for path in sorted((root / "agents").rglob("*"))
        if path.is_file() and own not in path.parents
    }
