"""The picture of a speech: quoted moments, pace, pauses and fillers on one time axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from veridical.reports.axis import (
    MOST_MARKS,
    Flags,
    axis_over,
    buckets,
    known,
    percent_value,
)
from veridical.reports.words import first_words
from veridical.sources.transcript import Precision, clock
from veridical.speech.report import wording
from veridical.speech.report.wording import MOST_WORDS_PER_MINUTE
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    PaceWindow,
    Pause,
    PublicEvaluation,
    PublicItem,
)

PACE_HEIGHT, PAUSES_HEIGHT, FILLERS_HEIGHT = 56, 14, 20
LEAST_SCALE = 200
"""The scale of the pace goes to this, or to the next hundred that holds it."""

_NAME_HEIGHT, _AXIS_HEIGHT, _FLAG_LANE = 22, 26, 30
_LEAST_PAUSE = 2.0
_LEAST_FILLER = 7.0
# As many fillers together have a stroke of the whole height, or as many as there are anywhere.
_LEAST_TOGETHER = 4
_MOST_WORDS = 5


def moment_of(item: PublicItem) -> tuple[float, float] | None:
    """From when to when an item's words were said; None where no time is known."""
    start, end = known(item.start), known(item.end)
    if start is None or item.precision is Precision.NONE:
        return None
    return start, start if end is None else max(start, end)


def measured(metrics: DeliveryMetrics) -> tuple[float, float] | None:
    """From when to when the delivery was measured; None where that has no length."""
    start, end = known(metrics.start), known(metrics.end)
    return (start, end) if start is not None and end is not None and end > start else None


class Mark(NamedTuple):
    """What a track shows of a stretch or moment: `height` in pixels, `told` in words."""

    start: float
    end: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Track:
    """A name and what stands under it, from `top` on, `height` pixels high."""

    name: str
    rest: str
    top: int
    height: int

    @property
    def base(self) -> int:
        """Its lower end."""
        return self.top + self.height


