"""Verify: derive every hash of a store again and compare ledger, counters and working tree. It changes nothing.

The walk goes scope by scope and holds little of it at a time. Damage in one scope, also such that the database cannot
read it, is told and the next scope is looked at. What is written while it runs lies beyond what it looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from reverie.chain import ChainCheck
from reverie.checkpoints import Checkpoint, Mark
from reverie.damage import Findings, Problem, Report
from reverie.errors import ReverieError, StoreDamaged
from reverie.holding import HoldingCheck
from reverie.lineage import LineageCheck, ScopeState, StoredHead
from reverie.scopes import Scope
from reverie.settings import stored
from reverie.versions import SETTINGS_FILE
from reverie.wiring import Store

LOOKS = 3
"""How often a difference in the working tree must be seen before it is told."""

__all__ = ["Problem", "Report", "checkpoint", "verify"]


def verify(store: Store, *, project: str, against: Checkpoint | None = None) -> Report:
    """Look at all of a project; `against` finds what was cut off or computed anew since that checkpoint was made.

    Read-only: not a byte of the store changes. Damage is told and not raised; StoreBusy and the like are raised.
    """
    return _Walk(store, project, against).run()


def checkpoint(store: Store, *, project: str) -> Checkpoint:
    """Where every journal of a project stands now, to be kept where the store cannot change it."""
    inspection = store.inspection()
    marks = tuple(inspection.marks(project))
    return Checkpoint(inspection.store_id(), project, store.clock.now(), marks)


@dataclass(slots=True)
class _Counts:
    scopes: int = 0
    records: int = 0
    versions: int = 0
    files: int = 0


class _Walk:
    """One run of verify."""

    def __init__(self, store: Store, project: str, against: Checkpoint | None) -> None:
        self._store = store
        self._project = project
        self._inspection = store.inspection()
        self._tree = store.tree_inspection()
        self._marks = {} if against is None else {(mark.agent, mark.user): mark for mark in against.scopes}
        self._findings = Findings()
        self._counts = _Counts()

    def run(self) -> Report:
        self._guarded("the database file", self._database)
        self._guarded(f"project {self._project!r}", self._scopes)
        self._guarded("the tables", self._orphans)
        counts = self._counts
        return self._findings.report(
            scopes=counts.scopes, records=counts.records, versions=counts.versions, files=counts.files
        )

    def _guarded(self, subject: str, step: Callable[[], None]) -> None:
        try:
            step()
        except StoreDamaged as error:
            self._findings.add("database_damaged", subject, error.message)

    def _database(self) -> None:
        for fault in self._inspection.faults():
            self._findings.add("database_damaged", "the database file", fault)

    def _orphans(self) -> None:
        for table, scope in self._inspection.orphans():
            self._findings.add("row_orphan", f"{scope}: {table}", f"project {scope.project!r} has no such scope")

    def _scopes(self) -> None:
        scopes = []
        for scope in self._inspection.scopes(self._project):
            scopes.append(scope)
            self._guarded(str(scope), partial(self._scope, scope))
        self._counts.scopes = len(scopes)
        seen = {(scope.agent, scope.user) for scope in scopes}
        for (agent, user), mark in self._marks.items():
            if (agent, user) not in seen:
                gone = Scope(self._project, agent, user)
                self._findings.add("scope_missing", str(gone), f"the checkpoint saw {mark.seq} records of it")
        if self._tree is not None:
            self._tell(self._lasting(lambda: self._strays(scopes), lambda: self._strays()))

    def _scope(self, scope: Scope) -> None:
        state = self._inspection.state(scope)
        mark = self._marks.get((scope.agent, scope.user))
        chain = self._chain(scope, state, mark)
        versions = self._lineage(scope, state, mark)
        counted = [("versions", state.versions, versions)]
        if chain.complete:
            counted += [("records", state.records, chain.records), ("messages", state.messages, chain.messages)]
        for name, said, found in counted:
            if said != found:
                self._findings.add("counter_wrong", f"{scope}: {name}", f"the counter says {said}, there are {found}")
        edits = HoldingCheck(scope, self._findings)
        for stored_edit in self._inspection.edits(scope):
            edits.add(stored_edit)
        edits.finish(self._inspection.edit_records(scope, state.seq))
        for edit, file, base in self._inspection.lost_edits(scope):
            self._findings.add("edit_orphan", f"{scope}: {file}", f"edit {edit} was made from version {base}")
        self._settings(scope)
        self._counts.files += len(_files(state))
        if self._tree is not None:
            self._tell(self._lasting(lambda: self._differences(scope, state), lambda: self._differences(scope)))

    def _chain(self, scope: Scope, state: ScopeState, mark: Mark | None) -> ChainCheck:
        check = ChainCheck(scope, self._findings, mark)
        for record in self._inspection.records(scope, state.seq):
            check.add(record)
        check.finish(seq=state.seq, hash=state.hash, newest=state.newest)
        self._counts.records += check.records
        return check

    def _lineage(self, scope: Scope, state: ScopeState, mark: Mark | None) -> int:
        check = LineageCheck(scope, self._findings, state.heads)
        for version in self._inspection.versions(scope, state.seq):
            check.add(version)
        check.finish()
        for file, number in self._inspection.lost_versions(scope, state.seq):
            check.missing(file, number)
        if mark is not None and check.versions < mark.versions:
            said = f"the checkpoint saw {mark.versions} versions, there are {check.versions}"
            self._findings.add("version_missing", str(scope), said)
        self._counts.versions += check.versions
        return check.versions

    def _settings(self, scope: Scope) -> None:
        if scope.is_user:
            return
        text = self._inspection.settings_text(scope)
        try:
            self._store.settings.for_agent(stored(text))
        except ReverieError as error:
            self._findings.add("settings_wrong", str(scope), error.message)
        except (ValueError, TypeError, RecursionError):
            self._findings.add("settings_wrong", str(scope), "they are not JSON")

    def _differences(self, scope: Scope, state: ScopeState | None = None) -> Iterable[Problem]:
        """What differs between a scope's files and its heads, read now unless they are given."""
        assert self._tree is not None
        return self._tree.scope(scope, _files(state or self._inspection.state(scope)))

    def _strays(self, scopes: Iterable[Scope] | None = None) -> Iterable[Problem]:
        assert self._tree is not None
        return self._tree.strays(self._project, scopes or self._inspection.scopes(self._project))

    def _lasting(
        self, first: Callable[[], Iterable[Problem]], again: Callable[[], Iterable[Problem]]
    ) -> list[Problem]:
        """What a first look finds, and further looks too, each after whoever was writing has finished.

        Others may write between the look at the ledger and the one at the tree; what comes of that does not stay.
        """
        found = list(first())
        for _ in range(LOOKS - 1):
            if found:
                self._inspection.wait()
                still = set(again())
                found = [problem for problem in found if problem in still]
        return found

    def _tell(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._findings.add(*problem)


def _files(state: ScopeState) -> dict[str, StoredHead]:
    return {file: head for file, head in state.heads.items() if file != SETTINGS_FILE}
