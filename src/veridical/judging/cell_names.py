"""Which rows and columns of a table the words of a claim name.

A title is named where all of its telling words stand in the claim, or one that no other title of
the same side has. "Managers" names the row "Manager" and not the row "Senior manager".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.judging.alignment_words import Word, read_words
from veridical.judging.features_reservations import LIGHT


@dataclass(frozen=True, slots=True)
class Named:
    """A title of a table that a claim names: its place among the titles, and the places of the
    words of the claim that name it.
    """

    title: int
    places: tuple[int, ...]


def named_titles(
    titles: Sequence[str], claim: Sequence[Word], known: frozenset[str]
) -> tuple[Named, ...]:
    """The titles that a claim names, by their first words in it.

    `known` are stems of the headings above the table. They name something only where nothing else
    does: all of the table is about them.
    """
    told = [telling_words(title) for title in titles]
    stems = [frozenset(word.stem for word in words) for words in told]
    found = list(_named(told, stems, claim))
    whole = [named for named in found if not _within_another(named, found, stems)]
    by_own = [n for n in whole if any(claim[place].stem not in known for place in n.places)]
    return tuple(sorted(by_own or whole, key=lambda named: named.places))


def telling_words(title: str) -> tuple[Word, ...]:
    """The words of a title that tell it from others; all of its content words where none do."""
    words = tuple(word for word in read_words(title) if word.content)
    return tuple(word for word in words if word.key not in LIGHT) or words


def _named(
    told: Sequence[Sequence[Word]], stems: Sequence[frozenset[str]], claim: Sequence[Word]
) -> Iterator[Named]:
    titles_with = Counter(stem for one in stems for stem in one)
    for at, words in enumerate(told):
        if any(word.number is not None for word in words):
            places = _in_a_row(words, claim)
        else:
            having = [i for i, word in enumerate(claim) if word.stem in stems[at]]
            own = [i for i in having if titles_with[claim[i].stem] == 1]
            is_whole = stems[at] <= {claim[i].stem for i in having}
            places = tuple(having if is_whole else own)
        if places:
            yield Named(at, places)


def _in_a_row(words: Sequence[Word], claim: Sequence[Word]) -> tuple[int, ...]:
    """Where a title with a number stands in a claim: "Level 2", not "level 1 and 2 days"."""
    telling = [i for i, word in enumerate(claim) if word.content and word.key not in LIGHT]
    wanted = [word.stem for word in words]
    for start in range(len(telling) - len(wanted) + 1):
        places = telling[start : start + len(wanted)]
        if [claim[place].stem for place in places] == wanted:
            return tuple(places)
    return ()


def _within_another(named: Named, found: Sequence[Named], stems: Sequence[frozenset[str]]) -> bool:
    """Whether a longer title that has all words of this one is named by more words."""
    return any(
        stems[named.title] < stems[other.title] and set(named.places) < set(other.places)
        for other in found
    )
