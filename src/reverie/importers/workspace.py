"""A workspace: a folder of Markdown files from outside, read so that nothing in it leads elsewhere.

Links, pipes, folders in the place of files and whatever is not UTF-8 text are reported by name and left; the rest goes
on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reverie.errors import NotFound
from reverie.importers.intake import Intake
from reverie.outside import disk_error
from reverie.wiring import Folder, Found, open_folder

SUFFIX = ".md"


def opened(path: Path) -> Folder:
    """The folder at a path; NotFound when there is none."""
    try:
        return open_folder(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"{path} is not a folder.", "Name the folder that holds the files.") from error
    except OSError as error:
        raise disk_error(error, path) from error


def text_at(folder: Folder, name: str, intake: Intake) -> str | None:
    """The text of a file, exactly; None when it cannot be used, which is reported."""
    shown = "/".join((*folder.path, name))
    found = folder.read(name)
    if not isinstance(found, Found):
        intake.refuse(shown, getattr(found, "reason", "it is gone"))
        return None
    try:
        return found.content.decode()
    except UnicodeDecodeError:
        intake.refuse(shown, "it is not UTF-8 text")
        return None


def below(folder: Folder, name: str, intake: Intake) -> Folder | None:
    """The folder below a folder; None when there is none, and a report when it is something else."""
    if name not in folder.names():
        return None
    found = folder.walk((name,))
    if isinstance(found, Folder):
        return found
    intake.refuse("/".join((*folder.path, name)), getattr(found, "reason", "it is gone"))
    return None


def others(folder: Folder, taken: Sequence[str], intake: Intake) -> None:
    """Say what else is in the folder and was not looked at."""
    rest = [name for name in folder.names() if name not in taken and not name.endswith(SUFFIX)]
    if rest:
        more = f" and {len(rest) - 10} more" if len(rest) > 10 else ""
        intake.note(f"Not looked at: {', '.join(rest[:10])}{more}.".encode(errors="replace").decode())
