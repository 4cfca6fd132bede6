"""The token estimate: close to the exact tokenizer, defined for any text, the default."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidSetting
from reverie.tokens import counter, estimate, kind

EXACT = counter("o200k_base").count

ENGLISH = (
    "Nadia runs the night shift of a small bakery and plans her week on Sunday evenings. She asked for short answers,\n"
    "with the recipe first and the explanation after it.\n\n"
    "- The rye starter is fed at 21:30; on Mondays it rests.\n"
    "- Flour is ordered from two mills, because one of them was late three times in spring.\n"
    "- Decision of 2026-03-04: no more sourdough classes until the new oven is installed.\n"
)
RUSSIAN = (
    "Надя работает в ночную смену в небольшой пекарне и планирует неделю по воскресеньям. Она просила отвечать коротко:\n"
    "сначала рецепт, потом объяснение.\n\n"
    "- Ржаную закваску кормят в 21:30; по понедельникам она отдыхает.\n"
    "- Муку заказывают на двух мельницах, потому что одна из них весной трижды опоздала.\n"
    "- Решение от 4 марта 2026 года: занятия по хлебу на закваске отменены, пока не поставят новую печь.\n"
)


@pytest.mark.parametrize("text", [ENGLISH, RUSSIAN], ids=["English", "Russian"])
def test_a_note_is_estimated_within_ten_per_cent(text: str) -> None:
    assert estimate(text) == pytest.approx(EXACT(text), rel=0.10)


def test_an_empty_text_costs_nothing() -> None:
    assert estimate("") == 0


@given(st.text())
def test_any_text_has_an_estimate_of_the_right_order(text: str) -> None:
    assert 0 <= estimate(text) <= 4 * len(text.encode("utf-8", "surrogatepass")) + 1


@given(st.text(min_size=1, max_size=200), st.text(max_size=200))
def test_the_estimate_does_not_depend_on_what_was_estimated_before(first: str, second: str) -> None:
    alone = estimate.__wrapped__(first)
    estimate(second)
    assert estimate(first) == alone


@pytest.mark.parametrize(
    ("piece", "row"),
    [
        ("word", "latin"), ("Word", "latin_title"), ("API", "latin_upper"), ("naïve", "latin_accented"), ("żółw", "latin_marked"),
        ("слово", "cyrillic"), ("Слово", "cyrillic_title"), ("їжак", "cyrillic_marked"), ("ёлка", "cyrillic"), ("λόγος", "greek"),
        ("漢字", "han"), ("學習", "han_marked"), ("かな", "kana"), ("한글", "hangul"), ("שלום", "hebrew"), ("سلام", "arabic"),
        ("नमस्ते", "indic"), ("ไทย", "thai"), ("123", "digits"), (" 42", "digits_spaced"), ("**", "punctuation"), ("\n\n", "space"),
        ("«", "symbol"), ("、", "wide"), ("😀", "emoji"), ("ა", "other"),
    ],
)  # fmt: skip
def test_each_script_has_its_row(piece: str, row: str) -> None:
    assert kind(piece) == row


def test_the_estimate_is_the_default_and_names_itself() -> None:
    assert counter().name == "estimate"
    assert counter().count(ENGLISH) == estimate(ENGLISH)


def test_the_exact_tokenizer_counts_on_request() -> None:
    exact = counter("o200k_base")
    assert exact.name == "o200k_base"
    assert exact.count("hello world") == 2


def test_text_that_looks_like_a_special_token_is_counted_as_text() -> None:
    assert counter("o200k_base").count("<|endoftext|>") > 1


def test_an_unknown_counter_is_refused_by_name() -> None:
    with pytest.raises(InvalidSetting, match="estimate, o200k_base"):
        counter("cl100k_base")
