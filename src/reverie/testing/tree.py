"""What every implementation of `ports.WorkingTree` promises, also one that goes one way only.

What a two-way tree does with an editor's change is a policy of its own and not promised here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reverie.ports import Settled, WorkingTree
from reverie.records import text_hash
from reverie.scopes import Scope
from reverie.testing.ledger import AGENT, MEMORY, USER, Ledger
from reverie.versions import Head

TOPIC = "topics/план.md"


@dataclass(frozen=True)
class Mirror:
    """A tree over a fresh ledger, and how to look at what it holds for a file (None: nothing)."""

    ledger: Ledger
    tree: WorkingTree
    content: Callable[[Scope, str], bytes | None]

    def heads(self, scope: Scope = USER) -> dict[str, Head]:
        """What a caller has read of a scope."""
        return {file: head for (_, file), head in self.ledger.versions.heads(scopes=[scope]).items()}

    def settle(self, scope: Scope = USER) -> Settled:
        """Bring ledger and tree of a scope together."""
        return self.tree.settle(scope=scope, heads=self.heads(scope))


def a_scope_without_files_is_left_alone(mirror: Mirror) -> None:
    assert mirror.settle() == Settled()
    assert list(mirror.ledger.versions.scopes(project="default")) == []


def a_version_is_written_out_byte_for_byte(mirror: Mirror) -> None:
    for file, scope in ((MEMORY, USER), (TOPIC, USER), ("SOUL.md", AGENT)):
        put = mirror.ledger.put("\ufeffone\r\ntwo\rthree\u2028 🍋\n\n", file=file, scope=scope)
        assert mirror.settle(scope) == Settled()
        assert mirror.content(scope, file) == (put.text or "").encode()
        assert mirror.heads(scope)[file].mirrored == put.hash


def a_removal_removes(mirror: Mirror) -> None:
    mirror.ledger.put("one")
    mirror.settle()
    mirror.ledger.put(None)
    mirror.settle()
    assert mirror.content(USER, MEMORY) is None
    assert mirror.heads()[MEMORY].mirrored == ""


def several_versions_at_once_leave_the_newest(mirror: Mirror) -> None:
    for text in ("one", "two", "three"):
        mirror.ledger.put(text)
    mirror.settle()
    assert mirror.content(USER, MEMORY) == b"three"
    assert mirror.heads()[MEMORY].mirrored == text_hash("three")


def settling_again_does_and_says_nothing(mirror: Mirror) -> None:
    mirror.ledger.put("one")
    mirror.settle()
    before = mirror.heads(), mirror.ledger.journal.counters(scope=USER)
    assert mirror.settle() == Settled()
    assert before == (mirror.heads(), mirror.ledger.journal.counters(scope=USER))


def settling_one_scope_touches_no_other(mirror: Mirror) -> None:
    other = Scope("default", "ann", "bo")
    mirror.ledger.put("mine")
    mirror.ledger.put("theirs", scope=other)
    mirror.settle()
    assert mirror.content(other, MEMORY) is None
    assert mirror.heads(other)[MEMORY].mirrored is None


TREE_PROMISES: tuple[Callable[[Mirror], None], ...] = (
    a_scope_without_files_is_left_alone,
    a_version_is_written_out_byte_for_byte,
    a_removal_removes,
    several_versions_at_once_leave_the_newest,
    settling_again_does_and_says_nothing,
    settling_one_scope_touches_no_other,
)
