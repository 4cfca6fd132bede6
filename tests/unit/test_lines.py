import re

from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown.lines import body, is_blank, line_end, line_ends, line_number, lines, with_line_end
from tests.markdown import markdown_texts


@given(st.text() | markdown_texts)
def test_lines_give_the_text_back(text: str) -> None:
    assert "".join(lines(text)) == text


@given(st.text() | markdown_texts)
def test_every_line_but_the_last_has_exactly_one_end(text: str) -> None:
    found = lines(text)
    assert all(re.fullmatch(r"[^\r\n]*(\r\n|\r|\n)", line) for line in found[:-1])
    assert all(line for line in found)


def test_only_three_line_ends_break_a_line() -> None:
    assert lines("a\u2028b\x0bc\x0cd\x85e\x1cf\ng\rh\r\ni") == ["a\u2028b\x0bc\x0cd\x85e\x1cf\n", "g\r", "h\r\n", "i"]


def test_the_line_end_of_a_text_is_the_one_it_mostly_uses() -> None:
    assert line_end("a\r\nb\r\nc\n") == "\r\n"
    assert line_end("a\rb\rc\n") == "\r"
    assert line_end("one line") == "\n"
    assert line_ends("a\r\nb\rc") == {"\r\n", "\r"}


def test_line_ends_are_rewritten_without_touching_the_rest() -> None:
    assert with_line_end("a\r\nb\\n\rc\n", "\r\n") == "a\r\nb\\n\r\nc\r\n"


def test_a_body_has_no_end_and_a_blank_line_only_spaces() -> None:
    assert body("a \r\n") == "a "
    assert is_blank(" \t\r\n")
    assert not is_blank("\u2028\n")


@given(markdown_texts)
def test_line_numbers_follow_the_lines(text: str) -> None:
    offset = 0
    for number, line in enumerate(lines(text), 1):
        assert line_number(text, offset) == number
        assert line_number(text, offset + len(line) - 1) == number
        offset += len(line)
