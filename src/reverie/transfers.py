"""Values of moving a store: what is taken, how much it was, and what an import had to say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from reverie.scopes import Scope


@dataclass(frozen=True, slots=True)
class Selection:
    """Which scopes: all (None each), one project, one agent with its users, or one user of an agent."""

    project: str | None = None
    agent: str | None = None
    user: str | None = None

    def takes(self, scope: Scope) -> bool:
        """Whether a scope is meant."""
        wanted = ((self.project, scope.project), (self.agent, scope.agent), (self.user, scope.user))
        return all(part is None or part == found for part, found in wanted)

    def as_dict(self) -> dict[str, str | None]:
        """The parts by name."""
        return {"project": self.project, "agent": self.agent, "user": self.user}

    def __str__(self) -> str:
        named = [f"{name} {part!r}" for name, part in self.as_dict().items() if part is not None]
        return ", ".join(named) or "any scope"


@dataclass(frozen=True, slots=True)
class Moved:
    """How much was written or read; `skipped` counts scopes that were there already."""

    scopes: int = 0
    rows: int = 0
    skipped: int = 0

    def plus(self, *, scopes: int = 0, rows: int = 0, skipped: int = 0) -> Moved:
        """The sum."""
        return replace(
            self, scopes=self.scopes + scopes, rows=self.rows + rows, skipped=self.skipped + skipped
        )


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where; `sha256` is that of the file with all rows."""

    path: str
    scopes: int
    rows: int
    files: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did: texts and records added, and skipped because they were there already.

    `errors` name what could not be taken (a line number or a file, and why), `notes` what was taken but should be
    known: over a limit, a secret masked. `batch` is the id under which it can be found, None when nothing was added.
    """

    format: str
    added: int
    skipped: int
    errors: list[tuple[int | str, str]] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    batch: str | None = None
