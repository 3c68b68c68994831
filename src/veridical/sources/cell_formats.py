"""Numbers and dates as a spreadsheet shows them by the format code of their cell."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0",
    38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
"""Codes that files name by number only. A date whose order the reader's country decides is ISO."""

_LITERAL = r"\"[^\"]*\"|\\.|[_*].|\[\$[^\]]*\]"
_SECTION = re.compile(rf"((?:{_LITERAL}|[^;])*)(?:;|\Z)")
_TOKEN = re.compile(
    rf"({_LITERAL})|(\[h+\]|am/pm|y+|m+|d+|h+|n+|s+)|([#0?,]*[#0?][#0?,]*(?:\.[#0?]*)?(?:E[+-]0+)?)"
    r"|\[[^\]]*\]",
    re.IGNORECASE,
)
_MINUTES = re.compile(r"(?i)(?<=h)(\]?[:. ]*)(mm?)(?!m)|(?<!m)()(mm?)(?=[:. ]*s)")
_LAST_DAY = 2_958_465  # 31 December 9999


def shown_number(value: float, code: str, first_day: int = 0) -> str:
    """What a cell with this format code shows for a number; plain where the code is not known.

    `first_day` is the number of the day that the sheet counts dates from.
    """
    sections = _SECTION.findall(code)[:-1] or [""]
    at = 0 if "[<" in code or "[>" in code else 1 if value < 0 else 2 if value == 0 else 0
    section = sections[at] if at < len(sections) else sections[0]
    tokens = list(_TOKEN.finditer(section))
    numbers = [token[3] for token in tokens if token[3]]
    is_date = any(token[2] for token in tokens)
    if re.search("General|@", section) or "?" in section or len(numbers) > 1 - is_date:
        return plain_number(value)
    if is_date:
        in_time = 0 <= value <= _LAST_DAY - first_day
        return _date(value + first_day, section) if in_time else plain_number(value)
    sign = "-" if value < 0 and section is sections[0] and numbers else ""
    scaled = Decimal(repr(abs(value))).scaleb(2 * section.count("%"))

    def instead(token: re.Match[str]) -> str:
        return _digits(scaled, token[3]) if token[3] else _literal(token[1] or "")

    return sign + _TOKEN.sub(instead, section).strip()


def plain_number(value: float) -> str:
    """A number with as many digits as a spreadsheet keeps."""
    text = f"{value:.15g}"
    return f"{Decimal(text):f}" if "e" in text and abs(value) < 1e21 else text


def _literal(written: str) -> str:
    if written.startswith("[$"):
        return written[2:-1].partition("-")[0]
    return {'"': written[1:-1], "\\": written[1:], "_": " "}.get(written[:1], "")


def _digits(value: Decimal, code: str) -> str:
    pattern, exponent, power_code = code.upper().partition("E")
    whole, _, part = pattern.partition(".")
    if exponent:
        digits, power = f"{value:.{len(part)}E}".split("E")
        return f"{digits}E{power[0]}{power[1:].zfill(len(power_code) - 1)}"
    value = value.scaleb(-3 * (len(whole) - len(whole.rstrip(","))))
    rounded = value.quantize(Decimal(1).scaleb(-len(part)), ROUND_HALF_UP)
    text = f"{rounded:{',' * (',' in whole.rstrip(','))}f}"
    before, _, after = text.partition(".")
    least = len(part.rstrip("#"))
    after = after[:least] + after[least:].rstrip("0")
    return before.zfill(whole.count("0")) + ("." + after if after else "")


def _date(serial: float, section: str) -> str:
    days, seconds = divmod(round(serial * 86400), 86400)
    # Sheets have a 29 February 1900: before it their days are one off.
    start = datetime(1899, 12, 31 if days < 60 else 30)  # noqa: DTZ001 - a sheet knows no zone
    moment = start + timedelta(days=days, seconds=seconds)
    hour = moment.hour % 12 or 12 if "am/pm" in section.lower() else moment.hour
    parts = {
        "y": f"{moment:%y}", "yy": f"{moment:%y}", "yyyy": f"{moment.year:04}",
        "m": f"{moment.month}", "mm": f"{moment:%m}", "mmm": f"{moment:%b}", "mmmm": f"{moment:%B}",
        "d": f"{moment.day}", "dd": f"{moment:%d}", "ddd": f"{moment:%a}", "dddd": f"{moment:%A}",
        "h": f"{hour}", "hh": f"{hour:02}", "n": f"{moment.minute}", "nn": f"{moment:%M}",
        "s": f"{moment.second}", "ss": f"{moment:%S}", "am/pm": f"{moment:%p}",
    }  # fmt: skip

    def instead(token: re.Match[str]) -> str:
        if (token[2] or "").startswith("["):
            return str(days * 24 + moment.hour)
        return parts.get((token[2] or "").lower(), _literal(token[1] or ""))

    section = _MINUTES.sub(lambda m: (m[1] or "") + "n" * len(m[2] or m[4]), section)
    return _TOKEN.sub(instead, section).strip()
