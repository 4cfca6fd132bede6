"""A process that writes, for the bench of durable writes.

    python -m bench.writer alone URL NUMBER            write a file so many times; print the time of each
    python -m bench.writer race URL NUMBER NAME        add so many lines to one file that others write too

A racer waits for a line on standard input, so that all start at once. It reads the file, writes it back with its line
and the version that it read, and tries again when it lost. What it met is printed as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter

from bench.stores import AGENT, USER
from reverie import Memory
from reverie.errors import ReverieError, StaleVersion

FILE = "MEMORY.md"


def alone(memory: Memory, number: int) -> list[int]:
    """Nanoseconds of each write: a file of the usual size, one line of it changed."""
    user = memory.agent(AGENT).user(USER)
    body = "".join(f"- Entry {line}: what was decided on that day and why.\n" for line in range(30))
    took = []
    for count in range(number):
        text = f"- Write {count} of the bench.\n{body}"
        start = time.perf_counter_ns()
        user.write(FILE, text, removal_meant=True)
        took.append(time.perf_counter_ns() - start)
    return took


def race(memory: Memory, number: int, name: str) -> Counter[str]:
    """How many writes succeeded, how often another was first, and every other error by its code."""
    user = memory.agent(AGENT).user(USER)
    met: Counter[str] = Counter()
    for count in range(number):
        while True:
            document = user.read(FILE)
            text, version = (document.text, document.version) if document else ("", 0)
            try:
                user.write(FILE, f"{text}- {name}-{count}\n", version=version)
            except StaleVersion:
                met["lost the race"] += 1
            except ReverieError as error:
                met[error.code] += 1
            else:
                met["written"] += 1
                break
    return met


def main() -> None:
    """Do what the arguments say."""
    what, url, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with Memory.open(url) as memory:
        if what == "alone":
            print(json.dumps(alone(memory, number)))
            return
        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(race(memory, number, sys.argv[4])))


if __name__ == "__main__":
    main()
