"""The incident on one time axis: events, speakers, quotes, and how long things took.

Each row is a name and a drawing of the same width, so that names wrap and the axes agree. Across,
everything stands in percent; down, in pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Line, Outline, QuotePlace, Quotes
from veridical.scoring.report.wording import VERDICTS, verdict_badge
from veridical.scoring.scorecard import TimingResult
from veridical.sources.clock import clock
from veridical.validation.reports.markup import escape, isolated, label
from veridical.validation.reports.time_axis import (
    MOST_MARKS,
    Axis,
    Place,
    axis_over,
    buckets,
    known,
    lanes,
    render_ticks,
)
from veridical.validation.reports.wording import count, first_words

# Events and timing on the time axis: flags for what happened, bars for how long it took.


FLAG_LANE = 26
_FLAG = 21
_NAME_CHARS = 19
BAR_LANE = 30
MOST_BARS = 16
_TITLE_CHARS = 48


@dataclass(frozen=True, slots=True)
class Flag:
    """A verified event at its second; `target` is the fragment of the words that show it."""

    name: str
    at: float
    target: str


def flags_of(outline: Outline, quotes: Quotes) -> tuple[Flag, ...]:
    """The verified events of all criteria in order of time, each once."""
    found: dict[tuple[float, str], Flag] = {}
    for entry in outline.entries:
        evidence = entry.score.review.evidence
        for event in entry.score.review.events:
            at, shows = known(event.at), event.evidence
            if event.verified and at is not None:
                within = shows is not None and 0 <= shows < len(evidence)
                anchor = quotes.anchor(evidence[shows or 0]) if within else None
                flag = Flag(event.name, at, anchor or entry.anchor)
                found.setdefault((at, event.name), flag)
    return tuple(found[key] for key in sorted(found))


class Flags:
    """The flags of a picture, on poles that the drawing runs down through all lanes."""

    def __init__(self, flags: Sequence[Flag], axis: Axis) -> None:
        self._axis = axis
        placed = zip(flags, lanes([axis.at(flag.at) for flag in flags]), strict=True)
        pairs = [(number, flag, place) for number, (flag, place) in enumerate(placed, 1)]
        self._drawn = [(number, flag, place) for number, flag, place in pairs if place]
        self._crowded = [flag for _, flag, place in pairs if not place]
        self._all = flags
        self.height = FLAG_LANE * (1 + max((p.lane for _, _, p in self._drawn), default=-1))

    def render(self) -> str:
        """Each flag, a link to the words that show its event."""
        return "".join(self._flag(*each) for each in self._drawn)

    def poles(self) -> Iterator[str]:
        """From the flags down to the axis, the whole height of what they are drawn into."""
        for _, flag, place in self._drawn:
            at, top = self._axis.across(flag.at), self.height - FLAG_LANE * (place.lane + 1)
            yield f'<line class="pole" x1="{at}" x2="{at}" y1="{top}" y2="100%"/>'

    def names(self) -> str:
        """The events as text, numbered as the flags are; a flag has no room for a long name."""
        rows = "".join(
            f'<li><a href="#{flag.target}">{isolated(flag.name)}</a> {clock(flag.at)}</li>'
            for flag in self._all
        )
        return f'<ol class="events">{rows}</ol>' if rows else ""

    def notes(self) -> str:
        """The events for which the picture has no room."""
        if not self._crowded:
            return ""
        names = ", ".join(f"{isolated(flag.name)} ({clock(flag.at)})" for flag in self._crowded)
        return f'<p class="soft">No room on the axis for these events: {names}.</p>'

    def _flag(self, number: int, flag: Flag, place: Place) -> str:
        name = label(f"{clock(flag.at)}, event {flag.name}")
        left = " left" if place.left else ""
        top = self.height - FLAG_LANE * (place.lane + 1)
        # As much of the name as a flag has room for, without direction controls.
        words = "".join(character for character in flag.name if character.isprintable())
        words = words if len(words) <= _NAME_CHARS else f"{words[: _NAME_CHARS - 1]}…"
        return (
            f'<svg class="at" x="{self._axis.across(flag.at)}" y="{top}">'
            f'<a class="flag{left}" href="#{flag.target}" aria-label="{name}">'
            f'<title>{name}</title><g class="body"><rect width="40" height="{_FLAG}"/>'
            f'<text x="7" y="15">{number} <tspan class="word">'
            f"{escape(words)}</tspan></text></g></a></svg>"
        )


def render_bar(entry: Entry, timing: TimingResult, axis: Axis) -> str:
    """From start to end, against the target and the maximum; empty where it was not timed."""
    start, end = known(timing.started_at), known(timing.ended_at)
    if start is None or end is None or end < start or timing.seconds is None:
        return ""
    middle = BAR_LANE / 2
    target, most = timing.target.target_seconds, timing.target.max_seconds
    allowed = start + max(limit for limit in (target, most, 0.0) if limit is not None)
    verdict = entry.score.review.verdict
    name = label(
        f"{entry.number} {first_words(entry.score.title)}: {wording.timing(timing)}, "
        f"{VERDICTS[verdict].word.lower()}, {clock(start)} to {clock(end)}"
    )
    return (
        f'<rect class="rail" {axis.wide(start, allowed)} y="{middle - 2}" height="4"/>'
        f'<a class="bar {VERDICTS[verdict].tone}" href="#{entry.anchor}" aria-label="{name}">'
        f'<title>{name}</title><rect {axis.wide(start, end)} y="{middle - 6}" height="12"/></a>'
        f"{_limit('target', 'target', start, target, axis)}"
        f"{_limit('most', 'maximum', start, most, axis)}"
    )


def _limit(kind: str, word: str, start: float, limit: float | None, axis: Axis) -> str:
    """A stroke where the time is up; none where that is beyond the end of the axis."""
    if limit is None or start + limit > axis.end:
        return ""
    at = axis.across(start + limit)
    said = f"{word} {wording.seconds(limit)} s, {clock(start + limit)}"
    return (
        f'<line class="{kind}" x1="{at}" x2="{at}" y1="3" y2="{BAR_LANE - 3}">'
        f"<title>{said}</title></line>"
    )


# The speakers on the time axis: a lane for each, with what they said and what was quoted of it.


MOST_SPEAKERS = 8
"""Lanes of speakers; where there are more, those who say least share the last one."""

LANE_HEIGHT = 24
_BAR = 8.0
_LEAST_BAR = 2.0
# How far apart pins stand, in percent of the axis: their width on a wide page, and on a phone.
_PIN_PERCENT = {"wide-only": 2.2, "narrow-only": 5.5}
_LANE_NAME_CHARS = 60
_MOST_NAMED = 4

_WORST_FIRST = (
    CriterionVerdict.MISSED,
    CriterionVerdict.PARTIAL,
    CriterionVerdict.NOT_OBSERVED,
    CriterionVerdict.MET,
    CriterionVerdict.NOT_APPLICABLE,
)


@dataclass(frozen=True, slots=True)
class Lane:
    """A speaker's lane; the last one may be that of several."""

    name: str
    lines: tuple[Line, ...]
    places: tuple[QuotePlace, ...]


