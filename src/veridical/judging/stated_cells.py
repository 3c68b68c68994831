"""Does one cell of a table state a claim by itself?

"The hotel rate per night for a senior is 120 euros" has nothing but the titles of a row and of a
column, what stands where they meet, and words that tie these together. That is what the table says,
though no sentence does. A word more, or a title less, and it is left to the other rules: here a
claim is refused unless each of its words is accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.judging.alignment_words import Word, read_words, same_quantity, stem
from veridical.judging.cell_names import telling_words
from veridical.judging.grids import Grid, Place, read_grid
from veridical.judging.judge import Case

_TIES = frozenset(
    "the a an of to in on at for with is are has have its their per amount number value includes"
    " include".split()
)
"""What ties titles and values together and says nothing by itself."""

_PRICES = frozenset(map(stem, "price cost fee".split()))
"""What is called a price in a title is what something costs in a sentence."""

_EQUATES = frozenset("is are".split())
"""Behind these a value in words is what the titles name: "The owner of travel is Finance"."""

_NOT_PLAIN = re.compile(r"[<>≤≥~±≈*†‡§¹²³?/]|[–—]|\d-\d|\b(?:n/a|tbd|tbc)\b", re.IGNORECASE)
"""Signs of a bound, a range, a choice or a note below the table."""


def stated_by_cell(case: Case) -> int | None:
    """The sentence (a row of a table) of which one cell states the claim; None if none does."""
    claim = read_words(case.claim)
    known = frozenset(word.stem for word in read_words(case.heading) if word.content)
    for grid in filter(None, map(read_grid, case.tables)):
        for place in places_with_value(grid, claim):
            if _states(grid, place, claim, known):
                return grid.sentences[place[0]]
    return None


def exchanged(case: Case, low: int, high: int) -> str | None:
    """What a row among the sentences `low` to `high` says, where the claim has the name of the row
    and a value in words the other way round: "Bob reports to Ann" beside "Ann | Bob".
    """
    claim = read_words(case.claim)
    wrong: str | None = None
    for grid in filter(None, map(read_grid, case.tables)):
        for place in places_with_value(grid, claim):
            row, column = place
            if not low <= grid.sentences[row] < high or grid.at(place)[0].number is not None:
                continue
            order = _order(grid, place, claim)
            if order is True:
                return None
            if order is False:
                wrong = f"{grid.rows[row]} / {grid.columns[column]}: {grid.texts[row][column]}"
    return wrong


def _order(grid: Grid, place: Place, claim: Sequence[Word]) -> bool | None:
    """Whether a claim that names a row, a column and what stands there has them in the order in
    which a table is read; None where it does not name them.
    """
    value = _value_places(grid.at(place), claim)
    row = _named_by(grid.rows[place[0]], claim, value)
    column = _named_by(grid.column_name(place[1]), claim, value)
    if value and row and not telling_words(grid.column_name(place[1])):
        return None if row[-1] < value.start else False  # "To": from Hull to Leeds
    if not (value and row and column):
        return None
    if row[-1] < value.start:
        return not _belongs(claim, value.start) or row[0] > column[0]
    return column[-1] < row[0] and _belongs(claim, row[0])


def _belongs(claim: Sequence[Word], at: int) -> bool:
    """Whether "of" or "for" stands before word `at`, but for an article."""
    before = [word.key for word in claim[:at] if word.key not in ("the", "a", "an")]
    return bool(before) and before[-1] in ("of", "for")


def places_with_value(grid: Grid, claim: Sequence[Word]) -> Iterator[Place]:
    """The cells, by row and column, whose value the claim has, as far as its first word tells."""
    numbers = [word for word in claim if word.number is not None]
    for word, place in grid.numbers:
        if any(same_quantity(word, other) for other in numbers):
            yield place
    keys = {word.key for word in claim}
    for key, places in grid.wordings.items():
        if key in keys:
            yield from places


def _states(grid: Grid, place: Place, claim: Sequence[Word], known: frozenset[str]) -> bool:
    row, column = place
    titles = (grid.rows[row], grid.column_name(column))
    if grid.corner and not telling_words(grid.corner):
        return False  # "From" and "To": the name of a row is only a part of what it is about
    if any(_NOT_PLAIN.search(text) for text in (*titles, grid.texts[row][column])):
        return False
    columns = [grid.column_name(at) for at in range(len(grid.columns))]
    if not (_is_only(titles[0], grid.rows) and _is_only(titles[1], columns)):
        return False
    value = _value_places(grid.at(place), claim)
    if not value:
        return False
    accounted = set(value)
    for title in titles:
        places = _named_by(title, claim, value)
        if not places:
            return False
        accounted.update(places)
    if claim[value[0]].number is None and not _is_equated(claim, value, accounted):
        return False
    also = known | {word.stem for word in read_words(grid.corner)}
    return all(
        at in accounted
        or word.key in _TIES
        or (word.content and word.number is None and word.stem in also)
        for at, word in enumerate(claim)
    )


def _is_only(title: str, titles: Sequence[str]) -> bool:
    """Whether no other title has the same telling words."""
    stems = set(map(_stem, telling_words(title)))
    return bool(stems) and [set(map(_stem, telling_words(it))) for it in titles].count(stems) == 1


def _stem(word: Word) -> str:
    if word.unit == "ordinal":  # "the first response" beside the title "First response"
        return stem(word.text.lower())
    return "price" if word.stem in _PRICES else word.stem


def _value_places(cell: Sequence[Word], claim: Sequence[Word]) -> range:
    """Where all of a cell stands in the claim, with the unit of its number; empty if nowhere.

    What stands there twice is nowhere: one of both would be of something else.
    """
    found = [
        range(at, end)
        for at in range(len(claim))
        if (end := _value_ends(cell, claim, at)) is not None
    ]
    return found[0] if len(found) == 1 else range(0)


def _value_ends(cell: Sequence[Word], claim: Sequence[Word], at: int) -> int | None:
    """The word of the claim behind a value that begins at word `at`; None where none does."""
    if not cell or not any(word.content for word in cell):
        return None
    for word in cell:
        if at < len(claim) and _same(word, claim[at]):
            at += 1
        elif not _names_unit(word, cell[0]):
            return None
    while at < len(claim) and _names_unit(claim[at], cell[0]):
        at += 1
    return at


def _same(ours: Word, theirs: Word) -> bool:
    if ours.number is None and theirs.number is None:
        return ours.key == theirs.key
    # A unit that the table does not tell is one that the claim has added.
    return same_quantity(ours, theirs) and (ours.unit is not None or theirs.unit is None)


def _names_unit(word: Word, number: Word) -> bool:
    return (
        number.unit is not None
        and word.number is None
        and read_words(f"1 {word.text}")[0].unit == number.unit
    )


def _named_by(title: str, claim: Sequence[Word], value: range) -> list[int]:
    """The places of the words that name a title in full, beside its value; empty if it is not.

    A title with a number is named by its words in a row: "Level 2", not "level 1 and 2 days".
    """
    words = telling_words(title)
    free = [at for at, word in enumerate(claim) if at not in value and word.content]
    if any(word.number is not None for word in words):
        wanted = list(map(_stem, words))
        for start in range(len(free) - len(wanted) + 1):
            places = free[start : start + len(wanted)]
            if [_stem(claim[place]) for place in places] == wanted:
                return places
        return []
    stems = set(map(_stem, words))
    places = [at for at in free if _stem(claim[at]) in stems]
    return places if stems == {_stem(claim[at]) for at in places} else []


def _is_equated(claim: Sequence[Word], value: range, named: set[int]) -> bool:
    """Whether the claim ends in "is" and the value, behind all that it names: "Ann is the manager
    of Bob" and "the manager of Ann is Bob" have the same words.
    """
    before = max(at for at in named if at not in value)
    if claim[value.start].border == ":":
        return value.stop == len(claim) and before < value.start
    return (
        value.stop == len(claim)
        and before < value.start
        and any(claim[at].key in _EQUATES for at in range(before, value.start))
    )
