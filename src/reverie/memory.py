"""Memory: what a user of the library holds. A store has agents, an agent has users; both have the same verbs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reverie.errors import NotAllowed, NotFound
from reverie.files import Document, FileInfo
from reverie.markdown.blame import blame, unified
from reverie.markdown.passages import replace_passage
from reverie.markdown.sections import appended
from reverie.ports import Clock
from reverie.records import Record
from reverie.scopes import Scope, checked_id
from reverie.settings import AgentSettings, Explained, Settings
from reverie.times import zoned
from reverie.versions import SETTINGS_FILE, BlameLine, Origin, PendingEdit, Version, Writer
from reverie.wiring import Store, open_store

if TYPE_CHECKING:
    from reverie.checkpoints import Checkpoint
    from reverie.compare import StrategyCost
    from reverie.context import Context
    from reverie.damage import Report
    from reverie.toolsets import ToolSet
    from reverie.transfers import ExportReport, ImportReport


class Memory:
    """An open store of one project. A context manager; opening starts no thread."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    @classmethod
    def open(
        cls,
        url: str | os.PathLike[str],
        *,
        project: str = "default",
        settings: Settings | Mapping[str, object] | None = None,
        clock: Clock | None = None,
        token: str | None = None,
    ) -> Memory:
        """Open a store: a folder, or `postgresql://…`. A folder that is not there is made.

        `settings` given here win over everything else. `token` is for stores behind HTTP and unused otherwise. Raises
        StoreReadOnly, StoreDamaged, SchemaTooNew, MissingExtra, InvalidSetting.
        """
        return cls(open_store(url, settings=settings, clock=clock), checked_id("project", project))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database; closing twice is harmless."""
        self._store.close()

    def agents(self) -> list[str]:
        """The ids of the agents that have anything stored."""
        return sorted({scope.agent for scope in self._store.versions.scopes(project=self._project)})

    def agent(self, id: str) -> Agent:
        """An agent's memory; nothing is stored by asking for it."""
        return Agent(self._store, Scope(self._project, checked_id("agent", id)))

    def verify(self, *, against: Checkpoint | None = None) -> Report:
        """Derive every hash again and compare ledger, counters and working tree; changes nothing.

        `against` finds, too, what was cut off or computed anew since that checkpoint was made.
        """
        from reverie.verify import verify

        return verify(self._store, project=self._project, against=against)

    def checkpoint(self) -> Checkpoint:
        """Where every journal stands now, to be kept where the store cannot change it."""
        from reverie.verify import checkpoint

        return checkpoint(self._store, project=self._project)

    def backup(self, path: str | Path) -> None:
        """Copy the live store, all its projects, to one new consistent file. NotAllowed when something is there."""
        from reverie.backups import backup

        self._store.database.check_open()
        backup(self._store, Path(path))

    def export(
        self, path: str | Path, *, agent: str | None = None, user: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> ExportReport:  # fmt: skip
        """Write everything, or one agent with its users, or one user, to a new folder.

        `progress` is called with the number of rows written so far.
        Raises NotAllowed when something is there, NotFound when nothing is stored about them, StoreDamaged when anything of
        it does not match its hash; then nothing is written.
        """
        from reverie.exporting import export, selected

        return export(
            self._store, Path(path), selected(self._project, agent, user), progress=progress or _unheard
        )

    def import_(
        self, format: str, path: str | Path, *, agent: str | None = None, user: str | None = None,
        about_from: Sequence[str] = (), progress: Callable[[int], None] | None = None,
    ) -> ImportReport:  # fmt: skip
        """Bring memory in from a file or folder of a known format; a repeat adds nothing.

        `about_from` names files of an OpenClaw workspace that become sections of ABOUT.md; `progress` is called with
        the number of items dealt with so far. Raises NotFound for a format
        or a path that is not there; what cannot be taken of it is in the report.
        """
        from reverie.importers import ImportJob, importer

        job = ImportJob(
            self._store, self._project, Path(path), agent, user, tuple(about_from), progress or _unheard
        )
        return importer(format).run(job)

    @property
    def store(self) -> Store:
        """The parts behind this object, for surfaces that need more than verbs."""
        return self._store


class ScopeMemory:
    """The verbs that an agent and a user have alike. A user reads its agent's files too, and writes only its own."""

    def __init__(self, store: Store, scope: Scope, writer: Writer | None = None) -> None:
        self._store = store
        self._scope = scope
        self._writer = writer or Writer()

    @property
    def scope(self) -> Scope:
        """Whose memory this is."""
        return self._scope

    @property
    def settings(self) -> AgentSettings:
        """The agent's settings as they are now."""
        return self._store.views.settings_of(self._scope)

    def explain_settings(self) -> list[Explained]:
        """Each setting with its value and the layer that it comes from."""
        return self._store.settings.explain(self._store.views.configured(self._scope))

    def acting(self, *, actor: str = "", session: str | None = None, reason: str | None = None) -> Self:
        """The same memory, with what its versions say about who writes and why."""
        return type(self)(self._store, self._scope, Writer("editor", actor, session, reason))

    def files(self) -> list[FileInfo]:
        """The files that exist and that this scope can see, topics too."""
        return self._store.files.present(self._scope)

    def read(
        self, file: str, *, version: int | None = None, as_of: datetime | None = None
    ) -> Document | None:
        """A file as it is, was at a version or at a time; None when it is absent.

        Raises InvalidName, ScopeRequired, NotFound for a version that never was, StoreDamaged.
        """
        if version is not None:
            return self._store.files.read_version(self._scope, file, version)
        if as_of is not None:
            return self._store.files.read_as_of(self._scope, file, zoned(as_of, "as_of"))
        return self._store.files.read(self._scope, file)

    def write(
        self, file: str, text: str, *, version: int | None = None, removal_meant: bool = False, origin: Origin = "editor"
    ) -> Version | PendingEdit:  # fmt: skip
        """Replace a whole file. `version` None is unconditional, N is compare-and-set, 0 means it must be absent.

        Blank text removes the file, with `removal_meant`. Secrets are masked, and `Version.notices` says so. A
        PendingEdit comes back when the agent's policy holds the write for review. Raises OverLimit, ShrinkRefused,
        StaleVersion, InvalidText, InvalidName, NotAllowed, ScopeRequired, StoreFull, StoreReadOnly, StoreBusy.
        """
        return self._store.files.write(
            self._scope, file, text, version=version, removal_meant=removal_meant, writer=self._as(origin)
        )

    def append(self, file: str, text: str, *, heading: str | None = None, origin: Origin = "editor") -> Version | PendingEdit:  # fmt: skip
        """Add an entry at the end of the file, or of the heading's section; a missing heading is made."""
        return self._store.files.change(
            self._scope, file, lambda current: appended(current, text, heading), writer=self._as(origin)
        )

    def edit(
        self, file: str, old_text: str, new_text: str, *, origin: Origin = "editor"
    ) -> Version | PendingEdit:
        """Replace one passage that occurs exactly once; PassageNotFound and PassageAmbiguous change nothing."""

        def replaced(current: str | None) -> str:
            if current is None:
                raise NotFound(f"{file} is absent; there is nothing to edit.", "Write it, or append to it.")
            return replace_passage(current, old_text, new_text)

        return self._store.files.change(self._scope, file, replaced, writer=self._as(origin))

    def delete(
        self, file: str, *, version: int | None = None, origin: Origin = "editor"
    ) -> Version | PendingEdit:
        """Remove a file, as a new version; its history stays. NotFound if it is absent."""
        return self._store.files.delete(self._scope, file, version=version, writer=self._as(origin))

    def restore(self, file: str, version: int) -> Version:
        """Make an earlier version the newest, as a new version."""
        made = self._store.files.restore(self._scope, file, version, writer=self._as("editor"))
        assert isinstance(made, Version), "a person's write is not held back"
        return made

    def copy(self, file: str, *, to: ScopeMemory) -> Version:
        """Copy a file into another scope, by a person; the copy's history says where it is from.

        Raises NotFound if the file is absent and NotAllowed if it would be copied onto itself.
        """
        document = self.read(file)
        if document is None:
            raise NotFound(f"{file} is absent; there is nothing to copy.", "See `reverie files`.")
        if to.scope == self._scope:
            raise NotAllowed(f"{file} cannot be copied onto itself.", "Name another agent or user to copy it to.")
        reason = f"copied from {self._scope}, version {document.version}"
        made = self._store.files.write(
            to.scope,
            file,
            document.text,
            removal_meant=True,
            writer=Writer("editor", self._writer.actor, None, reason),
        )
        assert isinstance(made, Version), "a person's write is not held back"
        return made

    def history(self, file: str) -> list[Version]:
        """Every version of a file, oldest first; a removal has no text, nor has a damaged one, which is marked."""
        return self._store.files.history(self._scope, file)

    def diff(self, file: str, a: int, b: int) -> str:
        """A unified diff from version a to version b; 0 is the absent file."""
        texts = [self._store.files.text_at(self._scope, file, number) for number in (a, b)]
        return unified(*texts, from_name=f"{file} (version {a})", to_name=f"{file} (version {b})")

    def blame(self, file: str) -> list[BlameLine]:
        """For each line of the file as it is: the version that put it there, who, when and why."""
        return list(blame(self.history(file)))

    def edits(self) -> list[PendingEdit]:
        """Changes held back until a person decides, oldest first; damaged ones are marked and have no text."""
        return self._store.held.waiting(self._scope)

    def accept_edit(self, id: str, *, by: str = "", text: str | None = None) -> Version:
        """Make a held-back change a version; `text` resolves one that does not merge.

        Raises NotFound, NotAllowed, and StoreDamaged for one that is not what was held back.
        """
        return self._store.held.accept(
            self._scope, id, by=by or self._writer.actor or self._store.person, text=text
        )

    def discard_edit(self, id: str, *, by: str = "") -> PendingEdit:
        """Drop a held-back change, damaged or not; the journal says who did. NotFound if it does not wait."""
        return self._store.held.discard(
            self._scope, id, by=by or self._writer.actor or self._store.person, reason=self._writer.reason
        )

    def journal(self, *, session: str | None = None, day: date | None = None, after: int = 0, limit: int = 500) -> list[Record]:  # fmt: skip
        """Records after a sequence number, oldest first; `day` is one of the scope's time zone."""
        zoned = (day, self.settings.zone) if day else None
        return self._store.book.read(self._scope, session=session, day=zoned, after=after, limit=limit)

    def context(
        self, *, tools: Sequence[ToolSet] = (), strategy: str | None = None, language: str | None = None,
        proposal: str | None = None,
    ) -> Context:  # fmt: skip
        """The agent's prompt for this scope: system prompt, sections, tools, warnings, fingerprint, cache points.

        None takes the agent's setting. Writes nothing, except that an editor's change in the working tree is taken.
        `proposal` previews a dream's proposal; NotFound for one that is not there.
        """
        if proposal is not None:
            raise NotFound(f"There is no proposal {proposal!r}.", "Leave it out to see memory as it is.")
        return self._store.prompting.context(self._scope, tools=tools, strategy=strategy, language=language)

    def compare(
        self, *, tools: Sequence[ToolSet] = (), price_per_million: float | None = None
    ) -> list[StrategyCost]:
        """What each strategy would cost for this scope, in tokens and at a price per million of them."""
        return self._store.prompting.compare(self._scope, tools=tools, price_per_million=price_per_million)

    def _as(self, origin: Origin) -> Writer:
        return Writer(origin, self._writer.actor, self._writer.session, self._writer.reason)


class Agent(ScopeMemory):
    """What an agent is and knows for all its users: SOUL, ABOUT, TOOLS and its settings."""

    def users(self) -> list[str]:
        """The ids of the users that this agent has anything stored about."""
        scopes = self._store.versions.scopes(project=self._scope.project)
        return sorted(scope.user for scope in scopes if scope.agent == self._scope.agent and scope.is_user)

    def user(self, id: str) -> User:
        """What this agent knows about one user; nothing is stored by asking for it."""
        return User(self._store, Scope(self._scope.project, self._scope.agent, checked_id("user", id)))

    def configure(self, **changes: object) -> AgentSettings:
        """Change the agent's settings, as a new version of them; None takes one back to its default.

        Raises InvalidSetting or InvalidTime, and changes nothing then.
        """
        self._store.views.configure(self._scope, changes, self._as("editor"))
        return self.settings

    def settings_history(self) -> list[Version]:
        """Every state of the agent's settings, oldest first, as JSON."""
        return list(self._store.versions.history(scope=self._scope, file=SETTINGS_FILE))


class User(ScopeMemory):
    """What an agent knows about one user: USER, MEMORY, topics and the journal."""


def _unheard(done: int) -> None:
    """Progress that nobody follows."""
