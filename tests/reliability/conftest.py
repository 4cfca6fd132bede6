"""Child processes for the tests of reliability."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.nursery import Nursery, nursery


@pytest.fixture(scope="session")
def children() -> Iterator[Nursery]:
    """The nursery of this test run, or of this worker of it."""
    with nursery() as opened:
        yield opened
