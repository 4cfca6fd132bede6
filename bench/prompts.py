"""How many tokens a prompt costs with every file full: by strategy and language, exactly and by the estimate."""

from __future__ import annotations

from bench.effort import Effort
from bench.measured import Figure
from reverie.compare import StrategyCost, compare
from reverie.context import Request
from reverie.strategies import strategy
from reverie.tokens import TokenCounter, counter
from reverie.toolsets import ToolSet
from tests.unit.full_files import full_files

LANGUAGES = {"en": "English", "ru": "Russian"}
BOOT = {"en": 2000, "ru": 3000}
FIRST_REQUEST = {"en": 4000}
SHARE = 55
EXACT = counter("o200k_base")
ESTIMATE = counter("estimate")


def search_documents(query: str, database: str | None = None) -> str:
    """Search documents in the knowledge databases."""
    raise NotImplementedError("it is only described")


TOOLS = ToolSet("knowledge", [search_documents], settings={"databases": {"Product Docs": "product documentation", "Wiki": "processes"}})  # fmt: skip


def measure(effort: Effort) -> list[Figure]:
    """Boot, first request and share of `full`; the estimate beside each exact count."""
    figures = []
    for language, name in LANGUAGES.items():
        exact, guess = _costs(language, EXACT), _costs(language, ESTIMATE)
        for chosen, cost in exact.items():
            goal = BOOT[language] if chosen == "hybrid-v2" else None
            detail: dict[str, float | int | str] = {
                "estimate": guess[chosen].boot_tokens, "tools beside": cost.tool_tokens,
                "hint": cost.hint_tokens, **cost.by_file,
            }  # fmt: skip
            figures.append(Figure(f"boot of {chosen}, {name}", cost.boot_tokens, "tokens", goal, detail=detail))
        default = exact["hybrid-v2"]
        figures.append(
            Figure(
                f"first request with USER and MEMORY, {name}",
                default.first_request_tokens,
                "tokens",
                FIRST_REQUEST.get(language),
                detail={"estimate": guess["hybrid-v2"].first_request_tokens},
            )
        )
        share = 100 * default.boot_tokens / exact["full"].boot_tokens
        figures.append(Figure(f"hybrid-v2 against full, {name}", share, "%", SHARE))
    return figures


def _costs(language: str, with_counter: TokenCounter) -> dict[str, StrategyCost]:
    request = Request(full_files(language), strategy("full"), language, tools=(TOOLS,), counter=with_counter)
    return {cost.strategy: cost for cost in compare(request)}
