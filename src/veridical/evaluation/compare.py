"""Two runs over the same questions: which questions turned, and could that be chance?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, takewhile
from statistics import median
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ValidationError
from veridical.evaluation.run import (
    ChatError,
    EvalQuestion,
    EvalRun,
    Measure,
    QuestionResult,
    bears_on,
    is_right,
)
from veridical.evaluation.summary import RATE, percentile
from veridical.judging.metrics import Rate
from veridical.validation.schema_errors import shorten

# What two runs took for the same questions, and the test of a difference between pairs.


_ONE_IN = 20
"""An interval may miss what it is for once in so many times."""

_DIGITS = 3
"""Decimals of a millisecond that are reported."""


def sign_test(worse: int, better: int) -> float:
    """How probable so uneven a split is if both directions are equally likely: exact, two-sided.

    1 where nothing differs. Source: Conover, Practical Nonparametric Statistics, 1999, section 3.4.
    """
    n, fewer = worse + better, min(worse, better)
    tail = next(islice(_lower_tails(n), fewer, None))
    return min(1.0, 2 * tail / (1 << n))


def _lower_tails(n: int) -> Iterator[int]:
    """In how many of the 2**n ways n coins fall there are at most 0, 1, 2 ... heads."""
    ways, tail = 1, 0
    for heads in range(n + 1):
        tail += ways
        yield tail
        ways = ways * (n - heads) // (heads + 1)


@dataclass(frozen=True, slots=True)
class PairedLatency:
    """Times of the same questions in two runs, in milliseconds.

    `median_change` is the median of the differences, question by question, above 0 where the second
    run is slower, with its 95 % interval; None where there are too few questions for one. `p_value`
    is that of the sign test of slower against faster.
    """

    questions: int
    p50: tuple[float, float]
    p95: tuple[float, float]
    median_change: float
    interval: tuple[float, float] | None
    slower: int
    faster: int
    p_value: float


def paired_latency(pairs: Sequence[tuple[float, float]]) -> PairedLatency | None:
    """Times before and after, compared; None where there are none."""
    if not pairs:
        return None
    before, after = [was for was, _ in pairs], [now for _, now in pairs]
    changes = sorted(now - was for was, now in pairs)
    slower, faster = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    return PairedLatency(
        questions=len(pairs),
        p50=(percentile(before, 50), percentile(after, 50)),
        p95=(percentile(before, 95), percentile(after, 95)),
        median_change=median(changes),
        interval=median_interval(changes),
        slower=slower,
        faster=faster,
        p_value=sign_test(slower, faster),
    )


def median_interval(ordered: Sequence[float]) -> tuple[float, float] | None:
    """An interval that holds the median at least 95 times in 100, whatever the distribution: two
    of the values, which must be in order. None below six of them: no two values hold so much.

    Source: Thompson, Annals of Mathematical Statistics 7, 1936.
    """
    n = len(ordered)
    rare = takewhile(lambda tail: 2 * tail * _ONE_IN <= 1 << n, _lower_tails(n))
    out = sum(1 for _ in rare)
    return (ordered[out - 1], ordered[n - out]) if out else None


_MOST_NAMED = 5
"""Questions that an error names."""

_Pair = tuple[QuestionResult, QuestionResult]
"""A question in the first run, and in the second."""


class OtherQuestionsError(ValidationError):
    """The two runs are not over the same questions. What both have can be compared."""


class Way(StrEnum):
    """How a question turned."""

    BETTER = "better"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of which a measure came out otherwise: from wrong to right if it turned better.

    `problems` are those of the second run's response.
    """

    id: str
    question: str
    measure: Measure
    turned: Way
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairedMeasure:
    """A measure over the questions that both runs have a response to.

    `before` and `after` are how many were right in either run; `worse` were right before and are
    wrong now, `better` the other way round. `p_value` is that of McNemar's test, two-sided and
    exact: only the questions that turned bear on it.

    Source: McNemar, Psychometrika 12, 1947; the exact conditional form in Fagerland, Lydersen and
    Laake, BMC Medical Research Methodology 13, 2013.
    """

    measure: Measure
    before: Rate
    after: Rate
    right_in_both: int
    worse: int
    better: int
    wrong_in_both: int
    p_value: float


