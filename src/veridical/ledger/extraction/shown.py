"""What a reader sees of one block, without citation markers and struck text, and the way back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.sources.document import Document
from veridical.sources.span import Span

_TOGGLES = "*_~`"
_PUNCTUATION = ".,;:!?)]\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u060c\u061b\u061f"


@dataclass(frozen=True, slots=True)
class ShownText:
    """The shown `text` of a block: character `i` comes from `answer[starts[i]:ends[i]]`.

    `marks` are the places of markup without text of its own (emphasis, link targets), in order.
    `breaks` are the offsets in `text` of line ends that a reader sees as such.
    """

    text: str
    starts: list[int]
    ends: list[int]
    marks: tuple[Span, ...]
    breaks: tuple[int, ...]

    def source(self, answer: str, start: int, end: int) -> Span:
        """Where the non-empty `text[start:end]` stands, with the markup that pairs inside it."""
        low, high = self.starts[start], self.ends[end - 1]
        first = bisect_left(self.marks, Span(low, low))
        left = first
        before = self.ends[start - 1] if start else -1
        while left and self.marks[left - 1].end == low and self.marks[left - 1].start >= before:
            left -= 1
            low = self.marks[left].start
        after = self.starts[end] if end < len(self.starts) else len(answer)
        right = bisect_left(self.marks, Span(high, high))
        while (
            right < len(self.marks)
            and self.marks[right].start == high
            and self.marks[right].end <= after
        ):
            high = self.marks[right].end
            right += 1
        return _balanced(answer, self.marks[left:right], Span(low, high))


def shown_text(document: Document, start: int, end: int, cuts: Sequence[Span]) -> ShownText:
    """What a reader sees of `document.text[start:end]` and is not struck out, less `cuts`.

    `cuts` are sorted and disjoint; those that begin outside are left alone.
    """
    first = bisect_left(cuts, Span(start, start))
    cuts = cuts[first : bisect_left(cuts, Span(end, end), lo=first)]
    builder = _Builder(document.text)
    pending = iter((*_joined(cuts, struck_out(document, start, end)), Span(end, end)))
    cut = next(pending)
    at = start
    for mask in document.masks.between(start, end):
        while cut.start <= mask.start and cut.start < end:
            builder.literal(at, max(at, cut.start))
            builder.cut(cut.end, end)
            at = max(at, cut.end)
            cut = next(pending)
        if mask.start < at:
            at = min(max(at, mask.end), end)
            continue
        builder.literal(at, mask.start)
        builder.masked(mask.start, mask.end, mask.shown)
        at = min(mask.end, end)
    while cut.start < end:
        builder.literal(at, max(at, cut.start))
        builder.cut(cut.end, end)
        at = max(at, cut.end)
        cut = next(pending)
    builder.literal(at, end)
    return builder.build()


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


def _joined(cuts: Iterable[Span], struck: list[Span]) -> Iterable[Span]:
    """Both as one list, sorted and disjoint."""
    if not struck:
        return cuts
    joined: list[Span] = []
    for span in sorted((*cuts, *struck)):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


class _Builder:
    def __init__(self, text: str) -> None:
        self._source = text
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._marks: list[Span] = []
        self._breaks: list[int] = []

    def literal(self, start: int, end: int) -> None:
        if start >= end:
            return
        self._parts.append(self._source[start:end])
        self._starts.extend(range(start, end))
        self._ends.extend(range(start + 1, end + 1))

    def masked(self, start: int, end: int, shown: str) -> None:
        if not shown:
            self._marks.append(Span(start, end))
            if self._source[start:end] == "\\" and self._source[end : end + 1] in ("\n", "\r"):
                self._breaks.append(len(self._starts))
            return
        if shown == "\n":
            self._breaks.append(len(self._starts))
        self._parts.append(shown)
        self._starts.extend([start] * len(shown))
        self._ends.extend([end] * len(shown))

    def cut(self, after: int, end: int) -> None:
        """Leave a marker out that ends at `after`, and the space that it would leave behind."""
        follows = self._source[after : min(after + 1, end)]
        if follows and not follows.isspace() and follows not in _PUNCTUATION:
            return
        while self._parts:
            kept = self._parts[-1].rstrip(" \t")
            dropped = len(self._parts[-1]) - len(kept)
            if dropped:
                del self._starts[-dropped:]
                del self._ends[-dropped:]
            self._parts[-1] = kept
            if kept:
                return
            self._parts.pop()

    def build(self) -> ShownText:
        return ShownText(
            "".join(self._parts),
            self._starts,
            self._ends,
            tuple(self._marks),
            tuple(place for place in self._breaks if place < len(self._starts)),
        )


def _balanced(answer: str, marks: tuple[Span, ...], span: Span) -> Span:
    """`span` less the marks at its edges that have no partner inside it."""
    if not marks:
        return span
    alone: set[int] = set()
    opened: list[tuple[str, int]] = []
    for index, mark in enumerate(marks):
        key, closes = _key(answer[mark.start : mark.end])
        if key == "\\":
            if mark.end == span.end:
                alone.add(index)
        elif opened and opened[-1][0] == key and closes is not False:
            opened.pop()
        elif closes is True:
            alone.add(index)
        else:
            opened.append((key, index))
    alone.update(index for _, index in opened)
    start, end = span.start, span.end
    for index, mark in enumerate(marks):
        if index in alone and mark.start == start:
            start = mark.end
    for index in range(len(marks) - 1, -1, -1):
        if index in alone and marks[index].end == end:
            end = marks[index].start
    return Span(start, max(start, end))


def _key(mark: str) -> tuple[str, bool | None]:
    """What pairs a mark with another, and whether it closes: None where it may do either."""
    if mark[0] in _TOGGLES:
        return mark, None
    if mark[0] == "[":
        return "[", False
    if mark[0] == "]":
        return "[", True
    if mark[0] == "<" and len(mark) > 1:
        name = mark.strip("</>").split(maxsplit=1)[0].lower() if mark.strip("</>") else ""
        return f"<{name}", mark.startswith("</")
    if mark in "<>":
        return "<", mark == ">"
    return mark[0], None if mark[0] == "\\" else True
