"""Comparing strategies: what each would cost for the same files and tools, and what it would save or spend later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from reverie.catalogue import files_of
from reverie.context import Request, assemble
from reverie.strategies import STRATEGIES, Strategy

GROWING = "MEMORY.md"
"""The file that grows with use."""

STEP = 1000
"""Characters that GROWING is imagined to gain."""

CHARS_PER_TOKEN: Mapping[str, float] = MappingProxyType({"en": 4.5, "ru": 2.9})
"""Of notes in a language, for a file that is still empty; measured, see "How tokens are estimated"."""


@dataclass(frozen=True, slots=True)
class StrategyCost:
    """One strategy for one scope, in tokens unless it says otherwise.

    `boot_tokens` is what every request pays for injected files and the hint or the line in its place (`by_file` and `hint_tokens` are its parts);
    `tool_tokens`, beside it, is for generated descriptions and the schemas of all tools. `first_request_tokens` is boot
    with USER.md and MEMORY.md loaded by tool, where they are not injected. `extra_turns` of the model go into loading
    them, one a file; `reads` are reads of the store for every request. `growth` is what each request pays for 1,000 more
    characters in MEMORY.md; 0 where it is read on demand. `cost` is a request's price at boot with all tools, None
    without a price.
    """

    strategy: str
    boot_tokens: int
    by_file: Mapping[str, int]
    hint_tokens: int
    tool_tokens: int
    first_request_tokens: int
    extra_turns: int
    reads: int
    growth: int
    can_update: bool
    cost: float | None
    nearest: str


def compare(
    request: Request, *, strategies: Iterable[Strategy] = STRATEGIES, price_per_million: float | None = None
) -> list[StrategyCost]:
    """The cost of each strategy for the files of a request, which must all be loaded; its own strategy is ignored."""
    return [_cost(replace(request, strategy=strategy), price_per_million) for strategy in strategies]


def _cost(request: Request, price: float | None) -> StrategyCost:
    strategy = request.strategy
    context = assemble(request)
    by_file = {section.file: section.tokens for section in context.sections if section.file}
    hint = sum(section.tokens for section in context.sections if section.kind in ("hint", "data"))
    generated = sum(section.tokens for section in context.sections if section.kind == "tools")
    boot = context.tokens.prompt - generated
    tools = context.tokens.tools + generated
    loaded = [row.name for row in files_of("user") if row.name in strategy.on_demand] if request.user else []
    return StrategyCost(
        strategy=strategy.name,
        boot_tokens=boot,
        by_file=by_file,
        hint_tokens=hint,
        tool_tokens=tools,
        first_request_tokens=boot + _texts(request, loaded),
        extra_turns=len(loaded),
        reads=len(strategy.injected),
        growth=_growth(request) if GROWING in strategy.injected and request.user else 0,
        can_update=strategy.memory_tools,
        cost=None if price is None else (boot + tools) * price / 1_000_000,
        nearest=strategy.nearest,
    )


def _texts(request: Request, names: Sequence[str]) -> int:
    return sum(
        request.counter.count(one.text) for one in request.files if one.file in names and one.text is not None
    )


def _growth(request: Request) -> int:
    text = next((one.text for one in request.files if one.file == GROWING and one.text), None)
    per_token = (
        len(text) / request.counter.count(text) if text else CHARS_PER_TOKEN.get(request.language, 4.0)
    )
    return round(STEP / per_token)
