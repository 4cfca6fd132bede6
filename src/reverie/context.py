"""The context: memory files, tools and the hint put together into what a model is given at the start of a request.

A pure function of values: the same files, strategy, language and tools give the same bytes. What all users of an agent
share comes first (who the agent is, its tools, the hint on memory), what belongs to one user last, so that a provider's
prompt cache holds one prefix for all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Literal

from reverie.boundary import marked, shown
from reverie.catalogue import FILES, Level, MemoryFile, position
from reverie.cautions import over_limit, stale, tools_without_sets, unknown_tools
from reverie.memory_tools import MEMORY_TOOLS
from reverie.notices import Notice
from reverie.prompts import prompt
from reverie.signatures import Schema
from reverie.strategies import Strategy
from reverie.tokens import TokenCounter, counter
from reverie.toolsets import ToolDefinition, ToolSet, unique

TOOL_NOTES = "TOOLS.md"
"""The file that stands below the generated description of tools."""

HINT_HEADING = "## Memory"

SectionKind = Literal["file", "tools", "hint", "data"]
"""A memory file, the generated description of tools, the hint, the line that says what memory is where no hint does."""

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A memory file as read for a context: `text` None for an absent one, `limit` None for no limit to report."""

    file: str
    text: str | None
    version: int
    limit: int | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a context is made of.

    `user` says whether the context is for one user; without one, files of the user level are left out even if they were
    loaded. `notices` are passed on to the warnings.
    """

    files: tuple[Loaded, ...]
    strategy: Strategy
    language: str = "en"
    tools: tuple[ToolSet, ...] = ()
    user: bool = True
    generated_tools: bool = True
    memory_tools: tuple[ToolDefinition, ...] = MEMORY_TOOLS
    notices: tuple[Notice, ...] = ()
    counter: TokenCounter = field(default_factory=counter)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the system prompt, which is `system_prompt[start:end]`.

    `text` is what it says, without heading and boundary; `file` is empty and `version` 0 for what is generated. `chars`
    are the code points of the stored text, `tokens` what the part costs with its heading and boundary.
    """

    file: str
    heading: str
    text: str
    version: int
    chars: int
    tokens: int
    kind: SectionKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a context costs: its prompt (the sum of its sections), and its tool definitions as JSON."""

    prompt: int
    tools: int

    @property
    def total(self) -> int:
        """Prompt and tool definitions together."""
        return self.prompt + self.tools


@dataclass(frozen=True, slots=True)
class Context:
    """What a model is given. `cache_points` are offsets in the prompt: the end of what all users share, and its end."""

    system_prompt: str
    sections: tuple[Section, ...]
    tools_json: str
    warnings: tuple[Notice, ...]
    fingerprint: str
    cache_points: tuple[int, ...]
    tokens: Tokens
    strategy: str
    language: str

    @property
    def tools(self) -> list[Schema]:
        """Memory tools and tool sets in the form of OpenAI's Chat API; a fresh copy each time."""
        loaded: list[Schema] = json.loads(self.tools_json)
        return loaded


@dataclass(frozen=True, slots=True)
class _Part:
    """A section before it has its place; `block` is all it puts into the prompt."""

    kind: SectionKind
    file: str
    heading: str
    text: str
    version: int
    chars: int
    block: str


def assemble(request: Request) -> Context:
    """The context of a request.

    Raises InvalidName when two tools have one name and InvalidSetting for a language without prompts.
    """
    shared = _shared(request)
    own = _own(request, explained=request.strategy.hint or any(part.file for part in shared))
    system_prompt = _BETWEEN.join(part.block for part in (*shared, *own))
    sections = _placed((*shared, *own), request.counter)
    tools_json = _tools_json(tuple(_definitions(request)))
    prefix = len(_BETWEEN.join(part.block for part in shared))
    return Context(
        system_prompt=system_prompt,
        sections=sections,
        tools_json=tools_json,
        warnings=(*chain.from_iterable(_warnings(request)), *request.notices),
        fingerprint=hashlib.sha256(f"{len(system_prompt)}\n{system_prompt}{tools_json}".encode()).hexdigest(),
        cache_points=tuple(dict.fromkeys(point for point in (prefix, len(system_prompt)) if point)),
        tokens=Tokens(
            sum(section.tokens for section in sections),
            request.counter.count(tools_json) if tools_json != "[]" else 0,
        ),
        strategy=request.strategy.name,
        language=request.language,
    )


