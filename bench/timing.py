"""Timing: one act repeated, told by its median and the time that 95 in 100 stay under."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Times:
    """How long an act took, in milliseconds."""

    median: float
    p95: float
    fastest: float
    runs: int

    @property
    def detail(self) -> dict[str, float | int | str]:
        """What to note beside the median; on a busy machine the fastest run tells most."""
        return {"p95": round(self.p95, 4), "fastest": round(self.fastest, 4), "runs": self.runs}


def repeated(act: Callable[[], object], *, runs: int, warm: int = 0) -> Times:
    """Time an act so many times, after some that do not count."""
    for _ in range(warm):
        act()
    took = []
    for _ in range(runs):
        start = time.perf_counter_ns()
        act()
        took.append(time.perf_counter_ns() - start)
    return times(took)


def times(nanoseconds: Sequence[int]) -> Times:
    """The summary of single times."""
    ordered = sorted(nanoseconds)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return Times(statistics.median(ordered) / 1e6, p95 / 1e6, ordered[0] / 1e6, len(ordered))
