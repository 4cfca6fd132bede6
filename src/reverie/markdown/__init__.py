"""Markdown as memory is written in it: entries and sections with their exact bytes, edits, merges, diffs and blame.

`lines` has the one rule of what a line is, `entries` cuts a text into spans that partition it, and the rest builds on
these two. Nothing here reads a file or a clock.
"""
