"""Compare-and-set for files: replace or remove one only if it still is what was read.

The new content is on disk under a temporary name before it is put in place. The replaced file comes out under that name
in the same step, so an editor's save in between cannot be overwritten unseen: it is found there, put back, and the
caller is told to look again. The new file keeps the permissions of the one that it replaces. Where the system cannot swap two names, a second name for the old file does the same with
a window of microseconds.
"""

from __future__ import annotations

import os

from reverie.tree import exchange
from reverie.tree.decision import Missing
from reverie.tree.safe import Folder, Found, temporary_name
from reverie.tree.shelf import Shelf


def replace(folder: Folder, name: str, content: bytes, *, expected: bytes | None, shelf: Shelf) -> bool:
    """Put content at a name where `expected` (None: nothing) was read; False when somebody saved in between.

    After True the content and its name are on disk and the replaced file is on the shelf. After False nothing was
    replaced. Raises OSError; a failed sync is a failure and is not tried again.
    """
    if expected is None:
        return _create(folder, name, content)
    with shelf.place_for(folder.path) as place:
        temporary = folder.temporary(content, like=name)
        try:
            out = _swapped(folder, temporary, name, expected)
        except OSError:
            os.unlink(temporary, dir_fd=folder.handle)
            raise
        if out is None:
            os.unlink(temporary, dir_fd=folder.handle)
            return False
        if not _holds(folder, out, expected):
            _put_back(folder, out, name, content, place, shelf)
            return False
        folder.sync()
        shelf.take(folder, out, place, name, expected)
    return True


def remove(folder: Folder, name: str, *, expected: bytes, shelf: Shelf) -> bool:
    """Move a file to the shelf if it still is what was read; False, and the file stays, when somebody saved in between."""
    with shelf.place_for(folder.path) as place:
        out = temporary_name()
        try:
            os.rename(name, out, src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
        except FileNotFoundError:
            return False
        same = _holds(folder, out, expected)
        if not same:
            try:
                _rename_new(folder, out, name)
            except FileExistsError:
                _shelve(folder, out, place, name, shelf)
            return False
        folder.sync()
        shelf.take(folder, out, place, name, expected)
    return True


def _create(folder: Folder, name: str, content: bytes) -> bool:
    temporary = folder.temporary(content)
    try:
        _rename_new(folder, temporary, name)
    except FileExistsError:
        os.unlink(temporary, dir_fd=folder.handle)
        return False
    except OSError:
        os.unlink(temporary, dir_fd=folder.handle)
        raise
    folder.sync()
    return True


def _holds(folder: Folder, name: str, content: bytes) -> bool:
    found = folder.read(name)
    return isinstance(found, Found) and found.content == content


def _swapped(folder: Folder, temporary: str, name: str, expected: bytes) -> str | None:
    """Put the temporary file at the name; the name under which the old file now is, None when it was not replaced."""
    try:
        if exchange.swap(folder.handle, temporary, name):
            return temporary
    except FileNotFoundError:
        return None
    return _renamed_over(folder, temporary, name, expected)


def _renamed_over(folder: Folder, temporary: str, name: str, expected: bytes) -> str | None:
    """The same without a swap: give the old file a second name first, then rename over it if it is still there."""
    out = temporary_name()
    try:
        os.link(name, out, src_dir_fd=folder.handle, dst_dir_fd=folder.handle, follow_symlinks=False)
    except FileNotFoundError:
        return None
    try:
        found = folder.read(name, links=2)
        if not isinstance(found, Found) or found.content != expected:
            os.unlink(out, dir_fd=folder.handle)
            return None
        os.rename(temporary, name, src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
    except OSError:
        os.unlink(out, dir_fd=folder.handle)
        raise
    return out


def _put_back(folder: Folder, out: str, name: str, content: bytes, place: Folder, shelf: Shelf) -> None:
    """Give a name back to the save that came in between; of two such saves the later one keeps the name."""
    if isinstance(folder.read(out), Missing):
        return
    if not exchange.swap(folder.handle, out, name):
        os.rename(out, name, src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
        return
    if _holds(folder, out, content):
        os.unlink(out, dir_fd=folder.handle)
        return
    exchange.swap(folder.handle, out, name)
    _shelve(folder, out, place, name, shelf)


def _shelve(folder: Folder, out: str, place: Folder, name: str, shelf: Shelf) -> None:
    """Keep an editor's save that a later save has overtaken."""
    found = folder.read(out)
    if isinstance(found, Found):
        shelf.take(folder, out, place, name, found.content)


def _rename_new(folder: Folder, old: str, new: str) -> None:
    """Rename to a free name; FileExistsError when it is taken."""
    if exchange.rename_new(folder.handle, old, new):
        return
    os.link(old, new, src_dir_fd=folder.handle, dst_dir_fd=folder.handle, follow_symlinks=False)
    os.unlink(old, dir_fd=folder.handle)
