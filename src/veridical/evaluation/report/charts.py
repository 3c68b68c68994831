"""Two drawings without script: what came of the questions by topic, and how long they took."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.evaluation.report.wording import LOOKS, milliseconds
from veridical.evaluation.run import Outcome, QuestionResult, what_came_of
from veridical.validation.reports.markup import isolated, label
from veridical.validation.reports.wording import count

NO_TOPIC = "(no topic)"
_MOST_TICKS = 5

_SHORTEST_AXIS = 0.001
"""Milliseconds; no clock that is read here tells less apart."""


@dataclass(frozen=True, slots=True)
class Times:
    """What questions took on one clock: `(id, milliseconds)` of at least one, two percentiles."""

    name: str
    each: tuple[tuple[str, float], ...]
    p50: float
    p95: float


_STROKES = {
    "lines": (5, "M0 2.5H5"),
    "crosses": (8, "M2 2L6 6M2 6L6 2"),
    "dots": (6, "M2.4 3a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0"),
    "slant": (6, "M-1 7L7 -1M-1 1L1 -1M5 7L7 5"),
    "stripes": (5, "M1 0V5"),
    "grid": (7, "M0 0H7M0 0V7"),
    "plain": (8, ""),
}
"""The patterns of the bars: the side of a tile, and the path that is drawn on it."""


def _patterns() -> str:
    tiles = "".join(
        f'<pattern id="p-{look.pattern}" class="{look.tone}" width="{side}" height="{side}" '
        f'patternUnits="userSpaceOnUse"><rect class="ground" width="{side}" height="{side}"/>'
        f'<path d="{path}"/></pattern>'
        for look in LOOKS.values()
        for side, path in (_STROKES[look.pattern],)
    )
    return f'<svg class="vh" aria-hidden="true" width="0" height="0"><defs>{tiles}</defs></svg>'


def render_outcomes(results: Sequence[QuestionResult]) -> str:
    """A bar for each topic, in the order of the questions, as long as it has questions."""
    topics: dict[str, Counter[Outcome]] = {}
    for result in results:
        outcomes = topics.setdefault(result.question.topic.strip() or NO_TOPIC, Counter())
        outcomes[what_came_of(result)] += 1
    longest = max((outcomes.total() for outcomes in topics.values()), default=0)
    rows = "".join(_topic(name, outcomes, longest) for name, outcomes in topics.items())
    used = [outcome for outcome in LOOKS if any(outcomes[outcome] for outcomes in topics.values())]
    keys = "".join(
        f'<li><svg class="key" aria-hidden="true"><rect class="{LOOKS[o].tone}" width="18" '
        f'height="14" fill="url(#p-{LOOKS[o].pattern})"/></svg> {LOOKS[o].sign} {LOOKS[o].word}: '
        f"{LOOKS[o].meaning}</li>"
        for o in used
    )
    return f'{_patterns()}<div class="chart">{rows}</div><ul class="legend">{keys}</ul>'


def _topic(name: str, outcomes: Counter[Outcome], longest: int) -> str:
    bars, at = [], 0
    for outcome, look in LOOKS.items():
        if number := outcomes[outcome]:
            bars.append(
                f'<rect class="{look.tone}" x="{at / longest:.4%}" width="{number / longest:.4%}" '
                f'height="18" fill="url(#p-{look.pattern})"><title>{look.word}: {number}</title>'
                "</rect>"
            )
            at += number
    right = outcomes[Outcome.RIGHT]
    told = f"{right} of {outcomes.total()} right"
    wrong = "".join(
        f", {outcomes[outcome]} {look.word.lower()}"
        for outcome, look in LOOKS.items()
        if outcomes[outcome] and outcome is not Outcome.RIGHT
    )
    return (
        f'<div class="row"><p class="name">{isolated(name)} <small>{told}{wrong}</small></p>'
        f'<svg class="lane" height="18" role="img" aria-label="{label(f"{name}: {told}{wrong}")}">'
        f"{''.join(bars)}</svg></div>"
    )


def render_latency(clocks: Sequence[Times]) -> str:
    """A row for each clock with a stroke for each question, on a common axis from 0."""
    if not clocks:
        return '<p class="soft">No question got a response.</p>'
    end, step = axis_end(max(time for clock in clocks for _, time in clock.each))
    rows = "".join(_clock(clock, end) for clock in clocks)
    return (
        f'<div class="chart">{rows}<div class="row"><p class="name"></p>{_ruler(end, step)}</div>'
        "</div>"
        '<ul class="legend"><li><svg class="key" aria-hidden="true"><path class="stroke" '
        'd="M9 1V15"/></svg> a question</li><li><svg class="key" aria-hidden="true">'
        '<path class="p50" d="M9 0V16"/></svg> p50</li><li><svg class="key" aria-hidden="true">'
        '<path class="p95" d="M9 0V16"/></svg> p95 (dashed)</li></ul>'
    )


def axis_end(longest: float) -> tuple[float, float]:
    """Where an axis from 0 ends so that `longest` is on it, and its step: 1, 2 or 5 times a power
    of ten.
    """
    if longest < _SHORTEST_AXIS:
        return _SHORTEST_AXIS, _SHORTEST_AXIS
    rough = longest / _MOST_TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * (1 - 1e-9))
    return step * max(1, math.ceil(longest / step - 1e-9)), step


def _clock(clock: Times, end: float) -> str:
    strokes = "".join(
        f'<line class="stroke" x1="{time / end:.3%}" x2="{time / end:.3%}" y1="8" y2="26">'
        f"<title>{label(name)}: {milliseconds(time)}</title></line>"
        for name, time in clock.each
    )
    marks = "".join(
        f'<line class="{name}" x1="{time / end:.3%}" x2="{time / end:.3%}" y1="1" y2="33"/>'
        for name, time in (("p50", clock.p50), ("p95", clock.p95))
    )
    told = f"p50 {milliseconds(clock.p50)}, p95 {milliseconds(clock.p95)}"
    of = count(len(clock.each), "question")
    return (
        f'<div class="row"><p class="name">{clock.name} <small>{told}, {of}</small></p>'
        f'<svg class="lane" height="34" role="img" aria-label="{clock.name}: {told}, {of}">'
        f'<line class="base" x1="0" x2="100%" y1="17" y2="17"/>{strokes}{marks}</svg></div>'
    )


def _ruler(end: float, step: float) -> str:
    steps = round(end / step)
    ticks = []
    for tick in range(steps + 1):
        where = f"{tick / steps:.3%}"
        side = {0: "first", steps: "last"}.get(tick, "middle")
        words = f"{tick * step:,.6g}" + (" ms" if tick == steps else "")
        ticks.append(
            f'<line x1="{where}" x2="{where}" y1="0" y2="5"/>'
            f'<text class="{side}" x="{where}" y="18">{words}</text>'
        )
    return f'<svg class="lane ruler" height="22" aria-hidden="true">{"".join(ticks)}</svg>'
