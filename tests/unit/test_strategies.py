"""Strategies: four as data, a project's own beside them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reverie.catalogue import FILES, MemoryFile
from reverie.errors import InvalidName, InvalidSetting
from reverie.strategies import STRATEGIES, Strategy, available, custom_strategies, from_layers, strategy

AGENT = ("SOUL.md", "ABOUT.md", "TOOLS.md")


@pytest.mark.parametrize(
    ("name", "injected", "hint"),
    [
        ("full", (*AGENT, "USER.md", "MEMORY.md"), False),
        ("on-demand", (), True),
        ("hybrid-v1", (*AGENT, "USER.md"), True),
        ("hybrid-v2", AGENT, True),
    ],
)
def test_the_four_strategies_inject_what_they_promise(
    name: str, injected: tuple[str, ...], hint: bool
) -> None:
    found = strategy(name)
    assert found.injected == injected
    assert (found.hint, found.memory_tools) == (hint, hint)


def test_what_is_not_injected_is_read_on_demand_where_there_are_tools() -> None:
    assert strategy("hybrid-v2").on_demand == ("USER.md", "MEMORY.md")
    assert strategy("full").on_demand == ()


def test_a_sixth_file_takes_its_place_by_its_row_in_the_catalogue() -> None:
    rules = MemoryFile("RULES.md", "what I must never do", "agent", 1000, "hard", 0, "## Rules")
    assert from_layers("hybrid-v2", (0,), catalogue=(*FILES, rules)).injected == (*AGENT, "RULES.md")


SIX_FILES = """
from reverie import catalogue
rules = catalogue.MemoryFile("RULES.md", "what I must never do", "agent", 1000, "hard", 0, "## Rules")
catalogue.FILES = (*catalogue.FILES, rules)

from reverie.compare import compare
from reverie.context import Loaded, Request, assemble
from reverie.memory_tools import MEMORY_TOOLS
from reverie.strategies import strategy

request = Request((Loaded("RULES.md", "Never guess.", 1),), strategy("hybrid-v2"))
assert "## Rules" in assemble(request).system_prompt
assert "RULES.md" in MEMORY_TOOLS[1].schema
assert [list(cost.by_file) for cost in compare(request)] == [["RULES.md"], [], ["RULES.md"], ["RULES.md"]]
"""


def test_one_more_row_of_the_catalogue_is_in_prompt_tools_and_comparison() -> None:
    done = subprocess.run([sys.executable, "-c", SIX_FILES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_fifth_strategy_is_one_more_row() -> None:
    own = custom_strategies(
        {"personal": {"files": ["USER.md", "SOUL.md"]}, "lean": {"layers": [], "memory_tools": False}}
    )
    assert strategy("personal", own) == Strategy("personal", ("SOUL.md", "USER.md"))
    assert strategy("lean", own) == Strategy("lean", (), hint=False, memory_tools=False)
    assert list(available(own)) == [*(row.name for row in STRATEGIES), "lean", "personal"]


def test_files_and_layers_of_a_row_add_up() -> None:
    own = custom_strategies({"more": {"files": ["MEMORY.md"], "layers": [0]}})
    assert own["more"].injected == (*AGENT, "MEMORY.md")


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidSetting, match="Did you mean hybrid-v2"):
        strategy("hybrid_v2")


@pytest.mark.parametrize("file", ["NOTES.md", "soul.md", "../SOUL.md", "topics/travel.md", 7])
def test_a_strategy_that_injects_what_is_no_catalogue_file_is_refused(file: object) -> None:
    with pytest.raises(InvalidName):
        custom_strategies({"own": {"files": [file]}})


def test_a_strategy_made_by_hand_with_an_unknown_file_is_refused_when_it_is_chosen() -> None:
    with pytest.raises(InvalidName, match="Did you mean SOUL"):
        strategy("own", {"own": Strategy("own", ("SOULS.md",))})


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"file": ["SOUL.md"]}, "no setting 'file'"),
        ({"files": "SOUL.md"}, "Write a list"),
        ({"layers": [9]}, "layer 9"),
        ({"hint": "yes"}, "true or false"),
        ({"hint": True, "memory_tools": False}, "does not give"),
        ("SOUL.md", "Write a table"),
    ],
)
def test_a_wrong_row_is_refused_with_its_reason(row: object, says: str) -> None:
    with pytest.raises(InvalidSetting, match=says):
        custom_strategies({"own": row})
