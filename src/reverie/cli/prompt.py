"""The prompt: what an agent's model gets, and what each strategy would cost."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import output
from reverie.cli.arguments import Language, Strategy
from reverie.cli.place import Place

if TYPE_CHECKING:
    from reverie.context import Context


def context(
    place: Place,
    strategy: Strategy = None,
    language: Language = None,
    sections: Annotated[
        bool | None, typer.Option("--sections/--prompt", help="List its sections, or print the prompt itself.",
                                  show_default="sections on a terminal, the prompt in a pipe"),
    ] = None,
) -> None:  # fmt: skip
    """Put together the system prompt.

    It is the agent's, or with --user the one for that user. Nothing is written, except that a change made in the
    working tree is taken.
    """
    with place.open() as memory:
        made = place.scope_in(memory).context(strategy=strategy, language=language)
        if place.json:
            output.document(_named(made))
        elif output.on_terminal() if sections is None else sections:
            _list(made)
        else:
            output.raw(made.system_prompt)
        if not place.json:
            for warning in made.warnings:
                output.note(f"warning: {warning.message}")


def compare(
    place: Place,
    price: Annotated[
        float | None, typer.Option("--price", metavar="P", min=0, help="Price of a million input tokens.")
    ] = None,
) -> None:
    """Compare what each strategy would cost.

    In tokens at boot and for a first request that loads all memory, in extra turns of the model and reads of the
    store; with --price in money too.
    """
    with place.open() as memory:
        costs = place.scope_in(memory).compare(price_per_million=price)
        if place.json:
            output.document(costs)
            return
        headings = ["strategy", "boot", "tools", "first request", "turns", "reads", "updates"]
        rows = [
            [cost.strategy, str(cost.boot_tokens), str(cost.tool_tokens), str(cost.first_request_tokens),
             str(cost.extra_turns), str(cost.reads), "yes" if cost.can_update else "no",
             *([] if cost.cost is None else [f"{cost.cost:.6f}"])]
            for cost in costs
        ]  # fmt: skip
        headings += [] if price is None else ["cost"]
        output.table(headings, rows, right=[*headings[1:6], "cost"])


def _named(made: Context) -> dict[str, object]:
    """The context by its public names; tools and totals are derived from what it keeps."""
    kept = {field.name: getattr(made, field.name) for field in dataclasses.fields(made) if field.name != "tools_json"}
    tokens = {"prompt": made.tokens.prompt, "tools": made.tokens.tools, "total": made.tokens.total}
    return kept | {"tools": made.tools, "tokens": tokens}


def _list(made: Context) -> None:
    rows = [[s.heading, s.file, str(s.version or ""), str(s.chars), str(s.tokens)] for s in made.sections]
    output.table(["section", "file", "version", "chars", "tokens"], rows, right=["version", "chars", "tokens"])
    tokens = made.tokens
    output.line(f"{tokens.total} tokens: {tokens.prompt} of prompt, {tokens.tools} of tool definitions.")
    output.note("`reverie context --prompt` prints the prompt itself.")
