import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown.blame import blame, unified
from reverie.markdown.lines import body, lines
from reverie.records import text_hash
from reverie.versions import Version
from tests.markdown import markdown_texts, tidy_texts

START = datetime(2026, 1, 2, tzinfo=UTC)


def history(*texts: str | None) -> list[Version]:
    return [
        Version(
            "MEMORY.md", number, number - 1, text_hash(text), START + timedelta(hours=number), "agent", text, number,
            actor=f"actor {number}", evidence=(number,),
        )
        for number, text in enumerate(texts, 1)
    ]  # fmt: skip


def owners(versions: Sequence[Version]) -> list[tuple[str, int]]:
    return [(line.text, line.version) for line in blame(versions)]


def patched(diff: str, side: str) -> str:
    """The lines of one side ("-" old, "+" new) that a diff with full context shows."""
    found: list[str] = []
    for line in lines(diff)[2:]:
        if line.startswith("\\"):
            found[-1] = found[-1][:-1]
        elif line[0] != "@":
            found.append(line[1:] if line[0] in (" ", side) else "")
    return "".join(found)


def diff(a: str | None, b: str | None) -> str:
    return unified(a, b, from_name="a", to_name="b")


def test_a_line_belongs_to_the_version_that_brought_it() -> None:
    assert owners(history("- a\n", "- a\n- b\n", "- a\n- B\n- c\n")) == [("- a", 1), ("- B", 3), ("- c", 3)]


def test_a_line_of_blame_tells_who_and_when_and_why() -> None:
    line = blame(history("- a\n", "- a\n- b"))[1]
    assert (line.line, line.at, line.origin, line.actor, line.evidence) == (2, START + timedelta(hours=2), "agent", "actor 2", (2,))


def test_a_removal_clears_and_what_comes_back_belongs_to_who_brought_it_back() -> None:
    assert owners(history("- a\n", None)) == []
    assert owners(history("- a\n", None, "- a\n")) == [("- a", 3)]
    assert owners(history("- a\n- b\n", "- a\n", "- a\n- b\n")) == [("- a", 1), ("- b", 3)]
    assert owners([]) == []


def test_a_line_that_only_changed_its_end_keeps_its_version() -> None:
    assert owners(history("- a", "- a\r\n- b\r\n")) == [("- a", 1), ("- b", 2)]


@given(st.lists(st.none() | tidy_texts, min_size=1, max_size=6))
def test_every_line_has_an_owner_that_contains_it(texts: list[str | None]) -> None:
    versions = history(*texts)
    found = blame(versions)
    assert [line.text for line in found] == [body(line) for line in lines(texts[-1] or "")]
    for line in found:
        assert line.text in [body(part) for part in lines(versions[line.version - 1].text or "")]
    assert [line.line for line in found] == list(range(1, len(found) + 1))


def test_a_diff_is_unified() -> None:
    old = "".join(f"{number}\n" for number in range(1, 21))
    new = old.replace("5\n", "five\n", 1).replace("20\n", "20\n21")
    assert diff(old, new) == (
        "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "@@ -18,3 +18,4 @@\n 18\n 19\n 20\n+21\n\\ No newline at end of file\n"
    )


def test_an_absent_file_is_an_empty_side() -> None:
    assert diff(None, "a\n") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n"
    assert diff("a\n", None) == "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n"
    assert diff(None, None) == diff("a", "a") == ""


def test_line_ends_are_differences_and_odd_separators_are_not_line_ends() -> None:
    assert diff("a\nb\n", "a\r\nb\n") == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n"
    assert diff("a\u2028b\n", "a\u2028c\n") == "--- a\n+++ b\n@@ -1 +1 @@\n-a\u2028b\n+a\u2028c\n"
    assert diff("a", "a\n") == "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"


@given(markdown_texts, markdown_texts)
def test_a_diff_holds_every_changed_line(a: str, b: str) -> None:
    shown = diff(a, b)
    assert (shown == "") == (a == b)
    removed = [line for line in lines(shown)[2:] if line.startswith("-")]
    added = [line for line in lines(shown)[2:] if line.startswith("+")]
    assert len(lines(a)) - len(removed) == len(lines(b)) - len(added)


@given(st.lists(st.sampled_from("abc"), max_size=3), st.lists(st.sampled_from("abc"), max_size=3), st.booleans())
def test_a_diff_of_short_texts_holds_both_sides_whole(a: list[str], b: list[str], ended: bool) -> None:
    old, new = "\n".join(a), "\n".join(b) + "\n" * ended
    if old != new:
        assert patched(diff(old, new), "-") == old
        assert patched(diff(old, new), "+") == new


def test_the_ranges_of_a_diff_count_its_lines() -> None:
    shown = diff("a\nb\nc\n", "b\nc\nd\ne\n")
    found = re.search(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@", shown)
    assert found is not None
    assert found.groups() == ("1", "3", "1", "4")
