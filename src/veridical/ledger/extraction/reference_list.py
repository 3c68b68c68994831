"""The list of sources that closes an answer: which lines it has, and what they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.ledger.extraction.words import is_loaded, is_statement
from veridical.sources.document import Span

_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_TITLE = re.compile(
    r"""[\s>]*+(?:\#{1,6}\s++)?(?:\*\*|__)?
    (?:sources?|references?|citations?|bibliography|works\ cited|sources\ (?:cited|used|consulted)|
    source\ documents?|further\ sources|quellen(?:angaben)?|quelle|literatur|fuentes?|referencias|
    r\u00e9f\u00e9rences|\u53c2\u8003\u6587\u732e|\u53c2\u8003\u8d44\u6599|\u51fa\u5178|\u6765\u6e90|\u0627\u0644\u0645\u0635\u0627\u062f\u0631|\u0627\u0644\u0645\u0631\u0627\u062c\u0639)
    \s*+(?P<colon>[:\uff1a])?(?:\*\*|__)?\s*+(?P<second>[:\uff1a])?(?P<rest>[^\r\n]*+)\s*+""",
    re.VERBOSE | re.IGNORECASE,
)
_ENTRY = re.compile(
    r"""[\s>]*+(?:[-*+\u2022]\s++)?
    (?:\[(?P<note>\^)?(?P<bracket>\d{1,3})\](?P<colon>:)?|(?P<plain>\d{1,3})[.):\uff0e]|(?P<bullet>(?<=\s)|(?<=^)))
    \s*+(?P<name>\S.*)""",
    re.VERBOSE,
)
_BULLET = re.compile(r"[\s>]*+[-*+\u2022]\s++(?P<name>\S.*)")
_INLINE = re.compile(r"\[(\^?\d{1,3})\]:?\s*([^\[\]\r\n]+)")
_LOCATION = re.compile(
    r"https?://\S+|[\w()&%+-]*[\w)][\w.()&%+-]*\.(?:pdf|docx?|md|txt|html?|xlsx?|csv|pptx?|rtf|odt|json)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)|\]\([^()\s]*\)|(?<!\w)\[")
_DIGIT = re.compile(r"\d")
_MOST_NAME = 300
_MOST_LINE = 2_000


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """Where the list stands, title and all (None: there is none): it makes no claim.

    `entries` maps the number, as a marker has it ("2"), to what the list calls the source.
    """

    span: Span | None
    entries: Mapping[str, str] = field(default_factory=dict)


class _Line(NamedTuple):
    """A line, without the white space at its end."""

    start: int
    text: str


_Entry = tuple[int, str, str]
"""The index of its line, its number ("^1" of a footnote, "" of none), and the name."""


def find_reference_list(text: str) -> ReferenceList:
    """The list of sources that closes `text`."""
    lines = [_Line(found.start(), found[0].rstrip()) for found in _LINE.finditer(text)]
    for index in range(len(lines) - 1, -1, -1):
        title = _TITLE.match(lines[index].text) if len(lines[index].text) < _MOST_LINE else None
        if title and (found := _titled(lines, index, title)):
            return _list(lines, found)
    return _list(lines, _closing_run(lines))


def _titled(lines: list[_Line], index: int, title: re.Match[str]) -> list[_Entry]:
    """The title and the list under it; nothing where nothing there names a source."""
    rest = title["rest"].strip()
    if not rest:
        found = _entries(lines, index + 1)
        return [(index, "", ""), *found] if found else []
    if not (title["colon"] or title["second"]) or not names_source(rest):
        return []
    inline = [(index, number, cleaned(name)) for number, name in _INLINE.findall(rest)]
    return [(index, "", ""), *inline, *(_entries(lines, index + 1) if inline else ())]


def _entries(lines: list[_Line], first: int) -> list[_Entry]:
    """The entries from a line on, as many as name a source each."""
    found: list[_Entry] = []
    for index in range(first, len(lines)):
        line = lines[index].text
        if not line:
            continue
        entry = _ENTRY.match(line)
        bullet = _BULLET.match(line)
        if entry and (number := _number(entry)) and names_source(entry["name"]):
            found.append((index, number, cleaned(entry["name"])))
        elif bullet and not (entry and _number(entry)) and names_source(bullet["name"]):
            found.append((index, "", cleaned(bullet["name"])))
        elif _LOCATION.search(line) and names_source(line) and not line.lstrip().startswith("#"):
            found.append((index, "", cleaned(line)))
        else:
            break
    return found


def _closing_run(lines: list[_Line]) -> list[_Entry]:
    """The lines at the end that each start with a number in brackets."""
    found: list[_Entry] = []
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index].text
        if not line:
            continue
        entry = _ENTRY.match(line) if len(line) < _MOST_LINE else None
        if not entry or not entry["bracket"] or not names_source(entry["name"]):
            break
        is_plain = entry["colon"] and not _DIGIT.search(entry["name"])
        if not is_plain and not _LOCATION.search(line):
            break
        found.append((index, _number(entry), cleaned(entry["name"])))
    return found[::-1]


def _number(entry: re.Match[str]) -> str:
    number = entry["bracket"] or entry["plain"] or ""
    return f"{entry['note'] or ''}{int(number)}" if number else ""


def _list(lines: list[_Line], found: list[_Entry]) -> ReferenceList:
    if not found:
        return ReferenceList(None)
    entries: dict[str, str] = {}
    # A footnote only stands for a number that no line of the list has for its own.
    for _, number, name in sorted(found, key=lambda entry: entry[1].startswith("^")):
        if number:
            entries.setdefault(number.lstrip("^"), name)
    first, last = lines[found[0][0]], lines[found[-1][0]]
    start = first.start + len(first.text) - len(first.text.lstrip())
    return ReferenceList(Span(start, last.start + len(last.text)), entries)


def names_source(name: str) -> bool:
    """Whether an entry names a source and states nothing."""
    if len(name) > _MOST_NAME or is_statement(_LOCATION.sub(" ", name)):
        return False
    return not is_loaded(name) or _LOCATION.search(name) is not None


def cleaned(name: str) -> str:
    """The name as a reader sees it."""
    return " ".join(_MARKUP.sub("", name).split())
