"""Is an answer borne out by its sources? The ledger's verdicts in a flat form, for other tools."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from veridical.errors import ConfigurationError, DocumentParsingError, ValidationError
from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.checking import (
    AnswerCheck,
    AnswerChecker,
    Problem,
    ProblemKind,
    nearest_words,
)
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.own_work import without_own_work
from veridical.ledger.quotes import NearestWords, QuoteCheck
from veridical.ledger.repair import Repair, fixed, repair_of_quote
from veridical.reports.words import count
from veridical.retrieval.corpus import Corpus, unread
from veridical.sources.document import Document, Format, Span
from veridical.sources.loader import (
    document_from_text,
    load_document,
    load_document_bytes,
    load_documents,
)
from veridical.text.normalize import one_line

if TYPE_CHECKING:
    from veridical.validation.config import ValidationConfig
    from veridical.validation.results import ValidationReport

_MOST_TOLD = 20
_MOST_TOLD_CHARS = 300


class GroundingOutcome(StrEnum):
    """What the claims of an answer come to.

    `GROUNDED`: it makes claims, each of them is supported, and nothing that may state something
    went unchecked. `NO_CLAIMS`: there was nothing to check, which is no evidence of grounding.
    `UNGROUNDED`: all else.
    """

    GROUNDED = "grounded"
    UNGROUNDED = "ungrounded"
    NO_CLAIMS = "no_claims"

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], *, unchecked: bool) -> GroundingOutcome:
        """What the verdicts on all claims come to; `unchecked`: whether some part was not."""
        found = set(verdicts)
        if unchecked or found - {Verdict.SUPPORTED}:
            return cls.UNGROUNDED
        return cls.GROUNDED if found else cls.NO_CLAIMS


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Words of a source: those that a verdict rests on or, where nothing was found, the nearest.

    `text` is what a reader sees of them. `span` is their place in the text of the source as it was
    given. `source` is the name of the source and `index` its place among those given, from 0.
    `page` and `line` count from 1, None where there are no pages, or no lines of a file; `section`
    is the heading above, and may be empty. `place` says it in words.
    """

    text: str
    source: str
    index: int
    span: Span
    page: int | None = None
    line: int | None = None
    section: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim of an answer and the verdict on it: `answer[span.start:span.end] == text`.

    `reason` is a sentence. `words` are what the verdict rests on; with the verdict `not_found` they
    are the nearest there are and prove nothing, or None. `confidence` is the ledger's, 0 to 1.
    `repair` is what to do about a claim that is not supported.
    """

    text: str
    span: Span
    verdict: Verdict
    reason: str
    confidence: float
    words: SourceWords | None = None
    repair: Repair | None = None

    @property
    def grounded(self) -> bool:
        """Whether a source bears the claim out fully: in part is not enough."""
        return self.verdict is Verdict.SUPPORTED


@dataclass(frozen=True, slots=True, repr=False)
class Grounding:
    """What became of an answer's claims and quotes, in its order. Printed, it is a report of them.

    `unchecked` are parts that may state something and were not checked, such as code that holds
    sentences: each counts as if it were a claim that is not supported. `quotes` are those in
    quotation marks and block quotes; one that is not the source's leaves the answer ungrounded.
    `unread` says what of the sources was refused, left out or may be misread, a line each;
    `warnings` are the ledger's, with these among them.
    """

    answer: str
    claims: tuple[GroundedClaim, ...]
    unchecked: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    quotes: tuple[QuoteCheck, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def outcome(self) -> GroundingOutcome:
        """What the claims come to: see `GroundingOutcome`."""
        verdicts = (claim.verdict for claim in self.claims)
        return GroundingOutcome.of(verdicts, unchecked=bool(self.unchecked or self.misquoted))

    @property
    def misquoted(self) -> tuple[QuoteCheck, ...]:
        """The quotes that no source has so."""
        return tuple(quote for quote in self.quotes if not quote.grounded)

    @property
    def grounded(self) -> bool:
        """Whether the outcome is `grounded`."""
        return self.outcome is GroundingOutcome.GROUNDED

    @property
    def score(self) -> float | None:
        """The share of claims that are supported, 0 to 1; None where there was nothing to check."""
        total = len(self.claims) + len(self.unchecked)
        return sum(claim.grounded for claim in self.claims) / total if total else None

    def share(self, *, allow_no_claims: bool = False) -> float:
        """`score`, and a number also where there was nothing to check: 0, or 1 if allowed."""
        return float(allow_no_claims) if self.score is None else self.score

    @property
    def reason(self) -> str:
        """Why, for a reader: a line that counts, and what is told of each problem."""
        if self.outcome is GroundingOutcome.NO_CLAIMS:
            of_the_answer = [one for one in self.warnings if one not in self.unread]
            return f"Nothing was checked: {'; '.join(of_the_answer) or 'there is no claim'}."
        told = self._blocks(failing=True)
        lines = [f"{self._counted()}.", *told[:_MOST_TOLD]]
        if told[_MOST_TOLD:]:
            lines.append(f"and {len(told) - _MOST_TOLD:,} more")
        return "\n".join(lines)

    def _counted(self) -> str:
        bound = sum(claim.grounded for claim in self.claims)
        told = f"{bound} of {count(len(self.claims), 'claim')} supported by the sources"
        stand = len(self.quotes) - len(self.misquoted)
        return told + (
            f", {stand} of {count(len(self.quotes), 'quote')} true" if self.quotes else ""
        )

    def _blocks(self, *, failing: bool = False) -> list[str]:
        """What a reader is told of each claim, quote and part, in the order of the answer."""
        repairs = {one.span: repair_of_quote(self.answer, one) for one in self.misquoted}
        ours = list(repairs.values())
        told = [
            (e.span, 1, _told_claim(e, None if e.repair in ours else e.repair))
            for e in self.claims
            if not (failing and e.grounded)
        ]
        told += [
            (e.span, 0, _told_quote(e, repairs.get(e.span)))
            for e in self.quotes
            if not (failing and e.grounded)
        ]
        told += [(e.span, 2, _told("unchecked", e.text, e.reason)) for e in self.unchecked]
        return [text for _, _, text in sorted(told)]

    def __str__(self) -> str:
        """The report: each claim and quote with its verdict, why, and the source's words; then what
        of the sources was not read.
        """
        lost = [_told("source", one) for one in self.unread]
        if self.outcome is GroundingOutcome.NO_CLAIMS:
            return "\n".join([*self._blocks(), *lost, self.reason])
        end = f"{self._counted()}: {self.outcome.value}"
        return "\n".join([*self._blocks(), *lost, end])

    __repr__ = __str__

    def fixed(self, *, marked: bool = False) -> str:
        """The answer with its repairs: see `veridical.ledger.repair.fixed`."""
        quotes = (repair_of_quote(self.answer, one) for one in self.misquoted)
        claims = (claim.repair for claim in self.claims)
        return fixed(self.answer, (*quotes, *claims), marked=marked)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data that JSON can hold.

        `start` and `end` of a claim count code points of the answer, `source_start` and
        `source_end` those of the source's text, all from 0.
        """
        return {
            "outcome": self.outcome.value,
            "grounded": self.grounded,
            "score": self.score,
            "reason": self.reason,
            "claims": [_claim_to_dict(claim) for claim in self.claims],
            "unchecked": [_placed(one, reason=one.reason) for one in self.unchecked],
            "quotes": [_quote_to_dict(quote) for quote in self.quotes],
            "warnings": list(self.warnings),
        }


