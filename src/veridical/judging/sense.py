"""The reader as the validator asks it: whether passages say what a claim says in other words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from veridical.judging.judge import UNRELATED, SupportLevel
from veridical.judging.lines import case_of
from veridical.judging.reader_judge import ReaderJudge
from veridical.matching.passages import Passage
from veridical.retrieval.chunks import Chunk, chunk_document
from veridical.sources.document import Document, Span
from veridical.validation.results import Sense

_MOST_CHUNKS = 4
"""Chunks that are read for a claim: one fills a window, and what is near to it is read first."""

_NOT_SAID = "The passage does not say it."


class EmbeddedSenseReader:
    """See `veridical.validation.results.SenseReader`. Documents are cut into chunks once."""

    def __init__(self, judge: ReaderJudge | None = None) -> None:
        self._judge = judge or ReaderJudge()
        self._chunks: dict[int, tuple[Document, list[Chunk]]] = {}

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

    def _around(self, passages: Sequence[Passage]) -> list[Chunk]:
        """The chunks that passages stand in, those of the first passages first."""
        found: dict[int, Chunk] = {}
        for passage in passages:
            document, chunks = self._chunks.setdefault(id(passage.document), (passage.document, []))
            if not chunks:
                chunks += chunk_document(document)
            at = bisect_left(chunks, passage.span.start + 1, key=lambda chunk: chunk.span.end)
            while at < len(chunks) and chunks[at].span.start < passage.span.end:
                if chunks[at].sentences:
                    found.setdefault(id(chunks[at]), chunks[at])
                at += 1
        return list(found.values())[:_MOST_CHUNKS]
