"""A plain folder of memory in this program's own names: the catalogue's files, and topics in `topics/`."""

from __future__ import annotations

from reverie.catalogue import FILES, TOPIC_PREFIX, topic_name
from reverie.errors import InvalidName
from reverie.importers import ImportJob
from reverie.importers.intake import Intake
from reverie.importers.workspace import SUFFIX, below, opened, others, text_at
from reverie.transfers import ImportReport
from reverie.wiring import Folder, topic_at

TOPICS = TOPIC_PREFIX.rstrip("/")
_DEEPEST = 8


def run(job: ImportJob) -> ImportReport:
    """Take what the catalogue knows; other Markdown files are reported."""
    intake = Intake(job, "folder")
    known = [row.name for row in FILES]
    with opened(job.path) as folder:
        names = folder.names()
        for name in known:
            if name in names and (text := text_at(folder, name, intake)) is not None:
                intake.file(name, text, name=name)
        for name in names:
            if name.endswith(SUFFIX) and name not in known:
                intake.refuse(name, "no memory file has this name")
        others(folder, (TOPICS,), intake)
        topics = below(folder, TOPICS, intake)
        if topics is not None:
            with topics:
                _topics(topics, (), intake)
    return intake.report()


def _topics(folder: Folder, above: tuple[str, ...], intake: Intake) -> None:
    """Topics by their path in a working tree, or by their name; long ones go on in a folder whose name ends in `!`."""
    for name in folder.names():
        path = (*above, name)
        if name.endswith("!") and len(path) < _DEEPEST:
            deeper = below(folder, name, intake)
            if deeper is not None:
                with deeper:
                    _topics(deeper, path, intake)
        elif name.endswith(SUFFIX):
            _topic(folder, name, path, intake)
        else:
            intake.refuse("/".join((TOPICS, *path)), "it is not a Markdown file")


def _topic(folder: Folder, name: str, path: tuple[str, ...], intake: Intake) -> None:
    shown = "/".join((TOPICS, *path))
    try:
        file = topic_at(path) or topic_name(name.removesuffix(SUFFIX))
    except InvalidName as error:
        intake.refuse(shown, error.message)
        return
    text = text_at(folder, name, intake)
    if text is not None:
        intake.file(file, text, name=shown)
