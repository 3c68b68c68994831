"""Times as files write them become seconds."""

from __future__ import annotations

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit
from veridical.sources.transcripts.repairs import Repair, Repairs

MAX_SECONDS = 366 * 24 * 3600
"""No recording is longer than a year: a time beyond is a date, or damaged."""

_MILLISECONDS = 1000
_NUMBER = lazy(r"\s*([+-]?\d{1,12}(?:\.\d{0,12})?)\s*s?\s*")
_CLOCK = lazy(r"\s*(-)?(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,](\d{1,6}))?\s*")

CLOCK_PATTERN = r"(?:\d{1,4}:)?\d{1,4}:\d{2}(?:[.,]\d{1,6})?"
"""What may be a time as a clock shows it; `clock_seconds` decides."""


def clock_seconds(text: str) -> float | None:
    """The seconds of `1:02:03.5`, `02:03` or `00:02:03,500`; None where it is no such time.

    Minutes go over 59 only where there are no hours.
    """
    found = _CLOCK().fullmatch(text)
    if found is None:
        return None
    sign, hours, minutes, seconds, fraction = found.groups()
    if int(seconds) > 59 or (hours and int(minutes) > 59):
        return None
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    value = float(f"{whole}.{int(fraction or 0):0{len(fraction or '0')}}")
    return -value if sign else value


class Clock:
    """Reads the times of one file, in its unit, and notes those that are not usable.

    `near` is the last time that was read: what is noted is noted as near to it.
    """

    def __init__(self, repairs: Repairs, unit: TimeUnit = TimeUnit.SECONDS) -> None:
        self._repairs = repairs
        self._per_second = _MILLISECONDS if unit is TimeUnit.MILLISECONDS else 1
        self.near: float | None = None

    def seconds(self, value: object) -> float | None:
        """Seconds, which may be below zero; None where `value` is missing or not usable."""
        if value is None:
            return None
        if type(value) is not float and type(value) is not int:
            return self._from_text(value)
        most = MAX_SECONDS * self._per_second
        if not -most <= value <= most:  # so NaN is refused, and an integer that no float can hold
            self._repairs.count(Repair.UNUSABLE_TIME, self.near)
            return None
        self.near = value / self._per_second
        return self.near

    def _from_text(self, value: object) -> float | None:
        if isinstance(value, str) and len(value) <= 40:
            number = _NUMBER().fullmatch(value)
            seconds = float(number[1]) / self._per_second if number else clock_seconds(value)
            if seconds is not None and abs(seconds) <= MAX_SECONDS:
                self._repairs.count(Repair.TIME_AS_TEXT, self.near)
                self.near = seconds
                return seconds
        self._repairs.count(Repair.UNUSABLE_TIME, self.near)
        return None