class Timeline:
    """The picture of one speech; empty but for the reason where `axis` is None.

    Items are numbered from 1, as they are shown.
    """

    def __init__(self, public: PublicEvaluation) -> None:
        self._metrics = metrics = public.metrics
        self.measured = measured(metrics)
        moments = ((number, moment_of(item)) for number, item in enumerate(public.items, 1))
        self.moments = {number: moment for number, moment in moments if moment}
        ends: list[float | None] = [each.seconds for each in metrics.fillers]
        ends += [time for each in metrics.pauses for time in (each.start, each.end)]
        ends += [time for each in metrics.pace for time in (each.start, each.end)]
        ends += [time for pair in (self.measured or (), *self.moments.values()) for time in pair]
        self.axis = axis_over(ends)
        self.drawn: frozenset[int] = frozenset()
        if self.axis is None:
            return
        items = public.items
        things = [(n, items[n - 1], start) for n, (start, _) in self.moments.items()]
        self.flags = Flags(things, self.axis, _FLAG_LANE)
        self.drawn = frozenset(flag.number for flag in self.flags.drawn)
        self._lay_out()

    def _lay_out(self) -> None:
        """The tracks under the flags, and the axis under them."""
        metrics = self._metrics
        self.windows = pace_windows(metrics)
        whole = wording.pace(metrics)
        pace = whole if self.windows else f"{whole}, not measured over time"
        pauses = f"{len(metrics.pauses):,}" if metrics.pauses else "none measured"
        height = PACE_HEIGHT if self.windows else 0
        top = self.flags.height + _NAME_HEIGHT
        self.pace = Track("Pace", pace, top, height)
        self.pauses = Track("Pauses", pauses, self.pace.base + _NAME_HEIGHT, PAUSES_HEIGHT)
        top = self.pauses.base + _NAME_HEIGHT
        self.fillers = Track("Fillers", _fillers_told(metrics), top, FILLERS_HEIGHT)
        self.bottom = self.fillers.base + 6
        self.height = self.bottom + _AXIS_HEIGHT
        highest = max((window.words_per_minute for window in self.windows), default=0.0)
        # The words a minute that the height of the track stands for.
        self.scale = max(LEAST_SCALE, ceil(highest / 100) * 100)

    @property
    def why_no_axis(self) -> str:
        """Why there is no picture."""
        if self._metrics.words and self._metrics.precision is Precision.NONE:
            return "There is no time axis: the transcript has no times."
        return "There is no time axis: nothing was measured that has a length or a time."

    def missing(self, items: Sequence[PublicItem]) -> list[tuple[str, list[int]]]:
        """The items that are not where a reader looks for them, and why."""
        untimed = [n for n in range(1, len(items) + 1) if n not in self.moments]
        crowded = [n for n in self.moments if n not in self.drawn]
        first, last = self.measured or (0.0, float("inf"))
        outside = [n for n in self.drawn if not first <= self.moments[n][0] <= last]
        return [
            ("Not on the axis, no time is known", untimed),
            ("Not on the axis, there is no room", crowded),
            ("Outside the stretch that was measured", sorted(outside)),
        ]

    def pace_steps(self) -> Iterator[Mark]:
        """One step for each window, up to where the next one starts."""
        limits = [after.start for _, after in pairwise(self.windows)]
        limits += [window.end for window in self.windows[-1:]]
        for window, limit in zip(self.windows, limits, strict=True):
            height = PACE_HEIGHT * window.words_per_minute / self.scale
            rate = wording.rate(window.words_per_minute)
            told = f"{clock(window.start)}–{clock(window.end)}: {rate} words a minute"
            yield Mark(window.start, min(window.end, limit), height, told)

    def pause_bars(self) -> Iterator[Mark]:
        """One bar for each pause; of many, one for each stretch, as high as it is silent."""
        good = [pause for pause in self._metrics.pauses if _has_length(pause)]
        groups = [[pause] for pause in good]
        if (axis := self.axis) and len(good) > MOST_MARKS:
            groups = buckets(good, lambda pause: axis.at(pause.start))
        for group in groups:
            start, end = min(p.start for p in group), max(p.end for p in group)
            silent = sum(pause.seconds for pause in group)
            height = max(_LEAST_PAUSE, PAUSES_HEIGHT * min(1.0, silent / (end - start)))
            told = f"{clock(start)}: {wording.lasting(silent)}"
            if len(group) > 1:
                many = f"{len(group):,} pauses, {wording.lasting(silent)} in all"
                told = f"{wording.stretch(start, end)}: {many}"
            yield Mark(start, end, height, told)

    def filler_strokes(self) -> Iterator[tuple[str, float, str]]:
        """Where, how high and in words: one stroke for the fillers of one place, higher where
        there are more of them.
        """
        axis, fillers = self.axis, self._metrics.fillers
        if axis is None:
            return
        timed = [(at, each) for each in fillers if (at := known(each.seconds)) is not None]
        groups = buckets(timed, lambda pair: axis.at(pair[0]))
        most = max([_LEAST_TOGETHER, *map(len, groups)])
        for group in groups:
            mean = sum(axis.at(seconds) for seconds, _ in group) / len(group)
            share = (len(group) - 1) / (most - 1)
            height = _LEAST_FILLER + (FILLERS_HEIGHT - _LEAST_FILLER) * share
            yield percent_value(mean), height, f"{clock(group[0][0])}: {_said(group)}"


def pace_windows(metrics: DeliveryMetrics) -> list[PaceWindow]:
    """The windows that can be drawn; neighbours are one window where there are too many."""
    good = sorted(filter(_drawable, metrics.pace), key=lambda w: (w.start, w.end))
    together = ceil(len(good) / MOST_MARKS) or 1
    return [_mean(good[at : at + together]) for at in range(0, len(good), together)]


def _has_length(stretch: Pause | PaceWindow) -> bool:
    start, end = known(stretch.start), known(stretch.end)
    return start is not None and end is not None and end > start


def _drawable(window: PaceWindow) -> bool:
    return _has_length(window) and 0 <= window.words_per_minute <= MOST_WORDS_PER_MINUTE


def _mean(windows: list[PaceWindow]) -> PaceWindow:
    """Neighbours as one window, each counted as long as it lasts."""
    if len(windows) == 1:
        return windows[0]
    words = sum(w.words_per_minute * (w.end - w.start) for w in windows)
    total = sum(w.end - w.start for w in windows)
    return PaceWindow(windows[0].start, max(w.end for w in windows), words / total)


def _said(group: Sequence[tuple[float, Filler]]) -> str:
    words = Counter(filler.word for _, filler in group)
    said = [f"{first_words(word)}{f' × {n:,}' if n > 1 else ''}" for word, n in words.items()]
    more = f" and {len(said) - _MOST_WORDS:,} more" if len(said) > _MOST_WORDS else ""
    return f"{', '.join(said[:_MOST_WORDS])}{more}"


def _fillers_told(metrics: DeliveryMetrics) -> str:
    if not metrics.fillers:
        return "none found"
    untimed = sum(known(filler.seconds) is None for filler in metrics.fillers)
    rest = f", {untimed:,} without a time" if untimed else ""
    return f"{len(metrics.fillers):,}{rest}"
