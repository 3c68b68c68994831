"""The source side of the HTML report: the documents with every place that a claim points to."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.validation.reports.markup import escape, isolated, label
from veridical.validation.reports.places import Anchors, Place, Places, Role
from veridical.validation.reports.wording import STATUS_WORDS, count
from veridical.validation.results import Status

# A document as a reader sees it, in blocks, with the offsets of the written text mapped to it.


LONG_BLOCK_CHARS = 8_000
"""A paragraph without blank lines is cut at a line end about this often: browsers are slow with
paragraphs of a megabyte."""

_GAP = re.compile(r"\r?\n(?:[ \t\r]*+[\n\f])++|\f\n*+")
_LEADING = re.compile(r"(?:[ \t\r]*+[\n\f])++")
_STRUCTURE = r"(?![ \t]|[-*+•>|#][ \t]|\d{1,3}[.)][ \t])"
_PROSE = re.compile(rf"(?:{_STRUCTURE}[^\n\t]{{50,}}+\n)++{_STRUCTURE}[^\n\t]*+")
_COLUMNS = re.compile(r"\S {3,}\S")


class ShownText:
    """What a reader sees of a document, and where each offset of the written text went."""

    def __init__(self, document: Document) -> None:
        masks = document.masks
        pieces: list[str] = []
        at = 0
        for start, end, shown in zip(masks.starts, masks.ends, masks.shown, strict=True):
            pieces += (document.text[at:start], shown)
            at = end
        pieces.append(document.text[at:])
        self.text = "".join(pieces)
        self._starts, self._ends = masks.starts, masks.ends
        growth = accumulate(
            len(shown) - (end - start)
            for start, end, shown in zip(masks.starts, masks.ends, masks.shown, strict=True)
        )
        self._after = array("q", map(int.__add__, masks.ends, growth))
        self.headings = list(self._headings(document))
        self.pages = [(self.offset(page.span.start), page.number) for page in document.pages]

    def _headings(self, document: Document) -> Iterator[tuple[int, int, int]]:
        """(start, end, level) of the headings that show something, none over another."""
        free_from = 0
        for section in document.sections:
            heading = self.span(section.heading)
            if heading.start >= free_from and heading:
                yield heading.start, heading.end, section.level
                free_from = heading.end

    def offset(self, written: int) -> int:
        """Where an offset of the written text lies in `text`.

        A mask is shown where it starts, so that `text[offset(start):offset(end)]` is what
        `Document.shown` gives for the same span.
        """
        index = bisect_left(self._starts, written) - 1
        if index < 0:
            return written
        return self._after[index] + max(0, written - self._ends[index])

    def span(self, written: Span) -> Span:
        """Where a span of the written text lies in `text`."""
        return Span(self.offset(written.start), self.offset(written.end))


class Block(NamedTuple):
    """A paragraph or heading: `text[start:end]`, without the blank lines around it.

    `level` is 0 for a paragraph. `page` is the number of the page that begins here, `gap_end` is
    where the blank space after the block ends. `continued` says that no blank line parts it from
    the block before, `columns` that it is set in columns with spaces, `prose` that its line breaks
    mean nothing and may flow.
    """

    start: int
    end: int
    gap_end: int
    level: int = 0
    page: int | None = None
    continued: bool = False
    columns: bool = False
    prose: bool = False


def blocks(document: Document, shown: ShownText, window: Span) -> Iterator[Block]:
    """The blocks of a part of the shown text, in order. They and their gaps cover it all."""
    flows = document.format is not Format.PDF
    for (at, level, page), (until, _, _) in pairwise(_stops(shown, window)):
        first = True
        for start, end, gap_end, continued in _paragraphs(shown.text, at, until):
            text = "" if level else shown.text[start:end]
            columns = "   " in text and _COLUMNS.search(text) is not None
            prose = flows and not columns and _PROSE.fullmatch(text) is not None
            begins = page if first else None
            yield Block(start, end, gap_end, level, begins, continued, columns, prose)
            first = False


Stop = tuple[int, int, int | None]
"""An offset, the level of the heading that begins there or 0, the page that begins there."""


def _stops(shown: ShownText, window: Span) -> list[Stop]:
    """Where blocks must begin whatever the text looks like; ends with the end of the window."""
    found: dict[int, tuple[int, int | None]] = {window.start: (0, None)}
    for index in range(bisect_left(shown.headings, (window.start,)), len(shown.headings)):
        start, end, level = shown.headings[index]
        if end > window.end:
            break
        found[start] = (level, None)
        found[end] = (0, None)
    for index in range(bisect_left(shown.pages, (window.start,)), len(shown.pages)):
        start, number = shown.pages[index]
        if start >= window.end:
            break
        found[start] = (found.get(start, (0, None))[0], number)
    found[window.end] = (0, None)
    return [(at, *found[at]) for at in sorted(found)]


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int, int, bool]]:
    """(start, end, end of the gap after it, continued) of each paragraph of `text[start:end]`."""
    leading = _LEADING.match(text, start, end)
    at = start
    if leading:
        yield start, start, leading.end(), False
        at = leading.end()
    while at < end:
        gap = _GAP.search(text, at, end)
        stop, gap_end = gap.span() if gap else (end, end)
        continued = False
        while cut := text.find("\n", at + LONG_BLOCK_CHARS, stop) + 1:
            yield at, cut, cut, continued
            at, continued = cut, True
        if text[at:stop].isspace():
            stop = at
        yield at, stop, gap_end, continued
        at = gap_end


def windows(places: Iterable[Span], text: str, margin: int) -> list[Span]:
    """The parts of a text within `margin` characters of a place, in order, overlaps joined.

    Each begins and ends at a line end or space, where there is one near.
    """
    merged: list[tuple[int, int]] = []
    for place in sorted(places):
        start = _line_start(text, max(0, place.start - margin), place.start)
        end = _line_end(text, place.end, min(len(text), place.end + margin))
        if merged and start <= merged[-1][1]:
            start, before = merged.pop()
            end = max(end, before)
        merged.append((start, end))
    return [Span(start, end) for start, end in merged]


def _line_start(text: str, least: int, most: int) -> int:
    if least == 0:
        return 0
    line = text.find("\n", least, (least + most) // 2) + 1
    return line or text.find(" ", least, most) + 1 or least


def _line_end(text: str, least: int, most: int) -> int:
    if most == len(text):
        return most
    line = text.rfind("\n", (least + most) // 2, most)
    space = text.rfind(" ", least, most)
    return next((at for at in (line, space) if at >= 0), most)


WHOLE_TEXT_CHARS = 2_000_000
"""Characters of source text that a page holds in all. Documents beyond it are shown in excerpts:
browsers become slow with pages much larger than that."""

EXCERPT_MARGIN_CHARS = 1_200
"""How much of a document is shown on each side of a place, where it is not shown whole."""

LEAST_MARGIN_CHARS = 200
"""The same where there are thousands of places."""

MOST_CHIPS = 12
"""Claims that are named at one place; the others are found from their own side."""

MOST_PLACES_PER_RUN = 24
"""Places that one run of text names, where hundreds lie over each other."""

TONES = {
    Status.FAILED: "fail",
    Status.LOW_CONFIDENCE: "low",
    Status.AMBIGUOUS: "amb",
    Status.VALIDATED: "ok",
}
ICONS = {
    Status.FAILED: "✕",
    Status.LOW_CONFIDENCE: "?",
    Status.AMBIGUOUS: "⇉",
    Status.VALIDATED: "✓",
}
_TRIED_ICON = "○"

_FORMATS = {
    Format.MARKDOWN: "Markdown",
    Format.HTML: "HTML",
    Format.PLAIN_TEXT: "Plain text",
    Format.PDF: "PDF",
    Format.DOCX: "Word",
    Format.TRANSCRIPT: "Transcript",
}
_DEEPEST_HEADING = 6
_EXCERPTS = (
    "This document is too long to be shown whole: only the passages around the places that claims "
    "point to are here, with … where text is left out."
)
_LEFT_OUT = "This document is too long to be shown here, and no claim points to a place in it."


def render_source(places: Places, anchors: Anchors) -> str:
    """All documents, one section each, whole as far as `WHOLE_TEXT_CHARS` goes."""
    by_document = {
        number: list(group) for number, group in groupby(places.all, lambda p: p.document)
    }
    left = WHOLE_TEXT_CHARS
    parts: list[str] = []
    for number, document in enumerate(places.documents):
        shown = ShownText(document)
        whole = len(shown.text) <= left
        left -= len(shown.text) if whole else 0
        page = _DocumentPane(number, document, shown, by_document.get(number, []), anchors)
        parts.append(page.render(whole=whole))
    return "".join(parts)


class _Cut(NamedTuple):
    """What changes at an offset of the shown text: chips to put, and the mark that begins."""

    at: int
    chips: str
    mark: str


@dataclass(slots=True)
class _DocumentPane:
    """One document, as HTML."""

    number: int
    document: Document
    shown: ShownText
    places: Sequence[Place]
    anchors: Anchors
    _cuts: list[_Cut] = field(default_factory=list)
    _next: int = 0
    _mark: str = ""

    def render(self, *, whole: bool) -> str:
        """The section of the document."""
        length = len(self.shown.text)
        spans = [self.shown.span(place.span) for place in self.places]
        self._cuts = _cuts(self.places, spans, self.anchors)
        parts = [f'<section class="doc" id="d:{self.number + 1}">', self._header(whole=whole)]
        kind = "src html" if self.document.format is Format.HTML else "src"
        parts.append(f'<div class="{kind}">')
        if whole:
            parts += self._window(Span(0, length))
        else:
            room = WHOLE_TEXT_CHARS // (2 * len(spans) + 1)
            margin = min(EXCERPT_MARGIN_CHARS, max(LEAST_MARGIN_CHARS, room))
            parts += self._excerpts(windows(spans, self.shown.text, margin))
        parts.append(self._rest())
        parts.append("</div></section>")
        return "".join(parts)

    def _header(self, *, whole: bool) -> str:
        document = self.document
        facts = [_FORMATS[document.format]]
        if document.pages:
            facts.append(count(len(document.pages), "page"))
        facts.append(count(document.line_count, "line"))
        facts.append(count(len(document.text), "character"))
        notes = [f'<p class="warn">! {isolated(warning)}</p>' for warning in document.warnings]
        if not whole:
            notes.append(f'<p class="warn">! {_EXCERPTS if self.places else _LEFT_OUT}</p>')
        return (
            f'<header class="dochead"><h2>{isolated(document.name)}</h2>'
            f'<p class="facts">{escape(" · ".join(facts))} · '
            f'<abbr title="SHA-256 of the text: {document.sha256}">sha256 '
            f"<code>{document.sha256[:12]}</code></abbr></p>{''.join(notes)}</header>"
        )

    def _excerpts(self, parts: Sequence[Span]) -> Iterator[str]:
        ellipsis = '<p class="cutout" role="separator" aria-label="text left out">…</p>'
        for part in parts:
            if part.start:
                yield ellipsis
            yield from self._window(part)
        if parts and parts[-1].end < len(self.shown.text):
            yield ellipsis

    def _window(self, window: Span) -> Iterator[str]:
        for block in blocks(self.document, self.shown, window):
            if block.page is not None:
                yield (
                    f'<p class="page" role="separator" aria-label="page {block.page}" '
                    f'data-l="page {block.page}"></p>'
                )
            if block.start < block.end:
                yield self._block(block)
            yield escape(self.shown.text[block.end : block.gap_end])

    def _block(self, block: Block) -> str:
        inline = self._inline(block.start, block.end)
        if block.level:
            tag = f"h{min(_DEEPEST_HEADING, block.level + 2)}"
            return f'<{tag} class="l{min(block.level, 6)}">{inline}</{tag}>'
        kinds = (("c", block.continued), ("t", block.columns), ("f", block.prose))
        names = [name for name, on in kinds if on]
        return f'<p class="{" ".join(names)}">{inline}</p>' if names else f"<p>{inline}</p>"

    def _inline(self, start: int, end: int) -> str:
        """`text[start:end]` with its marks; a mark that goes on past `end` is closed and kept."""
        text = self.shown.text
        parts = [self._reach(start), self._mark]
        at = start
        while self._next < len(self._cuts) and self._cuts[self._next].at < end:
            cut = self._cuts[self._next]
            parts += (escape(text[at : cut.at]), "</mark>" if self._mark else "", cut.chips)
            parts.append(cut.mark)
            at, self._mark = cut.at, cut.mark
            self._next += 1
        parts += (escape(text[at:end]), "</mark>" if self._mark else "")
        return "".join(parts)

    def _reach(self, offset: int) -> str:
        """Go past the cuts up to an offset that lie in no block yet; their chips are kept."""
        chips: list[str] = []
        while self._next < len(self._cuts) and self._cuts[self._next].at <= offset:
            cut = self._cuts[self._next]
            chips.append(cut.chips)
            self._mark = cut.mark
            self._next += 1
        return "".join(chips)

    def _rest(self) -> str:
        chips = self._reach(len(self.shown.text))
        return f"<p>{chips}</p>" if chips else ""


def _cuts(places: Sequence[Place], spans: Sequence[Span], anchors: Anchors) -> list[_Cut]:
    """Where marks begin and end, so that marks never overlap and never nest.

    Where places lie over each other the shorter one decides the colour: the longer one is seen on
    both sides of it.
    """
    by_start: dict[int, list[int]] = defaultdict(list)
    by_end: dict[int, list[int]] = defaultdict(list)
    keys = [
        (place.uses[0].role is not Role.EVIDENCE, len(span), place.uses[0].rank, index)
        for index, (place, span) in enumerate(zip(places, spans, strict=True))
    ]
    for index, span in enumerate(spans):
        by_start[span.start].append(index)
        if span:
            by_end[span.end].append(index)
    active: list[tuple[bool, int, tuple[int, int, int], int]] = []
    cuts: list[_Cut] = []
    for at in sorted({*by_start, *by_end}):
        for index in by_end[at]:
            del active[bisect_left(active, keys[index])]
        for index in by_start[at]:
            if spans[index]:
                insort(active, keys[index])
        chips = "".join(_chips(places[index], anchors) for index in by_start[at])
        top = [places[key[-1]] for key in active[:MOST_PLACES_PER_RUN]]
        cuts.append(_Cut(at, chips, _mark(top) if top else ""))
    return cuts


def _mark(top: Sequence[Place]) -> str:
    numbers = " ".join(str(place.number) for place in top)
    return f'<mark class="{tone(top[0])}" data-m="{numbers}">'


def tone(place: Place) -> str:
    """The classes of a place's highlight: the tone of its status, and `alt` for another place."""
    use = place.uses[0]
    if use.role is Role.TRIED:
        return "tried"
    return TONES[use.status] + (" alt" if use.role is Role.ALTERNATIVE else "")


def _chips(place: Place, anchors: Anchors) -> str:
    """The claims that point to a place, as links back to them. Their words are generated content,
    so that the text can be searched and copied without them.
    """
    links = []
    for use in place.uses[:MOST_CHIPS]:
        tried = use.role is Role.TRIED
        icon = _TRIED_ICON if tried else ICONS[use.status]
        word = "tried and rejected" if tried else STATUS_WORDS[use.status].lower()
        if use.role is Role.ALTERNATIVE:
            word += ", another place"
        name = label(anchors.ids[use.result])
        links.append(
            f'<a class="chip {"tried" if tried else TONES[use.status]}" '
            f'href="#{anchors.of[use.result]}" data-l="{icon} {name}" '
            f'aria-label="{name}, {word}: back to the claim" title="{name}: {word}"></a>'
        )
    more = len(place.uses) - MOST_CHIPS
    if more > 0:
        links.append(f'<span class="chip tried" data-l="and {more:,} more"></span>')
    return f'<span class="chips" id="{place.anchor}">{"".join(links)}</span>'
