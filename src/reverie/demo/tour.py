"""The tour: one act after another on a store that stays there to be looked at afterwards."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table

from reverie.compare import StrategyCost
from reverie.errors import ReverieError
from reverie.memory import Agent, Memory, ScopeMemory, User
from reverie.scopes import folder_of
from reverie.text import preview, visible
from reverie.toolsets import ToolSet

DEFAULT = "hybrid-v2"
"""The strategy of an agent that was not given one."""

PEOPLE = {"atlas": ("alice", "boris"), "lira": ("vera",)}
"""The sample: an English engineering partner with two users, a Russian editor with one."""

NUMBERS = frozenset({"characters", "limit", "version", "tokens", "boot", "tools", "every", "first", "turns", "growth", "line"})
"""Headings of columns that hold numbers."""


class Calendar:
    """A clock that the tour turns: it starts on 2 March 2026 and moves only when told to."""

    def __init__(self) -> None:
        self._now = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """The date of the tour."""
        return self._now

    def pass_days(self, days: int) -> None:
        """Let days go by."""
        self._now += timedelta(days=days)


def search_knowledge_db(query: str, db_name: str | None = None) -> str:
    """Search documents in knowledge databases."""
    return f"Nothing about {query} in {db_name or 'any database'}."


def deploy_status(service: str) -> str:
    """The state of the last rollout of a service."""
    return f"{service} is up to date."


def run(folder: Path, console: Console) -> bool:
    """Walk through the core in a new store at `folder`; whether everything verified at the end."""
    calendar = Calendar()
    with Memory.open(folder, clock=calendar) as memory:
        atlas, lira = memory.agent("atlas"), memory.agent("lira")
        alice, vera = atlas.user("alice"), lira.user("vera")
        _files(console, memory)
        _limits(console, atlas, alice)
        _prompt(console, alice)
        _strategies(console, alice, vera)
        calendar.pass_days(1)
        _editor(console, folder, alice)
        calendar.pass_days(3)
        _two_writers(console, alice)
        calendar.pass_days(1)
        _history(console, alice)
        report = memory.verify()
        _act(
            console,
            8,
            "Proof",
            "Every hash is derived again; ledger, counters and working tree are compared.",
        )
        console.print(
            "[green]✓ nothing is wrong[/]" if report.ok else f"[red]{escape(str(report.problems))}[/]"
        )
    _next(console, folder)
    return report.ok


def _files(console: Console, memory: Memory) -> None:
    _act(
        console,
        1,
        "Files",
        "Two agents, three users. Agent files are shared by the agent's users; user files are theirs.",
    )
    table = _table("whose", "file", "characters", "limit", "version")
    for name, users in PEOPLE.items():
        agent = memory.agent(name)
        if name == "lira":
            agent.configure(language="ru", timezone="Europe/Minsk")
        _fill(agent, f"sample/{name}")
        for user in users:
            _fill(agent.user(user), f"sample/{name}/users/{user}")
        for scope in (agent, *(agent.user(user) for user in users)):
            own = [
                info
                for info in scope.files()
                if (info.name in ("USER.md", "MEMORY.md")) == scope.scope.is_user
            ]
            whose = f"{name} + {scope.scope.user}" if scope.scope.is_user else name
            for info in own:
                table.add_row(whose, info.name, f"{info.chars:,}", f"{info.limit:,}", str(info.version))
                whose = ""
    console.print(table)


def _fill(scope: ScopeMemory, folder: str) -> None:
    for file in sorted(files("reverie.demo").joinpath(folder).iterdir(), key=lambda path: path.name):
        if file.name.endswith(".md"):
            scope.acting(actor="demo").write(file.name, file.read_text(encoding="utf-8"))


def _limits(console: Console, atlas: Agent, alice: User) -> None:
    _act(
        console,
        2,
        "Limits",
        "A hard limit refuses and changes nothing; a soft limit stores and asks to compress.",
    )
    sermon = "I value clarity above all else. " * 75
    _refused(console, "writing 2,400 characters to SOUL.md", lambda: atlas.write("SOUL.md", sermon))
    kept = alice.read("MEMORY.md")
    assert kept is not None, "the sample has a MEMORY.md"
    diary = "\n".join(f"- 2026-02-{day:02}: build {day * 7} was green after {day} retries of the flaky network test, see the log of that night." for day in range(1, 29))  # fmt: skip
    long = alice.write("MEMORY.md", f"{kept.text}\n## Builds\n\n{diary}\n{diary}\n", version=kept.version)
    for notice in long.notices:
        _say(console, f"stored, and the writer is told: [yellow]{escape(notice)}[/]")
    _refused(
        console,
        "replacing it by its first line and “(rest unchanged)”",
        lambda: alice.write("MEMORY.md", "## Decisions\n\n(rest unchanged)\n"),
    )
    alice.acting(actor="demo", reason="compressed").write("MEMORY.md", kept.text, removal_meant=True)
    noted = alice.append("MEMORY.md", "The staging password is Tulip-44-Comet", heading="Context")
    for notice in noted.notices:
        _say(console, f"a secret is masked before it is stored: [yellow]{escape(notice)}[/]")


def _prompt(console: Console, alice: User) -> None:
    _act(
        console,
        3,
        "The prompt",
        "What the model gets for Alice: the agent's files and a hint; her own files wait for a tool call.",
    )
    context = alice.context(tools=[_tools()])
    table = _table("section", "from", "characters", "tokens")
    for section in context.sections:
        table.add_row(
            section.heading or "—", section.file or "generated", f"{section.chars:,}", f"{section.tokens:,}"
        )
    console.print(table)
    tokens = context.tokens
    _say(console, f"{tokens.prompt:,} tokens of prompt and {tokens.tools:,} of tool schemas are {tokens.total:,} in every request")
    _say(console, f"the first {context.cache_points[0]:,} characters are the same for every user of Atlas")
    for warning in context.warnings:
        _say(console, f"and a warning: [yellow]{escape(warning.message)}[/]")
    opening = "\n".join(visible(context.system_prompt).split("\n")[:12])
    console.print(Panel(escape(opening + "\n…"), title="system prompt, first lines", border_style="dim"))


def _tools() -> ToolSet:
    facts = {
        "Available knowledge databases": {
            "Product Docs": "product documentation",
            "Internal Wiki": "internal processes",
        }
    }
    return ToolSet("engineering", [search_knowledge_db, deploy_status], settings=facts)


def _strategies(console: Console, alice: User, vera: User) -> None:
    _act(console, 4, "Four strategies", "Tokens at boot; of tools (their description and schemas); both, in every request; of the first request, in which USER and MEMORY are read by tool, in so many turns more; and for each 1,000 characters that MEMORY grows.")  # fmt: skip
    for title, user in (("English: atlas + alice", alice), ("Russian: lira + vera", vera)):
        table = _table("strategy", "boot", "tools", "every", "first", "turns", "growth", title=title)
        costs = {row.strategy: row for row in user.compare(tools=[_tools()])}
        for row in costs.values():
            mark = " (default)" if row.strategy == DEFAULT else ""
            figures = (row.boot_tokens, row.tool_tokens, every(row), row.first_request_tokens + row.tool_tokens, row.extra_turns, row.growth)  # fmt: skip
            table.add_row(f"{row.strategy}{mark}", *(f"{figure:,}" for figure in figures))
        console.print(table)
        memory = next(info for info in user.files() if info.name == "MEMORY.md")
        _say(console, verdict(costs["full"], costs[DEFAULT], memory.chars, memory.limit))
    _say(console, "The schemas are the same bytes in every request, so a provider's prompt cache holds them; and without them, as in `full`, a model cannot write to its memory.")  # fmt: skip


def every(row: StrategyCost) -> int:
    """What each request costs with a strategy, tools and all."""
    return row.boot_tokens + row.tool_tokens


def verdict(full: StrategyCost, default: StrategyCost, chars: int, limit: int) -> str:
    """Which of two strategies sends less now, and from which size of MEMORY on the default does."""
    schemas = default.tool_tokens - full.tool_tokens
    sends = (
        f"`full` sends {every(full):,} tokens in every request; {DEFAULT} {every(default):,} until it reads a file, "
        f"{schemas:,} of them for its memory tools."
    )
    more = every(default) - every(full)
    if more <= 0:
        return sends
    even = chars + -(-1000 * more // full.growth)
    return f"{sends} MEMORY has {chars:,} characters; from {even:,} on (its limit is {limit:,}) that is less than `full`."


def _editor(console: Console, folder: Path, alice: User) -> None:
    _act(
        console,
        5,
        "An edit from outside",
        "Somebody opens SOUL.md in an editor and saves. The next request has it.",
    )
    path = folder.joinpath(*folder_of(alice.scope.of_agent), "SOUL.md")
    with path.open("a", encoding="utf-8") as file:
        file.write("- Dates are written as 2026-03-03, never as 03/03.\n")
    context = alice.context()
    assert "never as 03/03" in context.system_prompt, "the edit is in the very next prompt"
    newest = alice.history("SOUL.md")[-1]
    console.print(f"  {escape(str(path))}", soft_wrap=True)
    _say(console, f"is now version {newest.number}, origin [cyan]{newest.origin}[/], and in the prompt")


def _two_writers(console: Console, alice: User) -> None:
    _act(console, 6, "Two writers", "Both read the same version; the second one is told, and loses nothing.")
    read = alice.read("MEMORY.md")
    assert read is not None, "the sample has a MEMORY.md"
    first = read.text.replace("due 2026-03-06", "done on 2026-03-06")
    alice.acting(actor="boris", reason="the review is done").write("MEMORY.md", first, version=read.version)
    late = read.text + "- Ask finance about the archive.\n"
    _refused(console, "the second writer", lambda: alice.write("MEMORY.md", late, version=read.version))
    alice.append("MEMORY.md", "Ask finance about the archive.", heading="Open tasks", origin="agent")


def _history(console: Console, alice: User) -> None:
    _act(console, 7, "History, blame, restore", "Every version is kept. Nothing is ever rewritten in place.")
    table = _table("version", "when", "origin", "who", "characters", "why")
    versions = alice.history("MEMORY.md")
    for version in versions:
        table.add_row(str(version.number), f"{version.at:%Y-%m-%d}", version.origin, version.actor or "—", f"{len(version.text or ''):,}", version.reason or "")  # fmt: skip
    console.print(table)
    blamed = _table("line", "version", "when", "origin", "text")
    for line in (
        line for line in alice.blame("MEMORY.md") if "open tasks" in line.text.lower() or line.version > 1
    ):
        text = escape(preview(visible(line.text.strip()), 38))
        blamed.add_row(str(line.line), str(line.version), f"{line.at:%Y-%m-%d}", line.origin, text)
    console.print(blamed)
    back = alice.restore("MEMORY.md", 1)
    _say(console, f"version 1 restored as version {back.number}; the history has {len(alice.history('MEMORY.md'))} versions, none is lost")
    then = alice.read("MEMORY.md", as_of=versions[-1].at)
    assert then is not None, "it was there then"
    _say(console, f"and what it said on {versions[-1].at:%d %B} can still be read: version {then.version}, {len(then.text):,} characters")  # fmt: skip


def _next(console: Console, folder: Path) -> None:
    command = _command()
    lines = [
        f"export REVERIE_STORE={folder}",
        f"{command} files   --agent atlas --user alice",
        f"{command} context --agent lira --user vera",
        f"{command} blame MEMORY.md --agent atlas --user alice",
        f"{command} edit SOUL.md    --agent atlas",
    ]
    text = "The store stays. Look at it:\n\n" + "".join(f"  {line}\n" for line in lines)
    text += f"\nThen give an agent of yours a memory: `{command} init`,\nand the ten lines in the README."
    console.print()
    console.print(Panel(escape(text), title="What next", title_align="left", border_style="green"))


def _command() -> str:
    """How to call the program from here: by name where the shell finds it, else by the path that was used."""
    used = Path(sys.argv[0])
    if shutil.which("reverie") or used.name != "reverie":
        return "reverie"
    return os.path.relpath(used)


def _act(console: Console, number: int, title: str, idea: str) -> None:
    console.print()
    console.rule(f"[bold]{number}. {title}[/]", align="left", style="dim")
    console.print(f"[dim]{idea}[/]")


def _say(console: Console, markup: str) -> None:
    """A remark, indented on each of its lines."""
    console.print(Padding(markup, (0, 0, 0, 2)))


def _table(*headings: str, title: str | None = None) -> Table:
    """A table whose columns of numbers stand at the right."""
    table = Table(box=None, header_style="bold", title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right" if heading in NUMBERS else "left")
    return table


def _refused(console: Console, what: str, act: Callable[[], object]) -> None:
    try:
        act()
    except ReverieError as error:
        _say(console, f"{what}: refused ([red]{error.code}[/]). {escape(error.message)} [dim]{escape(error.remedy)}[/]")
    else:
        raise AssertionError(f"{what} should have been refused")
