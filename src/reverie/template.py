"""The file `reverie.toml` of a new store: every setting as a comment, made from the table of settings."""

from __future__ import annotations

import json
from collections.abc import Mapping

from reverie.catalogue import FILES, TOPIC
from reverie.settings import TABLE, Setting

_OPENING = """\
# Settings of this Reverie store, for every agent in it. An agent's own (`reverie config set`), the environment and
# arguments win over them. To change one, remove the '#' before its name. `reverie config` shows what holds and why.
"""

_CLOSING = """
# A strategy of your own, by file names, layers, or both; choose it with strategy = "personal".
# [strategies.personal]
# files = ["SOUL.md", "USER.md"]
# hint = true
"""


def commented_settings() -> str:
    """A settings file that changes nothing and shows everything that can be changed."""
    return _OPENING + "".join(map(_commented, TABLE)) + _CLOSING


def _commented(row: Setting) -> str:
    choices = f" ({', '.join(row.choices)})" if row.choices else ""
    return f"\n# {row.name}: {row.explains}{choices}\n# {row.name} = {_toml(_example(row))}\n"


def _example(row: Setting) -> object:
    """The default; for a mapping, which is empty by default, what the catalogue says."""
    rows = (*FILES, TOPIC)
    if row.name == "limits":
        return {file.name: file.limit for file in rows}
    if row.name == "ttl":
        return {file.name: file.ttl_days or 0 for file in rows}
    return row.default


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(name)} = {number}" for name, number in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
