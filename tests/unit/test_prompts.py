"""Prompts: Markdown files of the package, by name and language."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from reverie.errors import InvalidSetting
from reverie.memory_tools import MEMORY_TOOLS
from reverie.mentions import mentioned_tools
from reverie.prompts import languages, prompt
from reverie.tokens import counter


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_hint_is_pinned(language: str, snapshot: SnapshotAssertion) -> None:
    assert prompt("hint", language) == snapshot


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_hint_names_only_tools_that_exist(language: str) -> None:
    named = mentioned_tools(prompt("hint", language))
    assert named
    assert set(named) <= {tool.name for tool in MEMORY_TOOLS}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_hint_costs_at_most_160_tokens(language: str) -> None:
    assert counter("o200k_base").count(prompt("hint", language)) <= 160


@pytest.mark.parametrize("name", ["hint", "data"])
def test_every_prompt_of_the_context_is_in_both_languages(name: str) -> None:
    assert languages(name) == ("en", "ru")


def test_an_unknown_language_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InvalidSetting, match="en, ru"):
        prompt("hint", "fr")


def test_an_unknown_prompt_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="no prompt 'dream'"):
        prompt("dream", "en")
