"""Holds what a model says against the sources that it cites, and keeps what they bear out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from veridical.answering.evidence import Evidence
from veridical.answering.generative.fidelity import keeps_to, keeps_to_row
from veridical.answering.generative.reply import ReplySentence
from veridical.answering.generative.sources import ShownSource
from veridical.answering.generative.terms import keys_of
from veridical.errors import ProcessingError
from veridical.judging.judge import Judge, Judgement, SupportLevel
from veridical.judging.reader_judge import ReaderJudge
from veridical.ledger.entry import AnswerClaim
from veridical.ledger.passages import Passage, judge_passages
from veridical.matching.passages import content_words, coverage
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Span
from veridical.text.normalize import fold

# Which sentences of a shown source a text keeps to, word for word as far as it matters.


_LEANS = re.compile(
    r"(?:this|these|those|that|it|its|they|their|he|his|she|her|such|both|either|the same)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose subject stands in the one before it."""


def kept_in(text: str, source: ShownSource) -> tuple[int, ...]:
    """The sentences of a source that a text keeps to, by their places in `source.sentences`."""
    layout = Layout(source.chunk)
    found = []
    for place, sentence in enumerate(source.sentences):
        near = _near(source, place)
        if layout.is_row(source.indexes[place]):
            row = layout.row_in_words(source.indexes[place]) or ""
            if keeps_to_row(text, row, near):
                found.append(place)
        elif keeps_to(text, sentence, near):
            found.append(place)
    return tuple(found)


def _near(source: ShownSource, index: int) -> frozenset[str]:
    """The words that a statement on a sentence may take from around it."""
    words = [source.section.rsplit(" > ", 1)[-1], source.title, source.columns]
    if index and _LEANS.match(source.sentences[index]):
        words.append(source.sentences[index - 1])
    return keys_of(tuple(words))


MOST_JUDGED = 3
LEAST_SHARE = 0.7
"""Where a sentence cites more than two sources, it is judged by at most so many: those that share
most words with it, and at least this part of what the first of them shares. A model that cites
everything for everything has checked nothing, and no reader would check it."""

_FEW = 2

LEAST_TO_DENY = 0.5
"""Share of a text's words that a cited source must have to be asked whether it says otherwise."""

MOST_DECIDING = 3
"""Sentences that are kept of what a source says on a sentence."""

_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
    r"|\b[\w-]{1,64}\.(?:com|net|org|io|example)\b\S*",
    re.IGNORECASE,
)

