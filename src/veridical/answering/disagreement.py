"""Do two policies answer a question differently?

Only clear cases count: two sentences of different documents that are about the same and nothing
besides, each with one figure of the same kind, and the figures differ; or one that allows what the
other forbids. Other groups of people, other conditions, other periods and table rows are other
matters, on which policies may differ without contradicting each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from veridical.answering.evidence.finding import Evidence
from veridical.answering.extractive.context import EVERYONE, may_be_void
from veridical.answering.question.asked import AskedQuestion
from veridical.answering.question.kinds import QuestionKind
from veridical.judging.veto import bound_of, is_date, is_year, shown
from veridical.judging.words import (
    UNCOUNTED,
    Word,
    comparable,
    read_words,
    same_quantity,
    stem,
)
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse
from veridical.retrieval.tables.layout import Layout
from veridical.text.lexicon import english
from veridical.validation import lexicon

_LEAST_SCORE = 0.6
"""Share of the best evidence's score that what contradicts it has at least."""

_SOME = frozenset(
    stem(word)
    for word in """
    contractor contractors intern interns apprentice student freelancer consultant volunteer visitor
    executive executives director directors part-time part time full-time temporary seasonal agency
    probation probationary new newcomer newcomers joiner joiners junior senior field technician
    driver drivers retiree parent parents mother father abroad international domestic overseas
    foreign emergency urgent weekend weekends night nights further additional extra
    married longer shorter pensioner trainee
    """.split()
)
"""Words that tell one group or case from others."""

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")

_OTHERWISE = frozenset("unless except during before without until while only".split())
"""Words that limit a sentence to a case."""

_ONCE = frozenset("if when whenever after once provided".split())
"""Words for conditions that are all met in the end, as a rule; with a figure, they are a case."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two pieces of evidence that contradict each other, the better first, and how, in words."""

    one: Evidence
    other: Evidence
    sentence: str


def find_disagreement(asked: AskedQuestion, evidence: Sequence[Evidence]) -> Disagreement | None:
    """Whether another document contradicts the best evidence; `evidence` is best first."""
    if not evidence:
        return None
    best = evidence[0]
    for other in evidence[1:]:
        near = other.score >= _LEAST_SCORE * best.score
        if not near or other.chunk.document.name == best.chunk.document.name:
            continue
        said = _difference(asked, best, other)
        if said is not None:
            return Disagreement(best, other, _sentence(best.chunk, other.chunk, said))
    return None


def _sentence(one: Chunk, other: Chunk, said: tuple[str, str]) -> str:
    titles = collapse(one.document.title), collapse(other.document.title)
    if titles[0] == titles[1]:
        titles = one.document.name, other.document.name
    return f"The policies disagree: {titles[0]} says {said[0]}, {titles[1]} says {said[1]}."


def _difference(asked: AskedQuestion, one: Evidence, other: Evidence) -> tuple[str, str] | None:
    """What each of two pieces of evidence says where they contradict each other."""
    if may_be_void(one.chunk) != may_be_void(other.chunk):
        return None
    if any(Layout(part.chunk).is_row(part.index) for part in (one, other)):
        return None
    ours, theirs = read_words(one.text), read_words(other.text)
    shared = _shared(asked, ours, theirs)
    if not shared or beyond(ours, shared) or beyond(theirs, shared):
        return None
    if _cases(ours) != _cases(theirs) or years(ours) != years(theirs):
        return None
    if _dates(ours) != _dates(theirs):
        return _days(ours, theirs)
    figures = _figures(ours, theirs)
    if figures is None and asked.kind is QuestionKind.YES_NO:
        return _rulings(asked, ours, theirs)
    return figures


def _shared(asked: AskedQuestion, ours: Sequence[Word], theirs: Sequence[Word]) -> set[str]:
    """What both sentences are about; nothing where the question asks for none of it."""
    shared = matter(ours) & matter(theirs)
    wanted = {stem(word) for word in asked.words if word.casefold() not in EVERYONE}
    return shared if wanted & shared else set()


def cases_of(text: str) -> frozenset[str]:
    """The groups and cases that a text names: interns, probation, emergencies."""
    return _SOME.intersection(map(stem, _WORD.findall(text.lower())))


def _cases(words: Sequence[Word]) -> set[str]:
    """The groups and conditions that a sentence is limited to."""
    cases = {word.stem for word in words if word.stem in _SOME or word.key in _OTHERWISE}
    if len(counted(words)) > 1:
        cases |= {word.key for word in words if word.key in _ONCE}
    return cases


def _figures(ours: Sequence[Word], theirs: Sequence[Word]) -> tuple[str, str] | None:
    """The only two figures of the same kind, where they differ."""
    pairs = [
        (one, other)
        for one, other in product(counted(ours), counted(theirs))
        if _same_sort(ours[one], theirs[other]) and period(ours, one) == period(theirs, other)
    ]
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    if same_quantity(ours[one], theirs[other]) or _same_time(ours[one], theirs[other]):
        return None
    bounds = {bound_of(ours, one), bound_of(theirs, other)} - {None}
    if len(bounds) > 1:
        return None
    return _put(ours, one), _put(theirs, other)


def _same_sort(one: Word, other: Word) -> bool:
    return one.unit == other.unit or comparable(one, other)


def _same_time(one: Word, other: Word) -> bool:
    """Whether two times may be as long as each other: a month has 28 days to 31."""
    if one.unit == other.unit or one.unit not in _DAYS or other.unit not in _DAYS:
        return False
    ours, theirs = (
        [(word.number or 0) * days for days in _DAYS[word.unit or ""]] for word in (one, other)
    )
    return ours[0] <= theirs[1] and theirs[0] <= ours[1]


_DAYS = {
    "minute": (Fraction(1, 1440),) * 2,
    "hour": (Fraction(1, 24),) * 2,
    "day": (Fraction(1),) * 2,
    "week": (Fraction(7),) * 2,
    "fortnight": (Fraction(14),) * 2,
    "month": (Fraction(28), Fraction(31)),
    "quarter": (Fraction(90), Fraction(92)),
    "year": (Fraction(365), Fraction(366)),
}
"""How many days a time has, at least and at most."""


def _put(words: Sequence[Word], at: int) -> str:
    each = period(words, at)
    return f"{shown(words[at])} a {each}" if each else shown(words[at])


def _days(ours: Sequence[Word], theirs: Sequence[Word]) -> tuple[str, str] | None:
    """The only days of the year of two sentences, where they differ."""
    one, other = _dates(ours), _dates(theirs)
    if len(one) != 1 or len(other) != 1 or counted(ours) or counted(theirs):
        return None
    return one[0], other[0]


def _dates(words: Sequence[Word]) -> list[str]:
    """Each month of a sentence with the day beside it."""
    found: list[str] = []
    for at, word in enumerate(words):
        if is_date(word):
            beside = [w for w in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2]) if w.number]
            found.append(" ".join([*(w.text for w in beside[:1]), word.text]))
    return found


def _rulings(
    asked: AskedQuestion, ours: Sequence[Word], theirs: Sequence[Word]
) -> tuple[str, str] | None:
    """A yes and a no: one sentence denies what the other says, and nothing else differs."""
    if any(word.number is not None for word in (*ours, *theirs)) or unsure(ours) != unsure(theirs):
        return None
    denied = is_denied(ours)
    if denied == is_denied(theirs):
        return None
    is_no = denied != is_denied(read_words(asked.text))
    return ("no", "yes") if is_no else ("yes", "no")


# What a sentence of a policy is about, said so that two can be laid beside each other.


_PERIODS = english("periods") - {"second", "minute"} | {"night", "person", "trip"}
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