def _shared(request: Request) -> list[_Part]:
    """The parts that are the same for all users of the agent."""
    memory = [part for part in _files(request, "agent") if part.file != TOOL_NOTES]
    notes = [part for part in _files(request, "agent") if part.file == TOOL_NOTES]
    generated = _generated(request.tools) if request.generated_tools else ""
    tools = [_plain("tools", generated, end=f"{_BETWEEN}---" if notes else "")] if generated else []
    parts = [*memory, *tools, *notes]
    if request.strategy.hint:
        hint = f"{prompt('hint', request.language)}{_BETWEEN}{_data(request.language)}"
        parts.append(_plain("hint", hint, HINT_HEADING))
    elif memory or notes:
        parts.append(_plain("data", _data(request.language)))
    return parts


def _own(request: Request, *, explained: bool) -> list[_Part]:
    """The parts that belong to one user; `explained` if the shared parts already say what memory is."""
    parts = _files(request, "user") if request.user else []
    return parts if explained or not parts else [_plain("data", _data(request.language)), *parts]


def _files(request: Request, level: Level) -> list[_Part]:
    """The injected files of one level that exist, in the catalogue's order."""
    by_name = {loaded.file: loaded for loaded in request.files}
    rows = (row for row in FILES if row.level == level and row.name in request.strategy.injected)
    found = ((row, by_name[row.name]) for row in rows if row.name in by_name)
    return [_file(row, loaded.text, loaded.version) for row, loaded in found if loaded.text is not None]


@lru_cache(maxsize=512)
def _file(row: MemoryFile, text: str, version: int) -> _Part:
    data = marked(row.name, text)
    return _Part(
        "file", row.name, row.heading, data.text, version, len(text), f"{row.heading}{_BETWEEN}{data.block}"
    )


@lru_cache(maxsize=64)
def _plain(kind: SectionKind, text: str, heading: str = "", end: str = "") -> _Part:
    start = f"{heading}{_BETWEEN}" if heading else ""
    return _Part(kind, "", heading, text, 0, len(text), f"{start}{text}{end}")


def _data(language: str) -> str:
    return prompt("data", language)


@lru_cache(maxsize=64)
def _generated(tools: tuple[ToolSet, ...]) -> str:
    return shown(_BETWEEN.join(filter(None, (tool_set.register_in_agent() for tool_set in tools))))


def _definitions(request: Request) -> Iterable[ToolDefinition]:
    own = request.memory_tools if request.strategy.memory_tools else ()
    return chain(own, chain.from_iterable(tool_set.tools for tool_set in request.tools))


@lru_cache(maxsize=64)
def _tools_json(definitions: tuple[ToolDefinition, ...]) -> str:
    unique(tool.name for tool in definitions)
    return json.dumps([tool.openai() for tool in definitions], ensure_ascii=False, separators=(",", ":"))


def _placed(parts: Sequence[_Part], counting: TokenCounter) -> tuple[Section, ...]:
    sections, start = [], 0
    for part in parts:
        end = start + len(part.block)
        tokens = counting.count(part.block)
        sections.append(
            Section(
                part.file, part.heading, part.text, part.version, part.chars, tokens, part.kind, start, end
            )
        )
        start = end + len(_BETWEEN)
    return tuple(sections)


def _warnings(request: Request) -> Iterable[Iterable[Notice]]:
    for loaded in sorted(request.files, key=lambda one: position(one.file)):
        if loaded.text is None:
            continue
        yield over_limit(loaded.file, len(loaded.text), loaded.limit)
        yield stale(loaded.file) if loaded.stale else ()
        if loaded.file == TOOL_NOTES:
            cautioned = unknown_tools if request.tools else tools_without_sets
            yield cautioned(loaded.file, loaded.text, _known_names(request.tools, request.memory_tools))


@lru_cache(maxsize=64)
def _known_names(tools: tuple[ToolSet, ...], memory_tools: tuple[ToolDefinition, ...]) -> frozenset[str]:
    definitions = (*memory_tools, *chain.from_iterable(tool_set.tools for tool_set in tools))
    parameters = chain.from_iterable(tool.parameter_names for tool in definitions)
    return frozenset(
        (*(tool.name for tool in definitions), *(tool_set.name for tool_set in tools), *parameters)
    )
