"""Citation markers of an answer, and its source list.

One grammar, `_FORMS`: each form of a marker is a pattern, and what reads a match of it. Anchors
(`[cite:a1b2c3d4]`), numbers (`[2]`, `[1, 3-4]`, `[^1]`, `【1†source】`, `<sup>1</sup>`, a raised ¹)
and files (`(p.md, page 2)`, `[p.md]`, `([p.md](p.md))`, `Source: p.md`). Nothing inside code,
struck text or the target of a link is a marker. Source: section 5.1 of the ledger specification
for `[cite:…]`; the others as answers of language models have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from veridical.ledger.entry import Marker, MarkerKind
from veridical.ledger.extraction.page import AnswerPage, BlockKind, read_page
from veridical.ledger.extraction.reference_list import ReferenceList, cleaned, names_source
from veridical.ledger.extraction.words import LIMITS, has_verb, is_loaded, words_of
from veridical.sources.document import Span
from veridical.sources.patterns import lazy
from veridical.text.reading import SENTENCE_ENDS
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS

MAX_RANGE = 50
"""The longest range, `[1-50]`."""

MAX_MARKERS = 100_000
"""Markers of one answer; ranges count with all their members."""

MAX_NAME_CHARS = 100
"""A longer name is no marker: the wire format holds no longer value."""

SUFFIX = r"\.(?:md|txt|html?|pdf|docx|json|vtt|srt)"
"""What a name must end with to be that of a file."""


@dataclass(frozen=True, slots=True)
class MarkerProblem:
    """Something that looks like a marker and cannot be read as one: its place, and why."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Markers:
    """The markers of an answer in order, and what could not be read.

    `places` is where the markers stand, each place once, in order; `cuts` has the broken ones too,
    but for those that hold words: all this is left out of what claims say.
    """

    found: tuple[Marker, ...]
    problems: tuple[MarkerProblem, ...]
    places: tuple[Span, ...]
    cuts: tuple[Span, ...]


def source_list(answer: str) -> ReferenceList:
    """The list of sources that closes an answer.

    One with a title ("Sources:", "## References"), or a closing run of lines that each start with
    a number in brackets. A line that states something is no source, whatever stands above it.
    """
    return read_page(answer).sources


def markers_of(page: AnswerPage) -> Markers:
    """The citation markers of an answer, and those that are malformed; none of its source list."""
    found: list[Marker] = []
    problems: list[MarkerProblem] = []
    for span, values in _places(page):
        if isinstance(values, str):
            problems.append(MarkerProblem(span, values))
        elif len(found) + len(values) > MAX_MARKERS:
            message = f"more than {MAX_MARKERS:,} citation markers; those from here on are left out"
            problems.append(MarkerProblem(span, message))
            break
        else:
            found.extend(Marker(kind, value, span) for kind, value in values)
    places = tuple(dict.fromkeys(marker.span for marker in found))
    broken = {problem.span for problem in problems if not _has_words(page.text, problem.span)}
    return Markers(tuple(found), tuple(problems), places, tuple(sorted(broken.union(places))))


def _places(page: AnswerPage) -> Iterator[tuple[Span, _Values | str]]:
    """Each marker's place with what it says, or with what is wrong with it, in order."""
    notes = _Footnotes(page)
    places: list[tuple[Span, _Values | str]] = []
    for pattern, read in _FORMS:
        places.extend(
            (Span(found.start(), found.end()), values)
            for found in pattern.finditer(page.text)
            if (values := read(found, notes))
        )
    edge = 0
    for span, values in sorted(places, key=lambda place: (place[0].start, -place[0].end)):
        if span.start >= edge and not page.is_verbatim(span.start):
            yield span, values
            edge = span.end


_Values = list[tuple[MarkerKind, str]]


