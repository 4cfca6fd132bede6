"""Verify finds every kind of damage, says which it is, goes on after it, and changes nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.checkpoints import parse_checkpoint, read_checkpoint
from reverie.damage import DAMAGES, SHOWN, Findings, Problem
from reverie.errors import InvalidText, StoreDamaged
from reverie.lineage import StoredHead
from reverie.records import GENESIS, Entry
from reverie.scopes import Scope
from reverie.sql import schema
from reverie.tree.inspecting import TreeInspection
from reverie.verify import verify
from tests.altered import (
    ALTERED_EDITS,
    MISSING_EDITS,
    Mutation,
    cut_tail,
    cut_tail_and_its_count,
    rewrite,
    run,
    sql,
    swap_rows,
    swap_words,
)
from tests.stores import everything

ANN = Scope("default", "bot", "ann")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    """A store with two agents, a user, settings, a waiting edit, seven records said and several versions."""
    with Memory.open(store_url, settings={"shared_writes": "review"}) as memory:
        agent = memory.agent("bot")
        agent.write("SOUL.md", "I am calm.\n")
        agent.configure(language="ru")
        agent.write("SOUL.md", "I am very calm.\n", origin="agent")
        user = agent.user("ann")
        for number in range(3):
            user.append("MEMORY.md", f"fact {number}")
        user.write("topics/boats.md", "- a boat\n")
        said = [Entry("user", "user", f"message {number}") for number in range(7)]
        memory.store.book.append(user.scope, said)
        memory.agent("other").write("SOUL.md", "Another one.\n")
        yield memory


def _codes(memory: Memory) -> set[str]:
    return {problem.code for problem in memory.verify().problems}


def _orphan(memory: Memory) -> None:
    values = {"project": "default", "agent": "ghost", "user_id": "", "at": 1, "seq": 1, "figures": "{}"}
    with memory.store.database.writer.begin() as connection:
        connection.execute(sa.insert(schema.measures), values)


LEDGER: dict[str, list[Mutation]] = {
    "record_altered": [
        sql("UPDATE records SET text = 'other words' WHERE user_id = 'ann' AND seq = 7"),
        sql("UPDATE records SET actor = 'somebody' WHERE user_id = 'ann' AND seq = 7"),
        sql("UPDATE records SET text = NULL WHERE user_id = 'ann' AND seq = 7"),
        sql("UPDATE records SET at = at + 1 WHERE user_id = 'ann' AND seq = 7"),
        sql("UPDATE records SET hash = previous WHERE user_id = 'ann' AND seq = 7"),
        sql("""UPDATE records SET data = '{"dates":["2026-01-01"]}' WHERE user_id = 'ann' AND seq = 7"""),
    ],
    "records_missing": [sql("DELETE FROM records WHERE user_id = 'ann' AND seq IN (6, 7)")],
    "records_reordered": [swap_rows, swap_words],
    "tail_missing": [cut_tail],
    "head_mismatch": [
        sql("UPDATE scopes SET hash = :h WHERE user_id = 'ann'".replace(":h", f"'{GENESIS}'")),
        sql("UPDATE scopes SET seq = 9, hash = (SELECT hash FROM records WHERE user_id = 'ann' AND seq = 9) WHERE user_id = 'ann'"),
    ],
    "version_altered": [
        sql("UPDATE versions SET text = 'other words' WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET text = NULL WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET chars = 3 WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET origin = 'user' WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET approver = 'somebody' WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET reason = 'another' WHERE user_id = 'ann' AND number = 2"),
        sql("UPDATE versions SET evidence = '[1]' WHERE user_id = 'ann' AND number = 2"),
    ],
    "version_missing": [
        sql("DELETE FROM versions WHERE user_id = 'ann' AND number = 2"),
        sql("DELETE FROM versions WHERE user_id = 'ann' AND number = 3"),
    ],
    "version_orphan": [sql("UPDATE versions SET seq = 5 WHERE user_id = 'ann' AND number = 3")],
    "parent_wrong": [sql("UPDATE versions SET parent = 1 WHERE user_id = 'ann' AND number = 3")],
    "head_wrong": [
        sql("UPDATE heads SET number = 2 WHERE user_id = 'ann' AND file = 'MEMORY.md'"),
        sql("UPDATE heads SET chars = 2 WHERE user_id = 'ann' AND file = 'MEMORY.md'"),
        sql("DELETE FROM heads WHERE user_id = 'ann' AND file = 'MEMORY.md'"),
    ],
    "counter_wrong": [
        sql("UPDATE scopes SET versions = 9 WHERE user_id = 'ann'"),
        sql("UPDATE scopes SET records = 9 WHERE user_id = 'ann'"),
        sql("UPDATE scopes SET messages = 9 WHERE user_id = 'ann'"),
    ],
    "row_orphan": [_orphan, sql("DELETE FROM scopes WHERE user_id = 'ann'")],
    "edit_altered": ALTERED_EDITS,
    "edit_missing": MISSING_EDITS,
    "edit_orphan": [sql("UPDATE edits SET base = 77")],
    "settings_wrong": [
        sql("UPDATE versions SET text = '{' WHERE file = 'settings.json'"),
        sql("UPDATE versions SET text = '[1]' WHERE file = 'settings.json'"),
        sql("""UPDATE versions SET text = '{"strategy": "none-such"}' WHERE file = 'settings.json'"""),
    ],
}  # fmt: skip

CASES = [pytest.param(code, mutate, id=f"{code}-{number}") for code, all_of in LEDGER.items() for number, mutate in enumerate(all_of)]

AGAINST: dict[str, Mutation] = {
    "tail_missing": cut_tail_and_its_count,
    "chain_rewritten": rewrite,
    "scope_missing": sql("DELETE FROM scopes WHERE agent = 'other'"),
}


def _path(memory: Memory, name: str = "MEMORY.md") -> Path:
    assert memory.store.folder is not None
    return memory.store.folder / "agents" / "bot" / "users" / "ann" / name


def _to_a_link(memory: Memory) -> None:
    _path(memory).unlink()
    _path(memory).symlink_to("/etc/hostname")


def _write(name: str, content: bytes) -> Mutation:
    def write(memory: Memory) -> None:
        _path(memory, name).write_bytes(content)

    return write


TREE: dict[str, list[Mutation]] = {
    "tree_missing": [lambda memory: _path(memory).unlink()],
    "tree_odd": [_to_a_link, _write("MEMORY.md", b"\xff\xfe"), lambda memory: _path(memory, "second").hardlink_to(_path(memory))],
    "tree_differs": [_write("MEMORY.md", b"- edited\n"), _write("USER.md", b"- new\n"), _write("MEMORY.md", b"")],
    "tree_leftover": [_write(".reverie-0123456789abcdef", b"")],
    "tree_stray": [_write("Notes.md", b"-"), lambda memory: _path(memory).parents[2].joinpath("users", "nobody").mkdir()],
}  # fmt: skip

TREE_CASES = [pytest.param(code, mutate, id=f"{code}-{number}") for code, all_of in TREE.items() for number, mutate in enumerate(all_of)]


@pytest.mark.case("R-43")
def test_a_sound_store_has_no_problems(memory: Memory) -> None:
    report = memory.verify()

    assert report.ok
    assert report.problems == []
    assert (report.scopes, report.records, report.versions) == (3, 15, 7)


@pytest.mark.case("R-43", "D-09")
@pytest.mark.parametrize(("code", "mutate"), CASES)
def test_damage_in_the_ledger_is_found_and_named(memory: Memory, code: str, mutate: Mutation) -> None:
    mutate(memory)

    report = memory.verify()

    assert not report.ok
    assert code in {problem.code for problem in report.problems}


@pytest.mark.case("D-09")
@pytest.mark.parametrize("code", ["record_altered", "records_missing", "records_reordered", "tail_missing"])
def test_each_way_to_tamper_with_a_journal_has_its_own_verdict(memory: Memory, code: str) -> None:
    LEDGER[code][0](memory)

    assert _codes(memory) == {code}


@pytest.mark.case("D-09")
@pytest.mark.parametrize("code", list(AGAINST))
def test_a_checkpoint_finds_what_the_chain_alone_cannot(memory: Memory, code: str) -> None:
    checkpoint = memory.checkpoint()
    memory.agent("bot").user("ann").append("MEMORY.md", "written later")
    assert memory.verify(against=checkpoint).ok
    AGAINST[code](memory)

    assert code in {problem.code for problem in memory.verify(against=checkpoint).problems}


@pytest.mark.case("D-09")
def test_a_chain_that_was_computed_anew_is_consistent_in_itself(memory: Memory) -> None:
    checkpoint = memory.checkpoint()
    rewrite(memory)

    assert memory.verify().ok
    assert [problem.code for problem in memory.verify(against=checkpoint).problems] == ["chain_rewritten"]


@pytest.mark.case("D-09")
def test_a_tail_cut_off_with_its_count_is_found_by_the_checkpoint_only(memory: Memory) -> None:
    checkpoint = memory.checkpoint()
    cut_tail_and_its_count(memory)

    assert memory.verify().ok
    assert [problem.code for problem in memory.verify(against=checkpoint).problems] == ["tail_missing"]


def test_a_checkpoint_travels_as_text_and_notices_a_change(memory: Memory, tmp_path: Path) -> None:
    checkpoint = memory.checkpoint()
    checkpoint.write(tmp_path / "checkpoint.json")

    assert read_checkpoint(tmp_path / "checkpoint.json") == checkpoint
    assert checkpoint.store
    for text in (checkpoint.to_json().replace('"ann"', '"bob"'), "{}", "[]", "", '{"scopes": [[1]]}'):
        with pytest.raises(InvalidText):
            parse_checkpoint(text)


@pytest.mark.case("R-43")
@pytest.mark.parametrize(("code", "mutate"), TREE_CASES)
def test_damage_in_the_tree_is_found_and_named(sqlite_url: str, code: str, mutate: Mutation) -> None:
    with Memory.open(sqlite_url) as memory:
        memory.agent("bot").user("ann").write("MEMORY.md", "- fact\n")
        mutate(memory)

        report = memory.verify()

    assert code in {problem.code for problem in report.problems}
    heals = {row.code for row in DAMAGES if row.heals}
    assert report.ok == (code in heals)


@pytest.mark.case("R-43")
def test_damage_of_the_file_is_found_and_named(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        memory.agent("bot").write("SOUL.md", "I am.\n")
        with memory.store.database.writer.connect() as connection:
            connection.exec_driver_sql("PRAGMA writable_schema=ON")
            connection.exec_driver_sql("DELETE FROM sqlite_master WHERE name = 'measures'")
            connection.exec_driver_sql("PRAGMA schema_version=999")
            connection.commit()

        report = memory.verify()

    assert {problem.code for problem in report.problems} == {"database_damaged"}
    with pytest.raises(StoreDamaged):
        Memory.open(sqlite_url)


@pytest.mark.case("R-14", "R-43")
def test_damage_in_one_scope_does_not_hide_another(memory: Memory) -> None:
    run(memory, "UPDATE versions SET text = 'other words' WHERE user_id = 'ann'")
    run(memory, "UPDATE versions SET text = 'other words' WHERE agent = 'other'")

    subjects = {problem.subject.split(":")[0] for problem in memory.verify().problems}

    assert subjects == {"agent 'bot', user 'ann'", "agent 'other'"}
    assert memory.agent("bot").read("SOUL.md") is not None


@pytest.mark.case("R-43")
@pytest.mark.parametrize("code", [None, "record_altered", "head_wrong", "counter_wrong"])
def test_verify_changes_nothing(memory: Memory, code: str | None) -> None:
    if code is not None:
        LEDGER[code][0](memory)
    before = everything(memory)

    memory.verify(against=memory.checkpoint())

    assert everything(memory) == before


@pytest.mark.case("R-43")
@pytest.mark.parametrize(("code", "mutate"), TREE_CASES)
def test_verify_leaves_the_tree_as_it_is(sqlite_url: str, code: str, mutate: Mutation) -> None:
    with Memory.open(sqlite_url) as memory:
        memory.agent("bot").user("ann").write("MEMORY.md", "- fact\n")
        mutate(memory)
        before = everything(memory)

        memory.verify()

        assert everything(memory) == before


class _Interrupted:
    """The look at the tree of a store, with an act of somebody else's each time before it."""

    def __init__(self, tree: TreeInspection, *acts: Callable[[], object]) -> None:
        self._tree = tree
        self._acts = iter(acts)

    def scope(self, scope: Scope, heads: Mapping[str, StoredHead]) -> Iterator[Problem]:
        if scope.is_user:
            next(self._acts, lambda: None)()
        return self._tree.scope(scope, heads)

    def strays(self, project: str, scopes: Iterable[Scope]) -> Iterator[Problem]:
        next(self._acts, lambda: None)()
        return self._tree.strays(project, scopes)


