"""The report as one HTML page: claims on one side, their sources on the other.

The page is complete in itself. It asks nothing of any network, runs from a file, can be read
without scripts, and treats every text of claims and documents as text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from veridical.reports.marks import MarkedText, Run
from veridical.reports.page import page
from veridical.reports.words import count
from veridical.sources.document import Document, Format, Span
from veridical.sources.sniff import KINDS
from veridical.text.reading import Reading
from veridical.validation import wording
from veridical.validation.claims import EvidenceType
from veridical.validation.differences import DiffPart
from veridical.validation.results import (
    Attempt,
    ClaimResult,
    Fidelity,
    Match,
    Status,
    ValidationReport,
)
from veridical.validation.wording import SIGNS, STATUS_WORDS, TONES, WORST_FIRST

# The fragments by which a page names its claims.


_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def anchors_of(claim_ids: Sequence[str]) -> list[str]:
    """A fragment for each claim: its own id where that can be one, so that links stay good.

    The page's own fragments hold a colon, which no claim's does but for the numbered ones.
    """
    taken: set[str] = set()
    found: list[str] = []
    for number, name in enumerate(claim_ids, 1):
        plain = _PLAIN_ID.fullmatch(name) is not None and name not in taken
        taken.add(name)
        found.append(name if plain else f"claim:{number}")
    return found


class Role(IntEnum):
    """What a place is to a claim, the weightiest first."""

    EVIDENCE = 0
    ALTERNATIVE = 1
    TRIED = 2


@dataclass(frozen=True, slots=True)
class Use:
    """The result, by its index in the report, that points to a place."""

    result: int
    role: Role
    status: Status

    @property
    def look(self) -> tuple[str, str, str]:
        """The class of its colour, its sign, and what the place is to the claim in words."""
        if self.role is Role.TRIED:
            return "tried", "○", "tried and rejected"
        another = ", another place" if self.role is Role.ALTERNATIVE else ""
        word = STATUS_WORDS[self.status].lower()
        return TONES[self.status], SIGNS[self.status], f"{word}{another}"

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sorts the use that decides a highlight's colour first."""
        return self.role, WORST_FIRST.index(self.status), self.result


@dataclass(frozen=True, slots=True)
class Place:
    """A span that at least one claim points to. `number` counts from 1 in the order of the report's
    documents and of their text; `uses` stand weightiest first.
    """

    number: int
    document: int
    span: Span
    uses: tuple[Use, ...]

    @property
    def anchor(self) -> str:
        """The fragment of the place in the page."""
        return f"m:{self.number}"

    @property
    def tone(self) -> str:
        """The classes of its highlight: the tone of its status, and `alt` for another place."""
        use = self.uses[0]
        return use.look[0] + (" alt" if use.role is Role.ALTERNATIVE else "")


class Places:
    """All places of a report, and the documents that they stand in."""

    def __init__(self, report: ValidationReport) -> None:
        self.documents: list[Document] = list(report.documents)
        self._index = {id(document): i for i, document in enumerate(self.documents)}
        uses: dict[tuple[int, int, int], dict[int, Use]] = {}
        for number, result in enumerate(report.results):
            for match, role in _matches(result):
                at = uses.setdefault(self._key(match), {})
                at.setdefault(number, Use(number, role, result.status))
        self.all: list[Place] = []
        self._by_key: dict[tuple[int, int, int], Place] = {}
        for key in sorted(uses):
            document, start, end = key
            ranked = tuple(sorted(uses[key].values(), key=lambda use: use.rank))
            place = Place(len(self.all) + 1, document, Span(start, end), ranked)
            self.all.append(place)
            self._by_key[key] = place

    def of(self, match: Match) -> Place:
        """The place of a match of this report."""
        return self._by_key[self._key(match)]

    def numbers(self, matches: Iterable[Match]) -> str:
        """The numbers of the places of matches, each once."""
        return " ".join(dict.fromkeys(str(self.of(match).number) for match in matches))

    def _key(self, match: Match) -> tuple[int, int, int]:
        index = self._index.get(id(match.document))
        if index is None:
            index = self._index[id(match.document)] = len(self.documents)
            self.documents.append(match.document)
        return index, match.span.start, match.span.end


def _matches(result: ClaimResult) -> Iterator[tuple[Match, Role]]:
    """Weightiest first: a span that a claim points to twice keeps its weightier role."""
    for match in (result.match, result.found_at):
        if match is not None:
            yield match, Role.EVIDENCE
    for match in result.alternatives:
        yield match, Role.ALTERNATIVE
    for attempt in result.attempts:
        yield attempt.match, Role.TRIED


