"""What the tests of surfaces share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.command_line import CommandLine


@pytest.fixture
def reverie(tmp_path: Path) -> CommandLine:
    """The command line on an empty store, a day in December."""
    store = tmp_path / "store"
    store.mkdir()
    return CommandLine(str(store), {"REVERIE_NOW": "2026-12-01T09:30:00+00:00"})
