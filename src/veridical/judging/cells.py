"""Does a claim take its value from the cell that its own words name?

"| Senior | 40 euros | 120 euros |" under "Meals" and "Hotel" holds every word of "Seniors may spend
120 euros on meals", and says otherwise. So each value of a claim that stands in a table is looked
up there: where the claim names columns or rows, the value must stand in one of those. What names
none stays a matter of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product

from veridical.judging.alignment_words import Word, comparable, read_words, same_quantity
from veridical.judging.cell_names import Named, named_titles
from veridical.judging.features_conflicts import Conflict, shown
from veridical.judging.grids import Grid, Place, read_grid
from veridical.judging.judge import Case
from veridical.retrieval.tables.layout import Table
from veridical.validation.differences import AlterationKind

_MOST_CUTS = 32
"""Ways to part a claim of several values that are tried."""

_JOINS = frozenset("and but while whereas or".split())
_LEADS_IN = re.compile(r":\W*$")

Segment = tuple[int, int]
"""A stretch of the claim's words, half-open."""


def misplaced_values(case: Case, low: int, high: int) -> Iterator[Conflict]:
    """Values of the claim that stand in other cells of the sentences `low` to `high` than those
    that its words name: one of each table.
    """
    for lookup in _lookups(case, low, high):
        conflict = lookup.misplaced()
        if conflict is not None:
            yield conflict


def unnamed_cell(case: Case, low: int, high: int) -> str | None:
    """The titles of a cell that the claim takes a number from without naming its column, or its
    row, though another number of the sort stands beside it; None if there is none.
    """
    return next(filter(None, (it.unnamed(low, high) for it in _lookups(case, low, high))), None)


def _lookups(case: Case, low: int, high: int) -> Iterator[_Lookup]:
    for table in case.tables:
        if any(low <= row < high for row in table.cells) and (grid := read_grid(table)) is not None:
            prose = [
                word
                for at in range(low, high)
                if at not in table.cells and at != table.head
                for word in read_words(case.sentences[at])
            ]
            yield _Lookup(case, table, grid, prose)


@dataclass(frozen=True, slots=True)
class _Value:
    """Words of the claim, half-open, that stand in cells of the table."""

    start: int
    end: int
    cells: frozenset[Place]


