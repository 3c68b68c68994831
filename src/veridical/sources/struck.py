"""Which parts of a document are shown struck through: the author has taken them back.

In Markdown that is what stands between tildes; in HTML, and so in Markdown too, what is inside
`<del>`, `<s>` and `<strike>` or an element with a line through. Where an element ends that is left
open follows browsers (WHATWG HTML, section 13.2.6): `<s>` and `<strike>` are opened anew in the
next paragraph, `<del>` ends with its own. In Markdown they all end with their paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from veridical.sources.elements import VOID, ElementStack
from veridical.sources.masks import Masks
from veridical.sources.patterns import lazy
from veridical.sources.span import Span
from veridical.sources.styles import read_attributes, read_style

_TILDES = frozenset({"~", "~~"})
_MAY_STRIKE = lazy(
    r"<(?:del|s|strike)(?=[\s/>])|line-through|style\s*=\s*[\"'][^\"'<>]*&", re.IGNORECASE
)
_TAG = re.compile(r"<(/?)([a-zA-Z][^ \t\n\r\f/>]*)")
_BLANK_LINE = lazy(r"\n(?=[ \t\r]*\n)")
_STRIKING = frozenset({"del", "s", "strike"})
_REOPENED = ("s", "strike")
_CELLS = frozenset({"td", "th", "caption"})


def struck_spans(text: str, masks: Masks, *, is_markdown: bool = False) -> tuple[Span, ...]:
    """The spans between the marks of a strike-through, in order and apart from each other."""
    found = _between_tildes(text, masks) if is_markdown and "~" in text else []
    if "<" in text and _MAY_STRIKE().search(text):
        elements = _StruckElements(text, is_markdown=is_markdown)
        for mask in masks:
            tag = _TAG.match(text, mask.start, mask.end)
            if tag:
                elements.tag(tag, mask.end)
        found += elements.finish()
    return _joined(found)


def _between_tildes(text: str, masks: Masks) -> list[Span]:
    """What stands between masked runs of one tilde or two: only those with a partner are masked."""
    found: list[Span] = []
    opened: dict[str, list[int]] = defaultdict(list)
    for mask in masks:
        if mask.end - mask.start > 2 or (mark := text[mask.start : mask.end]) not in _TILDES:
            continue
        starts = opened[mark]
        if starts and not text[mask.start - 1].isspace():
            found.append(Span(starts.pop(), mask.start))
        else:
            starts.append(mask.end)
    return found


@dataclass(frozen=True, slots=True)
class _Open:
    """An element that strikes its words: its height among the open elements, where they start, and
    the height of the table cell that it stands in, -1 if in none.
    """

    name: str
    height: int
    start: int
    cell: int


class _StruckElements:
    """The elements of a text that strike their words, told from its tags in order."""

    def __init__(self, text: str, *, is_markdown: bool) -> None:
        self._text = text
        self._is_markdown = is_markdown
        self._stack = ElementStack()
        self._cells: list[int] = []
        self._open: list[_Open] = []
        self._reopened: dict[str, list[_Open]] = {name: [] for name in _REOPENED}
        self._found: list[Span] = []

    def tag(self, tag: re.Match[str], end: int) -> None:
        """Read the tag that starts with `tag`; a hidden element is masked from its tag to `end`."""
        name, stack = tag[2].lower(), self._stack
        if tag[1]:
            stack.close(name)
            self._drop(tag.start(), closed=name)
            if self._reopened.get(name):
                self._end(self._reopened[name].pop(), tag.start(), closed=True)
            return
        stack.make_room(name)
        self._drop(tag.start())
        if name in VOID:
            return
        behind, _, style, _ = read_attributes(self._text, tag.end(), end)
        self._push(name, behind + 1, style)

    def _push(self, name: str, start: int, style: str) -> None:
        height = len(self._stack.names)
        self._stack.push(name, hidden=False)
        if name in _CELLS:
            self._cells.append(height)
        opened = _Open(name, height, start, self._cells[-1] if self._cells else -1)
        if name in self._reopened:
            self._reopened[name].append(opened)
        elif name in _STRIKING or read_style(style).strikes:
            self._open.append(opened)

    @cached_property
    def _blank_lines(self) -> list[int]:
        return [blank.start() for blank in _BLANK_LINE().finditer(self._text)]

    def finish(self) -> list[Span]:
        """The spans found, once all tags are read."""
        end = len(self._text)
        self._stack.cut(0)
        self._drop(end)
        for opened in (*self._reopened["s"], *self._reopened["strike"]):
            self._end(opened, end, closed=False)
        return self._found

    def _drop(self, at: int, closed: str = "") -> None:
        """End what is no longer open at `at`, where an end tag of `closed` stands, if any."""
        height = len(self._stack.names)
        while self._open and self._open[-1].height >= height:
            opened = self._open.pop()
            self._end(opened, at, closed=opened.name == closed)
        if not self._cells or self._cells[-1] < height:
            return
        while self._cells and self._cells[-1] >= height:
            self._cells.pop()
        for starts in self._reopened.values():
            while starts and starts[-1].cell >= height:
                self._end(starts.pop(), at, closed=False)

    def _end(self, opened: _Open, at: int, *, closed: bool) -> None:
        if self._is_markdown and not closed:
            after = bisect_left(self._blank_lines, opened.start)
            at = min([at, *self._blank_lines[after : after + 1]])
        if opened.start < at:
            self._found.append(Span(opened.start, at))


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)
