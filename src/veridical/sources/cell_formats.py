"""Numbers as a spreadsheet shows them by the format code of their cell, and dates in words."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "y-m-d", 15: "d-mmm-y",
    16: "d-mmm", 17: "mmm-y", 18: "h:m", 19: "h:m:s", 20: "h:m", 21: "h:m:s", 22: "y-m-d h:m",
    37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "h:m:s", 46: "[h]:m:s",
}  # fmt: skip
"""Codes that files name by number only."""

_LITERAL = r"\"[^\"]*\"|\\.|[_*].|\[[^\]]*\]"
_SECTION = re.compile(rf"((?:{_LITERAL}|[^;])*)(?:;|\Z)")
_TOKEN = re.compile(rf"({_LITERAL})|([#0?,]*[#0?][#0?,]*(?:\.[#0?]*)?)")
_LAST_DAY = 2_958_465  # 31 December 9999


def shown_number(value: float, code: str, first_day: int = 0) -> str:
    """What a cell shows for a number: plain where the code is not known, a date as "1 March 2025"
    or "2025-03-01". `first_day` is the number of the day that the sheet counts dates from.
    """
    sections = _SECTION.findall(code)[:-1] or [""]
    at = 0 if "[<" in code or "[>" in code else 1 if value < 0 else 2 if value == 0 else 0
    section = sections[at] if at < len(sections) else sections[0]
    bare = _TOKEN.sub(lambda token: token[2] or "", section).lower()
    numbers = [token[2] for token in _TOKEN.finditer(section) if token[2]]
    if "general" in bare or re.search("[@?]|e[+-]", bare) or len(numbers) > 1:
        return plain_number(value)
    if re.search("[ymdhs]", bare + "h" * ("[h" in section.lower())):
        in_time = 0 <= value <= _LAST_DAY - first_day
        return _date(value + first_day, bare) if in_time else plain_number(value)
    scaled = Decimal(repr(abs(value))).scaleb(2 * bare.count("%"))
    sign = "-" if value < 0 and section is sections[0] and numbers else ""
    shown = _TOKEN.sub(lambda t: _digits(scaled, t[2]) if t[2] else _literal(t[1]), section)
    return sign + shown.strip()


def plain_number(value: float) -> str:
    """A number with as many digits as a spreadsheet keeps."""
    text = f"{value:.15g}"
    return f"{Decimal(text):f}" if "e" in text and abs(value) < 1e21 else text


def _literal(written: str) -> str:
    if written.startswith("[$"):
        return written[2:-1].partition("-")[0]
    return {'"': written[1:-1], "\\": written[1:], "_": " "}.get(written[:1], "")


def _digits(value: Decimal, code: str) -> str:
    whole, _, part = code.partition(".")
    value = value.scaleb(-3 * (len(whole) - len(whole.rstrip(","))))
    rounded = value.quantize(Decimal(1).scaleb(-len(part)), ROUND_HALF_UP)
    text = f"{rounded:{',' * (',' in whole.rstrip(','))}f}"
    before, _, after = text.partition(".")
    least = len(part.rstrip("#"))
    after = after[:least] + after[least:].rstrip("0")
    return before.zfill(whole.count("0")) + ("." + after if after else "")


def _date(serial: float, code: str) -> str:
    days, seconds = divmod(round(serial * 86400), 86400)
    # Sheets have a 29 February 1900: before it their days are one off.
    start = datetime(1899, 12, 31 if days < 60 else 30)  # noqa: DTZ001 - a sheet knows no zone
    moment = start + timedelta(days=days, seconds=seconds)
    is_long = "[h" in code or not re.search("[yd]|mmm", code)
    day = f"{moment.day} " if "d" in code else ""
    date = f"{day}{moment:%B}" + f" {moment.year}" * ("y" in code)
    if "mmm" not in code:
        date = "" if is_long else f"{moment.year:04}-{moment:%m-%d}"
    time = f"{moment:%H:%M:%S}"[: 8 if "s" in code else 5] if "h" in code or is_long else ""
    return " ".join(filter(None, (date, time)))
