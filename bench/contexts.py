"""How long a warm `context()` takes with every file full, on both databases."""

from __future__ import annotations

from bench.effort import Effort
from bench.measured import Figure
from bench.stores import fill_files, urls
from bench.timing import repeated
from reverie import Memory

GOALS = {"SQLite": 0.5, "PostgreSQL": 1.0}
"""Milliseconds."""


def measure(effort: Effort) -> list[Figure]:
    """The median and the 95th percentile, after some requests that fill the caches."""
    figures = []
    with urls() as places:
        for name, url in places.items():
            with Memory.open(url) as memory:
                user = fill_files(memory)
                took = repeated(user.context, runs=effort.requests, warm=50)
            figures.append(
                Figure(f"warm context(), {name}, median", took.median, "ms", GOALS[name], detail=took.detail)
            )
            figures.append(Figure(f"warm context(), {name}, 95 % under", took.p95, "ms"))
    return figures
