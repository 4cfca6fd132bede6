"""Validity: which text can be stored at all, whoever brings it and wherever it goes."""

from __future__ import annotations

from reverie.errors import InvalidText, OverLimit
from reverie.markdown.lines import body, line_number, lines

MAX_CHARS = 1_000_000
"""Code points of one text. Far above every file's own limit; what is longer is a mistake or an attack."""

MAX_LINE = 100_000
"""Code points of one line. Parsers, diffs and editors bear this; a longer line is data, not memory."""


def checked_text(text: object, what: str) -> str:
    """The text as it is, if it can be stored; `what` names it in the message.

    Raises InvalidText for what is not text, NUL, lone surrogates and lines of more than 100,000 code points, and
    OverLimit for more than 1,000,000 code points. Nothing is ever cut off.
    """
    if not isinstance(text, str):
        raise InvalidText(f"The text of {what} is {type(text).__name__}, not text.", "Pass a string.")
    if len(text) > MAX_CHARS:
        raise OverLimit(
            f"The text of {what} has {len(text):,} characters; no text may have more than {MAX_CHARS:,}.",
            f"Shorten it by {len(text) - MAX_CHARS:,} characters or keep it outside and note where it is.",
            size=len(text),
            limit=MAX_CHARS,
        )
    if (nul := text.find("\0")) >= 0:
        raise InvalidText(
            f"Line {line_number(text, nul)} of {what} has a NUL character.", "Remove it; text files do not hold it."
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidText(
            f"Line {line_number(text, error.start)} of {what} has half a character (lone surrogate "
            f"U+{ord(text[error.start]):04X}); it was cut inside an emoji or decoded wrongly.",
            "Send the whole character.",
        ) from error
    if len(text) > MAX_LINE:
        for number, line in enumerate(lines(text), 1):
            if len(body(line)) > MAX_LINE:
                raise InvalidText(
                    f"Line {number} of {what} has {len(body(line)):,} characters; a line may have {MAX_LINE:,}.",
                    "Break it into shorter lines, or keep the data outside and note where it is.",
                )
    return text
