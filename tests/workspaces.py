"""An OpenClaw workspace for tests."""

from __future__ import annotations

from pathlib import Path

from reverie import Memory
from reverie.transfers import ImportReport

SOUL = "\ufeff# Soul\r\n\r\nI am calm.\r\n"
DAY = "# 2026-01-02\n\n## Morning\n- met Ann\n- drank tea\n\n## Plans\n\nSail to Odessa.\n"


def make_workspace(folder: Path) -> Path:
    """A workspace as one finds it: what is memory, what is not, and what cannot be read."""
    (folder / "memory").mkdir(parents=True)
    (folder / "skills").mkdir()
    texts = {
        "SOUL.md": SOUL, "USER.md": "- name: Ann\n", "MEMORY.md": "- likes tea\n" * 1000, "TOOLS.md": "- camera: hall\n",
        "IDENTITY.md": "- Name: Bot\n", "AGENTS.md": "Read SOUL.md first.\n", "HEARTBEAT.md": "", "BOOTSTRAP.md": "Hello\n",
        "memory/2026-01-02.md": DAY, "memory/2026-01-03-late-call.md": "- called late\n", "memory/boats.md": "- a boat\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    return folder


def import_workspace(memory: Memory, folder: Path, user: str | None = "ann") -> ImportReport:
    return memory.import_("openclaw", folder, agent="bot", user=user)
