"""What a sentence of a policy is about, said so that two can be laid beside each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from veridical.judging.veto import is_date, is_year
from veridical.judging.words import UNCOUNTED, Word, stem
from veridical.validation import lexicon

EVERYONE = frozenset(
    """
    staff employee employees everyone everybody anyone anybody person persons people colleague
    colleagues worker workers team all
    """.split()
)
"""Words for all that a policy is for: of these, any stands for any other."""

_PERIODS = frozenset("hour day night week fortnight month quarter year person trip".split())
_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week",
    "fortnightly": "fortnight", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annually": "year",
}  # fmt: skip
"""Periods in one word. "Annual" is none: it tells one leave from another."""

_FOR_EACH = frozenset("a an per each every".split())

_LIGHT = frozenset(
    """
    get gets have has having receive receives given give gives grant grants granted entitled
    amount amounts total currently normally generally usually ahead advance may must
    """.split()
)
"""Words that a sentence may have more than another and still be about the same."""

_CONDITIONS = frozenset("if after once provided".split())
_MET = frozenset(
    map(
        stem,
        """
        first day week month manager managers supervisor line job role task suitable agree agrees
        agreed agreement approve approves approved approval consent permission permit permits
        """.split(),
    )
)
"""Words of conditions that everybody can meet in the end, which make no case of their own."""

_PROHIBITED = frozenset(
    "forbidden prohibited banned disallowed excluded refused forbids prohibits bans".split()
)
_PERMITTED = frozenset("allowed permitted allow allows permits".split())
_DENYING = lexicon.NEGATIONS - {"unless", "except", "excluding", "without"}
_UNSURE = frozenset("should would might could need needs neednt shouldnt only required".split())
_PAST = frozenset("was were had formerly previously".split())


def matter(words: Sequence[Word]) -> set[str]:
    """The stems of what a sentence is about, without figures, dates, periods, words for everyone,
    and what only allows or denies.
    """
    measures = {at for one in counted(words) for at in _measuring(words, one)}
    return {
        word.stem
        for at, word in enumerate(words)
        if word.content
        and word.number is None
        and at not in measures
        and not is_date(word)
        and word.key not in EVERYONE
        and word.key not in _ADVERBS
        and word.key not in _CONDITIONS
        and word.key not in _DENYING | _PROHIBITED | _PERMITTED
    }


def beyond(words: Sequence[Word], shared: Collection[str]) -> set[str]:
    """What a sentence is about more than is shared: another group, place, reason or case.

    Left out are words that add nothing, and conditions that everybody can meet in the end.
    """
    met = {word.stem for word in _conditional(words)} & _MET
    light = {word.stem for word in words if word.key in _LIGHT}
    return matter(words) - set(shared) - light - met


def _conditional(words: Sequence[Word]) -> Iterator[Word]:
    """The words behind an if, up to the next comma."""
    inside = False
    for word in words:
        inside = word.key in _CONDITIONS or (inside and not word.border)
        if inside:
            yield word


def counted(words: Sequence[Word]) -> list[int]:
    """The places of the figures that count something."""
    return [
        at
        for at, word in enumerate(words)
        if word.number is not None and word.unit is not None and word.unit not in UNCOUNTED
    ]


def _measuring(words: Sequence[Word], at: int) -> Iterator[int]:
    """The places of the words that say what a figure counts, and for what period."""
    unit = stem(words[at].unit or "")
    near = range(at + 1, min(len(words), at + 4))
    yield from (place for place in near if words[place].stem == unit)
    place = _period_at(words, at)
    if place is not None:
        yield place


def period(words: Sequence[Word], at: int) -> str:
    """What a figure is for ("a week", "monthly"); empty where nothing says so."""
    place = _period_at(words, at)
    if place is not None:
        return words[place].stem
    return next((_ADVERBS[word.key] for word in words if word.key in _ADVERBS), "")


def _period_at(words: Sequence[Word], at: int) -> int | None:
    """The place of the period that stands behind a figure, before the next one."""
    for place in range(at + 2, len(words)):
        if words[place].number is not None:
            return None
        if words[place].stem in _PERIODS and words[place - 1].key in _FOR_EACH:
            return place
    return None


def years(words: Sequence[Word]) -> set[str]:
    """The years that a sentence names, and "past" for one that tells what was."""
    past = {"past"} if any(word.key in _PAST for word in words) else set[str]()
    return past | {word.key for word in words if is_year(word)}


def is_denied(words: Sequence[Word]) -> bool:
    """Whether a sentence says no: one denial, or three; "not forbidden" is a yes."""
    return sum(word.key in _DENYING or word.key in _PROHIBITED for word in words) % 2 == 1


def unsure(words: Sequence[Word]) -> set[str]:
    """The words with which a no is not the contrary of a yes: need not, do not have to."""
    found = {word.key for word in words if word.key in _UNSURE}
    had = {one.key for one, other in pairwise(words) if other.key == "to"}
    return found | (had & {"have", "has", "had"})
