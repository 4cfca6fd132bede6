"""Which names in tool notes are taken for tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.mentions import called_tools, mentioned_tools


@pytest.mark.parametrize(
    ("notes", "names"),
    [
        ("Use `search_wiki` first.", ("search_wiki",)),
        ("Use search_wiki first, then read_page.", ("search_wiki", "read_page")),
        ("сначала search → затем read_knowledge_db_document", ("read_knowledge_db_document",)),
        ("`weather(city)` needs a city", ("weather",)),
        ("readPage is slow", ("readPage",)),
        ("search_wiki, search_wiki", ("search_wiki",)),
        ("`max_connections` is 200; db_name is optional", ()),
        ("see docs/search_wiki.md and get_started.md", ()),
        ("a search finds five passages", ()),
        ("~~~\nsend_mail(to)\n~~~\n", ()),
        ("```python\nrun_job()\n```\nthen list_jobs", ("list_jobs",)),
        ("- `old_search`: slow on Mondays", ("old_search",)),
        ("prefer `legacy_lookup` and `weather_api` over `weather(city)`", ("legacy_lookup", "weather_api", "weather")),
        ("legacy_lookup without a code span", ()),
        ("`max_results=5`, `max_results` = 5, `page_depth`: 3, `page_depth` is 3", ()),
        ("`db_name`, `user_id`, `order_items`, `is_open`, the column `order_total`, `base_rate` table", ()),
        ("параметр `safe_search`, в таблице `price_list`, поле `net_worth`", ()),
        ("`config/tool_notes.md`, `tool_notes.md`, `legacy_lookup/x`, `a.legacy_lookup`, `LEGACY_LOOKUP`", ()),
        ("`len(x)`, `open(path)`, `COUNT(*)`, `now()`, `json.dumps(x)`, `lower(name)`", ()),
        ("set search_depth=3 and search_wiki(q)", ("search_wiki",)),
        ("", ()),
    ],
)
def test_notes_mention_these_tools(notes: str, names: tuple[str, ...]) -> None:
    assert mentioned_tools(notes) == names


def test_only_a_call_in_a_code_span_is_sure_whatever_else_is_known() -> None:
    assert called_tools("`search_wiki(q)` then read_page and `legacy_lookup`, `len(x)`") == ("search_wiki",)


@given(st.text())
def test_any_notes_can_be_read(notes: str) -> None:
    assert all(name in notes for name in mentioned_tools(notes))
