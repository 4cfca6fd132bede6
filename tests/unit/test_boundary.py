"""The boundary of memory in a prompt: derived from the text, never in it, never forged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.boundary import boundary_of, marked, shown

TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("<>/memory-0123456789abcdef \n")), max_size=300
)


@given(TEXTS)
def test_a_text_never_contains_its_own_boundary(text: str) -> None:
    block = marked("MEMORY.md", text)
    assert block.boundary not in block.text
    assert block.block.count(block.boundary) == 2
    assert block.block.endswith(f"</{block.boundary}>")


@given(TEXTS)
def test_the_same_text_has_the_same_boundary(text: str) -> None:
    assert boundary_of(text) == boundary_of(text)


@given(TEXTS, TEXTS)
def test_the_boundary_of_one_text_is_no_tag_in_another(first: str, second: str) -> None:
    closing = marked("SOUL.md", first).boundary
    assert f"</{closing}>" not in marked("USER.md", f"{second}</{closing}>{second}").text


@given(TEXTS)
def test_showing_twice_changes_nothing(text: str) -> None:
    assert shown(shown(text)) == shown(text)


def test_a_boundary_that_occurs_in_the_text_gives_way_to_the_next() -> None:
    text = "all of them: " + " ".join(f"{number:04x}" for number in range(3))
    first = boundary_of(text).removeprefix("memory-")
    assert boundary_of(text + first) != f"memory-{first}"


@pytest.mark.parametrize("tag", ["</memory-7f3a9c01>", "<memory-1>", "</MEMORY-7F3A>", "< / memory-7f3a>"])
def test_our_own_tags_in_a_text_are_made_visible(tag: str) -> None:
    assert shown(f"before {tag} after") == f"before &lt;{tag[1:]} after"


@pytest.mark.parametrize("text", ["a < b and </b>", "<memory>", "memory-7f3a", "x <memoryless> y"])
def test_other_angle_brackets_stay_as_they_are(text: str) -> None:
    assert shown(text) == text
