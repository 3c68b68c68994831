"""What in an answer is not borne out by its sources, place by place."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder, Progress
from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.ledger.export.wording import claim_words
from veridical.ledger.extraction.extractor import Extraction, Extractor, SkipReason
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.extraction.unchecked import unchecked_parts
from veridical.ledger.nearest import NearestWords, nearest_words
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document
from veridical.sources.span import Span


class ProblemKind(StrEnum):
    """Why words of an answer are not grounded, the worst first."""

    CONTRADICTED = "contradicted"
    NOT_FOUND = "not-found"
    PARTIAL = "partial"
    UNCHECKED = "unchecked"

    @property
    def told(self) -> str:
        """The kind as a reader reads it: `not found`."""
        return self.value.replace("-", " ")


_KINDS = {
    Verdict.CONTRADICTED: ProblemKind.CONTRADICTED,
    Verdict.NOT_FOUND: ProblemKind.NOT_FOUND,
    Verdict.WEAK: ProblemKind.PARTIAL,
}
_WHY_UNCHECKED = {
    SkipReason.CODE: "This code block holds sentences, and code is not checked.",
    SkipReason.NOT_SHOWN: "A reader does not see these words, and they are not checked.",
    SkipReason.STRUCK: "Struck words are not checked, and not every reader sees them struck.",
    SkipReason.BARE_ANSWER: "An answer in a word is not checked: say in a sentence what holds.",
    SkipReason.OPINION: "An opinion is not checked: leave it out, or say what the sources say.",
    SkipReason.META: "What an answer says of itself is not checked: leave it out.",
    SkipReason.OVER_LIMIT: "The answer makes too many claims; what follows is not checked.",
}
_HEADING_UNCHECKED = "A heading or label that states something is not checked: say it in the text."


@dataclass(frozen=True, slots=True)
class Problem:
    """Words of an answer that no source bears out fully, or that could not be checked.

    `span` is their place in the answer, `text` what a reader sees of them on one line, `reason` a
    sentence. `nearest` are the words of the sources to look at, None where there are none.
    """

    kind: ProblemKind
    span: Span
    text: str
    reason: str
    nearest: NearestWords | None = None


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """An answer's ledger, and what is wrong with the answer, in its order.

    A claim is borne out where its verdict is `supported`, and only there. `warnings` are those of
    the ledger that are about the answer, not about a source.
    """

    ledger: EvidenceLedger
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...] = ()

    @property
    def claims(self) -> int:
        """How many claims the answer makes."""
        return len(self.ledger.entries)

    @property
    def supported(self) -> int:
        """How many of them are borne out."""
        return self.ledger.summary.by_verdict[Verdict.SUPPORTED]

    def of_kinds(self, kinds: Collection[ProblemKind]) -> tuple[Problem, ...]:
        """The problems of some kinds, in the order of the answer."""
        return tuple(problem for problem in self.problems if problem.kind in kinds)


class AnswerChecker:
    """Checks any number of answers over one corpus, which is indexed once, on first use.

    `judge` and `extractor` are the embedded defaults unless given: no network, no key. It may be
    used from several threads at once. `source_warnings` say what was lost in reading the sources.
    """

    def __init__(
        self, corpus: Corpus, *, judge: Judge | None = None, extractor: Extractor | None = None
    ) -> None:
        self._extractor = _LastExtraction(extractor or RuleExtractor())
        self._builder = LedgerBuilder(corpus, judge=judge, extractor=self._extractor)
        self.corpus = corpus
        self.source_warnings = tuple(
            f"{document.name}: {warning}"
            for document in corpus.documents
            for warning in document.warnings
        )
        self._documents = {
            source.id: document
            for source, document in zip(self._builder.sources, corpus.documents, strict=True)
        }

    def check(
        self, answer: str, *, query: str = "", progress: Progress | None = None
    ) -> AnswerCheck:
        """The ledger of an answer, Markdown or plain text, and its problems.

        `query` is the question that it answers. Raises what `LedgerBuilder.build` raises.
        """
        ledger = self._builder.build(answer, query=query, progress=progress)
        problems = [
            _problem(entry, self._documents)
            for entry in ledger.entries
            if entry.verdict is not Verdict.SUPPORTED
        ]
        for part in unchecked_parts(answer, self._extractor.last.skipped):
            reason = _WHY_UNCHECKED.get(part.reason, _HEADING_UNCHECKED)
            words = _on_one_line(answer[part.span.start : part.span.end])
            problems.append(Problem(ProblemKind.UNCHECKED, part.span, words, reason))
        return AnswerCheck(
            ledger,
            tuple(sorted(problems, key=lambda problem: problem.span)),
            tuple(told for told in ledger.warnings if told not in self.source_warnings),
        )


class _LastExtraction(threading.local):
    """An extractor that remembers what it found last, in each thread: a ledger holds the claims
    only, and not what was skipped.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.last = Extraction(())

    @property
    def name(self) -> str:
        return self._extractor.name

    def extract(self, answer: str, session_id: str, query: str = "") -> Extraction:
        self.last = self._extractor.extract(answer, session_id, query)
        return self.last


def _problem(entry: LedgerEntry, documents: dict[str, Document]) -> Problem:
    return Problem(
        _KINDS[entry.verdict],
        entry.claim.span,
        _on_one_line(claim_words(entry.claim)),
        _on_one_line(entry.notes),
        nearest_words(entry, documents),
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
