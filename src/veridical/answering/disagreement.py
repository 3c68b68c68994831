"""Do two policies answer a question differently?

Only clear cases count: two sentences of different documents that are about the same and nothing
besides, each with one figure of the same kind, and the figures differ; or one that allows what the
other forbids. Other groups of people, other conditions, other periods and table rows are other
matters, on which policies may differ without contradicting each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from veridical.answering.disagreement_words import (
    EVERYONE,
    beyond,
    counted,
    is_denied,
    matter,
    period,
    unsure,
    years,
)
from veridical.answering.evidence.finding import Evidence
from veridical.answering.extractive.context import may_be_void
from veridical.answering.question.asked import AskedQuestion
from veridical.answering.question.kinds import QuestionKind
from veridical.judging.veto import bound_of, is_date, shown
from veridical.judging.words import Word, comparable, read_words, same_quantity, stem
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse
from veridical.retrieval.tables.layout import Layout

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
