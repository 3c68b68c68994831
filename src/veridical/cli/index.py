"""`veridical index`, and opening the index of some documents: what went wrong is told."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.options import verbose_option
from veridical.cli.terminal import clean, err, live_bar, out, warn
from veridical.errors import NoDocumentsError, require_package

if TYPE_CHECKING:
    from veridical.answering.index.policy_index import PolicyIndex

_KINDS = "Markdown, HTML, PDF, Word or other documents"


@click.command()
@click.argument("documents", metavar="DIR...", nargs=-1, required=True)
@click.option(
    "--database",
    metavar="URL",
    help="Keep it in this database, a file (SQLite) or postgresql://..., instead of the cache.",
)
@verbose_option
@with_exit_code
def index(documents: tuple[str, ...], database: str | None) -> int:
    """Read documents and keep what is in them, for `ask` and `serve`.

    DIR is a folder of documents (Markdown, HTML, plain text, PDF, Word, Excel, PowerPoint, EPUB,
    e-mail, CSV), or a file. Done again, it reads only the files that changed. Nothing is written
    into DIR: without --database the index is a file in the user's cache folder ($XDG_CACHE_HOME or
    ~/.cache, in veridical/), which may be deleted at any time.

    Exit code 0: all files were read. 1: some could not be. 2: the run could not be made.
    """
    from veridical.reports.words import count

    require_package("sqlalchemy", "Keeping an index", "store")
    made = open_index(documents, database=database, keep=True)
    done = made.opened
    out(
        f"{done.added:,} added, {done.changed:,} changed, {done.removed:,} removed, "
        f"{done.unchanged:,} unchanged, {len(done.failures):,} not readable"
    )
    out(f"{count(len(made), 'document')}, {count(made.count_chunks(), 'chunk')}")
    out(f"Kept in: {clean(made.place)}" if made.place else "Not kept.")
    if not len(made):
        warn(f"there is nothing to answer from; give a folder with {_KINDS}")
    return NEGATIVE_RESULT if done.failures else 0


def open_index(documents: Sequence[str], *, database: str | None, keep: bool) -> PolicyIndex:
    """The index of some documents. Files that cannot be read are told, and do not stop it."""
    from veridical.answering.index.policy_index import PolicyIndex

    with live_bar(
        lambda rich: (
            "Reading",
            rich.BarColumn(),
            rich.MofNCompleteColumn(),
            rich.TimeRemainingColumn(),
        )
    ) as update:
        on_progress = update and (lambda done, total: update(completed=done, total=total))
        found = PolicyIndex.open(documents, database=database, keep=keep, on_progress=on_progress)
    warn(*found.opened.warnings, *(failure.message for failure in found.opened.failures))
    return found


def open_documents(documents: Sequence[str], *, database: str | None = None) -> PolicyIndex:
    """The same, only to answer from: nothing is kept. Raises NoDocumentsError where none are."""
    found = open_index(documents, database=database, keep=False)
    if len(found):
        return found
    if found.opened.failures:
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
    from veridical.answering.index.files import list_files
    from veridical.answering.index.given import check_sources

    check_sources(documents)
    if documents or database is not None:
        return documents
    files, _ = list_files([os.curdir])
    if not files:
        raise NoDocumentsError(
            f"there are no documents in the current folder. Name a folder with {_KINDS}: "
            "--documents DIR, or the --database of an index."
        )
    err("Answering from the documents of this folder.")
    return (os.curdir,)
