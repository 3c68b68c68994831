"""What an answer is: cited statements with injected quotes, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.answering.evidence import Evidence
from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Span


class RefusalReason(StrEnum):
    """Why a question is not answered."""

    NOTHING_FOUND = "nothing_found"
    """No passage is about it."""

    NOT_ANSWERED = "not_answered"
    """Passages are about it, but none says what is asked: the amount, the person, the date."""

    NOT_ENGLISH = "not_english"
    """The question, or what comes nearest to it, does not read as English."""

    MODEL_REFUSED = "model_refused"
    """The language model found no answer in the passages."""

    UNSUPPORTED = "unsupported"
    """The language model answered, but not with what the passages say."""

    UNUSABLE_QUESTION = "unusable_question"
    """There are no words in it to look for."""

    EMPTY_CORPUS = "empty_corpus"
    """There are no documents."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer. `missing` are the words of the question that the passages which
    come nearest do not have.
    """

    reason: RefusalReason
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftStatement:
    """A statement before it is numbered, and what bears it out.

    `text` is one sentence or a few, without markers and quotations. `deciding` are the sentences
    that it rests on, best first: `(chunk, index into chunk.sentences)`.
    """

    text: str
    deciding: tuple[tuple[Chunk, int], ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two pieces of evidence that contradict each other, the better first; what their documents are
    called, and what each says.
    """

    one: Evidence
    other: Evidence
    titles: tuple[str, str]
    said: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Draft:
    """What an author, a model or the embedded one, made of a question: statements, or none.

    `refusal` is set if and only if there are no statements. `disagreement` tells how
    the passages contradict each other, None where they do not. `notes` tell, for the reader of a
    log or a report, what was dropped or replaced on the way, and why.
    """

    statements: tuple[DraftStatement, ...]
    refusal: Refusal | None = None
    disagreement: Disagreement | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Source `number` (from 1) of an answer, in the order in which it is told.

    `text` is the whole chunk as a reader sees it, `snippet` the sentences of it that the answer
    rests on, its white space collapsed; `span` is the chunk's place in the document of that name.
    `section` joins the titles above it with " > ". `anchor` is the chunk's citation anchor.
    """

    doc_id: str
    title: str
    section: str
    snippet: str
    text: str
    number: int
    page: int | None
    span: Span
    anchor: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is shown, with the numbers of the citations that bear it out."""

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InjectedQuote:
    """A whole sentence of source `citation`, in its own words, its white space collapsed.

    `span` is its place in the source's document.
    """

    text: str
    citation: int
    span: Span


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """An answer with its proof, or a refusal with its reason.

    `text` is what is shown: statements with `[n]` markers and one `Quote: "…" [n]` line after
    them for each quote; or the refusal, which says "cannot" and cites nothing. In `text`, and
    nowhere else, markers stand for the entry of `citations` of that number. `answered_by` names
    the model, or the embedded author. `probability` is the calibrated probability that the corpus
    answers the question. `nearest` are, of a refusal, the passages that come nearest, and prove
    nothing.
    """

    question: str
    text: str
    statements: tuple[Statement, ...]
    quotes: tuple[InjectedQuote, ...]
    citations: tuple[Citation, ...]
    refusal: Refusal | None
    answered_by: str
    probability: float
    disagreement: str = ""
    notes: tuple[str, ...] = ()
    nearest: tuple[Citation, ...] = ()

    @property
    def snippets(self) -> tuple[str, ...]:
        """The words that the answer rests on, one for each citation; none of a refusal."""
        return tuple(citation.snippet for citation in self.citations)
