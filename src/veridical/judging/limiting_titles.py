"""Does what a passage stands under limit it to some, where the claim says it of all?

"Hotels are paid up to 90 euros" under the heading "Contractors" says nothing of employees, and what
a table has under "Not with" is not what goes with it.
"""

from __future__ import annotations

import re
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
    """The title of the section, or of the list item, where that is a group of persons that the
    claim does not name, nor, for the section, one of the sentences `low` to `high`; None elsewhere.
    """
    heading = case.heading.rpartition(" > ")[2]
    ours, theirs = _stems([case.claim]), _stems(case.sentences[low:high])
    if (groups := _groups(heading)) and not groups & (ours | theirs):
        return heading
    for sentence in case.sentences[low:high]:
        title = _TITLE.match(sentence)
        if title and (groups := _groups(title[1])) and not groups & ours:
            return title[1]
    return None


_TITLE = re.compile(r"\W*(?:\d{1,3}[.)]\s*)?([^.:!?]{1,60})[.:]\s")
"""What stands in front of the first sentence of a list item: "- Interns. Meals are paid."."""


def _groups(title: str) -> set[str]:
    """The groups of persons that a title consists of; none where it has other words."""
    stems = {word.stem for word in read_words(title) if word.content}
    return stems & _GROUPS if stems <= _GROUPS | _PERSONS else set()


def _stems(texts: Sequence[str]) -> set[str]:
    return {word.stem for text in texts for word in read_words(text)}


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
