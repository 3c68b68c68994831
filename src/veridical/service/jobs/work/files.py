"""The work of jobs about files: read one that was given, and write a ledger as one."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from veridical.errors import ConflictError
from veridical.ledger.export import wording
from veridical.ledger.export.forms import ExportForm, render
from veridical.service.inquiring.ledger_view import newer_sources
from veridical.service.jobs.work.reading import read_isolated
from veridical.service.jobs.workers import Doing
from veridical.sources.document import DEFAULT_LIMITS
from veridical.store.jobs import JobState
from veridical.store.library import UploadState


def ingest(doing: Doing) -> None:
    """Have the upload read within the limits of one document, cut into chunks, and kept."""
    documents = doing.shelf.documents
    upload = documents.upload(doing.job.subject_id)
    if upload is None:
        raise ConflictError("The document was deleted before it was read.")
    if upload.state is UploadState.READY:
        return
    content = documents.upload_content(upload.id)
    if content is None:
        raise ConflictError("The file was taken away before it was read.")
    doing.tell(0, 2, "reading the file")
    limits = replace(DEFAULT_LIMITS, max_bytes=doing.settings.max_upload_bytes)
    read = read_isolated(content, upload.filename, limits)
    doing.tell(1, 2, "keeping what was read")
    documents.put_read(upload.id, read.document, read.chunks)
    doing.tell(2, 2, "kept")


_KINDS = {
    ExportForm.MARKDOWN: ("md", "text/markdown"),
    ExportForm.JSON: ("json", "application/json"),
    ExportForm.PDF: ("pdf", "application/pdf"),
    ExportForm.HTML: ("html", "text/html"),
}
"""How a file of a form ends, and its media type."""

_MOST_NAME_CHARS = 80


def export(doing: Doing) -> None:
    """Have the file made. Raises MissingExtraError where its form needs a package that is not
    installed.
    """
    shelf = doing.shelf
    file = shelf.exports.get(doing.job.subject_id)
    if file is None:
        raise ConflictError("The export expired before it was made. Ask for it again.")
    if file.state == JobState.DONE:
        return
    doing.tell(0, 2, "reading the ledger")
    mark = shelf.ledgers.mark(file.session_id)
    if mark is None:
        raise ConflictError("The session was deleted before its ledger was written.")
    stored = shelf.ledgers.load(mark)
    reviews = shelf.reviews.of_session(file.session_id)
    form = ExportForm(file.format)
    doing.tell(1, 2, "writing the file")
    newer = newer_sources(shelf, stored.ledger)
    made = render(stored.ledger, form, reviews=reviews, revision=mark.revision, newer=newer)
    suffix, media_type = _KINDS[form]
    ledger = stored.ledger
    called = wording.called(ledger.title, ledger.query, ledger.answer, otherwise="")
    name = f"{file_name(called)}.{suffix}"
    shelf.exports.finish(file.id, made.data, filename=name, media_type=media_type)
    doing.tell(2, 2, "written")


def file_name(title: str) -> str:
    """A title as a file name that any system takes, of ASCII letters and digits; never empty."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    kept = "-".join(words)[:_MOST_NAME_CHARS].strip("-")
    return f"{kept}-ledger" if kept else "ledger"
