"""Exit codes: the one table from an error to the number that a script sees, and how an error is printed.

The codes follow the error tree. They are part of the interface: a code is never given another meaning.
"""

from __future__ import annotations

from dataclasses import dataclass

from reverie.cli.wording import with_options
from reverie.errors import ReverieError


@dataclass(frozen=True, slots=True)
class ExitCode:
    """A number, what it means, and the codes of the errors that end with it."""

    number: int
    means: str
    errors: tuple[str, ...] = ()


FAILED = 1
USAGE = 2
PROBLEMS = 5
INTERRUPTED = 130
BROKEN_PIPE = 141

EXIT_CODES: tuple[ExitCode, ...] = (
    ExitCode(0, "Done. Also when what was asked for is absent, which is an ordinary answer."),
    ExitCode(FAILED, "A fault that nobody foresaw, printed as a traceback; or an editor that failed.",
             ("reverie_error", "editor_failed")),
    ExitCode(USAGE, "The command line itself is wrong: an unknown command or option, a missing argument."),
    ExitCode(3, "The input is not of the right form.",
             ("invalid_name", "invalid_id", "invalid_text", "invalid_time", "invalid_setting")),
    ExitCode(4, "The input is well-formed but not acceptable.", ("over_limit", "shrink_refused", "budget_spent")),
    ExitCode(PROBLEMS, "Done, and there is something to look at: `verify` found a problem, `import` could take nothing."),
    ExitCode(6, "Somebody else was there first.", ("stale_version", "key_reused", "proposal_changed")),
    ExitCode(7, "What was named is not there, or is there twice.", ("not_found", "passage_not_found", "passage_ambiguous")),
    ExitCode(8, "This caller may not do this, or no agent or user was named.", ("not_allowed", "scope_required")),
    ExitCode(9, "The store can only be read.", ("store_read_only",)),
    ExitCode(10, "The disk is full.", ("store_full",)),
    ExitCode(11, "The store did not answer in time; trying again may help.", ("store_busy",)),
    ExitCode(12, "The store is damaged.", ("store_damaged",)),
    ExitCode(13, "The store was written by a newer Reverie.", ("schema_too_new",)),
    ExitCode(14, "A part outside the core is missing or failed.", ("missing_extra", "engine_failed")),
    ExitCode(INTERRUPTED, "Interrupted with Ctrl-C."),
    ExitCode(BROKEN_PIPE, "The reader of standard output went away."),
)  # fmt: skip

_NUMBERS = {code: row.number for row in EXIT_CODES for code in row.errors}


def exit_code(error: ReverieError) -> int:
    """The number that a command ends with after this error; 1 for a kind that is not in the table."""
    return _NUMBERS.get(error.code, FAILED)


def report(error: ReverieError, *, as_json: bool) -> None:
    """Print an error on standard error: two lines for a person, or its fields as JSON."""
    from reverie.cli import output

    remedy = with_options(error.remedy)
    if as_json:
        output.fault(error.as_dict() | {"remedy": remedy})
        return
    output.note(f"error: {error.message}")
    if remedy:
        output.note(f"  {remedy}")


def report_usage(message: str) -> None:
    """Print a wrong command line as JSON, with the fields of any other error."""
    from reverie.cli import output

    output.fault({"code": "usage", "message": message, "remedy": "See `reverie COMMAND --help`."})
