"""What a reader sees of one block, without citation markers and struck text, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from veridical.sources.document import Document, Span

_TOGGLES = "*_~`"
_TAG = re.compile(r"</?([^\s/>]*)|>")
_PUNCTUATION = ".,;:!?)]\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u060c\u061b\u061f"


@dataclass(slots=True)
class ShownText:
    """The shown `text` of a block: character `i` comes from `answer[starts[i]:ends[i]]`.

    `marks` are the places of markup without text of its own (emphasis, link targets), in order.
    `breaks` are the offsets in `text` of line ends that a reader sees as such.
    """

    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)

    def source(self, answer: str, start: int, end: int) -> Span:
        """Where the non-empty `text[start:end]` stands, with the markup that pairs inside it."""
        low, high = self.starts[start], self.ends[end - 1]
        left = bisect_left(self.marks, Span(low, low))
        right = bisect_left(self.marks, Span(high, high))
        before = self.ends[start - 1] if start else -1
        while left and self.marks[left - 1].end == low and self.marks[left - 1].start >= before:
            left -= 1
            low = self.marks[left].start
        after = self.starts[end] if end < len(self.starts) else len(answer)
        while right < len(self.marks) and self.marks[right].start == high:
            if self.marks[right].end > after:
                break
            high = self.marks[right].end
            right += 1
        return _balanced(answer, self.marks[left:right], Span(low, high))

    def core(self) -> tuple[int, int]:
        """Start and end of `text` without the white space around it."""
        start = len(self.text) - len(self.text.lstrip())
        return start, max(start, len(self.text.rstrip()))


def shown_text(document: Document, start: int, end: int, cuts: Sequence[Span]) -> ShownText:
    """What a reader sees of `document.text[start:end]` and is not struck out, less `cuts`.

    `cuts` are sorted and disjoint; those that begin outside are left alone.
    """
    text, made = document.text, ShownText()
    characters: list[str] = []

    def show(shown: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        characters.extend(shown)
        made.starts.extend(starts)
        made.ends.extend(ends)

    first = bisect_left(cuts, Span(start, start))
    gone = [*cuts[first : bisect_left(cuts, Span(end, end), lo=first)]]
    gone += struck_out(document, start, end)
    pieces: list[tuple[int, int, str | None]] = [(cut.start, cut.end, None) for cut in gone]
    pieces += [(mask.start, mask.end, mask.shown) for mask in document.masks.between(start, end)]
    at = start
    for low, high, shown in sorted([*pieces, (end, end, "")], key=_in_order):
        if at < (upto := min(low, end)):
            show(text[at:upto], range(at, upto), range(at + 1, upto + 1))
        if shown is None and high > at:
            if _closes_up(text[high : min(high + 1, end)]):
                while characters and characters[-1] in " \t":
                    del characters[-1], made.starts[-1], made.ends[-1]
        elif shown is not None and at <= low < end:
            is_break = shown == "\n" or (text[low:high] == "\\" and text[high : high + 1] in "\r\n")
            if is_break:
                made.breaks.append(len(characters))
            if shown:
                show(shown, [low] * len(shown), [high] * len(shown))
            else:
                made.marks.append(Span(low, high))
        at = min(max(at, high), end)
    made.text = "".join(characters)
    made.breaks = [place for place in made.breaks if place < len(characters)]
    return made


def _in_order(piece: tuple[int, int, str | None]) -> tuple[int, bool, int]:
    """By place; at one place first what is cut, and of two cuts the longer."""
    return piece[0], piece[2] is not None, -piece[1]


def _closes_up(follows: str) -> bool:
    """Whether a marker that is left out takes along the space before it."""
    return not follows or follows.isspace() or follows in _PUNCTUATION


def struck_out(document: Document, start: int, end: int) -> list[Span]:
    """What of `document.text[start:end]` is struck out, with the marks that strike it."""
    struck = document.struck
    found: list[Span] = []
    for index in range(bisect_left(struck, start, key=lambda span: span.end), len(struck)):
        low, high = struck[index].start, struck[index].end
        if low >= end:
            break
        low = min((mask.start for mask in document.masks.between(low - 1, low)), default=low)
        high = max((mask.end for mask in document.masks.between(high, high + 1)), default=high)
        if max(low, start) < min(high, end):
            found.append(Span(max(low, start), min(high, end)))
    return found


def _balanced(answer: str, marks: Sequence[Span], span: Span) -> Span:
    """`span` less the marks at its edges that have no partner inside it."""
    alone: list[Span] = []
    opened: list[tuple[str, Span]] = []
    for mark in marks:
        key, closes = _key(answer[mark.start : mark.end])
        if opened and opened[-1][0] == key and closes is not False:
            opened.pop()
        elif closes is True:
            alone.append(mark)
        elif key != "\\" or mark.end == span.end:
            opened.append((key, mark))
    alone = sorted([*alone, *(mark for _, mark in opened)])
    start, end = span.start, span.end
    for mark in alone:
        if mark.start == start:
            start = mark.end
    for mark in reversed(alone):
        if mark.end == end:
            end = mark.start
    return Span(start, max(start, end))


def _key(mark: str) -> tuple[str, bool | None]:
    """What pairs a mark with another, and whether it closes: None where it may do either."""
    if mark[0] in _TOGGLES:
        return mark, None
    if mark[0] in "[]":
        return "[", mark[0] == "]"
    if tag := _TAG.match(mark):
        return f"<{(tag[1] or '').lower()}", mark == ">" or mark.startswith("</")
    return mark[0], None if mark[0] == "\\" else True
