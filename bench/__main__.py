"""`python -m bench`: measure, print and keep the figures; with --check, compare them with the committed ones.

    python -m bench                     every family, written to bench/figures/
    python -m bench contexts writes     some of them
    python -m bench --check             write nothing; fail where a figure is beyond twice the committed one
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from bench.effort import Effort
from bench.measured import Figure, Unmeasurable, keep, kept, worse

FAMILIES = {
    "contexts": "a warm context(), every file full",
    "growth": "the same with a long journal",
    "prompts": "tokens by strategy and language",
    "token_estimate": "the error of the token estimate; needs $REVERIE_DATA",
    "startup": "the command line as a whole process",
    "writes": "durable writes, alone and in a race",
    "install": "a bare install",
}
"""Every family: a module of this folder with `measure(effort)`, and a file of figures."""

MARKS = {True: "✓", False: "✗", None: " "}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the families that are named, or all; the number that the process ends with."""
    asked = _parser().parse_args(arguments)
    effort = Effort(asked.requests, asked.records, asked.processes, asked.writes)
    regressed: list[str] = []
    for family in asked.families or FAMILIES:
        print(f"\n{family}: {FAMILIES[family]}", flush=True)
        measure: Callable[[Effort], list[Figure]] = import_module(f"bench.{family}").measure
        try:
            figures = measure(effort)
        except Unmeasurable as reason:
            print(f"  left out: {reason}")
            continue
        before = kept(family)
        for figure in figures:
            print(_line(figure, before.get(figure.name)))
        if asked.check:
            regressed += [f"{family}: {one.name}" for one in figures if one.name in before and worse(one, before[one.name])]
        else:
            keep(family, figures)
    for name in regressed:
        print(f"beyond twice the committed figure: {name}", file=sys.stderr)
    return 1 if regressed else 0


def _line(figure: Figure, before: Figure | None) -> str:
    goal = "" if figure.goal is None else f"goal {'≥' if figure.higher_is_better else '≤'} {_number(figure.goal)}"
    was = "" if before is None else f"committed {_number(before.value)}"
    notes = ", ".join(f"{name} {value}" for name, value in figure.detail.items())
    return f"  {MARKS[figure.met]} {figure.name:<58}{_number(figure.value):>10} {figure.unit:<9}{goal:<13}{was:<20}{notes}".rstrip()


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.split("\n")[0])
    parser.add_argument("families", nargs="*", metavar="NAME", choices=[*FAMILIES, []], help=", ".join(FAMILIES))
    parser.add_argument("--check", action="store_true", help="compare with the committed figures and write nothing")
    defaults = Effort()
    for name, help in (
        ("requests", "for a context"), ("records", "of the long journal"), ("processes", "of each command"),
        ("writes", "by one process"),
    ):  # fmt: skip
        default = getattr(defaults, name)
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"{name} {help} (default {default:,})")
    return parser


if __name__ == "__main__":
    sys.exit(main())
