"""Ids become folder names and come back; no two ids share a folder on any kind of disk."""

from __future__ import annotations

import itertools
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reverie.errors import InvalidId
from reverie.scopes import (
    CONTINUED,
    MAX_ID,
    MAX_SEGMENT,
    Scope,
    checked_id,
    folder_names,
    folder_of,
    identity_of,
)

DEVICES = ["con", "prn", "aux", "nul", "com1", "lpt9", "CON", "Com1", "con.txt", "nul.tar.gz", "con.", ".con"]
ODD_PIECES = st.sampled_from(
    [*DEVICES, ".", "..", "...", " ", "!", "%", "%2e", "+", "+a", "/", "\\", ":", "users", "topics", "SOUL.md", "ß", "ss", "ſ", "s",
     "ς", "σ", "İ", "i", "ı", "I", "K", "K", "k", "é", "e\u0301", "ﬁ", "fi", "ａ", "a", "A", "\u115f", "\u3164", "\u200b", "😀",
     "가", "\u1100\u1161", "न\u093c", "ǆ", "ǅ", "Ǆ", "Ꭰ", "ꭰ", "ა", "Ა", "漢", "ต้น", "~", "*", "a" * 97, "й" * 40, "😀" * 15]
)  # fmt: skip
ANY_TEXT = st.lists(st.one_of(ODD_PIECES, st.text(max_size=6)), min_size=1, max_size=8).map("".join)
FULL_CHUNK = "я" * 99 + "a"
"""The longest id of two-byte letters that fits one folder name."""


@st.composite
def ids(draw: st.DrawFn) -> str:
    """Any id: where a drawn text is none (blank, or too long once composed), its letters are made one."""
    text = draw(st.one_of(ANY_TEXT, st.text(min_size=1, max_size=MAX_ID)))
    allowed = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cs"))
    return checked_id("user", unicodedata.normalize("NFC", allowed)[: MAX_ID - 1].strip() or "x")


