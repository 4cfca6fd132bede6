"""Strategies: which files are injected into every prompt, as data.

The four that come with Reverie are named by layers of the catalogue, so a new memory file takes its place in them by
its row there. A project adds its own by a row with file names, layers, or both:

    [strategies.personal]
    files = ["SOUL.md", "USER.md"]
    hint = true
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reverie.catalogue import FILES, MemoryFile, memory_file, position
from reverie.errors import InvalidName, InvalidSetting

NO_OWN: Final[Mapping[str, Strategy]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to put a context together.

    `injected` are file names in the catalogue's order; the other files are read by tool, if there are `memory_tools`.
    `hint` says whether the prompt tells the model about them. `nearest` is a known system that works alike.
    """

    name: str
    injected: tuple[str, ...]
    hint: bool = True
    memory_tools: bool = True
    nearest: str = ""

    @property
    def on_demand(self) -> tuple[str, ...]:
        """The catalogue's files that are not injected and that a model can read by tool."""
        return tuple(row.name for row in FILES if row.name not in self.injected) if self.memory_tools else ()


def from_layers(
    name: str,
    layers: Sequence[int],
    *,
    nearest: str = "",
    tools: bool = True,
    catalogue: Sequence[MemoryFile] = FILES,
) -> Strategy:
    """The strategy that injects every file of these layers; with or without memory tools and the hint on them."""
    injected = tuple(row.name for row in catalogue if row.layer in layers)
    return Strategy(name, injected, hint=tools, memory_tools=tools, nearest=nearest)


ALL_LAYERS = tuple(sorted({row.layer for row in FILES}))

STRATEGIES: tuple[Strategy, ...] = (
    from_layers("full", ALL_LAYERS, tools=False, nearest="OpenClaw with every file in the prompt"),
    from_layers("on-demand", (), nearest="a bare memory tool"),
    from_layers("hybrid-v1", (0, 1), nearest="MemPalace (L0 and L1 at boot, L2 and L3 by tool)"),
    from_layers("hybrid-v2", (0,), nearest="OpenClaw with memory_search, Codex"),
)

DEFAULT_STRATEGY = "hybrid-v2"


def strategy(name: str, custom: Mapping[str, Strategy] = NO_OWN) -> Strategy:
    """The strategy of this name, a project's own before the four; InvalidSetting, with the nearest name, if none is.

    Raises InvalidName when a project's own injects a file that the catalogue does not have.
    """
    found = available(custom).get(name)
    if found is not None:
        for file in found.injected if name in custom else ():
            injectable(file, name)
        return found
    names = list(available(custom))
    close = difflib.get_close_matches(name, names, 1)
    remedy = f"Did you mean {close[0]}?" if close else f"Use one of {', '.join(names)}."
    raise InvalidSetting(f"There is no strategy {name!r}.", remedy)


def available(custom: Mapping[str, Strategy] = NO_OWN) -> Mapping[str, Strategy]:
    """Every strategy by name: the four in their order, then a project's own, by name."""
    own = {name: custom[name] for name in sorted(custom)}
    return {row.name: row for row in STRATEGIES} | own


def custom_strategies(rows: object) -> Mapping[str, Strategy]:
    """A project's own strategies, from a mapping of names to rows as `reverie.toml` has them.

    A row may have `files` (names), `layers` (numbers), `hint`, `memory_tools` (both true if not given) and `nearest`.
    Raises InvalidName for a file that cannot be injected and InvalidSetting for anything else that is wrong.
    """
    if not isinstance(rows, Mapping):
        raise InvalidSetting(f"strategies cannot be {rows!r}.", "Write a table [strategies.<name>] for each.")
    return MappingProxyType({str(name): _custom(str(name), row) for name, row in rows.items()})


def _custom(name: str, row: object) -> Strategy:
    if not isinstance(row, Mapping):
        raise InvalidSetting(f"Strategy {name!r} cannot be {row!r}.", "Write a table with files or layers.")
    unknown = sorted(set(row) - {"files", "layers", "hint", "memory_tools", "nearest"})
    if unknown:
        raise InvalidSetting(
            f"Strategy {name!r} has no setting {unknown[0]!r}.",
            "Use files, layers, hint, memory_tools or nearest.",
        )
    files = {injectable(file, name) for file in _list(name, "files", row.get("files", ()))}
    layers = _list(name, "layers", row.get("layers", ()))
    if wrong := [layer for layer in layers if layer not in ALL_LAYERS]:
        raise InvalidSetting(
            f"Strategy {name!r} names the layer {wrong[0]!r}.", f"Use some of {list(ALL_LAYERS)}."
        )
    files |= {known.name for known in FILES if known.layer in layers}
    tools = _switch(name, "memory_tools", row.get("memory_tools", True))
    hint = _switch(name, "hint", row.get("hint", tools))
    if hint and not tools:
        raise InvalidSetting(
            f"Strategy {name!r} hints at memory tools that it does not give.", "Set hint to false."
        )
    return Strategy(name, tuple(sorted(files, key=position)), hint, tools, str(row.get("nearest", "")))


def injectable(file: object, strategy: str) -> str:
    """The name of a file that a strategy may inject; InvalidName for an unknown one and for topics."""
    if memory_file(file).heading == "":
        raise InvalidName(
            f"Strategy {strategy!r} cannot inject {file}: topics are read on demand.",
            f"Use {', '.join(row.name for row in FILES)}.",
        )
    return str(file)


def _list(name: str, key: str, value: object) -> Sequence[object]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise InvalidSetting(f"{key} of strategy {name!r} cannot be {value!r}.", "Write a list.")


def _switch(name: str, key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InvalidSetting(f"{key} of strategy {name!r} cannot be {value!r}.", "Write true or false.")
