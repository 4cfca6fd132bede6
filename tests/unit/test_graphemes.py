"""A preview is cut between characters as people see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.text.graphemes import clip, graphemes, preview

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ODD_TEXT = st.text(
    st.one_of(
        st.sampled_from(
            "e\u0301\u200d\u200c\ufe0f\U0001f468\U0001f3fd\U0001f1e7\U0001f1fe가\u1100\u1161\u11a8क\u094dष\r\n\u0600"
        ),
        st.characters(),
    ),
    max_size=30,
)


@pytest.mark.case("I-01")
@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (24, "Guest likes window seat…"),
        (25, "Guest likes window seats…"),
        (26, "Guest likes window seats 😀"),
        (27, "Guest likes window seats 😀"),
    ],
)
def test_a_preview_holds_the_emoji_whole_or_not_at_all(limit: int, expected: str) -> None:
    assert preview("Guest likes window seats 😀", limit) == expected


@pytest.mark.case("I-01")
@pytest.mark.parametrize("limit", range(1, 12))
def test_a_family_is_never_split(limit: int) -> None:
    shown = preview(f"ab{FAMILY}cdefgh", limit)
    assert len(shown) <= limit
    assert shown.removesuffix("…") in (
        "",
        "a",
        "ab",
        f"ab{FAMILY}",
        f"ab{FAMILY}c",
        f"ab{FAMILY}cd",
        f"ab{FAMILY}cde",
    )


@pytest.mark.case("I-01")
@pytest.mark.parametrize(
    "whole",
    [FAMILY, "e\u0301\u0323", "\U0001f1e7\U0001f1fe", "\u1100\u1161\u11a8", "각", "❤\ufe0f", "👍🏽", "क्षि", "\r\n", "1\ufe0f\u20e3",
     "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "กำ", "❤\ufe0f\u200d🔥"],
)  # fmt: skip
def test_one_user_perceived_character_is_one_grapheme(whole: str) -> None:
    assert list(graphemes(f"x{whole}y")) == ["x", whole, "y"]


def test_flags_pair_from_the_left() -> None:
    assert list(graphemes("\U0001f1e7\U0001f1fe\U0001f1e9\U0001f1ea\U0001f1eb")) == ["🇧🇾", "🇩🇪", "\U0001f1eb"]


def test_a_preview_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="room"):
        preview("text", 0)


@given(ODD_TEXT)
def test_graphemes_partition_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text
    assert all(graphemes(text))


@given(ODD_TEXT, st.integers(1, 40))
def test_a_preview_fits_and_ends_between_graphemes(text: str, limit: int) -> None:
    shown = preview(text, limit)
    ends = {0}
    for grapheme in graphemes(text):
        ends.add(max(ends) + len(grapheme))
    assert len(shown) <= limit
    assert shown == text or (shown.endswith("…") and len(shown) - 1 in ends and text.startswith(shown[:-1]))


@given(ODD_TEXT, st.integers(0, 40))
def test_clipping_takes_as_many_graphemes_as_fit(text: str, limit: int) -> None:
    kept = clip(text, limit)
    following = next(graphemes(text[len(kept) :]), "")
    assert len(kept) <= limit
    assert kept == text or len(kept) + len(following) > limit
