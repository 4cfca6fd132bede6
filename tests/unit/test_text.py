"""Texts are compared in normal form, names in NFC; names that only look alike are flagged and never equal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.text import confusable, mixed_scripts, normal_form, same_name


@pytest.mark.case("S-22")
@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060", "\ufe0f", "\u200d"])
def test_a_word_with_a_hidden_character_is_a_duplicate_of_the_word(hidden: str) -> None:
    assert normal_form(f"pay{hidden}roll") == normal_form("payroll")


@pytest.mark.parametrize(
    ("a", "b"),
    [("Straße", "STRASSE"), ("café", "cafe\u0301"), ("ＡＢＣ", "abc"), ("two\n  words ", "two words"), ("Ёлка", "ёлка"),
     ("می‌خواهم", "میخواهم"), ("ﬁne", "fine")],
)  # fmt: skip
def test_texts_that_say_the_same_have_one_normal_form(a: str, b: str) -> None:
    assert normal_form(a) == normal_form(b)


def test_different_words_keep_different_normal_forms() -> None:
    assert len({normal_form(word) for word in ("полис", "полиса", "police", "polis", "ё", "е")}) == 6


@given(st.text())
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@given(st.text())
def test_canonically_equal_texts_have_one_normal_form(text: str) -> None:
    assert normal_form(unicodedata.normalize("NFD", text)) == normal_form(text)


@pytest.mark.case("I-13")
def test_a_name_is_the_same_in_both_ways_of_writing_it() -> None:
    assert same_name("\u0439", "\u0438\u0306")
    assert same_name("café", "cafe\u0301")


@pytest.mark.case("I-51")
@pytest.mark.parametrize(("a", "b"), [("PayHub", "payhub"), ("Polish", "polish"), ("PATH", "path")])
def test_names_that_differ_in_case_are_two_names_and_one_search(a: str, b: str) -> None:
    assert not same_name(a, b)
    assert normal_form(a) == normal_form(b)
    assert not confusable(a, b)


@pytest.mark.case("S-23")
@pytest.mark.parametrize(
    ("odd", "plain"),
    [("\u0430dmin", "admin"), ("раураl", "paypal"), ("gооgle", "google"), ("ΑΒΕ", "ABE"), ("ａdmin", "admin"),
     ("ad\u200bmin", "admin"), ("аdmіn", "admin"), ("paypaI", "paypal"), ("rnodern", "modern"), ("Ꮃeb", "Web"), ("օn", "on")],
)  # fmt: skip
def test_look_alikes_are_confusable_and_not_equal(odd: str, plain: str) -> None:
    assert confusable(odd, plain)
    assert confusable(plain, odd)
    assert not same_name(odd, plain)


@pytest.mark.case("S-23")
def test_equal_names_and_unlike_names_are_not_confusable() -> None:
    assert not confusable("й", "и\u0306")
    assert not confusable("admin", "admins")
    assert not confusable("Аня", "Anna")


@pytest.mark.case("S-23")
def test_scripts_that_meet_within_a_word_are_named() -> None:
    assert mixed_scripts("\u0430dmin") == {"CYRILLIC", "LATIN"}
    assert mixed_scripts("раypal-2") == {"CYRILLIC", "LATIN"}


@pytest.mark.parametrize(
    "name",
    [
        "план-api",
        "API ключ",
        "東京タワーmap",
        "日本語",
        "한국어 model",
        "naïve",
        "हिंदी1",
        "שלום_2",
        "π",
        "x²",
        "",
    ],
)
def test_ordinary_names_have_no_mixed_scripts(name: str) -> None:
    assert mixed_scripts(name) == frozenset()
