"""The documents that the server was started with, looked at again when a call comes."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from veridical.errors import NoDocumentsError, ProcessingError, ValidationError
from veridical.integrations.mcp import limits
from veridical.integrations.mcp.working import Job

if TYPE_CHECKING:
    from veridical.answering.answerer import PolicyAnswerer
    from veridical.answering.index.policy_index import PolicyIndex
    from veridical.answering.index.snapshot import Snapshot
    from veridical.ledger.checking import AnswerChecker
    from veridical.models.protocol import LanguageModel
    from veridical.retrieval.corpus import Corpus
    from veridical.sources.document import Document
    from veridical.sources.loader import LoadFailure
    from veridical.validation.claims import Claim
    from veridical.validation.results import ValidationReport
    from veridical.validation.validator import Validator

_VERSION_DIGITS = 12
_WAIT_SECONDS = 0.2
_READING = "Reading documents"


def version_of(document: Document) -> str:
    """What tells the text of a document from its earlier texts: how its SHA-256 begins."""
    return document.sha256[:_VERSION_DIGITS]


@dataclass(frozen=True)
class State:
    """One state of the documents, and what works on them. It does not change any more."""

    corpus: Corpus
    checker: AnswerChecker
    answerer: PolicyAnswerer
    failures: tuple[LoadFailure, ...]
    _validating: threading.Lock = field(default_factory=threading.Lock)

    def document(self, name: str) -> Document:
        """The document of exactly that name. A name is looked up, and never leads to a file.

        Raises ValidationError for another.
        """
        found = self._by_name.get(name)
        if found is None:
            raise ValidationError(
                "there is no document of that name here. Names are those that list_documents "
                "tells, letter for letter; they are not paths"
            )
        return found

    def validate(self, claims: Sequence[Claim], job: Job) -> ValidationReport:
        """Check quotes. One call at a time: a validator is not safe in several threads."""

        def progress(done: int, total: int) -> None:
            job.tell(done, total, "Checking quotes")
            job.check()

        while not self._validating.acquire(timeout=_WAIT_SECONDS):
            job.check()
        try:
            return self._validator.validate(claims, progress=progress)
        finally:
            self._validating.release()

    @cached_property
    def _validator(self) -> Validator:
        from veridical.validation.validator import Validator

        return Validator(self.corpus.documents)

    @cached_property
    def _by_name(self) -> dict[str, Document]:
        return {document.name: document for document in self.corpus.documents}


class Documents:
    """The documents of some folders. Usable from several threads.

    They are read once; a call looks at the folders again, if nobody did just now, and what changed
    is read before it is answered. Nothing is written. `model` writes answers to questions.
    """

    def __init__(self, folders: Sequence[str], *, model: LanguageModel | None = None) -> None:
        self._folders = tuple(folders)
        self._model = model
        self._lock = threading.Lock()
        self._index: PolicyIndex | None = None
        self._snapshot: Snapshot | None = None
        self._state: State | None = None
        self._looked = 0.0
        self._read = (0, 0)

    def current(self, job: Job) -> State:
        """The documents as they are now, of which there may be none.

        Raises ProcessingError where they are still being read, and a call should not wait longer;
        NoDocumentsError where a folder is not there any more.
        """
        until = time.monotonic() + limits.READING_SECONDS
        while not self._lock.acquire(timeout=_WAIT_SECONDS):
            job.tell(*self._read, _READING)
            job.check()
            if time.monotonic() > until:
                done, total = self._read
                raise ProcessingError(
                    f"the documents are still being read ({done:,} of {total:,} so far). "
                    "Call again in a minute."
                )
        try:
            return self._newest(job)
        finally:
            self._lock.release()

    def at_hand(self, job: Job) -> State:
        """The same. Raises NoDocumentsError where there are none."""
        state = self.current(job)
        if not state.corpus.documents:
            raise NoDocumentsError(
                "there are no documents to check against: the folders of this server hold none "
                "that can be read. list_documents tells which could not be"
            )
        return state

    def _newest(self, job: Job) -> State:
        # Here, not at the top: this loads most of the library, and clients wait for the start.
        from veridical.answering.index.policy_index import PolicyIndex

        def on_progress(done: int, total: int) -> None:
            self._read = (done, total)
            job.tell(done, total, _READING)

        now = time.monotonic()
        if self._state is not None and now - self._looked < limits.LOOK_SECONDS:
            return self._state
        if self._index is None:
            self._index = PolicyIndex.open(self._folders, keep=False, on_progress=on_progress)
        else:
            self._index.refresh()
        snapshot = self._index.current()
        if self._state is None or snapshot is not self._snapshot:
            self._state, self._snapshot = self._made(snapshot), snapshot
        self._looked = time.monotonic()
        return self._state

    def _made(self, snapshot: Snapshot) -> State:
        from veridical.answering.answerer import PolicyAnswerer
        from veridical.ledger.checking import AnswerChecker
        from veridical.ledger.own_work import without_own_work
        from veridical.retrieval.corpus import Corpus

        corpus = snapshot.corpus
        kept = without_own_work(corpus.documents)
        if len(kept) < len(corpus.documents):
            corpus = Corpus(kept)
        answerer = PolicyAnswerer(corpus, model=self._model)
        if corpus.documents:
            answerer.prepare()
        return State(corpus, AnswerChecker(corpus), answerer, snapshot.failures)
