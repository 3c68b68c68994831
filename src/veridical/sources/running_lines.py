"""Headers, footers and page numbers that stand between the text of one page and the next.

A sentence that runs over a page break would otherwise be cut by "Annual report 2024   17". Such a
line is known by its company: the same line, but for a number that counts along with the pages, at
the same edge of pages that follow each other (or of every other one: left and right pages differ).
Conservative on purpose: only the outermost lines are looked at, a page is never emptied, and of
each wording one stays, so that it can still be found and quoted.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

EDGE_LINES = 6
_MAX_GAP = 2
_MIN_PAGES = 3
_MIN_SHARE = 0.4
_SURE_PAGES = 5
"""A run is at least three pages: two fifths of the document, or five where that is fewer."""

_MAX_LINE_CHARS = 300
_NUMBER = re.compile(r"(?<!\d)\d{1,7}(?!\d)")


class Trimmed(NamedTuple):
    """The texts of the pages, and how many lines were dropped from them."""

    texts: list[str]
    dropped: int


class _Wording(NamedTuple):
    """How a line reads with its page number, if it has one, taken out."""

    at_top: bool
    before: str
    after: str
    number_minus_page: int | None

    @property
    def is_bare_number(self) -> bool:
        has_letters = any(map(str.isalpha, self.before + self.after))
        return self.number_minus_page is not None and not has_letters


class _Place(NamedTuple):
    page: int
    line: int


def drop_running_lines(texts: Sequence[str]) -> Trimmed:
    """Drop what repeats between pages from `texts`, one text for each page in order."""
    pages = [text.split("\n") for text in texts]
    running = _find_running(pages)
    kept_texts: list[str] = []
    dropped = 0
    for number, lines in enumerate(pages):
        doomed = _outermost(lines, running[number]) if number in running else set()
        kept = [line for at, line in enumerate(lines) if at not in doomed]
        kept_texts.append("\n".join(kept).strip("\n"))
        dropped += len(doomed)
    return Trimmed(kept_texts, dropped)


def _find_running(pages: Sequence[Sequence[str]]) -> dict[int, set[int]]:
    """For each page the lines that repeat at its edges and need not stay."""
    places: defaultdict[_Wording, list[_Place]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for at_top, at in _edges(lines):
            for wording in _wordings(lines[at], at_top, number):
                places[wording].append(_Place(number, at))
    min_pages = max(_MIN_PAGES, min(_SURE_PAGES, math.ceil(_MIN_SHARE * len(pages))))
    running: defaultdict[int, set[int]] = defaultdict(set)
    for wording, all_places in places.items():
        for run in _runs(all_places, min_pages=min_pages):
            kept = None
            if not wording.is_bare_number:
                # A header stays where it first comes, a footer where it last comes: there the
                # fewest sentences run past it.
                kept = run[0] if wording.at_top else run[-1]
            for place in run:
                if place != kept:
                    running[place.page].add(place.line)
    return dict(running)


def _edges(lines: Sequence[str]) -> Iterator[tuple[bool, int]]:
    """The outermost lines that are not blank: whether at the top, and their index."""
    printed = [at for at, line in enumerate(lines) if line and not line.isspace()]
    half = (len(printed) + 1) // 2
    for at in printed[: min(EDGE_LINES, half)]:
        yield True, at
    for at in printed[max(half, len(printed) - EDGE_LINES) :]:
        yield False, at


def _wordings(line: str, at_top: bool, page: int) -> Iterator[_Wording]:
    """The line as it is, and with each of its numbers read as the page number."""
    if len(line) > _MAX_LINE_CHARS:
        return
    folded = " ".join(line.split())
    yield _Wording(at_top, folded, "", None)
    for match in _NUMBER.finditer(folded):
        before, after = folded[: match.start()], folded[match.end() :]
        wording = _Wording(at_top, before, after, int(match.group()) - page)
        # Among words a page number stands free; "(5) In the" is an item of a list.
        if wording.is_bare_number or (_stands_free(before[-1:]) and _stands_free(after[:1])):
            yield wording


def _stands_free(neighbour: str) -> bool:
    return not neighbour or neighbour in " /|,"


def _runs(places: Sequence[_Place], *, min_pages: int) -> Iterator[list[_Place]]:
    """Stretches of places, in page order, that are long and close enough to be no coincidence."""
    run: list[_Place] = []
    for place in [*places, None]:
        if place is None or (run and place.page - run[-1].page > _MAX_GAP):
            if len({of_run.page for of_run in run}) >= min_pages:
                yield run
            run = []
        if place is not None:
            run.append(place)


def _outermost(lines: Sequence[str], running: Collection[int]) -> set[int]:
    """Those of `running` with nothing but other such lines between them and the page's edge."""
    printed = [at for at, line in enumerate(lines) if line and not line.isspace()]
    doomed: set[int] = set()
    for order in (printed, printed[::-1]):
        outermost = list(takewhile(running.__contains__, order))
        # As many as were looked at: a page that is repeated whole, not a header.
        if len(outermost) < min(EDGE_LINES, len(printed)):
            doomed.update(outermost)
    return doomed
