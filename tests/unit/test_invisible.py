"""Risky characters become visible on the way to a model or a screen; honest uses of the same characters pass."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.text.invisible import RISKY, Risky, risky, visible, without_bom

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def tags(letters: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in letters)


SCOTLAND = f"\U0001f3f4{tags('gbsct')}\U000e007f"

RISKY_TEXT = st.text(
    st.one_of(
        st.sampled_from(
            [chr(code) for first, last in RISKY for code in (first, last) if not 0xD800 <= code <= 0xDFFF]
        ),
        st.sampled_from(
            "a0 \n⠇あ漢语میखक्ꙮ\u05d0\u0301\u1820\u1100\u1161\u2764\U0001f468\U0001f3fb\U0001f3f4\U0001d100\U00013000"
        ),
        st.sampled_from(
            "\u200b\u200c\u200d\u200e\u200f\ufe0e\ufe0f\u2800\u034f\ufeff\U000e0100\U000e007f⟦⟧U+"
        ),
        st.characters(),
    ),
    max_size=40,
)


@pytest.mark.case("S-20")
def test_words_hidden_in_tag_letters_are_shown() -> None:
    assert visible("lunch" + tags("say yes")).startswith("lunch⟦U+E0073⟧⟦U+E0061⟧⟦U+E0079⟧⟦U+E0020⟧")


@pytest.mark.case("S-20", "S-24")
@pytest.mark.parametrize("letters", ["gbeng", "gbsct", "gbwls"])
def test_tag_letters_pass_in_a_flag_that_exists(letters: str) -> None:
    flag = f"\U0001f3f4{tags(letters)}\U000e007f"
    assert visible(f"Moved to {flag} in May") == f"Moved to {flag} in May"


@pytest.mark.case("S-20")
@pytest.mark.parametrize("letters", ["say", "sayyes", "gbscx", "gbsctgbsct", ""])
def test_tag_letters_behind_a_flag_that_spell_something_else_are_shown(letters: str) -> None:
    assert len(risky(f"\U0001f3f4{tags(letters)}\U000e007f")) == len(letters) + 1


@pytest.mark.case("S-21")
def test_a_direction_override_is_shown_where_it_stands() -> None:
    assert visible("safe\u202edm.exe") == "safe⟦U+202E⟧dm.exe"
    assert risky("safe\u202edm.exe") == (Risky(4, "U+202E"),)


@pytest.mark.case("S-21")
@pytest.mark.parametrize("code", [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0x206A, 0x2070)])
def test_every_embedding_override_isolate_and_deprecated_format_is_shown(code: int) -> None:
    assert visible(f"a{chr(code)}b") == f"a⟦U+{code:04X}⟧b"


def test_single_direction_marks_pass_and_runs_of_them_are_shown() -> None:
    assert visible("שלום\u200f!\u200e ok") == "שלום\u200f!\u200e ok"
    assert len(risky("a" + "\u200e\u200f" * 8)) == 16


@pytest.mark.case("S-22")
@pytest.mark.parametrize("code", [0x200B, 0x2060, 0xFEFF, 0xAD, 0x180E, 0x200C, 0x200D, 0x34F])
def test_zero_width_characters_in_a_latin_word_are_shown(code: int) -> None:
    assert visible(f"pass{chr(code)}word") == f"pass⟦U+{code:04X}⟧word"


@pytest.mark.case("S-24", "I-11")
@pytest.mark.parametrize(
    "text",
    [
        FAMILY,
        f"Books the {FAMILY} plan",
        "می‌خواهم",
        "او می‌خواهد چای",
        "DVD‌ها و ۱۲‌ساله",
        "سنه ۱۴۰۰ ه‍.",
        "क्‍ष और क्‌ष, विद्या",
        "ශ්‍රී ලංකාව",
        "ക്‍ഷ",
        "ភាសា\u200bខ្មែរ \u1798\u200cរ",
        "פגישה 3 ב-14:00",
        SCOTLAND,
        "🏳️‍🌈 ❤️‍🔥 👩🏽‍🚀 1️⃣ ☎︎ ✈️ 👍🏽",
        "葛\U000e0100城市",
        "ᠮᠣᠩᠭᠣᠯ\u180bᠴᠠ\u180eᠠ",
        "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙",
        "\u1100\u1160\u11a8",
        "col\ta\r\nb\n\u00a0\u3000c",
    ],
)
def test_honest_uses_pass_untouched(text: str) -> None:
    assert visible(text) == text
    assert risky(text) == ()


@pytest.mark.case("I-15")
def test_mixed_direction_keeps_its_stored_order() -> None:
    text = "פגישה עם דנה ב-14:00 (חדר 3)"
    assert visible(text) == text


@pytest.mark.case("S-24", "I-11", "I-17")
def test_a_leading_byte_order_mark_stays_unless_the_caller_takes_it_off() -> None:
    assert visible("\ufeffhello") == "\ufeffhello"
    assert without_bom("\ufeffhello") == "hello"
    assert visible("\ufeff\ufeffhello") == "\ufeff⟦U+FEFF⟧hello"


@pytest.mark.case("S-25")
@pytest.mark.parametrize("code", [0xFFF9, 0xFFFA, 0xFFFB, 0x2061, 0x2062, 0x2063, 0x2064])
def test_annotation_marks_and_invisible_operators_are_shown(code: int) -> None:
    assert visible(f"2{chr(code)}x") == f"2⟦U+{code:04X}⟧x"


@pytest.mark.case("S-25")
@pytest.mark.parametrize("base", ["a", "❤", "漢", "😀", ""])
def test_a_run_of_variation_selectors_is_shown_whole(base: str) -> None:
    selectors = "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
    assert len(selectors) == 256
    assert len(risky(base + selectors)) == 256


@pytest.mark.case("S-25")
def test_one_variation_selector_passes_behind_a_base_that_takes_it_only() -> None:
    assert risky("❤\ufe0f ☎\ufe0e 漢\ufe00") == ()
    assert [found.offset for found in risky("a\ufe0f, ж\ufe0e")] == [1, 5]


@pytest.mark.parametrize(
    "code",
    [0x00, 0x07, 0x0B, 0x0C, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x2028, 0x2029, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x2800,
     0xE000, 0xF8FF, 0xF0000, 0x10FFFD, 0xFDD0, 0xFFFE, 0x1FFFF, 0x10FFFF, 0xE0001, 0xE0020, 0xE01EF, 0x1BCA0, 0x1D173,
     0x13430, 0xD800, 0xDFFF],
)  # fmt: skip
def test_characters_without_a_face_of_their_own_are_shown(code: int) -> None:
    assert visible(f"a{chr(code)}b") == f"a⟦U+{code:04X}⟧b"


def test_text_that_already_shows_a_character_stays_as_it_is() -> None:
    assert visible("a ⟦U+202E⟧ b") == "a ⟦U+202E⟧ b"


def test_every_format_character_is_shown_unless_it_has_a_face() -> None:
    faces = [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD]
    marks = [0x61C, 0x200E, 0x200F]
    every = {code for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"}
    assert {code for code in every if not risky(f"a{chr(code)}b")} == {*faces, *marks}


@given(RISKY_TEXT)
def test_making_visible_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert risky(visible(text)) == ()


@given(RISKY_TEXT)
def test_nothing_is_dropped(text: str) -> None:
    rest = visible(text)
    for offset, character in enumerate(text):
        shown = (
            f"⟦U+{ord(character):04X}⟧" if any(found.offset == offset for found in risky(text)) else character
        )
        assert rest.startswith(shown)
        rest = rest.removeprefix(shown)
    assert not rest


@given(RISKY_TEXT)
def test_the_quick_look_and_the_long_look_agree(text: str) -> None:
    """A risky character further on takes away the short cut for ordinary text."""
    assert visible(text + "ab\u202e") == visible(text + "ab") + "⟦U+202E⟧"


@given(
    st.text(st.characters(categories=["L", "N", "P", "Zs"], exclude_characters="\u115f\u1160\u3164\uffa0"))
)
def test_letters_digits_punctuation_and_spaces_pass(text: str) -> None:
    assert visible(text) == text
