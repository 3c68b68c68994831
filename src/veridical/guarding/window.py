"""The part of a growing answer that is still open: what of it is settled, and where to go on. It is
read as a ledger's extraction reads the whole, and its sentences are noted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from veridical.ledger.entry import AnswerClaim
from veridical.ledger.extraction.extractor import MAX_CLAIMS, Skipped, SkipReason
from veridical.ledger.extraction.page import AnswerPage, Block, BlockKind, cells, read_page
from veridical.ledger.extraction.reader import ClaimReader, Outline
from veridical.ledger.extraction.remarks import prose_in_code
from veridical.ledger.extraction.rules import claim_id, finished
from veridical.ledger.extraction.sentences import ShownText, struck_out
from veridical.ledger.markers import Markers, markers_of
from veridical.sources.document import Document, Span
from veridical.text.reading import SENTENCE_ENDS

# When a growing answer is worth being looked at: when a sentence may just have been settled.


LOOK_AHEAD = 24
"""Characters of what follows that show how a sentence ended: the longest month, an abbreviation."""

WRAPPING = re.compile(r"\s*(?P<mark>```+|~~~+)[ \t]*(?:markdown|md)[ \t]*\r?\n", re.IGNORECASE)
"""A code fence around a whole answer, which models like to add."""

_SPACE = 2
"""Characters that may stand between two sentences."""

_STOP = re.compile(r"\s|(?<=[\u3002\uff01\uff1f\uff61])(?=\S)")
_ENDED = re.compile(rf"[{SENTENCE_ENDS}][)\]\"'\u201d\u00bb\u300d\u300f*_~`]*\Z|[\])\u3011>]\Z")
"""What may end a sentence, or a citation behind one."""

_CLOSERS = 12


class Moments:
    """Finds the moments of a text that grows."""

    def __init__(self) -> None:
        self._scanned = 0
        self._line = 0
        self._anchor: int | None = 0
        self._later: int | None = None

    def of(self, text: str) -> Iterator[int]:
        """The moments in what was added to `text` since the last call.

        The last character is left for the next call: what follows may belong to it.
        """
        end = max(self._scanned, len(text) - 1)
        for stop in _STOP.finditer(text, self._scanned, end):
            at = stop.start()
            if stop[0] not in ("\n", "\r"):
                yield from self._word_end(text, at)
                continue
            if text[self._line : at].strip():
                yield at + 1
            self._anchor, self._later, self._line = at + 1, None, at + 1
        self._scanned = end

    def _word_end(self, text: str, at: int) -> Iterator[int]:
        if self._anchor is not None and at - self._anchor >= LOOK_AHEAD + _SPACE:
            self._anchor, self._later = self._later, None
            yield at
        if _ENDED.search(text[max(0, at - _CLOSERS) : at]):
            if self._anchor is None:
                self._anchor = at
            else:
                self._later = at


# What is still open in a part of an answer: a bracket, a quotation, emphasis, a tag.


_PAIRS = {
    ")": "(", "]": "[", "}": "{", "\uff09": "\uff08", "\uff3d": "\uff3b", "\u3011": "\u3010",
    "\u201d": "\u201c", "\u00bb": "\u00ab", "\u300d": "\u300c", "\u300f": "\u300e",
}  # fmt: skip
_OPENERS = frozenset(_PAIRS.values())
_SIGN = re.compile(
    r"\\.|(?P<run>\*+|_+|~~+|`+)|(?P<tag><(?=[a-zA-Z/!?]))|(?P<sign>[()\[\]{}\"\uff08\uff09\uff3b"
    r"\uff3d\u3010\u3011\u201c\u201d\u00ab\u00bb\u300c\u300d\u300e\u300f])",
    re.DOTALL,
)
_TAG = re.compile(r"<(?P<closing>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)\b[^<>]*?(?P<alone>/?)>")
_VOID = frozenset("br hr img input wbr meta link area base col embed source track".split())


def unclosed(document: Document, start: int, end: int) -> list[int]:
    """Where in `document.text[start:end]` something opens that is not closed in it, in order.

    Markup that the document has read as such, in pairs, is passed over; elements of HTML are not.
    """
    text = document.text
    paired = [(mask.start, mask.end) for mask in document.masks.between(start, end)]
    stack: list[tuple[str, int]] = []
    found: list[int] = []
    quote = -1
    for sign in _SIGN.finditer(text, start, end):
        at = sign.start()
        while paired and paired[0][1] <= at:
            paired.pop(0)
        if paired and paired[0][0] <= at:
            continue
        if sign["run"]:
            follows = text[sign.end() : min(sign.end() + 1, end)]
            before = text[max(start, at - 1) : at]
            if (
                follows
                and not follows.isspace()
                and not (sign["run"][0] == "_" and before.isalnum())
            ):
                found.append(at)
        elif sign["tag"]:
            found.append(at)
        elif sign["sign"] == '"':
            quote = at if quote < 0 else -1
        elif sign["sign"] in _OPENERS:
            stack.append((sign["sign"], at))
        elif sign["sign"] and stack and stack[-1][0] == _PAIRS[sign["sign"]]:
            stack.pop()
    found.extend(at for _, at in stack)
    found.extend(open_elements(text, start, end))
    if quote >= 0:
        found.append(start)  # which straight quotes pair is told by all of them
    return sorted(found)


def open_elements(text: str, start: int, end: int) -> Iterator[int]:
    """Where elements of HTML begin that do not end in the part."""
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text, start, end):
        name = tag["name"].lower()
        if name in _VOID or tag["alone"]:
            continue
        if not tag["closing"]:
            opened.append((name, tag.start()))
        elif any(name == one for one, _ in opened):
            while opened.pop()[0] != name:
                pass
    yield from (at for _, at in opened)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the window, or a block that has none, `start:end` without what closes it.

    `block` is the index of its block, `number` counts the sentences of the block from 0 (-1: the
    block has none). `drafts` is the range of the reader's drafts that are its claims.
    """

    block: int
    number: int
    start: int
    end: int
    drafts: range