_REPORTED = {Verdict.WEAK: ProblemKind.PARTIAL.told}


def _told_claim(claim: GroundedClaim, repair: Repair | None) -> str:
    words, verdict = claim.words, claim.verdict
    label = _REPORTED.get(verdict, verdict.value.replace("_", " "))
    near = "nearest, " if verdict is Verdict.NOT_FOUND else ""
    return _told(label, claim.text, *_why(claim), *_cited(words, near), *_todo(repair))


def _told_quote(quote: QuoteCheck, repair: Repair | None) -> str:
    label = "quoted" if quote.grounded else ProblemKind.MISQUOTED.told
    text = f"“{one_line(quote.text, _MOST_TOLD_CHARS)}”"
    return _told(label, text, *_why(quote), *_cited(quote.nearest), *_todo(repair))


def _todo(repair: Repair | None) -> list[str]:
    return [f"Repair: {repair.told}."] if repair else []


def _why(one: GroundedClaim | QuoteCheck) -> list[str]:
    return [] if one.grounded else [one.reason]


def _told(label: str, text: str, *more: str) -> str:
    lines = [f"{label}: {one_line(text, _MOST_TOLD_CHARS)}"]
    return "\n".join([*lines, *(f"    {' '.join(line.split())}" for line in more)])


def _cited(words: SourceWords | NearestWords | None, near: str = "") -> Iterator[str]:
    if words is not None:
        named = words.section and words.section not in words.place
        place = f"{words.place}, section “{words.section}”" if named else words.place
        yield f"{near}{place}: “{one_line(words.text, _MOST_TOLD_CHARS)}”"


