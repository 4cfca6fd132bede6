"""The reference pages on the library: memory files, strategies, errors, damage, and everything that Python can call.

Made from the tables and docstrings that the program runs on, like the pages on the command line; `reference.py` writes
them all.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator

from reverie import checkpoints, compare, context, errors, files, memory, notices, records, toolsets, versions
from reverie import settings as settings_module
from reverie.catalogue import FILES, TOPIC
from reverie.cli.exits import EXIT_CODES
from reverie.cli.tables import MADE, table
from reverie.damage import DAMAGES, Report
from reverie.memory_tools import MEMORY_TOOLS
from reverie.settings import TABLE
from reverie.strategies import DEFAULT_STRATEGY, STRATEGIES
from reverie.transfers import ExportReport, ImportReport

CLASSES = (memory.Memory, memory.ScopeMemory, memory.Agent, memory.User, toolsets.ToolSet)
"""What a caller holds; `ScopeMemory` is what agents and users have alike."""

VALUES = (
    files.FileInfo, files.Document, versions.Version, versions.PendingEdit, versions.BlameLine, records.Record,
    context.Context, context.Section, context.Tokens, notices.Notice, compare.StrategyCost,
    settings_module.AgentSettings, settings_module.Explained, Report, checkpoints.Checkpoint, ExportReport,
    ImportReport,
)  # fmt: skip
"""What the verbs return."""


def pages() -> dict[str, str]:
    """Every page, by its file name."""
    return {
        "files.md": _files(),
        "strategies.md": _strategies(),
        "memory-tools.md": _memory_tools(),
        "errors.md": _errors(),
        "verify-codes.md": _damage(),
        "python.md": _python(),
    }


def _files() -> str:
    rows = [
        [f"`{row.name}`", row.answers, "agent" if row.level == "agent" else "agent and user", f"{row.limit:,} {row.limit_kind}",
         f"`{row.heading}`" if row.heading else "by title", str(row.ttl_days or "never"), row.writers]
        for row in (*FILES, TOPIC)
    ]  # fmt: skip
    suggested = "\n".join(f"- `{row.name}`: {', '.join(row.headings)}" for row in FILES if row.headings)
    return (
        f"{MADE}# Memory files\n\n"
        "Limits are in characters (Unicode code points). A write over a *hard* limit is refused and changes nothing; over a\n"
        "*soft* limit it is stored, and the answer says to compress. What a person writes in the working tree or imports is\n"
        "taken over the limit too, and every report shows it. Nothing is ever cut. Limits and days are settings\n"
        "(`limits`, `ttl`).\n\n"
        + table(
            ["file", "answers", "belongs to", "limit", "heading in the prompt", "stale after days", "who writes"],
            rows,
        )
        + f"\nSections that are suggested, and none is required:\n\n{suggested}\n\n"
        "A topic's name is `topics/<name>.md`: lower-case letters of any script, digits, emoji, `-` and `_`. No file exists\n"
        "before somebody writes it; writing blank text removes it (with `removal_meant`), and reading an absent file is an\n"
        "ordinary answer.\n"
    )


def _strategies() -> str:
    rows = [
        [f"`{row.name}`" + (" (default)" if row.name == DEFAULT_STRATEGY else ""),
         ", ".join(row.injected) or "none", ", ".join(row.on_demand) or "none", "yes" if row.hint else "no",
         "yes" if row.memory_tools else "no", row.nearest]
        for row in STRATEGIES
    ]  # fmt: skip
    return (
        f"{MADE}# Strategies\n\n"
        "A strategy says which files are in every prompt; the others are read by tool, topics and the journal among them.\n"
        "Choose one with the setting `strategy`, or for one call with `context(strategy=…)`. How to write your own:\n"
        "[A strategy of your own](../how-to/own-strategy.md).\n\n"
        + table(["strategy", "in every prompt", "on demand", "hint", "memory tools", "works like"], rows)
    )


def _memory_tools() -> str:
    rows = [[f"`{tool.name}`", ", ".join(f"`{name}`" for name in tool.parameter_names), tool.description] for tool in MEMORY_TOOLS]  # fmt: skip
    return (
        f"{MADE}# Memory tools\n\n"
        "What a model calls to read and keep its memory. Every strategy but `full` puts their schemas into\n"
        "`context.tools`, and the hint in the prompt speaks of them. Which agent and which user a call is about comes from\n"
        "you, never from an argument that the model fills in. Until sessions are here, your code answers the calls with\n"
        "the verbs of [User](python.md), as [Your first memory](../tutorial/index.md) shows.\n\n"
        + table(["tool", "arguments", "as the model reads it"], rows)
    )


def _errors() -> str:
    exits = {code: str(row.number) for row in EXIT_CODES for code in row.errors}
    rows = []
    for kind in _error_kinds():
        extra = [name for name in inspect.signature(kind).parameters if name not in ("message", "remedy")]
        first = (kind.__doc__ or "").split("\n")[0]
        rows.append([f"`{kind.__name__}`", f"`{kind.code}`", first, ", ".join(f"`{name}`" for name in extra), exits.get(kind.code, "1")])
    return (
        f"{MADE}# Errors\n\n"
        "All live in `reverie.errors` and are `ReverieError`. Each has a `message` that says what happened to what, a\n"
        "`remedy` that says what to do next, and a `code` that never changes; `as_dict()` is what `--json` prints. After an\n"
        "error nothing was stored, lost or half-done.\n\n"
        + table(["error", "code", "means", "fields", "[exit code](exit-codes.md)"], rows)
    )


def _error_kinds() -> Iterator[type[errors.ReverieError]]:
    for value in vars(errors).values():
        if isinstance(value, type) and issubclass(value, errors.ReverieError) and value is not errors.ReverieError:
            yield value


def _damage() -> str:
    rows = [[f"`{row.code}`", row.means, row.repair, "no" if row.heals else "yes"] for row in DAMAGES]
    return (
        f"{MADE}# What verify can say\n\n"
        "`memory.verify()` and `reverie verify` report problems as a code, what it is about and what was found there. What\n"
        "the next read would settle by itself is told too, and does not make the report fail. What verification can find\n"
        "and what it cannot: [Chains, checkpoints and verify](../explanation/verification.md).\n\n"
        + table(["code", "means", "what to do", "fails"], rows)
    )


def _python() -> str:
    fields = ", ".join(row.name for row in TABLE)
    parts = [
        f"{MADE}# Python\n\n"
        "```python\nfrom reverie import Memory, ToolSet, ReverieError\n```\n\n"
        "Datetimes are aware; a naive one is refused. Versions count from 1, and 0 stands for an absent file. Results are\n"
        "frozen dataclasses. Everything is synchronous and may be called from any thread.\n"
    ]
    for kind in CLASSES:
        title = "Agent and User alike" if kind is memory.ScopeMemory else kind.__name__
        parts.append(f"\n## {title}\n\n{_said(kind)}\n")
        parts += [_callable(name, member) for name, member in vars(kind).items() if not name.startswith("_")]
    parts.append(f"\n## Values\n\nSettings by name: {fields}. See [Settings](settings.md).\n")
    parts += [_value(kind) for kind in VALUES]
    return "".join(parts)


def _callable(name: str, member: object) -> str:
    if isinstance(member, property):
        return f"\n### {name} (property)\n\n{_said(member)}\n" if member.__doc__ else ""
    function = getattr(member, "__func__", member)
    if not inspect.isfunction(function):
        return ""
    signature = inspect.signature(function)
    shown = [_parameter(one) for one in signature.parameters.values() if one.name not in ("self", "cls")]
    names = [one.name for one in signature.parameters.values() if one.kind is one.KEYWORD_ONLY]
    if names:
        first = next(index for index, text in enumerate(shown) if text.startswith(names[0]))
        shown.insert(first, "*")
    returned = str(signature.return_annotation).replace("Self", "the same")
    return f"\n### {name}\n\n```text\n{name}({', '.join(shown)}) -> {returned}\n```\n\n{_said(function)}\n"


def _parameter(one: inspect.Parameter) -> str:
    stars = "**" if one.kind is one.VAR_KEYWORD else ""
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{stars}{one.name}: {one.annotation}{default}"


def _value(kind: type) -> str:
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    else:
        names = list(getattr(kind, "_fields", ()))
    names += [name for name, member in vars(kind).items() if isinstance(member, property)]
    return f"\n### {kind.__name__}\n\n{', '.join(f'`{name}`' for name in names)}\n\n{_said(kind)}\n"


def _said(documented: object) -> str:
    return inspect.getdoc(documented) or ""
