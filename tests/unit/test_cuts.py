"""A text is parsed in parts, and reads as it would in one."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown import entries
from reverie.markdown.cuts import parts
from reverie.markdown.entries import parse
from tests.markdown import markdown_texts, tidy_texts

long_texts = st.tuples(st.lists(markdown_texts | tidy_texts, max_size=6).map("".join), st.integers(1, 40)).map(
    lambda drawn: drawn[0] * drawn[1]
)


@given(long_texts)
def test_a_text_reads_in_parts_as_it_does_in_one(text: str) -> None:
    assert "".join(parts(text)) == text
    whole = [(part.kind, part.text, part.block, part.level, part.title) for part in entries._parts(text)]
    assert [(span.kind, span.text, span.block, span.level, span.title) for span in parse(text).spans] == whole


def test_a_change_leaves_nearly_every_part_as_it_was() -> None:
    listed = "".join(f"- fact {number} of many\n" for number in range(20_000))
    changed = listed.replace("- fact 9000 ", "- one more\n- fact 9000 ")
    before, after = set(parts(listed)), set(parts(changed))
    assert len(before) > 100
    assert len(after - before) <= 3


def test_what_only_a_parser_can_tell_stays_in_one() -> None:
    for opening in ("```\n", "- ~~~\n", "<div>\n", "> <!-- \n", "---\nkey: value\n"):
        assert list(parts(opening + "- item\n" * 1000)) == [opening + "- item\n" * 1000]
