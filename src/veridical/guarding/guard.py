"""Checks answers against documents while they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veridical.guarding.report import GuardReport
from veridical.guarding.settings import OnFail
from veridical.guarding.stream import GuardStream, RememberingJudge, session_of
from veridical.judging.judge import Judge
from veridical.ledger.build import LedgerBuilder, LedgerPolicy
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document


class Guard:
    """Lets through what the documents bear out, and marks, drops, annotates or refuses the rest.

    The documents are indexed once, on first use or by `prepare`; one guard serves any number of
    answers over them, one after another. Make one for each thread. `judge`, `policy` and
    `workspace` are those of `LedgerBuilder`. Claims are found by rules, whoever judges them: a
    sentence cannot wait for a model that reads the whole answer.
    """

    def __init__(
        self,
        documents: Corpus | Sequence[Document],
        *,
        on_fail: OnFail = OnFail.MARK,
        judge: Judge | None = None,
        policy: LedgerPolicy | None = None,
        workspace: str = DEFAULT_WORKSPACE,
    ) -> None:
        corpus = documents if isinstance(documents, Corpus) else Corpus(documents)
        builder = LedgerBuilder(corpus, judge=judge, policy=policy, workspace=workspace)
        builder.judge = RememberingJudge(builder.judge)
        self.on_fail = OnFail(on_fail)
        self._builder = builder

    @property
    def corpus(self) -> Corpus:
        """The documents, indexed."""
        return self._builder.corpus

    @property
    def names(self) -> dict[str, str]:
        """What the sources are called, by their ids."""
        return {source.id: source.filename for source in self._builder.sources}

    def prepare(self) -> None:
        """Index the documents now, so that the first sentence need not wait for it."""
        self._builder.corpus.prepare()

    def stream(self, *, query: str = "") -> GuardStream:
        """Begin an answer that comes in pieces. `query` is the question that it answers."""
        return GuardStream(self._builder, self.on_fail, query)

    def guarded(self, pieces: Iterable[str], *, query: str = "") -> Iterator[str]:
        """What may be shown of an answer that comes in pieces, as soon as it may.

        With `OnFail.FAIL` raises UngroundedError at the first sentence that is not supported.
        """
        stream = self.stream(query=query)
        for piece in pieces:
            if out := stream.feed(piece):
                yield out
            if stream.failure is not None:
                raise stream.failure
        if out := stream.finish():
            yield out
        if stream.failure is not None:
            raise stream.failure

    def check(self, text: str, *, query: str = "") -> GuardReport:
        """Check a whole answer, as if it had come in pieces.

        Raises UngroundedError with `OnFail.FAIL`, where a sentence is not supported.
        """
        stream = self.stream(query=query)
        stream.feed(text)
        if stream.failure is not None:
            raise stream.failure
        stream.finish()
        if stream.failure is not None:
            raise stream.failure
        return stream.report

    def ledger(self, report: GuardReport, *, query: str = "", title: str = "") -> EvidenceLedger:
        """The ledger of a checked answer; its claims have the ids that the report gives them.

        Its verdicts are those on the whole answer: a numbered citation whose list of sources stands
        at the end may bear out what could not be borne out when it was written.
        """
        session = session_of(self._builder, report.answer, query)
        return self._builder.build(report.answer, query=query, title=title, session_id=session)
