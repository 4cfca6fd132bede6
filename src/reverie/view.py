"""A view: what a scope can see of its files at one moment, after ledger and working tree were brought together.

Every verb on files begins here: the newest versions of the scope and of its agent are read in one round trip, the
working tree is compared with them, and an editor's change is taken before anybody reads or writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from reverie import catalogue
from reverie.cautions import old_settings
from reverie.errors import (
    InvalidText,
    NotAllowed,
    ScopeRequired,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
)
from reverie.notices import Notice
from reverie.ports import Change, Versions, WorkingTree
from reverie.scopes import Scope, checked_id
from reverie.secrets import mask
from reverie.settings import AgentSettings, Settings, configured, stored
from reverie.validity import checked_text
from reverie.versions import ORIGINS, SETTINGS_FILE, Head, Version, Writer

CACHED_TEXTS = 2048
"""How many file versions' texts a store keeps in memory; a text never changes, so none can be out of date."""


@dataclass(frozen=True, slots=True)
class View:
    """The heads that a scope can see, its agent's settings, and what there is to say about the working tree."""

    scope: Scope
    heads: Mapping[tuple[Scope, str], Head]
    settings: AgentSettings
    notices: tuple[Notice, ...]

    def head(self, file: str) -> Head | None:
        """The newest version of a file that is not absent; None for an absent one."""
        head = self.heads.get((owner(self.scope, file), file))
        return None if head is None or head.absent else head

    def files(self) -> list[str]:
        """The names of the files that exist, in the catalogue's order; the agent's and then the user's."""
        names = {file for (_, file), head in self.heads.items() if not head.absent and file != SETTINGS_FILE}
        return sorted(names, key=catalogue.position)


def owner(scope: Scope, file: str) -> Scope:
    """The scope that a file belongs to, seen from this one; ScopeRequired when only a user could have it."""
    if catalogue.memory_file(file).level == "agent":
        return scope.of_agent
    if not scope.is_user:
        raise ScopeRequired(
            f"{file} belongs to an agent and a user, and no user was named.", "Name the user."
        )
    return scope


def writable(scope: Scope, file: str) -> Scope:
    """The scope to write a file in; NotAllowed for a user's scope and a file of its agent."""
    whose = owner(scope, file)
    if whose != scope:
        raise NotAllowed(
            f"{file} belongs to the agent and is shared by all its users.",
            "Write it through the agent, not the user.",
        )
    return whose


def judged_writer(writer: Writer) -> Writer:
    """A writer whose every word can be stored, secrets in the reason masked; InvalidText or InvalidId otherwise."""
    if writer.origin not in ORIGINS:
        raise InvalidText(f"{writer.origin!r} is not an origin.", f"Use one of {', '.join(ORIGINS)}.")
    if writer.session is not None:
        checked_id("session", writer.session)
    checked_text(writer.actor, "the actor")
    reason = None if writer.reason is None else mask(checked_text(writer.reason, "the reason")).text
    return replace(writer, reason=reason)


def is_stale(settings: AgentSettings, file: str, modified: datetime, now: datetime) -> bool:
    """Whether a file was not confirmed for longer than its time to live."""
    days = settings.ttl_days(file)
    return days is not None and now - modified > timedelta(days=days)


