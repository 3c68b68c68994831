"""The list of sources that closes an answer: which lines it has, and what they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.words import is_statement
from veridical.sources.span import Span

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


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """Where the list stands, title and all (None: there is none): it makes no claim.

    `entries` maps the number, as a marker has it ("2"), to what the list calls the source.
    """

    span: Span | None
    entries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def find_reference_list(text: str) -> ReferenceList:
    """The list of sources that closes `text`."""
    lines = [_Line(found.start(), found.end(), found[0]) for found in _LINE.finditer(text)]
    for index in range(len(lines) - 1, -1, -1):
        title = _TITLE.match(lines[index].text) if len(lines[index].text) < 2_000 else None
        if title:
            found = _titled(lines, index, title)
            if found.span:
                return found
    return _closing_run(lines)


def _titled(lines: list[_Line], index: int, title: re.Match[str]) -> ReferenceList:
    """The list under a title; none where nothing there names a source."""
    rest = title["rest"].strip()
    if rest:
        if not (title["colon"] or title["second"]) or not names_source(rest):
            return ReferenceList(None)
        inline = tuple((number, cleaned(name)) for number, name in _INLINE.findall(rest))
        follows = _entries(lines, index + 1)
        last = follows[-1][0] if inline and follows else index
        kept = tuple((number, name) for _, number, name in follows if number) if inline else ()
        return _list(lines, index, last, inline + kept)
    found = _entries(lines, index + 1)
    if not found:
        return ReferenceList(None)
    entries = tuple((number, name) for _, number, name in found if number)
    return _list(lines, index, found[-1][0], entries)


def _entries(lines: list[_Line], first: int) -> list[tuple[int, str, str]]:
    """The entries from a line on: the index of the line, the number if there is one, the name."""
    found: list[tuple[int, str, str]] = []
    for index in range(first, len(lines)):
        line = lines[index].text.rstrip()
        if not line.strip():
            continue
        entry = _ENTRY.match(line)
        number = (entry["bracket"] or entry["plain"] or "") if entry else ""
        bullet = _BULLET.match(line)
        if entry and number and names_source(entry["name"]):
            found.append((index, f"{entry['note'] or ''}{int(number)}", cleaned(entry["name"])))
        elif bullet and not number and names_source(bullet["name"]):
            found.append((index, "", cleaned(bullet["name"])))
        elif _LOCATION.search(line) and names_source(line) and not line.lstrip().startswith("#"):
            found.append((index, "", cleaned(line)))
        else:
            break
    return found


def _closing_run(lines: list[_Line]) -> ReferenceList:
    """The lines at the end that each start with a number in brackets."""
    found: list[tuple[int, str, str]] = []
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index].text.rstrip()
        if not line.strip():
            continue
        entry = _ENTRY.match(line) if len(line) < 2_000 else None
        if not entry or not entry["bracket"] or not names_source(entry["name"]):
            break
        is_plain = entry["colon"] and not _DIGIT.search(entry["name"])
        if not is_plain and not _LOCATION.search(line):
            break
        number = f"{entry['note'] or ''}{int(entry['bracket'])}"
        found.append((index, number, cleaned(entry["name"])))
    if not found:
        return ReferenceList(None)
    entries = tuple((number, name) for _, number, name in reversed(found))
    return _list(lines, found[-1][0], found[0][0], entries)


def _list(
    lines: list[_Line], first: int, last: int, entries: tuple[tuple[str, str], ...]
) -> ReferenceList:
    kept: dict[str, str] = {}
    # A footnote only stands for a number that no line of the list has for its own.
    for number, name in sorted(entries, key=lambda entry: entry[0].startswith("^")):
        kept.setdefault(number.lstrip("^"), name)
    end = lines[last].start + len(lines[last].text.rstrip())
    start = lines[first].start + len(lines[first].text) - len(lines[first].text.lstrip())
    return ReferenceList(Span(start, end), kept)


def names_source(name: str) -> bool:
    """Whether an entry names a source and states nothing."""
    if len(name) > _MOST_NAME or is_statement(_LOCATION.sub(" ", name)):
        return False
    return not is_loaded(name) or _LOCATION.search(name) is not None


def cleaned(name: str) -> str:
    """The name as a reader sees it."""
    return " ".join(_MARKUP.sub("", name).split())
