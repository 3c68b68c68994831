"""A time axis, which the pages of recordings share: its ends, its ticks, and room for labels.

Places are percent of the axis, 0 to 100, so that the picture fits any width without scaling its
text. Where more stands close together than a reader could tell apart, `buckets` makes it one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, isfinite
from typing import Generic, TypeVar

from veridical.sources.transcripts.raw import MAX_SECONDS

# A moment alone needs some time around it to stand in.
LEAST_SECONDS = 10.0
MOST_TICKS = 12
# As many labels as a phone has room for.
MOST_TICKS_NARROW = 5
MOST_MARKS = 200
MOST_LANES = 8
# The width of a flag: its number on a phone, its number and word on a wide page.
FLAG_PERCENT = 18.0
# Nearer to an end of the axis, in percent, the label of a tick would leave the page.
_EDGE = 4.0

_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)

T = TypeVar("T")


def known(seconds: float | None) -> float | None:
    """A time that can be shown and drawn; None where it is missing or no time of a recording."""
    if seconds is None or not isfinite(seconds) or not 0 <= seconds <= MAX_SECONDS:
        return None
    return seconds


def percent_value(value: float) -> str:
    """Percent to a thousandth: `12.5%`."""
    return f"{value:.3f}".rstrip("0").rstrip(".") + "%"


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis. `narrow` says whether it also has its label where there is no room."""

    seconds: int
    percent: float
    narrow: bool

    @property
    def style(self) -> str:
        """The classes of its label, which must not leave the page at either end."""
        side = " first" if self.percent < _EDGE else " last" if self.percent > 100 - _EDGE else ""
        return f"time{side}{'' if self.narrow else ' wide'}"


@dataclass(frozen=True, slots=True)
class Axis:
    """Seconds from the start of the recording, from the left end to the right end."""

    start: float
    end: float

    def at(self, seconds: float) -> float:
        """Where a second stands, in percent of the axis; what lies outside stands at its end."""
        share = (seconds - self.start) / (self.end - self.start)
        return 100 * min(1.0, max(0.0, share))

    def across(self, seconds: float) -> str:
        """Where a second stands, as the value of an SVG attribute."""
        return percent_value(self.at(seconds))

    def width(self, start: float, end: float) -> str:
        """How wide a stretch of time is, as the value of an SVG attribute."""
        return percent_value(max(0.0, self.at(end) - self.at(start)))

    def ticks(self) -> tuple[Tick, ...]:
        """Round times, at most twelve steps of them."""
        step = self._step(MOST_TICKS)
        wide = next(
            each
            for each in _multiples(step)
            if each % step == 0 and (self.end - self.start) / each <= MOST_TICKS_NARROW
        )
        first = ceil(self.start / step) * step
        return tuple(
            Tick(seconds, self.at(seconds), seconds % wide == 0)
            for seconds in range(first, int(self.end) + 1, step)
        )

    def _step(self, most: int) -> int:
        return next(each for each in _multiples(1) if (self.end - self.start) / each <= most)


def _multiples(least: int) -> Iterator[int]:
    """Round steps from `least` seconds up, without end."""
    yield from (step for step in _STEPS if step >= least)
    step = _STEPS[-1]
    while True:
        step *= 2
        yield step


def axis_over(times: Iterable[float | None]) -> Axis | None:
    """The axis that holds all times that are known; None where none is."""
    good = [time for time in map(known, times) if time is not None]
    if not good:
        return None
    start, end = min(good), max(good)
    if end - start < LEAST_SECONDS:
        start = max(0.0, (start + end - LEAST_SECONDS) / 2)
        end = start + LEAST_SECONDS
    return Axis(start, end)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a flag stands: its lane, 0 the lowest, and whether it waves to the left."""

    lane: int
    left: bool


def lanes(places: Sequence[float]) -> tuple[Place | None, ...]:
    """A lane for each flag, so that no two overlap; None where there is no room left.

    Where there is room, a flag stands above all that it would overlap. Earlier ones are the higher,
    so that no pole runs through another flag; at the right end, where flags wave to the left, it is
    the other way round.
    """
    turned = [at > 100 - FLAG_PERCENT for at in places]
    begins = [at - FLAG_PERCENT * left for at, left in zip(places, turned, strict=True)]

    def rank(number: int) -> tuple[bool, float, int]:
        sign = 1 if turned[number] else -1
        return not turned[number], sign * places[number], sign * number

    taken: list[list[float]] = [[] for _ in range(MOST_LANES)]
    found: list[Place | None] = [None] * len(places)
    for number in sorted(range(len(places)), key=rank):
        lane = _lane(begins[number], taken)
        if lane is not None:
            taken[lane].append(begins[number])
            found[number] = Place(lane, turned[number])
    return tuple(found)


def _lane(begin: float, taken: Sequence[Sequence[float]]) -> int | None:
    """The lane above all flags in the way, else the lowest that is free."""
    free = [all(abs(other - begin) >= FLAG_PERCENT for other in lane) for lane in taken]
    above = max((lane + 1 for lane, is_free in enumerate(free) if not is_free), default=0)
    if above < MOST_LANES:
        return above
    return free.index(True) if True in free else None


@dataclass(frozen=True, slots=True)
class Flag(Generic[T]):
    """Something at a second, `number` from 1 in its order, shown as a flag on a pole: `top` is its
    upper end in pixels, and `left` says that it waves to the left.
    """

    number: int
    what: T
    seconds: float
    top: int
    left: bool


class Flags(Generic[T]):
    """Flags in lanes above an axis: `drawn`, and the `crowded` things that found no room."""

    def __init__(self, things: Sequence[tuple[int, T, float]], axis: Axis, lane: int) -> None:
        """`things` are numbers, things and their seconds; a lane is so many pixels high."""
        places = lanes([axis.at(seconds) for _, _, seconds in things])
        pairs = list(zip(things, places, strict=True))
        self.height = lane * (1 + max((place.lane for place in places if place), default=-1))
        self.drawn = [
            Flag(*thing, top=self.height - lane * (place.lane + 1), left=place.left)
            for thing, place in pairs
            if place
        ]
        self.crowded = [thing for thing, place in pairs if not place]


def buckets(marks: Sequence[T], at: Callable[[T], float]) -> list[list[T]]:
    """Marks in order, those together that stand too close to be told apart: at most 201 groups."""

    def bucket(mark: T) -> int:
        return int(at(mark) * MOST_MARKS / 100)

    return [list(group) for _, group in groupby(sorted(marks, key=at), bucket)]