Deciding = tuple[Chunk, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a sentence: the source sentences that bear it out, best first, or why none do.

    `reason` is empty if and only if there are deciding sentences.
    """

    deciding: tuple[Deciding, ...]
    reason: str = ""


class Checker:
    """Checks the sentences of one reply, all in one call of the judge."""

    def __init__(
        self, judge: Judge, sources: Sequence[ShownSource], evidence: Sequence[Evidence]
    ) -> None:
        self._judge = judge
        self._sources = {source.number: source for source in sources}
        self._folded = {source.number: fold(" ".join(source.lines)) for source in sources}
        self._answering = {place_of(piece.chunk, piece.index) for piece in evidence}

    def check(self, sentences: Sequence[ReplySentence]) -> list[Finding]:
        """A finding for each sentence."""
        asked: list[_Text] = []
        places: list[range] = []
        for sentence in sentences:
            start = len(asked)
            asked.extend(self._texts(sentence))
            places.append(range(start, len(asked)))
        judged = self._judged(asked)
        return [
            self._finding(sentence, [(asked[i], judged[i]) for i in place])
            for sentence, place in zip(sentences, places, strict=True)
        ]

    def _texts(self, sentence: ReplySentence) -> list[_Text]:
        """What is judged of a sentence: it, or its clauses; nothing where no source has its words.

        A judge is asked only where there is something to gain: most of its time goes into texts
        that no source can bear out.
        """
        if not sentence.cites:
            return []
        whole = self._text(sentence.text, sentence)
        if whole.kept or len(sentence.claims) < 2:
            return [whole] if whole.kept else []
        clauses = [self._text(clause, sentence) for clause in sentence.claims]
        return clauses if all(clause.kept for clause in clauses) else []

    def _text(self, text: str, sentence: ReplySentence) -> _Text:
        sources = tuple(self._sources[number] for number in self._likely(text, sentence.cites))
        kept = {
            source.number: found
            for source in sources
            if not adds_an_address(text, source.chunk.text) and (found := kept_in(text, source))
        }
        words = content_words(fold(text))
        bearing = tuple(
            source
            for source in sources
            if source.number in kept
            or coverage(words, self._folded[source.number]) >= LEAST_TO_DENY
        )
        return _Text(_claim(text, sentence.context), bearing, kept)

    def _likely(self, text: str, cites: Sequence[int]) -> Sequence[int]:
        """The sources that a text is judged by: see `MOST_JUDGED`."""
        if len(cites) <= _FEW:
            return cites
        words = content_words(fold(text))
        shares = {number: coverage(words, self._folded[number]) for number in cites}
        least = LEAST_SHARE * max(shares.values())
        best = sorted((n for n in cites if shares[n] >= least), key=lambda n: -shares[n])
        return best[:MOST_JUDGED]

    def _judged(self, texts: Sequence[_Text]) -> list[dict[int, Judgement]]:
        """What the judge says of each text and source, by the source's number.

        Each source is asked by itself: none may stand by its marker for what another says, nor
        hide that it says otherwise. Where a judge could judge nothing the embedded one does.
        """
        pairs = [(text.claim, source.judged) for text in texts for source in text.sources]
        claims = [claim for claim, _ in pairs]
        passages = [[Passage(chunk, cited=True)] for _, chunk in pairs]
        try:
            outcomes = judge_passages(self._judge, claims, passages)
        except ProcessingError:
            outcomes = judge_passages(embedded_judge(), claims, passages)
        following = iter(outcomes)
        return [
            {source.number: one.judgement for source in text.sources for one in next(following)[0]}
            for text in texts
        ]

    def _finding(
        self, sentence: ReplySentence, judged: Sequence[tuple[_Text, dict[int, Judgement]]]
    ) -> Finding:
        if not sentence.cites:
            return Finding((), "it cites no source")
        if any(said.contradicts for _, outcome in judged for said in outcome.values()):
            return Finding((), "a source that it cites says otherwise")
        found = [list(_bearing(text, outcome)) for text, outcome in judged]
        if not found or not all(found):
            return Finding((), f"{_named(sentence.cites)} not bear it out")
        deciding = [one for part in found for one in part]
        if sentence.is_fragment and not self._answers(deciding):
            return Finding((), "it is no sentence, and rests on none that answers the question")
        return Finding(tuple({place_of(*one): one for one in deciding}.values()))

    def _answers(self, deciding: Collection[Deciding]) -> bool:
        return any(place_of(chunk, index) in self._answering for chunk, index in deciding)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to be judged, its sources, and for the numbers of those of them that have its words
    the sentences that it keeps to, by their places in `ShownSource.sentences`.
    """

    claim: AnswerClaim
    sources: tuple[ShownSource, ...]
    kept: Mapping[int, tuple[int, ...]]


def _bearing(text: _Text, judgements: Mapping[int, Judgement]) -> Iterator[Deciding]:
    """The sentences that bear a text out, those of the surest source first."""
    judged = [source for source in text.sources if source.number in judgements]
    for source in sorted(judged, key=lambda one: -judgements[one.number].probability):
        if judgements[source.number].support is SupportLevel.FULL:
            for place in text.kept.get(source.number, ())[:MOST_DECIDING]:
                yield source.chunk, source.indexes[place]


@cache
def embedded_judge() -> Judge:
    """The judge that statements are held to by default: the embedded one at its strict point."""
    return ReaderJudge()


def _claim(text: str, context: str) -> AnswerClaim:
    return AnswerClaim(id="", span=Span(0, len(text)), text=text, statement=text, context=context)


def place_of(chunk: Chunk, index: int) -> tuple[str, int, int]:
    """A sentence, by its document's name, its chunk's ordinal and its place in the chunk."""
    return chunk.document.name, chunk.ordinal, index


def _named(cites: Sequence[int]) -> str:
    """Who does not bear a sentence out, with the verb."""
    numbers = "".join(f"[{number}]" for number in cites)
    return f"source {numbers} does" if len(cites) == 1 else f"sources {numbers} do"


def adds_an_address(text: str, source: str) -> bool:
    """Whether it sends its reader to an address that the source does not have."""
    shown = source.lower()
    return any(found.rstrip(".,;:)").lower() not in shown for found in _ADDRESS.findall(text))
