r"""Blame and diff: what changed between two states of a file, and which version each line came from.

Both split lines at `\r\n`, `\r` and `\n` only, and both find out by anchors which lines stayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reverie.markdown.anchors import Hunk, hunks, pairs
from reverie.markdown.lines import body, lines
from reverie.versions import BlameLine, Version

CONTEXT = 3
"""Unchanged lines around a difference, as `diff -u` shows."""

_NO_END = "\n\\ No newline at end of file\n"


def unified(a: str | None, b: str | None, *, from_name: str, to_name: str) -> str:
    r"""A unified diff of two states, "" if they are equal; None is an absent file.

    Lines keep their own ends, so a change from `\n` to `\r\n` is a difference, and a last line without an end is marked
    as `diff` does. Apart from that a line of the file is a line of the diff.
    """
    old, new = lines(a or ""), lines(b or "")
    groups = list(_groups(list(hunks(old, new))))
    if not groups:
        return ""
    head = f"--- {from_name}\n+++ {to_name}\n"
    return head + "".join(_rendered(group, old, new) for group in groups)


def blame(versions: Sequence[Version]) -> list[BlameLine]:
    """For each line of the newest state the version that brought it; versions come oldest first.

    A line that only changed its line end keeps its version. After a removal everything belongs to whoever brought it
    back, and so does what a restore brings back. A file whose newest version is a removal has no lines. What a damaged
    version brought is ascribed to the first readable one that has it; a damaged newest one is one line, marked so.
    """
    if versions and versions[-1].damaged:
        return [_blame_line(1, "", versions[-1])]
    current: list[str] = []
    owners: list[Version] = []
    for version in versions:
        if version.damaged:
            continue
        new = [body(line) for line in lines(version.text or "")]
        kept = {j: owners[i] for i, j in pairs(current, new)}
        current, owners = new, [kept.get(j, version) for j in range(len(new))]
    return [_blame_line(number, text, owner) for number, (text, owner) in enumerate(zip(current, owners, strict=True), 1)]


def _blame_line(number: int, text: str, owner: Version) -> BlameLine:
    return BlameLine(
        line=number, text=text, version=owner.number, at=owner.at, origin=owner.origin, actor=owner.actor,
        session=owner.session, dream=owner.dream, approver=owner.approver, evidence=owner.evidence, damaged=owner.damaged,
    )  # fmt: skip


def _groups(changes: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    """Differences that are close enough to share their context."""
    group: list[Hunk] = []
    for change in changes:
        if group and change.start - group[-1].end > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _rendered(group: Sequence[Hunk], old: Sequence[str], new: Sequence[str]) -> str:
    first, last = group[0], group[-1]
    lead = min(CONTEXT, first.start)
    trail = min(CONTEXT, len(old) - last.end)
    start, end = first.start - lead, last.end + trail
    new_start, new_end = first.new_start - lead, last.new_end + trail
    parts = [f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"]
    at = start
    for change in group:
        parts += [_line(" ", line) for line in old[at : change.start]]
        parts += [_line("-", line) for line in old[change.start : change.end]]
        parts += [_line("+", line) for line in new[change.new_start : change.new_end]]
        at = change.end
    parts += [_line(" ", line) for line in old[at:end]]
    return "".join(parts)


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith(("\n", "\r")) else f"{sign}{line}{_NO_END}"


def _range(start: int, end: int) -> str:
    """Line numbers as `diff -u` writes them: a length of one is left out, an empty range names the line before."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