def _interrupted(memory: Memory, *acts: Callable[[], object]) -> tuple[str, ...]:
    tree = memory.store.tree_inspection()
    assert tree is not None
    store = copy.copy(memory.store)
    object.__setattr__(store, "tree_inspection", lambda: _Interrupted(tree, *acts))
    return tuple(problem.code for problem in verify(store, project="default").problems)


@pytest.mark.case("R-43")
def test_what_others_write_between_the_look_at_the_ledger_and_at_the_tree_is_no_damage(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory, Memory.open(sqlite_url) as other:
        user = other.agent("bot").user("ann")
        user.write("MEMORY.md", "- fact\n")
        user.write("topics/boats.md", "- a boat\n")

        assert _interrupted(memory, lambda: user.delete("MEMORY.md")) == ()
        assert _interrupted(memory, lambda: user.write("MEMORY.md", "- again\n")) == ()
        assert _interrupted(memory, lambda: user.append("MEMORY.md", "more"), lambda: user.delete("MEMORY.md")) == ()
        assert _interrupted(memory, lambda: user.write("topics/new.md", "- new\n")) == ()
        new = other.agent("bot").user("bob")
        assert _interrupted(memory, lambda: None, lambda: new.write("MEMORY.md", "- new\n")) == ()
        assert _codes(memory) == set()


@pytest.mark.case("R-43")
def test_a_write_in_progress_is_not_taken_for_a_crash(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        memory.agent("bot").user("ann").write("MEMORY.md", "- fact\n")
        begin, end = (_path(memory, ".reverie-0123456789abcdef") for _ in range(2))

        assert _interrupted(memory, lambda: begin.write_bytes(b"new"), end.unlink) == ()
        assert _interrupted(memory, lambda: begin.write_bytes(b"new")) == ("tree_leftover",)


@pytest.mark.case("R-43")
def test_what_is_gone_from_the_tree_is_told_whoever_writes_meanwhile(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        user = memory.agent("bot").user("ann")
        user.write("MEMORY.md", "- fact\n")
        other = memory.agent("bot").user("bob")
        _path(memory).unlink()

        assert _interrupted(memory, *[lambda: other.append("MEMORY.md", "more")] * 5) == ("tree_missing",)


@pytest.mark.case("R-43")
def test_a_report_is_machine_readable(memory: Memory) -> None:
    LEDGER["record_altered"][0](memory)

    told = json.loads(json.dumps(asdict(memory.verify())))

    assert told["ok"] is False
    assert [problem[0] for problem in told["problems"]] == ["record_altered"]


def test_many_problems_of_one_kind_are_counted_and_not_all_told() -> None:
    findings = Findings()
    for number in range(SHOWN + 20):
        findings.add("record_altered", f"record {number}", "changed")
    report = findings.report(scopes=1, records=0, versions=0, files=0)

    assert len(report.problems) == SHOWN + 1
    assert report.problems[-1].detail == "and 20 more of the same kind"


@pytest.mark.case("R-43")
def test_every_code_has_a_mutation_that_gives_it() -> None:
    assert {row.code for row in DAMAGES} == {*LEDGER, *AGAINST, *TREE, "database_damaged"}


@pytest.mark.case("R-43")
def test_every_code_is_explained_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "verify-codes.md").read_text(encoding="utf-8")

    missing = [row.code for row in DAMAGES if f"| `{row.code}` | {row.means} | {row.repair} |" not in page]

    assert missing == []
