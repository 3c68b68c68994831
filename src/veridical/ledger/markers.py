"""Citation markers of an answer, and its source list.

`[cite:a1b2c3d4]`, numbers (`[2]`, `[1, 3-4]`, `[^1]`, `【1†source】`, `<sup>1</sup>`) and files
(`(p.md, page 2)`, `[p.md]`, `([p.md](p.md))`). Nothing inside code, struck text or the target of a
link is a marker. Source: section 5.1 of the ledger specification for `[cite:…]`; the others as
answers of language models have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.ledger.entry import Marker, MarkerKind
from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.named_citations import (
    MAX_NAME_CHARS,
    SUFFIX,
    file_names,
    named_citations,
)
from veridical.ledger.extraction.page import AnswerPage, BlockKind, read_page
from veridical.ledger.extraction.reference_list import ReferenceList, cleaned, names_source
from veridical.sources.span import Span

# Citations by number: `[1]`, `[1, 3-4]`, `[^1]`, `【1†source】`, `<sup>1</sup>`, a raised ¹.


MAX_RANGE = 50
"""The longest range, `[1-50]`."""

_OPEN, _CLOSE = r"[\[\uff3b\u3010]", r"[\]\uff3d\u3011]"
_DASH = r"[-\u2010-\u2014\u2212]"
_LIST = rf"\d{{1,3}}(?:\s?(?:[,;\uff0c\uff1b\u3001]|{_DASH})\s?\d{{1,3}}){{0,50}}"
_BRACKETED = re.compile(
    rf"(?<![\\!])(?:\[(?P<low>\d{{1,3}})\]{_DASH}\[(?P<high>\d{{1,3}})\](?!\()"
    rf"|{_OPEN}(?P<note>\^?)(?P<list>{_LIST}){_CLOSE}(?!\())"
)
_MEMBER = re.compile(rf"(\d+)(?:\s?{_DASH}\s?(\d+))?")
_DAGGER = re.compile(
    r"\u3010\s?(?P<number>\d{1,3}(?::\d{1,3})?)"
    r"(?:\s?[\u2020\u2021](?P<rest>[^\u3010\u3011\r\n]{0,300}+))?\u3011"
)
_FILE = re.compile(
    rf"[^\W_][^\u2020\u2021\r\n]{{0,{MAX_NAME_CHARS}}}?{SUFFIX}(?!\w)", re.IGNORECASE
)

_TAGGED = re.compile(
    rf"<sup\b[^<>]{{0,200}}+>(?:<a\b[^<>]{{0,300}}+>)?\[?(?P<list>{_LIST})\]?(?:</a>)?</sup>",
    re.IGNORECASE,
)
_RAISED = re.compile("[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,2}(?!\\w)")
_RAISED_DIGITS = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
)
_NOTED = re.compile(r"(?:[^\W\d_]{3,}|[.,;:!?%\"'\u201d\u2019\u3002]|[^\W\d_]{3,}\))[*_]*\s?\Z")
_MEASURED = re.compile(
    r"\b(?:met(?:er|re)s?|(?:kilo|centi|milli)met(?:er|re)s?|feet|foot|inch(?:es)?|miles?|yards?|"
    r"sec(?:onds?)?|units?|sin|cos|tan|log|chi)[*_]*\s?\Z",
    re.IGNORECASE,
)
"""Words after which a raised number is an exponent."""

_AROUND = 40


def bracketed(text: str) -> Iterator[tuple[Span, bool, list[int] | str]]:
    """Each number in brackets: its place, whether it is that of a footnote (`[^1]`), its members.

    In the place of the members stands what is wrong with them, where they cannot be read.
    """
    for found in _BRACKETED.finditer(text):
        members = _members(found["list"] or f"{found['low']}-{found['high']}")
        if members:
            yield Span(found.start(), found.end()), bool(found["note"]), members


def daggers(text: str) -> Iterator[tuple[Span, str, str]]:
    """Each `【1†...】`: its place, its number ("1", "4:0"), the file that it names or nothing."""
    for found in _DAGGER.finditer(text):
        name = _FILE.match(found["rest"] or "")
        number = ":".join(str(int(part)) for part in found["number"].split(":"))
        if name is None and is_loaded(found["rest"] or ""):
            continue  # "\u30101\u2020never\u3011" is no citation
        is_name = name is not None and len(name[0]) <= MAX_NAME_CHARS
        yield Span(found.start(), found.end()), number, name[0] if name and is_name else ""


def raised(text: str) -> Iterator[tuple[Span, list[int]]]:
    """Each raised number that is the mark of a note and no exponent: its place, its members."""
    for pattern in (_TAGGED, _RAISED):
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - _AROUND) : found.start()]
            if not _NOTED.search(before) or _MEASURED.search(before):
                continue
            written = found["list"] if pattern is _TAGGED else found[0].translate(_RAISED_DIGITS)
            members = _members(written)
            if isinstance(members, list):
                yield Span(found.start(), found.end()), members


def _members(text: str) -> list[int] | str | None:
    """The members of a numbered marker; None where `[0]` shows that it is none."""
    values: list[int] = []
    for member in _MEMBER.finditer(text):
        first, last = int(member[1]), int(member[2] or member[1])
        if not first:
            return None
        if not first <= last < first + MAX_RANGE:
            return f"a range of sources must rise, over at most {MAX_RANGE}"
        values.extend(range(first, last + 1))
    return list(dict.fromkeys(values))


MAX_MARKERS = 100_000
"""Markers of one answer; ranges count with all their members."""

_ANCHOR = re.compile(r"\[cite\b[^\[\]\r\n]{0,400}+(?:\]|)", re.IGNORECASE)
_ANCHOR_BODY = re.compile(
    r"\[cite:\s?([0-9a-f]{8,64}(?:\s?[,;]\s?(?:cite:\s?)?[0-9a-f]{8,64}){0,20})\]", re.IGNORECASE
)
_HEX = re.compile(r"[0-9a-f]{8,64}", re.IGNORECASE)
_PREFIX = re.compile(r"cite:", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\[\^(\d{1,3})\]:")


@dataclass(frozen=True, slots=True)
class MarkerProblem:
    """Something that looks like a marker and cannot be read as one: its place, and why."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Markers:
    """The markers of an answer in order, and what could not be read."""

    found: tuple[Marker, ...]
    problems: tuple[MarkerProblem, ...] = ()


