"""The reader as the validator asks it: whether passages say what a claim says in other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judging.judge import UNRELATED, SupportLevel
from veridical.judging.lines import case_of
from veridical.judging.reader_judge import ReaderJudge
from veridical.matching.passages import Passage
from veridical.retrieval.chunks import Chunk, Cut
from veridical.sources.document import Document, Span
from veridical.validation.results import Sense

_MOST_CHUNKS = 4
"""Chunks that are read for a claim: one fills a window, and what is near to it is read first."""

_NOT_SAID = "The passage does not say it."


class EmbeddedSenseReader:
    """See `veridical.validation.results.SenseReader`. Documents are cut once, chunks read once."""

    def __init__(self, judge: ReaderJudge | None = None) -> None:
        self._judge = judge or ReaderJudge()
        self._cut: dict[int, tuple[Document, Cut]] = {}
        self._chunks: dict[tuple[int, int], Chunk] = {}

    def read(self, asked: Sequence[tuple[str, Sequence[Passage]]]) -> list[Sense | None]:
        """One answer a claim."""
        found = [self._around(passages) for _, passages in asked]
        groups = [
            [case_of(claim, chunk) for chunk in chunks]
            for (claim, _), chunks in zip(asked, found, strict=True)
        ]
        said: list[Sense | None] = []
        for chunks, decided in zip(found, self._judge.decide(groups), strict=True):
            if decided is None or decided[1].deciding is None:
                said.append(None)
                continue
            number, judgement = decided
            first, last = judgement.deciding or (0, 1)
            sentences = chunks[number].sentences[first:last]
            said.append(
                Sense(
                    chunks[number].document,
                    Span(sentences[0].start, sentences[-1].end),
                    judgement.probability,
                    judgement.support is SupportLevel.FULL,
                    judgement.contradicts,
                    _NOT_SAID if judgement.notes == UNRELATED else judgement.notes,
                )
            )
        return said

    def passes_over(self, document: Document, span: Span) -> bool:
        """Whether a chunk leaves some of the span out."""
        chunks = map(self._chunk, self._keys(Passage(document, span, 0.0)))
        return any(span.overlap(part) for chunk in chunks for part in chunk.foreign)

    def _around(self, passages: Sequence[Passage]) -> list[Chunk]:
        """The chunks that passages stand in, those of the first passages first."""
        found: dict[tuple[int, int], Chunk] = {}
        for passage in passages:
            for key in self._keys(passage):
                if key not in found and self._chunk(key).sentences:
                    found[key] = self._chunk(key)
                    if len(found) == _MOST_CHUNKS:
                        return list(found.values())
        return list(found.values())

    def _keys(self, passage: Passage) -> Iterator[tuple[int, int]]:
        """The document and the number of each chunk that a passage stands in."""
        document = passage.document
        if id(document) not in self._cut:
            self._cut[id(document)] = (document, Cut(document))
        for number in self._cut[id(document)][1].within(passage.span):
            yield id(document), number

    def _chunk(self, key: tuple[int, int]) -> Chunk:
        if key not in self._chunks:
            self._chunks[key] = self._cut[key[0]][1].chunk(key[1])
        return self._chunks[key]
