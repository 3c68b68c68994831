"""Reads a part of an answer as a ledger's extraction reads the whole, and notes its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.ledger.extraction.blocks import Block
from veridical.ledger.extraction.outline import Outline
from veridical.ledger.extraction.page import AnswerPage
from veridical.ledger.extraction.reader import ClaimReader
from veridical.ledger.extraction.shown import ShownText
from veridical.ledger.markers import Markers


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the window, or a block that has none, `start:end` without what closes it.

    `block` is the index of its block, `number` counts the sentences of the block from 0 (-1: the
    block has none). `drafts` is the range of the reader's drafts that are its claims. `before` is
    the outline as it was before it.
    """

    block: int
    number: int
    start: int
    end: int
    drafts: range
    before: Outline


def copied(outline: Outline) -> Outline:
    """An outline that no longer changes with the original."""
    return Outline(list(outline.headings), list(outline.parents), outline.anchor, outline.previous)


class WindowReader(ClaimReader):
    """A `ClaimReader` of an answer's part, which goes on from the outline of what stood before.

    The first `stub` characters are a stand-in for what stood before: they open the same lists, and
    nothing in them counts. `before` holds the outline before each block, by its index.
    """

    def __init__(
        self, page: AnswerPage, markers: Markers, most: int, stub: int, outline: Outline
    ) -> None:
        super().__init__(page, markers, most)
        self.sentences: list[Sentence] = []
        self.before: dict[int, Outline] = {}
        self._stub = stub
        self._given: Outline | None = outline

    def _go_on(self, at: int) -> None:
        if self._given is not None and at >= self._stub:
            self._outline, self._given = copied(self._given), None

    def _block(self, block: Block) -> None:
        self._go_on(block.start)
        before, known, drafts = copied(self._outline), len(self.sentences), len(self.drafts)
        self.before.setdefault(self._index, before)
        super()._block(block)
        if len(self.sentences) == known and block.start >= self._stub:
            spans = [draft.span for draft in self.drafts[drafts:]]
            start = min((span.start for span in spans), default=block.start)
            end = max((span.end for span in spans), default=block.end)
            claims = range(drafts, len(self.drafts))
            self.sentences.append(Sentence(self._index, -1, start, end, claims, before))

    def _sentence(
        self, block: Block, shown: ShownText, start: int, end: int, number: int, *, last: bool
    ) -> None:
        self._go_on(shown.starts[start])
        before, drafts, skips = copied(self._outline), len(self.drafts), len(self.skipped)
        super()._sentence(block, shown, start, end, number, last=last)
        if shown.starts[start] < self._stub:
            return
        spans = [draft.span for draft in self.drafts[drafts:]]
        spans += [skip.span for skip in self.skipped[skips:]]
        first = min((span.start for span in spans), default=shown.starts[start])
        final = max((span.end for span in spans), default=shown.ends[end - 1])
        claims = range(drafts, len(self.drafts))
        self.sentences.append(Sentence(self._index, number, first, final, claims, before))
