"""Comparing strategies, and the budgets of the specification counted by the exact tokenizer."""

from __future__ import annotations

import dataclasses
import json

import pytest

from reverie.compare import StrategyCost, compare
from reverie.context import Request, assemble
from reverie.strategies import STRATEGIES, custom_strategies, strategy
from reverie.tokens import counter
from reverie.toolsets import ToolSet
from tests.unit.full_files import full_files

EXACT = counter("o200k_base")


def costs(language: str, price: float | None = None) -> dict[str, StrategyCost]:
    request = Request(full_files(language), strategy("full"), language, counter=EXACT)
    return {cost.strategy: cost for cost in compare(request, price_per_million=price)}


@pytest.mark.parametrize(("language", "most"), [("en", 2000), ("ru", 3000)])
def test_hybrid_v2_boots_within_its_budget_with_every_file_full(language: str, most: int) -> None:
    context = assemble(Request(full_files(language), strategy("hybrid-v2"), language))
    assert EXACT.count(context.system_prompt) <= most
    assert costs(language)["hybrid-v2"].boot_tokens <= most


@pytest.mark.parametrize("language", ["en", "ru"])
def test_hybrid_v2_boots_with_at_most_55_per_cent_of_full(language: str) -> None:
    found = costs(language)
    assert found["hybrid-v2"].boot_tokens <= 0.55 * found["full"].boot_tokens


def test_the_first_request_with_user_and_memory_stays_under_4000_tokens() -> None:
    assert costs("en")["hybrid-v2"].first_request_tokens < 4000


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_estimate_of_a_boot_is_within_ten_per_cent(language: str) -> None:
    for chosen in STRATEGIES:
        context = assemble(Request(full_files(language), chosen, language))
        assert context.tokens.prompt == pytest.approx(EXACT.count(context.system_prompt), rel=0.10)


def test_the_strategies_stand_side_by_side() -> None:
    found = costs("en")
    assert list(found) == ["full", "on-demand", "hybrid-v1", "hybrid-v2"]
    assert [cost.reads for cost in found.values()] == [5, 0, 4, 3]
    assert [cost.extra_turns for cost in found.values()] == [0, 2, 1, 2]
    assert [cost.can_update for cost in found.values()] == [False, True, True, True]
    assert [cost.growth > 0 for cost in found.values()] == [True, False, False, False]


def test_boot_is_the_files_and_the_hint_and_nothing_else() -> None:
    for cost in costs("en").values():
        assert cost.boot_tokens == sum(cost.by_file.values()) + cost.hint_tokens


def test_tools_are_counted_beside_the_boot() -> None:
    tools = ToolSet("own", [{"name": "find", "description": "Find a thing.", "input_schema": {}}])
    request = Request(full_files("en"), strategy("full"))
    without, with_tools = compare(request), compare(dataclasses.replace(request, tools=(tools,)))
    for before, after in zip(without, with_tools, strict=True):
        assert after.boot_tokens == before.boot_tokens
        assert after.tool_tokens > before.tool_tokens


def test_the_cost_is_at_the_given_price_or_unknown() -> None:
    assert all(cost.cost is None for cost in costs("en").values())
    priced = costs("en", price=2.5)["hybrid-v2"]
    assert priced.cost == pytest.approx((priced.boot_tokens + priced.tool_tokens) * 2.5e-6)


def test_a_scope_without_a_user_has_nothing_to_load() -> None:
    request = Request(full_files("en"), strategy("full"), user=False)
    found = {cost.strategy: cost for cost in compare(request)}
    assert found["hybrid-v2"].first_request_tokens == found["hybrid-v2"].boot_tokens
    assert (found["hybrid-v2"].extra_turns, found["full"].growth) == (0, 0)


def test_growth_of_an_empty_memory_is_told_from_the_language() -> None:
    english, russian = (
        compare(Request((), strategy("full"), language))[0].growth for language in ("en", "ru")
    )
    assert 0 < english < russian


def test_a_project_s_own_strategy_is_compared_too() -> None:
    own = custom_strategies({"memory-first": {"files": ["MEMORY.md"]}})
    found = compare(Request(full_files("en"), strategy("full")), strategies=(*STRATEGIES, *own.values()))[-1]
    assert (found.strategy, found.extra_turns, list(found.by_file)) == ("memory-first", 1, ["MEMORY.md"])


def test_a_cost_can_be_written_as_json() -> None:
    assert (
        json.loads(json.dumps([dataclasses.asdict(cost) for cost in costs("en").values()]))[0]["strategy"]
        == "full"
    )