def speaker_lanes(lines: Sequence[Line], places: Sequence[QuotePlace]) -> tuple[Lane, ...]:
    """The lanes of those who say anything at a known time, in the order in which they begin."""
    timed = [line for line in lines if known(line.start) is not None]
    quoted = [place for place in places if known(place.start) is not None]
    said = Counter(line.speaker for line in timed)
    said.update({place.speaker: 0 for place in quoted})
    apart = set(said)
    if len(said) > MOST_SPEAKERS:
        apart = {speaker for speaker, _ in said.most_common(MOST_SPEAKERS - 1)}
    groups = [(who or "speaker not known", {who}) for who in said if who in apart]
    if others := {who for who in said if who not in apart}:
        groups.append((f"{len(others):,} others", others))
    return tuple(
        Lane(
            name,
            tuple(line for line in timed if line.speaker in who),
            tuple(place for place in quoted if place.speaker in who),
        )
        for name, who in groups
    )


class LaneDrawing:
    """The drawing of one lane. `linked` are the numbers of the lines that it leads to."""

    def __init__(self, lane: Lane, axis: Axis) -> None:
        self._axis = axis
        self._lane = lane
        groups = [[line] for line in lane.lines]
        if len(groups) > MOST_MARKS:
            groups = buckets(lane.lines, lambda line: axis.at(line.start or 0.0))
        self._groups = groups
        self.linked = frozenset(group[0].number for group in groups)

    def name(self) -> str:
        """Who it is, and how often they spoke."""
        spoken = count(len(self._lane.lines), "utterance")
        name = isolated(first_words(self._lane.name, _LANE_NAME_CHARS))
        return f"{name} <small>{spoken}</small>"

    def render(self) -> str:
        """Utterances, and over them the pins of quotes."""
        pins = "".join(
            f'<g class="{width}">{"".join(self._pins(step))}</g>'
            for width, step in _PIN_PERCENT.items()
        )
        spoken = "".join(map(self._utterances, self._groups))
        return f'<g aria-hidden="true">{spoken}</g>{pins}'

    def _utterances(self, group: Sequence[Line]) -> str:
        """One bar; of several together, as high as the share of the time that they speak."""
        start = min(line.start or 0.0 for line in group)
        end = max(_end(line) for line in group)
        spoken = sum(_end(line) - (line.start or 0.0) for line in group)
        share = min(1.0, spoken / (end - start)) if len(group) > 1 and end > start else 1.0
        height = max(_LEAST_BAR, _BAR * share)
        many = f", {len(group):,} utterances" if len(group) > 1 else ""
        return (
            f'<a class="utterance" href="#{group[0].anchor}" tabindex="-1">'
            f"<title>{clock(start)}{many}</title><rect {self._axis.wide(start, end)} "
            f'y="{(LANE_HEIGHT - height) / 2:.1f}" height="{height:.1f}"/></a>'
        )

    def _pins(self, step: float) -> Iterator[str]:
        """Quotes as pins that stand `step` apart at least: one pin for those closer together."""
        group: list[QuotePlace] = []
        for place in sorted(self._lane.places, key=lambda place: place.start or 0.0):
            if group and self._at(place) - self._at(group[0]) >= step:
                yield self._pin(group)
                group = []
            group.append(place)
        if group:
            yield self._pin(group)

    def _at(self, place: QuotePlace) -> float:
        return self._axis.at(place.start or 0.0)

    def _pin(self, group: Sequence[QuotePlace]) -> str:
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
        name = label(f"{wording.at(group[0].start)}, {quotes} for {said}{more}")
        width = 22 if number else 15
        return (
            f'<svg class="at" x="{self._axis.across(group[0].start or 0.0)}">'
            f'<a class="pin {VERDICTS[worst].tone}" href="#{group[0].anchor}" '
            f'aria-label="{name}"><title>{name}</title>'
            f'<rect x="-7.5" y="2" width="{width}" height="{LANE_HEIGHT - 4}"/>'
            f'<text x="{width / 2 - 7.5}" y="16">{VERDICTS[worst].sign}{number}</text></a></svg>'
        )