class _Footnotes:
    """The footnotes that an answer defines: `[^1]: fees.md`. `places` is where these stand."""

    def __init__(self, page: AnswerPage) -> None:
        self._listed = page.sources.entries
        self._notes: dict[str, str] = {}
        self.places: set[int] = set()
        for block in page.blocks:
            if block.kind is BlockKind.NOTE and block.mark:
                found = _FOOTNOTE.match(page.text, block.mark.start)
                if found:
                    self.places.add(block.mark.start)
                    line = page.text[block.start : block.end].partition("\n")[0]
                    self._notes.setdefault(str(int(found[1])), line)

    def meaning(self, number: str) -> tuple[MarkerKind, str]:
        """What `[^number]` means: its own footnote, before the entry of a list of that number."""
        note = self._notes.get(number)
        if note is None or self._listed.get(number) == cleaned(note):
            return MarkerKind.NUMBER, number
        name = next(iter(file_names(note)), cleaned(note)) if names_source(note) else ""
        if name and len(name) <= MAX_NAME_CHARS:
            return MarkerKind.NAME, name
        return MarkerKind.NUMBER, f"^{number}"


_FOOTNOTE = re.compile(r"\[\^(\d{1,3})\]:")
_AROUND = 60
"""Characters before a marker that tell whether it is one."""


def _before(found: re.Match[str]) -> str:
    return found.string[max(0, found.start() - _AROUND) : found.start()]


# Anchors: `[cite:a1b2c3d4]`.


_ANCHOR = re.compile(r"\[cite\b[^\[\]\r\n]{0,400}+(?:\]|)", re.IGNORECASE)
_ANCHOR_BODY = re.compile(
    r"\[cite:\s?([0-9a-f]{8,64}(?:\s?[,;]\s?(?:cite:\s?)?[0-9a-f]{8,64}){0,20})\]", re.IGNORECASE
)
_HEX = re.compile(r"[0-9a-f]{8,64}", re.IGNORECASE)
_PREFIX = re.compile(r"cite:", re.IGNORECASE)
_EDGES = re.compile(r"\A\[cite:?|\]\Z", re.IGNORECASE)
_NAME_OF_PLACE = re.compile(r"\S*[\d._/#-]\S*")
_NO_HASH = re.compile(r"[^\W\d_]*[g-zG-Z][^\W\d_]*")


def _anchor(found: re.Match[str], _: _Footnotes) -> _Values | str:
    if body := _ANCHOR_BODY.fullmatch(found[0]):
        values = _HEX.findall(_PREFIX.sub("", body[1]))
        return [(MarkerKind.ANCHOR, value.lower()) for value in values]
    if found[0].endswith("]"):
        return "a citation marker needs 8 to 64 hexadecimal digits, as in [cite:a1b2c3d4]"
    return "the citation marker is not closed with ]"


def _has_words(text: str, span: Span) -> bool:
    """Whether what looks like a broken marker holds words rather than the name of a place."""
    body = _EDGES.sub("", text[span.start : span.end])
    return any(_NO_HASH.search(word) for word in _NAME_OF_PLACE.sub(" ", body).split())


# Numbers: `[1]`, `[1, 3-4]`, `[^1]`, `【1†source】`, `<sup>1</sup>`, a raised ¹.


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
_RAISED = re.compile(
    rf"<sup\b[^<>]{{0,200}}+>(?:<a\b[^<>]{{0,300}}+>)?\[?(?P<list>{_LIST})\]?(?:</a>)?</sup>"
    r"|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,2}(?!\w)",
    re.IGNORECASE,
)
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


def _bracketed(found: re.Match[str], notes: _Footnotes) -> _Values | str | None:
    members = _members(found["list"] or f"{found['low']}-{found['high']}")
    if isinstance(members, list) and found["note"]:
        is_defined_here = found.start() in notes.places
        return None if is_defined_here else [notes.meaning(number) for _, number in members]
    return members


def _raised(found: re.Match[str], _: _Footnotes) -> _Values | None:
    """A raised number that is the mark of a note and no exponent."""
    before = _before(found)
    if not _NOTED.search(before) or _MEASURED.search(before):
        return None
    members = _members(found["list"] or found[0].translate(_RAISED_DIGITS))
    return members if isinstance(members, list) else None


