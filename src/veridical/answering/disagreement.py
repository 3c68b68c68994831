"""Do two policies answer a question differently?

Only clear cases count: two sentences of different documents that are about the same and nothing
besides, each with one figure of the same kind, and the figures differ; or one that allows what the
other forbids. Other groups of people, other conditions, other periods and table rows are other
matters, on which policies may differ without contradicting each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

from veridical.answering.answer import Disagreement
from veridical.answering.evidence import Evidence
from veridical.answering.extractive.context import EVERYONE, may_be_void
from veridical.answering.question import AskedQuestion
from veridical.judging.veto import bound_of, is_date, is_year, shown
from veridical.judging.words import UNCOUNTED, Word, comparable, read_words, same_quantity, stem
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse
from veridical.retrieval.tables.layout import Layout
from veridical.text.lexicon import english
from veridical.validation import lexicon

_LEAST_SCORE = 0.05
"""What is less likely an answer is not held against one."""

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

_OTHERWISE = frozenset("unless except during before without until while only".split())
"""Words that limit a sentence to a case."""

_ONCE = frozenset("if when whenever after once provided".split())
"""Words for conditions that are all met in the end, as a rule; with a figure, they are a case."""


def find_disagreement(asked: AskedQuestion, evidence: Sequence[Evidence]) -> Disagreement | None:
    """Whether another document contradicts the best evidence; `evidence` is best first."""
    if not evidence:
        return None
    best = evidence[0]
    for other in evidence[1:]:
        same = other.chunk.document.name == best.chunk.document.name
        if same or other.score < _LEAST_SCORE:
            continue
        said = _difference(asked, best, other)
        if said is not None:
            return Disagreement(best, other, _titles(best.chunk, other.chunk), said)
    return None


def _titles(one: Chunk, other: Chunk) -> tuple[str, str]:
    titles = collapse(one.document.title), collapse(other.document.title)
    return titles if titles[0] != titles[1] else (one.document.name, other.document.name)


def _difference(asked: AskedQuestion, one: Evidence, other: Evidence) -> tuple[str, str] | None:
    """What each of two pieces of evidence says where they contradict each other."""
    if may_be_void(one.chunk) != may_be_void(other.chunk):
        return None
    if any(Layout(part.chunk).is_row(part.index) for part in (one, other)):
        return None
    ours, theirs = read_words(one.text), read_words(other.text)
    if not _is_same_case(asked, ours, theirs):
        return None
    days = _days(ours), _days(theirs)
    if days[0] != days[1]:
        single = [len(found) for found in (*days, _counted(ours), _counted(theirs))] == [1, 1, 0, 0]
        return (days[0][0], days[1][0]) if single else None
    figures = _figures(ours, theirs)
    if figures is None and asked.is_yes_no:
        return _rulings(asked, ours, theirs)
    return figures


def _is_same_case(asked: AskedQuestion, ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether two sentences are about the same, of which the question asks for something, and about
    nothing besides: no other group, place, reason, condition or year.
    """
    shared = _matter(ours) & _matter(theirs)
    wanted = {stem for word, stem in asked.words if word.casefold() not in EVERYONE}
    return (
        bool(wanted & shared)
        and all(_matter(words) - _adding_nothing(words) <= shared for words in (ours, theirs))
        and _cases(ours) == _cases(theirs)
    )


def _matter(words: Sequence[Word]) -> set[str]:
    """The stems of what a sentence is about, without figures and what they count, dates, words for
    everyone, and what only allows or denies.
    """
    units = {stem(words[at].unit or "") for at in _counted(words)}
    return {
        word.stem
        for at, word in enumerate(words)
        if word.content
        and word.number is None
        and word.stem not in units
        and not _is_period(words, at)
        and not is_date(word)
        and word.key not in _NO_MATTER
    }


