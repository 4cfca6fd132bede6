"""Moving: checking a store, and taking what it holds out of it and into it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from reverie.cli import output
from reverie.cli.exits import PROBLEMS
from reverie.cli.place import Place
from reverie.errors import NotAllowed, NotFound, StoreFull

NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.", show_default=False)]


def verify(
    place: Place,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="Write where every journal stands now to this new file.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="FILE", help="Find what was cut off since this checkpoint was written.")
    ] = None,
) -> None:  # fmt: skip
    """Check that the store is whole.

    Derives every hash again and compares ledger, counters and working tree; changes nothing. Ends with exit code 5 when it found a problem. A checkpoint is worth something only where the store's keeper
    cannot change it.
    """
    from reverie.checkpoints import read_checkpoint
    from reverie.damage import DAMAGES
    from reverie.verify import checkpoint as standing
    from reverie.verify import verify as verified

    with place.open() as memory:
        project = place.named("project") or "default"
        earlier = None
        if against is not None:
            with _named(against):
                earlier = read_checkpoint(against)
        report = verified(memory.store, project=project, against=earlier)
        if checkpoint is not None and report.ok:
            with _named(checkpoint):
                standing(memory.store, project=project).write(checkpoint)
    if place.json:
        output.document(report)
    else:
        if report.problems:
            output.table(["problem", "where", "what"], [list(map(str, problem)) for problem in report.problems])
            for repair in {damage.repair: None for damage in DAMAGES if damage.code in {p.code for p in report.problems}}:
                output.note(f"  {repair}")
            if checkpoint is not None:
                output.note("No checkpoint was written, because there are problems.")
        output.line("Nothing is wrong." if report.ok else f"{len(report.problems)} problems.")
    if not report.ok:
        raise typer.Exit(PROBLEMS)


def backup(place: Place, file: NewFile) -> None:
    """Copy the store into one consistent file.

    Also while others use it.
    """
    with place.open() as memory:
        memory.backup(file)
    if place.json:
        output.document({"file": str(file)})
    else:
        output.line(f"The backup is in {file}. `reverie restore-backup {file} --store NEW` brings it back.")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Say what is wrong with a file that the caller named, instead of a traceback."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path}.", "Check the path.") from error
    except FileExistsError as error:
        raise NotAllowed(f"{path} is there already.", "Name a new file, or remove that one.") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(f"There is no room for {path}.", "Make room, or name a file elsewhere.") from error
        raise NotAllowed(f"{path} cannot be used: {error.strerror}.", "Check the path and its permissions.") from error
