import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidText, PassageAmbiguous, PassageNotFound
from reverie.markdown.entries import entries, headings, parse
from reverie.markdown.lines import line_ends, with_line_end
from reverie.markdown.sections import appended, replace_section
from tests.markdown import markdown_texts, plain_entries, tidy_texts


def test_the_first_entry_makes_the_file() -> None:
    assert appended(None, "likes tea") == "- likes tea\n"
    assert appended(None, "likes tea", "Preferences") == "## Preferences\n\n- likes tea\n"


def test_an_entry_joins_the_list_at_the_end() -> None:
    assert appended("- a\n- b\n", "c") == "- a\n- b\n- c\n"
    assert appended("- a\n\n- b\n", "c") == "- a\n\n- b\n\n- c\n"
    assert appended("* a\n", "c") == "* a\n\n- c\n"
    assert appended("1. a\n", "2. b") == "1. a\n2. b\n"


def test_an_entry_is_never_glued_to_a_line_without_an_end() -> None:
    assert appended("- a", "b") == "- a\n- b\n"
    assert appended("text", "b") == "text\n\n- b\n"
    assert appended("- a\n  ", "b") == "- a\n  \n- b\n"


def test_a_line_end_never_joins_the_one_before_it() -> None:
    assert appended("<div>\n- a\r", "b") == "<div>\n- a\r\r- b\n"
    assert appended("# A\r- a\r# B\r", "c", "A") == "# A\r- a\r- c\r\r# B\r"
    assert appended("# A\n\n- a\r- b\n\n# B\r\r\r", "c", "A") == "# A\n\n- a\r- b\n- c\n\n# B\r\r\r"


def test_the_entry_takes_the_line_ends_of_the_file() -> None:
    assert appended("- a\r\n", "one\ntwo", "New") == "- a\r\n\r\n## New\r\n\r\n- one\r\n  two\r\n"
    assert appended("# A\r- a\r", "b") == "# A\r- a\r- b\r"


def test_an_entry_goes_to_the_end_of_its_section() -> None:
    text = "# Me\n\n## Decisions\n\n- a\n\n## Context\n\n- b\n"
    assert appended(text, "c", "Decisions") == "# Me\n\n## Decisions\n\n- a\n- c\n\n## Context\n\n- b\n"
    assert appended(text, "c", "## Context") == text + "- c\n"
    assert appended("## A\n## B\n", "c", "A") == "## A\n\n- c\n\n## B\n"
    assert appended("## A\n\n## B\n", "c", "A") == "## A\n\n- c\n\n## B\n"


def test_an_entry_goes_before_the_subsections_of_its_heading() -> None:
    text = "## A\n- 1\n### Old\n- 2\n## B\n"
    assert appended(text, "3", "A") == "## A\n- 1\n- 3\n\n### Old\n- 2\n## B\n"


def test_several_lines_of_plain_text_are_one_entry() -> None:
    made = appended("- a\n", "first\nsecond\n\n1. step\n2. step\n")
    assert made == "- a\n- first\n  second\n\n  1. step\n  2. step\n"
    assert len(entries(made)) == 2


@pytest.mark.parametrize(
    "block",
    [
        "- item", "* item", "1. item", "- a\n- b", "### Heading", "Heading\n---", "| a |\n|---|\n| 1 |", "```\ncode\n```", "> quote",
        "<div>\nx\n</div>", "[ref]: /url", "***", "## New\n\n- with entry", "--",
    ],
)  # fmt: skip
def test_a_markdown_block_is_taken_as_it_is(block: str) -> None:
    assert appended("text\n", block) == f"text\n\n{block}\n"


def test_blank_lines_and_a_margin_around_an_entry_are_dropped() -> None:
    assert appended("- a\n", "\n\n  b  \n\n") == "- a\n- b\n"
    assert appended("- a\n", "    b\n      c\n") == "- a\n- b\n    c\n"
    assert appended("- a\n", "  - b\n    c\n") == "- a\n- b\n  c\n"
    assert appended("- a\n", "\ufeffb") == "- a\n- b\n"


