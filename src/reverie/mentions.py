"""Mentions: which names in tool notes are those of tools, so that notes on a tool that is gone can be found.

Notes are prose, so the rules are narrow. A name that is called in a code span (`weather(city)`) is a tool's whatever else
is known. Where some tools are known, so is a name in snake_case or camelCase that begins with a verb that tools begin
with (search_wiki, readPage), and one in snake_case that has a code span for itself (`legacy_lookup`) unless it looks
like data: a column, a parameter or a setting (`max_connections`, `db_name`, column `order_total`). Functions of Python
and SQL, paths, file names, assignments and fenced code blocks are left alone.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
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

_SQL = "avg cast coalesce concat count date lower max min now round substring sum trim upper"
_LANGUAGE = frozenset((*dir(builtins), *_SQL.split()))
"""Functions that notes may quote and that are no tools."""

_FIRST = "max min num default is has enable enabled disable use no total base last first current"
_LAST = (
    "id name key url uri path file size limit count total timeout mode type format level version port host date time at by "
    "token dir config enabled table column field schema user status state code number index email title text value flag ms sec"
)
_DATA_FIRST, _DATA_LAST = frozenset(_FIRST.split()), frozenset(_LAST.split())
_DATA_WORDS = (
    "columns?|tables?|fields?|param(?:eter)?s?|arg(?:ument)?s?|settings?|options?|variables?|flags?|keys?|headers?|env|index|branch|"
    "database|schema|role|label|metric|queue|bucket|event|enum|status|value|view|"
    "колонк\\w+|столб\\w+|таблиц\\w+|пол[еяю]\\w*|параметр\\w*|настройк\\w+|переменн\\w+|аргумент\\w*|ключ\\w*|флаг\\w*"
)

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CALLED = re.compile(r"`([A-Za-z]\w*)\(")
_COMPOUND = re.compile(r"(?<![\w./-])([a-z]+)(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+)(?![\w/=-]|\.\w)")
_ALONE = re.compile(r"(?<!`)`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`(?!`)")
_DATA_BEFORE = re.compile(rf"(?i)\b(?:{_DATA_WORDS})[ \t:]+$")
_DATA_AFTER = re.compile(rf"(?i)[ \t]*(?:=|: *\d|(?:is|=) \d|(?:{_DATA_WORDS})\b)")


@lru_cache(maxsize=256)
def called_tools(notes: str) -> tuple[str, ...]:
    """The names that tool notes call in a code span, each once, in the order of the text."""
    return tuple(dict.fromkeys(name for _, name in _called(_FENCED.sub("", notes))))


@lru_cache(maxsize=256)
def mentioned_tools(notes: str) -> tuple[str, ...]:
    """The names in tool notes that read as names of tools, called or not, each once, in the order of the text."""
    prose = _FENCED.sub("", notes)
    found = [*_called(prose), *_alone(prose)]
    found += [(match.start(), match[0]) for match in _COMPOUND.finditer(prose) if match[1] in VERBS]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def _called(prose: str) -> Iterator[tuple[int, str]]:
    for match in _CALLED.finditer(prose):
        if match[1] not in _LANGUAGE and not match[1].isupper():
            yield match.start(1), match[1]


def _alone(prose: str) -> Iterator[tuple[int, str]]:
    """The names in code spans of their own that do not look like data; a plural is data too."""
    for match in _ALONE.finditer(prose):
        first, *_, last = match[1].split("_")
        if first in VERBS:
            yield match.start(1), match[1]
        elif first in _DATA_FIRST or last in _DATA_LAST or (last.endswith("s") and not last.endswith("ss")):
            continue
        elif not _DATA_BEFORE.search(prose, max(0, match.start() - 24), match.start()) and not _DATA_AFTER.match(prose, match.end()):
            yield match.start(1), match[1]
