"""Names of files: the catalogue's own, and topics; everything else is refused with one kind of error."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.catalogue import FILES, MAX_SLUG, file_name, files_of, memory_file, position, topic_name
from reverie.errors import InvalidName

BAD = [
    "..", "../x", "a/../../x", "/etc/hostname", "..\\x", "%2e%2e%2fx", "%252e%252e/x", "notes/..", "./", "", "a//b", "a/./b", "x.", "x ", "CON",
    "x:stream", "x" * 300, "a\x00b", "a\nb", "a\u2215b", "\uff0e\uff0e", "~/x", " ", ".", "a b", "a\tb", "a\u202eb", "\ud83d",
    "a\u200bb", "\u115f", "\u3164", "ﬁne", "ａbc", "Travel",
]  # fmt: skip


@pytest.mark.case("S-10")
@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("form", ["{}", "{}.md", "topics/{}", "topics/{}.md"])
def test_a_path_or_an_odd_name_is_refused(name: str, form: str) -> None:
    written = form.format(name)
    with pytest.raises(InvalidName) as refusal:
        memory_file(written)
    assert refusal.value.remedy
    with pytest.raises(InvalidName):
        file_name(written)


@pytest.mark.case("S-10")
@pytest.mark.parametrize(
    "name",
    [
        "soul.md",
        "SOUL",
        "SOUL.MD",
        "SOUL.md ",
        "./SOUL.md",
        "SOUL.md/",
        "\uff33OUL.md",
        "ЅOUL.md",
        "topics/SOUL.md",
    ],
)
def test_a_near_miss_is_refused_and_not_guessed(name: str) -> None:
    with pytest.raises(InvalidName):
        memory_file(name)


def test_a_near_miss_is_told_what_was_meant() -> None:
    with pytest.raises(InvalidName, match=r"SOUL\.md"):
        memory_file("soul")
    with pytest.raises(InvalidName, match=r"topics/travel\.md"):
        memory_file("topics/Travel.md")


@pytest.mark.parametrize("name", [None, 3, b"SOUL.md", ["SOUL.md"]])
def test_a_name_that_is_not_text_is_refused(name: object) -> None:
    with pytest.raises(InvalidName, match="text"):
        memory_file(name)


@pytest.mark.case("S-10", "I-13")
@pytest.mark.parametrize("composed", ["topics/й.md", "topics/café.md", "topics/план-на-май.md"])
def test_both_ways_of_writing_a_name_are_one_name(composed: str) -> None:
    decomposed = unicodedata.normalize("NFD", composed)
    assert decomposed != composed
    assert file_name(decomposed) == file_name(composed) == composed


@pytest.mark.case("I-09")
def test_titles_in_any_script_give_names_apart() -> None:
    names = [
        topic_name(title)
        for title in ("План на июль", "План на август", "🍋", "🚲", "計画", "תוכנית", "योजना", "ಯೋಜನೆ")
    ]
    assert names[:4] == ["topics/план-на-июль.md", "topics/план-на-август.md", "topics/🍋.md", "topics/🚲.md"]
    assert len(set(names)) == len(names)


@pytest.mark.case("I-09")
@pytest.mark.parametrize("title", ["", "   ", "\n", "...", "---", "/", "\u200b", "\u115f", "\u3000"])
def test_a_title_of_which_nothing_is_left_is_refused(title: str) -> None:
    with pytest.raises(InvalidName):
        topic_name(title)


@pytest.mark.case("I-51")
def test_titles_that_differ_in_case_are_one_topic_by_rule() -> None:
    assert topic_name("PayHub") == topic_name("payhub") == "topics/payhub.md"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Q³ plan ™", "topics/q3-plan-tm.md"),
        ("../x", "topics/x.md"),
        ("C:\\notes", "topics/c-notes.md"),
        ("Café — menu", "topics/café-menu.md"),
    ],
)
def test_a_title_gives_a_plain_name(title: str, name: str) -> None:
    assert topic_name(title) == name


@given(st.text())
def test_a_title_gives_a_name_that_stands_or_a_refusal(title: str) -> None:
    try:
        name = topic_name(title)
    except InvalidName:
        return
    assert file_name(name) == name
    assert topic_name(name.removeprefix("topics/").removesuffix(".md")) == name
    assert len(name) <= len("topics/.md") + MAX_SLUG


@given(st.text())
def test_a_name_is_stored_under_one_form_or_refused(text: str) -> None:
    try:
        name = file_name(f"topics/{text}.md")
    except InvalidName:
        return
    assert name == unicodedata.normalize("NFC", name) == file_name(name)
    assert "/" not in name.removeprefix("topics/")


def test_files_come_in_the_order_of_the_catalogue_and_topics_after_them() -> None:
    names = ["topics/b.md", "USER.md", "topics/a.md", "SOUL.md"]
    assert sorted(names, key=position) == ["SOUL.md", "USER.md", "topics/a.md", "topics/b.md"]
    assert [row.name for row in (*files_of("agent"), *files_of("user"))] == [row.name for row in FILES]
