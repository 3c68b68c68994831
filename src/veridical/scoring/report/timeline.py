"""The incident on one time axis: events, speakers, quotes, and how long things took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from veridical.reports.axis import MOST_MARKS, Axis, Flags, axis_over, buckets, known
from veridical.reports.words import count, first_words
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Line, Outline, QuotePlace, Quotes
from veridical.scoring.report.wording import VERDICTS, Shown
from veridical.scoring.scorecard import CriterionVerdict, TimingResult
from veridical.sources.transcript import clock

MOST_SPEAKERS = 8
"""Lanes of speakers; where there are more, those who say least share the last one."""

_FLAG_LANE = 26
_NAME_CHARS = 19
_BAR = 8.0
_LEAST_BAR = 2.0
# How far apart pins stand, in percent of the axis: their width on a wide page, and on a phone.
_PIN_PERCENT = {"wide-only": 2.2, "narrow-only": 5.5}
_MOST_NAMED = 4
# A limit that lies beyond the last word by no more than this share of the whole is drawn too.
_BEYOND = 0.15

_WORST_FIRST = (
    CriterionVerdict.MISSED,
    CriterionVerdict.PARTIAL,
    CriterionVerdict.NOT_OBSERVED,
    CriterionVerdict.MET,
    CriterionVerdict.NOT_APPLICABLE,
)


@dataclass(frozen=True, slots=True)
class Event:
    """A verified event at its second; `target` is the fragment of the words that show it."""

    name: str
    at: float
    target: str

    @property
    def beginning(self) -> str:
        """As much of the name as a flag has room for, without direction controls."""
        words = "".join(character for character in self.name if character.isprintable())
        return words if len(words) <= _NAME_CHARS else f"{words[: _NAME_CHARS - 1]}…"


def events_of(outline: Outline, quotes: Quotes) -> tuple[Event, ...]:
    """The verified events of all criteria in order of time, each once."""
    found: dict[tuple[float, str], Event] = {}
    for entry in outline.entries:
        for event in entry.score.review.events:
            at = known(event.at)
            if event.verified and at is not None:
                anchor = quotes.anchor_of(event, entry.score.review)
                found.setdefault((at, event.name), Event(event.name, at, anchor or entry.anchor))
    return tuple(found[key] for key in sorted(found))


class Limit(NamedTuple):
    """When the time of a criterion is up: a class, a word, seconds allowed, seconds on the axis."""

    kind: str
    word: str
    seconds: float
    at: float


@dataclass(frozen=True, slots=True)
class Bar:
    """How long something took, from start to end, against what it may take."""

    entry: Entry
    timing: TimingResult
    axis: Axis

    @property
    def ends(self) -> tuple[float, float] | None:
        """When it started and ended; None where it was not timed."""
        start, end = known(self.timing.started_at), known(self.timing.ended_at)
        if start is None or end is None or end < start or self.timing.seconds is None:
            return None
        return start, end

    @property
    def shown(self) -> Shown:
        """How its verdict looks."""
        return VERDICTS[self.entry.score.review.verdict]

    @property
    def took(self) -> str:
        """How long it took, in words."""
        return "not timed" if self.timing.seconds is None else wording.timing(self.timing)

    def told(self, start: float, end: float) -> str:
        """The whole bar in words."""
        return (
            f"{self.entry.number} {first_words(self.entry.score.title)}: {self.took}, "
            f"{self.shown.word.lower()}, {clock(start)} to {clock(end)}"
        )

    def allowed(self, start: float) -> float:
        """When the last limit is up."""
        target = self.timing.target
        limits = (target.target_seconds, target.max_seconds, 0.0)
        return start + max(limit for limit in limits if limit is not None)

    def limits(self, start: float) -> Iterator[Limit]:
        """Those that are up before the end of the axis."""
        target = self.timing.target
        for kind, word, seconds in (
            ("target", "target", target.target_seconds),
            ("most", "maximum", target.max_seconds),
        ):
            if seconds is not None and start + seconds <= self.axis.end:
                yield Limit(kind, word, seconds, start + seconds)


class Utterance(NamedTuple):
    """What a lane shows as one bar; of several together, as high as the share of the time that
    they speak.
    """

    anchor: str
    start: float
    end: float
    height: float
    number: int


class Pin(NamedTuple):
    """One quote of a lane, or several that stand too close to be told apart."""

    at: float
    anchor: str
    worst: Shown
    number: str
    told: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A speaker's lane; the last one may be that of several."""

    name: str
    lines: tuple[Line, ...]
    places: tuple[QuotePlace, ...]
    axis: Axis

    @property
    def spoken(self) -> str:
        """How often they spoke."""
        return count(len(self.lines), "utterance")

    @property
    def groups(self) -> list[list[Line]]:
        """The lines that are one bar each."""
        if len(self.lines) <= MOST_MARKS:
            return [[line] for line in self.lines]
        return buckets(self.lines, lambda line: self.axis.at(line.start or 0.0))

    def utterances(self) -> Iterator[Utterance]:
        """The bars."""
        for group in self.groups:
            start = min(line.start or 0.0 for line in group)
            end = max(_end(line) for line in group)
            spoken = sum(_end(line) - (line.start or 0.0) for line in group)
            share = min(1.0, spoken / (end - start)) if len(group) > 1 and end > start else 1.0
            height = max(_LEAST_BAR, _BAR * share)
            yield Utterance(group[0].anchor, start, end, height, len(group))

    def pins(self) -> Iterator[tuple[str, list[Pin]]]:
        """The pins for each width of a page."""
        places = sorted(self.places, key=lambda place: place.start or 0.0)
        for width, step in _PIN_PERCENT.items():
            groups: list[list[QuotePlace]] = []
            for place in places:
                if groups and self._at(place) - self._at(groups[-1][0]) < step:
                    groups[-1].append(place)
                else:
                    groups.append([place])
            yield width, [_pin(group) for group in groups]

    def _at(self, place: QuotePlace) -> float:
        return self.axis.at(place.start or 0.0)


