import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown.anchors import hunks, pairs

parts = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(parts, parts)
def test_pairs_are_equal_parts_in_rising_order(a: list[str], b: list[str]) -> None:
    found = pairs(a, b)
    assert all(a[i] == b[j] for i, j in found)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(found))


@given(parts, parts)
def test_hunks_turn_one_sequence_into_the_other(a: list[str], b: list[str]) -> None:
    made, at = [], 0
    for hunk in hunks(a, b):
        made += a[at : hunk.start] + b[hunk.new_start : hunk.new_end]
        at = hunk.end
    assert made + a[at:] == b


@given(parts, parts)
def test_parts_that_stand_between_hunks_are_on_both_sides(a: list[str], b: list[str]) -> None:
    kept = len(a) - sum(hunk.end - hunk.start for hunk in hunks(a, b))
    assert kept == len(b) - sum(hunk.new_end - hunk.new_start for hunk in hunks(a, b)) == len(pairs(a, b))


def test_an_inserted_part_is_one_hunk() -> None:
    assert [(hunk.start, hunk.end, hunk.new_start, hunk.new_end) for hunk in hunks("abc", "abxc")] == [(2, 2, 2, 3)]
    assert list(hunks("abc", "abc")) == []


def test_ten_thousand_parts_without_anchors_are_compared() -> None:
    draw = random.Random(7)
    a = [draw.choice("xyz") for _ in range(10_000)]
    b = [*a[:2_000], "new", *a[2_000:7_000], *a[7_001:]]
    assert [b[j] for _, j in pairs(a, b)] == [a[i] for i, _ in pairs(a, b)]
    assert len(pairs(["same"] * 10_000, ["same"] * 9_999)) == 9_999
