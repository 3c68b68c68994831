"""Reads a part of an answer as a ledger's extraction reads the whole, and notes its sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.ledger.extraction.outline import Outline
from veridical.ledger.extraction.page import AnswerPage, Block
from veridical.ledger.extraction.reader import ClaimReader
from veridical.ledger.extraction.sentences import ShownText
from veridical.ledger.markers import Markers
from veridical.sources.document import Document
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
_RUN = re.compile(r"\*+|_+|~+|`+")
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


def is_even(text: str) -> bool:
    """Whether the signs of emphasis and of code stand in a text in pairs."""
    runs = Counter(found[0] for found in _RUN.finditer(text))
    return all(count % 2 == 0 for count in runs.values())


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
