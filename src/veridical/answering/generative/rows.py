"""Does a statement keep to a row of a table: to its first cell, and to the titles of the others?"""

from __future__ import annotations

from veridical.answering.generative.terms import Kind, Term, clauses_of, keys_of

_OF_COURSE = keys_of(("employees get earn have accrue entitled take is for of years",))
"""Words that a row leaves out, since they go without saying."""


def keeps_to_row(statement: str, row: str, near: frozenset[str]) -> bool:
    """Whether a statement says nothing but what a row does, of the same thing.

    `row` is in words: "Years: 2 to 4; Days a month: 1.67". The statement must have all that its
    first cell says. Each of its numbers must stand in a cell, and have a word of the title of that
    column beside it and its period. `near` are the words of the titles above the table.
    """
    said = [term for clause in clauses_of(statement) for term in clause]
    cells = [_cell(part) for part in row.split("; ") if part]
    if not said or len(cells) < 2:
        return False
    words = {term.key for term in said if term.kind is Kind.CONTENT}
    titles = [keys_of((title,)) for title, _ in cells]
    known = near.union(*titles, *(_keys(terms) for _, terms in cells), _OF_COURSE)
    first = {(t.key, t.bound) for t in cells[0][1] if t.kind is not Kind.SIGN}
    if not words <= known or not first <= {(term.key, term.bound) for term in said}:
        return False
    if any(t.key in ("NOT", "ONLY", "UNLESS") for t in said):
        return False
    return _numbers_in_place(said, cells, titles)


def _cell(part: str) -> tuple[str, list[Term]]:
    title, _, cell = part.rpartition(": ")
    return title, [term for clause in clauses_of(cell) for term in clause]


def _keys(terms: list[Term]) -> frozenset[str]:
    return frozenset(term.key for term in terms)


def _numbers_in_place(
    said: list[Term], cells: list[tuple[str, list[Term]]], titles: list[frozenset[str]]
) -> bool:
    """Whether each number stands in the first cell, or in one whose title is said as well."""
    words = {term.key for term in said if term.kind is Kind.CONTENT}
    periods = {term.key.partition("=")[2] for term in said if term.key.startswith("PER=")}
    named: frozenset[str] = frozenset()
    for term in said:
        if term.kind is not Kind.NUMBER:
            continue
        places = [
            at
            for at, (_, cell) in enumerate(cells)
            if any((t.key, t.bound) == (term.key, term.bound) for t in cell)
            and (at == 0 or words & titles[at])
        ]
        if not places:
            return False
        named = named.union(*(titles[at] for at in places))
        named = named.union(*(_periods(cells[at][1]) for at in places))
    return periods <= named


def _periods(cell: list[Term]) -> frozenset[str]:
    return frozenset(term.key.partition("=")[2] for term in cell if term.key.startswith("PER="))