@dataclass(frozen=True, slots=True)
class NewError:
    """A question that has a response in one of the runs only: worse if the second has none."""

    id: str
    question: str
    turned: Way
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from a first run to a second.

    Measures and latencies are over the `responded` questions that both have a response to; `errors`
    are those that one lacks, `errors_in_both` counts those that both lack. `only_before`,
    `only_after` and `altered` are ids of questions that were left out: one run does not have them,
    or has them with other words or another known outcome. `client` is measured by who asks,
    `server` as the server tells it: None where it told no times.
    """

    compared: int
    responded: int
    measures: tuple[PairedMeasure, ...]
    turns: tuple[Turn, ...]
    errors: tuple[NewError, ...]
    errors_in_both: int
    client: PairedLatency | None
    server: PairedLatency | None
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()

    @property
    def worse(self) -> bool:
        """Whether any question turned from right to wrong, or lost its response."""
        turned = [turn.turned for turn in self.turns] + [error.turned for error in self.errors]
        return Way.WORSE in turned

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {"worse": self.worse, **_CODEC.write(self)}


def _rounded(told: dict[str, Any]) -> dict[str, Any]:
    """The times of two runs as far as they are reported."""
    for name in ("p50", "p95", "interval"):
        told[name] = told[name] and [round(value, _DIGITS) for value in told[name]]
    return {**told, "median_change": round(told["median_change"], _DIGITS)}


_GROUPS = {"latency_ms": ("client", "server"), "left_out": ("only_before", "only_after", "altered")}
_CODEC = Codec(
    {
        Rate: RATE,
        PairedLatency: Form(told=_rounded),
        Comparison: Form(
            names={name: f"{group}.{name}" for group, names in _GROUPS.items() for name in names}
        ),
    }
)


def compare_runs(a: EvalRun, b: EvalRun, *, common: bool = False) -> Comparison:
    """What changed from run `a` to run `b`, question by question, in the order of `a`.

    Raises ValidationError where the runs are not over the same questions, unless `common` asks for
    those that both have: the same id, words and known outcome.
    """
    before, after = _by_id(a, "first"), _by_id(b, "second")
    pairs = [(was, after[name]) for name, was in before.items() if name in after]
    same = [(was, now) for was, now in pairs if _is_same(was.question, now.question)]
    altered = tuple(
        was.question.id for was, now in pairs if not _is_same(was.question, now.question)
    )
    only_before = tuple(name for name in before if name not in after)
    only_after = tuple(name for name in after if name not in before)
    if not common:
        _require_all(only_before, only_after, altered)
    if not same:
        raise ValidationError("the two runs have no question in common")
    return replace(_compared(same), only_before=only_before, only_after=only_after, altered=altered)


def _by_id(run: EvalRun, which: str) -> Mapping[str, QuestionResult]:
    found: dict[str, QuestionResult] = {}
    for result in run.results:
        if result.question.id in found:
            raise ValidationError(
                f"the {which} run has question {shorten(result.question.id)} twice; results must "
                "be those of one run"
            )
        found[result.question.id] = result
    return found


def _is_same(one: EvalQuestion, other: EvalQuestion) -> bool:
    """Whether two questions are scored alike; their topics and named sources do not bear on it."""
    return replace(one, topic="", sources=()) == replace(other, topic="", sources=())


def _require_all(
    only_before: Sequence[str], only_after: Sequence[str], altered: Sequence[str]
) -> None:
    parts = [
        f"{len(ids)} {what} ({_named(ids)})"
        for ids, what in (
            (only_before, "only in the first"),
            (only_after, "only in the second"),
            (altered, "with other words or another known outcome"),
        )
        if ids
    ]
    if parts:
        raise OtherQuestionsError(
            f"the two runs are not over the same questions: {'; '.join(parts)}"
        )


def _named(ids: Sequence[str]) -> str:
    shown = ", ".join(shorten(name) for name in ids[:_MOST_NAMED])
    return shown + (", …" if len(ids) > _MOST_NAMED else "")


def _compared(pairs: Sequence[_Pair]) -> Comparison:
    responded = [(was, now) for was, now in pairs if was.scores and now.scores]
    one_error = [(was, now) for was, now in pairs if (was.scores is None) != (now.scores is None)]
    return Comparison(
        compared=len(pairs),
        responded=len(responded),
        measures=tuple(_measured(responded, measure) for measure in Measure),
        turns=tuple(turn for was, now in responded for turn in _turns(was, now)),
        errors=tuple(_new_error(was, now) for was, now in one_error),
        errors_in_both=len(pairs) - len(responded) - len(one_error),
        client=paired_latency([(was.client_ms, now.client_ms) for was, now in responded]),
        server=paired_latency(
            [
                (was.server_ms, now.server_ms)
                for was, now in responded
                if was.server_ms is not None and now.server_ms is not None
            ]
        ),
    )


def _measured(pairs: Sequence[_Pair], measure: Measure) -> PairedMeasure:
    said = [
        (is_right(was, measure), is_right(now, measure))
        for was, now in pairs
        if bears_on(now.question, measure)
    ]
    right, worse, better, wrong = (said.count((a, b)) for a in (True, False) for b in (True, False))
    return PairedMeasure(
        measure,
        before=Rate(right + worse, len(said)),
        after=Rate(right + better, len(said)),
        right_in_both=right,
        worse=worse,
        better=better,
        wrong_in_both=wrong,
        p_value=sign_test(worse, better),
    )


def _turns(was: QuestionResult, now: QuestionResult) -> list[Turn]:
    problems = now.scores.problems if now.scores else ()
    asked = now.question
    return [
        Turn(asked.id, asked.question, measure, _way(is_right(now, measure)), problems)
        for measure in Measure
        if bears_on(asked, measure) and is_right(was, measure) is not is_right(now, measure)
    ]


def _new_error(was: QuestionResult, now: QuestionResult) -> NewError:
    failed = now if isinstance(now.response, ChatError) else was
    reason = failed.response.reason if isinstance(failed.response, ChatError) else ""
    return NewError(now.question.id, now.question.question, _way(failed is was), reason)


def _way(better: bool) -> Way:
    return Way.BETTER if better else Way.WORSE
