"""Headings: found in plain text, numbered, and turned into the sections of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from veridical.sources.document import Document, Format, Section, Span
from veridical.sources.patterns import lazy

MAX_TITLE_CHARS = 300
"""A longer heading is a formatting accident; its title is cut here."""

_LONGEST_LINE = 100
_MOST_WORDS = 14

_KEYWORD = (
    r"(?:section|sect?\.|chapter|chap\.|article|art\.|part|appendix|annex|clause|schedule|title|§+)"
)
_NUMBER = lazy(
    rf"""\s*(?:
        (?i:{_KEYWORD})\s*(?P<named>\d{{1,4}}(?:\.\d{{1,4}})*[a-z]?|[IVXLC]+|[A-Z](?:\.\d{{1,4}})*)\b
      | (?P<dotted>\d{{1,3}}(?:\.\d{{1,3}})+)(?=[.):]?(?:\s|$))
      | (?P<closed>\d{{1,3}})(?=[.):](?:\s|$))
      | (?P<bare>\d{{1,2}})(?=\s+[^\W\d_a-z])
    )""",
    re.VERBOSE,
)
_LINE = lazy(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_NUMBERED = lazy(r"(\d{1,3}(?:\.\d{1,3}){0,5})([.)]?)[ \t]+([^\W\d_].*+)")
_NAMED = lazy(
    rf"(?i:{_KEYWORD})[ \t]*(?:\d{{1,4}}(?:\.\d{{1,4}})*[A-Za-z]?|[IVXLC]+|[A-Z])\b[.:]?(.*+)"
)
_TOP_KEYWORD = lazy(r"(?i:part|title|chapter|chap\.|article|art\.)")
_STARTS = frozenset("acpst\u017fACPST\u00a7")
"""How a keyword can begin, in any case. Most lines that are no heading begin otherwise."""
_RULES = frozenset("=-~")
_RULE = lazy(r"(={3,}+|-{3,}+|~{3,}+)[ \t]*+")
_AFTER_NUMBER = " \t:.-\N{EN DASH}\N{EM DASH}"
_LEADERS = lazy(r"\.{4}|(?:\. ){3}|…|[ \t]{2}\d+$")
_SMALL_WORD = lazy(r"(?:an?|and|as|at|but|by|for|from|in|nor|of|on|or|the|to|vs|with)(?![^\W\d_])")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading before it is a section: its level (1 is the outermost), place and title."""

    level: int
    span: Span
    title: str


def heading_at(text: str, level: int, start: int, end: int) -> Heading:
    """The heading `text[start:end]`, its title as it is written but on one line."""
    title = " ".join(text[start:end].split())
    return Heading(level, Span(start, end), title[:MAX_TITLE_CHARS])


def build_sections(text: str, headings: Iterable[Heading]) -> tuple[Section, ...]:
    """Sections in the order of the text; each ends where the next heading starts.

    Headings without a title are dropped.
    """
    ordered = sorted((h for h in headings if h.title), key=lambda heading: heading.span)
    enclosing: list[Heading] = []
    sections: list[Section] = []
    line, counted_to = 1, 0
    for index, heading in enumerate(ordered):
        line += text.count("\n", counted_to, heading.span.start)
        counted_to = heading.span.start
        while enclosing and enclosing[-1].level >= heading.level:
            enclosing.pop()
        enclosing.append(heading)
        end = ordered[index + 1].span.start if index + 1 < len(ordered) else len(text)
        sections.append(
            Section(
                title=heading.title,
                level=heading.level,
                line=line,
                heading=heading.span,
                end=end,
                path=tuple(outer.title for outer in enclosing),
                number=heading_number(heading.title),
            )
        )
    return tuple(sections)


def with_sections(document: Document, places: Iterable[tuple[int, Span]]) -> Document:
    """`document` with sections at `places` (level, span), titled as its reader sees them."""
    seen = ((level, span, " ".join(document.shown(span).split())) for level, span in places)
    headings = (Heading(level, span, title[:MAX_TITLE_CHARS]) for level, span, title in seen)
    return replace(document, sections=build_sections(document.text, headings))


def heading_number(title: str) -> str:
    """The printed number of a heading: "3.2" of "3.2 Leave", "IV" of "Article IV"; else empty."""
    found = _NUMBER().match(title)
    if found is None:
        return ""
    return found["named"] or found["dotted"] or found["closed"] or found["bare"]


