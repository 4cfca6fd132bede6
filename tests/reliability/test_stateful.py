"""SQLite and PostgreSQL side by side with a plain model: the same sequence of verbs has the same results."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from reverie import Memory
from reverie.errors import ReverieError
from reverie.markdown.sections import appended
from reverie.memory import User
from reverie.records import Entry
from reverie.secrets import mask
from reverie.testing import FixedClock
from reverie.versions import Version
from tests.databases import PostgresServer
from tests.stores import assert_sound, assert_straight
from tests.texts import texts, written

FILES = st.sampled_from(["USER.md", "MEMORY.md", "topics/a.md", "topics/ж.md"])
NUMBERS = st.integers(0, 6)
_serial = itertools.count()


class TwoStores(RuleBasedStateMachine):
    """One user in two stores, and what a dictionary says that they hold."""

    memories: ClassVar[tuple[Memory, ...]] = ()
    clock: ClassVar[FixedClock] = FixedClock()

    def __init__(self) -> None:
        super().__init__()
        agent = f"agent-{next(_serial)}"
        self.users: list[User] = [memory.agent(agent).user("bob") for memory in self.memories]
        self.model: dict[str, list[str | None]] = {}
        self.said: list[str] = []

    @initialize()
    def start(self) -> None:
        self.clock.advance(timedelta(days=1))

    @rule(file=FILES, text=written, version=st.none() | NUMBERS, meant=st.booleans())
    def write(self, file: str, text: str, version: int | None, meant: bool) -> None:
        made = self._both(lambda user: user.write(file, text, version=version, removal_meant=meant))
        expected = version in (None, len(self.model.get(file, []))) or (version == 0 and self._text(file) is None)
        if not expected:
            assert made == ("stale_version", {"current": len(self.model.get(file, [])), "text": self._text(file)})
        elif isinstance(made, Version):
            self._took(file, mask(text).text, made)
        else:
            assert made[0] in ("over_limit", "shrink_refused")
            assert made[0] == "over_limit" or not meant

    @rule(file=FILES, text=written)
    def append(self, file: str, text: str) -> None:
        made = self._both(lambda user: user.append(file, text))
        if isinstance(made, Version):
            self._took(file, mask(appended(self._text(file), text)).text, made)
        else:
            assert made[0] in ("over_limit", "invalid_text")

    @rule(file=FILES, data=st.data(), new=texts)
    def edit(self, file: str, data: st.DataObject, new: str) -> None:
        text = self._text(file) or ""
        first = data.draw(st.integers(0, len(text)))
        old = text[first : data.draw(st.integers(first, len(text)))]
        made = self._both(lambda user: user.edit(file, old, new))
        if isinstance(made, Version):
            replaced = text.replace(old, new) if text.count(old) == 1 and "\r" not in text + old + new else made.text
            self._took(file, None if replaced is None else mask(replaced).text, made)
        elif self._text(file) is None:
            assert made[0] == "not_found"
        else:
            assert made[0] in ("passage_not_found", "passage_ambiguous", "over_limit")

    @rule(file=FILES, version=st.none() | NUMBERS)
    def delete(self, file: str, version: int | None) -> None:
        made = self._both(lambda user: user.delete(file, version=version))
        if isinstance(made, Version):
            assert self._text(file) is not None
            self._took(file, None, made)
        else:
            assert made[0] in ("not_found", "stale_version")

    @rule(file=FILES, number=NUMBERS)
    def restore(self, file: str, number: int) -> None:
        made = self._both(lambda user: user.restore(file, number))
        if isinstance(made, Version):
            self._took(file, self.model[file][number - 1], made)
        elif not 0 < number <= len(self.model.get(file, [])):
            assert made[0] == "not_found"
        else:
            assert made[0] == "over_limit"

    @rule(text=texts, session=st.sampled_from([None, "s", "S"]))
    def say(self, text: str, session: str | None) -> None:
        entry = Entry("user", "user", text, session=session)
        for memory, user in zip(self.memories, self.users, strict=True):
            memory.store.book.append(user.scope, [entry])
        self.said.append(mask(text).text)

    @rule(hours=st.integers(-30, 30))
    def time_passes(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))

    @rule()
    def look(self) -> None:
        shown = self._both(lambda user: (user.files(), user.context().fingerprint, user.edits()))
        assert isinstance(shown, tuple)
        histories = self._both(lambda user: [_bare(user.history(file)) for file in sorted(self.model)])
        assert histories == [_bare(self.users[0].history(file)) for file in sorted(self.model)]
        journal = self._both(lambda user: [(r.seq, r.kind, r.text, r.session, r.at) for r in user.journal()])
        assert [text for _, kind, text, *_ in journal if kind == "user"] == self.said

    @invariant()
    def stores_hold_what_the_model_says(self) -> None:
        for user in self.users:
            assert {info.name: info.version for info in user.files()} == {
                file: len(states) for file, states in self.model.items() if states[-1] is not None
            }
            for file in self.model:
                document = user.read(file)
                assert (document.text if document else None) == self._text(file)

    def teardown(self) -> None:
        for user in self.users:
            for file, states in self.model.items():
                history = user.history(file)
                assert_straight(history)
                assert [version.text for version in history] == states

    def _both(self, act: Callable[[User], Any]) -> Any:
        """What an act gives or how it is refused, the same in both stores."""
        outcomes = []
        for user in self.users:
            try:
                outcomes.append(act(user))
            except ReverieError as error:
                outcomes.append((error.code, dict(error.fields())))
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    def _text(self, file: str) -> str | None:
        states = self.model.get(file)
        return states[-1] if states else None

    def _took(self, file: str, text: str | None, made: Version) -> None:
        if text is not None and not text.replace("\ufeff", "").strip():
            text = None
        assert made.text == text
        self.model.setdefault(file, []).append(text)
        assert made.number == len(self.model[file])


def _bare(history: list[Version]) -> list[tuple[Any, ...]]:
    return [(version.number, version.parent, version.hash, version.at, version.seq, version.text) for version in history]


@pytest.fixture
def two_stores(tmp_path: Path, postgres_server: PostgresServer) -> Iterator[None]:
    url = postgres_server.create_database()
    TwoStores.clock = FixedClock()
    with (
        Memory.open(tmp_path / "store", clock=TwoStores.clock) as embedded,
        Memory.open(url, clock=TwoStores.clock) as server,
    ):
        TwoStores.memories = (embedded, server)
        yield
        for memory in TwoStores.memories:
            assert_sound(memory)
        TwoStores.memories = ()
    postgres_server.drop_database(url)


@pytest.mark.slow
@pytest.mark.case("R-10", "R-04")
def test_both_databases_agree_with_the_model(two_stores: None) -> None:
    run_state_machine_as_test(TwoStores, settings=settings(max_examples=50, stateful_step_count=10))


@pytest.mark.deep
@pytest.mark.case("R-10", "R-04")
def test_both_databases_agree_with_the_model_over_long_sequences(two_stores: None) -> None:
    run_state_machine_as_test(TwoStores, settings=settings(max_examples=500, stateful_step_count=50))
