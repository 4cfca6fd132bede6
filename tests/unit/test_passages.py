import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reverie.errors import PassageAmbiguous, PassageNotFound
from reverie.markdown.lines import with_line_end
from reverie.markdown.passages import replace_passage
from tests.markdown import markdown_texts, tidy_texts

storable_texts = markdown_texts.filter(lambda text: "\0" not in text)

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def count(text: str, passage: str) -> int:
    return sum(text.startswith(passage, at) for at in range(len(text)))


def test_the_one_occurrence_is_replaced() -> None:
    assert replace_passage("- tea\n- milk\n", "milk", "oat milk") == "- tea\n- oat milk\n"
    assert replace_passage("- tea\n- milk\n", "- milk\n", "") == "- tea\n"


def test_a_passage_that_is_not_there_changes_nothing_and_says_what_to_do() -> None:
    with pytest.raises(PassageNotFound, match="Read the file again"):
        replace_passage("- tea\n", "coffee", "x")
    with pytest.raises(PassageNotFound, match="Line 2 differs only in case or spacing"):
        replace_passage("- tea\n- Oat  milk\n", "oat milk", "x")


def test_an_empty_passage_is_not_found() -> None:
    with pytest.raises(PassageNotFound, match="append instead"):
        replace_passage("- tea\n", "", "x")


@pytest.mark.parametrize(("text", "old", "matches"), [("a b a", "a", 2), ("aaaa", "aa", 3), ("- x\n" * 7, "- x\n", 7)])
def test_overlapping_occurrences_are_counted(text: str, old: str, matches: int) -> None:
    with pytest.raises(PassageAmbiguous) as refused:
        replace_passage(text, old, "b")
    assert refused.value.matches == matches


@pytest.mark.case("I-13")
@pytest.mark.parametrize(("stored", "asked"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
def test_a_request_in_another_normal_form_finds_the_text(stored: str, asked: str) -> None:
    text = f"- {DECOMPOSED.upper()} and {COMPOSED.upper()}\n- the {stored} opens at 9\n- \u0439 and \u0438\u0306\n"
    start = text.index("the")
    expected = f"{text[:start]}the bar opens{text[start + len(f'the {stored} opens') :]}"
    assert replace_passage(text, f"the {asked} opens", "the bar opens") == expected


@pytest.mark.case("I-13")
def test_a_letter_is_never_cut_from_its_accent_by_normal_form() -> None:
    with pytest.raises(PassageNotFound):
        replace_passage("- re\u0301sume\u0301 \u00e9t\u00e9\n", "e\u0301t\u00e9 r", "x")
    with pytest.raises(PassageNotFound):
        replace_passage("\u1112\u1161\u11ab", "\ud558", "x")


@pytest.mark.case("I-13")
@given(storable_texts, st.data())
def test_any_quote_in_another_normal_form_is_replaced_and_nothing_else(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    passage = text[start : data.draw(st.integers(start, len(text)))]
    asked = unicodedata.normalize("NFD", passage)
    try:
        changed = replace_passage(text, asked, "NEW")
    except (PassageNotFound, PassageAmbiguous):
        return
    before, _, after = changed.partition("NEW")
    assert text.startswith(before)
    assert text.endswith(after)
    taken = text[len(before) : len(text) - len(after)]
    assert unicodedata.normalize("NFC", with_line_end(taken, "\n")) == unicodedata.normalize("NFC", with_line_end(asked, "\n"))


@given(storable_texts, st.data(), st.text("abc", max_size=5))
def test_an_exact_unique_quote_is_always_found(text: str, data: st.DataObject, new: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assume(start < end and count(text, text[start:end]) == 1)
    assume(all(text[at - 1 : at + 1] != "\r\n" for at in (start, end) if at))
    assert replace_passage(text, text[start:end], new) == text[:start] + new + text[end:]


def test_line_ends_of_the_request_need_not_be_those_of_the_file() -> None:
    assert replace_passage("- a\r\n- b\r\n- c\r\n", "- a\n- b\n", "- x\n- y\n") == "- x\r\n- y\r\n- c\r\n"
    assert replace_passage("- a\n- b\n", "- a\r\n- b", "- x\r\n- y") == "- x\n- y\n"
    assert replace_passage("- a\r- b\r", "- a\n", "- x\n") == "- x\r- b\r"


def test_new_lines_take_the_end_that_the_file_uses_throughout() -> None:
    assert replace_passage("- a\r\n- b\r\n", "- b", "- b\n- c") == "- a\r\n- b\r\n- c\r\n"
    assert replace_passage("- a\r\n- b\n", "- b", "- b\n- c") == "- a\r\n- b\n- c\n"
    assert replace_passage("- a\n", "- a", "- a\r\n- b") == "- a\r\n- b\n"


def test_a_windows_line_end_is_never_cut_in_two() -> None:
    assert replace_passage("- a\r\n- b\r\n", "\n- b", "") == "- a\r\n"
    with pytest.raises(PassageNotFound):
        replace_passage("one line", "\n", " ")


@given(tidy_texts, st.data())
def test_a_quote_with_unix_line_ends_is_found_in_a_windows_file(text: str, data: st.DataObject) -> None:
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    passage = text[start : data.draw(st.integers(start + 1, len(text)))]
    assume(count(text, passage) == 1)
    expected = with_line_end(text.replace(passage, "one\ntwo", 1), "\r\n")
    if "\n" in text:
        assert replace_passage(with_line_end(text, "\r\n"), passage, "one\ntwo") == expected


@pytest.mark.case("I-31")
def test_a_backslash_and_n_are_two_characters() -> None:
    code = '- `re.split("\\n", s)`\n- one\\ntwo\n'
    assert replace_passage(code, "one\\ntwo", "one\\nthree") == '- `re.split("\\n", s)`\n- one\\nthree\n'
    assert replace_passage("- one\n", "one", "one\\ntwo") == "- one\\ntwo\n"


@pytest.mark.case("I-31")
def test_a_backslash_and_n_in_place_of_a_line_break_is_named_and_not_guessed() -> None:
    with pytest.raises(PassageNotFound, match="send real line breaks"):
        replace_passage("- one\n- two\n", "one\\n- two", "x")
    with pytest.raises(PassageNotFound, match="quote them as they are"):
        replace_passage("- one\\ntwo\n", "one\ntwo", "x")
