"""Every example of the documentation runs, in the order in which a reader meets them, in an empty folder."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import Block, blocks, name, written_pages

SERVER = "postgresql://reverie@localhost/reverie"
"""The address that pages use for a PostgreSQL database; here it is the test's own."""

PREPARED = {"README.md": {"workspace/SOUL.md": "I am helpful.\n", "workspace/USER.md": "- Likes tea\n"}}
"""What a reader already has before the page begins."""

RUN = ("python", "sh")
PAGES = [page for page in written_pages() if any(block.language in RUN for block in blocks(page))]


def test_there_are_examples_to_run() -> None:
    names = {name(page) for page in PAGES}
    assert {"README.md", "docs/tutorial/index.md"} <= names
    assert len(names) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    found = list(blocks(page))
    address = SERVER
    if any(SERVER in block.text for block in found):
        address = request.getfixturevalue("postgres_url")
    _in_an_empty_folder(tmp_path, monkeypatch)
    for file, text in PREPARED.get(name(page), {}).items():
        _write(tmp_path, file, text)
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for block in found:
        block = Block(block.language, block.text.replace(SERVER, address), block.line, block.file)
        if block.file is not None:
            _write(tmp_path, block.file, block.text)
        elif block.language == "python":
            printed = _python(block, name(page), namespace)
        elif block.language == "sh":
            printed = _shell(block, name(page))
        elif block.language == "output":
            assert printed.rstrip() == block.text.rstrip(), f"{name(page)}:{block.line} shows another output"


@pytest.mark.parametrize("page", written_pages(), ids=name)
def test_an_example_names_a_language(page: Path) -> None:
    assert [block.line for block in blocks(page) if not block.language] == []


def _in_an_empty_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for variable in [variable for variable in os.environ if variable.startswith("REVERIE_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")


def _write(folder: Path, file: str, text: str) -> None:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _python(block: Block, page: str, namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    code = compile("\n" * block.line + block.text, page, "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def _shell(block: Block, page: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{page}:{block.line} ends with {done.returncode}: {done.stderr}{done.stdout}"
    return done.stdout
