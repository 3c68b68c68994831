"""From a question to an answer: retrieve, decide whether to answer, draft, and prove."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from veridical.answering.answer import (
    Citation,
    Disagreement,
    Draft,
    DraftStatement,
    InjectedQuote,
    PolicyAnswer,
    Refusal,
    RefusalReason,
    Statement,
)
from veridical.answering.evidence import ChunkKey, Evidence, key_of, titles_of
from veridical.answering.extractive.author import state_extractively
from veridical.answering.extractive.context import leading
from veridical.answering.question import AskedQuestion, read_question
from veridical.answering.quoting import Quote, choose_quote, is_plain
from veridical.answering.reading import SCORE_DIGITS, AnswerReader, likelihood
from veridical.errors import ModelUnavailable
from veridical.judging.words import read_words
from veridical.retrieval.chunks import Chunk, foreign_words, left_out
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.retrieval.shown import collapse, sentence_text
from veridical.retrieval.tables.layout import Layout
from veridical.tracing import tell, traced

if TYPE_CHECKING:
    from veridical.judging.judge import Judge
    from veridical.models.protocol import LanguageModel

# How statements and refusals are put: in one line, without what reads as a marker or a quote.


_MOST_MISSING = 3
_MISSING_CHARS = 80
"""Bounds of what a refusal repeats of a question, which may hold anything."""

_BRACKETS = str.maketrans("[]【】［］", "()()()")
_QUOTE_LABEL = re.compile(r"\b(quote)\s*:", re.IGNORECASE)
_OPENING = "I cannot answer this from the policies: "
_REASONS = {
    RefusalReason.NOTHING_FOUND: "nothing in them says anything about it.",
    RefusalReason.NOT_ANSWERED: "the passages that come closest do not say it.",
    RefusalReason.NOT_ENGLISH: "the question, or what comes nearest to it, is not in English, the "
    "only language that is read.",
    RefusalReason.MODEL_REFUSED: "the language model found no answer in their passages.",
    RefusalReason.UNSUPPORTED: "what the language model replied is not what they say.",
    RefusalReason.UNUSABLE_QUESTION: "the question has no words to look for.",
    RefusalReason.EMPTY_CORPUS: "there are none to look in.",
}
_NAMING = {
    RefusalReason.NOTHING_FOUND: "nothing that was found in them mentions {}.",
    RefusalReason.NOT_ANSWERED: "the passages that come closest do not mention {}.",
    RefusalReason.MODEL_REFUSED: "the language model found nothing in their passages on {}.",
}
"""What is said where words of the question are missing."""

_WORD = re.compile(r"\w[\w'\u2019-]*")


def as_statement(text: str) -> str:
    """A statement in one line, in which nothing reads as a marker or as a quote line.

    In an answer `[2]` stands for its second citation and `Quote:` opens a quote, so that a
    source's own square brackets are shown round, and its "Quote:" with a dash.
    """
    kept = "".join(c for c in text if c.isspace() or is_plain(c))
    return _QUOTE_LABEL.sub(r"\1 –", collapse(kept).translate(_BRACKETS))


def refusal_text(refusal: Refusal, question: str = "") -> str:
    """A refusal in plain words: that the question cannot be answered, and what is missing.

    Missing words that stand beside each other in the question are named as one.
    """
    missing = [as_statement(one)[:_MISSING_CHARS].strip() for one in refusal.missing]
    words = _joined([one for one in dict.fromkeys(missing) if one], question)
    about = _listed([_mentioned(one) for one in words[:_MOST_MISSING]])
    naming = _NAMING.get(refusal.reason)
    if not about or naming is None:
        return _OPENING + _REASONS[refusal.reason]
    return _OPENING + naming.format(about)


def _mentioned(name: str) -> str:
    """A word of a question between quotation marks, as it may be no noun: not about “given”."""
    return name if name[0].isupper() or not name[0].isalnum() else f"\u201c{name}\u201d"


def _joined(words: list[str], question: str) -> list[str]:
    """The words, those in a row that follow each other in the question as one."""
    follows = set(pairwise(word.casefold() for word in _WORD.findall(question)))
    found: list[str] = []
    last = ""
    for word in words:
        if found and (last.casefold(), word.casefold()) in follows:
            found[-1] = f"{found[-1]} {word}"
        else:
            found.append(word)
        last = word
    return found


def _listed(names: list[str]) -> str:
    """The names in a row, the last behind "or"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"


