"""The work of a job of the kind `export`: write a ledger as a file, with what reviewers decided and
what became of its sources.
"""

from __future__ import annotations

import unicodedata

from veridical.errors import ConflictError
from veridical.ledger.export import wording
from veridical.ledger.export.forms import ExportForm, render
from veridical.service.inquiring.standing import newer_sources
from veridical.service.jobs.workers import Doing
from veridical.store.jobs import JobState

_KINDS = {
    ExportForm.MARKDOWN: ("md", "text/markdown"),
    ExportForm.JSON: ("json", "application/json"),
    ExportForm.PDF: ("pdf", "application/pdf"),
    ExportForm.HTML: ("html", "text/html"),
}
"""How a file of a form ends, and its media type."""

_MOST_NAME_CHARS = 80


def work(doing: Doing) -> None:
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
