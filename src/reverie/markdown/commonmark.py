"""CommonMark: the block parser behind `entries`, with tables.

Only blocks are parsed, never what is inside a line. This module is apart because importing the parser takes longer than
most commands that never parse.
"""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from reverie.markdown.lines import body

_MAX_NESTING = 60
"""Containers that are looked into; deeper lines are told apart by their indent alone (CommonMark sets no limit)."""


class _Blocks(ParserBlock):
    """The block parser, with a milder answer to deep nesting.

    The original gives everything up to the end of the file to a container that is nested too deeply, so a long list
    could hide the headings after it. Here only lines that are indented far enough belong to it.
    """

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        if state.level < _MAX_NESTING:
            super().tokenize(state, startLine, endLine)
            return
        line = startLine + 1
        while line < endLine and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
            line += 1
        state.line = line


def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": 2 * _MAX_NESTING}).enable("table")
    blocks = _Blocks()
    blocks.ruler = markdown.block.ruler
    markdown.block = blocks
    return markdown


_MARKDOWN = _parser()


def block_tokens(all_lines: Sequence[str]) -> list[Token]:
    """The block tokens of these lines; their line numbers count ours, because line ends are made uniform here."""
    source = "".join(body(line) + "\n" for line in all_lines).replace("\0", "\ufffd")
    tokens: list[Token] = []
    _MARKDOWN.block.parse(source, _MARKDOWN, {}, tokens)
    return tokens
