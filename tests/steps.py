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
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect

_POKEUSER, _RESULT_AT, _CALL_AT = 6, 10 * 8, 15 * 8  # rax and orig_rax in struct user_regs_struct of x86_64
_TRACEME, _DETACH, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 17, 24, 0x4200, 0x420E
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
_ON_HANDLES = frozenset({"write", "pwrite", "writev", "fsync", "fdatasync", "ftruncate", "fallocate"})
_NAMED = ("write", "fsync", "rename", "replace", "link", "unlink", "mkdir", "rmdir")


def ask_to_be_traced() -> None:
    """In the child: stop here, until the parent follows."""
    if _ptrace(_TRACEME, 0, 0) == 0:
        os.kill(os.getpid(), signal.SIGSTOP)


def ask_to_be_left() -> None:
    """In the child: stop, and go on unwatched. Only after `ask_to_be_traced`."""
    os.kill(os.getpid(), signal.SIGSTOP)


def follow(pid: int, at: int | None, error: int = 0) -> tuple[list[str], int]:
    """In the parent: watch a child's calls that change the disk; the calls and how the child ended.

    As it enters the n-th call it is killed; or with an `error` (errno) that one call fails and the child goes on.
    """
    calls: list[str] = []
    status = os.waitpid(pid, os.WUNTRACED)[1]
    if not os.WIFSTOPPED(status):
        return calls, status
    _ptrace(_SETOPTIONS, pid, _SYSGOOD_AND_EXITKILL)
    status = _next_stop(pid, 0)
    while os.WIFSTOPPED(status):
        stop = os.WSTOPSIG(status)
        if stop == signal.SIGSTOP:
            _ptrace(_DETACH, pid, 0)
            status = os.waitpid(pid, 0)[1]
        elif stop == _SYSCALL_STOP:
            status = _through_a_call(pid, calls, at, error)
        else:
            status = _next_stop(pid, stop)
    return calls, status


def _through_a_call(pid: int, calls: list[str], at: int | None, error: int) -> int:
    """Note a call that is being entered, let it happen, fail it or kill the child; the status at the stop after it."""
    name = _call(pid)
    if name is not None:
        calls.append(name)
    due = name is not None and len(calls) == at
    if due and not error:
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    if due:
        _poke(pid, _CALL_AT, -1)
    status = _next_stop(pid, 0)  # where the call returns
    if not os.WIFSTOPPED(status):
        return status
    if due:
        _poke(pid, _RESULT_AT, -error)
    return _next_stop(pid, 0)


def _next_stop(pid: int, signal_passed_on: int) -> int:
    _ptrace(_SYSCALL, pid, signal_passed_on)
    return os.waitpid(pid, 0)[1]


def can_fail() -> bool:
    """Whether a traced call can be made to fail: where its registers are known."""
    return platform.machine() == "x86_64" and can_trace()


@functools.cache
def can_trace() -> bool:
    """Whether this machine lets a process trace its child; found out in a process of its own."""
    if sys.platform != "linux":
        return False
    root = str(Path(__file__).parents[1])
    return subprocess.run([sys.executable, "-c", _PROBE], cwd=root, check=False).returncode == 0


_PROBE = """
import os
from tests import steps
pid = os.fork()
if not pid:
    steps.ask_to_be_traced()
    try:
        os.mkdir("/")
    except FileExistsError:
        pass
    os._exit(0)
os._exit("mkdir" not in str(steps.follow(pid, None)[0]))
"""


def count(at: int | None, tell: Callable[[str], None], error: int = 0) -> None:
    """In the child: count the steps that can be seen from inside and tell each.

    At the n-th this process is killed; or with an `error` (errno) that call of `os` fails and the child goes on.
    """
    passed = 0

    def step(name: str) -> None:
        nonlocal passed
        passed += 1
        if at is None:
            tell(name)
        elif passed == at and not error:
            os.kill(os.getpid(), signal.SIGKILL)
        elif passed == at and name in _NAMED:
            raise OSError(error, os.strerror(error))

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


def _poke(pid: int, register: int, value: int) -> None:
    _libc().ptrace(_POKEUSER, pid, register, value & (2**64 - 1))


def _call(pid: int) -> str | None:
    """The name of the call that a child is entering, None for one that changes nothing."""
    known = _NUMBERS.get(platform.machine())
    buffer = ctypes.create_string_buffer(_INFO_BYTES)
    size = ctypes.c_void_p(_INFO_BYTES)
    if known is None or _libc().ptrace(_GET_SYSCALL_INFO, pid, size, buffer) <= 0:
        return "a call"
    number, *arguments = struct.unpack_from("4Q", buffer.raw, _NUMBER_AT)
    name = known.get(number)
    if name is None or (name in _FLAGS_AT and not arguments[_FLAGS_AT[name]] & os.O_CREAT):
        return None
    if name not in _ON_HANDLES:
        return name
    file = _file(pid, arguments[0])
    return None if file.startswith("pipe:") else f"{name} {file}"


def _file(pid: int, handle: int) -> str:
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/fd/{handle}"))
    except OSError:
        return ""


@functools.cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    return libc
