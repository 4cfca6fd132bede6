"""How much work a run of the bench may be; the figures that are committed come from the defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """Numbers of repetitions: requests for a context, records of a long journal, whole processes, writes."""

    requests: int = 2000
    records: int = 1_000_000
    processes: int = 15
    writes: int = 200
