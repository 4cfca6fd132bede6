"""Files on the command line: texts go in and come out byte for byte, and everything that happened is said."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.surfaces.command_line import WHO, WHOSE, CommandLine

ODD_TEXTS = {
    "crlf": "one\r\ntwo\r\n",
    "mixed line ends": "one\rtwo\nthree\r\n",
    "byte order mark": "\ufeff---\nname: x\n---\nbody\n",
    "no line end": "one",
    "family emoji": "Books the \U0001f468\u200d\U0001f469\u200d\U0001f467 plan\n",
    "Persian": "\u0627\u0648 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u062f \u0686\u0627\u06cc\n",
    "form feed and separators": "a\x0cb\u2028c\u0085d\n",
    "markup": "[red]not red[/red] [bold]\\[/]\n",
    "hidden direction": "a\u202eb\n",
}


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
def test_a_text_from_standard_input_comes_out_of_a_pipe_byte_for_byte(text: str, reverie: CommandLine) -> None:
    assert reverie("write", "SOUL.md", *WHOSE, stdin=text.encode()).code == 0
    assert reverie("read", "SOUL.md", *WHOSE).out == text
    assert reverie("read", "SOUL.md", *WHOSE, "--json").json["text"] == text


@pytest.mark.case("I-25")
@pytest.mark.parametrize("value", ["Deploy: use blue/green", "yes", "on", "1e3", "2026-01-02"])
def test_front_matter_stays_text(value: str, reverie: CommandLine) -> None:
    text = f"---\ndescription: {value}\n---\n\n- A note.\n"
    reverie("write", "MEMORY.md", text, *WHO)
    assert reverie("read", "MEMORY.md", *WHO).out == text


@pytest.mark.case("I-31")
def test_a_backslash_and_n_are_stored_as_given_and_pointed_at(reverie: CommandLine) -> None:
    for text in (r"one\ntwo", r're.split("\n", s)'):
        ran = reverie("write", "MEMORY.md", text, *WHO, "--removal-meant")
        assert ran.code == 0
        assert r"\n as two characters" in ran.err
        assert reverie("read", "MEMORY.md", *WHO).out == f"{text}\n"
    assert "two characters" not in reverie("write", "MEMORY.md", *WHO, "--removal-meant", stdin=b"a\\nb").err


@pytest.fixture(scope="module")
def one_store(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine(str(tmp_path_factory.mktemp("store")), {})


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip))
def test_any_text_makes_the_round_trip(text: str, one_store: CommandLine) -> None:
    written = one_store("write", "topics/any.md", "--removal-meant", *WHO, stdin=text.encode())
    if written.code == 0:
        assert one_store("read", "topics/any.md", *WHO).out == text or "note:" in written.err
    else:
        assert written.code in (3, 4)


def test_input_that_is_not_utf_8_is_refused_and_stores_nothing(reverie: CommandLine) -> None:
    ran = reverie("write", "SOUL.md", *WHOSE, "--json", stdin=b"caf\xe9")
    assert (ran.code, ran.error["code"]) == (3, "invalid_text")
    assert "byte 4" in ran.error["message"]
    assert reverie("history", "SOUL.md", *WHOSE, "--json").json == []


def test_reading_an_absent_file_is_an_ordinary_answer(reverie: CommandLine) -> None:
    ran = reverie("read", "USER.md", *WHO)
    assert (ran.code, ran.out) == (0, "")
    assert "nothing is stored yet" in ran.err
    assert reverie("read", "USER.md", *WHO, "--json").json is None


def test_a_file_is_read_as_it_was_at_a_version_and_at_a_time(reverie: CommandLine) -> None:
    for day, text in ((1, "one"), (3, "three")):
        then = CommandLine(reverie.store, {"REVERIE_NOW": f"2026-12-0{day}T09:00:00+00:00"})
        then("write", "SOUL.md", text, *WHOSE)
    assert reverie("read", "SOUL.md", *WHOSE, "--version", "1").out == "one\n"
    assert reverie("read", "SOUL.md", *WHOSE, "--as-of", "2026-12-02T00:00:00+03:00").out == "one\n"
    assert reverie("read", "SOUL.md", *WHOSE, "--as-of", "2026-11-02T00:00:00Z").out == ""
    naive = reverie("read", "SOUL.md", *WHOSE, "--as-of", "2026-12-02", "--json")
    assert (naive.code, naive.error["code"]) == (3, "invalid_time")


def test_a_write_says_the_version_the_size_and_the_limit(reverie: CommandLine) -> None:
    ran = reverie("write", "SOUL.md", "calm", *WHOSE)
    assert ran.out == "SOUL.md: version 1, 5 of 2,000 characters.\n"


def test_a_soft_limit_is_passed_with_the_instruction_to_compress(reverie: CommandLine) -> None:
    ran = reverie("write", "MEMORY.md", "word " * 1100, *WHO)
    assert ran.code == 0
    assert "over its limit" in ran.out
    assert "note: " in ran.err


def test_a_masked_secret_is_told_and_not_stored(reverie: CommandLine) -> None:
    secret = "Tulip-" + "44-Comet"
    ran = reverie("append", "MEMORY.md", f"The password is {secret}", *WHO)
    assert ran.code == 0
    assert "note: " in ran.err
    assert secret not in ran.out + ran.err + reverie("read", "MEMORY.md", *WHO).out


def test_compare_and_set_refuses_the_second_writer_and_gives_the_newest_text(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "first", *WHOSE, "--version", "0")
    ran = reverie("write", "SOUL.md", "second", *WHOSE, "--version", "0", "--json")
    assert (ran.code, ran.error["code"]) == (6, "stale_version")
    assert (ran.error["current"], ran.error["text"]) == (1, "first\n")


def test_a_list_item_is_a_text_and_not_an_option(reverie: CommandLine) -> None:
    reverie("append", "MEMORY.md", "- likes tea", "--heading", "Drinks", *WHO)
    reverie("append", "MEMORY.md", "--heading", "Drinks", *WHO, "- likes\n- coffee")
    reverie("edit", "MEMORY.md", "--old", "- likes tea", "--new", "- likes green tea", *WHO)
    assert reverie("read", "MEMORY.md", *WHO).out == "## Drinks\n\n- likes green tea\n- likes\n- coffee\n"
    reverie("write", "MEMORY.md", "---\na: b\n---\n", *WHO, "--removal-meant")
    assert reverie("read", "MEMORY.md", *WHO).out == "---\na: b\n---\n"


def test_a_passage_is_edited_only_where_it_is_unique(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "tea and tea", *WHOSE)
    twice = reverie("edit", "SOUL.md", "--old", "tea", "--new", "cocoa", *WHOSE, "--json")
    assert (twice.code, twice.error["code"], twice.error["matches"]) == (7, "passage_ambiguous", 2)
    gone = reverie("edit", "SOUL.md", "--old", "milk", "--new", "cocoa", *WHOSE, "--json")
    assert (gone.code, gone.error["code"]) == (7, "passage_not_found")
    assert reverie("edit", "SOUL.md", "--old", "and tea", "--new", "or cocoa", *WHOSE).code == 0
    assert reverie("read", "SOUL.md", *WHOSE).out == "tea or cocoa\n"


def test_a_removed_file_is_absent_and_keeps_its_history(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    assert reverie("delete", "SOUL.md", *WHOSE).out == "SOUL.md: removed, as version 2.\n"
    assert reverie("read", "SOUL.md", *WHOSE).out == ""
    assert reverie("read", "SOUL.md", *WHOSE, "--version", "1").out == "calm\n"
    again = reverie("delete", "SOUL.md", *WHOSE, "--json")
    assert (again.code, again.error["code"]) == (7, "not_found")


def test_losing_most_of_a_file_has_to_be_meant(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm and careful. " * 20, *WHOSE)
    refused = reverie("write", "SOUL.md", "x", *WHOSE)
    assert refused.code == 4
    assert "--removal-meant" in refused.err
    assert "removal_meant" not in refused.err
    assert reverie("write", "SOUL.md", "x", *WHOSE, "--removal-meant").code == 0


def test_a_file_is_not_copied_onto_itself(reverie: CommandLine) -> None:
    reverie("write", "MEMORY.md", "knows tea", *WHO)
    ran = reverie("copy", "MEMORY.md", *WHO, "--to-agent", "ann", "--json")
    assert (ran.code, ran.error["code"]) == (8, "not_allowed")
    assert len(reverie("history", "MEMORY.md", *WHO, "--json").json) == 1


def test_a_file_is_copied_to_another_agent_and_the_history_says_from_where(reverie: CommandLine) -> None:
    reverie("write", "MEMORY.md", "knows tea", *WHO)
    assert reverie("copy", "MEMORY.md", *WHO, "--to-agent", "zoe").code == 0
    assert reverie("read", "MEMORY.md", "--agent", "zoe", "--user", "bob").out == "knows tea\n"
    [version] = reverie("history", "MEMORY.md", "--agent", "zoe", "--user", "bob", "--json").json
    assert "ann" in version["reason"]
    reverie("copy", "MEMORY.md", *WHO, "--to-agent", "zoe", "--to-user", "eve")
    assert reverie("read", "MEMORY.md", "--agent", "zoe", "--user", "eve").out == "knows tea\n"


def test_files_are_listed_with_size_limit_and_version(reverie: CommandLine) -> None:
    assert "No file yet" in reverie("files", *WHO).err
    reverie("write", "SOUL.md", "calm", *WHOSE)
    reverie("write", "topics/tea.md", "green", *WHO)
    listed = {row["name"]: row for row in reverie("files", *WHO, "--json").json}
    assert list(listed) == ["SOUL.md", "topics/tea.md"]
    assert (listed["SOUL.md"]["chars"], listed["SOUL.md"]["limit"], listed["SOUL.md"]["version"]) == (5, 2000, 1)
    assert "5/2000" in reverie("files", *WHO).out
    assert "bob" in reverie("files", *WHOSE).err


def test_what_a_user_owns_needs_a_user_and_the_error_names_those_there_are(reverie: CommandLine) -> None:
    reverie("write", "USER.md", "Bob", *WHO)
    ran = reverie("read", "USER.md", *WHOSE)
    assert ran.code == 8
    assert "'bob'" in ran.err
    assert "'ann'" in reverie("files").err
    assert reverie("read", "USER.md", *WHOSE, "--json").error["code"] == "scope_required"


def test_an_agents_file_is_written_through_the_agent_also_when_a_user_is_named(reverie: CommandLine) -> None:
    assert reverie("write", "SOUL.md", "calm", *WHO).code == 0
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm\n"


def test_a_held_back_write_says_so_and_can_be_shown_accepted_and_discarded(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm\n", *WHOSE)
    reverie("config", "set", "shared_writes", "review", *WHOSE)
    held = reverie("write", "SOUL.md", "calm and kind\n", *WHOSE, "--origin", "agent")
    assert held.code == 0
    [edit] = reverie("edits", *WHO, "--json").json
    assert edit["id"] in held.out
    assert edit["id"] in reverie("edits", *WHOSE).out
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm\n"
    assert "+calm and kind" in reverie("edits", "show", edit["id"], *WHOSE).out
    assert reverie("edits", "accept", edit["id"], *WHOSE, "--by", "carol", "--json").json["approver"] == "carol"
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm and kind\n"
    other = reverie("append", "SOUL.md", "loud", *WHOSE, "--origin", "agent", "--json").json
    assert reverie("edits", "discard", other["id"], *WHOSE).code == 0
    assert reverie("edits", *WHOSE, "--json").json == []
    assert reverie("edits", "accept", other["id"], *WHOSE, "--json").error["code"] == "not_found"


@pytest.mark.case("S-09")
def test_a_discarded_edit_says_who_discarded_it_and_why(reverie: CommandLine) -> None:
    reverie("config", "set", "shared_writes", "review", *WHOSE)
    held = reverie("append", "SOUL.md", "loud", *WHOSE, "--origin", "agent", "--json").json
    told = reverie("edits", "discard", held["id"], *WHOSE, "--by", "carol", "--reason", "too loud", "--json").json
    assert (told["status"], told["decided_by"], told["decided_reason"]) == ("discarded", "carol", "too loud")
    assert reverie("verify", "--json").json["ok"]


@pytest.mark.case("S-09", "R-43")
def test_an_edit_that_was_changed_is_listed_as_damaged_and_can_only_be_discarded(reverie: CommandLine) -> None:
    reverie("config", "set", "shared_writes", "review", *WHOSE)
    held = reverie("append", "SOUL.md", "loud", *WHOSE, "--origin", "agent", "--json").json
    with closing(sqlite3.connect(Path(reverie.store) / "reverie.db")) as connection, connection:
        connection.execute("UPDATE edits SET text = 'EVIL'")
    listed = reverie("edits", *WHOSE).out
    assert "damaged" in listed
    assert "EVIL" not in listed
    for verb in ("show", "accept"):
        error = reverie("edits", verb, held["id"], *WHOSE, "--json").error
        assert error["code"] == "store_damaged"
        assert f"reverie edits discard {held['id']}" in error["remedy"]
    assert reverie("edits", "discard", held["id"], *WHOSE).code == 0
    assert [code for code, *_ in reverie("verify", "--json").json["problems"]] == ["edit_altered"]


def test_history_diff_blame_and_restore(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm\n", *WHOSE, "--by", "carol", "--reason", "first words")
    reverie("append", "SOUL.md", "- kind", *WHOSE, "--by", "dan")
    versions = reverie("history", "SOUL.md", *WHOSE, "--json").json
    assert [(v["number"], v["parent"], v["actor"], v["reason"]) for v in versions] == [
        (1, 0, "carol", "first words"), (2, 1, "dan", None),
    ]  # fmt: skip
    assert "first words" in reverie("history", "SOUL.md", *WHOSE).out
    assert "+- kind" in reverie("diff", "SOUL.md", *WHOSE).out
    assert "-- kind" in reverie("diff", "SOUL.md", "2", "1", *WHOSE).out
    assert reverie("diff", "SOUL.md", "0", "1", *WHOSE, "--json").json["diff"].endswith("+calm\n")
    assert {(line["text"], line["version"]) for line in reverie("blame", "SOUL.md", *WHOSE, "--json").json} >= {
        ("calm", 1), ("- kind", 2),
    }  # fmt: skip
    assert "carol" in reverie("blame", "SOUL.md", *WHOSE).out
    assert reverie("restore", "SOUL.md", "1", *WHOSE).code == 0
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm\n"
    assert reverie("restore", "SOUL.md", "9", *WHOSE, "--json").error["code"] == "not_found"
