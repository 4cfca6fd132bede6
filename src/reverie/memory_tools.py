"""Memory tools: what a model calls to read and keep its memory, as one table that every surface renders.

Which agent and which user a call is about comes from the session it is made in, never from an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reverie.catalogue import FILES, TOPIC
from reverie.signatures import JsonValue, Schema
from reverie.toolsets import ToolDefinition

SEARCH_BUDGET = 1000
"""How many tokens of hits `memory_search` packs when the model names no budget."""

_NAMES = ", ".join(row.name for row in FILES)
_FILE: Final[Schema] = {"type": "string", "description": f"{_NAMES} or {TOPIC.name.replace('*', '<slug>')}"}
_FILES_SAY = "; ".join(f"{row.name}: {row.answers}" for row in (*FILES, TOPIC))


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _tool(
    name: str, description: str, properties: Mapping[str, JsonValue], required: Sequence[str] = ()
) -> ToolDefinition:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return ToolDefinition.of(name, description, schema)


MEMORY_TOOLS: tuple[ToolDefinition, ...] = (
    _tool(
        "memory_list",
        f"List the memory files and topics you can reach: size, limit, last change, stale or not. {_FILES_SAY}.",
        {},
    ),
    _tool(
        "memory_read",
        "Read a memory file: its content, version and age, and what to do if it is over its limit or stale.",
        {"file": _FILE},
        ["file"],
    ),
    _tool(
        "memory_write",
        "Replace a whole memory file. Read it first. A write that drops most of the file is refused without "
        "removal_meant. To change one passage use memory_edit, to add one memory_append.",
        {
            "file": _FILE,
            "content": _text("the complete new text, nothing left out or abbreviated"),
            "version": {"type": "integer", "minimum": 0, "description": "the version you read; 0 if there is no file"},
            "removal_meant": {"type": "boolean", "description": "true if dropping most of the file is intended"},
        },
        ["file", "content", "version"],
    ),
    _tool(
        "memory_edit",
        "Replace one passage of a memory file. It must occur exactly once; otherwise nothing changes.",
        {"file": _FILE, "old_text": _text("the passage, exactly as it stands"), "new_text": _text("its replacement; empty removes it")},
        ["file", "old_text", "new_text"],
    ),
    _tool(
        "memory_append",
        "Add one entry to a memory file: a fact that will still matter in later sessions, with its date if it has one.",
        {"file": _FILE, "text": _text("one self-contained entry"), "heading": _text("the section to add it to; made if missing")},
        ["file", "text"],
    ),
    _tool(
        "memory_search",
        "Search memory files and the journal of past sessions. Gives ranked passages with source, date and origin.",
        {
            "query": _text("words or a question, in any language"),
            "budget": {"type": "integer", "minimum": 1, "description": f"tokens of results, {SEARCH_BUDGET} if not given"},
            "since": _text("ISO date or time; from then on"),
            "until": _text("ISO date or time; before then"),
            "where": {"type": "string", "enum": ["all", "files", "journal"]},
        },
        ["query"],
    ),
    _tool(
        "memory_forget",
        "Forget on the user's request: removes the entries that say this and keeps it from being learned again.",
        {"text": _text("what to forget"), "reason": _text("why, in the user's words")},
        ["text"],
    ),
    _tool(
        "journal_read",
        "Read what was said in one past session or on one day. Give exactly one of the two.",
        {"session": _text("a session id"), "day": _text("a date, YYYY-MM-DD")},
    ),
)  # fmt: skip


def openai_tools() -> list[Schema]:
    """The table in the form of OpenAI's Chat API."""
    return [tool.openai() for tool in MEMORY_TOOLS]
