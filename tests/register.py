"""The register of cases: what `cases.toml` promises and which test proves what.

A case is due in one or more parts of the work. The parts in `BUILT` are there, so each of their cases must have a
test that carries its number; the cases of later parts only have to be listed. Markers are read from the source of the
tests, not from a run, so that the check is quick and sees deep tests too.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

TESTS = Path(__file__).parent
BUILT = frozenset({"core"})
PARTS = frozenset({"core", "sessions", "tools", "search", "dreams", "night", "later"})

Tier = Literal["quick", "deep"]


@dataclass(frozen=True)
class Case:
    """A row of the register; `tier` says whether `make test` must prove it or `make test-deep` may."""

    number: str
    title: str
    due: tuple[str, ...]
    tier: Tier


@dataclass(frozen=True)
class Claim:
    """A test that carries the number of a case."""

    number: str
    file: str
    test: str
    deep: bool


def cases() -> dict[str, Case]:
    """The register, by number, in its own order."""
    with (TESTS / "cases.toml").open("rb") as file:
        rows = tomllib.load(file)
    return {
        number: Case(number, row["title"], tuple(row["due"]), row["tier"])
        for number, row in rows.items()
    }  # fmt: skip


def claims(folder: Path = TESTS) -> list[Claim]:
    """Every number carried by a test under a folder, by decorator, by class, by `pytestmark` or by a parameter."""
    found: list[Claim] = []
    for path in sorted(folder.rglob("test_*.py")):
        found.extend(claims_of(path.read_text(encoding="utf-8"), path.relative_to(folder).as_posix()))
    return found


def claims_of(source: str, file: str) -> list[Claim]:
    """The claims of one test file; ValueError for a number that is not written out as a string."""
    tree = ast.parse(source)
    inherited: list[ast.expr] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(_is_pytestmark(target) for target in node.targets):
            inherited.append(node.value)
    return [
        Claim(number, file, name, deep)
        for name, marks in _tests(tree.body, inherited)
        for deep in [any(_is_mark(mark, "deep") for mark in _plain(marks))]
        for number in sorted(set(_numbers(marks, file)))
    ]


def skip_fault(markers: set[str], *, data_present: bool) -> str | None:
    """Why a test with these markers may not be skipped; None when it may."""
    if "data" in markers:
        return "REVERIE_DATA is set, so a test of data may not be skipped." if data_present else None
    if "case" in markers:
        return "A test that carries a case may not be skipped."
    return None


def _tests(body: list[ast.stmt], inherited: list[ast.expr]) -> Iterator[tuple[str, list[ast.expr]]]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node.name, [*inherited, *node.decorator_list]
        elif isinstance(node, ast.ClassDef):
            yield from _tests(node.body, [*inherited, *node.decorator_list])


def _plain(marks: list[ast.expr]) -> Iterator[ast.expr]:
    """Markers that stand for the whole test: not those of a single parameter."""
    for mark in marks:
        if isinstance(mark, ast.List | ast.Tuple):
            yield from mark.elts
        else:
            yield mark


def _numbers(marks: list[ast.expr], file: str) -> Iterator[str]:
    for mark in marks:
        for node in ast.walk(mark):
            if isinstance(node, ast.Call) and _is_mark(node.func, "case"):
                for argument in node.args:
                    if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                        raise ValueError(f"{file}:{node.lineno}: write the numbers of cases out as strings")
                    yield argument.value


def _is_mark(node: ast.expr, name: str) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    return (
        isinstance(target, ast.Attribute)
        and target.attr == name
        and ast.unparse(target.value) == "pytest.mark"
    )


def _is_pytestmark(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "pytestmark"
