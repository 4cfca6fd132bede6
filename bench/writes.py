"""Durable writes: how many a second one process makes, what the disk asks for a sync, and eight processes on one file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psycopg

from bench.effort import Effort
from bench.measured import Figure
from bench.stores import AGENT, CACHE, USER, urls
from bench.timing import Times, repeated, times
from bench.writer import FILE
from reverie import Memory
from tests.databases import DURABLE

WRITERS = 8
LINES = 20
"""Lines of each of the processes that write one file."""

SYNCED = 4096
"""Bytes written before the disk is asked to sync, to learn what that costs here."""


def measure(effort: Effort) -> list[Figure]:
    """One process and then eight, on both databases, both with every sync that durability needs."""
    figures = []
    with urls(DURABLE) as places:
        for name, url in places.items():
            sync = _disk_sync(Path(url).parent if name == "SQLite" else Path(tempfile.gettempdir()))
            one = times(_alone(url, effort.writes))
            syncs, how = _syncs(name, url)
            figures += [
                Figure(f"disk sync of 4 KB, where {name} writes", sync.median, "ms", checked=False, detail=sync.detail),
                Figure(f"durable write, {name}", one.median, "ms", detail=one.detail),
                Figure(f"durable writes, {name}, one process", 1000 / one.median, "per s", higher_is_better=True),
                Figure(f"syncs per write, {name}", syncs, "syncs", detail={"counted by": how}),
                Figure(f"durable write in disk syncs, {name}", one.median / sync.median, "syncs", checked=False),
                *_race(name, url),
            ]
    return figures


def _disk_sync(folder: Path) -> Times:
    with tempfile.NamedTemporaryFile(dir=folder) as file:

        def sync() -> None:
            file.write(os.urandom(SYNCED))
            file.flush()
            os.fdatasync(file.fileno())

        return repeated(sync, runs=100, warm=5)


def _alone(url: str, number: int) -> list[int]:
    took: list[int] = json.loads(_output(_writer("alone", url, str(number))))
    return took[number // 20 :]  # the first ones make connections and folders


def _syncs(name: str, url: str) -> tuple[float, str]:
    """Syncs per write, counted over the difference of two runs, so that opening the store does not count."""
    if name == "PostgreSQL":
        return _server_syncs(url), "pg_stat_io"
    if shutil.which("strace") is None:
        return 4.0, "estimate: two commits, a file, a folder"
    few, many = 20, 120
    return (_traced(url, many) - _traced(url, few)) / (many - few), "strace"


def _traced(url: str, number: int) -> int:
    with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8", dir=CACHE) as log:
        _output(["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", log.name, *_writer("alone", url, str(number))])
        return len(re.findall(r"\bf(?:data)?sync\(", log.read()))


def _server_syncs(url: str, number: int = 100) -> float:
    query = "SELECT coalesce(sum(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend'"
    with psycopg.connect(url, autocommit=True) as connection:
        before = connection.execute(query).fetchone()
        _output(_writer("alone", url, str(number)))
        connection.execute("SELECT pg_stat_force_next_flush()")
        after = connection.execute(query).fetchone()
    assert before is not None, "a sum has a row"
    assert after is not None, "a sum has a row"
    return float(after[0] - before[0]) / number


def _race(name: str, url: str) -> list[Figure]:
    """Eight processes that each add their lines to one file, every write a compare-and-set."""
    with Memory.open(url) as memory:
        user = memory.agent(AGENT).user(USER)
        first = user.write(FILE, "- start\n", removal_meant=True)
        met, seconds = _raced(url)
        document = user.read(FILE)
        text = document.text if document else ""
        versions = len(user.history(FILE)) - len([v for v in user.history(FILE) if v.at <= first.at])
    wanted = {f"- writer{writer}-{line}" for writer in range(WRITERS) for line in range(LINES)}
    lost = len(wanted - set(text.split("\n"))) + abs(len(wanted) - versions)
    errors = sum(number for code, number in met.items() if code not in ("written", "lost the race"))
    detail: dict[str, float | int | str] = {"lost the race and wrote again": met["lost the race"]}
    kind = f"{WRITERS} processes on one file, {name}"
    return [
        Figure(f"{kind}: lock errors", errors, "errors", 0),
        Figure(f"{kind}: lost writes", lost, "writes", 0),
        Figure(f"{kind}: writes", len(wanted) / seconds, "per s", higher_is_better=True, detail=detail),
    ]


def _raced(url: str) -> tuple[Counter[str], float]:
    racers = [
        subprocess.Popen(
            _writer("race", url, str(LINES), f"writer{number}"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(WRITERS)
    ]
    for racer in racers:
        assert racer.stdout is not None, "it is a pipe"
        racer.stdout.readline()
    start = time.perf_counter()
    for racer in racers:
        assert racer.stdin is not None, "it is a pipe"
        racer.stdin.write("go\n")
        racer.stdin.flush()
    met: Counter[str] = Counter()
    for racer in racers:
        said, _ = racer.communicate()
        met.update(json.loads(said))
    return met, time.perf_counter() - start


def _writer(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bench.writer", *arguments]


def _output(command: list[str]) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
