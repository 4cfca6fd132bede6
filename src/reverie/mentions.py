"""Mentions: which names in tool notes are those of tools, so that notes on a tool that is gone can be found.

Notes are prose, so the rule is narrow: a name is taken for a tool's when it is called in a code span (`weather(city)`),
or when it is written in snake_case or camelCase and begins with a verb that tools begin with (search_wiki, readPage).
Column names, parameters and settings (`max_connections`, db_name) are left alone, and so are fenced code blocks.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

_VERBS = (
    "add apply archive ask book browse build calculate call cancel check close commit compare compile compute convert copy count "
    "create delete deploy describe download draft edit email execute export extract fetch filter find forward generate get "
    "grep import insert inspect invite invoke list load lookup merge move notify open parse pay ping plan play post print publish "
    "pull push put query read recall register remove rename render reply request reserve resolve restart retrieve run save scan "
    "schedule search select send set show start stop store submit summarize sync tag test transfer translate trigger update "
    "upload validate verify view visit watch write"
)
VERBS = frozenset(_VERBS.split())
"""What the first part of a tool's name is, in the tool lists of common agent frameworks and MCP servers."""

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CALLED = re.compile(r"`([A-Za-z]\w*)\(")
_COMPOUND = re.compile(r"(?<![\w./-])([a-z]+)(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+)(?![\w/-]|\.\w)")


@lru_cache(maxsize=256)
def mentioned_tools(notes: str) -> tuple[str, ...]:
    """The names in tool notes that read as names of tools, each once, in the order of the text."""
    prose = _FENCED.sub("", notes)
    found = [(match.start(1), match[1]) for match in _CALLED.finditer(prose)]
    found += [(match.start(), match[0]) for match in _COMPOUND.finditer(prose) if match[1] in VERBS]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def unregistered(notes: str, known: Collection[str]) -> tuple[str, ...]:
    """The tools that notes mention and that are not among the known names."""
    return tuple(name for name in mentioned_tools(notes) if name not in known)
