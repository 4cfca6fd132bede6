"""Which names in tool notes are taken for tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.mentions import mentioned_tools, unregistered


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
        ("", ()),
    ],
)
def test_notes_mention_these_tools(notes: str, names: tuple[str, ...]) -> None:
    assert mentioned_tools(notes) == names


def test_only_names_that_are_not_known_are_reported() -> None:
    assert unregistered("search_wiki then read_page", {"read_page"}) == ("search_wiki",)


@given(st.text())
def test_any_notes_can_be_read(notes: str) -> None:
    assert all(name in notes for name in mentioned_tools(notes))
