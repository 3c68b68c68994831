"""Citations by number: `[1]`, `[1, 3-4]`, `[^1]`, `【1†source】`, `<sup>1</sup>`, a raised ¹."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.named_citations import MAX_NAME_CHARS, SUFFIX
from veridical.sources.span import Span

MAX_RANGE = 50
"""The longest range, `[1-50]`."""

_OPEN, _CLOSE = r"[\[\uff3b\u3010]", r"[\]\uff3d\u3011]"
_DASH = r"[-\u2010-\u2014\u2212]"
_LIST = rf"\d{{1,3}}(?:\s?(?:[,;\uff0c\uff1b\u3001]|{_DASH})\s?\d{{1,3}}){{0,50}}"
_BRACKETED = re.compile(
    rf"(?<![\\!])(?:\[(?P<low>\d{{1,3}})\]{_DASH}\[(?P<high>\d{{1,3}})\](?!\()"
    rf"|{_OPEN}(?P<note>\^?)(?P<list>{_LIST}){_CLOSE}(?!\())"
)
_MEMBER = re.compile(rf"(\d+)(?:\s?{_DASH}\s?(\d+))?")
_DAGGER = re.compile(
    r"\u3010\s?(?P<number>\d{1,3}(?::\d{1,3})?)"
    r"(?:\s?[\u2020\u2021](?P<rest>[^\u3010\u3011\r\n]{0,300}+))?\u3011"
)
_FILE = re.compile(
    rf"[^\W_][^\u2020\u2021\r\n]{{0,{MAX_NAME_CHARS}}}?{SUFFIX}(?!\w)", re.IGNORECASE
)

_TAGGED = re.compile(
    rf"<sup\b[^<>]{{0,200}}+>(?:<a\b[^<>]{{0,300}}+>)?\[?(?P<list>{_LIST})\]?(?:</a>)?</sup>",
    re.IGNORECASE,
)
_RAISED = re.compile("[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,2}(?!\\w)")
_RAISED_DIGITS = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789"
)
_NOTED = re.compile(r"(?:[^\W\d_]{3,}|[.,;:!?%\"'\u201d\u2019\u3002]|[^\W\d_]{3,}\))[*_]*\s?\Z")
_MEASURED = re.compile(
    r"\b(?:met(?:er|re)s?|(?:kilo|centi|milli)met(?:er|re)s?|feet|foot|inch(?:es)?|miles?|yards?|"
    r"sec(?:onds?)?|units?|sin|cos|tan|log|chi)[*_]*\s?\Z",
    re.IGNORECASE,
)
"""Words after which a raised number is an exponent."""

_AROUND = 40


def bracketed(text: str) -> Iterator[tuple[Span, bool, list[int] | str]]:
    """Each number in brackets: its place, whether it is that of a footnote (`[^1]`), its members.

    In the place of the members stands what is wrong with them, where they cannot be read.
    """
    for found in _BRACKETED.finditer(text):
        members = _members(found["list"] or f"{found['low']}-{found['high']}")
        if members:
            yield Span(found.start(), found.end()), bool(found["note"]), members


def daggers(text: str) -> Iterator[tuple[Span, str, str]]:
    """Each `【1†...】`: its place, its number ("1", "4:0"), the file that it names or nothing."""
    for found in _DAGGER.finditer(text):
        name = _FILE.match(found["rest"] or "")
        number = ":".join(str(int(part)) for part in found["number"].split(":"))
        if name is None and is_loaded(found["rest"] or ""):
            continue  # "\u30101\u2020never\u3011" is no citation
        is_name = name is not None and len(name[0]) <= MAX_NAME_CHARS
        yield Span(found.start(), found.end()), number, name[0] if name and is_name else ""


def raised(text: str) -> Iterator[tuple[Span, list[int]]]:
    """Each raised number that is the mark of a note and no exponent: its place, its members."""
    for pattern in (_TAGGED, _RAISED):
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - _AROUND) : found.start()]
            if not _NOTED.search(before) or _MEASURED.search(before):
                continue
            written = found["list"] if pattern is _TAGGED else found[0].translate(_RAISED_DIGITS)
            members = _members(written)
            if isinstance(members, list):
                yield Span(found.start(), found.end()), members


def _members(text: str) -> list[int] | str | None:
    """The members of a numbered marker; None where `[0]` shows that it is none."""
    values: list[int] = []
    for member in _MEMBER.finditer(text):
        first, last = int(member[1]), int(member[2] or member[1])
        if not first:
            return None
        if not first <= last < first + MAX_RANGE:
            return f"a range of sources must rise, over at most {MAX_RANGE}"
        values.extend(range(first, last + 1))
    return list(dict.fromkeys(values))
