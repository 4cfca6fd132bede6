"""The whole table of the working tree's decision: head of the ledger, what was put at the path, what is there."""

from __future__ import annotations

import pytest

from reverie.tree.decision import (
    Adopt,
    Content,
    Disk,
    Empty,
    InStep,
    Leave,
    Merge,
    Missing,
    Outcome,
    Remember,
    Unusable,
    Wait,
    WriteOut,
    decide,
)

A, B, C = "a" * 64, "b" * 64, "c" * 64
YOUNG, OLD = Empty(young=True), Empty(young=False)

TABLE: list[tuple[str, str, str | None, Disk, Outcome]] = [
    ("all three agree", A, A, Content(A), InStep()),
    ("nothing anywhere", "", None, Missing(), InStep()),
    ("a removal that was carried out", "", "", Missing(), InStep()),
    ("a file was touched and never filled", "", "", OLD, InStep()),
    ("a file was touched just now", "", None, YOUNG, InStep()),
    ("the crash came after the file was written", B, A, Content(B), Remember()),
    ("the ledger meets a tree that it never wrote and that agrees", A, None, Content(A), Remember()),
    ("the crash came after the file was removed", "", A, Missing(), Remember()),
    ("a person emptied a file that was removed meanwhile", "", A, OLD, Remember()),
    ("the crash came before the file was written", B, A, Content(A), WriteOut()),
    ("the first version was never written out", A, None, Missing(), WriteOut()),
    ("the file was lost", A, A, Missing(), WriteOut()),
    ("the file was lost and the head moved", B, A, Missing(), WriteOut()),
    ("a removal is to be carried out", "", A, Content(A), WriteOut()),
    ("a touched file stands where a version belongs", A, "", OLD, WriteOut()),
    ("an empty file stands where nothing was ever put", A, None, OLD, WriteOut()),
    ("a person edited the file", A, A, Content(B), Adopt()),
    ("a person made a new file", "", None, Content(B), Adopt()),
    ("a person made a file again that was removed", "", "", Content(A), Adopt()),
    ("a person emptied the file", A, A, OLD, Adopt()),
    ("both moved", B, A, Content(C), Merge()),
    ("a person edited what the ledger removed", "", A, Content(C), Merge()),
    ("a person emptied what the ledger changed", B, A, OLD, Merge()),
    ("both made a file", B, "", Content(C), Merge()),
    ("the ledger meets a tree that it never wrote and that differs", A, None, Content(B), Merge()),
    ("an editor is about to fill the file", A, A, YOUNG, Wait()),
    ("an editor is about to fill a file whose head moved", B, A, YOUNG, Wait()),
    ("an editor is about to fill a file that was removed", "", A, YOUNG, Wait()),
    ("a link stands there", A, A, Unusable("it is a symbolic link"), Leave("it is a symbolic link")),
    ("a pipe stands where nothing should be", "", None, Unusable("a pipe"), Leave("a pipe")),
]


@pytest.mark.parametrize(
    ("head", "mirrored", "disk", "outcome"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_each_state_of_a_file_has_one_outcome(
    head: str, mirrored: str | None, disk: Disk, outcome: Outcome
) -> None:
    assert decide(head=head, mirrored=mirrored, disk=disk) == outcome


STATES = ["", A, B, C]


@pytest.mark.parametrize("head", STATES)
@pytest.mark.parametrize("mirrored", [None, *STATES])
def test_a_missing_file_is_never_taken_for_a_removal(head: str, mirrored: str | None) -> None:
    assert not isinstance(decide(head=head, mirrored=mirrored, disk=Missing()), Adopt | Merge)


@pytest.mark.parametrize("head", STATES)
@pytest.mark.parametrize("mirrored", [None, *STATES])
@pytest.mark.parametrize("found", [A, B, C])
def test_text_that_neither_side_knows_is_never_written_over(
    head: str, mirrored: str | None, found: str
) -> None:
    outcome = decide(head=head, mirrored=mirrored, disk=Content(found))
    if found not in (head, mirrored):
        assert isinstance(outcome, Adopt | Merge)


@pytest.mark.parametrize("head", STATES)
@pytest.mark.parametrize("mirrored", [None, *STATES])
@pytest.mark.parametrize("disk", [Missing(), YOUNG, OLD, Content(A), Content(B)])
def test_acting_on_an_outcome_brings_the_file_in_step(head: str, mirrored: str | None, disk: Disk) -> None:
    match decide(head=head, mirrored=mirrored, disk=disk):
        case Remember():
            mirrored = head
        case WriteOut():
            mirrored, disk = head, Content(head) if head else Missing()
        case Adopt():
            head = disk.hash if isinstance(disk, Content) else ""
            mirrored = head
        case _:
            return
    assert decide(head=head, mirrored=mirrored, disk=disk) == InStep()
