"""Settings: one table, five layers, and the only place that reads the environment.

A value comes from the first layer that has it: an argument, the environment (`REVERIE_<NAME>`), what is stored for the
agent (versioned like a file), `reverie.toml` in the store, the default.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
import zoneinfo
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from reprlib import repr as shown  # bounded, whatever is nested in what
from types import MappingProxyType
from typing import Any, Literal

from reverie.catalogue import FILES, TOPIC, MemoryFile
from reverie.errors import InvalidSetting, InvalidTime
from reverie.strategies import STRATEGIES, Strategy, custom_strategies
from reverie.validity import MAX_CHARS

Source = Literal["argument", "environment", "agent", "reverie.toml", "default"]
EMPTY: Mapping[str, Any] = MappingProxyType({})
MAX_DAYS = 365 * 100
"""The longest time to live: a hundred years."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What one agent's memory does; two agents differ by these, not by code.

    `limits` (code points) and `ttl` (days, 0 for never) hold only what differs from the catalogue.
    """

    strategy: str = "hybrid-v2"
    language: str = "en"
    timezone: str = "UTC"
    limits: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    ttl: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    dreaming: str = "inline"
    review: str = "manual"
    shared_writes: str = "direct"
    tree_edits: str = "accept"
    idle_minutes: int = 30
    session_writes: int = 200
    generated_tools: bool = True

    def limit(self, name: str) -> int:
        """The limit of a file in code points: the setting, or the catalogue's."""
        row = _row(name)
        return self.limits.get(name, self.limits.get(row.name, row.limit))

    def ttl_days(self, name: str) -> int | None:
        """After how many days without a confirmation a file is stale; None for never."""
        row = _row(name)
        return self.ttl.get(name, self.ttl.get(row.name, row.ttl_days or 0)) or None

    @property
    def zone(self) -> tzinfo:
        """The scope's time zone."""
        return zoneinfo.ZoneInfo(self.timezone)


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table: what a setting is, what it may be, and how text becomes its value."""

    name: str
    explains: str
    choices: tuple[str, ...] = ()
    checked: Callable[[object], object] | None = None

    @property
    def default(self) -> object:
        """The value when nobody says anything."""
        return getattr(AgentSettings(), self.name)


@dataclass(frozen=True, slots=True)
class Explained:
    """A setting's value and the layer that it comes from."""

    name: str
    value: object
    source: Source
    explains: str


@dataclass(frozen=True)
class Settings:
    """The layers of one store; `for_agent` puts them together."""

    arguments: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, object] = field(default_factory=dict)
    file: Mapping[str, object] = field(default_factory=dict)
    defaults: Mapping[str, object] = field(default_factory=dict)
    strategies: Mapping[str, Strategy] = field(default_factory=dict)

    def for_agent(self, stored: Mapping[str, object]) -> AgentSettings:
        """The agent's settings; `stored` is what was configured for it."""
        return AgentSettings(**{row.name: self._found(row, stored)[0] for row in TABLE})  # type: ignore[arg-type]  # checked by the table

    def explain(self, stored: Mapping[str, object]) -> list[Explained]:
        """Every setting with its value and where that comes from."""
        return [Explained(row.name, *self._found(row, stored), row.explains) for row in TABLE]

    def _found(self, row: Setting, stored: Mapping[str, object]) -> tuple[object, Source]:
        layers: tuple[tuple[Source, Mapping[str, object]], ...] = (
            ("argument", self.arguments), ("environment", self.environment), ("agent", stored),
            ("reverie.toml", self.file), ("default", self.defaults),
        )  # fmt: skip
        for source, layer in layers:
            if row.name in layer:
                return self.checked(row.name, layer[row.name]), source
        return row.default, "default"

    def checked(self, name: str, value: object) -> object:
        """The value as the setting keeps it; InvalidSetting when it cannot take it."""
        row = _setting(name)
        if name == "strategy":
            return _choice(row, value, (*(s.name for s in STRATEGIES), *self.strategies))
        if row.checked is not None:
            return row.checked(value)
        return _choice(row, value, row.choices)


def load(given: Settings | Mapping[str, object] | None = None, *, folder: Path | None = None, defaults: Mapping[str, object] | None = None) -> Settings:  # fmt: skip
    """The settings of a store: what is given, over the environment and `reverie.toml` in the store's folder.

    `given` are arguments, which may have `strategies` as `reverie.toml` has them; or Settings, whose layers lie over
    the store's own.
    """
    file = _toml(folder / "reverie.toml") if folder else {}
    strategies = dict(custom_strategies(file.pop("strategies", {})))
    if isinstance(given, Settings):
        over = given
    else:
        arguments = dict(given or {})
        own = custom_strategies(arguments.pop("strategies", {}))
        over = Settings(arguments, strategies=own)
    environment = {
        row.name: os.environ[f"REVERIE_{row.name.upper()}"] for row in TABLE if f"REVERIE_{row.name.upper()}" in os.environ
    }  # fmt: skip
    settings = Settings(
        over.arguments, environment | dict(over.environment), file | dict(over.file),
        dict(defaults or {}) | dict(over.defaults), strategies | dict(over.strategies),
    )  # fmt: skip
    for layer in (settings.arguments, settings.environment, settings.file):
        for name, value in layer.items():
            settings.checked(name, value)
    return settings


def stored(text: str | None) -> dict[str, object]:
    """What was configured for an agent, from the text of its settings file."""
    return dict(json.loads(text)) if text else {}


