"""What all tests share: markers, hypothesis profiles, the databases, and the rules about skipping.

A test that carries a case of CASES proves a promise, so it may not be skipped; the only exception is a test of data
that this machine does not have. Deep tests take minutes and run only when they are asked for with `-m deep`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import PostgresServer, end_run, private_server, run_folder, shared_server
from tests.register import skip_fault

MARKERS = (
    "case(*numbers): the cases of tests/cases.toml that the test proves; such a test may not be skipped",
    "deep: minutes long; runs only with -m deep",
    "slow: seconds long; left out of `make check`",
    "data: needs the folder that $REVERIE_DATA names; skipped without it",
)

# Hypothesis: a slow machine is not a bug, so nothing is timed; CI repeats the same examples on every run.
TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", TIMELESS, max_examples=25)
settings.register_profile("standard", TIMELESS, max_examples=100)
settings.register_profile("ci", TIMELESS, max_examples=100, derandomize=True)
settings.register_profile("deep", TIMELESS, max_examples=2000)

RUN_FOLDER = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKERS:
        config.addinivalue_line("markers", line)
    if not config.getoption("hypothesis_profile"):
        settings.load_profile("ci" if os.environ.get("CI") else "standard")
    data = _data_folder()
    if data is not None and not data.is_dir():
        raise pytest.UsageError(f"REVERIE_DATA names {str(data)!r}, which is not a folder.")
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    config.stash[RUN_FOLDER] = Path(worker["run_folder"]) if worker else run_folder()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where the servers of the run live; the node's class has no public type."""
    node.workerinput["run_folder"] = str(node.config.stash[RUN_FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    run = config.stash.get(RUN_FOLDER, None)
    if run is not None and not hasattr(config, "workerinput"):
        end_run(run)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "deep" not in config.getoption("markexpr"):
        deep = [item for item in items if item.get_closest_marker("deep")]
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if not item.get_closest_marker("deep")]
    if _data_folder() is None:
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(pytest.mark.skip(reason="REVERIE_DATA is not set"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped:
        names = {mark.name for mark in item.iter_markers()}
        fault = skip_fault(names, data_present=_data_folder() is not None)
        if fault is not None:
            report.outcome = "failed"
            report.longrepr = f"{fault}\nIt was skipped: {report.longrepr}"
            vars(report).pop("wasxfail", None)  # an expected failure would still be counted as one
    return report


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; only tests marked `data` may ask for it."""
    folder = _data_folder()
    assert folder is not None, "A test that uses real data carries @pytest.mark.data"
    return folder


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> PostgresServer:
    """The run's shared PostgreSQL server, started on first use; it does not sync."""
    return shared_server(request.config.stash[RUN_FOLDER])


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A folder that does not exist yet, for a new embedded store."""
    return str(tmp_path / "store")


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty PostgreSQL database of the test's own."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Where to open a new, empty store: the test runs once on each database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def private_postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A server of the test's own that syncs, to be stopped, killed and started again."""
    with private_server(request.config.stash[RUN_FOLDER]) as server:
        yield server


def _data_folder() -> Path | None:
    named = os.environ.get("REVERIE_DATA")
    return Path(named) if named else None
