"""Text for property tests: Markdown of the kind that breaks parsers, and entries that stand on their own."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    "- a", "- b", "  - c", "    - d", "* e", "+ f", "1. g", "2) h", "-", "- [ ] task", "-\tTab", "# One", "## Two", "### Three ###",
    "## C#", "#soon", "Title", "===", "---", "***", "> quote", "> - in it", ">> deep", "```", "````", "~~~", "    code", "\tcode",
    "| a | b |", "|---|---|", "[ref]: /url", "[ref]: /url 'ti", "<div>", "</div>", "<!-- comment", "-->", "<b>", "key: value", "...",
    "word", "слово", "日本", "é", "e\u0301", "👨\u200d👩\u200d👧", "\u2028", "\x0b", "\x0c", "\x85", "\ufeff", "\\n", "", "", "  ", "\t", " ",
)  # fmt: skip
ENDS = ("\n", "\n", "\n", "\r\n", "\r", "")

pieces = st.sampled_from(PIECES)
markdown_texts = st.lists(
    st.tuples(pieces | st.text(max_size=8), st.sampled_from(ENDS)).map("".join), max_size=25
).map("".join)  # fmt: skip
"""Any mixture, with any line ends, tidy or not."""

words = st.sampled_from(("tea", "train", "Dana", "Tuesday", "ключ", "план", "七", "C++", "up-to-date", "🍋"))
plain_entries = st.lists(words, min_size=1, max_size=4).map(" ".join)
tidy_entries = plain_entries.map(lambda text: f"- {text}\n")
tidy_texts = st.lists(tidy_entries | plain_entries.map(lambda text: f"\n## {text}\n\n"), max_size=12).map("".join)
"""Headings and list items as people keep them."""
