"""The work of jobs about documents and sessions: read a file that was given; answer a question, if
that was asked, and check the answer against the documents; write a ledger as a file.
"""

from __future__ import annotations

import time
import unicodedata
from dataclasses import replace

from veridical.answering.answer import PolicyAnswer
from veridical.answering.answerer import PolicyAnswerer
from veridical.answering.wire import answer_to_wire
from veridical.errors import ConflictError
from veridical.ledger.export import wording
from veridical.ledger.export.forms import ExportForm, render
from veridical.ledger.extraction.extractor import Extraction, Skipped, SkipReason
from veridical.service.corpora import WorkspaceCorpus
from veridical.service.inquiring.ledger_view import newer_sources
from veridical.service.jobs.work.found import Finding
from veridical.service.jobs.work.kept import KeptModel
from veridical.service.jobs.work.reading import read_isolated
from veridical.service.jobs.workers import Doing
from veridical.sources.document import DEFAULT_LIMITS, Span
from veridical.store.inquiries import Inquiry, Mode
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


DISAGREEMENT = "The policies disagree:"


def answer_text(answer: PolicyAnswer) -> str:
    """The statements with their markers, and below them what each number stands for.

    Two things of `PolicyAnswer.text` are left out, since each would be checked as a claim of its
    own: the quotes, which repeat what the evidence of the claims shows, and how the policies
    disagree, which no passage can say. A refusal is as it is.
    """
    if answer.refusal is not None:
        return answer.text
    told = [
        f"{one.text} {''.join(f'[{number}]' for number in one.citations)}"
        for one in answer.statements
    ]
    shown = [f"- {line}" for line in told] if len(told) > 1 else told
    listed = [f"[{citation.number}] {citation.doc_id}" for citation in answer.citations]
    before = [DISAGREEMENT, ""] if answer.disagreement else []
    return "\n".join((*before, *shown, "", "Sources:", *listed))


_ANSWERING = "answering the question"
_READING = "reading the documents"
_CHECKING = "checking claims"


def build_ledger(doing: Doing) -> None:
    """Have the inquiry answered and its ledger saved. Raises NoDocumentsError where there is
    nothing to answer from or to check against.
    """
    inquiries = doing.shelf.inquiries
    inquiry = inquiries.get(doing.job.subject_id)
    if inquiry is None:
        raise ConflictError("The session was deleted before it was worked on.")
    if inquiry.ledger_id is not None:
        return
    doing.tell(0, 0, _READING)
    found = doing.corpora.of(doing.shelf)
    if inquiry.mode is Mode.ANSWER and not inquiry.answer:
        doing.tell(0, 0, _ANSWERING)
        inquiry = _answered(doing, found, inquiry)
    doing.tell(0, 0, _CHECKING)
    sources = {source.id: source for source in found.builder.sources}
    ledger = found.builder.build(
        inquiry.answer,
        query=inquiry.query,
        title=inquiry.title,
        session_id=inquiry.id,
        progress=lambda done, total: doing.tell(done, total, _CHECKING),
        on_entries=Finding(doing, sources).add,
        extraction=_nothing_claimed(inquiry.answer) if inquiry.refused else None,
        quotes=() if inquiry.refused else None,
    )
    inquiries.finish(inquiry.id, ledger)


def _nothing_claimed(refusal: str) -> Extraction:
    """What a refusal of our own claims, however it is worded."""
    return Extraction((), skipped=(Skipped(Span(0, len(refusal)), SkipReason.REFUSAL),))


def _answered(doing: Doing, found: WorkspaceCorpus, inquiry: Inquiry) -> Inquiry:
    """The inquiry with its answer, which is kept before it is checked."""
    start = time.perf_counter()
    answer = _answerer(doing, found).answer(inquiry.query)
    details = answer_to_wire(answer, (time.perf_counter() - start) * 1000)
    return doing.shelf.inquiries.keep_answer(inquiry.id, answer_text(answer), details)


def _answerer(doing: Doing, found: WorkspaceCorpus) -> PolicyAnswerer:
    model = doing.settings.model
    if model is None:
        return found.answerer
    return PolicyAnswerer(found.corpus, model=KeptModel(model, doing.steps))
