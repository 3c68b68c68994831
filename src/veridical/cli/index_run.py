"""Opening the index of some documents, with progress and what went wrong on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from veridical.answering.index.files import list_files
from veridical.answering.index.given import check_sources
from veridical.answering.index.policy_index import OnProgress, PolicyIndex
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.setup import set_up_logging
from veridical.cli.terminal import clean, err, out
from veridical.errors import NoDocumentsError

_KINDS = "Markdown, HTML, plain text, PDF or DOCX files"


def run(documents: Sequence[str], *, database: str | None, verbose: bool) -> int:
    """Bring an index up to date, say what changed, and return the exit code."""
    set_up_logging(verbose=verbose)
    index = open_index(documents, database=database, keep=True)
    done = index.opened
    out(
        f"{done.added:,} added, {done.changed:,} changed, {done.removed:,} removed, "
        f"{done.unchanged:,} unchanged, {len(done.failures):,} not readable"
    )
    out(f"{_counted(len(index), 'document')}, {_counted(index.count_chunks(), 'chunk')}")
    out(f"Kept in: {clean(index.place)}" if index.place else "Not kept.")
    if not len(index):
        err(f"veridical: warning: there is nothing to answer from; give a folder with {_KINDS}")
    return NEGATIVE_RESULT if done.failures else 0


def open_index(documents: Sequence[str], *, database: str | None, keep: bool) -> PolicyIndex:
    """The index of some documents. Files that cannot be read are told, and do not stop it."""
    with _progress() as on_progress:
        index = PolicyIndex.open(documents, database=database, keep=keep, on_progress=on_progress)
    for warning in index.opened.warnings:
        err(f"veridical: warning: {clean(warning)}")
    for failure in index.opened.failures:
        err(f"veridical: warning: {clean(failure.message)}")
    return index


def open_documents(documents: Sequence[str], *, database: str | None = None) -> PolicyIndex:
    """The same, only to answer from: nothing is kept. Raises NoDocumentsError where none are."""
    index = open_index(documents, database=database, keep=False)
    if len(index):
        return index
    if index.opened.failures:
        why = f"{', '.join(documents)}: none of the files can be read, so nothing can be answered."
    elif documents:
        why = f"{', '.join(documents)}: no documents here. Give a folder with {_KINDS}."
    else:
        why = "The index of this database holds no documents: fill its folder, and index it again."
    raise NoDocumentsError(why)


def named_or_here(documents: Sequence[str], *, database: str | None) -> Sequence[str]:
    """The documents that are named; without any, and without a database, the current folder.

    Raises NoDocumentsError where a source is not there, or the current folder holds no documents.
    """
    check_sources(documents)
    if documents or database is not None:
        return documents
    if not list_files([os.curdir]).files:
        raise NoDocumentsError(
            f"there are no documents in the current folder. Name a folder with {_KINDS}: "
            "--documents DIR, or the --database of an index."
        )
    err("Answering from the documents of this folder.")
    return (os.curdir,)


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


@contextmanager
def _progress() -> Iterator[OnProgress | None]:
    """A bar on standard error, where that is a terminal; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("Reading", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
