"""A piece of a document as a reader sees it, line by line, with the words that matter marked.

The text of a document is never put out as markup: what the reader sees of each line is taken
through the document's masks, and cut where the marked span and what is struck through begin and
end.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TypeVar

from veridical.sources.document import Document, Format, Section, Span

_WRAPPED_AT = range(60, 161)
"""Characters of the longest line of a paragraph whose file breaks its lines at a width."""

_BEGINS_ANEW = re.compile(r"[-*+•|#>]|\d{1,3}[.)]|\w\)")
"""How items, rows and the like begin: they never go on a line before them."""

_COLUMNS = re.compile(r"\S(?: {3,}|\t)\S| {2}$")
"""Cells beside each other, and a line that Markdown ends on purpose."""

_SENTENCE_ENDS = (".", "!", "?", ":", ";")

_ALWAYS_JOINED = frozenset({Format.MARKDOWN, Format.HTML})
"""To whoever reads these the end of a line is a space."""

_NEVER_JOINED = frozenset({Format.PDF, Format.DOCX, Format.IMAGE, Format.TRANSCRIPT})
"""Their lines are those of the page, whole paragraphs, and what was said at a time."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a line, all of one kind."""

    text: str
    marked: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the reader sees it. `number` is that of the document's own line, from 1, the first
    where several were joined; None where one of those goes on. `level` is that of a heading,
    0 for none. `page` is the number of the page that begins with this line.
    """

    number: int | None
    parts: tuple[Part, ...]
    level: int = 0
    page: int | None = None

    @property
    def words(self) -> str:
        """What there is to see, of all kinds."""
        return "".join(part.text for part in self.parts)

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to see."""
        return not self.words.strip()

    @property
    def is_marked(self) -> bool:
        """Whether some of its words are marked."""
        return any(part.marked for part in self.parts)


