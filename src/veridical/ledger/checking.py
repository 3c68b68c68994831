"""What in an answer is not borne out by its sources, place by place, and the words to look at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder, Progress, extracted, misquoted_told
from veridical.ledger.deciding import MISQUOTED
from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.remarks import unchecked_parts
from veridical.ledger.quotes import NearestWords, QuoteCheck, line_of
from veridical.ledger.repair import Repair, find_repairs, repair_of_quote
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.shown import collapse
from veridical.sources.document import Document, Span
from veridical.text.tokens import Token, tokenize

_MOST_CHARS = 2_000
"""Longer texts are not compared word by word."""

_LEAST_SHARED = 0.5
"""Share of the claim's words that must stand in the source for a word diff to tell anything."""


def nearest_words(entry: LedgerEntry, sources: Mapping[str, Document]) -> NearestWords | None:
    """The passage to show beside a claim; `sources` are the documents by the ids of the sources."""
    evidence = next(iter((*entry.evidence, *entry.near)), None)
    document = sources.get(evidence.source_id) if evidence else None
    if evidence is None or document is None:
        return None
    return NearestWords(
        text=collapse(evidence.snippet),
        document=document,
        span=evidence.snippet_span,
        line=line_of(document, evidence.snippet_span.start),
        page=evidence.page_number,
        section=collapse(evidence.heading_path[-1]) if evidence.heading_path else "",
    )


def marked_differences(claim: str, source: str) -> tuple[str, str]:
    """Both texts on one line, the words that only one of them has marked as git does it:
    `[-28-]` in the claim, `{+27+}` in the source.

    What the source says before the first and after the last shared word is left unmarked. Texts
    that share little are not marked at all: there every word differs.
    """
    claim, source = collapse(claim), collapse(source)
    if len(claim) > _MOST_CHARS or len(source) > _MOST_CHARS:
        return claim, source
    left, right = tokenize(claim), tokenize(source)
    blocks = Levenshtein.opcodes([t.key for t in left], [t.key for t in right])
    shared = [block for block in blocks if block.tag == "equal"]
    if sum(b.src_end - b.src_start for b in shared) < _LEAST_SHARED * max(1, len(left)):
        return claim, source
    first, last = shared[0].dest_start, shared[-1].dest_end
    cut = [b for b in blocks if b.tag != "equal"]
    put = [b for b in cut if b.tag == "replace" or first <= b.dest_start < last]
    return (
        _marked(claim, left, [(b.src_start, b.src_end) for b in cut], "[-", "-]"),
        _marked(source, right, [(b.dest_start, b.dest_end) for b in put], "{+", "+}"),
    )


def _marked(
    text: str, tokens: Sequence[Token], runs: Sequence[tuple[int, int]], opening: str, closing: str
) -> str:
    parts, at = [], 0
    for start, end in runs:
        if start == end:
            continue
        left, right = tokens[start].start, tokens[end - 1].end
        parts += [text[at:left], opening, text[left:right], closing]
        at = right
    return "".join([*parts, text[at:]])


# The words of a source beside those of a claim: where they stand, and which of them differ.