def _end(line: Line) -> float:
    start, end = line.start or 0.0, known(line.end)
    return start if end is None else max(start, end)


def _pin(group: Sequence[QuotePlace]) -> Pin:
    uses = [use for place in group for use in place.uses]
    verdicts = {use.entry.score.review.verdict for use in uses}
    worst = next(verdict for verdict in _WORST_FIRST if verdict in verdicts)
    number = f"{len(group):,}" if 1 < len(group) < 10 else "+" * (len(group) > 9)
    said = "; ".join(
        dict.fromkeys(
            f"{use.entry.number} {first_words(use.entry.score.title)}, "
            f"{VERDICTS[use.entry.score.review.verdict].word.lower()}"
            for use in uses[:_MOST_NAMED]
        )
    )
    more = f"; and {len(uses) - _MOST_NAMED:,} more" if len(uses) > _MOST_NAMED else ""
    quotes = "quote" if len(group) == 1 else f"{len(group):,} quotes"
    told = f"{wording.at(group[0].start)}, {quotes} for {said}{more}"
    return Pin(group[0].start or 0.0, group[0].anchor, VERDICTS[worst], number, told)


def speaker_lanes(
    lines: Sequence[Line], places: Sequence[QuotePlace], axis: Axis
) -> tuple[Lane, ...]:
    """The lanes of those who say anything at a known time, in the order in which they begin."""
    timed = [line for line in lines if known(line.start) is not None]
    quoted = [place for place in places if known(place.start) is not None]
    said = Counter(line.speaker for line in timed)
    said.update({place.speaker: 0 for place in quoted})
    apart = set(said)
    if len(said) > MOST_SPEAKERS:
        apart = {speaker for speaker, _ in said.most_common(MOST_SPEAKERS - 1)}
    groups = [(who or wording.NO_SPEAKER, {who}) for who in said if who in apart]
    if others := {who for who in said if who not in apart}:
        groups.append((f"{len(others):,} others", others))
    return tuple(
        Lane(
            name,
            tuple(line for line in timed if line.speaker in who),
            tuple(place for place in quoted if place.speaker in who),
            axis,
        )
        for name, who in groups
    )


class Timeline:
    """The picture of one scorecard; empty but for the reason where `axis` is None."""

    def __init__(self, outline: Outline, lines: Sequence[Line], quotes: Quotes) -> None:
        self.events = events_of(outline, quotes)
        timed = [(entry, entry.score.timing) for entry in outline.entries]
        bars = [(entry, timing) for entry, timing in timed if timing is not None]
        times: list[float | None] = [event.at for event in self.events]
        times += [time for line in lines for time in (line.start, line.end)]
        times += [place.start for place in quotes.places]
        times += [time for _, each in bars for time in (each.started_at, each.ended_at)]
        axis = axis_over(times)
        self.lanes: tuple[Lane, ...] = ()
        self.axis = None if axis is None else _with_limits(axis, [timing for _, timing in bars])
        if self.axis is None:
            return
        things = [(number, event, event.at) for number, event in enumerate(self.events, 1)]
        self.flags = Flags(things, self.axis, _FLAG_LANE)
        self.lanes = speaker_lanes(lines, quotes.places, self.axis)
        self.bars = [Bar(entry, timing, self.axis) for entry, timing in bars]

    @cached_property
    def linked(self) -> frozenset[int]:
        """The numbers of the lines of the transcript that the picture leads to."""
        return frozenset(group[0].number for lane in self.lanes for group in lane.groups)


def _with_limits(axis: Axis, timings: Sequence[TimingResult]) -> Axis:
    """An axis that also holds the limits that lie a little beyond its end."""
    most = axis.end + _BEYOND * (axis.end - axis.start)
    ends = [axis.end]
    for timing in timings:
        start = known(timing.started_at)
        limits = (timing.target.target_seconds, timing.target.max_seconds)
        ends += [start + each for each in limits if start is not None and each is not None]
    return Axis(axis.start, max(end for end in ends if end <= most))
