from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown.entries import parse
from reverie.markdown.lines import lines, with_line_end
from reverie.markdown.merging import merge
from tests.markdown import markdown_texts, plain_entries, tidy_texts

BASE = "# Notes\n\n## Decisions\n\n- one\n- two\n- three\n\n## Context\n\n- four\n"


def test_a_side_that_changed_nothing_leaves_the_other() -> None:
    assert merge(BASE, BASE, "other").text == "other"
    assert merge(BASE, "other", BASE).text == "other"
    assert merge(BASE, "same", "same").text == "same"


@given(markdown_texts, markdown_texts)
def test_equal_sides_and_unchanged_sides_decide_nothing(base: str, other: str) -> None:
    assert merge(base, base, other).text == other
    assert merge(base, other, base).text == other
    assert merge(base, other, other).text == other


def test_changes_of_different_entries_merge() -> None:
    ours = BASE.replace("- one", "- ONE")
    theirs = BASE.replace("- two\n", "").replace("- four", "- four and a half")
    assert merge(BASE, ours, theirs).text == ours.replace("- two\n", "").replace("- four", "- four and a half")


def test_neighbouring_entries_are_different_entries() -> None:
    assert merge("- a\n- b\n", "- A\n- b\n", "- a\n- B\n").text == "- A\n- B\n"
    assert merge("- a\n- b\n", "- A\n- b\n", "- a\n- b\n- c\n").text == "- A\n- b\n- c\n"
    assert merge("- a\n- b\n", "- a\n", "- a\n- b\n- c\n").text == "- a\n- c\n"


def test_what_both_append_is_kept_ours_first() -> None:
    assert merge("- a\n", "- a\n- b\n", "- a\n- c\n").text == "- a\n- b\n- c\n"
    assert merge("- a", "- a\n- b", "- a\n- c").text == "- a\n- b\n- c"
    assert merge("", "- b\n", "- c\n").text == "- b\n- c\n"
    assert merge("A\n", "A\n\nB\n", "A\n\nC\n").text == "A\n\nB\n\nC\n"
    assert merge("A\n\n", "A\n\nB\n", "A\n\nC\n").text == "A\n\nB\n\nC\n"


def test_what_both_append_alike_is_kept_once() -> None:
    assert merge("- a\n", "- a\n- x\n", "- a\n- x\n- y\n").text == "- a\n- x\n- y\n"
    assert merge("- a\n", "- a\n- b\n- x\n", "- a\n- c\n- x\n").text == "- a\n- b\n- c\n- x\n"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("- a1\n- b\n", "- a2\n- b\n"),
        ("- b\n", "- a\n  - child\n- b\n"),
        ("- a\n  - x\n- b\n", "- a\n  - y\n- b\n"),
        ("", "- a\n- b\n- c more of b\n".replace("- c", "  ")),
    ],
)
def test_changes_of_the_same_entry_are_a_conflict(ours: str, theirs: str) -> None:
    merged = merge("- a\n- b\n", ours, theirs)
    assert merged.text is None
    assert merged.conflicts[0].reason == "both changed the same text"
    assert merged.conflicts[0].base in "- a\n- b\n"


def test_an_entry_added_under_a_heading_that_is_gone_is_a_conflict() -> None:
    base = "## A\n\n- a\n\n## B\n\n- b\n"
    merged = merge(base, "## A\n\n- a\n", base + "- c\n")
    assert merged.text is None
    assert "heading" in merged.conflicts[0].reason


def test_an_entry_moved_to_two_places_is_a_conflict() -> None:
    base = "- m\n- a\n- b\n- c\n"
    assert merge(base, "- a\n- m\n- b\n- c\n", "- a\n- b\n- c\n- m\n").text is None
    assert merge(base, "- a\n- b\n- c\n- m\n", "- a\n- b\n- c\n").text is None