def find_markers(answer: str) -> tuple[Marker, ...]:
    """The citation markers of an answer, in order; none of its source list."""
    return read_markers(answer).found


def read_markers(answer: str) -> Markers:
    """The citation markers of an answer, and those that are malformed."""
    return markers_of(read_page(answer))


def source_list(answer: str) -> ReferenceList:
    """The list of sources that closes an answer.

    One with a title ("Sources:", "## References"), or a closing run of lines that each start with
    a number in brackets. A line that states something is no source, whatever stands above it.
    """
    return read_page(answer).sources


def markers_of(page: AnswerPage) -> Markers:
    """The citation markers of an answer that has been read."""
    found: list[Marker] = []
    problems: list[MarkerProblem] = []
    for span, members in _candidates(page):
        if isinstance(members, str):
            problems.append(MarkerProblem(span, members))
        elif len(found) + len(members) > MAX_MARKERS:
            message = f"more than {MAX_MARKERS:,} citation markers; those from here on are left out"
            problems.append(MarkerProblem(span, message))
            break
        else:
            found.extend(members)
    return Markers(tuple(found), tuple(problems))


def _candidates(page: AnswerPage) -> Iterator[tuple[Span, list[Marker] | str]]:
    """Each marker's place with its members, or with what is wrong with it, in order."""
    places = [*_anchors(page.text), *_numbers(page), *_names(page.text)]
    edge = 0
    for span, members in sorted(places, key=lambda place: (place[0].start, -place[0].end)):
        if span.start >= edge and not page.is_verbatim(span.start):
            yield span, members
            edge = span.end


def _anchors(text: str) -> Iterator[tuple[Span, list[Marker] | str]]:
    for found in _ANCHOR.finditer(text):
        span = Span(found.start(), found.end())
        if body := _ANCHOR_BODY.fullmatch(found[0]):
            values = _HEX.findall(_PREFIX.sub("", body[1]))
            yield span, [Marker(MarkerKind.ANCHOR, value.lower(), span) for value in values]
        elif found[0].endswith("]"):
            yield span, "a citation marker needs 8 to 64 hexadecimal digits, as in [cite:a1b2c3d4]"
        else:
            yield span, "the citation marker is not closed with ]"


def _numbers(page: AnswerPage) -> Iterator[tuple[Span, list[Marker] | str]]:
    notes = _Footnotes(page)
    for span, is_note, members in bracketed(page.text):
        if isinstance(members, str):
            yield span, members
        elif not is_note:
            yield span, _numbered(members, span)
        elif span.start not in notes.places:
            yield span, [notes.marker(number, span) for number in members]
    for span, members in raised(page.text):
        yield span, _numbered(members, span)
    for span, number, name in daggers(page.text):
        kind = MarkerKind.NAME if name else MarkerKind.NUMBER
        yield span, [Marker(kind, name or number, span)]


def _numbered(members: list[int], span: Span) -> list[Marker]:
    return [Marker(MarkerKind.NUMBER, str(number), span) for number in members]


def _names(text: str) -> Iterator[tuple[Span, list[Marker]]]:
    for span, names in named_citations(text):
        yield span, [Marker(MarkerKind.NAME, name, span) for name in names]


class _Footnotes:
    """The footnotes that an answer defines: `[^1]: fees.md`. `places` is where these stand."""

    def __init__(self, page: AnswerPage) -> None:
        self._listed = page.sources.entries
        self._notes: dict[int, str] = {}
        self.places: set[int] = set()
        for block in page.blocks:
            if block.kind is BlockKind.NOTE and block.mark:
                found = _FOOTNOTE.match(page.text, block.mark.start)
                if found:
                    self.places.add(block.mark.start)
                    line = page.text[block.start : block.end].partition("\n")[0]
                    self._notes.setdefault(int(found[1]), line)

    def marker(self, number: int, span: Span) -> Marker:
        """What `[^number]` means: its own footnote, before the entry of a list of that number."""
        note = self._notes.get(number)
        if note is None or self._listed.get(str(number)) == cleaned(note):
            return Marker(MarkerKind.NUMBER, str(number), span)
        name = next(iter(file_names(note)), cleaned(note)) if names_source(note) else ""
        if name and len(name) <= MAX_NAME_CHARS:
            return Marker(MarkerKind.NAME, name, span)
        return Marker(MarkerKind.NUMBER, f"^{number}", span)
