"""Inputs that must be refused: each with the verb that gets it, the error that answers, and what the answer must name.

`Target` is a store with something of everything in it; see `filled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from reverie import Memory, errors
from reverie.errors import ReverieError
from reverie.memory import Agent, User
from reverie.records import Entry

LIMITED = "- one entry of forty characters or so....\n"
MEMORY = "# Memory\n\n" + "- likes tea\n- lives in Riga\n- likes tea after lunch\n" + "- and so on\n" * 20


@dataclass(frozen=True)
class Target:
    """What a refused input is tried on."""

    memory: Memory

    @property
    def agent(self) -> Agent:
        return self.memory.agent("ann")

    @property
    def user(self) -> User:
        return self.agent.user("bob")

    @property
    def strict(self) -> Agent:
        """An agent whose shared files its sessions may not write."""
        return self.memory.agent("strict")


@dataclass(frozen=True)
class Refused:
    """One input: what is tried, with which error it must end, and what the error must name."""

    what: str
    error: type[ReverieError]
    attempt: Callable[..., object]
    names: str = ""


def filled(memory: Memory) -> Target:
    """Files, a topic, a removed file, a held-back edit, settings, records."""
    target = Target(memory)
    target.user.write("MEMORY.md", MEMORY)
    target.user.write("topics/tea.md", "- green\n")
    target.user.write("topics/gone.md", "- old\n")
    target.user.delete("topics/gone.md")
    target.agent.write("SOUL.md", "calm\n")
    target.agent.write("ABOUT.md", LIMITED * 40)
    target.agent.write("ABOUT.md", "short\n", removal_meant=True)
    target.agent.configure(limits={"ABOUT.md": 1000}, shared_writes="review")
    target.agent.write("SOUL.md", "calm and kind\n", origin="agent")
    target.strict.write("SOUL.md", "strict\n")
    target.strict.configure(shared_writes="off")
    memory.store.book.append(target.user.scope, [Entry("user", "user", "hello", session="s", key="k")])
    target.user.context()
    return target


NAMES: tuple[Any, ...] = (
    "", ".", "..", "../SOUL.md", "a/../../SOUL.md", "/etc/hostname", "..\\x", "%2e%2e%2fx", "SOUL", "soul.md", "SOUL.md ",
    "SOUL.md\0", "SOUL.md\n", "SOUL.md.", "SOUL.md:stream", "NOTES.md", "settings.json", "CON", "ＳＯＵＬ.md", "~/SOUL.md",
    "topics/", "topics/.md", "topics/../SOUL.md", "topics/A.md", "topics/a b.md", "topics/a/b.md", "topics//a.md",
    "topics/half\ud83d.md", f"topics/{'x' * 81}.md", "topics/a\u2215b.md", "topics/\uff0e\uff0e.md", 7, None, b"SOUL.md",
)  # fmt: skip
IDS: tuple[Any, ...] = ("", " ", "\u2003", "a" * 201, "a\nb", "a\0b", "\x85", "half \ud83d", 7, None, b"ann")
TEXTS: tuple[tuple[str, Any, type[ReverieError]], ...] = (
    ("NUL", "- a\0b\n", errors.InvalidText),
    ("half a character", "- a\ud83d\n", errors.InvalidText),
    ("the other half", "- \udc00\n", errors.InvalidText),
    ("an absurdly long line", "x" * 100_001, errors.InvalidText),
    ("more than any text may have", "- x\n" * 250_001, errors.OverLimit),
    ("a number", 7, errors.InvalidText),
    ("bytes", b"- tea", errors.InvalidText),
)
SETTINGS: tuple[tuple[dict[str, Any], type[ReverieError]], ...] = (
    ({"colour": "red"}, errors.InvalidSetting),
    ({"strateggy": "full"}, errors.InvalidSetting),
    ({"strategy": "none"}, errors.InvalidSetting),
    ({"strategy": 7}, errors.InvalidSetting),
    ({"language": "de"}, errors.InvalidSetting),
    ({"timezone": "Mars/Olympus"}, errors.InvalidTime),
    ({"timezone": ""}, errors.InvalidTime),
    ({"timezone": "../../etc/passwd"}, errors.InvalidTime),
    ({"timezone": "UTC\0"}, errors.InvalidTime),
    ({"timezone": 3}, errors.InvalidTime),
    ({"limits": {"SOUL.md": 0}}, errors.InvalidSetting),
    ({"limits": {"SOUL.md": -1}}, errors.InvalidSetting),
    ({"limits": {"SOUL.md": 10.5}}, errors.InvalidSetting),
    ({"limits": {"NOTES.md": 10}}, errors.InvalidSetting),
    ({"limits": "SOUL.md=many"}, errors.InvalidSetting),
    ({"limits": 7}, errors.InvalidSetting),
    ({"limits": {7: 7}}, errors.InvalidSetting),
    ({"ttl": {"MEMORY.md": -1}}, errors.InvalidSetting),
    ({"ttl": [1]}, errors.InvalidSetting),
    ({"dreaming": "always"}, errors.InvalidSetting),
    ({"review": ""}, errors.InvalidSetting),
    ({"shared_writes": "on"}, errors.InvalidSetting),
    ({"shared_writes": ["direct"]}, errors.InvalidSetting),
    ({"tree_edits": True}, errors.InvalidSetting),
    ({"idle_minutes": 0}, errors.InvalidSetting),
    ({"idle_minutes": "soon"}, errors.InvalidSetting),
    ({"session_writes": -1}, errors.InvalidSetting),
    ({"session_writes": True}, errors.InvalidSetting),
    ({"generated_tools": "perhaps"}, errors.InvalidSetting),
    ({"language": "ru", "colour": "red"}, errors.InvalidSetting),
)


def every() -> Iterator[Refused]:
    """The whole table."""
    yield from _names()
    yield from _ids()
    yield from _texts()
    yield from _words()
    yield from _versions()
    yield from _absent()
    yield from _not_allowed()
    yield from _settings()
    yield from _times()
    yield from _records()


def _names() -> Iterator[Refused]:
    verbs: dict[str, Callable[[User, Any], object]] = {
        "write": lambda user, name: user.write(name, "- tea\n"),
        "append": lambda user, name: user.append(name, "tea"),
        "edit": lambda user, name: user.edit(name, "tea", "coffee"),
        "delete": lambda user, name: user.delete(name),
        "restore": lambda user, name: user.restore(name, 1),
        "copy": lambda user, name: user.copy(name, to=user),
        "read": lambda user, name: user.read(name),
        "history": lambda user, name: user.history(name),
        "blame": lambda user, name: user.blame(name),
        "diff": lambda user, name: user.diff(name, 0, 0),
    }
    for number, name in enumerate(NAMES):
        for verb in ("write", list(verbs)[1 + number % (len(verbs) - 1)]):
            run = verbs[verb]
            yield Refused(
                f"{verb} {name!a}", errors.InvalidName, lambda target, run=run, name=name: run(target.user, name),
                ascii(name)[1:-1][:5] if isinstance(name, str) and name.isascii() and name.isprintable() else "",
            )  # fmt: skip


def _ids() -> Iterator[Refused]:
    for id in IDS:
        yield Refused(f"agent {id!a}", errors.InvalidId, lambda target, id=id: target.memory.agent(id), "agent")
        yield Refused(f"user {id!a}", errors.InvalidId, lambda target, id=id: target.agent.user(id), "user")
        if id is not None:
            yield Refused(
                f"session {id!a}", errors.InvalidId,
                lambda target, id=id: target.user.acting(session=id).append("MEMORY.md", "tea"), "session",
            )  # fmt: skip


def _texts() -> Iterator[Refused]:
    for what, text, error in TEXTS:
        yield Refused(f"write {what}", error, lambda target, text=text: target.user.write("MEMORY.md", text), "MEMORY.md")
        yield Refused(f"append {what}", error, lambda target, text=text: target.user.append("MEMORY.md", text))
        yield Refused(f"create from {what}", error, lambda target, text=text: target.user.write("USER.md", text), "USER.md")
        yield Refused(
            f"edit to {what}", error, lambda target, text=text: target.user.edit("MEMORY.md", "lives in Riga", text)
        )
        yield Refused(
            f"accept as {what}", error,
            lambda target, text=text: target.agent.accept_edit(target.agent.edits()[0].id, text=text), "SOUL.md",
        )  # fmt: skip
    big = "- tea\n" * 400
    hard = errors.OverLimit
    yield Refused("write over a hard limit", hard, lambda target: target.agent.write("SOUL.md", big), "SOUL.md")
    yield Refused("append over a hard limit", hard, lambda target: target.agent.append("SOUL.md", big), "SOUL.md")
    yield Refused("edit over a hard limit", hard, lambda target: target.agent.edit("SOUL.md", "calm", big), "SOUL.md")
    yield Refused("restore over a hard limit", hard, lambda target: target.agent.restore("ABOUT.md", 1), "ABOUT.md")
    yield Refused("write over a limit of the agent's", hard, lambda target: target.agent.write("ABOUT.md", LIMITED * 40))
    shrink = errors.ShrinkRefused
    yield Refused("a shrinking write", shrink, lambda target: target.user.write("MEMORY.md", "- tea\n"), "MEMORY.md")
    yield Refused("a blank write", shrink, lambda target: target.user.write("MEMORY.md", " \n\ufeff"), "MEMORY.md")
    yield Refused(
        "a stand-in for the rest", shrink, lambda target: target.user.write("MEMORY.md", MEMORY.replace("- lives in Riga\n", "[rest unchanged]\n"))
    )
    yield Refused("blank text for no file", errors.InvalidText, lambda target: target.user.write("USER.md", " "), "USER.md")
    yield Refused("a blank entry", errors.InvalidText, lambda target: target.user.append("MEMORY.md", " \n"))
    yield Refused("a heading of two lines", errors.InvalidText, lambda target: target.user.append("MEMORY.md", "a", heading="a\nb"))


def _words() -> Iterator[Refused]:
    """What a writer says besides the text."""
    for word in ("a\0b", "half \ud83d", 7):
        for name in ("actor", "reason"):
            said: dict[str, Any] = {name: word}
            yield Refused(
                f"{name} {word!a}", errors.InvalidText,
                lambda target, said=said: target.user.acting(**said).append("MEMORY.md", "tea"), name,
            )  # fmt: skip
            yield Refused(
                f"{name} {word!a} of settings", errors.InvalidText,
                lambda target, said=said: target.agent.acting(**said).configure(language="ru"), name,
            )  # fmt: skip
        by: Any = word
        yield Refused(
            f"approver {word!a}", errors.InvalidText,
            lambda target, by=by: target.agent.accept_edit(target.agent.edits()[0].id, by=by),
        )  # fmt: skip
    for origin in ("nobody", "", "USER", None, 7):
        made_up: Any = origin
        yield Refused(
            f"origin {origin!r}", errors.InvalidText,
            lambda target, origin=made_up: target.user.append("MEMORY.md", "tea", origin=origin), "origin",
        )  # fmt: skip


def _versions() -> Iterator[Refused]:
    stale = errors.StaleVersion
    for number in (0, 2, -1, 2**31, 10**30):
        yield Refused(
            f"write expecting {number}", stale,
            lambda target, number=number: target.user.write("MEMORY.md", MEMORY + "- x\n", version=number), "MEMORY.md",
        )  # fmt: skip
        yield Refused(
            f"delete expecting {number}", stale, lambda target, number=number: target.user.delete("MEMORY.md", version=number)
        )
    yield Refused("write expecting a removed file's last text", stale, lambda target: target.user.write("topics/gone.md", "x", version=1))
    yield Refused("create expecting a version", stale, lambda target: target.user.write("USER.md", "x", version=1))
    odd_numbers: tuple[Any, ...] = (0, -1, 2, 2**31, 10**30, "1", None, 1.5)
    for odd in odd_numbers:
        yield Refused(
            f"restore {odd!r}", errors.NotFound, lambda target, odd=odd: target.user.restore("MEMORY.md", odd), "MEMORY.md"
        )


def _absent() -> Iterator[Refused]:
    missing = errors.NotFound
    yield Refused("delete an absent file", missing, lambda target: target.user.delete("USER.md"), "USER.md")
    yield Refused("delete a removed file", missing, lambda target: target.user.delete("topics/gone.md"), "gone")
    yield Refused("edit an absent file", missing, lambda target: target.user.edit("USER.md", "a", "b"), "USER.md")
    yield Refused("edit a removed file", missing, lambda target: target.user.edit("topics/gone.md", "old", "b"), "gone")
    yield Refused("restore of a file that never was", missing, lambda target: target.user.restore("USER.md", 1), "USER.md")
    yield Refused("copy an absent file", missing, lambda target: target.user.copy("USER.md", to=target.user), "USER.md")
    for id in ("", "nothing", "half \ud83d", "%"):
        yield Refused(f"accept edit {id!a}", missing, lambda target, id=id: target.agent.accept_edit(id))
        yield Refused(f"discard edit {id!a}", missing, lambda target, id=id: target.agent.discard_edit(id))
    yield Refused("accept another scope's edit", missing, lambda target: target.user.accept_edit(target.agent.edits()[0].id))
    none, twice = errors.PassageNotFound, errors.PassageAmbiguous
    yield Refused("edit a passage that is not there", none, lambda target: target.user.edit("MEMORY.md", "coffee", "tea"), "coffee")
    yield Refused("edit an empty passage", none, lambda target: target.user.edit("MEMORY.md", "", "tea"))
    yield Refused("edit a passage that is there twice", twice, lambda target: target.user.edit("MEMORY.md", "likes tea", "x"), "likes tea")


def _not_allowed() -> Iterator[Refused]:
    refused, scope = errors.NotAllowed, errors.ScopeRequired
    for name in ("SOUL.md", "ABOUT.md", "TOOLS.md"):
        yield Refused(f"a user writes {name}", refused, lambda target, name=name: target.user.write(name, "x"), name)
        yield Refused(f"a user appends to {name}", refused, lambda target, name=name: target.user.append(name, "x"), name)
        yield Refused(f"a user deletes {name}", refused, lambda target, name=name: target.user.delete(name), name)
        yield Refused(
            f"an agent writes {name} where that is off", refused,
            lambda target, name=name: target.strict.append(name, "x", origin="agent"), name,
        )  # fmt: skip
    for name in ("USER.md", "MEMORY.md", "topics/tea.md"):
        yield Refused(f"{name} without a user", scope, lambda target, name=name: target.agent.append(name, "x"), name)
        yield Refused(f"copy {name} to an agent", errors.ReverieError, lambda target, name=name: target.user.copy(name, to=target.agent), name)


def _settings() -> Iterator[Refused]:
    for changes, error in SETTINGS:
        yield Refused(f"configure {changes}", error, lambda target, changes=changes: target.agent.configure(**changes))
    nested: Any = "full"
    for _ in range(5000):
        nested = [nested]
    yield Refused("configure nested lists", errors.InvalidSetting, lambda target: target.agent.configure(strategy=nested))
    yield Refused("a strategy that is not there", errors.InvalidSetting, lambda target: target.user.context(strategy="none"))
    yield Refused("a language that is not there", errors.InvalidSetting, lambda target: target.user.context(language="de"))


def _times() -> Iterator[Refused]:
    naive = datetime(2026, 3, 4)  # noqa: DTZ001  # the input that is refused
    yield Refused("read as of a time without a zone", errors.InvalidTime, lambda target: target.user.read("MEMORY.md", as_of=naive))
    yield Refused("the journal of the last day", errors.InvalidTime, lambda target: target.user.journal(day=date.max))


def _records() -> Iterator[Refused]:
    late = datetime(2026, 3, 4) + timedelta(days=1)  # noqa: DTZ001  # the input that is refused
    for what, entry, error in (
        ("without a zone", Entry("user", "user", "x", at=late), errors.InvalidTime),
        ("with NUL", Entry("user", "user", "a\0b"), errors.InvalidText),
        ("with half a character", Entry("user", "user", "\ud83d"), errors.InvalidText),
        ("with an absurdly long line", Entry("user", "user", "x" * 100_001), errors.InvalidText),
        ("with a session of control characters", Entry("user", "user", "x", session="\x1b"), errors.InvalidId),
        ("with a key of half a character", Entry("user", "user", "x", key="\ud83d"), errors.InvalidText),
        ("with a speaker of NUL", Entry("user", "user", "x", speaker="\0"), errors.InvalidText),
        ("with another record's key", Entry("user", "user", "other", session="s", key="k"), errors.KeyReused),
    ):
        yield Refused(
            f"a record {what}", error,
            lambda target, entry=entry: target.memory.store.book.append(
                target.user.scope, [Entry("user", "user", "fine"), entry]
            ),
        )  # fmt: skip
