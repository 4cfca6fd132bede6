"""The form of generated pages: what their first line says, and tables in Markdown."""

from __future__ import annotations

MADE = "<!-- Made by `python -m reverie.cli.reference docs/reference`; do not edit. -->\n\n"


def table(headings: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; bars in cells are escaped."""
    lines = [headings, ["---"] * len(headings), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
