"""Memory files at exactly their limits, in English and Russian, for tests of size."""

from __future__ import annotations

from pathlib import Path

from reverie.catalogue import FILES
from reverie.context import Loaded

SAMPLES = Path(__file__).parent / "samples"


def full_files(language: str) -> tuple[Loaded, ...]:
    """Every file of the catalogue at its limit: a sample, going on from its start where it is shorter."""
    loaded = []
    for row in FILES:
        text = (SAMPLES / language / row.name).read_text(encoding="utf-8")
        loaded.append(Loaded(row.name, (text * (row.limit // len(text) + 1))[: row.limit], 1, row.limit))
    return tuple(loaded)
