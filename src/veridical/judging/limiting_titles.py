"""Does what a passage stands under limit it to some, where the claim says it of all?

"Hotels are paid up to 90 euros" under the heading "Contractors" says nothing of employees, and what
a table has under "Not with" is not what goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.alignment_words import Word, read_words, stem
from veridical.judging.grids import read_grid
from veridical.judging.judge import Case
from veridical.judging.stated_cells import places_with_value
from veridical.validation import lexicon

_GROUPS = frozenset(
    map(
        stem,
        """
        contractors freelancers consultants interns trainees apprentices volunteers temps temporary
        seasonal agency casual external managers directors executives students children minors
        juniors pensioners nonmembers
        """.split(),
    )
)
"""Groups for which rules of their own are made."""

_PERSONS = frozenset(
    map(stem, "staff employees workers personnel people members only for rules".split())
)
"""What such a group may be called with."""


def only_for(case: Case, low: int, high: int) -> str | None:
    """The title of the section, where that is a group of persons that neither the claim names nor
    one of the sentences `low` to `high`; None elsewhere.
    """
    title = case.heading.rpartition(" > ")[2]
    words = [word for word in read_words(title) if word.content]
    groups = {word.stem for word in words} & _GROUPS
    if not groups or any(word.stem not in _GROUPS | _PERSONS for word in words):
        return None
    said = {
        word.stem for text in (case.claim, *case.sentences[low:high]) for word in read_words(text)
    }
    return None if groups & said else title


def denied_by_title(case: Case, low: int, high: int) -> str | None:
    """The title of a column that says "not", where a claim without any takes a value from it in the
    sentences `low` to `high`; None where there is none.
    """
    claim = read_words(case.claim)
    if _denies(claim):
        return None
    for grid in filter(None, map(read_grid, case.tables)):
        for row, column in places_with_value(grid, claim):
            inside = low <= grid.sentences[row] < high
            if inside and _denies(read_words(grid.columns[column])):
                return grid.columns[column]
    return None


def _denies(words: Sequence[Word]) -> bool:
    return any(word.key in lexicon.NEGATIONS for word in words)
