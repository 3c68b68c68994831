"""Events and timing on the time axis: flags for what happened, bars for how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Outline
from veridical.scoring.report.places import Quotes
from veridical.scoring.report.tones import VERDICT_TONES, verdict_badge
from veridical.scoring.scorecard import CheckedEvent, TimingResult
from veridical.sources.clock import clock
from veridical.validation.reports.markup import escape, isolated, label
from veridical.validation.reports.time_axis import Axis, Place, known, lanes
from veridical.validation.reports.wording import first_words

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
        for event in entry.score.review.events:
            at = known(event.at)
            if event.verified and at is not None:
                flag = Flag(event.name, at, _target(entry, event, quotes))
                found.setdefault((at, event.name), flag)
    return tuple(found[key] for key in sorted(found))


def _target(entry: Entry, event: CheckedEvent, quotes: Quotes) -> str:
    evidence = entry.score.review.evidence
    if event.evidence is not None and 0 <= event.evidence < len(evidence):
        return quotes.anchor(evidence[event.evidence]) or entry.anchor
    return entry.anchor


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
            at, top = self._axis.across(flag.at), self._top(place)
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

    def _top(self, place: Place) -> int:
        return self.height - FLAG_LANE * (place.lane + 1)

    def _flag(self, number: int, flag: Flag, place: Place) -> str:
        name = label(f"{clock(flag.at)}, event {flag.name}")
        left = " left" if place.left else ""
        return (
            f'<svg class="at" x="{self._axis.across(flag.at)}" y="{self._top(place)}">'
            f'<a class="flag{left}" href="#{flag.target}" aria-label="{name}">'
            f'<title>{name}</title><g class="body"><rect width="40" height="{_FLAG}"/>'
            f'<text x="7" y="15">{number} <tspan class="word">'
            f"{escape(label_words(flag.name))}</tspan></text></g></a></svg>"
        )


def label_words(name: str) -> str:
    """As much of a name as a flag has room for, without direction controls."""
    words = "".join(character for character in name if character.isprintable())
    return words if len(words) <= _NAME_CHARS else f"{words[: _NAME_CHARS - 1]}…"


def timed(outline: Outline) -> tuple[tuple[Entry, TimingResult], ...]:
    """The criteria that the clock decides, and what it says."""
    pairs = ((entry, entry.score.timing) for entry in outline.entries)
    return tuple((entry, timing) for entry, timing in pairs if timing is not None)


def bar_name(entry: Entry, timing: TimingResult) -> str:
    """Which criterion it is, its verdict, and the seconds in words."""
    took = wording.timing(timing) if timing.seconds is not None else "not timed"
    title = isolated(first_words(entry.score.title, _TITLE_CHARS))
    return (
        f'<a href="#{entry.anchor}">{entry.number} {title}</a> '
        f"<small>{verdict_badge(entry.score.review.verdict)}, "
        f"{isolated(took)}</small>"
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
        f"{wording.VERDICT_WORDS[verdict].lower()}, {clock(start)} to {clock(end)}"
    )
    return (
        f'<rect class="rail" {axis.wide(start, allowed)} y="{middle - 2}" height="4"/>'
        f'<a class="bar {VERDICT_TONES[verdict]}" href="#{entry.anchor}" aria-label="{name}">'
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
