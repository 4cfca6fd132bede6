"""What tests of Reverie, and of parts that others write for it, need: a clock to set, and promises to run.

A port is a Protocol in `reverie.ports`; what its methods promise beyond their types stands here as functions that take
an implementation and raise AssertionError where it breaks the promise. Run each of them over a fresh, empty store:

    @pytest.mark.parametrize("promise", VERSIONS_PROMISES, ids=name_of)
    def test_my_ledger_keeps(promise, my_ledger):
        promise(my_ledger)

Nothing here needs pytest.
"""

from __future__ import annotations

from reverie.testing.clock import START, FixedClock
from reverie.testing.journal import JOURNAL_PROMISES
from reverie.testing.ledger import Ledger, Promise, name_of
from reverie.testing.tree import TREE_PROMISES, Mirror
from reverie.testing.versions import VERSIONS_PROMISES

__all__ = [
    "JOURNAL_PROMISES", "START", "TREE_PROMISES", "VERSIONS_PROMISES", "FixedClock", "Ledger", "Mirror", "Promise",
    "name_of",
]  # fmt: skip
