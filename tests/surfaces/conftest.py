"""What the tests of surfaces share."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.surfaces.command_line import CommandLine
from tests.workspaces import make_workspace


@pytest.fixture
def reverie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line on an empty store, a day in December; what an editor leaves behind goes with the test."""
    store, scratch = tmp_path / "store", tmp_path / "scratch"
    store.mkdir()
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    return CommandLine(str(store), {"REVERIE_NOW": "2026-12-01T09:30:00+00:00", "TMPDIR": str(scratch)})


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An OpenClaw workspace: what is memory, what is not, and what cannot be read."""
    return make_workspace(tmp_path / "workspace")
