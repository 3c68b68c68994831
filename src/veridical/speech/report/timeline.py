"""The picture of a speech: quoted moments, pace, pauses and fillers on one time axis, as SVG.

Across, everything stands in percent, so that the picture fits any width without scaling its text;
down, in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable

from veridical.sources.clock import clock
from veridical.sources.transcript import Precision
from veridical.speech.report import wording
from veridical.speech.report.axis import axis_of, measured
from veridical.speech.report.flags import Flags
from veridical.speech.report.tracks import (
    FILLERS_HEIGHT,
    PACE_HEIGHT,
    PAUSES_HEIGHT,
    PaceTrack,
    render_fillers,
    render_pauses,
)
from veridical.speech.results import DeliveryMetrics, PublicEvaluation
from veridical.validation.reports.markup import label
from veridical.validation.reports.time_axis import Axis, known, render_ticks

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
        tracks = (
            (pace_top, pace_height, "Pace", _pace_name(metrics, pace)),
            (pauses_top, PAUSES_HEIGHT, "Pauses", _pauses_name(metrics)),
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


def _pace_name(metrics: DeliveryMetrics, pace: PaceTrack) -> str:
    whole = wording.pace(metrics)
    return whole if pace.windows else f"{whole}, not measured over time"


def _pauses_name(metrics: DeliveryMetrics) -> str:
    return f"{len(metrics.pauses):,}" if metrics.pauses else "none measured"


def _fillers_name(metrics: DeliveryMetrics) -> str:
    if not metrics.fillers:
        return "none found"
    untimed = sum(known(filler.seconds) is None for filler in metrics.fillers)
    rest = f", {untimed:,} without a time" if untimed else ""
    return f"{len(metrics.fillers):,}{rest}"
