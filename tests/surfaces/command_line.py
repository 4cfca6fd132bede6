"""Running the command line in tests: in this process for breadth, as a real process where that is the point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from reverie.cli.main import build

WHOSE = ("--agent", "ann")
WHO = (*WHOSE, "--user", "bob")


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """Standard error as the one JSON document that it must be."""
        found: dict[str, Any] = json.loads(self.err)
        return found


@dataclass(frozen=True)
class CommandLine:
    """The command line on one store, with nothing of the machine's environment."""

    store: str
    environment: Mapping[str, str]

    def __call__(self, *words: str, stdin: bytes | str = b"") -> Ran:
        """Run in this process; a fault that nobody foresaw is raised as it is."""
        variables = {"REVERIE_AGENT": None, "REVERIE_USER": None, "REVERIE_PROJECT": None, **self._variables()}
        result = CliRunner().invoke(build(), list(words), input=stdin, env=variables, prog_name="reverie")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout_bytes.decode(), result.stderr_bytes.decode())

    def process(self, *words: str, stdin: bytes = b"") -> Ran:
        """Run as a process of its own."""
        ran = subprocess.run(self.command(*words), input=stdin, capture_output=True, env=self.variables(), check=False)
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def command(self, *words: str) -> list[str]:
        """The words of such a process."""
        return [sys.executable, "-m", "reverie.cli", *words]

    def variables(self) -> dict[str, str]:
        """The environment of such a process."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
        return kept | self._variables()

    def _variables(self) -> dict[str, str]:
        return {"REVERIE_STORE": self.store, **self.environment}


def script(folder: Path, name: str, text: str) -> str:
    """A Python program that stands in for an editor; the command that starts it."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return f"{sys.executable} {path}"
