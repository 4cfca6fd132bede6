"""The memory tools: one table, small enough to send with every request."""

from __future__ import annotations

import json
from typing import Any

from syrupy.assertion import SnapshotAssertion

from reverie.catalogue import FILES
from reverie.memory_tools import MEMORY_TOOLS, openai_tools
from reverie.tokens import counter


def test_the_table_is_pinned(snapshot: SnapshotAssertion) -> None:
    assert openai_tools() == snapshot


def test_the_eight_tools_take_these_arguments() -> None:
    assert {tool.name: tool.parameter_names for tool in MEMORY_TOOLS} == {
        "memory_list": (),
        "memory_read": ("file",),
        "memory_write": ("file", "content", "version", "removal_meant"),
        "memory_edit": ("file", "old_text", "new_text"),
        "memory_append": ("file", "text", "heading"),
        "memory_search": ("query", "budget", "since", "until", "where"),
        "memory_forget": ("text", "reason"),
        "journal_read": ("day", "session"),
    }


def test_no_tool_takes_whose_memory_it_is() -> None:
    names = {name for tool in MEMORY_TOOLS for name in tool.parameter_names}
    assert not names & {"agent", "user", "project", "scope", "agent_id", "user_id"}


def test_all_schemas_together_cost_at_most_1500_tokens() -> None:
    exact = counter("o200k_base").count
    assert exact(json.dumps(openai_tools(), ensure_ascii=False, separators=(",", ":"))) <= 1500
    assert exact(json.dumps(openai_tools(), indent=2)) <= 1500


def test_the_catalogue_names_the_files() -> None:
    listing, reading = MEMORY_TOOLS[0], MEMORY_TOOLS[1]
    properties: Any = reading.parameters["properties"]
    assert all(row.name in properties["file"]["description"] for row in FILES)
    assert all(row.answers in listing.description for row in FILES)
