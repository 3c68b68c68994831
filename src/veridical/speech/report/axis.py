"""Where the moments of a speech stand on the time axis."""

from __future__ import annotations

from veridical.sources.transcript import Precision
from veridical.speech.results import PublicEvaluation, PublicItem
from veridical.validation.reports.time_axis import Axis, axis_over, known


def moment_of(item: PublicItem) -> tuple[float, float] | None:
    """From when to when an item's words were said; None where no time is known."""
    start, end = known(item.start), known(item.end)
    if start is None or item.precision is Precision.NONE:
        return None
    return start, start if end is None else max(start, end)


def measured(public: PublicEvaluation) -> tuple[float, float] | None:
    """From when to when the delivery was measured; None where that has no length."""
    start, end = known(public.metrics.start), known(public.metrics.end)
    return (start, end) if start is not None and end is not None and end > start else None


def axis_of(public: PublicEvaluation) -> Axis | None:
    """An axis that holds everything that has a time; None where nothing has one."""
    metrics = public.metrics
    ends: list[float | None] = [each.seconds for each in metrics.fillers]
    for pause in metrics.pauses:
        ends += (pause.start, pause.end)
    for window in metrics.pace:
        ends += (window.start, window.end)
    for pair in (measured(public), *map(moment_of, public.items)):
        ends += pair or ()
    return axis_over(ends)