@pytest.mark.parametrize("blank", ["", " ", "\n\t\r\n", "\ufeff", "\x0b"])
def test_a_blank_entry_is_refused(blank: str) -> None:
    with pytest.raises(InvalidText, match="blank"):
        appended("- a\n", blank)


def test_what_cannot_be_stored_cannot_be_appended() -> None:
    with pytest.raises(InvalidText, match="NUL"):
        appended("- a\n", "b\0")
    with pytest.raises(InvalidText, match="not text"):
        appended("- a\n", 7)  # type: ignore[arg-type]  # what a tool may send


@pytest.mark.parametrize("heading", ["", "##", " \n ", "a\nb", "## a\n## b"])
def test_a_heading_is_one_line_with_text(heading: str) -> None:
    with pytest.raises(InvalidText):
        appended("- a\n", "b", heading)


@pytest.mark.case("I-21", "I-51")
def test_a_heading_is_matched_by_its_exact_text() -> None:
    text = "## To do #soon\n- a\n## to do\n- b\n"
    assert appended(text, "c", "To do") == text + "\n## To do\n\n- c\n"
    assert appended(text, "c", "## To do #soon") == "## To do #soon\n- a\n- c\n\n## to do\n- b\n"
    assert appended("## Caf\u00e9\n", "c", "Cafe\u0301") == "## Caf\u00e9\n\n- c\n"


@pytest.mark.case("I-23")
@pytest.mark.parametrize("title", ["C#", "Key of F#", "Notes #", "F# ##", "`x`", "1. One", "- dash", "Under_score"])
def test_a_heading_made_once_is_found_again(title: str) -> None:
    once = appended(None, "a", title)
    assert [span.title for span in headings(once)] == [title]
    twice = appended(once, "b", title)
    assert twice == once + "- b\n"


def test_the_marks_of_a_heading_choose_between_levels_and_make_its_level() -> None:
    assert appended("# A\n### A\n", "x", "### A") == "# A\n### A\n\n- x\n"
    assert appended("# A\n", "x", "### B") == "# A\n\n### B\n\n- x\n"
    assert appended("# A\n", "x", "### A") == "# A\n\n- x\n"


@pytest.mark.case("I-19", "I-23")
def test_a_heading_that_is_only_mentioned_or_fenced_is_made() -> None:
    text = "- see ## Archive\n\n```\n## Archive\n```\n"
    assert appended(text, "x", "Archive") == text + "\n## Archive\n\n- x\n"


@pytest.mark.case("I-23")
@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("```\ncode\n", "```"), ("~~~~\n```\n~~~\n", "~~~~"), ("  ```py\ncode", "```"), ("<!-- note\n", "-->"), ("<script>\n", "</script>"),
        ("```", "```"), ("```\ncode\n    ```\n", "```"), ("<?php\n", "?>"), ("<![CDATA[\n", "]]>"), ("<!X\n", ">"),
    ],
)  # fmt: skip
def test_a_block_that_the_file_leaves_open_is_closed_before_the_entry(text: str, closing: str) -> None:
    made = appended(text, "note")
    assert made.startswith(text)
    assert made.endswith(f"{closing}\n\n- note\n")
    assert entries(made)[-1].text == "- note\n"


@pytest.mark.case("I-23")
@pytest.mark.parametrize("open_block", ["```\ncode", "~~~", "<!-- note", "text\n\n```\ncode"])
def test_an_entry_that_leaves_a_block_open_is_refused(open_block: str) -> None:
    with pytest.raises(InvalidText, match="End it with the line"):
        appended("- a\n", open_block)


def test_an_entry_that_would_change_what_is_there_is_refused() -> None:
    with pytest.raises(InvalidText, match="around it reads"):
        appended("---\nkey: value\n", "---")


