r"""Passages: replacing one piece of a text that is found exactly once.

A model asks for a change by quoting what stands there. The quote is sought as it is. Only if it does not occur is it
sought in normal form: canonically equivalent letters are equal (`é` as one code point or two), and so are `\r\n`, `\r`
and `\n`. Nothing else is guessed: the two characters backslash and n are never a line break. What is not replaced keeps
its bytes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from reverie.errors import PassageAmbiguous, PassageNotFound
from reverie.markdown.lines import line_end, line_ends, line_number, with_line_end
from reverie.secrets import mask
from reverie.text import preview
from reverie.validity import checked_text

_STEP = re.compile(r"\r\n|[\r\n]|.", re.DOTALL)
_SHOWN = 5
"""Places named in a refusal."""


def replace_passage(text: str, old: str, new: str) -> str:
    r"""The text with the one occurrence of `old` replaced by `new`.

    Occurrences that overlap count, and one that would cut a `\r\n` in two is none. If `old` was only found in
    normal form, or the file knows no `\n` at all, the line ends of `new` become the file's.
    Raises PassageNotFound for an `old` that is empty or does not occur, PassageAmbiguous(matches) for more than one.
    """
    old, new = checked_text(old, "the passage"), checked_text(new, "its replacement")
    if not old:
        raise PassageNotFound("The passage to replace is empty.", "Quote the text to replace, or append instead.")
    places = [(start, start + len(old)) for start in _occurrences(text, old) if _whole(text, start, start + len(old))]
    if not places:
        places = list(_equivalents(text, old))
    if not places:
        raise PassageNotFound(f"The passage {_shown(old)} does not occur in the file.", _hint(text, old))
    if len(places) > 1:
        at = ", ".join(str(line_number(text, start)) for start, _ in places[:_SHOWN])
        more = ", …" if len(places) > _SHOWN else ""
        raise PassageAmbiguous(
            f"The passage {_shown(old)} occurs {len(places)} times (lines {at}{more}); nothing was changed.",
            "Quote more of the text around it, so that it is unique.",
            matches=len(places),
        )
    start, end = places[0]
    return text[:start] + _fitted(text, text[start:end] != old, new) + text[end:]


def _fitted(text: str, folded: bool, new: str) -> str:
    ends = line_ends(text)
    foreign = bool(ends) and "\n" not in ends and line_ends(new) == {"\n"}
    return with_line_end(new, line_end(text)) if ends and (folded or foreign) else new


def _occurrences(text: str, old: str) -> Iterator[int]:
    at = text.find(old)
    while at >= 0:
        yield at
        at = text.find(old, at + 1)


def _whole(text: str, start: int, end: int) -> bool:
    return not any(0 < at < len(text) and text[at - 1 : at + 1] == "\r\n" for at in (start, end))


def _equivalents(text: str, old: str) -> Iterator[tuple[int, int]]:
    """Where the normal form of `old` stands, as offsets in the text as it is.

    The text is taken apart into the shortest pieces that normalise on their own, so a match can only begin and end
    where letters do: `e` is not found in a decomposed `é`.
    """
    normal, sought = _normal(text), _normal(old)
    if sought not in normal:
        return
    pieces = list(_pieces(text))
    forms = [_normal(text[start:end]) for start, end in pieces]
    whole = "".join(forms)
    if whole != normal:
        return  # a composition across pieces, of a script that this Unicode version cuts elsewhere: no safe offsets
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    at = 0
    for (start, end), form in zip(pieces, forms, strict=True):
        begins[at] = start
        at += len(form)
        ends[at] = end
    for found in _occurrences(whole, sought):
        if found in begins and found + len(sought) in ends:
            yield begins[found], ends[found + len(sought)]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for step in _STEP.finditer(text):
        at = step.start()
        if at > start and not _joins(text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


def _joins(character: str) -> bool:
    """Whether a character may compose with the one before it: marks, and the vowels and finals of Hangul."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", with_line_end(text, "\n"))


def _shown(old: str) -> str:
    """The passage as an error may quote it: short, and without a secret in it."""
    return repr(preview(mask(old).text, 80))


def _hint(text: str, old: str) -> str:
    """What to try next; a near miss is named, never taken."""
    if "\\n" in old and _normal(old.replace("\\n", "\n")) in _normal(text):
        return "It has the characters backslash and n where the file has a line break: send real line breaks."
    if "\n" in old and _normal(old).replace("\n", "\\n") in text:
        return "The file has the characters backslash and n where the passage has a line break: quote them as they are."
    words = old.split()
    if words and (near := re.search(r"\s+".join(map(re.escape, words[:50])), text, re.IGNORECASE)):
        return f"Line {line_number(text, near.start())} differs only in case or spacing: quote it exactly."
    return "Read the file again and quote the text exactly as it stands there."
