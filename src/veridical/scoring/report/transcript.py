"""The transcript of the page: every word of it, the quoted ones marked, each line with what rests
on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from veridical.scoring.report import wording
from veridical.scoring.report.places import Line, QuotePlace, Quotes
from veridical.scoring.report.tones import verdict_badge
from veridical.sources.transcript import Transcript
from veridical.validation.reports.markup import isolated, label, visible
from veridical.validation.reports.time_axis import Axis, known
from veridical.validation.reports.wording import count, first_words

MOST_PLACES_PER_RUN = 24
"""Places that one run of words names, where hundreds lie over each other."""

MOST_LINKS = 12
"""Criteria that one line leads back to; the others are found from their own side."""

_TITLE_CHARS = 40


def render_transcript(
    transcript: Transcript,
    lines: Sequence[Line],
    quotes: Quotes,
    axis: Axis | None,
    linked: frozenset[int],
) -> str:
    """The whole transcript. `linked` are the numbers of the lines that something leads to."""
    shown = _Lines(transcript.text, quotes.places, axis)
    rows = "".join(shown.render(lines, linked))
    body = f'<ol class="lines">{rows}</ol>' if rows else '<p class="nothing">It is empty.</p>'
    facts = f"{count(len(lines), 'line')}, {count(len(quotes.places), 'quoted place')}"
    return (
        '<section id="transcript" aria-labelledby="transcript-name" tabindex="0">'
        f'<h2 id="transcript-name">Transcript <small>{facts}</small></h2>{body}</section>'
    )


class _Cut(NamedTuple):
    """What changes at an offset: the anchors of the places that begin, and the mark from here."""

    at: int
    anchors: str
    mark: str


class _Lines:
    """Lines in order; what is open at the end of one goes on in the next."""

    def __init__(self, text: str, places: Sequence[QuotePlace], axis: Axis | None) -> None:
        self._text = text
        self._places = places
        self._axis = axis
        self._cuts = list(_cuts(places, axis))
        self._next_cut = self._next_place = 0
        self._mark = ""
        self._open: list[QuotePlace] = []

    def render(self, lines: Iterable[Line], linked: frozenset[int]) -> Iterator[str]:
        """Each line with its second, its speaker where that changes, and its criteria."""
        before: str | None = ""
        for line in lines:
            who = ""
            if line.speaker != before:
                who = f'<p class="who">{isolated(line.speaker or "speaker not known")}</p>'
            before = line.speaker
            time = "" if known(line.start) is None else wording.at(line.start)
            name = (
                f' id="{line.anchor}"{_at(self._axis, line.start)}' if line.number in linked else ""
            )
            yield (
                f'<li class="line"{name}><p class="time">{time}</p><div>{who}'
                f'<p class="words"><bdi>{self._words(line)}</bdi></p>{self._rests(line)}</div></li>'
            )

    def _words(self, line: Line) -> str:
        parts = [self._mark]
        at = line.span.start
        while self._next_cut < len(self._cuts) and self._cuts[self._next_cut].at < line.span.end:
            cut = self._cuts[self._next_cut]
            parts += (visible(self._text[at : cut.at]), "</mark>" if self._mark else "")
            parts += (cut.anchors, cut.mark)
            at, self._mark = cut.at, cut.mark
            self._next_cut += 1
        parts += (visible(self._text[at : line.span.end]), "</mark>" if self._mark else "")
        return "".join(parts)

    def _rests(self, line: Line) -> str:
        """The criteria that rest on words of a line, as links."""
        self._open = [place for place in self._open if place.span.end > line.span.start]
        while self._next_place < len(self._places):
            place = self._places[self._next_place]
            if place.span.start >= line.span.end:
                break
            self._open.append(place)
            self._next_place += 1
        self._open = self._open[-MOST_PLACES_PER_RUN:]
        entries = {use.entry.anchor: use.entry for place in self._open for use in place.uses}
        if not entries:
            return ""
        links = [
            f'<a href="#{entry.anchor}" title="{label(first_words(entry.score.title, 200))}">'
            f"{verdict_badge(entry.score.review.verdict, sign_only=True)} {entry.number} "
            f"{isolated(first_words(entry.score.title, _TITLE_CHARS))}</a>"
            for entry in islice(entries.values(), MOST_LINKS)
        ]
        if len(entries) > MOST_LINKS:
            links.append(f"<span>and {len(entries) - MOST_LINKS:,} more</span>")
        return f'<p class="rests"><span class="vh">Rests on it: </span>{"".join(links)}</p>'


def _cuts(places: Sequence[QuotePlace], axis: Axis | None) -> Iterator[_Cut]:
    """Where marks begin and end, so that they never overlap and never nest."""
    starting: defaultdict[int, list[QuotePlace]] = defaultdict(list)
    ending: defaultdict[int, list[QuotePlace]] = defaultdict(list)
    for place in places:
        starting[place.span.start].append(place)
        ending[place.span.end].append(place)
    active: dict[str, None] = {}
    for at in sorted({*starting, *ending}):
        for place in ending.get(at, ()):
            del active[place.anchor]
        anchors = [_anchor(place, axis) for place in starting.get(at, ())]
        active |= dict.fromkeys(place.anchor for place in starting.get(at, ()))
        names = " ".join(islice(active, MOST_PLACES_PER_RUN))
        yield _Cut(at, _nested(anchors), f'<mark data-q="{names}">' if names else "")


def _anchor(place: QuotePlace, axis: Axis | None) -> str:
    return f'<span class="place" id="{place.anchor}" tabindex="-1"{_at(axis, place.start)}>'


def _nested(anchors: Sequence[str]) -> str:
    """One inside the other, so that the mark stands right after the outermost."""
    return "".join(anchors) + "</span>" * len(anchors)


def _at(axis: Axis | None, seconds: float | None) -> str:
    """Where the script moves the marker of the axis to, and what it writes there."""
    if axis is None or known(seconds) is None or seconds is None:
        return ""
    return f' data-at="{axis.across(seconds)}" data-time="{wording.at(seconds)}"'
