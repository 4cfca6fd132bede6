"""Texts as hypothesis makes them: any Unicode text that can be stored, rich in what breaks naive code."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    "\n", "\r\n", "\r", "\ufeff", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85", "\t", " ", "  \n", "\\n", "- ", "* ", "# ", "## C#\n",
    "---\n", "```\n", "~~~\n", "> ", "| a | b |\n", "[x]: y\n", "<!-- ", " -->", "é", "e\u0301", "й", "🍋", "\U0001f468\u200d\U0001f469",
    "می‌خواهم", "語", "\u202e", "\u200b", "%", "_", "'", '"', "\\", "\U000e0041", "\x7f", "\x1b[31m",
)  # fmt: skip

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
"""Every character that can be stored."""

texts = st.lists(st.sampled_from(PIECES) | st.text(characters, max_size=12), max_size=30).map("".join)
"""Any text that can be stored, also blank."""

written = texts.filter(lambda text: bool(text.replace("\ufeff", "").strip()))
"""Any text that makes a file."""
