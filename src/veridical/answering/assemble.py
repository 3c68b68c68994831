"""From a draft to an answer: citations numbered, quotes injected, the text rendered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from veridical.answering.answer import (
    Citation,
    Draft,
    DraftStatement,
    InjectedQuote,
    PolicyAnswer,
    Refusal,
    RefusalReason,
    Statement,
)
from veridical.answering.evidence.finding import Evidence
from veridical.answering.extractive.context import leading
from veridical.answering.question.asked import AskedQuestion
from veridical.answering.quoting import Quote, choose_quote
from veridical.answering.wording import as_statement, refusal_text
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.shown import collapse, sentence_text
from veridical.retrieval.tables.layout import Layout

__all__ = ["assemble", "refusal_text"]

_Key = tuple[str, int]
"""A chunk, by the name of its document and its ordinal there."""


def assemble(
    asked: AskedQuestion,
    draft: Draft,
    corpus: Corpus,
    *,
    answered_by: str,
    probability: float,
    evidence: Sequence[Evidence] = (),
) -> PolicyAnswer:
    """The answer that a draft makes, with a citation for each chunk that it rests on.

    Citations are numbered from 1 in the order of their first use. A chunk none of whose deciding
    sentences can be quoted is not cited, a statement that is left without a citation is dropped,
    and a draft without a statement that stands is a refusal; the notes say so.
    Raises KeyError for a draft that rests on a chunk which the corpus does not have.
    """
    sources = _Sources(draft.statements)
    statements: list[Statement] = []
    notes = list(draft.notes)
    for drafted in draft.statements:
        text = as_statement(drafted.text)
        numbers = sources.numbers(drafted) if text else ()
        if numbers:
            statements.append(Statement(text, numbers))
        else:
            notes.append("A statement was dropped: no sentence that it rests on can be quoted.")
    refusal = draft.refusal
    if not statements:
        refusal = refusal or Refusal(RefusalReason.NOT_ANSWERED)
        return PolicyAnswer(
            question=asked.text,
            text=refusal_text(refusal, asked.text),
            statements=(),
            quotes=(),
            citations=(),
            refusal=refusal,
            answered_by=answered_by,
            probability=probability,
            notes=tuple(notes),
            nearest=_nearest(evidence, corpus),
        )
    citations = sources.citations(corpus)
    quotes = sources.quotes()
    disagreement = as_statement(draft.disagreement) if len(citations) > 1 else ""
    return PolicyAnswer(
        question=asked.text,
        text=_rendered(statements, quotes, _cited(disagreement, citations)),
        statements=tuple(statements),
        quotes=quotes,
        citations=citations,
        refusal=None,
        answered_by=answered_by,
        probability=probability,
        disagreement=disagreement,
        notes=tuple(notes),
    )


MOST_NEAREST = 3
"""Passages that a refusal points to."""


def _nearest(evidence: Sequence[Evidence], corpus: Corpus) -> tuple[Citation, ...]:
    """The sentences that come nearest to an answer, each of another passage, as sources."""
    nearest: dict[_Key, Evidence] = {}
    for one in evidence:
        if len(nearest) < MOST_NEAREST and choose_quote(one.chunk, (one.index,)) is not None:
            nearest.setdefault(_key(one.chunk), one)
    return tuple(
        _citation(one.chunk, [one.index], number, corpus)
        for number, one in enumerate(nearest.values(), 1)
    )


def _rendered(
    statements: Sequence[Statement], quotes: Sequence[InjectedQuote], disagreement: str
) -> str:
    """The answer as it is shown: a line for each statement and each quote."""
    cited = [_marked(statement.text, statement.citations) for statement in statements]
    shown = [f"- {line}" for line in cited] if len(cited) > 1 else cited
    quoted = [f'Quote: "{quote.text}" [{quote.citation}]' for quote in quotes]
    parts = (disagreement, "\n".join(shown), "\n".join(quoted))
    return "\n\n".join(part for part in parts if part)


def _cited(disagreement: str, citations: Sequence[Citation]) -> str:
    """How policies disagree, with the marker of each behind what it is told to say; with all
    markers at the end if it does not name them.
    """
    if not disagreement:
        return ""
    named: dict[int, int] = {}
    for citation in citations:
        for name in (citation.title, citation.doc_id):
            at = disagreement.find(f"{as_statement(name)} says ")
            if at >= 0:
                named.setdefault(at, citation.number)
    if len(named) < _SIDES:
        return _marked(disagreement, [citation.number for citation in citations])
    starts = sorted(named)
    told = disagreement[: starts[0]]
    for start, end in pairwise((*starts, len(disagreement))):
        said = disagreement[start:end].rstrip(" ,.")
        told += f"{_marked(said, [named[start]])}{disagreement[start + len(said) : end]}"
    return told


_SIDES = 2


def _marked(text: str, numbers: Iterable[int]) -> str:
    return f"{text} {''.join(f'[{number}]' for number in numbers)}"


class _Sources:
    """The chunks that statements rest on, numbered as they are first used."""

    def __init__(self, statements: Sequence[DraftStatement]) -> None:
        self._chunks: dict[_Key, Chunk] = {}
        self._deciding: dict[_Key, list[int]] = {}
        for statement in statements:
            for chunk, index in statement.deciding:
                key = _key(chunk)
                self._chunks[key] = chunk
                indexes = self._deciding.setdefault(key, [])
                if index not in indexes:
                    indexes.append(index)
        chosen = {key: _quotes_of(self._chunks[key], self._deciding[key]) for key in self._chunks}
        self._quotes: dict[_Key, tuple[Quote, ...]] = {key: q for key, q in chosen.items() if q}
        self._numbers: dict[_Key, int] = {}

    def numbers(self, statement: DraftStatement) -> tuple[int, ...]:
        """The numbers of what a statement rests on, in order; new ones for what is new."""
        keys = dict.fromkeys(_key(chunk) for chunk, _ in statement.deciding)
        return tuple(
            sorted(
                self._numbers.setdefault(key, len(self._numbers) + 1)
                for key in keys
                if key in self._quotes
            )
        )

    def citations(self, corpus: Corpus) -> tuple[Citation, ...]:
        """What has been numbered, in order."""
        return tuple(
            _citation(self._chunks[key], self._deciding[key], number, corpus)
            for key, number in self._numbers.items()
        )

    def quotes(self) -> tuple[InjectedQuote, ...]:
        """A quote for each number, in order; of a table of which rows are told, two."""
        return tuple(
            InjectedQuote(quote.text, number, quote.span)
            for key, number in self._numbers.items()
            for quote in self._quotes[key]
        )


def _citation(chunk: Chunk, deciding: Sequence[int], number: int, corpus: Corpus) -> Citation:
    return Citation(
        number=number,
        doc_id=chunk.document.name,
        title=chunk.document.title,
        section=" > ".join(map(collapse, chunk.heading_path)),
        snippet=_snippet(chunk, deciding),
        text=chunk.text,
        span=chunk.span,
        page=chunk.page,
        anchor=corpus.anchor(chunk),
    )


def _key(chunk: Chunk) -> _Key:
    return chunk.document.name, chunk.ordinal


def _quotes_of(chunk: Chunk, deciding: Sequence[int]) -> tuple[Quote, ...]:
    """The quote of a chunk, and what it would mislead without: where it is a table row, a second
    row (one alone, where all are told, would stand for the table); of a list, the line before it,
    or the only item that is told.
    """
    first = choose_quote(chunk, deciding)
    if first is None:
        return ()
    layout = Layout(chunk)
    if layout.is_row(first.index):
        others = [index for index in deciding if index != first.index and layout.is_row(index)]
    else:
        others = [index for index in leading(layout, first.index) if index in deciding]
        led = [index for index in deciding if first.index in leading(layout, index)]
        others += led if len(led) == 1 else []
    second = choose_quote(chunk, others)
    return (first,) if second is None else (first, second)


def _snippet(chunk: Chunk, indexes: Sequence[int]) -> str:
    """Sentences in the order of the text, an ellipsis where one between them is left out."""
    ordered = sorted(indexes)
    parts = [sentence_text(chunk, ordered[0])]
    for before, index in pairwise(ordered):
        parts.append(" " if index == before + 1 else " … ")
        parts.append(sentence_text(chunk, index))
    return "".join(parts)
