"""Tells the sentences of an answer that is still being written, as soon as each is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from veridical.errors import ValidationError
from veridical.guarding.window import (
    WRAPPING,
    Moments,
    Settled,
    Window,
    moved_skip,
    open_elements,
)
from veridical.ledger.entry import MAX_ANSWER_CHARS
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.page import BlockKind
from veridical.ledger.extraction.reader import Outline

# Where the reading of a growing answer may go on, so that what is settled is not read again.


def restart(window: Window, parts: list[Settled]) -> tuple[int, Outline] | None:
    """Where the next window may begin, and the outline of what stands before: with a paragraph or a
    heading at the left margin, to which nothing before it belongs. None where there is none.
    """
    edge = parts[-1].end if parts else 0
    following = next((one for one in window.sentences if one.start >= edge), None)
    if not edge or following is None:
        return None
    text, block = window.text, window.blocks[following.block]
    start = text.rfind("\n", 0, block.start) + 1
    before, lead = text[:start], text[start : block.start]
    if block.kind is BlockKind.HEADING:
        begins_anew = bool(_HASHES.fullmatch(lead))
    else:
        begins_anew = block.kind is BlockKind.TEXT and not block.level and not lead
        begins_anew = begins_anew and before.endswith(("\n\n", "\n\r\n"))
    if not start or not begins_anew or "|" in text[start:] or "]:" in before:
        return None
    told = max((part.end for part in parts if part.end <= start), default=0)
    if before[told:].strip() or any(True for _ in open_elements(text, 0, start)):
        return None  # what stands in between, such as a comment, has to be looked at
    return start, window.reader.before[following.block]


_HASHES = re.compile(r"#{1,6}[ \t]+")

_ALWAYS = 4_000
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
        window = Window(self.text[self._base : stop], self._outline, final=final)
        parts = window.settled()
        settled: list[Settled] = []
        for part in parts:
            if part.end + self._base > self._edge:
                settled.extend(self._apart(part.moved(self._base, self._edge)))
                self._edge = part.end + self._base
        if final:
            settled.extend(self._rest(window, end))
        elif going_on := restart(window, parts):
            self._base += going_on[0]
            self._outline = going_on[1]
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
        edge = self._edge
        left = [one for one in window.skipped if one.span.start + self._base >= edge]
        skipped = tuple(moved_skip(skip, self._base) for skip in left)
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
