"""Dates as people write them: ISO, "1 March 2024", "March 1, 2024", "March 2024", "2024"."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

_MONTHS = {
    name: number
    for number in range(1, 13)
    for name in (calendar.month_name[number].lower(), calendar.month_abbr[number].lower())
}
_MONTHS["sept"] = 9

_MONTH = "(?P<{0}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DATE = re.compile(
    r"(?<![\w.])(?:"
    r"(?P<iso_year>(?:19|20)\d\d)-(?P<iso_month>\d\d)(?:-(?P<iso_day>\d\d))?"
    r"|(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?[ \t]+"
    + _MONTH.format("month_a")
    + r",?[ \t]+(?P<year_a>(?:19|20)\d\d)"
    r"|"
    + _MONTH.format("month_b")
    + r"[ \t]+(?P<day_b>\d{1,2})(?:st|nd|rd|th)?,?[ \t]+(?P<year_b>(?:19|20)\d\d)"
    r"|" + _MONTH.format("month_c") + r",?[ \t]+(?P<year_c>(?:19|20)\d\d)"
    r"|(?P<year>(?:19|20)\d\d)"
    r")(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date and where in the text it starts. A month or a year alone counts as its last day."""

    start: int
    date: date


def dates_in(text: str) -> list[FoundDate]:
    """The dates of a text, in order. Dates all in numbers ("3/4/2024") are left out: nobody can
    tell the month from the day.
    """
    found = []
    for match in _DATE.finditer(text):
        value = _value(match)
        if value is not None:
            found.append(FoundDate(match.start(), value))
    return found


def _value(match: re.Match[str]) -> date | None:
    group = match.groupdict()
    year = int(
        next(group[k] for k in ("iso_year", "year_a", "year_b", "year_c", "year") if group[k])
    )
    named = group["month_a"] or group["month_b"] or group["month_c"]
    month = _MONTHS[named.lower()] if named else int(group["iso_month"] or 12)
    day = group["iso_day"] or group["day"] or group["day_b"]
    if not 1 <= month <= 12:
        return None
    last = calendar.monthrange(year, month)[1]
    return (
        date(year, month, int(day))
        if day and 1 <= int(day) <= last
        else (None if day else date(year, month, last))
    )
