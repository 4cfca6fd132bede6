"""What the tests of surfaces share."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.surfaces.command_line import CommandLine


@pytest.fixture
def reverie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line on an empty store, a day in December; what an editor leaves behind goes with the test."""
    store, scratch = tmp_path / "store", tmp_path / "scratch"
    store.mkdir()
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    return CommandLine(str(store), {"REVERIE_NOW": "2026-12-01T09:30:00+00:00", "TMPDIR": str(scratch)})
