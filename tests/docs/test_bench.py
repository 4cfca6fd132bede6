"""The bench: every family has its committed figures, and the check fails beyond twice a figure only."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from bench.__main__ import FAMILIES, main
from bench.measured import FOLDER, Figure, kept, worse
from bench.stores import fill_files, fill_journal, records_of
from reverie import Memory


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_a_module_with_committed_figures(family: str) -> None:
    assert callable(import_module(f"bench.{family}").measure)
    document = json.loads((FOLDER / f"{family}.json").read_text(encoding="utf-8"))
    assert {"date", "machine", "versions", "figures"} <= set(document)
    assert len(kept(family)) == len(document["figures"]) > 0


def test_there_is_no_file_of_figures_without_a_family() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(FAMILIES)


def test_a_figure_is_worse_beyond_twice_the_committed_one() -> None:
    before = Figure("context", 0.5, "ms")
    assert not worse(replace(before, value=1.0), before)
    assert worse(replace(before, value=1.01), before)
    assert not worse(replace(before, value=9.0, checked=False), before)


def test_of_a_figure_that_should_be_high_half_is_the_bound() -> None:
    before = Figure("writes", 100, "per s", higher_is_better=True)
    assert not worse(replace(before, value=50), before)
    assert worse(replace(before, value=49), before)


def test_a_figure_of_nothing_may_not_become_something() -> None:
    none = Figure("lost writes", 0, "writes", 0)
    assert not worse(none, none)
    assert worse(replace(none, value=1), none)


def test_an_unknown_family_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["everything"])
    assert "contexts" in capsys.readouterr().err


def test_a_journal_that_is_filled_in_bulk_is_a_real_one(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        user = fill_files(memory)
        fill_journal(memory, user, 250)
        assert records_of(memory, user) == 250
        assert memory.verify().problems == []
