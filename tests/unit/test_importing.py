"""What an import decides: which records a note becomes, and what becomes of a file that went on in two places."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from reverie.importers.openclaw import _pieces
from reverie.importers.reconciling import Seen, plan

_SAYS = st.lists(st.sampled_from(["- a\n", "- b\n", "- c\n", "- d\n"]), min_size=1, max_size=4, unique=True).map("".join)


@given(_SAYS, _SAYS, _SAYS)
def test_a_plan_loses_nothing_that_only_one_side_removed(source: str, here: str, wanted: str) -> None:
    decided = plan(Seen(2, here, source=source, base=1), wanted)

    if decided.step in ("take", "merge"):
        assert decided.text is not None
        for line in {*source.split("\n"), *here.split("\n"), *wanted.split("\n")}:
            assert line in decided.text or (line in source and not (line in here and line in wanted))
    else:
        assert decided.step in ("pass", "note", "hold")


def test_a_note_keeps_its_title_its_headings_its_front_matter_and_its_references() -> None:
    note = (
        "---\ntags: x\n---\n# 2026-01-05 Trip to Minsk\n\n## Project Falcon\n\n### Decisions\n\n- chose X\n\n## Links\n\n"
        "[a]: http://x.example\n\n## Empty\n"
    )
    trip = "# 2026-01-05 Trip to Minsk"

    assert list(_pieces(note, "2026-01-05")) == [
        "---\ntags: x\n---",
        f"{trip}\n## Project Falcon\n### Decisions\n- chose X",
        f"{trip}\n## Links\n[a]: http://x.example",
        f"{trip}\n## Empty",
    ]


_LINES = [
    "## A", "### B", "# C d", "- x", "  - y", "", "words", "# 2026-01-02", "## 2026-01-02 trip", "# 2026-01-02 #", "---",
    "key: value", "[a]: http://x.example", "> said", "```", "    code", "| a |", "| - |", "<b>", "Title", "===", "* * *", "##",
]  # fmt: skip
_UNSAID = re.compile(r" {0,3}(#+( 2026-01-02)?( #)?|([-*] *){3,})|2026-01-02|")


@given(st.lists(st.sampled_from(_LINES), max_size=14), st.sampled_from(["\n", "\r\n", "\r"]))
def test_no_line_of_a_note_is_lost(note: list[str], end: str) -> None:
    """But rules, and headings that say the day or nothing."""
    found = [line for piece in _pieces(end.join(note), "2026-01-02") for line in re.split(r"\r\n|\r|\n", piece)]

    for line in note:
        assert note.count(line) <= found.count(line) or _UNSAID.fullmatch(line), (line, found)


@given(st.text(st.sampled_from("#-=*>` ab\n\r\t[]:2|<!\u2028\ufeff"), max_size=60))
def test_no_word_of_any_text_is_lost(note: str) -> None:
    found = Counter("".join(_pieces(note, "2026-01-02")))

    assert all(note.count(letter) <= found[letter] for letter in "ab2[]:|<!>")


def test_headings_of_great_length_are_told_once() -> None:
    heading = "## " + "long " * 1000
    pieces = list(_pieces(f"{heading}\n" + "- x\n" * 50, "2026-01-02"))

    assert pieces == [heading.rstrip("\r\n"), *["- x"] * 50]