@pytest.mark.case("I-31")
def test_a_backslash_and_n_stay_in_one_line() -> None:
    assert appended("- a\n", "one\\ntwo") == "- a\n- one\\ntwo\n"


@given(markdown_texts, plain_entries, st.none() | plain_entries)
def test_appending_keeps_every_byte_and_adds_one_entry(text: str, words: str, heading: str | None) -> None:
    before = parse(text)
    made = appended(text, f"zebra {words}", heading)
    after = parse(made)
    assert any(made.startswith(text[:at]) and made.endswith(text[at:]) for at in range(len(text) + 1))
    assert len(after.entries) == len(before.entries) + 1
    added = next(span for span in after.entries if "zebra" in span.text)
    assert added.text.strip() == f"- zebra {words}"
    if heading is None:
        assert added == after.entries[-1]
        assert [span.title for span in after.headings] == [span.title for span in before.headings]
    else:
        assert added.path[-1] == heading
        assert len(after.headings) == len(before.headings) + (not before.sections(heading))


@given(st.none() | markdown_texts, markdown_texts, st.none() | plain_entries)
def test_any_entry_is_added_whole_or_refused(text: str | None, entry: str, heading: str | None) -> None:
    try:
        made = appended(text, entry, heading)
    except InvalidText:
        return
    old = [span.text.rstrip() for span in parse(text or "").spans if span.kind in ("entry", "heading")]
    new = [span.text.rstrip() for span in parse(made).spans]
    missing = [part for part in old if part not in new and not any(found.startswith(part) for found in new)]
    assert missing == []


@given(tidy_texts.filter(bool), plain_entries, st.none() | plain_entries)
def test_appending_keeps_the_kind_of_line_end(text: str, entry: str, heading: str | None) -> None:
    windows = with_line_end(f"{text}\n", "\r\n")
    assert line_ends(appended(windows, entry, heading)) == {"\r\n"}
    assert with_line_end(appended(windows, entry, heading), "\n") == appended(f"{text}\n", entry, heading)


def test_a_section_is_replaced_up_to_the_next_heading_of_its_level() -> None:
    text = "# A\n## B\n- old\n### C\n- older\n## D\n- d\n"
    assert replace_section(text, "B", "- new\n") == "# A\n## B\n\n- new\n\n## D\n- d\n"
    assert replace_section(text, "## D", "one\n\ntwo") == "# A\n## B\n- old\n### C\n- older\n## D\n\none\n\ntwo\n"
    assert replace_section(text, "B", " \n") == "# A\n## B\n## D\n- d\n"
    assert replace_section("## A", "A", "- x") == "## A\n\n- x\n"


@pytest.mark.case("I-21")
def test_a_section_that_is_not_there_is_not_found_and_the_headings_are_listed() -> None:
    with pytest.raises(PassageNotFound, match="'## To do #soon', '## Done'"):
        replace_section("## To do #soon\n- a\n## Done\n", "## To do", "- b")
    with pytest.raises(PassageNotFound, match="none"):
        replace_section("- a\n", "To do", "- b")


def test_a_heading_that_occurs_twice_is_ambiguous() -> None:
    with pytest.raises(PassageAmbiguous) as refused:
        replace_section("## A\n- 1\n## A\n- 2\n", "A", "- 3")
    assert refused.value.matches == 2


@given(tidy_texts, plain_entries, plain_entries)
def test_replacing_a_section_touches_nothing_outside(text: str, title: str, entry: str) -> None:
    text += f"\n## Here\n\n- {title}\n\n## There\n\n- {title}\n"
    made = replace_section(text, "Here", f"- {entry}")
    assert made.startswith(text[: text.index("## Here")])
    assert made.endswith(text[text.index("## There") :])
    assert [span.text for span in parse(made).entries if span.path[-1:] == ("Here",)] == [f"- {entry}\n"]
