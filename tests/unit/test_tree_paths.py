"""Where memory files live: every topic has one path of its own, on every kind of disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.catalogue import FILES, MAX_SLUG, file_name
from reverie.errors import InvalidName
from reverie.tree.paths import path_meant, path_of, topic_at

LETTERS = st.characters(categories=["Ll", "Lo", "Lm", "Mn", "Nd", "So"], include_characters="-_")


@st.composite
def topics(draw: st.DrawFn) -> str:
    slug = draw(st.text(LETTERS, min_size=1, max_size=MAX_SLUG))
    try:
        return file_name(f"topics/{slug}.md")
    except InvalidName:
        return "topics/plain.md"


@given(topics())
def test_a_topic_is_found_again_by_its_path(file: str) -> None:
    assert topic_at(path_of(file)[1:]) == file


@given(topics())
def test_no_name_of_a_path_is_longer_than_a_disk_takes(file: str) -> None:
    assert all(len(name.encode()) <= 255 and "/" not in name for name in path_of(file))


@given(topics(), topics())
def test_two_topics_stay_apart_on_a_disk_that_ignores_case(one: str, other: str) -> None:
    folded = [tuple(name.casefold() for name in path_of(file)) for file in (one, other)]
    assert one == other or folded[0] != folded[1]


def test_eighty_emoji_go_into_nested_folders() -> None:
    path = path_of("topics/" + "🍋" * MAX_SLUG + ".md")

    assert len(path) > 2
    assert topic_at(path[1:]) == "topics/" + "🍋" * MAX_SLUG + ".md"


def test_the_catalogue_keeps_its_names() -> None:
    assert [path_of(row.name) for row in FILES] == [(row.name,) for row in FILES]


def test_plain_letters_of_any_script_stay_readable() -> None:
    assert path_of("topics/план-на-июль.md") == ("topics", "план-на-июль.md")


@pytest.mark.case("S-10")
@pytest.mark.parametrize(
    "names",
    [
        ("Travel.md",), ("con.md",), ("a b.md",), ("a.txt",), (".md",), ("..md",), ("%2e%2e%2fx.md",), ("..", "x.md"),
        ("a", "b.md"), ("a!",), ("x:stream.md",), ("a.b.md",), ("%61.md",), ("a!", "b.md"), ("%zz.md",), ("+.md",), ("%.md",),
        ("\udc80.md",), ("\uff0e\uff0e.md",), ("a\u2215b.md",), ("ß.md",),
    ],
)  # fmt: skip
def test_a_name_that_no_topic_has_is_no_topic(names: tuple[str, ...]) -> None:
    assert topic_at(names) is None


def test_a_stray_name_is_told_what_it_should_have_been() -> None:
    assert path_meant("🍋.md") == "topics/%f0%9f%8d%8b.md"
    assert path_meant("a b.md") is None
