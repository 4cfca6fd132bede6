"""Anchors: which parts of two texts are the same parts.

Entries and lines have no ids that survive an editor, so a diff has to find out what stayed. Equal beginnings and ends
are taken first; then parts that occur once on both sides hold the two together (the patience method), which keeps
whole entries in one piece and costs little even where `difflib` would take minutes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

_SMALL = 10_000
"""Pairs (length times length) up to which a stretch without anchors is compared in full."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A difference: `a[start:end]` became `b[new_start:new_end]`; one of the two may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def pairs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places (i, j) where `a[i] == b[j]` is taken to be the same part; both grow from pair to pair."""
    found: list[tuple[int, int]] = []
    open_stretches = [(0, len(a), 0, len(b))]
    while open_stretches:
        a_low, a_high, b_low, b_high = open_stretches.pop()
        while a_low < a_high and b_low < b_high and a[a_low] == b[b_low]:
            found.append((a_low, b_low))
            a_low, b_low = a_low + 1, b_low + 1
        while a_low < a_high and b_low < b_high and a[a_high - 1] == b[b_high - 1]:
            a_high, b_high = a_high - 1, b_high - 1
            found.append((a_high, b_high))
        if a_low == a_high or b_low == b_high:
            continue
        held = _held(a[a_low:a_high], b[b_low:b_high])
        for i, j in held:
            found.append((a_low + i, b_low + j))
        if held:
            corners = [(-1, -1), *held, (a_high - a_low, b_high - b_low)]
            for (i, j), (next_i, next_j) in pairwise(corners):
                if next_i - i > 1 and next_j - j > 1:
                    open_stretches.append((a_low + i + 1, a_low + next_i, b_low + j + 1, b_low + next_j))
    return sorted(found)


def hunks(a: Sequence[str], b: Sequence[str]) -> Iterator[Hunk]:
    """The differences between two sequences, in order; what lies between them is the same in both."""
    i = j = 0
    for next_i, next_j in [*pairs(a, b), (len(a), len(b))]:
        if next_i > i or next_j > j:
            yield Hunk(i, next_i, j, next_j)
        i, j = next_i + 1, next_j + 1


def _held(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Anchors of a stretch: parts that occur once on both sides; without any, the best that its size allows."""
    counts, others = Counter(a), Counter(b)
    once = {part for part, count in counts.items() if count == 1 and others[part] == 1}
    if once:
        places = {part: j for j, part in enumerate(b) if part in once}
        return _rising([(i, places[part]) for i, part in enumerate(a) if part in once])
    if len(a) * len(b) <= _SMALL:
        matcher = SequenceMatcher(None, a, b, autojunk=False)
        return [(i + n, j + n) for i, j, size in matcher.get_matching_blocks() for n in range(size)]
    level = {part for part, count in counts.items() if others[part] == count}
    queues: defaultdict[str, list[int]] = defaultdict(list)
    for j in range(len(b) - 1, -1, -1):
        queues[b[j]].append(j)
    return _rising([(i, queues[part].pop()) for i, part in enumerate(a) if part in level])


def _rising(candidates: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise (patience sorting, n log n)."""
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(candidates):
        pile = bisect_left(tops, j)
        before.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            piles.append(number)
        else:
            tops[pile], piles[pile] = j, number
    chain: list[tuple[int, int]] = []
    number = piles[-1] if piles else -1
    while number >= 0:
        chain.append(candidates[number])
        number = before[number]
    return chain[::-1]
