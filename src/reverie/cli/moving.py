"""Moving: checking a store, and taking what it holds out of it and into it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reverie.cli import completion, output
from reverie.cli.exits import PROBLEMS
from reverie.cli.place import Place

NewFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file that is not there yet.", show_default=False)
]


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

    with place.open() as memory:
        earlier = None
        if against is not None:
            try:
                earlier = read_checkpoint(against)
            except OSError as error:
                raise disk_error(error, against) from error
        report = memory.verify(against=earlier)
        if checkpoint is not None and report.ok:
            try:
                memory.checkpoint().write(checkpoint)
            except OSError as error:
                raise disk_error(error, checkpoint) from error
    if place.json:
        output.document(report)
    else:
        if report.problems:
            output.table(
                ["problem", "where", "what"], [list(map(str, problem)) for problem in report.problems]
            )
            for repair in {
                damage.repair: None for damage in DAMAGES if damage.code in {p.code for p in report.problems}
            }:
                output.note(f"  {repair}")
            if checkpoint is not None:
                output.note("No checkpoint was written, because there are problems.")
        output.line("Nothing is wrong." if report.ok else f"{len(report.problems)} problems.")
    if not report.ok:
        raise typer.Exit(PROBLEMS)


def import_(
    place: Place,
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="What it is: see below.", autocompletion=completion.format_names
        ),
    ],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file or folder to take it from.")],
    about_from: Annotated[
        list[str] | None,
        typer.Option(
            "--about-from", metavar="NAME", help="A file of the workspace that becomes a section of ABOUT.md."
        ),
    ] = None,
    identity_to_about: Annotated[
        bool, typer.Option("--identity-to-about", help="The same as --about-from IDENTITY.md.")
    ] = False,
) -> None:
    """Bring memory in from a file or folder.

    Formats: reverie, an export with all its history; folder, Markdown files in the names of this program; openclaw, a
    workspace with its daily notes. A repeat adds nothing. A file over its limit is taken and reported, never cut.
    Ends with exit code 5 when nothing of it could be taken.
    """
    wanted = [*(about_from or ()), *(["IDENTITY.md"] if identity_to_about else [])]
    with place.open(make=True) as memory, output.counting("items read") as progress:
        report = memory.import_(
            format,
            path,
            agent=place.named("agent"),
            user=place.named("user"),
            about_from=wanted,
            progress=progress,
        )
    if place.json:
        output.document(report)
    else:
        output.line(f"{report.added} added, {report.skipped} already there.")
        if report.errors:
            output.table(["not taken", "why"], [[str(name), why] for name, why in report.errors])
        for text in report.notes:
            output.note(f"note: {text}")
    if report.errors and not report.added and not report.skipped:
        raise typer.Exit(PROBLEMS)


def export(
    place: Place,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A folder that is not there yet.")],
) -> None:
    """Write everything out, with all its history.

    Of the whole project; with --agent of that agent and its users, with --user of that user alone. The folder holds
    the files as people know them and every row beside them; `reverie import reverie` brings it back.
    """
    with place.open() as memory, output.counting("rows written") as progress:
        report = memory.export(path, agent=place.named("agent"), user=place.named("user"), progress=progress)
    if place.json:
        output.document(report)
        return
    output.line(f"{report.path}: {report.files} files and {report.rows} rows of {report.scopes} scopes.")
    output.line(f"sha256 of the rows: {report.sha256}")


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


def restore_backup(
    place: Place,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `reverie backup` wrote.", show_default=False)
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="The store that is there is moved aside; nothing of it is deleted."),
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
