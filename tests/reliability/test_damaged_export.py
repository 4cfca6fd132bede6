"""An export of a damaged store is refused, so that none is made that cannot be brought back."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import StoreDamaged

DAMAGE = {
    "a newest text": "UPDATE versions SET text = 'tampered' WHERE number = 2",
    "an older text": "UPDATE versions SET text = 'tampered' WHERE number = 1",
    "a text that is gone": "UPDATE versions SET text = NULL WHERE number = 2",
    "a hash": "UPDATE versions SET hash = 'none' WHERE number = 2",
    "a journal record": "UPDATE records SET text = 'tampered' WHERE seq = 1",
    "the end of the journal": "DELETE FROM records WHERE seq = 2",
}


@pytest.mark.case("R-14")
@pytest.mark.parametrize("what", list(DAMAGE))
def test_a_damaged_store_is_not_exported(store_url: str, tmp_path: Path, what: str) -> None:
    with Memory.open(store_url) as memory:
        user = memory.agent("ann").user("bob")
        user.write("MEMORY.md", "- one\n")
        user.write("MEMORY.md", "- two\n")
        with memory.store.database.writer.begin() as connection:
            connection.execute(sa.text(DAMAGE[what]))

        with pytest.raises(StoreDamaged, match="bob"):
            memory.export(tmp_path / "export")

    assert list(tmp_path.glob("export*")) == []


def test_the_files_beside_the_rows_are_the_newest_versions_whatever_the_heads_say(sqlite_url: str, tmp_path: Path) -> None:
    with Memory.open(sqlite_url) as memory:
        user = memory.agent("ann").user("bob")
        for text in ("- one\n", "- two\n"):
            user.write("MEMORY.md", text)
        user.write("USER.md", "- Bob\n")
        user.delete("USER.md")
        with memory.store.database.writer.begin() as connection:
            connection.execute(sa.text("UPDATE heads SET number = 1 WHERE file = 'MEMORY.md'"))

        assert memory.export(tmp_path / "export").files == 1

    assert (tmp_path / "export/agents/ann/users/bob/MEMORY.md").read_text() == "- two\n"
