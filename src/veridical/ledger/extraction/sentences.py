"""What a reader sees of one block, and where its sentences begin and end, in any language."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from veridical.judging.words import FUNCTION_WORDS
from veridical.ledger.extraction.words import LOADED
from veridical.sources.document import Document, Span
from veridical.text.lexicon import any_of
from veridical.text.reading import NEGATING_SIGNS, SENTENCE_ENDS, cut_at_spaces
from veridical.validation.lexicon import MODALS

_TOGGLES = "*_~`"
_TAG = re.compile(r"</?([^\s/>]*)|>")
_PUNCTUATION = ".,;:!?)]\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u060c\u061b\u061f"


@dataclass(slots=True)
class ShownText:
    """The shown `text` of a block: character `i` comes from `answer[starts[i]:ends[i]]`.

    `marks` are the places of markup without text of its own (emphasis, link targets), in order.
    `breaks` are the offsets in `text` of line ends that a reader sees as such.
    """

    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)

    def source(self, answer: str, start: int, end: int) -> Span:
        """Where the non-empty `text[start:end]` stands, with the markup that pairs inside it."""
        low, high = self.starts[start], self.ends[end - 1]
        left = bisect_left(self.marks, Span(low, low))
        right = bisect_left(self.marks, Span(high, high))
        before = self.ends[start - 1] if start else -1
        while left and self.marks[left - 1].end == low and self.marks[left - 1].start >= before:
            left -= 1
            low = self.marks[left].start
        after = self.starts[end] if end < len(self.starts) else len(answer)
        while right < len(self.marks) and self.marks[right].start == high:
            if self.marks[right].end > after:
                break
            high = self.marks[right].end
            right += 1
        return _balanced(answer, self.marks[left:right], Span(low, high))

    def core(self) -> tuple[int, int]:
        """Start and end of `text` without the white space around it."""
        start = len(self.text) - len(self.text.lstrip())
        return start, max(start, len(self.text.rstrip()))


def shown_text(document: Document, start: int, end: int, cuts: Sequence[Span]) -> ShownText:
    """What a reader sees of `document.text[start:end]` and is not struck out, less `cuts`.

    `cuts` are sorted and disjoint; those that begin outside are left alone.
    """
    text, made = document.text, ShownText()
    characters: list[str] = []

    def show(shown: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        characters.extend(shown)
        made.starts.extend(starts)
        made.ends.extend(ends)

    first = bisect_left(cuts, Span(start, start))
    gone = [*cuts[first : bisect_left(cuts, Span(end, end), lo=first)]]
    gone += struck_out(document, start, end)
    pieces: list[tuple[int, int, str | None]] = [(cut.start, cut.end, None) for cut in gone]
    pieces += [(mask.start, mask.end, mask.shown) for mask in document.masks.between(start, end)]
    at = start
    # By place; at one place first what is cut, and of two cuts the longer.
    order = sorted([*pieces, (end, end, "")], key=lambda one: (one[0], one[2] is not None, -one[1]))
    for low, high, shown in order:
        if at < (upto := min(low, end)):
            show(text[at:upto], range(at, upto), range(at + 1, upto + 1))
        if shown is None and high > at:
            if _closes_up(text[high : min(high + 1, end)]):
                while characters and characters[-1] in " \t":
                    del characters[-1], made.starts[-1], made.ends[-1]
        elif shown is not None and at <= low < end:
            is_break = shown == "\n" or (text[low:high] == "\\" and text[high : high + 1] in "\r\n")
            if is_break:
                made.breaks.append(len(characters))
            if shown:
                show(shown, [low] * len(shown), [high] * len(shown))
            else:
                made.marks.append(Span(low, high))
        at = min(max(at, high), end)
    made.text = "".join(characters)
    made.breaks = [place for place in made.breaks if place < len(characters)]
    return made


def _closes_up(follows: str) -> bool:
    """Whether a marker that is left out takes along the space before it."""
    return not follows or follows.isspace() or follows in _PUNCTUATION


def struck_out(document: Document, start: int, end: int) -> list[Span]:
    """What of `document.text[start:end]` is struck out, with the marks that strike it."""
    struck = document.struck
    found: list[Span] = []
    for index in range(bisect_left(struck, start, key=lambda span: span.end), len(struck)):
        low, high = struck[index].start, struck[index].end
        if low >= end:
            break
        low = min((mask.start for mask in document.masks.between(low - 1, low)), default=low)
        high = max((mask.end for mask in document.masks.between(high, high + 1)), default=high)
        if max(low, start) < min(high, end):
            found.append(Span(max(low, start), min(high, end)))
    return found


def _balanced(answer: str, marks: Sequence[Span], span: Span) -> Span:
    """`span` less the marks at its edges that have no partner inside it."""
    alone: list[Span] = []
    opened: list[tuple[str, Span]] = []
    for mark in marks:
        key, closes = _key(answer[mark.start : mark.end])
        if opened and opened[-1][0] == key and closes is not False:
            opened.pop()
        elif closes is True:
            alone.append(mark)
        elif key != "\\" or mark.end == span.end:
            opened.append((key, mark))
    alone = sorted([*alone, *(mark for _, mark in opened)])
    start, end = span.start, span.end
    for mark in alone:
        if mark.start == start:
            start = mark.end
    for mark in reversed(alone):
        if mark.end == end:
            end = mark.start
    return Span(start, max(start, end))


def _key(mark: str) -> tuple[str, bool | None]:
    """What pairs a mark with another, and whether it closes: None where it may do either."""
    if mark[0] in _TOGGLES:
        return mark, None
    if mark[0] in "[]":
        return "[", mark[0] == "]"
    if tag := _TAG.match(mark):
        return f"<{(tag[1] or '').lower()}", mark == ">" or mark.startswith("</")
    return mark[0], None if mark[0] == "\\" else True


MAX_CLAIM_CHARS = 2_000
"""A longer sentence is cut at a space: no reader would take it for one."""

_MOST_ASCII = 64 * 1024
_MOST_FOREIGN = 4 * 1024
_ANY_END = re.compile(rf"[{SENTENCE_ENDS}](?=\s)|[\u3002\uff01\uff1f\uff61\n]")

_ODD_SPACE = re.compile(r"[^\S \t\r\n]|[\ud800-\udfff]")
_ABBREVIATED = re.compile(
    rf"""(?:\b(?:
    approx|no|nos|nr|art|arts|sec|sect|ch|p|pp|para|paras|cf|vs|incl|excl|max|min|ca|ggf|
    bzw|abs|vgl|usw|z\.\ ?b|d\.\ ?h|u\.\ ?a|st|fig|tab|est|dept|ext|temp|e\.g|i\.e|sog|inkl|zzgl|
    evtl|mind|tel|av|env|etc|{any_of("titles", "months-cut-short")})
    |^[A-Z])\.\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|\D)\d{1,2}\.\s*$")
