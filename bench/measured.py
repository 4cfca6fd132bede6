"""Measured figures: what they are, the file that keeps a family of them, and when one has become worse.

A figure that is twice as bad as the committed one fails the check; anything less may be the machine. A missed goal does
not fail it: goals are for people to look at, and the machine that measures is not always the one they were set for.
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "figures"
PACKAGES = ("reverie", "sqlalchemy", "typer", "markdown-it-py", "pysqlite3", "psycopg", "bpe-openai")
WORSE = 2.0
"""By how much a figure may differ from the committed one."""


class Unmeasurable(Exception):
    """A family that cannot be measured here, and why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `goal` is the promise, None where there is only something to know.

    `checked` is false for what belongs to the machine alone. `detail` holds what explains the figure.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    higher_is_better: bool = False
    checked: bool = True
    detail: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.higher_is_better else self.value <= self.goal


def worse(now: Figure, before: Figure) -> bool:
    """Whether a figure is beyond twice the committed one."""
    if not now.checked:
        return False
    if now.higher_is_better:
        return now.value * WORSE < before.value
    return now.value > before.value * WORSE


def keep(family: str, figures: Iterable[Figure]) -> Path:
    """Write a family's file: the figures, the machine, the versions and the day."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{family}.json"
    document = {**_header(), "figures": [_row(figure) for figure in figures]}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def kept(family: str) -> dict[str, Figure]:
    """The committed figures of a family, by name; empty when it was never measured."""
    path = FOLDER / f"{family}.json"
    if not path.exists():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return {row["name"]: Figure(**row) for row in rows}


def _row(figure: Figure) -> dict[str, Any]:
    row = dataclasses.asdict(figure)
    row["value"] = round(figure.value, 4)
    return row


def _header() -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            "processor": _processor(),
            "load": round(os.getloadavg()[0], 1),
        },
        "versions": {"python": platform.python_version(), "sqlite": _sqlite(), **dict(_packages())},
    }


def _packages() -> Iterable[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _sqlite() -> str:
    from reverie.sql.database import sqlite_driver

    return str(sqlite_driver().sqlite_version)


def _processor() -> str:
    """The processor's name, where the system tells (Linux); else what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
