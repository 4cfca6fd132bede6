"""The editor: a file opened in $VISUAL or $EDITOR and written back only if nobody else wrote meanwhile.

The text is edited in a file of its own, outside the working tree. That file is removed when its text is stored or was
not changed; otherwise it stays, and the error names it.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from reverie import settings
from reverie.cli.input import decoded
from reverie.errors import ReverieError

if TYPE_CHECKING:
    from reverie.memory import ScopeMemory
    from reverie.versions import PendingEdit, Version


class EditorFailed(ReverieError):
    """The editor could not be started, or ended with a failure; nothing was written."""


def edit_whole(scope: ScopeMemory, file: str, *, removal_meant: bool) -> Version | PendingEdit | None:
    """What came of editing a file, None if the text was left as it was.

    Raises EditorFailed, and all that a write raises; then the error's remedy says where the edited text is kept.
    """
    document = scope.read(file)
    before = document.text if document else ""
    version = document.version if document else 0
    folder = Path(tempfile.mkdtemp(prefix="reverie-edit-"))
    path = folder / file.rpartition("/")[2]
    path.write_bytes(before.encode())
    made = None
    try:
        _run(path)
        after = decoded(path.read_bytes(), path.name)
        if after != before:
            made = scope.write(file, after, version=version, removal_meant=removal_meant)
    except ReverieError as error:
        if path.exists() and path.read_bytes() != before.encode():
            error.remedy = f"{error.remedy} Your text is kept in {path}.".strip()
            raise
        shutil.rmtree(folder)
        raise
    shutil.rmtree(folder)
    return made


def _run(path: Path) -> None:
    command = settings.environment_editor()
    try:
        status = subprocess.run([*shlex.split(command), str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        raise EditorFailed(f"The editor {command!r} cannot be started: {error}.", "Set VISUAL or EDITOR.") from error
    if status != 0:
        raise EditorFailed(f"The editor ended with {status}; nothing was written.", "Edit again to try once more.")
    if not path.exists():
        raise EditorFailed("The editor removed the file; nothing was written.", "To remove a file, use `reverie delete`.")