def _end(line: Line) -> float:
    start, end = line.start or 0.0, known(line.end)
    return start if end is None else max(start, end)


RULER_HEIGHT = 30
# A limit that lies beyond the last word by no more than this share of the whole is drawn too.
_BEYOND = 0.15


class Timeline:
    """The picture of one scorecard."""

    def __init__(self, outline: Outline, lines: Sequence[Line], quotes: Quotes) -> None:
        # The criteria that the clock decides, and what it says.
        pairs = [(entry, entry.score.timing) for entry in outline.entries]
        self._timed = [(entry, timing) for entry, timing in pairs if timing is not None]
        flags = flags_of(outline, quotes)
        times: list[float | None] = [flag.at for flag in flags]
        times += [time for line in lines for time in (line.start, line.end)]
        times += [place.start for place in quotes.places]
        ups: list[float] = []
        for _, timing in self._timed:
            times += [timing.started_at, timing.ended_at]
            if (start := known(timing.started_at)) is not None:
                limits = (timing.target.target_seconds, timing.target.max_seconds)
                ups += [start + limit for limit in limits if limit is not None]
        self.axis = axis_over(times)
        if self.axis is not None:
            # An axis also holds the limits that lie a little beyond its end.
            first, last = self.axis.start, self.axis.end
            most = last + _BEYOND * (last - first)
            self.axis = Axis(first, max([last, *(up for up in ups if up <= most)]))
        self._flags = None if self.axis is None else Flags(flags, self.axis)
        self._lanes = [
            LaneDrawing(lane, self.axis)
            for lane in speaker_lanes(lines, quotes.places)
            if self.axis is not None
        ]

    @property
    def linked(self) -> frozenset[int]:
        """The numbers of the lines of the transcript that the picture leads to."""
        return frozenset[int]().union(*(lane.linked for lane in self._lanes))

    def render(self) -> str:
        """The picture, its ruler, and what the signs on it mean."""
        if self.axis is None or self._flags is None:
            return '<p class="nothing">There is no time axis: the transcript has no times.</p>'
        span = f"Time axis from {wording.at(self.axis.start)} to {wording.at(self.axis.end)}"
        rows = "".join(self._rows(self.axis, self._flags))
        more, left_out = len(self._timed) - MOST_BARS, ""
        if more > 0:
            told = f"{more:,} more timing criteria stand below, not on the axis."
            left_out = f'<p class="soft">{told}</p>'
        return (
            f'<div class="picture" role="group" aria-label="{span}">'
            f"{self._under(self.axis, self._flags)}{rows}</div>{_ruler(self.axis)}"
            f"{self._flags.names()}{_LEGEND}{self._flags.notes()}{left_out}"
        )

    def _rows(self, axis: Axis, flags: Flags) -> Iterator[str]:
        if flags.height:
            yield _row("events", "Events", flags.height, flags.render())
        for lane in self._lanes:
            yield _row("speaker", lane.name(), LANE_HEIGHT, lane.render())
        for entry, timing in self._timed[:MOST_BARS]:
            took = wording.timing(timing) if timing.seconds is not None else "not timed"
            title = isolated(first_words(entry.score.title, _TITLE_CHARS))
            name = (
                f'<a href="#{entry.anchor}">{entry.number} {title}</a> '
                f"<small>{verdict_badge(entry.score.review.verdict)}, {isolated(took)}</small>"
            )
            yield _row("timing", name, BAR_LANE, render_bar(entry, timing, axis))

    def _under(self, axis: Axis, flags: Flags) -> str:
        """Behind all rows: the times of the ruler, the poles of events, and the moving marker."""
        grid = "".join(
            f'<line class="grid" x1="{at}" x2="{at}" y1="0" y2="100%"/>'
            for at in (axis.across(tick.seconds) for tick in axis.ticks())
        )
        return (
            f'<svg class="under" aria-hidden="true">{grid}{"".join(flags.poles())}'
            '<line id="now-line" class="now" x1="0" x2="0" y1="0" y2="100%" visibility="hidden"/>'
            "</svg>"
        )


