"""What a bare install brings: dependencies, megabytes, and what opening a memory imports.

A new virtual environment gets the core alone, with the pinned versions, from the package index that pip is set up for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from bench.effort import Effort
from bench.measured import Figure
from bench.stores import temporary_folder

ROOT = Path(__file__).parents[1]
DEPENDENCIES_GOAL, SIZE_GOAL = 10, 100
NOT_OURS = ("pip", "setuptools", "_distutils_hack", "wheel")

FOREIGN = (
    "anthropic", "asyncpg", "chromadb", "fastapi", "flask", "httpx", "litellm", "mcp", "numpy", "openai", "pandas",
    "psycopg", "pydantic", "pydantic_ai", "requests", "sentence_transformers", "starlette", "tiktoken", "torch",
    "transformers", "uvicorn",
)  # fmt: skip
"""Models, servers and what comes with them: none may be imported by a memory at work."""

AT_WORK = """
import json, sys, tempfile
from reverie import Memory
with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
    memory.agent("atlas").write("SOUL.md", "I am Atlas.")
    memory.agent("atlas").user("alice").context()
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""

DEPENDENCIES = """
import json, re
from importlib import metadata
from pip._vendor.packaging.requirements import Requirement
needed = [Requirement(line) for line in metadata.requires("reverie") or ()]
print(json.dumps([one.name for one in needed if "extra" not in str(one.marker or "")]))
"""


def measure(effort: Effort) -> list[Figure]:
    """Direct dependencies, all that site-packages holds but pip's own, and foreign modules that were imported."""
    with temporary_folder() as folder:
        python = _installed(folder / "venv")
        dependencies = json.loads(_said(python, DEPENDENCIES))
        imported = set(json.loads(_said(python, AT_WORK)))
        packages = python.parents[1] / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
        sizes = {path.name: _size(path) for path in packages.iterdir() if not path.name.startswith(NOT_OURS)}
    foreign = sorted(imported & set(FOREIGN))
    largest = sorted(sizes, key=lambda name: -sizes[name])[:5]
    return [
        Figure("direct dependencies", len(dependencies), "packages", DEPENDENCIES_GOAL, detail={"names": ", ".join(dependencies)}),
        Figure("bare install", sum(sizes.values()) / 1e6, "MB", SIZE_GOAL, detail={name: round(sizes[name] / 1e6, 1) for name in largest}),
        Figure("model or server libraries imported", len(foreign), "modules", 0, detail={"names": ", ".join(foreign)}),
    ]  # fmt: skip


def _installed(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pinned = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *pinned, str(ROOT)], check=True)
    return python


def _said(python: Path, program: str) -> str:
    done = subprocess.run([python, "-c", program], cwd=python.parent, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