def folded(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as a disk sees them that ignores case and the form of letters."""
    return tuple(
        unicodedata.normalize("NFKD", unicodedata.normalize("NFD", name).casefold()).casefold()
        for name in names
    )


@pytest.mark.case("S-13")
@given(ids())
def test_an_id_comes_back_from_its_folder(identity: str) -> None:
    assert identity_of(folder_names(identity)) == identity


@pytest.mark.case("S-13", "I-13")
@given(ids(), st.sampled_from(["NFC", "NFD"]))
def test_an_id_comes_back_from_a_disk_that_decomposes_names(identity: str, form: str) -> None:
    stored = [unicodedata.normalize(form, name) for name in folder_names(identity)]  # type: ignore[arg-type]  # a literal
    assert identity_of(stored) == identity


@pytest.mark.case("S-13")
@given(ids(), ids())
def test_two_ids_never_share_a_folder_nor_lie_within_each_other(one: str, other: str) -> None:
    assume(one != other)
    a, b = folded(folder_names(one)), folded(folder_names(other))
    shorter = min(len(a), len(b))
    assert a[:shorter] != b[:shorter]


@pytest.mark.case("S-13")
@given(ids())
def test_every_folder_name_is_safe_on_every_disk(identity: str) -> None:
    names = folder_names(identity)
    for name in names:
        assert 0 < len(name.encode()) <= MAX_SEGMENT
        assert name[0] not in ". "
        assert name[-1] not in ". "
        assert not set(name) & set('/\\:*?"<>|\x00 ~')
        assert name.split(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt9")
        assert name == unicodedata.normalize("NFC", name)
        assert name == name.lower()
    assert all(name.endswith(CONTINUED) for name in names[:-1])
    assert not names[-1].endswith(CONTINUED)


@given(st.lists(st.text(max_size=12), max_size=3))
def test_a_foreign_folder_name_is_refused_or_is_exactly_an_id_of_ours(names: list[str]) -> None:
    try:
        identity = identity_of(names)
    except InvalidId:
        return
    assert folder_names(identity) == tuple(unicodedata.normalize("NFC", name) for name in names)


@pytest.mark.case("S-13")
@pytest.mark.parametrize(
    "names",
    [[], [""], ["Anna"], ["a b"], ["%"], ["%4"], ["%zz"], ["%61"], ["%ff"], ["+"], ["+ß"], ["a!"], ["a", "b"], ["a!", "b"], ["."], [".."],
     [".git"], ["a."], ["con"], ["con.txt"], ["😀"], ["\udcff"], ["a/b"], ["%00"], ["%0a"], ["a" * 200], ["%C3%A9"]],
)  # fmt: skip
def test_a_folder_that_no_id_makes_is_refused(names: list[str]) -> None:
    with pytest.raises(InvalidId):
        identity_of(names)


SCOPES = [
    "u1",
    "u10",
    "u1%",
    "u_1",
    "U1",
    "u1/",
    "u1:x",
    '["a","b:c"]',
    '["a","b","c"]',
    "acme",
    "acme-corp",
    "ACME",
    "u1!",
    "u1+",
]


@pytest.mark.case("S-13")
def test_ids_that_resemble_each_other_have_folders_apart() -> None:
    folders = [folded(folder_names(identity)) for identity in SCOPES]
    assert len(set(folders)) == len(SCOPES)
    assert not any(one[0].startswith(f"{other[0]}/") for one, other in itertools.permutations(folders, 2))
    assert [identity_of(folder_names(identity)) for identity in SCOPES] == SCOPES


@pytest.mark.case("S-13")
@pytest.mark.parametrize(
    "identity", ["", " ", "\t", "\u3000", "a\x00", "a\nb", "\x85", "\ud83d", "a" * 201, "é" * 200 + "a"]
)
def test_empty_overlong_and_broken_ids_are_refused(identity: str) -> None:
    with pytest.raises(InvalidId, match="user"):
        checked_id("user", identity)


@pytest.mark.case("S-13", "I-13")
def test_both_ways_of_writing_an_id_are_one_id() -> None:
    assert checked_id("user", "\u0438\u0306") == checked_id("user", "\u0439")
    assert checked_id("user", "e\u0301" * MAX_ID) == "é" * MAX_ID


@pytest.mark.case("S-13", "I-51")
def test_ids_that_differ_in_case_are_two_ids_in_two_folders() -> None:
    for one, other in (("PayHub", "payhub"), ("Polish", "polish"), ("PATH", "path"), ("Аня", "аня")):
        assert checked_id("agent", one) != checked_id("agent", other)
        assert folded(folder_names(one)) != folded(folder_names(other))
    assert folder_names("PayHub") == ("+pay+hub",)


@pytest.mark.case("S-13")
@pytest.mark.parametrize("device", DEVICES)
def test_device_names_of_windows_are_escaped(device: str) -> None:
    (name,) = folder_names(device)
    assert name.split(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt9")


@pytest.mark.case("S-13")
@pytest.mark.parametrize(
    "identity",
    [
        "😀" * 200,
        "я" * 200,
        "漢" * 200,
        "A" * 200,
        "." * 200,
        " a" * 100,
        "a" * 199 + ".",
        "a" * 199 + "con"[:1],
    ],
)
def test_long_ids_nest_in_folders_of_bounded_names(identity: str) -> None:
    names = folder_names(identity)
    assert len(names) > 1
    assert all(len(name.encode()) <= MAX_SEGMENT for name in names)
    assert identity_of(names) == identity


@pytest.mark.case("S-13")
@pytest.mark.parametrize("rest", ["con", ".git", "..", "users", "soul.md", "nul.x", "."])
def test_what_a_long_id_goes_on_with_is_as_safe_as_a_whole_name(rest: str) -> None:
    identity = FULL_CHUNK + rest
    names = folder_names(identity)
    assert len(names) == 2
    assert names[1] not in ("con", "nul.x")
    assert not names[1].startswith(".")
    assert identity_of(names) == identity


def test_a_chunk_is_filled_before_an_id_nests() -> None:
    assert len(FULL_CHUNK.encode()) == MAX_SEGMENT - len(CONTINUED)
    assert folder_names(FULL_CHUNK) == (FULL_CHUNK,)
    assert folder_names(FULL_CHUNK + "b") == (FULL_CHUNK + CONTINUED, "b")


@pytest.mark.case("S-13")
def test_a_folder_that_goes_on_never_meets_the_files_of_another_scope() -> None:
    """`agents/<chunk>!` holds nothing but the rest of long ids, whatever these are called."""
    chunk = FULL_CHUNK
    long_ids = [chunk + rest for rest in ("users", "topics", "logs", "soul.md", "user.md", "b")]
    agents = [Scope("default", identity) for identity in (chunk, *long_ids, "users", "topics", "soul.md")]
    users = [
        Scope("default", agent.agent, user)
        for agent in agents
        for user in ("users", "topics", chunk, chunk + "users")
    ]
    paths = {scope: folder_of(scope) for scope in (*agents, *users)}
    assert len({folded(path) for path in paths.values()}) == len(paths)
    for one, other in itertools.permutations(paths, 2):
        if paths[other][: len(paths[one])] == paths[one]:
            assert one == other.of_agent
            assert paths[other][len(paths[one])] == "users"


@pytest.mark.case("S-13")
@given(
    st.builds(Scope, st.one_of(st.just("default"), ids()), ids(), st.one_of(st.just(""), ids())), ids(), ids()
)
def test_scopes_are_equal_by_their_parts_and_their_paths_too(scope: Scope, agent: str, user: str) -> None:
    other = Scope(scope.project, agent, user)
    assert (folder_of(scope) == folder_of(other)) == (scope == other)


def test_plain_letters_stay_readable_and_do_not_depend_on_new_unicode_data() -> None:
    assert folder_names("аня-2") == ("аня-2",)
    assert folder_names("Anna") == ("+anna",)
    assert folder_names("東京") == ("東京",)
    assert folder_names("\ua7cb\ua7da") == (
        "%ea%9f%8b%ea%9f%9a",
    )  # letters of Unicode 16, whatever Python knows of them


def test_every_character_is_encoded_so_that_it_comes_back() -> None:
    for code in range(0, sys.maxunicode + 1, 7):
        character = chr(code)
        if (
            unicodedata.category(character) in ("Cc", "Cs")
            or unicodedata.normalize("NFC", character) != character
        ):
            continue
        identity = f"x{character}"
        assert identity_of(folder_names(identity)) == identity
