"""A store on the command line: made, set up, checked, saved, moved, and brought back."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from reverie.cli.moving import import_
from reverie.importers import IMPORTERS
from reverie.settings import TABLE
from tests.surfaces.command_line import WHO, WHOSE, CommandLine


def test_init_makes_a_store_a_settings_file_and_an_agents_first_files(tmp_path: Path, reverie: CommandLine) -> None:
    ran = reverie("init", str(tmp_path / "new" / "deep"), *WHOSE, "--soul", "calm", "--about", "writes code")
    assert ran.code == 0
    assert "Next:" in ran.out
    there = CommandLine(str(tmp_path / "new" / "deep"), {})
    assert there("read", "SOUL.md", *WHOSE).out == "calm\n"
    assert there("read", "ABOUT.md", *WHOSE).out == "writes code\n"


def test_what_an_argument_gave_ends_its_line_so_that_more_can_be_added(reverie: CommandLine) -> None:
    reverie("init", *WHOSE, "--soul", "I am Atlas.")
    reverie("write", "ABOUT.md", "I review code.", *WHOSE)
    for name, text in {"SOUL.md": "I am Atlas.\n", "ABOUT.md": "I review code.\n"}.items():
        path = Path(reverie.store) / "agents" / "ann" / name
        with path.open("a", encoding="utf-8") as file:
            file.write("- more\n")
        assert reverie("read", name, *WHOSE).out == text + "- more\n"
    reverie("write", "ABOUT.md", *WHOSE, stdin="I review code.")
    assert reverie("read", "ABOUT.md", *WHOSE).out == "I review code."
    assert reverie("init", *WHOSE, "--soul", "I am Atlas.\n- more\n").err == ""


def test_init_can_be_repeated_and_changes_nothing(reverie: CommandLine) -> None:
    reverie("init", *WHOSE, "--soul", "calm")
    settings = Path(reverie.store) / "reverie.toml"
    settings.write_text('language = "ru"\n', encoding="utf-8")
    again = reverie("init", *WHOSE, "--soul", "loud")
    assert again.code == 0
    assert "stays as it is" in again.err
    assert settings.read_text(encoding="utf-8") == 'language = "ru"\n'
    assert len(reverie("history", "SOUL.md", *WHOSE, "--json").json) == 1


def test_the_settings_file_of_init_changes_nothing_and_each_line_of_it_can_be_used(reverie: CommandLine) -> None:
    reverie("init")
    path = Path(reverie.store) / "reverie.toml"
    assert {row["source"] for row in reverie("config", "--json").json} == {"default"}
    text = path.read_text(encoding="utf-8")
    assert tomllib.loads(text) == {}
    names = [row.name for row in TABLE]
    used = [line[2:] for line in text.split("\n") if line[2:].split(" = ")[0] in names]
    path.write_text("\n".join(used), encoding="utf-8")
    assert {row["name"]: row["source"] for row in reverie("config", "--json").json} == dict.fromkeys(names, "reverie.toml")


def test_a_reading_command_makes_no_store(tmp_path: Path, reverie: CommandLine) -> None:
    missing = tmp_path / "mistyped"
    ran = reverie("files", *WHOSE, "--store", str(missing), "--json")
    assert (ran.code, ran.error["code"]) == (7, "not_found")
    assert not missing.exists()
    (tmp_path / "letter.txt").write_text("not a store", encoding="utf-8")
    assert reverie("files", *WHOSE, "--store", str(tmp_path)).code == 7
    assert not (tmp_path / "reverie.db").exists()


def test_a_password_in_the_address_of_a_store_is_not_printed(reverie: CommandLine) -> None:
    ran = reverie("init", "postgresql://bot:hunter-2@127.0.0.1:1/none")
    assert ran.code != 0
    assert "hunter-2" not in ran.out + ran.err


def test_config_shows_where_each_value_comes_from(reverie: CommandLine) -> None:
    (Path(reverie.store) / "reverie.toml").write_text('timezone = "Europe/Minsk"\nlanguage = "en"\n', encoding="utf-8")
    assert reverie("config", "set", "language", "ru", *WHOSE).out == "language = ru (agent)\n"
    named = CommandLine(reverie.store, {"REVERIE_STRATEGY": "full"})
    found = {row["name"]: (row["value"], row["source"]) for row in named("config", *WHOSE, "--json").json}
    assert found["strategy"] == ("full", "environment")
    assert found["language"] == ("ru", "agent")
    assert found["timezone"] == ("Europe/Minsk", "reverie.toml")
    assert found["review"] == ("manual", "default")
    assert {row["name"]: row["source"] for row in named("config", "--json").json}["language"] == "reverie.toml"
    assert "Europe/Minsk" in reverie("config").out


def test_config_is_set_unset_and_kept_in_versions(reverie: CommandLine) -> None:
    reverie("config", "set", "limits", "SOUL.md=1500", "MEMORY.md=8000", *WHOSE)
    assert reverie("config", "set", "limits", "SOUL.md=x", *WHOSE, "--json").error["code"] == "invalid_setting"
    assert reverie("write", "SOUL.md", "x" * 1501, *WHOSE, "--json").error["limit"] == 1500
    reverie("config", "unset", "limits", *WHOSE)
    assert reverie("write", "SOUL.md", "x" * 1501, *WHOSE).code == 0
    history = reverie("config", "history", *WHOSE, "--json").json
    assert [json.loads(version["text"]) for version in history] == [{"limits": {"MEMORY.md": 8000, "SOUL.md": 1500}}, {}]
    assert "MEMORY.md" in reverie("config", "history", *WHOSE).out


def test_a_mistyped_setting_is_answered_with_the_nearest_one(reverie: CommandLine) -> None:
    ran = reverie("config", "set", "langauge", "ru", *WHOSE)
    assert ran.code == 3
    assert "Did you mean language?" in ran.err
    assert "reverie config" not in reverie("config", "set", "language", "ru").out
    assert reverie("config", "set", "language", "ru", "--json").error["code"] == "scope_required"


def test_context_prints_the_prompt_into_a_pipe_and_its_sections_on_request(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    made = reverie("context", *WHO, "--json").json
    assert reverie("context", *WHO).out == made["system_prompt"]
    assert "calm" in made["system_prompt"]
    assert "## Agent Identity" in reverie("context", *WHO, "--sections").out
    assert made["tokens"]["total"] == made["tokens"]["prompt"] + made["tokens"]["tools"]
    assert reverie("context", *WHO, "--strategy", "hybrid", "--json").error["code"] == "invalid_setting"
    russian = reverie("context", *WHO, "--language", "ru").out
    assert any("\u0430" <= character <= "\u044f" for character in russian)


def test_compare_lists_every_strategy(reverie: CommandLine) -> None:
    reverie("write", "MEMORY.md", "knows tea", *WHO)
    costs = reverie("compare", *WHO, "--price", "3", "--json").json
    assert [cost["strategy"] for cost in costs] == ["full", "on-demand", "hybrid-v1", "hybrid-v2"]
    assert all(cost["strategy"] in reverie("compare", *WHO).out for cost in costs)


def test_verify_is_content_with_a_good_store_and_names_what_is_wrong(reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    good = reverie("verify", "--json")
    assert (good.code, good.json["ok"], good.json["problems"]) == (0, True, [])
    (Path(reverie.store) / "agents" / "ann" / "SOUL.md").unlink()
    bad = reverie("verify", "--json")
    assert (bad.code, bad.json["ok"]) == (5, False)
    assert [code for code, _, _ in bad.json["problems"]] == ["tree_missing"]
    assert "tree_missing" in reverie("verify").out


def test_a_checkpoint_finds_a_tail_that_was_cut_off(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    assert reverie("backup", str(tmp_path / "early")).code == 0
    reverie("write", "SOUL.md", "calm and kind", *WHOSE)
    checkpoint = tmp_path / "checkpoint.json"
    assert reverie("verify", "--checkpoint", str(checkpoint)).code == 0
    assert reverie("verify", "--against", str(checkpoint)).code == 0
    assert reverie("verify", "--checkpoint", str(checkpoint), "--json").error["code"] == "not_allowed"
    assert reverie("restore-backup", str(tmp_path / "early"), "--replace").code == 0
    cut = reverie("verify", "--against", str(checkpoint), "--json")
    assert cut.code == 5
    assert "tail_missing" in {code for code, _, _ in cut.json["problems"]}
    assert reverie("verify", "--against", str(tmp_path / "none"), "--json").error["code"] == "not_found"


def test_a_backup_comes_back(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    file = str(tmp_path / "backup")
    assert reverie("backup", file).code == 0
    assert reverie("backup", file, "--json").error["code"] == "not_allowed"
    back = CommandLine(str(tmp_path / "back"), {})
    assert back("restore-backup", file).code == 0
    assert back("read", "SOUL.md", *WHOSE).out == "calm\n"
    assert back("restore-backup", file, "--json").error["code"] == "not_allowed"
    assert "pass --replace: what is there is moved aside" in back("restore-backup", file).err
    aside = back("restore-backup", file, "--replace", "--json").json["aside"]
    assert (Path(aside) / "reverie.db").exists()


def test_what_is_exported_comes_back_with_its_history(tmp_path: Path, reverie: CommandLine) -> None:
    reverie("write", "SOUL.md", "calm", *WHOSE)
    reverie("write", "MEMORY.md", "tea", *WHO)
    reverie("write", "MEMORY.md", "tea and cake", *WHO)
    folder = tmp_path / "export"
    report = reverie("export", str(folder), "--json").json
    assert (report["scopes"], report["files"]) == (2, 2)
    back = CommandLine(str(tmp_path / "back"), {})
    assert back("import", "reverie", str(folder)).code == 0
    before = reverie("history", "MEMORY.md", *WHO, "--json").json
    assert back("history", "MEMORY.md", *WHO, "--json").json == before
    assert back("verify").code == 0


def test_a_workspace_is_imported_once_and_what_is_not_taken_is_reported(tmp_path: Path, reverie: CommandLine) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "memory").mkdir(parents=True)
    for name, text in {
        "SOUL.md": "calm\n", "USER.md": "Bob\n", "AGENTS.md": "obey\n", "IDENTITY.md": "I am Ann\n",
        "memory/2026-11-30.md": "- We talked about tea.\n",
    }.items():  # fmt: skip
        (workspace / name).write_text(text, encoding="utf-8")
    first = reverie("import", "openclaw", str(workspace), *WHO, "--json")
    assert first.code == 0
    assert {"AGENTS.md", "IDENTITY.md"} <= {name for name, _ in first.json["errors"]}
    again = reverie("import", "openclaw", str(workspace), *WHO)
    assert again.out.startswith("0 added")
    assert "AGENTS.md" in again.out
    reverie("import", "openclaw", str(workspace), *WHO, "--identity-to-about")
    assert "I am Ann" in reverie("read", "ABOUT.md", *WHOSE).out
    assert reverie("read", "SOUL.md", *WHOSE).out == "calm\n"


def test_an_import_that_can_take_nothing_does_not_look_like_a_success(tmp_path: Path, reverie: CommandLine) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "USER.md").write_text("Bob\n", encoding="utf-8")
    assert reverie("import", "folder", str(tmp_path / "odd"), *WHOSE).code == 5
    assert reverie("import", "folder", str(tmp_path / "none"), *WHOSE, "--json").error["code"] == "not_found"
    assert reverie("import", "opneclaw", str(tmp_path), *WHOSE, "--json").error["code"] == "not_found"


@pytest.mark.parametrize("name", [row.name for row in IMPORTERS])
def test_the_help_of_import_names_every_format(name: str) -> None:
    assert name in (import_.__doc__ or "")


@pytest.mark.slow
def test_the_demonstration_runs_to_its_end_in_a_new_folder_only(tmp_path: Path, reverie: CommandLine) -> None:
    ran = reverie.process("demo", str(tmp_path / "demo"))
    assert ran.code == 0, ran.err
    assert "verify" in ran.out.lower() or "nothing is wrong" in ran.out
    assert reverie("demo", str(tmp_path / "demo"), "--json").error["code"] == "not_allowed"


def test_the_command_line_is_the_same_on_a_folder_and_on_a_server(store_url: str, tmp_path: Path) -> None:
    reverie = CommandLine(store_url, {"REVERIE_NOW": "2026-12-01T09:30:00+00:00"})
    assert reverie("init", *WHOSE, "--soul", "calm").code == 0
    assert reverie("append", "MEMORY.md", "- tea", *WHO).out == "MEMORY.md: version 1, 6 of 5,000 characters.\n"
    held = reverie("append", "SOUL.md", "- kind", *WHOSE, "--origin", "agent", "--json").json
    assert ("id" in held) == store_url.startswith("postgresql")
    assert reverie("read", "MEMORY.md", *WHO).out == "- tea\n"
    assert "calm" in reverie("context", *WHO).out
    assert reverie("write", "MEMORY.md", "x", *WHO, "--version", "7", "--json").error["code"] == "stale_version"
    assert reverie("verify").code == 0
    assert reverie("export", str(tmp_path / "export")).code == 0
    assert reverie("backup", str(tmp_path / "backup")).code == 0