def find_headings(text: str) -> list[Heading]:
    """Headings of text without markup, found by how they look; conservative.

    A heading is a short line that is numbered ("3.2 Leave"), named ("ARTICLE IV"), underlined, or
    in capitals. Sentences, list items, entries of a table of contents and shouted paragraphs are
    none.
    """
    starts, lines = _lines(text)
    headings: list[Heading] = []
    has_top_keyword = False
    for index, line in enumerate(lines):
        if not 2 <= len(line) <= _LONGEST_LINE:
            continue
        after = lines[index + 1] if index + 1 < len(lines) else ""
        if not (line[0] in _STARTS or after[:1] in _RULES or line[0].isdecimal() or line.isupper()):
            continue
        before = lines[index - 1] if index else ""
        level = _level(line, before, after, has_top_keyword)
        if level and not _LEADERS().search(line):
            has_top_keyword = has_top_keyword or bool(_TOP_KEYWORD().match(line))
            at = text.index(line, starts[index])
            headings.append(heading_at(text, level, at, at + len(line)))
    return headings


def _lines(text: str) -> tuple[Sequence[int], Sequence[str]]:
    """Where each line begins, and the lines without the white space around them."""
    if "\r" in text:
        found = list(_LINE().finditer(text))
        return [line.start() for line in found], [line[0].strip() for line in found]
    lines = text.split("\n")  # in a tenth of the time
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return list(starts), [line.strip() for line in lines]


def _level(line: str, before: str, after: str, has_top_keyword: bool) -> int:
    """The level of the heading that `line` is, or 0."""
    rule = _RULE().fullmatch(after) if after[:1] in _RULES else None
    fits = rule and len(line) / 2 <= len(rule[1]) <= len(line) * 2 + 2
    if rule and fits and not before and any(map(str.isalpha, line)):
        return 1 if rule[1][0] == "=" else 2
    if len(line.split()) > _MOST_WORDS:
        return 0
    named = _NAMED().match(line)
    if named and _is_title(named[1], line):
        return 2 if has_top_keyword and not _TOP_KEYWORD().match(line) else 1
    numbered = _NUMBERED().fullmatch(line) if line[0].isdecimal() else None
    if numbered:
        return _numbered_level(numbered, before, after)
    starts_afresh = not before or (before[-1] in ".!?:" and not _is_capitals(before))
    return int(starts_afresh and _is_capitals(line) and not _is_capitals(after))


def _is_title(rest: str, line: str) -> bool:
    """Whether what follows "Section 4" reads as its title, not as the rest of a sentence."""
    title = rest.lstrip(_AFTER_NUMBER)
    if not title:
        return line[-1] not in ",;"
    return title[0].isupper() and title[-1] not in ".,;"


def _numbered_level(numbered: re.Match[str], before: str, after: str) -> int:
    number, _, title = numbered.groups()
    if not title[0].isupper() or title[-1] in ".,;:":
        return 0
    if "." in number:
        return number.count(".") + 1
    # "1. Wash" may be a list item: only a title in title case, with no item beside it, is one.
    is_listed = bool(_NUMBERED().fullmatch(before) or _NUMBERED().fullmatch(after))
    words = [word for word in re.findall(r"[^\W\d_]+", title) if not _SMALL_WORD().match(word)]
    return int(not is_listed and bool(words) and all(word[0].isupper() for word in words))


def is_title_like(words: str, *, at_ease: bool) -> bool:
    """Whether the words of a line that is set as a heading read as one; `at_ease` where its look
    leaves little doubt. No entry of a table of contents, no sentence, no label.
    """
    if sum(map(str.isalpha, words)) < 2 or _LEADERS().search(words):
        return False
    if at_ease:
        return True
    first = next(char for char in words if char.isalnum())
    ends_as_text = words[-1] in ",;:" or (words[-1] == "." and not heading_number(words))
    return not first.islower() and not ends_as_text


def _is_capitals(line: str) -> bool:
    if not line.isupper() or line[-1] in ",;-":  # most lines; the letters need not be counted
        return False
    letters = sum(map(str.isalpha, line))
    return letters >= 4 and letters >= 0.6 * len(line)


def read_plain_text(text: str, name: str, *, size_bytes: int) -> Document:
    """Read text without markup. Offsets are code points of `text`, which is kept as it is."""
    return Document(
        name=name,
        text=text,
        format=Format.PLAIN_TEXT,
        sections=build_sections(text, find_headings(text)),
        size_bytes=size_bytes,
    )