def _row(kind: str, name: str, height: int, drawing: str) -> str:
    return (
        f'<div class="row {kind}"><p class="name">{name}</p>'
        f'<svg class="lane" height="{height}">{drawing}</svg></div>'
    )


def _ruler(axis: Axis) -> str:
    """The times. It stays in sight, and shows where a reader is."""
    return (
        '<div class="row ruler" aria-hidden="true"><p class="name"></p>'
        f'<svg class="lane" height="{RULER_HEIGHT}">{render_ticks(axis, 1)}'
        '<svg class="at" id="now" x="0" visibility="hidden"><path class="now" d="M0 0v7"/>'
        '<g class="now-flag"><rect x="-26" y="7" width="52" height="20" rx="3"/>'
        '<text id="now-time" x="0" y="21.5"></text></g></svg></svg></div>'
    )


_LEGEND = (
    '<p class="legend">'
    '<span><svg class="key" aria-hidden="true"><rect class="spoken" y="4" width="18" height="8"/>'
    "</svg> speech</span>"
    '<span><svg class="key" aria-hidden="true"><g class="pin ok"><rect x="1" y="1" width="14" '
    'height="15"/><text x="8" y="13">✓</text></g></svg> a quote, with the verdict that rests on '
    "it: ✓ met, ~ partial, ✕ missed, ○ not observed</span>"
    '<span><svg class="key" aria-hidden="true"><g class="bar none"><rect y="3" width="18" '
    'height="10"/></g></svg> how long it took</span>'
    '<span><svg class="key" aria-hidden="true"><line class="target" x1="9" x2="9" y1="0" y2="16"/>'
    "</svg> target</span>"
    '<span><svg class="key" aria-hidden="true"><line class="most" x1="9" x2="9" y1="0" y2="16"/>'
    "</svg> maximum</span></p>"
)
