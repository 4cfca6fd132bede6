"""Input: the text that a command is to store, from an argument or from standard input, byte for byte.

No line break is translated and nothing is guessed: two characters `\\n` stay two characters, with a note that says so.
"""

from __future__ import annotations

import sys
from datetime import datetime

from reverie.cli import output
from reverie.errors import InvalidText, InvalidTime


def text_of(argument: str | None) -> str:
    """The text to store: the argument, or standard input when it is absent or `-`; InvalidText unless UTF-8."""
    if argument is not None and argument != "-":
        if "\\n" in argument and "\n" not in argument:
            output.note("note: the text holds \\n as two characters and is stored so; for line breaks, pipe the text in.")
        return argument
    if sys.stdin.isatty():
        output.note("Reading the text from the terminal; end with Ctrl-D on a line of its own.")
    return decoded(sys.stdin.buffer.read(), "Standard input")


def whole_text_of(argument: str | None) -> str:
    """The text of a whole file: as `text_of`, but an argument is ended like a line, so that lines can be added to it."""
    text = text_of(argument)
    return text if argument in (None, "-") else ended(text)


def ended(text: str) -> str:
    """A text with a line break at its end, unless it is blank."""
    return text if not text.strip() or text.endswith(("\n", "\r")) else f"{text}\n"


def decoded(data: bytes, source: str) -> str:
    """Bytes as text; InvalidText when they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(
            f"{source} is not UTF-8 text: byte {error.start + 1} cannot be read.", "Convert it to UTF-8 first."
        ) from error


def time_of(argument: str) -> datetime:
    """A time with a zone; InvalidTime otherwise."""
    try:
        at = datetime.fromisoformat(argument)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise InvalidTime(f"{argument!r} is not a time with a zone.", "Write it like 2026-12-01T09:30:00+03:00.")
    return at