def copied(outline: Outline) -> Outline:
    """An outline that no longer changes with the original."""
    return Outline(list(outline.headings), list(outline.parents), outline.anchor, outline.previous)


class WindowReader(ClaimReader):
    """A `ClaimReader` of an answer's part, which goes on from the outline of what stood before.

    `before` holds the outline before each block, by its index.
    """

    def __init__(self, page: AnswerPage, markers: Markers, most: int, outline: Outline) -> None:
        super().__init__(page, markers, most)
        self.sentences: list[Sentence] = []
        self.before: dict[int, Outline] = {}
        self._outline = copied(outline)

    def _block(self, block: Block) -> None:
        known, drafts = len(self.sentences), len(self.drafts)
        self.before.setdefault(self._index, copied(self._outline))
        super()._block(block)
        if len(self.sentences) == known:
            spans = [draft.span for draft in self.drafts[drafts:]]
            start = min((span.start for span in spans), default=block.start)
            end = max((span.end for span in spans), default=block.end)
            claims = range(drafts, len(self.drafts))
            self.sentences.append(Sentence(self._index, -1, start, end, claims))

    def _sentence(
        self, block: Block, shown: ShownText, start: int, end: int, number: int, *, last: bool
    ) -> None:
        drafts, skips = len(self.drafts), len(self.skipped)
        super()._sentence(block, shown, start, end, number, last=last)
        spans = [draft.span for draft in self.drafts[drafts:]]
        spans += [skip.span for skip in self.skipped[skips:]]
        first = min((span.start for span in spans), default=shown.starts[start])
        final = max((span.end for span in spans), default=shown.ends[end - 1])
        claims = range(drafts, len(self.drafts))
        self.sentences.append(Sentence(self._index, number, first, final, claims))


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
    """A part of an answer, read. `outline` is that of what stood before it."""

    def __init__(self, text: str, outline: Outline, *, final: bool) -> None:
        self.text = text
        self.final = final
        self.page: AnswerPage = read_page(text)
        markers = markers_of(self.page)
        self.reader = WindowReader(self.page, markers, MAX_CLAIMS + 1, outline)
        self.reader.read()
        self.blocks, self.sentences = self.page.blocks, self.reader.sentences
        self._cuts = sorted({marker.span for marker in markers.found})
        self.extraction = finished(self.page, markers, self.reader, "", "")
        self._by_start = {claim.span.start: claim for claim in self.extraction.claims}
        self._opened: dict[int, list[int]] = {}
        self._code = self._code_blocks()
        self.skipped = tuple(_trimmed(text, skip) for skip in self.extraction.skipped)
        self._skips = [skip.span.start for skip in self.skipped]

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
        last_line = self.text.rfind("\n", 0, block.end) + 1
        if len(self.text) - following.start < LOOK_AHEAD or "|" in self.text[last_line:]:
            return False  # the next sentence is not known well enough, or this may be a table
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
        edge = index = 0
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
        prose = False
        if kind is BlockKind.CODE:  # which may hold what reads like a sentence
            inside = tuple(block for block in self.blocks if start <= block.start < end)
            prose = prose_in_code(replace(self.page, blocks=inside)) > 0
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