_GOES_ON = re.compile(r"\s*[a-z\u00df-\u00f6\u00f8-\u00ff\u0430-\u044f)\]\u00bb\u201d,;]")
_DENIED = re.compile(rf"\s*[{NEGATING_SIGNS}]\ufe0f?\s*(?:\n|\Z)")
"""A cross behind a sentence, which takes it back."""

_UNPARTED = re.compile("[\u200b-\u200f\u2060\ufeff]+\\d")
"""Nothing that is seen parts the halves of a number: "20.", a space without width, "5"."""

_MONTH = re.compile(
    r"\s*(?:Januar|Februar|M\u00e4rz|Mai|Juni|Juli|Oktober|Dezember|"
    rf"{any_of('months').title()})\b"
)
_NEW_SENTENCE = re.compile(r"\s*(?:[A-Z]|\d)")
_LABELLED = re.compile(r"\s*(?:[-\u2013\u2022*]\s*)?[^\W\d_][^:.!?\r\n]{0,60}[:\uff1a]\s+\S")
_ENDED = re.compile(rf"[{SENTENCE_ENDS}:][)\]\"'\u201d\u00bb*_]*\s*$")


def sentences(shown: ShownText) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence of `shown.text`, white space trimmed, in order."""
    text = shown.text
    edges = [0, *_line_edges(shown), len(text)]
    for start, end in pairwise(edges):
        for first, last in _within(text, start, end):
            yield from cut_at_spaces(text, first, last, MAX_CLAIM_CHARS)


def _line_edges(shown: ShownText) -> list[int]:
    """The line ends that end a sentence although no sign does."""
    text, edges = shown.text, []
    if "\n" not in text:
        return []
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    labelled = len(filled) > 1 and all(_LABELLED.match(line) for line in filled)
    at = 0
    for line in lines[:-1]:
        at += len(line)
        place = bisect_left(shown.breaks, at)
        is_break = place < len(shown.breaks) and shown.breaks[place] <= at + 1
        is_hard = (is_break or line.endswith("  ")) and not _runs_on(line, text, at + 1)
        if labelled or is_hard or _ENDED.search(line[-8:]):
            edges.append(at + 1)
        at += 1
    return edges


_LAST_WORD = re.compile(r"([^\W\d_]+)\W*\Z")
_FIRST_WORD = re.compile(r"\W*([^\W\d_]+)")


def _runs_on(line: str, text: str, end: int) -> bool:
    """Whether a sentence goes on over a hard break, as in "Managers may<br>not approve"."""
    last, first = (
        _LAST_WORD.search(line[-_MOST_WORD:]),
        _FIRST_WORD.match(text, end, end + _MOST_WORD),
    )
    if first is not None and (first[1].islower() or first[1].casefold() in LOADED):
        return True
    return last is not None and last[1].casefold() in _NEVER_LAST


_MOST_WORD = 60
_NEVER_LAST = (FUNCTION_WORDS | LOADED | MODALS.keys()) - frozenset("it so there here".split())
"""Words that no sentence ends with."""


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a stretch, as the splitter finds them, with its slips undone."""
    opened = -1
    for first, last in _split(text, start, end):
        opened = first if opened < 0 else opened
        if not _continues(text, opened, last, end):
            yield opened, last
            opened = -1
    if 0 <= opened < end:
        yield opened, end


