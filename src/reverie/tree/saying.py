"""What the working tree tells its user: one notice for each thing that it did or could not do."""

from __future__ import annotations

from reverie.errors import ReverieError
from reverie.notices import Notice
from reverie.tree.decision import Leave, Wait


def adopted(file: str, number: int) -> Notice:
    """An edit became a version."""
    return Notice(
        "tree_edit_adopted", file, f"{file} was edited in the working tree; that is version {number} now."
    )


def merged(file: str, number: int) -> Notice:
    """An edit was merged with what the ledger had got meanwhile."""
    return Notice(
        "tree_edit_merged",
        file,
        f"{file} was edited in the working tree while it also changed in the ledger; version {number} has both.",
    )


def held(file: str, *, conflict: bool) -> Notice:
    """An edit waits for a person."""
    if conflict:
        return Notice(
            "tree_conflict",
            file,
            f"{file} was edited in the working tree while it also changed in the ledger, and the two do not merge. "
            "The ledger's text stays; the edit waits, see `reverie edits`.",
        )
    return Notice(
        "tree_edit_held",
        file,
        f"{file} was edited in the working tree. The edit waits until a person accepts or discards it, "
        "see `reverie edits`.",
    )


def masked(file: str, sentence: str) -> Notice:
    """What the verdict on an edit says of the secrets in it."""
    return Notice("secret_masked", file, sentence)


def untouched(file: str, outcome: Wait | Leave) -> Notice:
    """A file that cannot be used, or not yet."""
    if isinstance(outcome, Wait):
        return Notice(
            "tree_settling",
            file,
            f"{file} in the working tree is empty and may be being saved; the stored text is used.",
        )
    return Notice(
        "tree_unusable",
        file,
        f"{file} in the working tree is not used: {outcome.reason}. The stored text is used; "
        "remove what is there and the file comes back.",
    )


def refused(file: str, error: ReverieError) -> Notice:
    """An edit whose text can never be stored."""
    return Notice(
        "tree_unusable",
        file,
        f"{file} in the working tree is not used, the stored text is. {error.message} {error.remedy}",
    )


def restored(file: str) -> Notice:
    """A missing file that was written again."""
    return Notice(
        "tree_restored",
        file,
        f"{file} was missing from the working tree and is back. To remove it for good, empty it or use `reverie delete`.",
    )


def not_written(file: str, error: ReverieError) -> Notice:
    """A file that could not be brought up to date; the ledger has the truth."""
    return Notice("tree_not_written", file, f"{file} in the working tree is not up to date. {error}")


def not_taken(file: str, error: ReverieError) -> Notice:
    """A difference that could not be looked into, because the ledger cannot be written."""
    return Notice(
        "tree_not_taken",
        file,
        f"{file} in the working tree differs from the ledger, and that could not be settled yet; "
        f"the stored text is used. {error}",
    )


def not_looked_at(error: ReverieError) -> Notice:
    """A tree that could not be looked at just now."""
    return Notice("tree_not_taken", "", f"The working tree could not be looked at; the stored text is used. {error}")


def restless(file: str) -> Notice:
    """A file that somebody keeps changing."""
    return Notice(
        "tree_settling", file, f"{file} in the working tree keeps changing; the stored text is used for now."
    )
