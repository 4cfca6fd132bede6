"""What the shell can complete: names that come from the tables, so that a new row is offered at once."""

from __future__ import annotations


def file_names(incomplete: str) -> list[tuple[str, str]]:
    """The memory files, with what each answers."""
    from reverie.catalogue import FILES, TOPIC, TOPIC_PREFIX

    names = [(row.name, row.answers) for row in FILES] + [(TOPIC_PREFIX, TOPIC.answers)]
    return [(name, answers) for name, answers in names if name.startswith(incomplete)]


def setting_names(incomplete: str) -> list[tuple[str, str]]:
    """The settings, with what each is for."""
    from reverie.settings import TABLE

    return [(row.name, row.explains) for row in TABLE if row.name.startswith(incomplete)]


def strategy_names(incomplete: str) -> list[str]:
    """The strategies that come with Reverie."""
    from reverie.strategies import STRATEGIES

    return [row.name for row in STRATEGIES if row.name.startswith(incomplete)]


def language_names(incomplete: str) -> list[str]:
    """The languages of the prompt hint."""
    from reverie.settings import TABLE

    return [choice for row in TABLE if row.name == "language" for choice in row.choices if choice.startswith(incomplete)]


def origin_names(incomplete: str) -> list[str]:
    """Who a text can come from."""
    from reverie.versions import ORIGINS

    return [origin for origin in ORIGINS if origin.startswith(incomplete)]


def format_names(incomplete: str) -> list[tuple[str, str]]:
    """What can be imported."""
    from reverie.importers import IMPORTERS

    return [(row.name, row.explains) for row in IMPORTERS if row.name.startswith(incomplete)]