class _Lookup:
    """A claim beside one table."""

    def __init__(self, case: Case, table: Table, grid: Grid, prose: Sequence[Word]) -> None:
        self._claim = read_words(case.claim)
        self._grid = grid
        self._lead = _lead_in(case)
        # Where the head of a table stands in another passage, it is the last of the titles.
        parts = case.heading.split(" > ")
        above = parts[:-1] if table.head is None and table.titles else parts
        self._known = frozenset(word.stem for part in above for word in read_words(part))
        self._columns = self._named(grid.columns)
        self._rows = self._named(grid.rows)
        self._values = list(self._read_values(prose))

    def misplaced(self) -> Conflict | None:
        """The first value that stands elsewhere than where the claim has it, however the claim is
        parted; None where there is a way to part it in which none does.
        """
        if not self._values or not (self._columns or self._rows):
            return None
        first: Conflict | None = None
        for segments in islice(self._segmented(), _MOST_CUTS):
            conflict = self._misplaced_in(segments)
            if conflict is None:
                return None
            first = first or conflict
        return first

    def unnamed(self, low: int, high: int) -> str | None:
        """The titles of the only cell of a value whose column or row is not named, where that
        leaves open which of several values is meant.
        """
        grid = self._grid
        for value in self._values:
            within = [place for place in value.cells if low <= grid.sentences[place[0]] < high]
            if len(value.cells) != 1 or not within or self._claim[value.start].number is None:
                continue
            row, column = within[0]
            beside = [(row, c) for c in range(len(grid.columns))] if not self._columns else []
            below = [(r, column) for r in range(len(grid.rows))] if not self._rows else []
            taken = frozenset[Place]().union(*(other.cells for other in self._values))
            if any(_may_be_meant(grid, within[0], it) for it in {*beside, *below} - taken):
                return " / ".join(filter(None, (grid.rows[row], grid.columns[column])))
        return None

    def _named(self, titles: Sequence[str]) -> tuple[Named, ...]:
        """The titles that the claim names; else those that the line names that leads in to it,
        which stand before all of its words.
        """
        found = named_titles(titles, self._claim, self._known)
        if found or not self._lead:
            return found
        return tuple(Named(n.title, (0,)) for n in named_titles(titles, self._lead, self._known))

    def _read_values(self, prose: Sequence[Word]) -> Iterator[_Value]:
        naming = {place for named in (*self._columns, *self._rows) for place in named.places}
        at = 0
        while at < len(self._claim):
            value = self._value_at(at, naming, prose)
            if value is not None:
                yield value
            at = value.end if value is not None else at + 1

    def _value_at(self, at: int, naming: set[int], prose: Sequence[Word]) -> _Value | None:
        word = self._claim[at]
        if at in naming:
            return None
        if word.number is not None:
            places = self._with_number(word)
            is_said = any(same_quantity(word, other) for other in prose)
            return _Value(at, at + 1, places) if places and not is_said else None
        longest: dict[int, set[Place]] = {}
        for place in self._grid.wordings.get(word.key, ()):
            words = self._grid.at(place)
            if _begins(self._claim, at, words):
                longest.setdefault(len(words), set()).add(place)
        length = max(longest, default=0)
        return _Value(at, at + length, frozenset(longest[length])) if length else None

    def _with_number(self, word: Word) -> frozenset[Place]:
        return frozenset(place for other, place in self._grid.numbers if same_quantity(word, other))

    def _segmented(self) -> Iterator[list[Segment]]:
        """The ways to part the claim between its values: at conjunctions and semicolons, else at
        commas; values with neither between them stay together.
        """
        options = [self._breaks(one.end, other.start) for one, other in pairwise(self._values)]
        for cuts in product(*(found or [-1] for found in options)):
            edges = [0, *(cut for cut in cuts if cut >= 0), len(self._claim)]
            yield list(pairwise(edges))

    def _breaks(self, start: int, end: int) -> list[int]:
        between = range(start, end + 1)
        firm = [i for i in between if self._claim[i].key in _JOINS or self._claim[i].border == ";"]
        return firm or [i for i in between if self._claim[i].border]

    def _misplaced_in(self, segments: Sequence[Segment]) -> Conflict | None:
        columns, rows = (_by_segment(named, segments) for named in (self._columns, self._rows))
        for at, (start, end) in enumerate(segments):
            mine = [value for value in self._values if start <= value.start < end]
            own = columns[at].own and rows[at].own
            beside = mine if own else self._values
            for value in mine:
                place = self._instead(value, columns[at].titles, rows[at].titles, beside)
                if place is not None:
                    return self._conflict(value, place)
        return None

    def _instead(
        self, value: _Value, columns: frozenset[int], rows: frozenset[int], beside: Sequence[_Value]
    ) -> Place | None:
        """The cell that the claim names and has no value of; None where the value is in its place,
        or no cell of its sort is named.
        """
        if any((not rows or r in rows) and (not columns or c in columns) for r, c in value.cells):
            return None
        taken = frozenset[Place]().union(*(other.cells for other in beside if other is not value))
        for row, column in sorted(value.cells):
            for place in product(sorted(rows) or [row], sorted(columns) or [column]):
                theirs, ours = self._grid.at(place), self._grid.at((row, column))
                if place not in taken and _same_sort(ours, theirs):
                    return place
        return None

    def _conflict(self, value: _Value, place: Place) -> Conflict:
        words = self._claim[value.start : value.end]
        (row, column), grid = place, self._grid
        title = " / ".join(filter(None, (grid.rows[row], grid.columns[column])))
        said = f"{title}: {grid.texts[row][column] or '-'}"
        if words[0].number is not None:
            return Conflict(AlterationKind.NUMBER, shown(words[0]), said)
        return Conflict(AlterationKind.NAME, " ".join(word.text for word in words), said)


def _lead_in(case: Case) -> tuple[Word, ...]:
    lines = [line for line in case.context.splitlines() if _LEADS_IN.search(line)]
    return read_words(lines[-1]) if lines else ()


def _begins(claim: Sequence[Word], at: int, words: Sequence[Word]) -> bool:
    return [word.key for word in claim[at : at + len(words)]] == [word.key for word in words]


def _may_be_meant(grid: Grid, place: Place, other: Place) -> bool:
    """Whether another cell has a number that counts the same thing as the number of a cell."""
    ours, theirs = grid.at(place), grid.at(other)
    return any(word.number is not None for word in theirs) and _same_sort(ours, theirs)


def _same_sort(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether two cells hold what could stand in each other's place; nothing can in any."""
    if not any(word.content for word in other):
        return True
    ours = next((word for word in one if word.number is not None), None)
    theirs = next((word for word in other if word.number is not None), None)
    if ours is None or theirs is None:
        return ours is theirs
    return ours.unit == theirs.unit or comparable(ours, theirs)


@dataclass(frozen=True, slots=True)
class _Titles:
    """The titles that hold for a segment; `own` tells that they are named in it or before it."""

    titles: frozenset[int]
    own: bool


def _by_segment(named: Sequence[Named], segments: Sequence[Segment]) -> list[_Titles]:
    """The titles of each segment: those named in it, else in the nearest one before it, else in the
    nearest behind. As many as there are segments, all named in one, are theirs in order.
    """
    inside = [
        [n.title for n in named if any(start <= place < end for place in n.places)]
        for start, end in segments
    ]
    filled = [at for at, titles in enumerate(inside) if titles]
    if not filled:
        return [_Titles(frozenset(), own=True)] * len(segments)
    in_order = inside[filled[0]]
    if len(filled) == 1 and len(in_order) == len(segments):
        return [_Titles(frozenset({title}), own=True) for title in in_order]
    nearest = [
        max((f for f in filled if f <= at), default=filled[0]) for at in range(len(segments))
    ]
    return [_Titles(frozenset(inside[n]), own=n <= at) for at, n in enumerate(nearest)]
