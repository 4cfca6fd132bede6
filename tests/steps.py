"""Steps at which a process can be killed: its system calls, seen by tracing it, or the calls that Python makes.

Tracing (ptrace(2), Linux) sees every system call, SQLite's too. Where it is not permitted, the steps are those that
can be seen from inside: calls of `os` that change the disk, and each statement and commit before and after it ran.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect

_TRACEME, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
_SYSGOOD_AND_EXITKILL = 0x100001
_SYSCALL_STOP = signal.SIGTRAP | 0x80
_INFO_BYTES, _NUMBER_AT = 88, 24  # struct ptrace_syscall_info, where the number and then the arguments follow
_FLAGS_AT = {"open": 1, "openat": 2}

# Calls that change the disk, from the kernel's tables (unistd.h of each architecture).
_NUMBERS = {
    "x86_64": {
        1: "write", 18: "pwrite", 20: "writev", 74: "fsync", 75: "fdatasync", 77: "ftruncate", 82: "rename",
        83: "mkdir", 84: "rmdir", 86: "link", 87: "unlink", 257: "openat", 2: "open", 258: "mkdirat", 263: "unlinkat",
        264: "renameat", 265: "linkat", 285: "fallocate", 316: "renameat2",
    },
    "aarch64": {
        64: "write", 68: "pwrite", 66: "writev", 82: "fsync", 83: "fdatasync", 46: "ftruncate", 34: "mkdirat",
        35: "unlinkat", 37: "linkat", 38: "renameat", 47: "fallocate", 56: "openat", 276: "renameat2",
    },
}  # fmt: skip
_NAMED = ("write", "fsync", "rename", "replace", "link", "unlink", "mkdir", "rmdir")


def ask_to_be_traced() -> None:
    """In the child: stop here, until the parent follows."""
    if _ptrace(_TRACEME, 0, 0) == 0:
        os.kill(os.getpid(), signal.SIGSTOP)


def follow(pid: int, kill: int | None) -> tuple[list[str], int]:
    """In the parent: watch a child's calls that change the disk and kill it as it enters the n-th; calls and status."""
    calls: list[str] = []
    status = os.waitpid(pid, os.WUNTRACED)[1]
    if not os.WIFSTOPPED(status):
        return calls, status
    _ptrace(_SETOPTIONS, pid, _SYSGOOD_AND_EXITKILL)
    entering, passed_on = False, 0
    while True:
        if _ptrace(_SYSCALL, pid, passed_on) != 0:
            return calls, os.waitpid(pid, 0)[1]
        status = os.waitpid(pid, 0)[1]
        if not os.WIFSTOPPED(status):
            return calls, status
        passed_on = os.WSTOPSIG(status)
        if passed_on != _SYSCALL_STOP:
            continue
        passed_on, entering = 0, not entering
        name = _call(pid) if entering else None
        if name is not None:
            calls.append(name)
            if len(calls) == kill:
                os.kill(pid, signal.SIGKILL)
                return calls, os.waitpid(pid, 0)[1]


@functools.cache
def can_trace() -> bool:
    """Whether this machine lets a process trace its child."""
    if sys.platform != "linux":
        return False
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", _PROBE], os.environ)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


_PROBE = """
import os, signal
from tests import steps
pid = os.fork()
if not pid:
    steps.ask_to_be_traced()
    os.write(1, b"")
    os._exit(0)
calls, status = steps.follow(pid, None)
os._exit(not calls)
"""


def count(kill: int | None, tell: Callable[[str], None]) -> None:
    """In the child: count the steps that can be seen from inside, tell each, and kill this process at the n-th."""
    passed = 0

    def step(name: str) -> None:
        nonlocal passed
        passed += 1
        if passed == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        if kill is None:
            tell(name)

    for name in _NAMED:
        setattr(os, name, _stepping(getattr(os, name), name, step))
    sa.event.listen(sa.Engine, "before_cursor_execute", lambda *_: step("before a statement"))
    sa.event.listen(sa.Engine, "after_cursor_execute", lambda *_: step("after a statement"))
    commit: Callable[[DefaultDialect, Any], None] = DefaultDialect.do_commit

    def committing(dialect: DefaultDialect, connection: Any) -> None:
        step("before a commit")
        commit(dialect, connection)
        step("after a commit")

    DefaultDialect.do_commit = committing  # type: ignore[method-assign]  # in a child that is about to be killed


def _stepping(call: Callable[..., Any], name: str, step: Callable[[str], None]) -> Callable[..., Any]:
    def stepping(*arguments: Any, **named: Any) -> Any:
        step(name)
        return call(*arguments, **named)

    return stepping


def _ptrace(request: int, pid: int, data: int) -> int:
    answer: int = _libc().ptrace(request, pid, None, data or None)
    return answer


def _call(pid: int) -> str | None:
    """The name of the call that a child is entering, None for one that changes nothing."""
    known = _NUMBERS.get(platform.machine())
    buffer = ctypes.create_string_buffer(_INFO_BYTES)
    size = ctypes.c_void_p(_INFO_BYTES)
    if known is None or _libc().ptrace(_GET_SYSCALL_INFO, pid, size, buffer) <= 0:
        return "a call"
    number, *arguments = struct.unpack_from("4Q", buffer.raw, _NUMBER_AT)
    name = known.get(number)
    if name in _FLAGS_AT and not arguments[_FLAGS_AT[name]] & os.O_CREAT:
        return None
    return name


@functools.cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    return libc
