"""No working tree: what a store on a database server has until a bucket is set."""

from __future__ import annotations

from collections.abc import Mapping

from reverie.ports import Settled
from reverie.scopes import Scope
from reverie.versions import Head


class NoTree:
    """Implements `ports.WorkingTree` by having no files."""

    def settle(self, *, scope: Scope, heads: Mapping[str, Head]) -> Settled:
        """Nothing to bring together."""
        return Settled()

    def close(self) -> None:
        """Nothing to let go of."""
