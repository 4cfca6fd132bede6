"""The WorkingTree port on a folder: the promises that hold for every tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.scopes import Scope, folder_of
from reverie.settings import AgentSettings
from reverie.testing import TREE_PROMISES, Mirror, name_of
from reverie.tree.folder import FolderTree
from reverie.tree.paths import path_of
from tests.stores import ledger_at


@pytest.mark.parametrize("promise", TREE_PROMISES, ids=name_of)
def test_a_tree_keeps_its_promise(promise: Callable[[Mirror], None], tmp_path: Path) -> None:
    def content(scope: Scope, file: str) -> bytes | None:
        path = tmp_path.joinpath(*folder_of(scope), *path_of(file))
        return path.read_bytes() if path.exists() else None

    with ledger_at(str(tmp_path)) as ledger:
        tree = FolderTree(tmp_path, ledger.versions, lambda scope: AgentSettings(), ledger.clock, actor="ed")
        try:
            promise(Mirror(ledger, tree, content))
        finally:
            tree.close()
