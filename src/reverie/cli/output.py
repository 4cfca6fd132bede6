"""Output: one JSON document, exact text, or something for a person to read.

Standard output carries what was asked for, standard error what is said about it. Text goes into a pipe byte for byte,
as UTF-8; on a terminal, and in tables, risky characters are made visible, and nothing in a text is taken for markup.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from reverie.memory import ScopeMemory


def on_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout.isatty()


def shown(text: str) -> str:
    """Text for a person's eyes: risky characters visible, so that none can steer a terminal."""
    from reverie.text import visible

    return visible(text)


def raw(text: str) -> None:
    """A text as it is stored; on a terminal in its visible form, with a line break at the end."""
    if on_terminal():
        text = shown(text)
        text = text if text.endswith("\n") else text + "\n"
    _write(sys.stdout, text)


def line(text: str = "") -> None:
    """A line about a result, on standard output."""
    _write(sys.stdout, shown(text) + "\n")


def note(text: str) -> None:
    """A line for the person beside the result, on standard error."""
    _write(sys.stderr, shown(text) + "\n")


def document(value: object) -> None:
    """The result as one JSON document with the library's field names."""
    _write(sys.stdout, json_text(value))


def fault(value: object) -> None:
    """An error as one JSON document, on standard error."""
    _write(sys.stderr, json_text(value))


def json_text(value: object) -> str:
    """A value of the library as JSON: dataclasses as objects, times in ISO 8601 with their zone."""
    import json

    return json.dumps(_plain(value), ensure_ascii=False, indent=2) + "\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Rows under headings; `right` names the columns of numbers.

    Plain in a pipe; drawn on a terminal, without the columns that are empty.
    """
    cells = [[_one_line(shown(cell)) for cell in row] for row in rows]
    if on_terminal():
        _drawn(headings, cells, right)
        return
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    for row in [list(headings), *cells]:
        padded = [
            cell.rjust(width) if heading in right else cell.ljust(width)
            for heading, cell, width in zip(headings, row, widths, strict=True)
        ]
        _write(sys.stdout, "  ".join(padded).rstrip() + "\n")


def moment(at: datetime, zone: tzinfo) -> str:
    """A time for a person, in their zone."""
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def zone_of(scope: ScopeMemory) -> tzinfo:
    """The zone to show a scope's times in."""
    return scope.settings.zone


def _drawn(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    filled = [place for place in range(len(headings)) if any(row[place] for row in rows)]
    for heading in (headings[place] for place in filled):
        drawn.add_column(Text(heading), justify="right" if heading in right else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(row[place]) for place in filled))
    Console(file=sys.stdout, markup=False, highlight=False, emoji=False).print(drawn)


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(item) for item in value]
    return str(value)


def _one_line(text: str) -> str:
    return text.replace("\r", "␍").replace("\n", "␊").replace("\t", "    ")


def _write(stream: TextIO, text: str) -> None:
    """Bytes of our own making: a pipe gets UTF-8 whatever the locale says, and no line break is translated.

    An unbuffered stream may take less than it is given, so what it took is counted.
    """
    encoding = (stream.encoding or "utf-8") if stream.isatty() else "utf-8"
    stream.flush()
    left = memoryview(text.encode(encoding, "backslashreplace"))
    while left:
        left = left[stream.buffer.write(left) :]
    stream.buffer.flush()


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """A line on a terminal's standard error that counts while work goes on, and goes away after it; nothing on a pipe."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"0 {what}") as status:
        yield lambda done: status.update(f"{done:,} {what}")
