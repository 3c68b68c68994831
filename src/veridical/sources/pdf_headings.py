"""Headings of a PDF that its bookmarks do not name, by how their lines are set.

A heading is a short line, or a few, that is larger or bolder than the text, in capitals or in
italics, that is set as one and begins a block. Words in bold within a paragraph, heads and rows of
tables, captions, list items and running lines are none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from veridical.sources.headings import (
    Heading,
    find_headings,
    heading_at,
    heading_number,
    is_title_like,
)

if TYPE_CHECKING:
    from veridical.sources.document import Page
    from veridical.sources.pdf_text import UnitBoxes

# Parts of the names of fonts.
_BOLD = re.compile(rb"(?i:bold|black|heavy|demi(?!light))|CMB|[-,]B[dI]?\b")
_ITALIC = re.compile(rb"(?i:ital|obli|slant)|CMTI|[-,]B?I\b")

_LARGER, _CLEARLY_LARGER, _SMALLEST = 1.06, 1.2, 0.94
"""Sizes, in sizes of the text."""
_SAME_SIZE, _SMALL_CAPITALS = 0.9, (0.6, 0.82)
"""The least of the sizes in a line, in the largest: where it is set alike; in small capitals."""
_SAMPLED = 8
_FEWEST_CAPITALS, _LEAST_LETTERS = 4, 0.6
"""Letters of a title in capitals, and their share in it."""
_CELL_GAP = 1.3
"""A gap between words that is wider than this, in sizes of the font, parts cells of a table."""
_NARROW_CELL_GAP, _WIDER_THAN_WORDS = 0.5, 1.7
"""So do two that are wider than the first of these, and than the narrowest gap by the second."""
_APART = 1.2
"""Lines are of two blocks from this distance on, in that of two lines of the text."""
_NEARER = 1.1
"""How much nearer a heading stands to what follows than to what goes before."""
_SHARE_OF_STEPS = 0.15
"""The least distance of lines with this share of all is that within paragraphs."""
_TIGHT, _LOOSER = 1.25, 1.1
"""How far the lines of one heading stand apart: in its size, or in what is usual in the text."""
_MOST_LINES, _MOST_WORDS, _MOST_CHARS = 4, 30, 120
_MOST_IN_A_ROW = 4
"""More headings of one kind with nothing between them are a list."""

_CAPTION = re.compile(
    r"(?i:fig(?:ures?|s?\.)?|tab(?:les?|s?\.)?|abb(?:ildung|\.)?|tabellen?|tableau|exhibit|chart|"
    r"box|listing|plate)\s*[A-Z]?\d"
)
_NUMBER = re.compile(
    r"\s*(?:(\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})+)[.)]?|(?:[A-Z]|[IVXLC]{2,7})[.)])\s+(?=\S)"
)
_DIGITS = re.compile(r"\d+")


class LetterLook(NamedTuple):
    """How a letter is set; its size is in points."""

    size: float
    bold: bool
    italic: bool


class LineLook(NamedTuple):
    """How a line is set, judged by some of its letters: the largest size; whether all, the first
    and the last are bold, all are italic, or small capitals; where it stands, from below; whether
    it is in cells or in several sizes.
    """

    size: float
    bold: bool
    first_bold: bool
    last_bold: bool
    italic: bool
    small_capitals: bool
    bottom: float
    is_mixed: bool


@lru_cache(maxsize=1024)
def font_look(name: bytes) -> tuple[bool, bool]:
    """Whether a font of this name is bold, and whether it is italic."""
    return bool(_BOLD.search(name)), bool(_ITALIC.search(name))


def line_looks(
    boxes: UnitBoxes, units: str, lines: Sequence[tuple[int, int]]
) -> list[LineLook | None]:
    """How the lines are set that start and end at these units; None for one without letters."""
    letters = [[i for i in range(*line) if units[i].isalpha()] for line in lines]
    ends = [(boxes.look(of[0]), boxes.look(of[-1])) if of else None for of in letters]
    common = Counter(end[0] for end in ends if end).most_common(1)
    looks: list[LineLook | None] = []
    for line, of, end in zip(lines, letters, ends, strict=True):
        if end is None:
            looks.append(None)
            continue
        seen: Sequence[LetterLook] = end
        is_row = False
        if end[0] != common[0][0] and len(of) <= _MOST_CHARS:  # a heading? look at it closely
            seen = [boxes.look(i) for i in (*of[:: max(1, len(of) // _SAMPLED)], of[-1])]
            is_row = _has_cells(boxes, units, line, end[0].size)
        sizes = [one.size for one in seen]
        least, size = min(sizes), max(sizes)
        two = sizes[0] == size and len(set(sizes)) == 2
        small = two and _SMALL_CAPITALS[0] <= least / size <= _SMALL_CAPITALS[1]
        looks.append(
            LineLook(
                size=size,
                bold=all(one.bold for one in seen),
                first_bold=seen[0].bold,
                last_bold=seen[-1].bold,
                italic=all(one.italic for one in seen),
                small_capitals=small,
                bottom=boxes[of[0]][1],
                is_mixed=is_row or not (small or least >= _SAME_SIZE * size),
            )
        )
    return looks


def _has_cells(boxes: UnitBoxes, units: str, line: tuple[int, int], size: float) -> bool:
    """Whether words stand apart as in a row of a table; the first gap may follow a number."""
    words = units[slice(*line)]
    number = _NUMBER.match(words)
    first = number.end() + 1 if number else 1
    gaps = [
        (boxes[line[0] + found.end()][0] - boxes[line[0] + found.start() - 1][2]) / size
        for found in re.compile(r"(?<=\S)\s+(?=\S)").finditer(words, first)
    ]
    narrow = max(_NARROW_CELL_GAP, _WIDER_THAN_WORDS * min(gaps, default=0.0))
    return max(gaps, default=0.0) > _CELL_GAP or sum(gap > narrow for gap in gaps) > 1


class SetLine(NamedTuple):
    """A line of the document's text: where it starts, its words and how it is set. `repeats` says
    that it is known to stand on other pages too, at their edge.
    """

    start: int
    words: str
    look: LineLook
    page: int
    repeats: bool

    @property
    def rank(self) -> tuple[float, bool, bool]:
        """Higher for what is set as a higher heading."""
        return round(self.look.size), self.look.bold, self.words.isupper()

    @property
    def depth(self) -> int:
        """Of its number: 2 for "3.1"; 1 without."""
        number = _NUMBER.match(self.words)
        return number[1].count(".") + 1 if number and number[1] else 1

    @property
    def wording(self) -> str:
        """What it has in common with a running line that counts pages."""
        return _DIGITS.sub("", "".join(self.words.casefold().split()))


def set_lines(
    text: str,
    pages: Sequence[Page],
    looks: Sequence[Sequence[LineLook | None]],
    repeated: Sequence[Collection[int]],
) -> Iterator[SetLine]:
    """The lines of a document with how they are set: `looks` has one for each line of each page,
    `repeated` the lines of each page that stand on others too.
    """
    for page, of_page, again in zip(pages, looks, repeated, strict=True):
        at = page.span.start
        for number, words in enumerate(text[at : page.span.end].split("\n")):
            look = of_page[number] if number < len(of_page) else None
            if look is not None:
                yield SetLine(at, words, look, page.number, number in again)
            at += len(words) + 1


def find_set_headings(
    text: str, lines: Sequence[SetLine], known: Sequence[Heading]
) -> list[Heading]:
    """All headings of a document: those that are `known` from its bookmarks, and those that are set
    as headings. Where none is, those that read as headings do in text without any look.

    Those set as a bookmarked one have its level, others one by how they are set, and by number.
    """
    setting = _Setting(lines, {one.span.start for one in known})
    marked = sorted((one.span.end, one.span.start) for one in known)

    def is_known(start: int, end: int) -> bool:
        at = bisect_right(marked, (start, end))  # the first that ends behind the start
        return at < len(marked) and marked[at][1] < end

    found = [
        (group, start, end)
        for group in setting.headings()
        for start, end in [_span(group)]
        if not is_known(start, end)
    ]
    if not found:
        return list(known) or find_headings(text)
    ranks = {line.start: line.rank for line in lines}
    given = {ranks[one.span.start]: one.level for one in known if one.span.start in ranks}
    depths: dict[tuple[float, bool, bool], set[int]] = {}
    for group, _, _ in found:
        depths.setdefault(group[0].rank, set()).add(group[0].depth)
    above, base = {}, 1
    for rank in sorted(depths, reverse=True):
        above[rank] = base - min(depths[rank])
        base += max(depths[rank]) - min(depths[rank]) + 1
    return [
        *known,
        *(
            heading_at(text, given.get(line.rank, above[line.rank] + line.depth), start, end)
            for (line, *_), start, end in found
        ),
    ]


def _is_in_capitals(words: str) -> bool:
    """Whether a line, less its number, is a title in capitals. A row of codes or sums is none, a
    name with no more than its number is: "ARTICLE 12.3.4".
    """
    number = _NUMBER.match(words)
    title = "".join(words[number.end() if number else 0 :].split())
    letters = sum(map(str.isalpha, title))
    if not title.isupper() or letters < _FEWEST_CAPITALS:
        return False
    named = heading_number(words) if title[0].isalpha() else ""
    is_named = bool(named) and title.rstrip(".:").endswith(named)
    return is_named or letters >= _LEAST_LETTERS * len(title)


def _span(group: Sequence[SetLine]) -> tuple[int, int]:
    first, last = group[0], group[-1]
    start = first.start + len(first.words) - len(first.words.lstrip())
    return start, last.start + len(last.words.rstrip())


class _Setting:
    """How the text of a document is set, and which of its lines differ from that. `bookmarked` are
    the places of headings that are known.
    """

    def __init__(self, lines: Sequence[SetLine], bookmarked: Collection[int]) -> None:
        self.lines, self.bookmarked = lines, bookmarked
        looks: Counter[tuple[float, bool, bool]] = Counter()
        for line in lines:
            looks[round(line.look.size, 1), line.look.bold, line.look.italic] += len(line.words)
        usual = looks.most_common(1)[0][0] if looks else (10.0, False, False)
        self.size, self.is_bold, self.is_italic = usual
        capitals = sum(len(line.words) for line in lines if line.words.isupper())
        self.is_in_capitals = 2 * capitals > looks.total()
        steps = Counter(
            round(before.look.bottom - after.look.bottom, 1)
            for before, after in pairwise(lines)
            if before.page == after.page and before.look.size == after.look.size == self.size
        )
        enough = max(2, _SHARE_OF_STEPS * steps.total())
        within = [step for step, times in steps.items() if step > 0 and times >= enough]
        self.step = min(within, default=1.3 * self.size)
        edges = [line.wording for before, line in pairwise(lines) if before.page != line.page]
        edges += [line.wording for line, after in pairwise(lines) if after.page != line.page]
        edges += [line.wording for line in (*lines[:1], *lines[-1:])]
        self.running = {wording for wording, times in Counter(edges).items() if times > 1}

    def headings(self) -> list[Sequence[SetLine]]:
        """The lines of each heading."""
        groups: list[tuple[int, int]] = []
        kinds = list(map(self._kind, self.lines))
        end = 0
        while end < len(kinds):
            start, end = end, end + 1
            if kinds[start]:
                while end < len(kinds) and self._goes_on(start, end, kinds):
                    end += 1
                if self._is_heading(start, end, kinds[start]):
                    groups.append((start, end))
        return [self.lines[start:end] for start, end in self._without_lists(groups)]

    def _kind(self, line: SetLine) -> str:
        """What sets a line off from the text: "larger", "bold", "capitals", "italic" or nothing."""
        look = line.look
        if look.is_mixed or look.size < _SMALLEST * self.size:
            return ""
        if look.size >= _LARGER * self.size:
            return "larger"
        if look.bold and not self.is_bold:
            return "bold"
        if look.small_capitals or (not self.is_in_capitals and _is_in_capitals(line.words)):
            return "capitals"
        return "italic" if look.italic and not self.is_italic else ""

    def _distance(self, index: int) -> float:
        """How far a line stands below the one before it, in lines; infinitely in another column."""
        if not 0 < index < len(self.lines) or self.lines[index - 1].page != self.lines[index].page:
            return float("inf")
        step = self.lines[index - 1].look.bottom - self.lines[index].look.bottom
        return step / self.step if step > 0 else float("inf")

    def _goes_on(self, first: int, index: int, kinds: Sequence[str]) -> bool:
        """Whether a line goes on with the heading that `first` begins."""
        head, line = self.lines[first].look, self.lines[index]
        usual = max(_TIGHT, _LOOSER * self.step / self.size) * head.size
        same = abs(head.size - line.look.size) <= 0.05 * head.size and head.bold == line.look.bold
        is_new = line.start in self.bookmarked or _NUMBER.match(line.words)
        near = self._distance(index) * self.step <= usual
        return kinds[index] == kinds[first] and same and near and not is_new

    def _is_heading(self, start: int, end: int, kind: str) -> bool:
        lines = self.lines[start:end]
        words = " ".join(line.words.strip() for line in lines)
        # What is spaced out has a word a letter.
        count = sum(len(word) > 1 for word in words.split())
        is_long = any(len(line.words) > _MOST_CHARS for line in lines)
        if is_long or len(lines) > _MOST_LINES or count > _MOST_WORDS or end >= len(self.lines):
            return False
        is_large = lines[0].look.size >= _CLEARLY_LARGER * self.size
        if not is_title_like(words, at_ease=is_large):
            return False
        repeats = lines[0].repeats or lines[0].wording in self.running
        return is_large or (
            not repeats and not _CAPTION.match(words) and self._begins_block(start, end, kind)
        )

    def _begins_block(self, start: int, end: int, kind: str) -> bool:
        """Whether lines are no part of the paragraph or list that goes before or after them."""
        above, below = self._distance(start), self._distance(end)
        before, line, last, after = (self.lines[i] for i in (start - 1, start, end - 1, end))
        if above < _APART:
            mid_sentence = before.words.rstrip()[-1:] not in ".!?:;"
            if mid_sentence or (before.look.last_bold and not before.look.bold):
                return False
        numbered = bool(_NUMBER.match(line.words))
        if below < _APART:
            bold = kind == "bold" and after.look.first_bold and not after.look.bold
            text = after.words.lstrip()[:1].islower() or last.words.rstrip()[-1:] in "?!"
            if bold or text or _follows(after, line):
                return False
        if above < _APART and _follows(line, before):
            return False
        if kind in ("larger", "bold"):
            return True
        # A quotation in italics has as much space below as above. Bookmarks leave little out: what
        # is not set in a font of its own is then no heading.
        nearer = _NEARER * below if kind == "italic" and not numbered else 0.0
        return (numbered or not self.bookmarked) and above >= max(_APART, nearer)

    def _without_lists(self, groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """The headings but for those that follow each other with nothing between, alike and many (a
        table of contents, the head of a letter), and subtitles: the only one of its kind, right
        under a larger heading.
        """
        rows: list[list[tuple[int, int]]] = []
        for group in groups:
            line = self.lines[group[0]]
            if rows and rows[-1][-1][1] == group[0]:
                before = self.lines[rows[-1][-1][0]]
                if before.rank[:2] == line.rank[:2]:
                    rows[-1].append(group)
                    continue
            rows.append([group])
        kept = [group for row in rows if len(row) <= _MOST_IN_A_ROW for group in row]
        times = Counter(self.lines[start].rank for start, _ in kept)
        for index, (start, end) in enumerate(kept):
            line, (first, last) = self.lines[start], kept[index - 1] if index else (0, -1)
            under = last == start and line.rank < self.lines[first].rank
            if not (under and times[line.rank] == 1 and not _NUMBER.match(line.words)):
                yield start, end


def _follows(line: SetLine, other: SetLine) -> bool:
    """Whether a line has the number after that of another, as the next item of a list has."""
    one, two = (_NUMBER.match(each.words) for each in (other, line))
    if not (one and two and one[1] and two[1]):
        return False
    (outer, _, last), (same, _, after) = one[1].rpartition("."), two[1].rpartition(".")
    return outer == same and int(after) == int(last) + 1
