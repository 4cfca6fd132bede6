"""The demonstration runs on a new store, finds nothing wrong, and says what to do next."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from reverie import Memory
from reverie.compare import StrategyCost
from reverie.demo import run
from reverie.demo.tour import verdict

HEADINGS = (
    "1. Files", "2. Limits", "3. The prompt", "4. Four strategies", "5. An edit from outside", "6. Two writers",
    "7. History, blame, restore", "8. Proof",
)  # fmt: skip


@pytest.fixture
def said(tmp_path: Path) -> str:
    """What the demonstration prints for a person, without colours, 100 characters wide."""
    printed = io.StringIO()
    console = Console(file=printed, width=100, force_terminal=False, color_system=None, highlight=False)
    assert run(tmp_path / "store", console)
    return printed.getvalue()


def test_it_goes_through_everything_and_finds_nothing_wrong(said: str) -> None:
    places = [said.index(heading) for heading in HEADINGS]
    assert places == sorted(places)
    assert "nothing is wrong" in said


def test_it_shows_both_languages_all_strategies_and_what_is_refused(said: str) -> None:
    for word in ("English", "Russian", "full", "on-demand", "hybrid-v1", "hybrid-v2 (default)"):
        assert word in said
    for code in ("over_limit", "shrink_refused", "stale_version"):
        assert code in said
    assert "Tulip-44-Comet" not in said


def test_it_ends_by_saying_what_to_do_next(said: str) -> None:
    ending = said[said.index("What next") :]
    for command in ("reverie files", "reverie context", "reverie blame", "reverie edit", "reverie init"):
        assert command in ending


def test_it_fits_the_terminal(said: str) -> None:
    wide = [line for line in said.split("\n") if len(line) > 100]
    assert wide == []


def test_the_prompt_costs_as_much_as_its_strategy(said: str) -> None:
    [total] = re.findall(r"are ([\d,]+) in every request", said)
    boot, tools, every = re.findall(r"hybrid-v2 \(default\) +([\d,]+) +([\d,]+) +([\d,]+)", said)[0]
    assert every == total
    assert number(boot) + number(tools) == number(every)


def number(figure: str) -> int:
    return int(figure.replace(",", ""))


def cost(name: str, boot: int, tools: int, growth: int) -> StrategyCost:
    return StrategyCost(name, boot, {}, 0, tools, boot, 0, 0, growth, tools > 0, None, "")


def test_the_verdict_on_the_strategies_is_computed() -> None:
    full = cost("full", 1_200, 100, 240)
    assert "that is less" not in verdict(full, cost("hybrid-v2", 300, 1_000, 0), 2_000, 5_000)
    dearer = verdict(full, cost("hybrid-v2", 301, 1_119, 0), 2_000, 5_000)
    assert "`full` sends 1,300 tokens" in dearer
    assert "hybrid-v2 1,420 until" in dearer
    assert "from 2,500 on (its limit is 5,000)" in dearer


def test_every_figure_is_written_in_one_style_and_every_code_stands_apart(said: str) -> None:
    without_times = re.sub(r"\d{4}-\d\d-\d\d|/\S+", "", said)
    assert re.findall(r"(?<![\w,-])\d{4,}", without_times) == []
    for code in ("over_limit", "shrink_refused", "stale_version"):
        assert f"({code})" in said


def test_its_store_stays_to_be_looked_at(tmp_path: Path, said: str) -> None:
    with Memory.open(tmp_path / "store") as memory:
        assert {agent: memory.agent(agent).users() for agent in memory.agents()} == {
            "atlas": ["alice", "boris"],
            "lira": ["vera"],
        }
        assert memory.verify().ok


def test_every_command_that_it_names_exists(said: str) -> None:
    from reverie.cli import reference

    known = {context.command_path for _, context in reference.commands(*reference.root())}
    named = {f"reverie {word}" for word in re.findall(r"\breverie ([a-z-]+)", said)}
    assert named
    assert named <= known
