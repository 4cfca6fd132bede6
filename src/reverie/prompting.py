"""Prompting: a scope's files and settings put together into the context that a model gets.

What is already loaded and unchanged is not put together again: the whole request is the key, so a context can never be
older than the files it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from reverie.catalogue import FILES
from reverie.cautions import damaged, over_limit, stale
from reverie.compare import StrategyCost, compare
from reverie.context import Context, Loaded, Request, assemble
from reverie.errors import StoreDamaged
from reverie.notices import Notice
from reverie.ports import Clock
from reverie.scopes import Scope
from reverie.settings import Settings
from reverie.strategies import Strategy, available, strategy
from reverie.toolsets import ToolSet
from reverie.view import View, Views, is_stale, owner

CACHED_CONTEXTS = 256


class Prompting:
    """Contexts and their comparison, over views."""

    def __init__(self, views: Views, settings: Settings, clock: Clock) -> None:
        self._views = views
        self._settings = settings
        self._clock = clock
        self._assemble = lru_cache(maxsize=CACHED_CONTEXTS)(assemble)

    def context(
        self, scope: Scope, *, tools: Sequence[ToolSet] = (), strategy: str | None = None, language: str | None = None
    ) -> Context:  # fmt: skip
        """The context of a scope now; writes nothing, except that the view takes an editor's change."""
        view = self._views.of(scope)
        chosen = self.strategy(strategy or view.settings.strategy)
        return self._assemble(self._request(view, chosen, tuple(tools), language))

    def compare(
        self, scope: Scope, *, tools: Sequence[ToolSet] = (), price_per_million: float | None = None
    ) -> list[StrategyCost]:
        """What every strategy costs for this scope as it is now."""
        view = self._views.of(scope)
        every = Strategy("every file", tuple(row.name for row in FILES))
        request = self._request(view, every, tuple(tools), None)
        strategies = tuple(available(self._settings.strategies).values())
        return compare(request, strategies=strategies, price_per_million=price_per_million)

    def strategy(self, name: str) -> Strategy:
        """A strategy by name; InvalidSetting for one that is not there."""
        return strategy(name, self._settings.strategies)

    def _request(
        self, view: View, chosen: Strategy, tools: tuple[ToolSet, ...], language: str | None
    ) -> Request:
        loaded: list[Loaded] = []
        left_out: list[Notice] = []
        for row in FILES:
            if row.name in chosen.injected and _sees(view, row.level):
                try:
                    loaded.append(self._loaded(view, row.name))
                except StoreDamaged:
                    head = view.head(row.name)
                    left_out += damaged(row.name, head.number if head else 0)
        elsewhere = tuple(self._about(view, set(chosen.injected)))
        return Request(
            files=tuple(loaded), strategy=chosen, language=language or view.settings.language, tools=tools,
            user=view.scope.is_user, generated_tools=view.settings.generated_tools, notices=(*left_out, *elsewhere, *view.notices),
        )  # fmt: skip

    def _loaded(self, view: View, file: str) -> Loaded:
        head = view.head(file)
        if head is None:
            return Loaded(file, None, 0)
        old = is_stale(view.settings, file, head.modified, self._clock.now())
        text = self._views.text(owner(view.scope, file), head)
        return Loaded(file, text, head.number, view.settings.limit(file), old)

    def _about(self, view: View, injected: set[str]) -> list[Notice]:
        """What there is to say of the files that are read on demand."""
        notices: list[Notice] = []
        for file in view.files():
            head = view.head(file)
            if file in injected or head is None:
                continue
            notices += over_limit(file, head.chars or 0, view.settings.limit(file))
            if is_stale(view.settings, file, head.modified, self._clock.now()):
                notices += stale(file)
        return notices


def _sees(view: View, level: str) -> bool:
    return level == "agent" or view.scope.is_user
