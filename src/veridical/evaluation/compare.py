"""Two runs over the same questions: which questions turned, and could that be chance?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from statistics import median
from typing import Any

from veridical.errors import ValidationError
from veridical.evaluation.outcome import Measure, bears_on, is_right
from veridical.evaluation.run import ChatError, EvalQuestion, EvalRun, QuestionResult
from veridical.evaluation.summary import percentile
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
    run is slower, with its 95 % interval; None where there are too few questions for one.
    """

    questions: int
    p50: tuple[float, float]
    p95: tuple[float, float]
    median_change: float
    interval: tuple[float, float] | None
    slower: int
    faster: int

    @property
    def p_value(self) -> float:
        """The sign test of slower against faster."""
        return sign_test(self.slower, self.faster)

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "questions": self.questions,
            "p50": _rounded(self.p50),
            "p95": _rounded(self.p95),
            "median_change": round(self.median_change, _DIGITS),
            "interval": self.interval and _rounded(self.interval),
            "slower": self.slower,
            "faster": self.faster,
            "p_value": self.p_value,
        }


def paired_latency(pairs: Sequence[tuple[float, float]]) -> PairedLatency | None:
    """Times before and after, compared; None where there are none."""
    before = _percentiles([was for was, _ in pairs])
    after = _percentiles([now for _, now in pairs])
    if before is None or after is None:
        return None
    changes = sorted(now - was for was, now in pairs)
    return PairedLatency(
        questions=len(pairs),
        p50=(before[0], after[0]),
        p95=(before[1], after[1]),
        median_change=median(changes),
        interval=median_interval(changes),
        slower=sum(change > 0 for change in changes),
        faster=sum(change < 0 for change in changes),
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


def _percentiles(times: Sequence[float]) -> tuple[float, float] | None:
    p50, p95 = percentile(times, 50), percentile(times, 95)
    return None if p50 is None or p95 is None else (p50, p95)


def _rounded(pair: tuple[float, float]) -> list[float]:
    return [round(value, _DIGITS) for value in pair]


_MOST_NAMED = 5
"""Questions that an error names."""

_Pair = tuple[QuestionResult, QuestionResult]
"""A question in the first run, and in the second."""


class OtherQuestionsError(ValidationError):
    """The two runs are not over the same questions. What both have can be compared."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of which a measure came out otherwise: from wrong to right if `better`.

    `problems` are those of the second run's response.
    """

    question: EvalQuestion
    measure: Measure
    better: bool
    problems: tuple[str, ...]

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "id": self.question.id,
            "question": self.question.question,
            "measure": self.measure.value,
            "turned": "better" if self.better else "worse",
            "problems": list(self.problems),
        }


@dataclass(frozen=True, slots=True)
class PairedMeasure:
    """A measure over the questions that both runs have a response to.

    `worse` were right before and are wrong now, `better` the other way round.
    """

    measure: Measure
    right_in_both: int
    worse: int
    better: int
    wrong_in_both: int

    @property
    def before(self) -> Rate:
        """How many were right in the first run."""
        return Rate(self.right_in_both + self.worse, self._of)

    @property
    def after(self) -> Rate:
        """How many are right in the second run."""
        return Rate(self.right_in_both + self.better, self._of)

    @property
    def p_value(self) -> float:
        """McNemar's test, two-sided and exact: only the questions that turned bear on it.

        Source: McNemar, Psychometrika 12, 1947; the exact conditional form in Fagerland, Lydersen
        and Laake, BMC Medical Research Methodology 13, 2013.
        """
        return sign_test(self.worse, self.better)

    @property
    def _of(self) -> int:
        return self.right_in_both + self.worse + self.better + self.wrong_in_both

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "measure": self.measure.value,
            "before": self.before.to_mapping(),
            "after": self.after.to_mapping(),
            "right_in_both": self.right_in_both,
            "worse": self.worse,
            "better": self.better,
            "wrong_in_both": self.wrong_in_both,
            "p_value": self.p_value,
        }


@dataclass(frozen=True, slots=True)
class NewError:
    """A question that has a response in one of the runs only; `worse` if the second has none."""

    question: EvalQuestion
    worse: bool
    reason: str

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "id": self.question.id,
            "question": self.question.question,
            "turned": "worse" if self.worse else "better",
            "reason": self.reason,
        }


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
        return any(not turn.better for turn in self.turns) or any(e.worse for e in self.errors)

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "worse": self.worse,
            "compared": self.compared,
            "responded": self.responded,
            "measures": [measure.to_mapping() for measure in self.measures],
            "turns": [turn.to_mapping() for turn in self.turns],
            "errors": [error.to_mapping() for error in self.errors],
            "errors_in_both": self.errors_in_both,
            "latency_ms": {
                "client": self.client and self.client.to_mapping(),
                "server": self.server and self.server.to_mapping(),
            },
            "left_out": {
                "only_before": list(self.only_before),
                "only_after": list(self.only_after),
                "altered": list(self.altered),
            },
        }


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
    return PairedMeasure(
        measure,
        right_in_both=said.count((True, True)),
        worse=said.count((True, False)),
        better=said.count((False, True)),
        wrong_in_both=said.count((False, False)),
    )


def _turns(was: QuestionResult, now: QuestionResult) -> list[Turn]:
    problems = now.scores.problems if now.scores else ()
    return [
        Turn(now.question, measure, is_right(now, measure), problems)
        for measure in Measure
        if bears_on(now.question, measure) and is_right(was, measure) is not is_right(now, measure)
    ]


def _new_error(was: QuestionResult, now: QuestionResult) -> NewError:
    failed = now if isinstance(now.response, ChatError) else was
    reason = failed.response.reason if isinstance(failed.response, ChatError) else ""
    return NewError(now.question, failed is now, reason)
