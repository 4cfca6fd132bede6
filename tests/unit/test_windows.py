"""A window of a text is parsed by itself as it is in the whole, whatever stands around it."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.markdown.entries import parse
from reverie.markdown.windows import window
from tests.markdown import markdown_texts, pieces

items = st.lists(st.sampled_from(("- tea\n", "- a\r\n", "* b\r", "\n", "- code\n\n      x\n", "> q\n", "1. n\n", "text\n", "| a |\n|---|\n", "- t | u\n")), max_size=20).map("".join)  # fmt: skip


@given(markdown_texts | items, items, pieces)
def test_a_text_can_be_cut_where_its_window_at_the_end_begins(before: str, listed: str, last: str) -> None:
    text = before + listed
    low, high = window(text, len(text), len(text))
    assert high == len(text)
    for whole in (text, text + last, text + "\n" + last + "\n"):
        cut = [span.text for part in (whole[:low], whole[low:]) for span in parse(part).spans]
        assert cut == [span.text for span in parse(whole).spans]


@given(markdown_texts | items, st.data())
def test_a_text_can_be_cut_around_any_of_its_spans(text: str, data: st.DataObject) -> None:
    outline = parse(text)
    if not outline.spans:
        return
    span = data.draw(st.sampled_from(outline.spans))
    low, high = window(text, span.start, span.end, outline)
    assert low <= span.start <= span.end <= high
    cut = [span.text for part in (text[:low], text[low:high], text[high:]) for span in parse(part).spans]
    assert "".join(cut) == text
    assert [one.text for one in parse(text[low:high]).spans if one.kind != "blank"] == [
        one.text for one in outline.spans if low <= one.start and one.end <= high and one.kind != "blank"
    ]


def test_the_window_at_the_end_of_a_list_is_short_however_long_the_list_is() -> None:
    for listed in ("- abc\n" * 100_000, "# Notes\n\n" + "- abc\n  more\n\n" * 50_000, "text\n\n" * 9 + "* abc\r\n" * 9_000):
        low, high = window(listed, len(listed), len(listed))
        assert high == len(listed)
        assert high - low < 100
