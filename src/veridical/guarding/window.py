"""The part of a growing answer that is still open: what of it is settled, and where to go on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from veridical.guarding.window_reader import LOOK_AHEAD, Sentence, WindowReader, unclosed
from veridical.ledger.entry import AnswerClaim
from veridical.ledger.extraction.extractor import MAX_CLAIMS, Skipped, SkipReason
from veridical.ledger.extraction.outline import Outline
from veridical.ledger.extraction.page import AnswerPage, Block, BlockKind, cells, read_page
from veridical.ledger.extraction.rules import claim_id, finished
from veridical.ledger.extraction.sentences import struck_out
from veridical.ledger.extraction.unchecked import prose_in_code
from veridical.ledger.markers import markers_of
from veridical.sources.document import Span
from veridical.text.reading import SENTENCE_ENDS

_TEXT = (BlockKind.TEXT, BlockKind.ITEM, BlockKind.NOTE, BlockKind.MEANING)
_ENDS = frozenset(SENTENCE_ENDS)
_FENCES = ("```", "~~~")
_SOURCE_LABEL = re.compile(r"(?:sources?|references?|quellen?)[*_]*[:\uff1a]", re.IGNORECASE)
_LEADING_MARKER = re.compile("[\\s\\[\\]\u3010\u3011(<^\u00b9\u00b2\u00b3\u2070\u2074-\u2079]")
_WORDS = re.compile(r"[\w<\[]")
_OPENED = re.compile(r"(?:(?P<run>\*\*|__|~~|[*_])|<(?P<tag>[a-zA-Z]+)\b[^<>]*>)\Z")
_OPENING = 2
"""A bracket so near the start of a sentence may be a citation that belongs to the one before."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled sentence, or a block without one. Offsets are those of the window's text, later of
    the answer.

    `lead:start` is what stands before it: white space, list marks, the signs of a table.
    `start:end` are its words with the signs and the citations that close them; `mark_at` is where
    something may be added to it. `first` says that no sentence of its block stands before it.
    `skipped` are the places in `lead:end` that no claim is made of. `prose`: it is code with
    sentences in it. `block` is the index of its block in the window.
    """

    lead: int
    start: int
    end: int
    mark_at: int
    kind: BlockKind | None
    level: int
    first: bool
    claims: tuple[AnswerClaim, ...]
    skipped: tuple[Skipped, ...]
    prose: bool
    block: int = field(default=-1, compare=False)

    def moved(self, by: int, edge: int) -> Settled:
        """The same in the whole answer, of which all before `edge` is settled already."""
        return replace(
            self,
            lead=edge,
            start=max(self.start + by, edge),
            end=self.end + by,
            mark_at=max(self.start + by, edge, self.mark_at + by),
            claims=tuple(_moved_claim(claim, by) for claim in self.claims),
            skipped=tuple(moved_skip(skip, by) for skip in self.skipped),
        )


class Window:
    """A part of an answer, read. `stub` characters stand in for what stood before it."""

    def __init__(self, text: str, stub: int, outline: Outline, *, final: bool) -> None:
        self.text = text
        self.stub = stub
        self.final = final
        self.page: AnswerPage = read_page(text)
        markers = markers_of(self.page)
        self.reader = WindowReader(self.page, markers, MAX_CLAIMS + 1, stub, outline)
        self.reader.read()
        self._cuts = sorted({marker.span for marker in markers.found})
        self.extraction = finished(self.page, markers, self.reader, "", "")
        self._by_start = {claim.span.start: claim for claim in self.extraction.claims}
        self._opened: dict[int, list[int]] = {}
        self._code = self._code_blocks()
        self.skipped = tuple(_trimmed(text, skip) for skip in self.extraction.skipped)
        self._skips = [skip.span.start for skip in self.skipped]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the window."""
        return self.page.blocks

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences of the window, and the blocks that have none, in order."""
        return self.reader.sentences

    def settled(self) -> list[Settled]:
        """The sentences that nothing that may follow can change, in order, from the first on."""
        count = 0
        while count < len(self.sentences) and (self.final or self._is_settled(count)):
            count += 1
        return list(self._parts(count if self.final else self._without_openings(count)))

    def _without_openings(self, count: int) -> int:
        """So many of the first sentences, up to a "yes" that no claim follows so far: whether one
        does tells how it is read.
        """
        settled = self.sentences[:count]
        claimed = [
            self.reader.drafts[number].span.start for one in settled for number in one.drafts
        ]
        last = max(claimed, default=-1)
        held = min((span.start for span in self.reader.openings if span.start > last), default=None)
        if held is None:
            return count
        return next((at for at, one in enumerate(settled) if one.end > held), count)

    def _holds_prose(self, start: int, end: int) -> bool:
        """Whether code in that part holds what reads like a sentence."""
        inside = tuple(block for block in self.blocks if start <= block.start < end)
        return prose_in_code(replace(self.page, blocks=inside)) > 0

    # What is settled.

    def _is_settled(self, index: int) -> bool:
        sentence = self.sentences[index]
        if self._is_closed(sentence.block):
            return True
        block = self.blocks[sentence.block]
        following = self._at(index + 1)
        if block.kind not in _TEXT or following is None or following.block != sentence.block:
            return False
        between = self.text[sentence.end : following.start]
        if _ENDS.isdisjoint(self.text[max(0, sentence.end - 2) : sentence.end] + between):
            return False
        if len(self.text) - following.start < LOOK_AHEAD or self._may_be_table(block):
            return False
        if _SOURCE_LABEL.search(self.text[sentence.end : following.start + LOOK_AHEAD]):
            return False
        opened = self._unclosed(sentence.block)
        near = [at for at in opened if at >= sentence.end and self.text[at] not in "*_~`"]
        return not any(at < following.start for at in opened) and not any(
            at <= following.start + _OPENING for at in near
        )

    def _unclosed(self, index: int) -> list[int]:
        if index not in self._opened:
            block = self.blocks[index]
            self._opened[index] = unclosed(self.page.document, block.start, len(self.text))
        return self._opened[index]

    def _at(self, index: int) -> Sentence | None:
        return self.sentences[index] if index < len(self.sentences) else None

    def _may_be_table(self, block: Block) -> bool:
        return "|" in self.text[self.text.rfind("\n", 0, block.end) + 1 :]

    def _is_closed(self, index: int) -> bool:
        """Whether the block is over, and what follows it is known well enough."""
        last = len(self.blocks) - 1
        if index in self._code:
            end, is_closed = self._code[index]
            if is_closed or end == last:
                return is_closed
            index = end
        if index >= last:
            return False
        if self.blocks[index].kind is BlockKind.COLUMNS and not self._is_row_known(index + 2):
            return False
        following = self.blocks[index + 1]
        rest = self.text[following.start :]
        if index + 1 < last:
            return True
        if "\n" not in rest and "\r" not in rest and len(rest) < LOOK_AHEAD:
            return False
        return following.kind not in _TEXT or not self._only_cites(index + 1)

    def _is_row_known(self, index: int) -> bool:
        """Whether the line below a table's head is complete: without a row the head is one."""
        rest = self.text[self.blocks[index].start :] if index < len(self.blocks) else ""
        return "\n" in rest or "\r" in rest

    def _only_cites(self, index: int) -> bool:
        """Whether a block has nothing but citations so far: they belong to what stands before."""
        block = self.blocks[index]
        if _LEADING_MARKER.match(self.text, block.start):
            opened = self._unclosed(index)
            if opened and opened[0] <= block.start + _OPENING:
                return True
        low = bisect_left(self._skips, block.start)
        skipped = [s for s in self.skipped[low:] if s.span.start < block.end]
        only = bool(skipped) and all(s.reason is SkipReason.CITATION for s in skipped)
        claims = [c for c in self._by_start if block.start <= c < block.end]
        return only and not claims

    def _is_fence(self, index: int) -> bool:
        if index >= len(self.blocks):
            return False
        block = self.blocks[index]
        return block.kind is BlockKind.MARK and self.text.startswith(_FENCES, block.start)

    def _code_blocks(self) -> dict[int, tuple[int, bool]]:
        """Of each line of code: the last of its block, and whether a fence closes that."""
        found: dict[int, tuple[int, bool]] = {}
        index = 0
        while index < len(self.blocks):
            fenced = self._is_fence(index)
            after = index + fenced
            while after < len(self.blocks) and self.blocks[after].kind is BlockKind.CODE:
                after += 1
            is_closed = fenced and self._is_fence(after)
            found.update(dict.fromkeys(range(index, after), (after - 1 + is_closed, is_closed)))
            if is_closed:
                found[after] = (after, True)
            index = max(after + is_closed, index + 1)
        return found

    # Parts.

    def _parts(self, count: int) -> Iterator[Settled]:
        """The first so many sentences; the lines of a code block are one part."""
        edge = self.stub
        index = 0
        while index < count:
            run = self._end_of_code(index, count)
            part = self._part(self.sentences[index], self.sentences[run], self._at(run + 1), edge)
            yield part
            edge = part.end
            index = run + 1

    def _end_of_code(self, index: int, count: int) -> int:
        end, _ = self._code.get(self.sentences[index].block, (-1, False))
        while index + 1 < count and self.sentences[index + 1].block <= end:
            index += 1
        return index

    def _part(
        self, first: Sentence, last: Sentence, following: Sentence | None, edge: int
    ) -> Settled:
        block, final = self.blocks[first.block], self.blocks[last.block]
        claims = tuple(self._claim(number) for number in first.drafts)
        is_mid = following is not None and following.block == last.block
        limit = following.start if is_mid and following else max(last.end, final.end)
        mark_at = last.end
        if block.kind is BlockKind.COLUMNS:  # behind the last cell it would be a column more
            mark_at = max(cell.end for cell in cells(self.text, Span(block.start, block.end)))
        elif block.kind not in (BlockKind.ROW, BlockKind.HEADING):
            mark_at = self._closing(last.end, limit)
        end = mark_at if is_mid else limit
        low = bisect_left(self._skips, edge)
        skipped = tuple(s for s in self.skipped[low:] if s.span.start < end)
        kind = BlockKind.CODE if first.block in self._code else block.kind
        start = self._opening(first.start, end, edge)
        prose = kind is BlockKind.CODE and self._holds_prose(start, end)
        return Settled(
            edge, start, end, mark_at, kind, block.level, first.number <= 0, claims, skipped,
            prose, last.block,
        )  # fmt: skip

    def _claim(self, number: int) -> AnswerClaim:
        return self._by_start[self.reader.drafts[number].span.start]

    def _opening(self, start: int, end: int, edge: int) -> int:
        """Where markup begins that ends with the sentence: the first signs of `**It is so.**`."""
        text = self.text
        while (found := _OPENED.search(text, edge, start)) is not None:
            closing = found["run"] or f"</{found['tag']}"
            inside = text[start:end]
            if closing not in inside or (found["run"] and inside.count(closing) % 2 == 0):
                break
            start = found.start()
        return start

    def _closing(self, end: int, limit: int) -> int:
        """Where the signs and the citations behind a sentence end, before the next one starts."""
        text = self.text
        end = self._signs(end, limit)
        while end < limit:
            at = end + len(text[end:limit]) - len(text[end:limit].lstrip(" \t"))
            index = bisect_left(self._cuts, Span(at, at))
            if index == len(self._cuts) or self._cuts[index].start != at:
                break
            end = self._signs(min(limit, self._cuts[index].end), limit)
        return end

    def _signs(self, end: int, limit: int) -> int:
        """The end of what stands behind a sentence without a space: signs, markup that closes."""
        text = self.text
        struck = {span.start for span in struck_out(self.page.document, end, limit)}
        while end < limit and not text[end].isspace() and end not in struck:
            cut = bisect_left(self._cuts, Span(end, end))
            if cut < len(self._cuts) and self._cuts[cut].start == end:
                end = self._cuts[cut].end
                continue
            if text[end] in "<[" and not text.startswith("</", end):
                break  # a mark behind what begins here might not be seen
            mask = next(iter(self.page.document.masks.between(end, end + 1)), None)
            if mask is not None and mask.start == end and mask.unseen:
                break
            end = max(end + 1, mask.end if mask is not None else 0)
        return min(end, limit)


def _trimmed(text: str, skip: Skipped) -> Skipped:
    """What a reader is not shown, without the full stop of the sentence before it."""
    found = _WORDS.search(text, skip.span.start, skip.span.end)
    if skip.reason is not SkipReason.NOT_SHOWN or found is None:
        return skip
    return Skipped(Span(found.start(), skip.span.end), skip.reason)


def moved_skip(skip: Skipped, by: int) -> Skipped:
    """What is skipped, with its place in the whole answer."""
    return Skipped(Span(skip.span.start + by, skip.span.end + by), skip.reason)


def _moved_claim(claim: AnswerClaim, by: int) -> AnswerClaim:
    """A claim with its place, that of its citations and its id in the whole answer."""
    span = Span(claim.span.start + by, claim.span.end + by)
    markers = tuple(
        replace(one, span=Span(one.span.start + by, one.span.end + by)) for one in claim.markers
    )
    return replace(claim, id=claim_id("", span), span=span, markers=markers)