def _placed(one: GroundedClaim | QuoteCheck | Problem, **told: Any) -> dict[str, Any]:
    return {"text": one.text, "start": one.span.start, "end": one.span.end, **told}


def _claim_to_dict(claim: GroundedClaim) -> dict[str, Any]:
    return _placed(
        claim,
        verdict=claim.verdict.value,
        grounded=claim.grounded,
        reason=claim.reason,
        confidence=claim.confidence,
        **_words_to_dict(claim.words),
        source_index=claim.words and claim.words.index,
        repair=claim.repair and asdict(claim.repair),
    )


def _quote_to_dict(quote: QuoteCheck) -> dict[str, Any]:
    return _placed(
        quote,
        fidelity=quote.fidelity.value,
        grounded=quote.grounded,
        reason=quote.reason,
        **_words_to_dict(quote.nearest),
    )


def _words_to_dict(words: SourceWords | NearestWords | None) -> dict[str, Any]:
    return {
        "words": words and words.text,
        "source": words and words.source,
        "source_start": words and words.span.start,
        "source_end": words and words.span.end,
        "page": words and words.page,
        "line": words and words.line,
    }


# Checks answers against texts that a program holds: retrieved passages, documents, a corpus.


TextSource: TypeAlias = "Document | str | tuple[str, NamedSource] | os.PathLike[str]"
"""A document, a text, a name and what bears it, or the `Path` of a file or a folder."""

NamedSource: TypeAlias = "Document | str | bytes | os.PathLike[str]"
"""What a name may stand for: a text, the bytes of a file, a document, or the `Path` of a file."""

Sources: TypeAlias = (
    "Iterable[TextSource] | Mapping[str, NamedSource] | os.PathLike[str] | Document | Corpus"
)
"""What answers are checked against: see `GroundingChecker`."""

MAX_SOURCES = 10_000
"""Texts given with one answer."""

MAX_SOURCES_CHARS = 50_000_000
"""Characters of all of them together."""

_MOST_NAME_CHARS = 200
_MOST_PATH_CHARS = 1_000
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")


class GroundingChecker:
    """Checks any number of answers against the same sources, which are indexed once, on first use.

    `sources` are documents, texts, pairs of a name and a text (or the bytes of a file, a document,
    a `Path`), or `Path`s of files and folders; or a mapping of names to the same, one document, one
    `Path`, or a `Corpus`. A string is a text: one that is also the
    name of a file or a folder is refused, as it is not clear what is meant; a pair may hold any
    text. Ledgers that Veridical wrote are left out of files and folders. A source without a visible
    character is left out. Names that occur twice get a number. `judge` is the embedded one unless
    given. May be used from several threads at once.

    `indices` are the places among the sources given of the documents of `corpus`, in their order.
    Without any source each claim is `not_found`: a retriever that found nothing is no error.
    Raises DocumentParsingError for a source that cannot be read (of a folder whose other files can
    be, the reports tell it), NoDocumentsError for a folder without one, ValidationError for more
    sources than `MAX_SOURCES` or `MAX_SOURCES_CHARS`, and ConfigurationError for what is no source.
    """

    def __init__(
        self,
        sources: Sources,
        *,
        judge: Judge | None = None,
    ) -> None:
        failures: list[str] = []
        if isinstance(sources, Corpus):
            given = list(enumerate(sources.documents))
            self.corpus = sources
        else:
            given = _documents(sources, failures)
            self.corpus = Corpus(_with_unique_names([document for _, document in given]))
        self.indices = tuple(index for index, _ in given)
        self._checker = AnswerChecker(self.corpus, judge=judge)
        named = ((index, document.name) for index, document in given)
        self._places = dict(zip(self._checker.documents, named, strict=True))
        self._failures = tuple(failures)

    def check(self, answer: str, *, query: str = "") -> Grounding:
        """The verdict on each claim of an answer; `query` is the question that it answers.

        Raises what `LedgerBuilder.build` raises, and ConfigurationError for what is no string.
        """
        if not isinstance(answer, str):
            raise ConfigurationError(
                f"the answer must be a string, not a {type(answer).__name__}: check(answer, "
                "sources), and of a file its text"
            )
        checked = self._checker.check(answer, query=query)
        found = grounding_of(answer, checked, self._checker.documents, self._places)
        lost = (*self.corpus.left_out, *self._failures)
        return replace(
            found,
            warnings=(*found.warnings, *lost),
            unread=(*unread(self.corpus.warnings), *lost),
        )

    def check_statements(self, statements: Sequence[str]) -> tuple[GroundedClaim, ...]:
        """The verdict on each of some whole statements, which are no answer's.

        Raises what `LedgerBuilder.judged` raises.
        """
        entries = self._checker.builder.judged(statements)
        return tuple(_claim(one, {}, self._checker.documents, self._places) for one in entries)