# From a draft to an answer: citations numbered, quotes injected, the text rendered.


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
    refusal = None if statements else draft.refusal or Refusal(RefusalReason.NOT_ANSWERED)
    citations, quotes = sources.citations(corpus), sources.quotes()
    found = draft.disagreement if len(citations) > 1 else None
    disagreement, cited = ("", "") if found is None else sources.disagreement(found)
    return PolicyAnswer(
        question=asked.text,
        text=refusal_text(refusal, asked.text) if refusal else _rendered(statements, quotes, cited),
        statements=tuple(statements),
        quotes=quotes,
        citations=citations,
        refusal=refusal,
        answered_by=answered_by,
        probability=probability,
        disagreement=disagreement,
        notes=tuple(notes),
        nearest=_nearest(evidence, corpus) if refusal else (),
    )


MOST_NEAREST = 3
"""Passages that a refusal points to."""


def _nearest(evidence: Sequence[Evidence], corpus: Corpus) -> tuple[Citation, ...]:
    """The sentences that come nearest to an answer, each of another passage, as sources."""
    nearest: dict[ChunkKey, Evidence] = {}
    for one in evidence:
        if len(nearest) < MOST_NEAREST and choose_quote(one.chunk, (one.index,)) is not None:
            nearest.setdefault(key_of(one.chunk), one)
    return tuple(
        _citation(one.chunk, [one.index], number, corpus)
        for number, one in enumerate(nearest.values(), 1)
    )


def _rendered(
    statements: Sequence[Statement], quotes: Sequence[InjectedQuote], disagreement: str
) -> str:
    """The answer as it is shown: a line for each statement and each quote."""
    cited = [f"{one.text} {''.join(f'[{n}]' for n in one.citations)}" for one in statements]
    shown = [f"- {line}" for line in cited] if len(cited) > 1 else cited
    quoted = [f'Quote: "{quote.text}" [{quote.citation}]' for quote in quotes]
    parts = (disagreement, "\n".join(shown), "\n".join(quoted))
    return "\n\n".join(part for part in parts if part)


class _Sources:
    """The chunks that statements rest on, numbered as they are first used."""

    def __init__(self, statements: Sequence[DraftStatement]) -> None:
        self._chunks: dict[ChunkKey, Chunk] = {}
        self._deciding: dict[ChunkKey, list[int]] = {}
        for statement in statements:
            for chunk, index in statement.deciding:
                key = key_of(chunk)
                self._chunks[key] = chunk
                indexes = self._deciding.setdefault(key, [])
                if index not in indexes:
                    indexes.append(index)
        chosen = {key: _quotes_of(self._chunks[key], self._deciding[key]) for key in self._chunks}
        self._quotes: dict[ChunkKey, tuple[Quote, ...]] = {key: q for key, q in chosen.items() if q}
        self._numbers: dict[ChunkKey, int] = {}

    def numbers(self, statement: DraftStatement) -> tuple[int, ...]:
        """The numbers of what a statement rests on, in order; new ones for what is new."""
        keys = dict.fromkeys(key_of(chunk) for chunk, _ in statement.deciding)
        return tuple(
            sorted(
                self._numbers.setdefault(key, len(self._numbers) + 1)
                for key in keys
                if key in self._quotes
            )
        )

    def disagreement(self, found: Disagreement) -> tuple[str, str]:
        """How policies disagree, in a sentence, and the same with the marker of each side."""
        said = [
            f"{as_statement(title)} says {as_statement(words)}"
            for title, words in zip(found.titles, found.said, strict=True)
        ]
        numbers = [self._numbers.get(key_of(side.chunk)) for side in (found.one, found.other)]
        cited = [f"{one} [{n}]" if n else one for one, n in zip(said, numbers, strict=True)]
        plain, marked = (f"The policies disagree: {', '.join(sides)}." for sides in (said, cited))
        return plain, marked

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
    first = chunk.sentences[deciding[0]] if deciding else chunk.span
    path = chunk.document.path_of(first) if chunk.document.places else chunk.heading_path
    return Citation(
        number=number,
        doc_id=chunk.document.name,
        title=chunk.document.title,
        section=" > ".join(map(collapse, path)),
        snippet=_snippet(chunk, deciding),
        text=chunk.text,
        span=chunk.span,
        page=chunk.page,
        anchor=corpus.anchor(chunk),
    )


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


PASSAGES = 8
"""Passages that a model is shown."""

EXTRACTIVE = "extractive"
"""How the embedded author is named: it answers in the sentences of the policies themselves."""

_log = logging.getLogger(__name__)


_PUTTING = frozenset(
    """
    many much long often soon far get gets go goes say says know want need needs tell make take
    give happen happens thing things way please
    """.split()
)
"""Words that put a question, beside grammar words; a refusal does not name them as missing. (23 of
247 refusals of questions that nobody had tuned on named one.)
"""


