"""Two renames that Python does not offer: swap two names, and rename without overwriting.

Swapping is what makes "replace this file, unless somebody saved it meanwhile" safe: whatever was at the name a moment
ago is still there under the other name. Linux has renameat2 (renameat2(2)), macOS renameatx_np (rename(2)); both need a
file system that plays along. Where they do not, the functions answer False and nothing was renamed.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable

_Rename = Callable[[int, bytes, int, bytes, int], int]

_NAME, _SWAP, _NEW = ("renameatx_np", 2, 4) if sys.platform == "darwin" else ("renameat2", 2, 1)
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


def swap(folder: int, first: str, second: str) -> bool:
    """Exchange two names in a folder (a handle) in one step; False where the system cannot."""
    return _renamed(folder, first, second, _SWAP)


def rename_new(folder: int, old: str, new: str) -> bool:
    """Rename within a folder (a handle), FileExistsError if the new name is taken; False where the system cannot."""
    return _renamed(folder, old, new, _NEW)


def _renamed(folder: int, first: str, second: str, flags: int) -> bool:
    rename = _system_call()
    if rename is None:
        return False
    if rename(folder, os.fsencode(first), folder, os.fsencode(second), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), first, None, second)


@functools.cache
def _system_call() -> _Rename | None:
    function = getattr(ctypes.CDLL(None, use_errno=True), _NAME, None)
    if function is None:
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    typed: _Rename = function
    return typed