def grounding_of(
    answer: str,
    checked: AnswerCheck,
    documents: Mapping[str, Document],
    places: Mapping[str, tuple[int, str]] | None = None,
) -> Grounding:
    """What was found in an answer, in the flat form. `documents` are those of `AnswerChecker`;
    `places` are their places and names among the sources given, where those are not the same.
    """
    return Grounding(
        answer=answer,
        claims=tuple(
            _claim(one, checked.repairs, documents, places or {}) for one in checked.ledger.entries
        ),
        unchecked=checked.of_kinds((ProblemKind.UNCHECKED,)),
        warnings=checked.ledger.warnings,
        quotes=checked.quotes,
    )


def _claim(
    entry: LedgerEntry,
    repairs: Mapping[Span, Repair],
    documents: Mapping[str, Document],
    places: Mapping[str, tuple[int, str]],
) -> GroundedClaim:
    words, near = None, nearest_words(entry, documents)
    if near is not None:
        evidence = (*entry.evidence, *entry.near)[0]
        at, name = places.get(evidence.source_id, (0, near.document.name))
        words = SourceWords(
            evidence.snippet, name, at, near.span, near.page, near.line, near.section, near.place
        )
    return GroundedClaim(
        text=entry.claim.text,
        span=entry.claim.span,
        verdict=entry.verdict,
        reason=entry.notes,
        confidence=entry.confidence_score,
        words=words,
        repair=repairs.get(entry.claim.span),
    )


def check(
    answer: str, sources: Sources, *, query: str = "", judge: Judge | None = None
) -> Grounding:
    """The verdict on each claim and each quote of one answer; print it for a report.

    `sources` are as `GroundingChecker` takes them, which is for several answers over the same.
    """
    return GroundingChecker(sources, judge=judge).check(answer, query=query)


check_answer = check
"""The same under the name that it had first."""


def check_quotes(
    quotes: Iterable[str], sources: Sources, *, config: ValidationConfig | None = None
) -> ValidationReport:
    """Whether each of some quotes stands in the sources, and what was changed; print it for a
    report. `sources` are as `check` takes them; the quotes are called Q001, Q002 and so on.

    Raises what `GroundingChecker` and `Validator` raise; ValidationError for an empty quote.
    """
    from veridical.validation.claims import quotes_as_claims
    from veridical.validation.validator import Validator

    if isinstance(quotes, str):
        quotes = [quotes]
    return Validator(documents_of(sources), config).validate(quotes_as_claims(quotes))


def documents_of(sources: Sources) -> Sequence[Document]:
    """The documents of sources, no two of one name. Raises what `GroundingChecker` raises."""
    if isinstance(sources, Corpus):
        return sources.documents
    return _with_unique_names([document for _, document in _documents(sources)])


