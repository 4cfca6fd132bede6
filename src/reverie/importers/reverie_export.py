"""An export of this program: every row comes back as it was, so hashes, versions and journals are equal."""

from __future__ import annotations

from reverie.exporting import ROWS
from reverie.importers import ImportJob
from reverie.outside import disk_error
from reverie.transfers import ImportReport, Selection


def run(job: ImportJob) -> ImportReport:
    """Take an export folder, or the file with its rows, into scopes that are empty here.

    `added` and `skipped` count scopes. A scope keeps its name, because its chain is computed over it: an agent or a
    user that is named selects, and does not rename.
    """
    path = job.path / ROWS if job.path.is_dir() else job.path
    selection = Selection(job.project, job.agent, job.user)
    try:
        with path.open("rb") as file:
            moved = job.store.transfer().load(file, selection, progress=job.progress)
    except OSError as error:
        raise disk_error(error, path) from error
    _write_out(job, selection)
    return ImportReport("reverie", moved.scopes, moved.skipped)


def _write_out(job: ImportJob, selection: Selection) -> None:
    for scope in job.store.versions.scopes(project=job.project):
        if selection.takes(scope):
            job.store.views.settle(scope)
