"""The picture of a speech: quoted moments, pace, pauses and fillers on one time axis, as SVG.

Across, everything stands in percent, so that the picture fits any width without scaling its text;
down, in pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from veridical.sources.clock import clock
from veridical.sources.transcript import Precision
from veridical.speech.evaluation import ItemType
from veridical.speech.report import wording
from veridical.speech.report.wording import (
    MOST_WORDS_PER_MINUTE,
    TYPE_ICONS,
    TYPE_TONES,
    TYPE_WORDS,
)
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    PaceWindow,
    Pause,
    PublicEvaluation,
    PublicItem,
)
from veridical.validation.reports.markup import label
from veridical.validation.reports.time_axis import (
    MOST_MARKS,
    Axis,
    Place,
    axis_over,
    buckets,
    known,
    lanes,
    percent_value,
    render_ticks,
)
from veridical.validation.reports.wording import first_words, listing

# Where the moments of a speech stand on the time axis.


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


# The quoted moments of the picture: numbered flags on poles that stand on the axis.


_LANE, _FLAG = 30, 24


class Flags:
    """The flags of a speech. Items are numbered from 0 here and from 1 where they are shown.

    `drawn` says where each flag stands; an item is missing from it that has no time, or no room.
    """

    def __init__(self, public: PublicEvaluation, axis: Axis | None) -> None:
        self.items = public.items
        self.axis = axis
        moments = ((number, moment_of(item)) for number, item in enumerate(self.items))
        self.moments = {number: moment for number, moment in moments if moment}
        places: Sequence[Place | None] = ()
        if axis is not None:
            places = lanes([axis.at(start) for start, _ in self.moments.values()])
        pairs = zip(self.moments, places, strict=False)
        self.drawn = {number: place for number, place in pairs if place}
        self.measured = measured(public)

    @property
    def height(self) -> int:
        """How much room they need above the tracks."""
        return _LANE * (1 + max((place.lane for place in self.drawn.values()), default=-1))

    def _top(self, number: int) -> int:
        return self.height - _LANE * (self.drawn[number].lane + 1)

    def poles(self, axis: Axis, bottom: int) -> str:
        """From each flag down to the axis, and on it the stretch that is quoted."""
        parts = []
        for number in self.drawn:
            start, end = self.moments[number]
            tone, at = TYPE_TONES[self.items[number].type], axis.across(start)
            parts.append(
                f'<line class="pole {tone}" x1="{at}" x2="{at}" y1="{self._top(number)}" '
                f'y2="{bottom}"/><rect class="quoted {tone}" {axis.wide(start, end)} '
                f'y="{bottom - 2}" height="4"/>'
            )
        return "".join(parts)

    def render(self, axis: Axis) -> str:
        """The flags, each a link to its item."""
        return "".join(self._flag(number, axis) for number in self.drawn)

    def _flag(self, number: int, axis: Axis) -> str:
        item, left = self.items[number], " left" if self.drawn[number].left else ""
        word = TYPE_WORDS[item.type]
        name = f"{number + 1}, {word.lower()}, {wording.said_at(item)}: {first_words(item.summary)}"
        return (
            f'<svg class="at" x="{axis.across(self.moments[number][0])}" y="{self._top(number)}">'
            f'<a class="flag {TYPE_TONES[item.type]}{left}" id="flag-{number + 1}" '
            f'href="#item-{number + 1}" aria-label="{label(name)}"><title>{label(name)}</title>'
            f'<g class="body"><rect width="46" height="{_FLAG}"/>'
            f'<text x="8" y="16.5">{number + 1} {TYPE_ICONS[item.type]} '
            f'<tspan class="word">{word}</tspan></text></g></a></svg>'
        )

    def legend(self) -> str:
        """What the icons mean; shown where the flags have no room for words."""
        kinds = {self.items[number].type for number in self.drawn}
        entries = [
            f'<span class="kind {TYPE_TONES[kind]}"><i aria-hidden="true">{TYPE_ICONS[kind]}</i> '
            f"{TYPE_WORDS[kind]}</span>"
            for kind in ItemType
            if kind in kinds
        ]
        return f'<p class="legend">{"".join(entries)}</p>' if entries else ""

    def notes(self) -> str:
        """The items that are not where a reader looks for them, and why."""
        untimed = [n for n in range(len(self.items)) if n not in self.moments]
        crowded = [n for n in self.moments if n not in self.drawn]
        return (
            _note("Not on the axis, no time is known", untimed)
            + _note("Not on the axis, there is no room", crowded)
            + _note("Outside the stretch that was measured", self._outside())
        )

    def _outside(self) -> list[int]:
        if self.measured is None:
            return []
        first, last = self.measured
        return [n for n in self.drawn if not first <= self.moments[n][0] <= last]


def _note(lead: str, numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    links = listing([f'<a href="#item-{number + 1}">{number + 1}</a>' for number in numbers])
    return f'<p class="soft">{lead}: {"item" if len(numbers) == 1 else "items"} {links}.</p>'


# The tracks of the picture: pace as steps, pauses as bars, fillers as strokes.


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


_NAME_HEIGHT = 22
_AXIS_HEIGHT = 26


class Timeline:
    """The picture of one speech."""

    def __init__(self, public: PublicEvaluation) -> None:
        self.public = public
        self.axis = axis_of(public)
        self.flags = Flags(public, self.axis)

    @property
    def flagged(self) -> frozenset[int]:
        """The items, from 0, that have a flag to link to."""
        return frozenset(self.flags.drawn)

    def render(self) -> str:
        """The picture and what must be said about it; the reason where there is no axis."""
        if self.axis is None:
            return f'<p class="nothing">{_why_no_axis(self.public.metrics)}</p>'
        return f"{self.flags.legend()}{self._picture(self.axis)}{self.flags.notes()}"

    def _picture(self, axis: Axis) -> str:
        metrics, pace = self.public.metrics, PaceTrack.of(self.public.metrics, axis)
        pace_top = self.flags.height + _NAME_HEIGHT
        pace_height = PACE_HEIGHT if pace.windows else 0
        pauses_top = pace_top + pace_height + _NAME_HEIGHT
        fillers_top = pauses_top + PAUSES_HEIGHT + _NAME_HEIGHT
        bottom = fillers_top + FILLERS_HEIGHT + 6
        whole = wording.pace(metrics)
        pauses = f"{len(metrics.pauses):,}" if metrics.pauses else "none measured"
        tracks = (
            (
                pace_top,
                pace_height,
                "Pace",
                whole if pace.windows else f"{whole}, not measured over time",
            ),
            (pauses_top, PAUSES_HEIGHT, "Pauses", pauses),
            (fillers_top, FILLERS_HEIGHT, "Fillers", _fillers_name(metrics)),
        )
        parts = (
            self._grounds(axis, ((top, height) for top, height, _, _ in tracks)),
            pace.steps(pace_top),
            pace.rules(pace_top),
            render_pauses(metrics, axis, pauses_top),
            render_fillers(metrics, axis, fillers_top),
            render_ticks(axis, bottom),
            self.flags.poles(axis, bottom),
            *(_name(top, name, rest) for top, _, name, rest in tracks),
        )
        span = f"from {clock(axis.start)} to {clock(axis.end)}"
        said = f"Time axis {span}. Everything on it also stands below, as text."
        return (
            f'<svg class="axis" height="{bottom + _AXIS_HEIGHT}" role="group" '
            f'aria-label="{label(said)}"><g aria-hidden="true">{"".join(parts)}{_now(bottom)}</g>'
            f"{self.flags.render(axis)}</svg>"
        )

    def _grounds(self, axis: Axis, tracks: Iterable[tuple[int, int]]) -> str:
        """The stretch that was measured, behind each track: what lies outside is not empty."""
        span = measured(self.public)
        if span is None:
            return ""
        return "".join(
            f'<rect class="ground" {axis.wide(*span)} y="{top}" height="{height}"/>'
            for top, height in tracks
            if height
        )


def _now(bottom: int) -> str:
    """The marker that moves to where a reader is; the script shows it."""
    return (
        f'<line id="now-line" class="now" x1="0" x2="0" y1="0" y2="{bottom}" visibility="hidden"/>'
        f'<svg class="at" id="now" x="0" y="{bottom}" visibility="hidden">'
        '<g class="now-flag"><rect x="-26" y="4" width="52" height="20" rx="3"/>'
        '<text id="now-time" x="0" y="18.5"></text></g></svg>'
    )


def _why_no_axis(metrics: DeliveryMetrics) -> str:
    if metrics.words and metrics.precision is Precision.NONE:
        return "There is no time axis: the transcript has no times."
    return "There is no time axis: nothing was measured that has a length or a time."


def _name(top: int, name: str, rest: str) -> str:
    return f'<text class="name" x="0" y="{top - 6}">{name} <tspan>{rest}</tspan></text>'


def _fillers_name(metrics: DeliveryMetrics) -> str:
    if not metrics.fillers:
        return "none found"
    untimed = sum(known(filler.seconds) is None for filler in metrics.fillers)
    rest = f", {untimed:,} without a time" if untimed else ""
    return f"{len(metrics.fillers):,}{rest}"