# A document as a reader sees it, in blocks, with the offsets of the written text mapped to it.


LONG_BLOCK_CHARS = 8_000
"""A paragraph without blank lines is cut at a line end about this often: browsers are slow with
paragraphs of a megabyte."""

_GAP = re.compile(r"\r?\n(?:[ \t\r]*+[\n\f])++|\f\n*+")
_LEADING = re.compile(r"(?:[ \t\r]*+[\n\f])++")
_STRUCTURE = r"(?![ \t]|[-*+•>|#][ \t]|\d{1,3}[.)][ \t])"
_PROSE = re.compile(rf"(?:{_STRUCTURE}[^\n\t]{{50,}}+\n)++{_STRUCTURE}[^\n\t]*+")
_DEEPEST_HEADING = 6
_COLUMNS = re.compile(r"\S {3,}\S")


class ShownText:
    """What a reader sees of a document, and where each offset of the written text went."""

    def __init__(self, document: Document) -> None:
        self._reading = Reading(document)
        self.text = self._reading.text
        self.headings = list(self._headings(document))
        self.pages = [
            (self._reading.from_source(page.span.start), page.number) for page in document.pages
        ]

    def _headings(self, document: Document) -> Iterator[tuple[int, int, int]]:
        """(start, end, level) of the headings that show something, none over another."""
        free_from = 0
        for section in document.sections:
            heading = self.span(section.heading)
            if heading.start >= free_from and heading:
                yield heading.start, heading.end, section.level
                free_from = heading.end

    def span(self, written: Span) -> Span:
        """Where a span of the written text lies in `text`."""
        return Span(*map(self._reading.from_source, (written.start, written.end)))


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

    @property
    def tag(self) -> str:
        """The element that it is shown as."""
        return f"h{min(_DEEPEST_HEADING, self.level + 2)}" if self.level else "p"

    @property
    def style(self) -> str:
        """The classes of that element."""
        if self.level:
            return f"l{min(self.level, 6)}"
        kinds = (("c", self.continued), ("t", self.columns), ("f", self.prose))
        return " ".join(name for name, on in kinds if on)


def blocks(document: Document, shown: ShownText, window: Span) -> Iterator[Block]:
    """The blocks of a part of the shown text, in order. They and their gaps cover it all."""
    flows = document.format not in (Format.PDF, Format.IMAGE)
    for (at, level, first_page), (until, _, _) in pairwise(_stops(shown, window)):
        first = True
        for start, end, gap_end, continued in _paragraphs(shown.text, at, until):
            text = "" if level else shown.text[start:end]
            columns = "   " in text and _COLUMNS.search(text) is not None
            prose = flows and not columns and _PROSE.fullmatch(text) is not None
            begins = first_page if first else None
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


@dataclass(frozen=True, slots=True)
class Pane:
    """One document as the page shows it: `whole`, or the passages around its places."""

    number: int
    document: Document
    places: Sequence[Place]
    shown: ShownText
    whole: bool

    @property
    def facts(self) -> str:
        """What it is, and how long."""
        document = self.document
        pages = [count(len(document.pages), "page")] if document.pages else []
        lines, chars = count(document.line_count, "line"), count(len(document.text), "character")
        return " · ".join((KINDS[document.format].label, *pages, lines, chars))

    @property
    def cited(self) -> int:
        """The places that claims rest on."""
        return sum(place.uses[0].role is Role.EVIDENCE for place in self.places)

    def parts(self) -> Iterator[Part]:
        """What is shown of the text, in order."""
        text, spans = self.shown.text, [self.shown.span(place.span) for place in self.places]
        marked = MarkedText(text, spans, list(map(_weight, self.places, spans)))
        window = [Span(0, len(text))]
        if not self.whole:
            room = WHOLE_TEXT_CHARS // (2 * len(spans) + 1)
            window = windows(spans, text, min(EXCERPT_MARGIN_CHARS, max(LEAST_MARGIN_CHARS, room)))
        for each in window:
            if each.start:
                yield Part(left_out=True)
            for block in blocks(self.document, self.shown, each):
                runs = marked.runs(block.start, block.end) if block.start < block.end else ()
                yield Part(block, runs, text[block.end : block.gap_end])
        if window and window[-1].end < len(text):
            yield Part(left_out=True)
        if begun := marked.begun(len(text)):
            yield Part(Block(0, 0, 0), [Run(begun, (), "")])