_NO_MONTH = re.compile(r"(?<=\s)(?:may|mar|sat|sun|no)\.\s+(?=[A-Z])")
"""A word that the splitter takes for a shortened month or day, at the end of a sentence."""


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What the splitter makes of a stretch."""
    import sentencex

    for first, last in _stretches(text, start, end):
        # The splitter takes any white space for one byte, and panics where it is not.
        plain = _ODD_SPACE.sub(" ", text[first:last])
        for found in sentencex.get_sentence_boundaries("en", plain):
            at = first + found["start_index"]
            end_of_sentence = first + found["end_index"]
            for missed in _NO_MONTH.finditer(text, at, end_of_sentence):
                yield at, missed.end()
                at = missed.end()
            if at < end_of_sentence:
                yield at, end_of_sentence


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts that end with a sentence: on other than ASCII the splitter takes quadratic time."""
    while start < end:
        size = _MOST_ASCII if text[start : start + _MOST_ASCII].isascii() else _MOST_FOREIGN
        stop = min(end, start + size)
        if stop < end:
            ends = [found.end() for found in _ANY_END.finditer(text, start, stop)]
            space = text.rfind(" ", start + 1, stop)
            stop = ends[-1] if ends else space if space > start else stop
        yield start, stop
        start = stop


def _continues(text: str, start: int, end: int, stop: int) -> bool:
    """Whether what the splitter took for a sentence's end is none."""
    if end >= stop:
        return False
    tail, head = text[max(start, end - 24) : end], text[end : min(stop, end + 24)]
    if tail.endswith("<!") or _DENIED.match(head) or _UNPARTED.match(head):
        return True
    if not tail.rstrip().endswith("."):
        return False
    if _ORDINAL.search(tail):
        return bool(_MONTH.match(head) or _GOES_ON.match(head)) or end - start <= 4
    if _ABBREVIATED.search(tail):
        # "etc." and "5 p.m." may end a sentence; before a capital they are taken to.
        return not (tail.rstrip().lower().endswith("etc.") and _NEW_SENTENCE.match(head))
    return bool(_GOES_ON.match(head))