class ProblemKind(StrEnum):
    """Why words of an answer are not grounded, the worst first."""

    CONTRADICTED = "contradicted"
    MISQUOTED = "misquoted"
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
    sentence. `nearest` are the words of the sources to look at, None where there are none, and
    `repair` is what to do, None where nothing was found.
    """

    kind: ProblemKind
    span: Span
    text: str
    reason: str
    nearest: NearestWords | None = None
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """An answer's ledger, and what is wrong with the answer, in its order.

    A claim is borne out where its verdict is `supported`, and only there. `quotes` are all quotes
    in the answer, those that stand in a source too. `repairs` are those of claims, by the places
    of these. `warnings` are those of the ledger that are about the answer, not about a source.
    """

    ledger: EvidenceLedger
    problems: tuple[Problem, ...]
    quotes: tuple[QuoteCheck, ...] = ()
    repairs: Mapping[Span, Repair] = field(default_factory=dict)
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

    `judge` is the embedded one unless given: no network, no key. It may be used from several
    threads at once. `documents` are those of the corpus by the ids of the ledger's sources.
    """

    def __init__(self, corpus: Corpus, *, judge: Judge | None = None) -> None:
        self.builder = LedgerBuilder(corpus, judge=judge)
        self.corpus = corpus
        self.documents = {
            source.id: document
            for source, document in zip(self.builder.sources, corpus.documents, strict=True)
        }

    @property
    def source_warnings(self) -> tuple[str, ...]:
        """What was lost in reading the sources, and what of them was left out as no evidence."""
        return (*self.corpus.warnings, *self.corpus.left_out)

    def check(
        self, answer: str, *, query: str = "", progress: Progress | None = None
    ) -> AnswerCheck:
        """The ledger of an answer, Markdown or plain text, and its problems.

        `query` is the question that it answers. Raises what `LedgerBuilder.build` raises.
        """
        extraction = extracted(self.builder, answer, query)
        quotes = self.builder.quotes.check(answer)
        ledger = self.builder.build(
            answer, query=query, progress=progress, extraction=extraction, quotes=quotes
        )
        repairs = find_repairs(self.builder, ledger)
        problems = [
            Problem(
                ProblemKind.MISQUOTED,
                one.span,
                one.text,
                one.reason,
                one.nearest,
                repair_of_quote(answer, one),
            )
            for one in quotes
            if not one.grounded
        ]
        mended = {one.span: one.repair for one in problems if one.repair}
        for entry in ledger.entries:
            for span, repair in mended.items():
                if entry.claim.span.overlap(span) and entry.verdict is not Verdict.SUPPORTED:
                    repairs[entry.claim.span] = repair  # the source's words for its quote do
        problems += [
            replace(_problem(entry, self.documents), repair=repairs.get(entry.claim.span))
            for entry in ledger.entries
            # Where nothing but the quote is wrong, it is told once.
            if entry.verdict is not Verdict.SUPPORTED and not entry.notes.startswith(MISQUOTED)
        ]
        for part in unchecked_parts(answer, extraction.skipped):
            reason = _WHY_UNCHECKED.get(part.reason, _HEADING_UNCHECKED)
            words = collapse(answer[part.span.start : part.span.end])
            problems.append(Problem(ProblemKind.UNCHECKED, part.span, words, reason))
        told = {*self.source_warnings, *misquoted_told(quotes)}  # the latter are problems here
        return AnswerCheck(
            ledger,
            tuple(sorted(problems, key=lambda problem: problem.span)),
            quotes,
            repairs,
            tuple(warning for warning in ledger.warnings if warning not in told),
        )


def _problem(entry: LedgerEntry, documents: dict[str, Document]) -> Problem:
    return Problem(
        _KINDS[entry.verdict],
        entry.claim.span,
        collapse(entry.claim.words),
        collapse(entry.notes),
        nearest_words(entry, documents),
    )


# Files that hold answers, with what checks of them found.


@dataclass(frozen=True, slots=True)
class Region:
    """A place in a file. Lines and columns count from 1, columns in code points; a tab is one, and
    a byte-order mark none. `end_column` is that of the character behind the last one.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """An answer file that was checked.

    `document` has its decoded text, and as its name the path by which people know it: relative,
    with `/`. `sha256` is that of the file's bytes, in hex. `inside` says whether the path leads
    down from the folder that other programs take as the root.
    """

    document: Document
    sha256: str
    check: AnswerCheck
    inside: bool = True

    @property
    def path(self) -> str:
        """The path by which people know the file."""
        return self.document.name

    def region(self, span: Span) -> Region:
        """The place of some words of the answer."""
        position = self.document.position
        return Region(*position(span.start), *position(span.end))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """Where a source lies: `path` relative to the root, with `/`; `sha256` of the file's bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """Answer files that were checked against the same sources.

    `sources` are the files of those that lie below the root, by the names of their documents.
    `failures` say which files could not be read, `warnings` what was lost in reading the sources
    or left out of them.
    `documents` are the sources themselves, by their ids in the ledgers.
    """

    files: tuple[CheckedFile, ...]
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)

    @property
    def claims(self) -> int:
        """How many claims all files make."""
        return sum(file.check.claims for file in self.files)

    @property
    def supported(self) -> int:
        """How many of them are borne out."""
        return sum(file.check.supported for file in self.files)