def configured(before: Mapping[str, object], changes: Mapping[str, object], settings: Settings) -> str:
    """The settings file's text after changes; a change to None takes a setting back to its default."""
    after = dict(before)
    for name, value in changes.items():
        _setting(name)
        if value is None:
            after.pop(name, None)
        else:
            checked = settings.checked(name, value)
            after[name] = dict(checked) if isinstance(checked, Mapping) else checked
    return json.dumps(after, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def environment_defaults() -> dict[str, str | None]:
    """What the environment says about where and who: store, agent, user."""
    return {name: os.environ.get(f"REVERIE_{name.upper()}") for name in ("store", "agent", "user", "project")}


def environment_now() -> datetime | None:
    """The time that `REVERIE_NOW` pretends it is; InvalidTime when it has no zone or is not ISO 8601."""
    said = os.environ.get("REVERIE_NOW")
    if not said:
        return None
    try:
        time: datetime | None = datetime.fromisoformat(said)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise InvalidTime(
            f"REVERIE_NOW is {said!r}.", "Write a time with a zone, like 2026-12-01T09:30:00+03:00."
        )
    return time


def environment_editor() -> str:
    """The command that opens a text for editing: VISUAL, else EDITOR, else vi."""
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidSetting(f"{path.name} cannot be read: {error}.", "Correct it or remove it.") from error


def _row(name: str) -> MemoryFile:
    return next((row for row in FILES if row.name == name), TOPIC)


def _setting(name: str) -> Setting:
    for row in TABLE:
        if row.name == name:
            return row
    close = difflib.get_close_matches(name, [row.name for row in TABLE], 1)
    remedy = f"Did you mean {close[0]}?" if close else f"Use one of {', '.join(row.name for row in TABLE)}."
    raise InvalidSetting(f"There is no setting {name!r}.", remedy)


def _choice(row: Setting, value: object, choices: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in choices:
        return value
    close = difflib.get_close_matches(value, choices, 1) if isinstance(value, str) else []
    remedy = f"Did you mean {close[0]}?" if close else f"Use one of {', '.join(choices)}."
    raise InvalidSetting(f"{row.name} cannot be {shown(value)}.", remedy)


def _zone(value: object) -> str:
    try:
        if not isinstance(value, str) or not value:
            raise ValueError(value)
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidTime(
            f"{shown(value)} is not a time zone.", "Use a name like Europe/Minsk or UTC."
        ) from error
    return value


def _between(name: str, most: int) -> Callable[[object], int]:
    def checked(value: object) -> int:
        number = _integer(value)
        if number is None or not 1 <= number <= most:
            raise InvalidSetting(
                f"{name} cannot be {shown(value)}.", f"Use a whole number from 1 to {most:,}."
            )
        return number

    return checked


def _integer(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None


def _yes_or_no(value: object) -> bool:
    words = {
        "true": True,
        "yes": True,
        "on": True,
        "1": True,
        "false": False,
        "no": False,
        "off": False,
        "0": False,
    }
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise InvalidSetting(f"generated_tools cannot be {shown(value)}.", "Use true or false.")


def _by_file(name: str, least: int, most: int) -> Callable[[object], Mapping[str, int]]:
    """A mapping of file names to numbers; in the environment written `SOUL.md=1500,MEMORY.md=8000`."""

    def checked(value: object) -> Mapping[str, int]:
        if isinstance(value, str):
            pairs = (part.partition("=") for part in value.split(",") if part.strip())
            value = {file.strip(): number.strip() for file, _, number in pairs}
        if not isinstance(value, Mapping):
            raise InvalidSetting(f"{name} cannot be {shown(value)}.", "Give a number for each file name.")
        names = {row.name for row in (*FILES, TOPIC)}
        known = {}
        for file, number in value.items():
            whole = _integer(number)
            if file not in names or whole is None or not least <= whole <= most:
                raise InvalidSetting(
                    f"{name} cannot hold {shown(file)} = {shown(number)}.",
                    f"Use whole numbers from {least} to {most:,} for {', '.join(sorted(names))}.",
                )
            known[file] = whole
        return MappingProxyType(dict(sorted(known.items())))

    return checked


TABLE: tuple[Setting, ...] = (
    Setting("strategy", "which files are in the prompt, and which are read by tool"),
    Setting("language", "of the prompt hint and the instructions", ("en", "ru")),
    Setting("timezone", "of the scope and the user, an IANA name", checked=_zone),
    Setting("limits", "characters a file may have, where it differs from the catalogue", checked=_by_file("limits", 1, MAX_CHARS)),
    Setting("ttl", "days until an unconfirmed file is stale, 0 for never", checked=_by_file("ttl", 0, MAX_DAYS)),
    Setting("dreaming", "when consolidation runs", ("inline", "each-session", "batch", "distil", "synthesis")),
    Setting("review", "who approves what a dream proposes", ("manual", "safe", "auto")),
    Setting("shared_writes", "what becomes of an agent's write to a file all its users share", ("direct", "review", "off")),
    Setting("tree_edits", "what becomes of an edit in the working tree", ("accept", "review")),
    Setting("idle_minutes", "after which a session has ended", checked=_between("idle_minutes", 60 * 24 * 365)),
    Setting("session_writes", "how many memory writes by tool a session may make", checked=_between("session_writes", 1_000_000)),
    Setting("generated_tools", "whether tool descriptions are generated into the prompt", checked=_yes_or_no),
)  # fmt: skip