def _refusal(asked: AskedQuestion, hits: Sequence[Hit], nearest: Sequence[Evidence]) -> Refusal:
    """That what comes nearest does not answer, and which words of the question it does not have; or
    that no passage has any of them.
    """
    shown = (f"{one.above} {one.chunk.text}" for one in nearest[:MOST_NEAREST])
    others = (f"{titles_of(hit.chunk)} {hit.chunk.text}" for hit in hits)
    near, far = (
        {word.stem for text in texts for word in read_words(text)} for texts in (shown, others)
    )
    named = [(word, stem) for word, stem in asked.words if word.casefold() not in _PUTTING]
    if not named:
        return Refusal(RefusalReason.UNUSABLE_QUESTION)
    missing = tuple(word for word, stem in named if stem not in near)
    nowhere = not any(stem in near | far for _, stem in named)
    reason = RefusalReason.NOTHING_FOUND if nowhere else RefusalReason.NOT_ANSWERED
    return Refusal(reason, missing)


class PolicyAnswerer:
    """Answers questions from a corpus, or refuses them. Usable from several threads at once.

    The reader looks for the sentences that come nearest. What is likely enough the answer is told;
    else they are what a refusal shows. With a `model`, answers are in its words, each statement
    judged against what it cites by `judge` (the embedded one by default) and dropped if that does
    not bear it out; it is asked about what comes nearest, and may refuse. A model that cannot be
    reached is stood in for by the embedded author, and the answer says so.
    """

    def __init__(
        self, corpus: Corpus, *, model: LanguageModel | None = None, judge: Judge | None = None
    ) -> None:
        self._corpus = corpus
        self._retriever = HybridRetriever(corpus)
        self._reader = AnswerReader(corpus)
        self._model = model
        self._judge = judge

    @property
    def name(self) -> str:
        """Who writes the answers: the model, or the embedded author."""
        return EXTRACTIVE if self._model is None else self._model.name

    def prepare(self) -> None:
        """Make now what the first question would wait for. The model is not asked."""
        self._corpus.prepare()
        asked = read_question("How much leave is there?")
        hits, evidence = self._found(asked)
        if self._model is not None:
            from veridical.answering.generative.author import ModelAuthor
            from veridical.models.scripted import ScriptedModel

            stand_in = ScriptedModel(["- There is leave. [1]"])
            ModelAuthor(stand_in, self._judge).draft(asked, hits, evidence)

    @traced("answering.answer")
    def answer(self, question: str) -> PolicyAnswer:
        """The answer to a question.

        Raises ValidationError for a question that is empty or too long, and ModelError where the
        model's server refuses the key, the model or the request.
        """
        asked = read_question(question)
        evidence: tuple[Evidence, ...] = ()
        author, probability = EXTRACTIVE, 0.0
        if not self._corpus.chunks:
            draft = Draft((), Refusal(RefusalReason.EMPTY_CORPUS))
        elif not asked.words:
            draft = Draft((), Refusal(RefusalReason.UNUSABLE_QUESTION))
        else:
            hits, evidence = self._found(asked)
            probability = round(likelihood(evidence), SCORE_DIGITS)
            told = self._reader.answering(asked.text, evidence)
            if not self._reader.is_english(asked.text, told or evidence[:1]):
                offline = Draft((), Refusal(RefusalReason.NOT_ENGLISH))
            elif told:
                offline = state_extractively(asked, told, evidence)
            else:
                offline = Draft((), _refusal(asked, hits, evidence))
            draft, author = self._written(asked, hits, evidence, offline)
            found = (*(hit.chunk for hit in hits), *(one.chunk for one in evidence))
            draft = replace(draft, notes=(*draft.notes, *left_out(foreign_words(found))))
        tell(refused=draft.refusal is not None, statements=len(draft.statements))
        return assemble(
            asked,
            draft,
            self._corpus,
            answered_by=author,
            probability=probability,
            evidence=evidence,
        )

    def _found(self, asked: AskedQuestion) -> tuple[tuple[Hit, ...], tuple[Evidence, ...]]:
        """Passages that a model is shown, and the sentences that may answer, best first."""
        (hits,) = self._retriever.search_questions([asked.text], PASSAGES)
        return hits, self._reader.find(asked.text)

    def _written(
        self,
        asked: AskedQuestion,
        hits: tuple[Hit, ...],
        evidence: tuple[Evidence, ...],
        offline: Draft,
    ) -> tuple[Draft, str]:
        """The model's draft; where there is none to ask, that of the embedded author."""
        if self._model is None:
            return offline, EXTRACTIVE
        from veridical.answering.generative.author import ModelAuthor

        try:
            author = ModelAuthor(self._model, self._judge)
            return author.draft(asked, hits, evidence), self._model.name
        except ModelUnavailable as error:
            _log.warning("the model is not available: %s", error)
            note = f"The model {self._model.name} is not available: {error}"
            return replace(offline, notes=(*offline.notes, note)), EXTRACTIVE