def _adding_nothing(words: Sequence[Word]) -> set[str]:
    """What a sentence may have more than another and still be about the same: light words, and
    conditions that everybody can meet in the end.
    """
    return {word.stem for word in words if word.key in _LIGHT} | (
        {word.stem for word in _conditional(words)} & _MET
    )


def _conditional(words: Sequence[Word]) -> Iterator[Word]:
    """The words behind an if, up to the next comma."""
    inside = False
    for word in words:
        inside = word.key in _CONDITIONS or (inside and not word.border)
        if inside:
            yield word


def _cases(words: Sequence[Word]) -> set[str]:
    """The groups, conditions and years that a sentence is limited to, and "past" for what was."""
    cases = {word.stem for word in words if word.stem in _SOME or word.key in _OTHERWISE}
    if len(_counted(words)) > 1:
        cases |= {word.key for word in words if word.key in _ONCE}
    cases |= {"past" for word in words if word.key in _PAST}
    return cases | {word.key for word in words if is_year(word)}


def _counted(words: Sequence[Word]) -> list[int]:
    """The places of the figures that count something."""
    return [
        at
        for at, word in enumerate(words)
        if word.number is not None and word.unit is not None and word.unit not in UNCOUNTED
    ]


def _figures(ours: Sequence[Word], theirs: Sequence[Word]) -> tuple[str, str] | None:
    """The only two figures of the same kind and for the same period, where they differ."""
    pairs = [
        (one, other)
        for one, other in product(_counted(ours), _counted(theirs))
        if _same_sort(ours[one], theirs[other]) and _period(ours, one) == _period(theirs, other)
    ]
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    bounds = {bound_of(ours, one), bound_of(theirs, other)} - {None}
    if same_quantity(ours[one], theirs[other]) or _same_time(ours[one], theirs[other]):
        return None
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


def _put(words: Sequence[Word], at: int) -> str:
    each = _period(words, at)
    return f"{shown(words[at])} a {each}" if each else shown(words[at])


def _period(words: Sequence[Word], at: int) -> str:
    """What a figure is for ("a week", "monthly"), said before the next one; or nothing."""
    for place in range(at + 1, len(words)):
        if words[place].number is not None:
            break
        if _is_period(words, place):
            return words[place].stem
    return next((_ADVERBS[word.key] for word in words if word.key in _ADVERBS), "")


def _is_period(words: Sequence[Word], at: int) -> bool:
    return words[at].stem in _PERIODS and at > 0 and words[at - 1].key in _FOR_EACH


def _days(words: Sequence[Word]) -> list[str]:
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
    if any(word.number is not None for word in (*ours, *theirs)):
        return None
    denied = _is_denied(ours)
    if denied == _is_denied(theirs) or _unsure(ours) != _unsure(theirs):
        return None
    is_no = denied != _is_denied(read_words(asked.text))
    return ("no", "yes") if is_no else ("yes", "no")


def _unsure(words: Sequence[Word]) -> set[str]:
    """The words with which a no is not the contrary of a yes: need not, do not have to."""
    had = {one.key for one, other in pairwise(words) if other.key == "to"}
    return {word.key for word in words} & _UNSURE | (had & {"have", "has", "had"})


def _is_denied(words: Sequence[Word]) -> bool:
    """Whether a sentence says no: one denial, or three; "not forbidden" is a yes."""
    return sum(word.key in _DENYING for word in words) % 2 == 1


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

_DENYING = (lexicon.NEGATIONS - {"unless", "except", "excluding", "without"}) | frozenset(
    "forbidden prohibited banned disallowed excluded refused forbids prohibits bans".split()
)
_PERMITTING = frozenset("allowed permitted allow allows permits".split())
_NO_MATTER = EVERYONE | _DENYING | _PERMITTING | _CONDITIONS | _ADVERBS.keys()
_UNSURE = frozenset("should would might could need needs neednt shouldnt only required".split())
"""Words with which a no is the contrary only of a yes that has them too."""

_PAST = frozenset("was were had formerly previously".split())