def _dagger(found: re.Match[str], _: _Footnotes) -> _Values | None:
    name = _FILE.match(found["rest"] or "")
    if name is None and is_loaded(found["rest"] or ""):
        return None  # "【1†never】" is no citation
    if name is not None and len(name[0]) <= MAX_NAME_CHARS:
        return [(MarkerKind.NAME, name[0])]
    number = ":".join(str(int(part)) for part in found["number"].split(":"))
    return [(MarkerKind.NUMBER, number)]


def _members(text: str) -> _Values | str | None:
    """The members of a numbered marker; None where `[0]` shows that it is none."""
    numbers: list[int] = []
    for member in _MEMBER.finditer(text):
        first, last = int(member[1]), int(member[2] or member[1])
        if not first:
            return None
        if not first <= last < first + MAX_RANGE:
            return f"a range of sources must rise, over at most {MAX_RANGE}"
        numbers.extend(range(first, last + 1))
    return [(MarkerKind.NUMBER, str(number)) for number in dict.fromkeys(numbers)]


# Files: `(p.md)`, `[p.md, page 3]`, `([p.md](p.md))`, `Source: p.md`. Only what says nothing else
# is a citation: a file name, and perhaps the place in it. All other words in parentheses stay in
# the claim, for they may limit it.


_SIGNS = " \t*_`'\"\u201c\u201d\u2018\u2019"
_LINK = r"\[[^()\[\]\r\n]{1,200}+\]\([^()\s]{1,300}+\)"
_INSIDE = rf"(?:[^()\[\]\r\n\uff08\uff09\u3010\u3011]|{_LINK}){{1,300}}+"
_GROUP = re.compile(
    rf"(?<!\\)(?:(?P<round>[(\uff08])(?P<a>{_INSIDE})[)\uff09]"
    rf"|[\[\u3010](?P<b>{_INSIDE})[\]\u3011](?![(:]))"
)
_LABELLED = re.compile(
    r"(?<!\S)(?:\*\*|\*|_)?(?:Sources?|References?|Quellen?)(?:\*\*|\*|_)?[:\uff1a](?:\*\*|\*|_)?"
    rf"[ \t]*(?P<body>[^\r\n]{{0,299}}[^\r\n{_SIGNS}.])(?=[{_SIGNS}.]*(?:\r|\n|\Z))"
)
_HAS_FILE = re.compile(SUFFIX + r"(?!\w)", re.IGNORECASE)
_LEAD = re.compile(
    r"\s*(?:(?:see(?:\s+also)?|cf\.?|from|per|according\s+to|sources?|quellen?)\s*[:\uff1a]?\s+"
    r"|(?:sources?|refs?|references?|citations?|cites?|doc(?:ument)?s?|files?|quellen?)"
    r"\s*[:\uff1a]\s*)",
    re.IGNORECASE,
)
_WRAPPED_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]*)\)")
_NAME = re.compile(rf"[^\W_][\w ./\\&%+@-]{{0,{MAX_NAME_CHARS}}}?{SUFFIX}(?![\w.])", re.IGNORECASE)
_GENERIC = frozenset("source sources link ref reference citation quelle document doc".split())
_PLACE = lazy(
    r"""[\s:#>|\u2013\u2014-]*+(?:
    (?:sections?|sec\.?|\u00a7{1,2}|pages?|pp?\.?|chapters?|ch\.?|articles?|art\.?|clauses?|
       paragraphs?|paras?\.?|lines?|appendix|annex|slides?|abschnitt|seiten?|s\.|kapitel)\s*
    (?-i:(?:\d[\w.]{0,9}|[A-Z](?!\w))(?:\s?[-\u2013&]\s?\d[\w.]{0,9})?(?P<after>.*)|(?P<title>[A-Z].*))
    |(?<=:)\d{1,5}(?:[-\u2013]\d{1,5})?)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_MORE_PAGES = re.compile(r"\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})?")
_MOST_TITLE_WORDS = 8

_NEEDS_NAME = re.compile(
    r"\b(?:in|into|to|from|of|the|a|an|with|under|as|is|are|be|submit|send|use|open|download|"
    r"complete|sign|attach|read|files?|forms?|templates?|documents?|scripts?|named?|called|"
    r"attachments?|configuration|settings)[\s\"'*_]*\Z",
    re.IGNORECASE,
)
"""Words before a name that make it a part of the sentence."""

_ATTRIBUTES = re.compile(
    r"\b(?:according\s+to|(?:stated|described|noted|set\s+out|laid\s+down|specified|outlined|"
    r"mentioned)\s+(?:in|by))\s*\Z",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[*_~\s]*+(?:\Z|[.,;:!?)|\[(\u3010\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08])"
    r"|[*_~ \t]*+[\r\n]"
)
_BEGINS = re.compile(rf"(?:\A|[\r\n{SENTENCE_ENDS}])[\s*_~>)\]\"'\u201d-]*\Z")


def _group(found: re.Match[str], _: _Footnotes) -> _Values | None:
    body = found["a"] or found["b"]
    if not _HAS_FILE.search(body):
        return None
    lead = _LEAD.match(body)
    if not lead and not _stands_apart(found):
        return None
    return _named(body[lead.end() :] if lead else body)


def _labelled(found: re.Match[str], _: _Footnotes) -> _Values | None:
    is_one = _HAS_FILE.search(found["body"]) and _BEGINS.search(_before(found))
    return _named(found["body"]) if is_one else None


def _named(body: str) -> _Values:
    return [(MarkerKind.NAME, name) for name in file_names(body)]


def _stands_apart(found: re.Match[str]) -> bool:
    """Whether the sentence is whole without it."""
    before = _before(found)
    if _NEEDS_NAME.search(before) and not _ATTRIBUTES.search(before):
        return False
    if not found["round"]:
        return True
    return _ENDS.match(found.string, found.end()) is not None or _BEGINS.search(before) is not None


def file_names(body: str) -> tuple[str, ...]:
    """The file names in a citation; none where it says more than files and places in them."""
    found: list[str] = []
    is_placed = False
    for part in re.split("[,;\uff0c\u3001]", body):
        bare = _WRAPPED_LINK.sub(_of_link, part).strip(_SIGNS)
        name = _NAME.match(bare)
        if name and len(name[0]) <= MAX_NAME_CHARS and (" " not in name[0] or _is_plain(name[0])):
            found.append(name[0])
            is_placed = False
            bare = bare[name.end() :].strip(_SIGNS)
            if not bare:
                continue
        goes_on = is_placed and _MORE_PAGES.fullmatch(bare)
        if not found or not (goes_on or _is_place(bare)):
            return ()
        is_placed = True
    return tuple(dict.fromkeys(found))


def _of_link(link: re.Match[str]) -> str:
    """What a link is called; its target where that is "source" or a number."""
    text = link["text"].strip(_SIGNS)
    return link["target"] if text.lower() in _GENERIC or text.isdecimal() else text


def _is_place(text: str) -> bool:
    """Whether a text only says where in a document: "section 3", "p. 4", "Section Annual leave"."""
    found = _PLACE().fullmatch(text)
    if not found:
        return False
    title = (found["title"] or found["after"] or "").strip(_SIGNS + ":>\u2013\u2014-()")
    return not any(character.isdigit() for character in title) and _is_plain(title)


def _is_plain(text: str) -> bool:
    """Whether a few words only name something: they neither limit, deny nor state anything."""
    words = words_of(text, _MOST_TITLE_WORDS + 1)
    loaded = not (NEGATIONS | RESTRICTIONS).isdisjoint(words)
    return len(words) <= _MOST_TITLE_WORDS and not (
        loaded or has_verb(text) or LIMITS().search(text)
    )


_FORMS: tuple[
    tuple[re.Pattern[str], Callable[[re.Match[str], _Footnotes], _Values | str | None]], ...
] = (
    (_ANCHOR, _anchor),
    (_BRACKETED, _bracketed),
    (_RAISED, _raised),
    (_DAGGER, _dagger),
    (_GROUP, _group),
    (_LABELLED, _labelled),
)
"""The grammar; of forms at one place the longest match counts, then the first."""
