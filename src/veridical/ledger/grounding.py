"""Is an answer borne out by its sources? The ledger's verdicts in a flat form, for other tools."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from veridical.errors import ConfigurationError, DocumentParsingError, ValidationError
from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.checking import AnswerChecker, Problem, ProblemKind
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.own_work import without_own_work
from veridical.ledger.repair import Repair, fixed
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Format, Span
from veridical.sources.loader import document_from_text, load_documents
from veridical.text.normalize import one_line

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
    `page` counts from 1, None where there are no pages.
    """

    text: str
    source: str
    index: int
    span: Span
    page: int | None = None


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

    def told(self) -> str:
        """The claim, the verdict and the words it rests on, in one line for a reader."""
        text = one_line(self.text, _MOST_TOLD_CHARS)
        line = f"{self.verdict.value.replace('_', ' ')}: “{text}”: {self.reason}"
        line = line if line.endswith((".", "!", "?")) else f"{line}."
        if self.words is None:
            return line
        reads = "is nearest" if self.verdict is Verdict.NOT_FOUND else "reads"
        words = one_line(self.words.text, _MOST_TOLD_CHARS)
        return f"{line} {self.words.source} {reads}: “{words}”"


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of an answer's claims, in its order.

    `unchecked` are parts that may state something and were not checked, such as code that holds
    sentences: each counts as if it were a claim that is not supported. `warnings` are the ledger's.
    """

    answer: str
    claims: tuple[GroundedClaim, ...]
    unchecked: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def outcome(self) -> GroundingOutcome:
        """What the claims come to: see `GroundingOutcome`."""
        verdicts = (claim.verdict for claim in self.claims)
        return GroundingOutcome.of(verdicts, unchecked=bool(self.unchecked))

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
        """Why, for a reader: a line that counts, and one for each claim that is not supported."""
        if self.outcome is GroundingOutcome.NO_CLAIMS:
            return f"Nothing was checked: {'; '.join(self.warnings) or 'there is no claim'}."
        bound = sum(claim.grounded for claim in self.claims)
        lines = [f"{bound} of {len(self.claims)} claims supported by the sources."]
        problems = [f"- {claim.told()}" for claim in self.claims if not claim.grounded]
        problems += [
            f"- not checked: “{one_line(e.text, _MOST_TOLD_CHARS)}”: {e.reason}"
            for e in self.unchecked
        ]
        lines += problems[:_MOST_TOLD]
        if problems[_MOST_TOLD:]:
            lines.append(f"- and {len(problems) - _MOST_TOLD:,} more")
        return "\n".join(lines)

    def fixed(self, *, marked: bool = False) -> str:
        """The answer with its repairs: see `veridical.ledger.repair.fixed`."""
        return fixed(self.answer, (claim.repair for claim in self.claims), marked=marked)

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
            "unchecked": [
                {"text": e.text, "start": e.span.start, "end": e.span.end, "reason": e.reason}
                for e in self.unchecked
            ],
            "warnings": list(self.warnings),
        }


def _claim_to_dict(claim: GroundedClaim) -> dict[str, Any]:
    words = claim.words
    return {
        "text": claim.text,
        "start": claim.span.start,
        "end": claim.span.end,
        "verdict": claim.verdict.value,
        "grounded": claim.grounded,
        "reason": claim.reason,
        "confidence": claim.confidence,
        "words": words and words.text,
        "source": words and words.source,
        "source_index": None if words is None else words.index,
        "source_start": None if words is None else words.span.start,
        "source_end": None if words is None else words.span.end,
        "page": words and words.page,
        "repair": claim.repair and asdict(claim.repair),
    }


# Checks answers against texts that a program holds: retrieved passages, documents, a corpus.


TextSource: TypeAlias = "Document | str | tuple[str, str] | os.PathLike[str]"
"""A document, a text, a name and a text, or the `Path` of a file or a folder."""

MAX_SOURCES = 10_000
"""Texts given with one answer."""

MAX_SOURCES_CHARS = 50_000_000
"""Characters of all of them together."""

_MOST_NAME_CHARS = 200
_MOST_PATH_CHARS = 1_000
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")


class GroundingChecker:
    """Checks any number of answers against the same sources, which are indexed once, on first use.

    `sources` are documents, texts, pairs of a name and a text, or `Path`s of files and folders; or
    a mapping of names to texts, one `Path`, or a `Corpus`. A string is a text: one that is also the
    name of a file or a folder is refused, as it is not clear what is meant; a pair may hold any
    text. Ledgers that Veridical wrote are left out of files and folders. A source without a visible
    character is left out. Names that occur twice get a number. `judge` is the embedded one unless
    given. May be used from several threads at once.

    `indices` are the places among the sources given of the documents of `corpus`, in their order.
    Without any source each claim is `not_found`: a retriever that found nothing is no error.
    Raises DocumentParsingError for a source that cannot be read, NoDocumentsError for a folder
    without one, ValidationError for more sources than `MAX_SOURCES` or `MAX_SOURCES_CHARS`, and
    ConfigurationError for what is no source.
    """

    def __init__(
        self,
        sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str] | Corpus,
        *,
        judge: Judge | None = None,
    ) -> None:
        if isinstance(sources, Corpus):
            self.corpus = sources
            self.indices = tuple(range(len(sources.documents)))
            self._names = tuple(document.name for document in sources.documents)
        else:
            given = _documents(sources)
            self.indices = tuple(index for index, _ in given)
            self._names = tuple(document.name for _, document in given)
            self.corpus = Corpus(_with_unique_names([document for _, document in given]))
        self._checker = AnswerChecker(self.corpus, judge=judge)
        self._places = {source.id: at for at, source in enumerate(self._checker.builder.sources)}

    def check(self, answer: str, *, query: str = "") -> Grounding:
        """The verdict on each claim of an answer; `query` is the question that it answers.

        Raises what `LedgerBuilder.build` raises.
        """
        checked = self._checker.check(answer, query=query)
        repairs = {one.span: one.repair for one in checked.problems if one.repair}
        return Grounding(
            answer=answer,
            claims=tuple(
                replace(self._claim(entry), repair=repairs.get(entry.claim.span))
                for entry in checked.ledger.entries
            ),
            unchecked=checked.of_kinds((ProblemKind.UNCHECKED,)),
            warnings=checked.ledger.warnings,
        )

    def check_statements(self, statements: Sequence[str]) -> tuple[GroundedClaim, ...]:
        """The verdict on each of some whole statements, which are no answer's.

        Raises what `LedgerBuilder.judged` raises.
        """
        return tuple(self._claim(entry) for entry in self._checker.builder.judged(statements))

    def _claim(self, entry: LedgerEntry) -> GroundedClaim:
        return GroundedClaim(
            text=entry.claim.text,
            span=entry.claim.span,
            verdict=entry.verdict,
            reason=entry.notes,
            confidence=entry.confidence_score,
            words=self._words(entry),
        )

    def _words(self, entry: LedgerEntry) -> SourceWords | None:
        for evidence in (*entry.evidence, *entry.near):
            at = self._places[evidence.source_id]
            return SourceWords(
                text=evidence.snippet,
                source=self._names[at],
                index=self.indices[at],
                span=evidence.snippet_span,
                page=evidence.page_number,
            )
        return None


def check_answer(
    answer: str,
    sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str] | Corpus,
    *,
    query: str = "",
    judge: Judge | None = None,
) -> Grounding:
    """The verdict on each claim of one answer: see `GroundingChecker`, which is for several."""
    return GroundingChecker(sources, judge=judge).check(answer, query=query)


def _documents(
    sources: Iterable[TextSource] | Mapping[str, str] | os.PathLike[str],
) -> list[tuple[int, Document]]:
    """The documents of the sources, each with the place of its source among all."""
    if isinstance(sources, str):
        raise ConfigurationError(
            "sources must be a list of texts or documents, not one text; for a file or a folder "
            "give its pathlib.Path"
        )
    if isinstance(sources, os.PathLike):
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
        for document in _read(source, index):
            chars += len(document.text)
            if chars > MAX_SOURCES_CHARS:
                raise ValidationError(
                    f"the sources have more than {MAX_SOURCES_CHARS:,} characters together; make "
                    "a Corpus of them once, or check against fewer"
                )
            found.append((index, document))
    return found


def _read(source: TextSource, index: int) -> Iterator[Document]:
    """The documents of a source: none where a text holds nothing, several of a folder."""
    match source:
        case Document():
            yield source
            return
        case os.PathLike():
            loaded = load_documents([source])
            if loaded.failures:
                raise DocumentParsingError(loaded.failures[0].message)
            yield from without_own_work(loaded.documents)
            return
        case str():
            _require_text(source, index)
            name, text = "", source
        case tuple((str() as name, str() as text)):
            pass
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
