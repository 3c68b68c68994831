"""The speakers on the time axis: a lane for each, with what they said and what was quoted of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.report import wording
from veridical.scoring.report.places import Line, QuotePlace
from veridical.scoring.report.tones import VERDICT_TONES
from veridical.scoring.report.wording import VERDICT_SIGNS, VERDICT_WORDS
from veridical.sources.clock import clock
from veridical.validation.reports.markup import isolated, label
from veridical.validation.reports.time_axis import MOST_MARKS, Axis, buckets, known
from veridical.validation.reports.wording import count, first_words

MOST_SPEAKERS = 8
"""Lanes of speakers; where there are more, those who say least share the last one."""

LANE_HEIGHT = 24
_BAR = 8.0
_LEAST_BAR = 2.0
# How far apart pins stand, in percent of the axis: their width on a wide page, and on a phone.
_PIN_PERCENT = {"wide-only": 2.2, "narrow-only": 5.5}
_NAME_CHARS = 60
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
        name = isolated(first_words(self._lane.name, _NAME_CHARS))
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
                f"{VERDICT_WORDS[use.entry.score.review.verdict].lower()}"
                for use in uses[:_MOST_NAMED]
            )
        )
        more = f"; and {len(uses) - _MOST_NAMED:,} more" if len(uses) > _MOST_NAMED else ""
        quotes = "quote" if len(group) == 1 else f"{len(group):,} quotes"
        name = label(f"{wording.at(group[0].start)}, {quotes} for {said}{more}")
        width = 22 if number else 15
        return (
            f'<svg class="at" x="{self._axis.across(group[0].start or 0.0)}">'
            f'<a class="pin {VERDICT_TONES[worst]}" href="#{group[0].anchor}" '
            f'aria-label="{name}"><title>{name}</title>'
            f'<rect x="-7.5" y="2" width="{width}" height="{LANE_HEIGHT - 4}"/>'
            f'<text x="{width / 2 - 7.5}" y="16">{VERDICT_SIGNS[worst]}{number}</text></a></svg>'
        )


def _end(line: Line) -> float:
    start, end = line.start or 0.0, known(line.end)
    return start if end is None else max(start, end)