class Views:
    """Makes views: the ledger read once, the working tree settled, texts kept."""

    def __init__(self, versions: Versions, tree: WorkingTree, settings: Settings) -> None:
        self._versions = versions
        self._tree = tree
        self._settings = settings
        self._cached = lru_cache(maxsize=CACHED_TEXTS)(self._load)
        self._agent_settings = lru_cache(maxsize=CACHED_TEXTS)(self._resolve)

    def of(self, scope: Scope) -> View:
        """The view of a scope now."""
        scopes = (scope, scope.of_agent) if scope.is_user else (scope,)
        heads = self._versions.heads(scopes=scopes)
        notices: list[Notice] = []
        moved = False
        for one in scopes:
            own = {
                file: head for (whose, file), head in heads.items() if whose == one and file != SETTINGS_FILE
            }
            settled = self._tree.settle(scope=one, heads=own)
            notices += settled.notices
            moved = moved or settled.moved
        if moved:
            heads = self._versions.heads(scopes=scopes)
        settings, told = self._settings_in(scope, heads)
        return View(scope, heads, settings, (*notices, *told))

    def settle(self, scope: Scope) -> tuple[Notice, ...]:
        """Bring the working tree of one scope up to date after a write.

        Never raises for a store that does not answer now: the write before it is durable, and whoever made it must not
        be told otherwise. It is told in a notice, and the next view settles.
        """
        try:
            heads = self._versions.heads(scopes=(scope,))
            own = {file: head for (_, file), head in heads.items() if file != SETTINGS_FILE}
            return tuple(self._tree.settle(scope=scope, heads=own).notices)
        except (StoreBusy, StoreDamaged, StoreFull, StoreReadOnly) as error:
            return (Notice("tree_not_written", "", f"The working tree was not brought up to date. {error}"),)

    def written(self, scope: Scope, made: Version) -> Version:
        """A version that was just stored, after the tree was brought up to date; its notices say what kept it from that."""
        told = (notice.message for notice in self.settle(scope) if notice.file in (made.file, ""))
        return replace(made, notices=(*made.notices, *told))

    def settings_of(self, scope: Scope) -> AgentSettings:
        """The settings of a scope's agent, read now."""
        agent = scope.of_agent
        return self._settings_in(agent, self._versions.heads(scopes=(agent,)))[0]

    def configured(self, scope: Scope) -> dict[str, object]:
        """What was configured for a scope's agent, without the other layers."""
        agent = scope.of_agent
        head = self._versions.heads(scopes=(agent,)).get((agent, SETTINGS_FILE))
        return self._own_settings(agent, 0 if head is None else head.number)[0]

    def configure(self, agent: Scope, changes: Mapping[str, object], writer: Writer) -> Version:
        """Change an agent's settings, as a new version of them; InvalidSetting or InvalidTime change nothing.

        If the newest ones are damaged, the last that can be read are changed.
        """
        writer = judged_writer(writer)

        def act(change: Change) -> Version:
            head = change.head(file=SETTINGS_FILE)
            before, _ = self._own_settings(agent, head.number if head else 0)
            text = configured(before, changes, self._settings)
            return change.put(write=writer.write(SETTINGS_FILE, text))

        return self._versions.change(scope=agent, act=act)

    def text(self, scope: Scope, head: Head) -> str | None:
        """The text of a head; StoreDamaged when it does not match its hash."""
        return self._cached(scope, head.file, head.number, head.hash)

    def _settings_in(
        self, scope: Scope, heads: Mapping[tuple[Scope, str], Head]
    ) -> tuple[AgentSettings, tuple[Notice, ...]]:
        """The settings of a scope's agent, from heads that were already read, and what there is to say of them."""
        head = heads.get((scope.of_agent, SETTINGS_FILE))
        return self._agent_settings(scope.of_agent, 0 if head is None else head.number)

    def _resolve(self, agent: Scope, number: int) -> tuple[AgentSettings, tuple[Notice, ...]]:
        own, notices = self._own_settings(agent, number)
        return self._settings.for_agent(own), notices

    def _own_settings(self, agent: Scope, number: int) -> tuple[dict[str, object], tuple[Notice, ...]]:
        """What was configured for an agent; when that is damaged, what the last readable version before it says."""
        if not number:
            return {}, ()
        try:
            return stored(self._cached(agent, SETTINGS_FILE, number)), ()
        except (StoreDamaged, ValueError, TypeError, RecursionError):
            earlier = self._versions.history(scope=agent, file=SETTINGS_FILE)
        for version in reversed([one for one in earlier if one.number < number and not one.damaged]):
            with suppress(ValueError, TypeError, RecursionError):
                return stored(version.text), old_settings(number, version.number)
        return {}, old_settings(number, 0)

    def _load(self, scope: Scope, file: str, number: int, wanted: str = "") -> str | None:
        """A version's text; `wanted` is the hash that the head gives it."""
        version = self._versions.get(scope=scope, file=file, number=number)
        if version is None or wanted not in ("", version.hash):
            raise StoreDamaged(
                f"The newest version of {file} is not the one that its head names.",
                f"Restore a version (`reverie history {file}`) or write the file anew; `reverie verify` tells what else is "
                "damaged.",
            )
        return version.text
