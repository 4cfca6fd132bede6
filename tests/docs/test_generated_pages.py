"""What the documentation takes from the program is what the program says today."""

from __future__ import annotations

import re

import pytest

from reverie.cli import reference
from reverie.compare import compare
from reverie.context import Request
from reverie.strategies import strategy
from reverie.tokens import counter
from tests.docs.pages import DOCS, REFERENCE, ROOT
from tests.unit.full_files import full_files

PAGES = reference.pages()


@pytest.mark.parametrize("page", PAGES)
def test_a_generated_page_is_current(page: str) -> None:
    written = (REFERENCE / page).read_text(encoding="utf-8")
    assert written == PAGES[page], "Run `python -m reverie.cli.reference docs/reference`."


def test_the_reference_has_generated_pages_only() -> None:
    assert {path.name for path in REFERENCE.iterdir()} == set(PAGES)


def test_every_decision_is_in_the_index() -> None:
    index = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")
    for path in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").split("\n")[0].removeprefix("# ")
        assert f"- [{title}]({path.name})" in index


def test_the_tokens_of_the_strategies_are_measured_ones() -> None:
    page = (DOCS / "explanation" / "strategies.md").read_text(encoding="utf-8")
    said = re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    costs = compare(Request(full_files("en"), strategy("full"), counter=counter("o200k_base")))
    assert said == [(cost.strategy, f"{cost.boot_tokens:,}", f"{cost.first_request_tokens:,}") for cost in costs]


def test_the_readme_lists_the_files_of_the_catalogue() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.*/]+)` \| [^|]+ \| [^|]+ \| ([\d,]+)", readme, re.MULTILINE)
    page = PAGES["files.md"]
    assert rows == re.findall(r"^\| `([\w.*/]+)` \| [^|]+ \| [^|]+ \| ([\d,]+)", page, re.MULTILINE)
