"""A workspace with something in it: what `veridical serve --demo` shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources

from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision
from veridical.retrieval.chunks import chunk_document
from veridical.service.corpora import Corpora
from veridical.service.jobs.workers import Doing, work_of
from veridical.service.records.inputs import (
    TranscriptInput,
    all_of,
    evaluation_asked,
    scorecard_asked,
    speech_asked,
    validation_asked,
)
from veridical.service.settings import ServiceSettings
from veridical.sources.loader import load_document_bytes
from veridical.store.inquiries import Mode
from veridical.store.jobs import Job, JobState
from veridical.store.store import Shelf, Store

DEMO = "demo"
"""Who made what the samples hold."""

_DOCUMENTS = (
    ("pto-policy.md", "pto-policy-2024.md", "text/markdown"),
    ("pto-policy.md", "pto-policy.md", "text/markdown"),
    ("remote-work-policy.md", "remote-work-policy.md", "text/markdown"),
    ("termination-policy.md", "termination-policy.md", "text/markdown"),
    ("security-policy.md", "security-policy.md", "text/markdown"),
    ("travel-policy.html", "travel-policy.html", "text/html"),
    ("expense-policy.pdf", "expense-policy.pdf", "application/pdf"),
)
"""The name of a document, the file of a version of it, and what that is; older versions first."""

_QUESTION = "How many unused vacation days can I take over into next year?"
_CHECKED = "An assistant's answer about leave and working from home"
_CHECKED_QUERY = "What are the rules for leave, carrying it over, and working from home?"

_OVERRULED = "usually approved on the same day"
_REASON = "Nothing in the policy speaks of approval; this must not go out."


def load(store: Store, workspace: str) -> None:
    """Fill a workspace with samples, within seconds and without a network.

    Documents (one in two versions, one a PDF), a question that was answered, an answer that was
    checked and one of whose verdicts was overruled, and one record of each kind, two of them runs
    of the same questions. What is there already is left alone: again changes nothing.
    """
    store.add_workspace(workspace)
    demo = _Demo(store, store.shelf(workspace), Corpora())
    demo.documents()
    demo.sessions()
    demo.records()


def sample() -> tuple[str, bytes, str]:
    """A document to begin with: its name, its file, and a question that it answers."""
    name = "pto-policy.md"
    return name, _file(name), _QUESTION


class _NoSteps:
    """Nothing is paid for here, so nothing needs to be kept."""

    def once(self, _name: str, work: Callable[[], str]) -> str:
        """What the work returns."""
        return work()


@dataclass(frozen=True, slots=True)
class _Demo:
    store: Store
    shelf: Shelf
    corpora: Corpora

    def documents(self) -> None:
        """The policies, read here and now."""
        there = {shown.filename for shown in all_of(self.shelf.documents.page)}
        for name, file, media_type in _DOCUMENTS:
            if name in there:
                continue
            content = _file(file)
            document = load_document_bytes(content, name)
            upload, job = self.shelf.documents.add_upload(name, media_type, content)
            if self.store.job_board.begin(job.id, DEMO, beat=0) is not None:
                self.shelf.documents.put_read(upload.id, document, chunk_document(document))
                self.store.job_board.end(job.id, JobState.DONE)

    def sessions(self) -> None:
        """A question, and an answer that is checked and reviewed."""
        there = {inquiry.title for inquiry in all_of(self.shelf.inquiries.page)}
        if _QUESTION not in there:
            _, job = self.shelf.inquiries.add(Mode.ANSWER, _QUESTION, title=_QUESTION, by=DEMO)
            self._do(job)
        if _CHECKED not in there:
            answer = _file("answer.md").decode()
            inquiry, job = self.shelf.inquiries.add(
                Mode.VERIFY, _CHECKED_QUERY, answer=answer, title=_CHECKED, by=DEMO
            )
            self._do(job)
            mark = self.shelf.ledgers.mark(inquiry.id)
            entries = self.shelf.ledgers.load(mark).ledger.entries if mark else ()
            for entry in entries:  # a reviewer's decision, so that both verdicts can be seen
                if _OVERRULED in entry.claim.text:
                    self.shelf.reviews.add(
                        inquiry.id,
                        entry.id,
                        Decision.OVERRULE,
                        by=DEMO,
                        verdict=Verdict.CONTRADICTED,
                        reason=_REASON,
                    )

    def records(self) -> None:
        """One of each kind, and two runs of the same questions."""
        shelf, talk = self.shelf, _transcript("talk.json")
        claims, evaluation = json.loads(_file("claims.json")), json.loads(_file("evaluation.json"))
        radio, questions = _transcript("fireground.vtt"), _file("questions.jsonl").decode()
        bounds = "groundedness=95,citation=95"
        for asked in (
            validation_asked(shelf, claims, title="Quotes of a handbook draft"),
            speech_asked(shelf, talk, title="Eleven broken things"),
            speech_asked(
                shelf, talk, evaluation=evaluation, title="A colleague's evaluation of the talk"
            ),
            scorecard_asked(shelf, radio, "fireground", title="418 Tamarack Lane, Tac 3"),
            evaluation_asked(questions, fail_under=bounds, title="Everyday questions, first run"),
            evaluation_asked(questions, fail_under=bounds, title="Everyday questions, second run"),
        ):
            titles = {r.title for r in all_of(partial(shelf.records.page, asked.kind))}
            if asked.title not in titles:
                _, job = shelf.records.add(asked.kind, asked.title, asked.request, by=DEMO)
                self._do(job)

    def _do(self, job: Job) -> None:
        """Do a job here, to its end; one that another process took up is left to it."""
        if self.store.job_board.begin(job.id, DEMO, beat=0) is None:
            return
        work = work_of(job.kind)
        work(Doing(job, self.shelf, self.corpora, ServiceSettings(), _NoSteps(), lambda *_: None))
        self.store.job_board.end(job.id, JobState.DONE)


def _transcript(name: str) -> TranscriptInput:
    return TranscriptInput(content=_file(name), name=name)


def _file(name: str) -> bytes:
    return resources.files(__package__).joinpath("demo_data", name).read_bytes()