def test_an_unclosed_fence_does_not_swallow_the_other_sides_entry() -> None:
    assert merge("- a\n", "- a\n\n```\ncode\n", "- a\n- b\n").text is None


def test_line_ends_and_the_missing_last_one_are_kept() -> None:
    assert merge("- a\r\n- b", "- A\r\n- b", "- a\r\n- b\r\n- c").text == "- A\r\n- b\r\n- c"
    assert merge("- a\n- b\n", "- A\n- b\n", "- a\n- b").text == "- A\n- b"


@given(tidy_texts, tidy_texts, tidy_texts)
def test_each_line_that_a_side_added_is_in_the_result(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    if merged.text is None:
        assert merged.conflicts
        return
    found = Counter(lines(merged.text))
    for side in (ours, theirs):
        added = Counter(lines(side)) - Counter(lines(base))
        assert not [line for line in added if line.strip() and not found[line]]


@given(tidy_texts, tidy_texts, tidy_texts)
def test_no_entry_is_lost_unless_a_side_removed_it_nor_multiplied(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    if merged.text is None:
        return
    counts = [Counter(span.text for span in parse(text).spans if span.kind != "blank") for text in (base, ours, theirs)]
    found = Counter(span.text for span in parse(merged.text).spans if span.kind != "blank")
    for text in set().union(*counts):
        in_base, mine, other = (count[text] for count in counts)
        assert found[text] <= max(mine, other)
        assert found[text] >= min(in_base, mine, other)


@given(tidy_texts, tidy_texts, tidy_texts)
def test_changing_sides_changes_at_most_the_order(base: str, ours: str, theirs: str) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert (one.text is None) == (other.text is None)
    if one.text is not None and other.text is not None:
        assert Counter(lines(one.text)) == Counter(lines(other.text))


@given(st.lists(plain_entries, min_size=4, max_size=12, unique=True), st.data())
def test_independent_changes_of_distinct_entries_always_merge(entries: list[str], data: st.DataObject) -> None:
    base = [f"- {entry}\n" for entry in entries]
    half = data.draw(st.integers(1, len(base) - 1))
    mine = data.draw(st.lists(st.sampled_from(("keep", "change", "drop")), min_size=half, max_size=half))
    rest = len(base) - half
    other = data.draw(st.lists(st.sampled_from(("keep", "change", "drop")), min_size=rest, max_size=rest))
    left, right = _done(base[:half], mine, "ours"), _done(base[half:], other, "theirs")
    merged = merge("".join(base), "".join(left + base[half:]), "".join(base[:half] + right))
    assert merged.text == "".join(left + right)


def _done(entries: list[str], acts: list[str], who: str) -> list[str]:
    changed = {"keep": "{}", "change": "- {} zebra " + who + "\n", "drop": ""}
    return [
        changed[act].format(entry if act == "keep" else entry[2:-1])
        for entry, act in zip(entries, acts, strict=True) if act != "drop"
    ]  # fmt: skip


@given(markdown_texts, markdown_texts, markdown_texts)
def test_any_three_texts_merge_or_conflict(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    assert (merged.text is None) == bool(merged.conflicts)


def test_ten_thousand_entries_merge() -> None:
    base = [f"- entry {number}\n" for number in range(10_000)]
    ours, theirs = list(base), list(base)
    ours[10], theirs[9_000] = "- changed\n", "- changed too\n"
    assert merge("".join(base), "".join(ours), "".join(theirs)).text == "".join(ours[:9_000] + theirs[9_000:])


def test_an_editor_that_rewrites_every_line_end_changes_no_entry() -> None:
    windows = with_line_end(BASE, "\r\n")
    added = BASE.replace("- two", "- 2") + "- five\n"
    assert merge(BASE, windows, added).text == with_line_end(added, "\r\n")
    assert merge(BASE, added, windows).text == with_line_end(added, "\r\n")
    assert merge(BASE, windows.replace("- two", "- II"), added).text is None
