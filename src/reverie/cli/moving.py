"""Moving: checking a store, and taking what it holds out of it and into it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reverie.cli import output
from reverie.cli.exits import PROBLEMS
from reverie.cli.place import Place

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
    from reverie.outside import disk_error
    from reverie.verify import checkpoint as standing
    from reverie.verify import verify as verified

    with place.open() as memory:
        project = place.named("project") or "default"
        earlier = None
        if against is not None:
            try:
                earlier = read_checkpoint(against)
            except OSError as error:
                raise disk_error(error, against) from error
        report = verified(memory.store, project=project, against=earlier)
        if checkpoint is not None and report.ok:
            try:
                standing(memory.store, project=project).write(checkpoint)
            except OSError as error:
                raise disk_error(error, checkpoint) from error
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
    from reverie.backups import backup as written

    with place.open() as memory:
        written(memory.store, file)
    if place.json:
        output.document({"file": str(file)})
    else:
        output.line(f"The backup is in {file}. `reverie restore-backup {file} --store NEW` brings it back.")


def restore_backup(
    place: Place,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `reverie backup` wrote.", show_default=False)],
    replace: Annotated[
        bool, typer.Option("--replace", help="The store that is there is moved aside; nothing of it is deleted.")
    ] = False,
) -> None:
    """Bring a backup back as the store.

    Into an empty folder or database; or in the place of the store that is there, while nobody has it open.
    """
    from reverie.backups import restore_backup as restored

    aside = restored(file, place.url, replace=replace)
    if place.json:
        output.document({"store": place.shown_url, "aside": None if aside is None else str(aside)})
        return
    output.line(f"The store is back: {place.shown_url}")
    if aside is not None:
        output.line(f"What was there before is kept in {aside}.")