def _documents(
    sources: Iterable[TextSource] | Mapping[str, NamedSource] | os.PathLike[str] | Document,
    failures: list[str] | None = None,
) -> list[tuple[int, Document]]:
    """The documents of the sources, each with the place of its source among all. `failures` gets
    what is wrong with files of folders, which else raises.
    """
    if isinstance(sources, str):
        raise ConfigurationError(
            "sources must be a list of texts or documents, not one text; for a file or a folder "
            "give its pathlib.Path"
        )
    if isinstance(sources, (os.PathLike, Document)):
        sources = [sources]
    elif isinstance(sources, Mapping):
        sources = list(sources.items())  # walked through as it is, its names would be the texts
    elif not isinstance(sources, Iterable):
        raise ConfigurationError(
            f"sources must be a list of texts or documents, not a {type(sources).__name__}"
        )
    found: list[tuple[int, Document]] = []
    chars = 0
    for index, source in enumerate(sources):
        if index >= MAX_SOURCES:
            raise ValidationError(
                f"more than {MAX_SOURCES:,} sources were given; make a Corpus of them once"
            )
        for document in _read(source, index, failures):
            chars += len(document.text)
            if chars > MAX_SOURCES_CHARS:
                raise ValidationError(
                    f"the sources have more than {MAX_SOURCES_CHARS:,} characters together; make "
                    "a Corpus of them once, or check against fewer"
                )
            found.append((index, document))
    return found


def _read(source: TextSource, index: int, failures: list[str] | None) -> Iterator[Document]:
    """The documents of a source: none where a text holds nothing, several of a folder."""
    match source:
        case Document():
            yield source
            return
        case os.PathLike():
            loaded = load_documents([source])
            told = [failure.message for failure in loaded.failures]
            if told and (failures is None or not loaded.documents):
                raise DocumentParsingError(told[0])
            if failures is not None:
                failures.extend(told)
            yield from without_own_work(loaded.documents)
            return
        case str():
            _require_text(source, index)
            name, text = "", source
        case tuple((str() as name, str() as text)):
            pass
        case tuple((str() as name, bytes() as data)):
            yield load_document_bytes(data, _plain(name) or f"source {index + 1}")
            return
        case tuple((str() as name, Document() as document)):
            yield replace(document, name=name)
            return
        case tuple((str() as name, os.PathLike() as path)):
            yield load_document(path, name=name)
            return
        case _:
            raise ConfigurationError(
                f"source {index + 1} is a {type(source).__name__}; give a document, a text, a name "
                "and a text, or a pathlib.Path"
            )
    if text.removeprefix("\ufeff").strip():
        yield _of_text(name, text, index)


def _require_text(source: str, index: int) -> None:
    """Raise ConfigurationError for a name of what lies here: other functions take it as a path."""
    if len(source) <= _MOST_PATH_CHARS and source and os.path.lexists(source):
        raise ConfigurationError(
            f"source {index + 1} is the string {source!r}, the name of a file or a folder here, "
            f"but a string is taken for a text. For what lies there give pathlib.Path({source!r}); "
            f"for these words as a text, a name and a text: ('note', {source!r})"
        )


def _of_text(name: str, text: str, index: int) -> Document:
    # A byte-order mark at the start would be cut off, and move the offsets.
    clean = _HALF_OF_A_PAIR.sub("\ufffd", text)
    clean = f" {clean[1:]}" if clean.startswith("\ufeff") else clean
    name = _plain(name) or f"source {index + 1}"
    document = document_from_text(clean, name)
    # A passage cut out of a page may show nothing of its format, and hold what was struck out.
    may_be_markdown = name.lower().endswith((".md", ".markdown")) or "~~" in clean
    if document.format is Format.PLAIN_TEXT and may_be_markdown:
        return document_from_text(clean, name, Format.MARKDOWN)
    # A transcript's text is another than that of its file: places would not be those of the source.
    same = document.text == clean
    return document if same else document_from_text(clean, name, Format.PLAIN_TEXT)


def _plain(name: str) -> str:
    return _HALF_OF_A_PAIR.sub("\ufffd", " ".join(name.split()))[:_MOST_NAME_CHARS]


def _with_unique_names(documents: Sequence[Document]) -> list[Document]:
    taken: set[str] = set()
    named: list[Document] = []
    numbers: dict[str, int] = {}
    for document in documents:
        name = document.name
        while name in taken:
            numbers[document.name] = numbers.get(document.name, 1) + 1
            name = f"{document.name} ({numbers[document.name]})"
        taken.add(name)
        named.append(document if name == document.name else replace(document, name=name))
    return named
