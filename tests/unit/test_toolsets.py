"""Tool sets: from functions and schemas to one description and one form."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional

import pytest
from syrupy.assertion import SnapshotAssertion

from reverie.errors import InvalidName, InvalidSetting
from reverie.toolsets import ToolSet

KNOWLEDGE_BASES = {"Product Docs": "product documentation", "Internal Wiki": "internal processes"}


class Unit(enum.Enum):
    CELSIUS = "C"
    FAHRENHEIT = "F"


def search_knowledge_db(query: str, db_name: str | None = None) -> list[str]:
    """Search documents in knowledge databases.

    Args:
        query: what to look for
        db_name (str, optional): in which database: by its name
    """
    return [query, db_name or ""]


def forecast(
    city: str,
    days: int = 3,
    *,
    unit: Unit = Unit.CELSIUS,
    at: Annotated[float, "local hour"] = 12.5,
    parts: Optional[list[Literal["rain", "wind"]]] = None,  # noqa: UP045  # the old spelling must work too
    options: dict[str, bool] | None = None,
) -> None:
    """Tell the weather."""


SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "what to look for"},
        "db_name": {"type": "string"},
    },
    "required": ["query"],
}
CHAT = {
    "type": "function",
    "function": {"name": "find", "description": "Find a thing.", "parameters": SCHEMA},
}
RESPONSES = {
    "type": "function",
    "name": "find",
    "description": "Find a thing.",
    "parameters": SCHEMA,
    "strict": True,
}
ANTHROPIC = {"name": "find", "description": "Find a thing.", "input_schema": SCHEMA}


def test_the_article_s_knowledge_databases_are_described_in_its_words(snapshot: SnapshotAssertion) -> None:
    tools = ToolSet.from_functions(
        "knowledge", [search_knowledge_db], settings={"Available knowledge databases": KNOWLEDGE_BASES}
    )
    assert tools.register_in_agent() == snapshot


def test_a_function_with_every_kind_of_parameter_is_described(snapshot: SnapshotAssertion) -> None:
    tools = ToolSet("weather", [forecast])
    assert tools.register_in_agent() == snapshot
    assert tools.openai() == snapshot


def test_the_docstring_describes_the_parameters() -> None:
    properties: Any = ToolSet("k", [search_knowledge_db]).tools[0].parameters["properties"]
    assert properties["db_name"] == {"type": "string", "description": "in which database: by its name"}


@pytest.mark.parametrize("schema", [CHAT, RESPONSES, ANTHROPIC], ids=["chat", "responses", "anthropic"])
def test_every_form_of_schema_gives_the_same_tool(schema: dict[str, object]) -> None:
    assert ToolSet("t", [schema]) == ToolSet("t", [CHAT])
    assert ToolSet("t", [schema]).openai()[0]["type"] == "function"


def test_the_named_constructors_take_their_own_form_and_refuse_the_other() -> None:
    assert ToolSet.from_openai("t", [CHAT, RESPONSES | {"name": "find_again"}]).tools[1].name == "find_again"
    assert ToolSet.from_anthropic("t", [ANTHROPIC]).tools == ToolSet.from_openai("t", [CHAT]).tools
    with pytest.raises(InvalidSetting, match="not an OpenAI function tool"):
        ToolSet.from_openai("t", [{"type": "web_search"}])
    with pytest.raises(InvalidSetting, match="not an Anthropic tool"):
        ToolSet.from_anthropic("t", [CHAT])


def test_the_order_of_a_dictionary_does_not_reach_the_prompt() -> None:
    turned = {
        "required": ["query"],
        "properties": {
            "db_name": {"type": "string"},
            "query": {"description": "what to look for", "type": "string"},
        },
        "type": "object",
    }
    other = ToolSet("t", [{"parameters": turned, "description": "Find a thing.", "name": "find"}])
    assert other.register_in_agent() == ToolSet("t", [CHAT]).register_in_agent()
    assert list(other.openai()[0]) == list(ToolSet("t", [CHAT]).openai()[0])
    assert str(other.openai()) == str(ToolSet("t", [CHAT]).openai())


def test_a_caller_who_changes_what_it_got_changes_nothing_here() -> None:
    tools = ToolSet("t", [CHAT])
    tools.openai()[0]["type"] = "changed"
    assert tools.openai() == [CHAT]


def test_live_facts_may_be_a_value_names_or_names_with_descriptions() -> None:
    tools = ToolSet(
        "t",
        [],
        settings={
            "Region": "north",
            "Limit": 5,
            "Rooms": ["Birch", "Oak"],
            "Desks": {"A1": "by the window"},
            "Cars": [],
        },
    )
    assert tools.register_in_agent() == (
        'Region: north\n\nLimit: 5\n\nRooms:\n- "Birch"\n- "Oak"\n\nDesks:\n- "A1" (by the window)\n\nCars:\n- none'
    )


def test_hidden_characters_in_a_description_are_made_visible() -> None:
    tools = ToolSet("t", [{"name": "find", "description": "Find\u202e it.", "parameters": None}])
    assert "⟦U+202E⟧" in tools.register_in_agent()
    assert "\u202e" not in str(tools.openai())


def starred(*words: str) -> None: ...
def keywords(**words: str) -> None: ...
def positional(word: str, /) -> None: ...
def typed(word: complex) -> None: ...
def unresolved(word: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821  # the point of the test


@pytest.mark.parametrize(
    ("function", "says"),
    [(starred, r"takes \*words"), (keywords, r"takes \*\*words"), (positional, "positional only"), (typed, "parameter 'word' of tool 'typed'"), (unresolved, "Nowhere"), (min, "signature of tool 'min'")],
)  # fmt: skip
def test_a_function_that_a_model_cannot_call_is_refused(function: Callable[..., object], says: str) -> None:
    with pytest.raises(InvalidSetting, match=says):
        ToolSet("t", [function])


@pytest.mark.parametrize("name", ["", "two words", "x" * 129, "слово", "a\nb", None])
def test_a_name_that_no_provider_takes_is_refused(name: object) -> None:
    with pytest.raises(InvalidName):
        ToolSet("t", [{"name": name, "input_schema": SCHEMA}])


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidName, match="Two tools are named 'find'"):
        ToolSet("t", [CHAT, ANTHROPIC])


@pytest.mark.parametrize(
    "schema", ["text", {"properties": []}, {"properties": {"a": {"default": float("nan")}}}, {"x": {1, 2}}]
)
def test_a_schema_that_is_not_one_is_refused(schema: object) -> None:
    with pytest.raises(InvalidSetting):
        ToolSet("t", [{"name": "find", "input_schema": schema}])
