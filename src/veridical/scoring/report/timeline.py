"""The incident on one time axis: events, speakers, quotes, and how long things took.

Each row is a name and a drawing of the same width, so that names wrap and the axes agree. Across,
everything stands in percent; down, in pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.scoring.report import wording
from veridical.scoring.report.moments import (
    BAR_LANE,
    MOST_BARS,
    Flags,
    bar_name,
    flags_of,
    render_bar,
    timed,
)
from veridical.scoring.report.outline import Outline
from veridical.scoring.report.places import Line, Quotes
from veridical.scoring.report.speakers import LANE_HEIGHT, LaneDrawing, speaker_lanes
from veridical.validation.reports.time_axis import Axis, axis_over, known, render_ticks

RULER_HEIGHT = 30
# A limit that lies beyond the last word by no more than this share of the whole is drawn too.
_BEYOND = 0.15


class Timeline:
    """The picture of one scorecard."""

    def __init__(self, outline: Outline, lines: Sequence[Line], quotes: Quotes) -> None:
        self._timed = timed(outline)
        self._quotes = quotes
        flags = flags_of(outline, quotes)
        times = [*(flag.at for flag in flags), *self._times(lines)]
        self.axis = _roomy(axis_over(times), list(self._limits()))
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
        return (
            f'<div class="picture" role="group" aria-label="{span}">'
            f"{self._under(self.axis, self._flags)}{rows}</div>{_ruler(self.axis)}"
            f"{self._flags.names()}{_LEGEND}{self._flags.notes()}{self._notes()}"
        )

    def _times(self, lines: Sequence[Line]) -> Iterator[float | None]:
        for line in lines:
            yield from (line.start, line.end)
        yield from (place.start for place in self._quotes.places)
        for _, timing in self._timed:
            yield from (timing.started_at, timing.ended_at)

    def _limits(self) -> Iterator[float]:
        """The seconds at which the times of timing criteria are up."""
        for _, timing in self._timed:
            start = known(timing.started_at)
            if start is not None:
                target = timing.target
                limits = (target.target_seconds, target.max_seconds)
                yield from (start + limit for limit in limits if limit is not None)

    def _rows(self, axis: Axis, flags: Flags) -> Iterator[str]:
        if flags.height:
            yield _row("events", "Events", flags.height, flags.render())
        for lane in self._lanes:
            yield _row("speaker", lane.name(), LANE_HEIGHT, lane.render())
        for entry, timing in self._timed[:MOST_BARS]:
            bar = render_bar(entry, timing, axis)
            yield _row("timing", bar_name(entry, timing), BAR_LANE, bar)

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

    def _notes(self) -> str:
        more = len(self._timed) - MOST_BARS
        if more <= 0:
            return ""
        return f'<p class="soft">{more:,} more timing criteria stand below, not on the axis.</p>'


def _roomy(axis: Axis | None, limits: Sequence[float]) -> Axis | None:
    """An axis that also holds the limits that lie a little beyond its end."""
    if axis is None:
        return None
    most = axis.end + _BEYOND * (axis.end - axis.start)
    return Axis(axis.start, max([axis.end, *(limit for limit in limits if limit <= most)]))


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