class Part(NamedTuple):
    """A block with its text in runs and the blank space after it; or that text is `left_out`."""

    block: Block | None = None
    runs: Iterable[Run] = ()
    gap: str = ""
    left_out: bool = False


def _weight(place: Place, span: Span) -> tuple[bool, int, tuple[int, int, int]]:
    """Where places lie over each other the shorter one decides the colour: the longer one is seen
    on both sides of it.
    """
    return place.uses[0].role is not Role.EVIDENCE, len(span), place.uses[0].rank


def panes(places: Places) -> Iterator[Pane]:
    """All documents, whole as far as `WHOLE_TEXT_CHARS` goes."""
    inside: dict[int, list[Place]] = defaultdict(list)
    for place in places.all:
        inside[place.document].append(place)
    left = WHOLE_TEXT_CHARS
    for number, document in enumerate(places.documents):
        shown = ShownText(document)
        whole = len(shown.text) <= left
        left -= len(shown.text) if whole else 0
        yield Pane(number, document, inside[number], shown, whole)


# The page.


MOST_PASSAGE_CHARS = 600
DEFAULT_TITLE = "Quote validation"


@dataclass(frozen=True, slots=True)
class Row:
    """One claim; `rank` is its place in the order of the documents."""

    number: int
    rank: int
    anchor: str
    result: ClaimResult
    place: Match | None

    @property
    def matches(self) -> list[Match]:
        """Every place that the claim points to."""
        result = self.result
        found = [match for match in (result.match, result.found_at) if match is not None]
        return [*found, *result.alternatives, *(attempt.match for attempt in result.attempts)]

    @property
    def tried(self) -> list[Attempt]:
        """The places that were rejected."""
        return [attempt for attempt in self.result.attempts if attempt.match is not self.place]

    @property
    def details(self) -> str:
        """What is folded away, in words."""
        result = self.result
        numbers = (
            (len(result.alternatives), "other place"),
            (len(result.suggestions), "suggestion"),
            (len(result.notes), "note"),
        )
        return ", ".join(("Details", *(count(n, noun) for n, noun in numbers if n)))

    @property
    def has_diff(self) -> bool:
        """Whether the quote is shown with the source's words beside those that were changed."""
        result = self.result
        return bool(result.diff) and result.claim.evidence_type is EvidenceType.DIRECT_QUOTE

    def diff(self) -> Iterator[tuple[str, DiffPart]]:
        """The quote in its parts, each with what stands in the quote between it and the one before;
        a space where the quote does not hold the part as it was compared.
        """
        quote, at = self.result.claim.quote, 0
        for part in self.result.diff:
            found = quote.find(part.quoted, at) if part.quoted else -1
            yield " " if found < 0 else quote[at:found], part
            if found >= 0:
                at = found + len(part.quoted)

    @property
    def passage(self) -> str:
        """The source's own words, where they differ from the quote's."""
        if self.place is None or self.result.fidelity is Fidelity.VERBATIM:
            return ""
        shown = self.place.shown
        if shown.split() == self.result.claim.quote.split():
            return ""
        return shown[:MOST_PASSAGE_CHARS] + ("…" if len(shown) > MOST_PASSAGE_CHARS else "")


def render_html(
    report: ValidationReport, *, title: str | None = None, generated: str | None = None
) -> str:
    """The report as a self-contained HTML page.

    `title` heads the page; `generated`, a time for example, is shown as it is. Without it the page
    holds no time: the same report gives the same bytes.
    """
    anchors = anchors_of([result.claim.id for result in report.results])
    places = Places(report)
    groups: dict[Status, list[Row]] = {status: [] for status in WORST_FIRST}
    for row in _rows(report, places, anchors):
        groups[row.result.status].append(row)
    return page(
        "validation",
        title or DEFAULT_TITLE,
        report=report,
        generated=generated,
        groups=groups,
        places=places,
        anchors=anchors,
        panes=list(panes(places)),
        wording=wording,
    )


def _rows(report: ValidationReport, places: Places, anchors: Sequence[str]) -> Iterator[Row]:
    """The claims in order, each with its rank by where its place stands; those without one last."""
    found = [wording.primary_place(result) for result in report.results]
    ends = [places.of(match).number if match else len(places.all) + 1 for match in found]
    order = sorted(range(len(ends)), key=ends.__getitem__)
    ranks = {number: rank for rank, number in enumerate(order)}
    for number, result in enumerate(report.results):
        yield Row(number, ranks[number], anchors[number], result, found[number])
