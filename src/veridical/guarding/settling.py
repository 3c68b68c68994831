"""Tells the sentences of an answer that is still being written, as soon as each is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from veridical.errors import ValidationError
from veridical.guarding.window import Settled, Window, moved_skip
from veridical.guarding.window_reader import WRAPPING, Moments, Sentence, is_even, open_elements
from veridical.ledger.entry import MAX_ANSWER_CHARS
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.outline import Outline
from veridical.ledger.extraction.page import Block, BlockKind

# Where the reading of a growing answer may go on, so that what is settled is not read again.


_FLUSH_LEFT = "\nx\n\n"
"""A paragraph without indentation: how deep code is indented is told by the whole text."""

_BEGUN = "Stopgap ended. "
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+")
_LABEL_CHARS = 64


@dataclass(frozen=True, slots=True)
class Restart:
    """Go on at `at` (an offset of the window's text) behind `stub`, with that outline."""

    at: int
    stub: str
    outline: Outline


def restart(window: Window, parts: list[Settled]) -> Restart | None:
    """Where to go on once these parts of a window are settled; None where it is not safe to."""
    if not parts or len(window.sentences) <= (done := _done(window, parts)):
        return None
    following = window.sentences[done]
    text, edge = window.text, parts[-1].end
    behind = text[window.stub : following.start]
    if "]:" in behind or any(True for _ in open_elements(text, window.stub, following.start)):
        return None
    block = window.blocks[following.block]
    if following.block == parts[-1].block:
        return _in_paragraph(window, following, block, edge)
    return _at_block(window, following, block, edge)


def _done(window: Window, parts: list[Settled]) -> int:
    edge = parts[-1].end
    done = 0
    while done < len(window.sentences) and window.sentences[done].start < edge:
        done += 1
    return done


def _at_block(window: Window, following: Sentence, block: Block, edge: int) -> Restart | None:
    text = window.text
    start = _line_start(text, block)
    lists = _lists(window, following.block)
    if start < edge or text[edge:start].strip() or lists is None:
        return None  # what stands in between, such as a comment, has to be looked at
    if block.kind is BlockKind.MEANING:
        return None
    table = ""
    if block.kind is BlockKind.ROW:
        if lists or block.columns is None:
            return None
        head = text.rfind("\n", 0, block.columns.start) + 1
        table = text[head : text.find("\n", text.find("\n", block.columns.end) + 1) + 1]
        if table.count("\n") != 2:
            return None
    elif "|" in text[start:]:
        return None
    stub = f"{_FLUSH_LEFT}{''.join(f'{one}x' + chr(10) for one in lists)}\n{table}"
    return Restart(start, stub, window.reader.before[following.block])


def _in_paragraph(window: Window, following: Sentence, block: Block, edge: int) -> Restart | None:
    text = window.text
    rest = text[block.start :]
    lists = _lists(window, following.block + 1)
    is_plain = block.kind is BlockKind.ITEM or (block.kind is BlockKind.TEXT and block.level == 0)
    if (
        not is_plain
        or lists is None
        or following.number < 1
        or text[edge : following.start].strip()
    ):
        return None
    if any(sign in rest for sign in "\n\r|") or not text[following.start].isalpha():
        return None
    if not is_even(text[block.start : following.start]):
        return None
    if any(sign in rest[:_LABEL_CHARS] for sign in ":\uff1a"):
        return None
    if block.kind is BlockKind.TEXT and text[_line_start(text, block) : block.start].strip():
        return None
    opened = "".join(f"{one}x\n" for one in lists[:-1]) + lists[-1] if lists else ""
    return Restart(following.start, f"{_FLUSH_LEFT}{opened}{_BEGUN}", following.before)


def _line_start(text: str, block: Block) -> int:
    return text.rfind("\n", 0, block.mark.start if block.mark else block.start) + 1


def _lists(window: Window, index: int) -> list[str] | None:
    """The beginnings of the list items around a block, marks and all; None where one is odd."""
    found: list[tuple[int, str]] = []
    for block in window.blocks[:index]:
        if block.kind is BlockKind.HEADING or (block.kind is BlockKind.TEXT and not block.level):
            found.clear()
        elif block.kind is BlockKind.ITEM:
            while found and found[-1][0] >= block.level:
                found.pop()
            begins = window.text[_line_start(window.text, block) : block.start]
            found.append((block.level, begins))
        elif found and block.kind is not BlockKind.TEXT and _is_flush(window.text, block):
            return None  # it may have ended the list, or not
    if any(not _ITEM.fullmatch(begins) for _, begins in found):
        return None
    return [begins for _, begins in found]


def _is_flush(text: str, block: Block) -> bool:
    return _line_start(text, block) == block.start


_ALWAYS = 1_000
_SHARE = 4
"""A part that stays open is read again once a quarter of it is new, a short one at each moment."""

_APART = frozenset(
    {
        SkipReason.NOT_SHOWN,
        SkipReason.STRUCK,
        SkipReason.HEADING,
        SkipReason.LABEL,
        SkipReason.BARE_ANSWER,
    }
)
"""What stands before a sentence and may state something by itself."""

_GATHERED = 1_000
"""Text is put together once a thousandth of it is new: of a long one not with each character."""


class Settler:
    """Takes an answer in pieces and gives its settled sentences; where the pieces are cut does not
    matter.
    """

    def __init__(self) -> None:
        self.text = ""
        self._pieces: list[str] = []
        self._size = 0
        self._moments = Moments()
        self._base = 0
        self._stub = ""
        self._outline = Outline()
        self._edge = 0
        self._seen = 0
        self._fence: str | None = None

    def feed(self, piece: str) -> Iterator[list[Settled]]:
        """Add a piece. Raises ValidationError where the answer grows over `MAX_ANSWER_CHARS`."""
        self._size += len(piece)
        if self._size > MAX_ANSWER_CHARS:
            raise ValidationError(
                f"the answer has more than {MAX_ANSWER_CHARS:,} characters. Check it in parts."
            )
        self._pieces.append(piece)
        if sum(map(len, self._pieces)) * _GATHERED < len(self.text):
            return
        self._gather()
        for moment in self._moments.of(self.text):
            yield self._look(moment, final=False)

    def finish(self) -> Iterator[list[Settled]]:
        """What is left, now that nothing follows."""
        self._gather()
        for moment in self._moments.of(self.text):
            yield self._look(moment, final=False)
        yield self._look(len(self.text), final=True)

    def _gather(self) -> None:
        self.text += "".join(self._pieces)
        self._pieces.clear()

    def _look(self, end: int, *, final: bool) -> list[Settled]:
        size = end - self._base
        if not final and size > _ALWAYS and end - self._seen < size // _SHARE:
            return []
        self._seen = end
        if self._fence is None:
            self._unwrap(end)
        stop = self._before_fence(end) if final and self._fence else end
        window = Window(
            self._stub + self.text[self._base : stop], len(self._stub), self._outline, final=final
        )
        parts, shift = window.settled(), self._base - len(self._stub)
        settled: list[Settled] = []
        for part in parts:
            if part.end + shift > self._edge:
                settled.extend(self._apart(part.moved(shift, self._edge)))
                self._edge = part.end + shift
        if final:
            settled.extend(self._rest(window, end))
        elif going_on := restart(window, parts):
            self._base += going_on.at - len(self._stub)
            self._stub, self._outline = going_on.stub, going_on.outline
        return settled

    def _unwrap(self, end: int) -> None:
        found = WRAPPING.match(self.text, 0, end)
        self._fence = found["mark"] if found else ""
        self._base = found.end() if found else 0

    def _before_fence(self, end: int) -> int:
        """Where the fence around all of an answer closes."""
        shown = len(self.text[:end].rstrip())
        closing = shown - len(self._fence or "")
        is_closed = closing >= self._base and self.text[closing:shown] == self._fence
        return closing if is_closed else end

    def _rest(self, window: Window, end: int) -> Iterator[Settled]:
        """What stands behind the last sentence."""
        shift, edge = self._base - len(self._stub), self._edge
        left = [one for one in window.skipped if one.span.start + shift >= edge]
        skipped = tuple(moved_skip(skip, shift) for skip in left)
        if edge < end:
            self._edge = end
            yield from self._apart(
                Settled(edge, end, end, end, None, 0, True, (), skipped, prose=False)
            )

    def _apart(self, settled: Settled) -> Iterator[Settled]:
        """The labels and the hidden words before a sentence, each by itself, then the sentence."""
        edge, first = settled.lead, settled.first
        kept = []
        for skip in settled.skipped:
            if skip.reason not in _APART or skip.span.end > settled.start:
                kept.append(skip)
            elif skip.span.start >= edge:
                place = skip.span
                at = place.end
                yield Settled(
                    edge, place.start, at, at, settled.kind or BlockKind.TEXT, settled.level,
                    first, (), (skip,), prose=False,
                )  # fmt: skip
                edge, first = at, False
        goes_on = not first and "\n" not in self.text[edge : settled.start]
        first = settled.first and not goes_on
        yield replace(settled, lead=edge, first=first, skipped=tuple(kept))
