"""Hard signs that a passage says something else than a claim. Each forbids full support by itself.

Other than the checks on quotes (`veridical.validation`), these compare what is said, not how it is
written: two weeks are 14 days, and what is prohibited is not allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from veridical.judging.alignment_words import UNCOUNTED, Word, comparable, same_quantity
from veridical.judging.bounds import bound_of, unbound_places
from veridical.judging.denials import (
    bar_unless,
    denials,
    denies_all,
    left_over,
    opposed_words,
    same_lack,
    stems_of,
)
from veridical.validation import lexicon
from veridical.validation.differences import AlterationKind

_YEARS = range(1000, 2200)
_LEAST_NAME = 3


@dataclass(frozen=True, slots=True)
class Conflict:
    """The claim has `claimed` where the passage has `said`, which is empty where it has nothing.

    `claim_at` and `said_at` are the places of the words that disagree, from 0, in the claim and in
    the words of the passage that were compared; None where that side has no such word.
    """

    kind: AlterationKind
    claimed: str
    said: str
    claim_at: int | None = None
    said_at: int | None = None

    @property
    def note(self) -> str:
        """The conflict as a plain sentence."""
        if self.kind is AlterationKind.WORDING:
            return f'The passage says "{self.said}", the other way round than the claim.'
        if self.claimed and self.said:
            return f'The passage says "{self.said}", the claim "{self.claimed}".'
        if self.said:
            return f'The passage says "{self.said}", which the claim does not.'
        return f'The passage does not say "{self.claimed}".'


def find_conflicts(
    claim: Sequence[Word],
    said: Sequence[Word],
    around: Sequence[Word],
    denying: Sequence[int] | None = None,
) -> tuple[Conflict, ...]:
    """All hard signs between a claim and the words that would decide on it.

    `around` are words in which a name of the claim may stand as well: the rest of the passage, its
    heading, and what the claim's pronouns refer to. `denying` are the places in `said` whose
    denials count, all if not given.
    """
    wary = range(len(said)) if denying is None else denying
    return (
        *_numbers(claim, said),
        *_dates(claim, said),
        *_names(claim, [*said, *around]),
        *_denials(_unbound(claim, range(len(claim))), _unbound(said, wary)),
        *_modals(claim, said),
    )


def places_of(words: Sequence[Word], at: int) -> set[int]:
    """All places of the word at a place, since what disagrees with a name, a date or a denial does
    so wherever that stands; of a number its own place only, for an equal one may count something
    else.
    """
    if words[at].number is not None:
        return {at}
    return {place for place, word in enumerate(words) if _is_same(word, words[at])}


def _is_same(one: Word, other: Word) -> bool:
    return one.number is None and one.key == other.key


def _numbers(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours, theirs = _values(claim), _values(said)
    free = {
        place: other
        for place, other in theirs.items()
        if not any(same_quantity(word, other) for word in ours.values())
    }
    earlier: list[Word] = []
    for at, word in ours.items():
        same = [place for place, other in theirs.items() if same_quantity(word, other)]
        # "Rule 27 gives 27 days" is not borne out by "Rule 7 gives 27 days".
        alike = [one for one in earlier if same_quantity(word, one)]
        earlier.append(word)
        if not same and _is_rank(word, said):
            continue
        rivals = (_instead(one, free) for one in _unlike((word, *alike)))
        place = next((rival for rival in rivals if rival is not None), None)
        if not same or (len(alike) >= len(same) and place is not None):
            other = None if place is None else free[place]
            kind = AlterationKind.DATE if is_year(word) else AlterationKind.NUMBER
            if other is not None and word.number == other.number:
                kind = AlterationKind.UNIT
            yield Conflict(kind, shown(word), shown(other) if other else "", at, place)
            continue
        bounds, bound = {bound_of(said, place) for place in same}, bound_of(claim, at)
        if bound is not None and bound not in bounds:
            named = min(b or "" for b in bounds)
            kinds = [" ".join(filter(None, (b, shown(word)))) for b in (bound, named)]
            yield Conflict(AlterationKind.NUMBER, kinds[0], kinds[1])


def _values(words: Sequence[Word]) -> dict[int, Word]:
    """The numbers by their places, in order."""
    return {place: word for place, word in enumerate(words) if word.number is not None}


def _unlike(words: Sequence[Word]) -> list[Word]:
    """Each of some numbers once: one that stands hundreds of times is looked at once."""
    return list({(word.number, word.unit, word.text): word for word in words}.values())


def _is_rank(word: Word, said: Sequence[Word]) -> bool:
    """Whether a rank begins a sentence of the passage, where it is not read as a number."""
    return word.unit in UNCOUNTED and any(
        other.number is None and other.key == word.text.casefold() for other in said
    )


def _instead(word: Word, free: Mapping[int, Word]) -> int | None:
    """The place of the number that stands where the claim's number should, among those of
    `free`.
    """
    alike = [place for place, other in free.items() if comparable(word, other)]
    alike = alike or [place for place, other in free.items() if other.number == word.number]
    alike = alike or [
        place
        for place, other in free.items()
        if other.unit == word.unit and is_year(other) == is_year(word)
    ]
    return alike[0] if alike else None


def is_year(word: Word) -> bool:
    """Whether a number without a unit is in the range of years."""
    number = word.number
    return (
        number is not None
        and word.unit is None
        and number.denominator == 1
        and int(number) in _YEARS
        and len(word.text) == len(str(number))
    )


def shown(word: Word) -> str:
    """A number as it is written, with its unit."""
    if word.unit is None or word.unit in UNCOUNTED:
        return word.text
    if word.unit in _SIGNS:
        return f"{_SIGNS[word.unit]}{word.text}"
    if word.unit == "percent":
        return f"{word.text} percent"
    plural = "" if word.number == Fraction(1) or len(word.unit) < _LEAST_NAME else "s"
    return f"{word.text} {word.unit}{plural}"


_SIGNS = {"dollar": "$", "euro": "€", "pound": "£", "yen": "¥"}


def _dates(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    known = {word.key[:_LEAST_NAME] for word in said if is_date(word)}
    ours = {word.key[:_LEAST_NAME] for word in claim if is_date(word)}
    free = [
        place
        for place, word in enumerate(said)
        if is_date(word) and word.key[:_LEAST_NAME] not in ours
    ]
    for at, word in enumerate(claim):
        if is_date(word) and word.key[:_LEAST_NAME] not in known:
            other = next((place for place in free if _same_sort(said[place], word)), None)
            free = [place for place in free if place != other]
            shown_there = "" if other is None else said[other].text
            yield Conflict(AlterationKind.DATE, word.text, shown_there, at, other)


def is_date(word: Word) -> bool:
    """Whether a word is a month, a weekday or a season."""
    if word.key in lexicon.AMBIGUOUS_DATE_WORDS:
        return word.named
    return word.key in lexicon.DATE_WORDS


def _same_sort(one: Word, other: Word) -> bool:
    return one.key.endswith("day") == other.key.endswith("day")


def _names(claim: Sequence[Word], known: Sequence[Word]) -> Iterator[Conflict]:
    names = [
        at
        for at, word in enumerate(claim)
        if word.named and word.number is None and not is_date(word)
    ]
    if not names:
        return
    stems = {word.stem for word in known}
    missing = [at for at in names if claim[at].stem not in stems]
    initials = "".join(word.key[:1] for word in known if word.content) if missing else ""
    for at in missing:
        word = claim[at]
        short = word.text.isupper() and len(word.text) >= _LEAST_NAME - 1
        if not (short and word.key in initials) and not _spelled_out(word, claim, known):
            yield Conflict(AlterationKind.NAME, word.text, "", at)


def _spelled_out(word: Word, claim: Sequence[Word], known: Sequence[Word]) -> bool:
    """Whether a name is one of several words that the passage has as their initials."""
    named = [other.key[:1] for other in claim if other.named]
    short = {other.key for other in known if other.text.isupper() and len(other.text) > 1}
    return len(named) > 1 and any(
        other in "".join(named) and word.key[:1] in other for other in short
    )


class _Kept(NamedTuple):
    """Some words of a text, and the place of each in it."""

    words: list[Word]
    places: list[int]


def _unbound(words: Sequence[Word], places: Sequence[int]) -> _Kept:
    """What stands at some places, but for words that bound a number."""
    kept = [places[i] for i in unbound_places([words[place] for place in places])]
    return _Kept([words[place] for place in kept], kept)


def _denials(mine: _Kept, yours: _Kept) -> Iterator[Conflict]:
    """A denial that only one side has, and words that deny each other; two of them cancel out."""
    claim, said = mine.words, yours.words
    opposites = list(opposed_words(claim, said))
    ours, theirs = denials(claim), denials(said)
    if not ours and {"only", "if"} <= {word.key for word in claim} and bar_unless(theirs):
        theirs = []
    ours_of, theirs_of = stems_of(ours), stems_of(theirs)
    pairs = {word.stem for at, other in opposites for word in (claim[at], said[other])}
    if ours and not theirs:
        if ours_of & pairs:  # not allowed, prohibited
            return
        yield Conflict(AlterationKind.NEGATION, ours[0].word.text, "", mine.places[ours[0].at])
    elif theirs and not ours:
        if theirs_of & pairs:
            return
        claimed = {word.stem for word in claim}
        for at, denial, scope in theirs:
            if denies_all(scope) or any(word.stem in claimed for word in scope):
                yield Conflict(AlterationKind.NEGATION, "", denial.text, None, yours.places[at])
                break
    elif ours and not ours_of & theirs_of and not same_lack(claim, said):
        yield Conflict(AlterationKind.NEGATION, ours[0].word.text, theirs[0].word.text)
    elif ours and (more := left_over(claim, ours, theirs)) is not None:
        yield Conflict(AlterationKind.NEGATION, "", more.word.text, None, yours.places[more.at])
    for at, other in opposites:
        texts = (claim[at].text, said[other].text)
        yield Conflict(AlterationKind.NEGATION, *texts, mine.places[at], yours.places[other])


def _modals(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    ours, theirs = _modal_kinds(claim), _modal_kinds(said)
    alike = (ours.keys() | forbids(claim)) & (theirs.keys() | forbids(said))
    if ours and theirs and not alike:
        one, other = (kinds[min(kinds)] for kinds in (ours, theirs))
        yield Conflict(AlterationKind.NEGATION, one.text, other.text)


def _modal_kinds(words: Sequence[Word]) -> dict[str, Word]:
    return {
        lexicon.MODALS[word.key]: word
        for word in words
        if word.key in lexicon.MODALS and not is_date(word)
    }


def forbids(words: Sequence[Word]) -> set[str]:
    """The kind "may" where something must not be: it denies that it may."""
    pairs = pairwise(words)
    forbids = any(w.key in ("must", "shall") and n.key in ("not", "never") for w, n in pairs)
    return {"may"} if forbids or any(word.key == "mustnt" for word in words) else set()