def joined(format: Format, lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that a file was broken at, as the paragraphs that they are: a reader's window is
    seldom as wide as the file.
    """
    if format in _NEVER_JOINED:
        yield from lines
        return
    paragraph: list[Line] = []
    for line in lines:
        if paragraph and not _may_go_on(paragraph[-1], line):
            yield from _unwrapped(format, paragraph)
            paragraph = []
        paragraph.append(line)
    yield from _unwrapped(format, paragraph)


def _may_go_on(line: Line, following: Line) -> bool:
    """Whether two lines may be of one paragraph: no heading, page, item or row begins between."""
    if line.is_blank or line.level or following.is_blank or following.level or following.page:
        return False
    if _COLUMNS.search(line.words) or _COLUMNS.search(following.words.rstrip()):
        return False
    return following.number is not None and not _BEGINS_ANEW.match(following.words.lstrip())


def _unwrapped(format: Format, paragraph: Sequence[Line]) -> Iterator[Line]:
    """The lines of a paragraph, joined; those of plain text where the next word did not
    fit any more: others were ended on purpose.
    """
    width = max((len(line.words.rstrip()) for line in paragraph), default=0)
    # Where each line is a sentence, lines were broken for their sense.
    are_sentences = (line.words.rstrip().endswith(_SENTENCE_ENDS) for line in paragraph[:-1])
    is_wrapped = width in _WRAPPED_AT and not all(are_sentences)
    whole: Line | None = None
    length = 0
    for line in paragraph:
        first, *_ = line.words.split(maxsplit=1) or [""]
        is_full = format in _ALWAYS_JOINED or length + 1 + len(first) > width
        if whole is not None and is_wrapped and is_full:
            whole = replace(whole, parts=_with_space(whole.parts, line.parts))
        else:
            if whole is not None:
                yield whole
            whole = line
        length = len(line.words.rstrip())
    if whole is not None:
        yield whole


def _with_space(parts: tuple[Part, ...], more: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of two lines as those of one, with a space for the break between them."""
    last = replace(parts[-1], text=parts[-1].text.rstrip())
    first = replace(more[0], text=more[0].text.lstrip())
    space = Part(" ", last.marked and first.marked, last.struck and first.struck)
    kept = (*parts[:-1], last, space, first, *more[1:])
    return tuple(part for part in kept if part.text)


WHOLE_CHARS = 48_000
WHOLE_LINES = 2_000
"""A document of up to so many characters and lines is shown whole."""

BLOCK_CHARS = 2_400
BLOCK_LINES = 100
"""A larger one is cut into blocks of at most so much."""

BLOCKS = 10
"""Blocks of a window: some ten pages."""

_BEFORE = 4
"""Blocks of a window before the one in which the marked words begin."""

_MOST_MARKED = 100_000
"""Longer spans are shown from their beginning only, so much of them."""

_NEWLINE = re.compile(r"\n")
_LAST_SPACE = re.compile(r"\s(?=\S*\Z)")


@dataclass(frozen=True, slots=True)
class TextView:
    """The lines of `window`. `earlier` and `later` are where the windows beside it begin, None at
    the ends of the document. `section` is where the marked words stand, or the window begins.
    """

    lines: tuple[Line, ...]
    window: Span
    earlier: int | None
    later: int | None
    section: Section | None


def text_view(document: Document, span: Span | None, at: int | None = None) -> TextView:
    """The piece of a document around `span`, whose words are marked, or the piece that begins at
    the offset `at`. Offsets beyond the text are taken for its end.
    """
    length = len(document.text)
    if span is not None:
        span = Span(min(span.start, length), min(span.end, length, span.start + _MOST_MARKED))
        if span.start >= span.end:
            span = None
    window, earlier = _window(document, span, at)
    return TextView(
        lines=tuple(joined(document.format, list(_lines(document, window, span)))),
        window=window,
        earlier=earlier,
        later=window.end if window.end < length else None,
        section=document.section_at(span.start if span and at is None else window.start),
    )


def _window(document: Document, span: Span | None, at: int | None) -> tuple[Span, int | None]:
    """What is shown, and where the window before it begins."""
    text = document.text
    if len(text) <= WHOLE_CHARS and document.line_count <= WHOLE_LINES:
        return Span(0, len(text)), None
    edges = [0, *_block_ends(text)]
    last = len(edges) - 2
    if at is not None and at < len(text):
        start = at  # where an earlier window ended, or a page begins
        first = bisect_right(edges, at) - 1
    else:
        shown_at = bisect_right(edges, span.start) - 1 if span else 0
        first = last - BLOCKS // 2 if at is not None else max(0, shown_at - _BEFORE)
        start = edges[first]
    end = first + BLOCKS
    if span is not None and at is None:
        end = max(end, bisect_left(edges, span.end) + 1)
    earlier = edges[max(0, bisect_left(edges, start) - BLOCKS)] if start else None
    return Span(start, edges[min(end, last + 1)]), earlier


def _block_ends(text: str) -> Iterator[int]:
    """Where blocks end: behind a line, or of a line that is longer behind a word, if it has any."""
    at = 0
    while at < len(text):
        end = min(at + BLOCK_CHARS, len(text))
        *_, line_end = (
            0,
            *(n.end() for n in islice(_NEWLINE.finditer(text, at, end), BLOCK_LINES)),
        )
        space = None if line_end or end == len(text) else _LAST_SPACE.search(text[at:end])
        at = line_end or (at + space.end() if space else end)
        yield at


def _lines(document: Document, window: Span, span: Span | None) -> Iterator[Line]:
    """What is to be seen of the window's lines. Of blank lines that follow each other one stays."""
    pages = {page.span.start: page.number for page in document.pages}
    was_blank = True
    page: int | None = None
    at = window.start
    number: int | None = document.line_number(at)
    for following in range(document.line_number(at) + 1, document.line_count + 2):
        end = document.text.find("\n", at, window.end)
        end = window.end if end < 0 else end
        page = pages.get(at, page)
        for parts, level in _rows(_parts(document, Span(at, end), span)):
            is_blank = not any(part.text.strip() for part in parts)
            if is_blank and was_blank and page is None:
                continue
            yield Line(None if is_blank else number, parts, level, page)
            number = number if is_blank else None
            was_blank, page = is_blank, None
        at, number = end + 1, following
        if at >= window.end:
            return


_Cut = tuple[Part, int]
"""A part, and the level of the heading that it belongs to."""


def _parts(document: Document, line: Span, span: Span | None) -> Iterator[_Cut]:
    """A line cut where the marked span, a heading, and what is struck through begin and end."""
    struck = _within(document.struck, line, lambda one: one)
    titles = _within(document.sections, line, lambda section: section.heading)
    edges = {line.start, line.end}
    for stretch in (*struck, *(title.heading for title in titles), *((span,) if span else ())):
        edges |= {max(line.start, min(line.end, edge)) for edge in (stretch.start, stretch.end)}
    ordered = sorted(edges)
    for start, end in pairwise(ordered):
        shown = document.shown(Span(start, end))
        if shown:
            here = Span(start, end)
            level = next((title.level for title in titles if title.heading.overlap(here)), 0)
            is_struck = any(one.overlap(here) for one in struck)
            yield Part(shown, span is not None and span.overlap(here) > 0, is_struck), level


T = TypeVar("T")


def _within(stretches: Sequence[T], line: Span, span_of: Callable[[T], Span]) -> Sequence[T]:
    """Those, in order and apart from each other, that share something with a line."""
    first = bisect_right(stretches, line.start, key=lambda one: span_of(one).end)
    last = bisect_left(stretches, line.end, key=lambda one: span_of(one).start)
    return stretches[first:last]


def _rows(cuts: Iterator[_Cut]) -> Iterator[tuple[tuple[Part, ...], int]]:
    """A line of the source in the lines that the reader sees: markup can break it."""
    row: list[Part] = []
    level = 0
    for part, of_heading in cuts:
        first, *more = part.text.split("\n")
        for index, text in enumerate((first, *more)):
            if index:
                yield tuple(row), level
                row, level = [], 0
            if text:
                row.append(Part(text, part.marked, part.struck))
            if text.strip():
                level = level or of_heading
    yield tuple(row), level
