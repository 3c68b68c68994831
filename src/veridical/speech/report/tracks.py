"""The tracks of the picture: pace as steps, pauses as bars, fillers as strokes.

Each is drawn from `top`, in pixels, down. Where more stands close together than a reader could
tell apart it is drawn as one, so that a recording of a day is no larger than one of a minute.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from veridical.sources.clock import clock
from veridical.speech.report import wording
from veridical.speech.report.wording import MOST_WORDS_PER_MINUTE
from veridical.speech.results import DeliveryMetrics, Filler, PaceWindow, Pause
from veridical.validation.reports.markup import label
from veridical.validation.reports.time_axis import (
    MOST_MARKS,
    Axis,
    buckets,
    known,
    percent_value,
)
from veridical.validation.reports.wording import first_words

PACE_HEIGHT, PAUSES_HEIGHT, FILLERS_HEIGHT = 56, 14, 20
# The scale of the pace goes to this, or to the next hundred that holds it.
LEAST_SCALE = 200
_LEAST_PAUSE = 2.0
_LEAST_FILLER = 7.0
# As many fillers together have a stroke of the whole height, or as many as there are anywhere.
_LEAST_TOGETHER = 4
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class PaceTrack:
    """The windows that can be drawn; neighbours are one window where there are too many."""

    windows: tuple[PaceWindow, ...]
    axis: Axis

    @classmethod
    def of(cls, metrics: DeliveryMetrics, axis: Axis) -> PaceTrack:
        """The track of a speech."""
        good = sorted(filter(_drawable, metrics.pace), key=lambda w: (w.start, w.end))
        together = ceil(len(good) / MOST_MARKS) or 1
        groups = (good[at : at + together] for at in range(0, len(good), together))
        return cls(tuple(map(_mean, groups)), axis)

    @property
    def scale(self) -> int:
        """The words a minute that the height of the track stands for."""
        highest = max((w.words_per_minute for w in self.windows), default=0.0)
        return max(LEAST_SCALE, ceil(highest / 100) * 100)

    def steps(self, top: int) -> str:
        """One step for each window, up to where the next one starts."""
        if not self.windows:
            return ""
        limits = [after.start for _, after in pairwise(self.windows)] + [self.windows[-1].end]
        return "".join(
            self._step(window, min(window.end, limit), top)
            for window, limit in zip(self.windows, limits, strict=True)
        )

    def _step(self, window: PaceWindow, end: float, top: int) -> str:
        height = PACE_HEIGHT * window.words_per_minute / self.scale
        when = f"{clock(window.start)}–{clock(window.end)}"
        rate = wording.rate(window.words_per_minute)
        return (
            f'<rect class="pace" {self.axis.wide(window.start, end)} '
            f'y="{top + PACE_HEIGHT - height:.1f}" height="{height:.1f}">'
            f"<title>{when}: {rate} words a minute</title></rect>"
        )

    def rules(self, top: int) -> str:
        """The scale: lines at its top and middle, their numbers right of the axis."""
        if not self.windows:
            return ""
        rules = []
        for value, y in ((self.scale, top), (self.scale // 2, top + PACE_HEIGHT // 2)):
            rules.append(
                f'<line class="rule" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
                f'<svg class="at" x="100%" y="{y}"><text class="scale" x="5" y="4">{value}</text>'
                "</svg>"
            )
        return "".join(rules)


def render_pauses(metrics: DeliveryMetrics, axis: Axis, top: int) -> str:
    """One bar for each pause; of many, one for each stretch, as high as it is silent."""
    good = [pause for pause in metrics.pauses if _has_length(pause)]
    groups = [[pause] for pause in good]
    if len(good) > MOST_MARKS:
        groups = buckets(good, lambda pause: axis.at(pause.start))
    return "".join(_pause(group, axis, top) for group in groups)


def _pause(group: list[Pause], axis: Axis, top: int) -> str:
    start, end = min(p.start for p in group), max(p.end for p in group)
    silent = sum(pause.seconds for pause in group)
    height = max(_LEAST_PAUSE, PAUSES_HEIGHT * min(1.0, silent / (end - start)))
    said = f"{clock(start)}: {wording.lasting(silent)}"
    if len(group) > 1:
        many = f"{len(group):,} pauses, {wording.lasting(silent)} in all"
        said = f"{wording.stretch(start, end)}: {many}"
    return (
        f'<rect class="pause" {axis.wide(start, end)} y="{top + PAUSES_HEIGHT - height:.1f}" '
        f'height="{height:.1f}"><title>{said}</title></rect>'
    )


def render_fillers(metrics: DeliveryMetrics, axis: Axis, top: int) -> str:
    """One stroke for the fillers of one place, higher where there are more of them."""
    timed = [
        (seconds, filler)
        for filler in metrics.fillers
        if (seconds := known(filler.seconds)) is not None
    ]
    groups = buckets(timed, lambda pair: axis.at(pair[0]))
    most = max([_LEAST_TOGETHER, *map(len, groups)])
    return "".join(_filler(group, axis, top, most) for group in groups)


def _filler(group: list[tuple[float, Filler]], axis: Axis, top: int, most: int) -> str:
    mean = sum(axis.at(seconds) for seconds, _ in group) / len(group)
    at = percent_value(mean)
    share = (len(group) - 1) / (most - 1)
    height = _LEAST_FILLER + (FILLERS_HEIGHT - _LEAST_FILLER) * share
    words = Counter(filler.word for _, filler in group)
    said = [f"{first_words(word)}{f' × {n:,}' if n > 1 else ''}" for word, n in words.items()]
    more = f" and {len(said) - _MOST_WORDS:,} more" if len(said) > _MOST_WORDS else ""
    title = f"{clock(group[0][0])}: {', '.join(said[:_MOST_WORDS])}{more}"
    base = top + FILLERS_HEIGHT
    return (
        f'<line class="filler" x1="{at}" x2="{at}" y1="{base - height:.1f}" y2="{base}">'
        f"<title>{label(title)}</title></line>"
    )


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
