"""Workbooks (XLSX): what a reader sees of their sheets, cell by cell.

Numbers and dates are as the cell shows them, formulas by the value that was kept, a cell that is
merged over rows stands in each of them. Left out are hidden sheets, rows and columns, and what is
struck through. Read by our own reader: libraries do not tell what is hidden and how it is shown.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache, reduce

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.package import Element, Kind, Package, unpacked
from veridical.sources.parts import TextBuilder
from veridical.sources.sheets import MOST_COLUMNS, add_sheet, one_line

EXCEL = Kind("Excel workbook", "XLSX", "Excel", "xl/workbook.xml")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_UNREAD = {"drawing", "comments", "threadedComment"}
_ON = ("1", "true")
_CONTROL = re.compile(r"_x00[01][0-9A-Fa-f]_")
_DAYS_TO_1904 = 1462
_MOST_SHOWN = 1e15
_LONGEST_CODE = 255
_EXACT = Context(prec=1_000)
"""More digits than a code of that length can ask for."""


def read_xlsx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a workbook; each sheet that is shown has its name for a heading."""
    builder = TextBuilder(name, Format.XLSX, limits)
    with unpacked(data, name, limits, EXCEL) as package:
        _Workbook(package, builder).read()
    return builder.build(data)


class _Workbook:
    """The parts of a workbook that its sheets need."""

    def __init__(self, package: Package, builder: TextBuilder) -> None:
        self._package, self._builder = package, builder
        self._texts: list[str] = []
        self._looks: list[tuple[str, bool]] = []
        self._first_day = 0

    def read(self) -> None:
        """Add the sheets that are shown."""
        main = self._package.main_part()
        root, relations = self._package.parse(main), self._package.relations(main)
        parts = {one.id: one.part for one in relations if one.kind == "worksheet"}
        if any(one.attributes.get("date1904") in _ON for one in root.all("x:workbookPr")):
            self._first_day = _DAYS_TO_1904
        for one in relations:
            if one.kind == "styles":
                self._looks = _looks(self._package.parse(one.part))
            elif one.kind == "sharedStrings":
                strings = {"x:si": lambda element: self._texts.append(_rich(element))}
                self._package.parse(one.part, strings)
        for sheet in root.below("x:sheets"):
            given = sheet.attributes
            if given.get("state", "visible") != "visible":
                self._builder.warn("Hidden sheets were left out.")
            elif given.get("id") in parts:
                self._sheet(given.get("name", ""), parts[given["id"]])

    def _sheet(self, title: str, part: str) -> None:
        rows: dict[int, dict[int, str]] = {}
        hidden: set[int] = set()
        merged: list[Element] = []
        last = 0

        def column(element: Element) -> None:
            given = element.attributes
            if given.get("hidden") in _ON or given.get("width") == "0":
                end = min(_whole(given.get("max")), MOST_COLUMNS)
                hidden.update(range(_whole(given.get("min")) - 1, end))

        def row(element: Element) -> None:
            nonlocal last
            given = element.attributes
            last = number = _whole(given.get("r")) or last + 1
            if given.get("hidden") in _ON or given.get("ht") == "0":
                self._builder.warn("Hidden rows and columns were left out.")
                return
            rows[number] = {}
            at = -1
            for cell in element.all("x:c"):
                found = _REFERENCE.fullmatch(cell.attributes.get("r", ""))
                at = _column(found[1]) if found else at + 1
                if at in hidden:
                    self._builder.warn("Hidden rows and columns were left out.")
                elif text := self._shown(cell):
                    rows[number][at] = text

        self._package.parse(part, {"x:row": row, "x:col": column, "x:mergeCell": merged.append})
        if _UNREAD.intersection(one.kind for one in self._package.relations(part)):
            self._builder.warn("Text in comments, charts and drawings was not read.")
        _fill(rows, merged)
        add_sheet(self._builder, title, sorted(rows.items()))

    def _shown(self, cell: Element) -> str:
        """What a cell shows, on one line."""
        kind = cell.attributes.get("t", "n")
        said = "".join(text for value in cell.all("x:v") for text in value.texts)
        look = _whole(cell.attributes.get("s"))
        code, is_struck = self._looks[look] if look < len(self._looks) else ("", False)
        if is_struck or code == ";;;":
            return ""
        if kind == "inlineStr":
            said = "".join(map(_rich, cell.all("x:is")))
        elif not said and cell.all("x:f"):
            self._builder.warn("Formulas whose value is not kept in the file were left out.")
        elif kind == "s":
            said = self._texts[_whole(said)] if _whole(said) < len(self._texts) else ""
        elif kind == "b":
            said = "TRUE" if said == "1" else "FALSE"
        elif kind == "n" and said:
            said = _number(said, code, self._first_day)
        return one_line(said)


def _fill(rows: dict[int, dict[int, str]], merged: list[Element]) -> None:
    """Put what is merged over several rows in each of them that has other cells; what the cells
    below it hold is not seen.
    """
    end = max(rows, default=0)
    for one in merged:
        corners = one.attributes.get("ref", "").partition(":")
        top, bottom = _REFERENCE.fullmatch(corners[0]), _REFERENCE.fullmatch(corners[2])
        if not top or not bottom:
            continue
        first, left, right = int(top[2]), _column(top[1]), _column(bottom[1])
        text = rows.get(first, {}).get(left)
        for number in range(first, min(int(bottom[2]), end) + 1):
            if cells := rows.get(number):
                seen = {at: cell for at, cell in cells.items() if not left <= at <= right}
                rows[number] = seen | ({left: text} if text and (seen or number == first) else {})


def _whole(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"[0-9]{1,8}", text) else 0


def _column(letters: str) -> int:
    return reduce(lambda column, letter: 26 * column + ord(letter) - 64, letters, 0) - 1


def _rich(element: Element) -> str:
    """The text of a string, without what is struck through and how it is spoken."""
    parts = element.all("x:t")
    for run in element.all("x:r"):
        if not any(one.is_on for one in run.below("x:rPr") if one.tag == "x:strike"):
            parts += run.all("x:t")
    return _CONTROL.sub(" ", "".join(text for part in parts for text in part.texts))


def _looks(styles: Element) -> list[tuple[str, bool]]:
    """The format code of each look of a cell, and whether it is struck through."""
    codes: dict[int, str] = dict(BUILT_IN)
    for one in styles.below("x:numFmts"):
        codes[_whole(one.attributes.get("numFmtId"))] = one.attributes.get("formatCode", "")
    fonts = enumerate(styles.below("x:fonts"))
    struck = {at for at, font in fonts if any(one.is_on for one in font.all("x:strike"))}

    looks = [one.attributes for one in styles.below("x:cellXfs")]
    return [
        (codes.get(_whole(one.get("numFmtId")), ""), _whole(one.get("fontId")) in struck)
        for one in looks
    ]


@lru_cache(maxsize=65536)
def _number(said: str, code: str, first_day: int) -> str:
    try:
        value = float(said)
    except ValueError:
        return said
    if not 0 < len(code) <= _LONGEST_CODE or not abs(value) < _MOST_SHOWN:
        return plain_number(value)
    return shown_number(value, code, first_day)


# Numbers as a sheet shows them by the format code of their cell, and dates in words.


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
    rounded = value.quantize(Decimal(1).scaleb(-len(part)), ROUND_HALF_UP, _EXACT)
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
