"""A clock that tells the time it was given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 4, 12, tzinfo=UTC)
"""What a new FixedClock tells."""


class FixedClock:
    """Implements `ports.Clock`: stands still until it is set or advanced, in either direction."""

    def __init__(self, time: datetime = START) -> None:
        self.set(time)

    def now(self) -> datetime:
        """The time that was set."""
        return self._time

    def set(self, time: datetime) -> None:
        """Tell this time from now on; ValueError for one without a zone."""
        if time.tzinfo is None:
            raise ValueError("a clock tells times with a zone")
        self._time = time

    def advance(self, step: timedelta = timedelta(seconds=1)) -> datetime:
        """Move the time on, or back by a negative step; the new time."""
        self._time += step
        return self._time
