"""A claim's quote, and from where the search points to what it can rest on: the exact span."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from rapidfuzz.distance import Levenshtein

from veridical.matching.align import Needle
from veridical.matching.locate import Place
from veridical.networks.addressed import addressed
from veridical.sources.document import Document, Format, Span
from veridical.text.normalize import EDITORIAL_LETTER, fold
from veridical.text.reading import sentence_spans
from veridical.text.tokens import is_word_character, prepare
from veridical.validation.alterations import compare
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import (
    Alteration,
    AlterationKind,
    Comparison,
    DiffPart,
    Rule,
    struck_through,
)
from veridical.validation.results import Candidate, Match, MatchType

_ELLIPSIS = re.compile(
    r"\s*(?:[\[(<{]\s*(?:\.{2,}|\u2026|\. \. \.)\s*[\])>}]|\.{3,}|\u2026|\. \. \.)\s*"
)
_PUT_BEFORE = re.compile(r"[^\w\[]*\[(?=[^\[\]]*[^\W\d_])[^\[\]]{2,200}\](?!\w)")
_PUT_BEHIND = re.compile(r"\[(?=[^\[\]]*[^\W\d_])[^\[\]]{2,200}\][^\w\]]*\Z")
"""What whoever quotes has put in at an end, as in "[All] users must"."""

_SENTENCE_BREAK = re.compile(r"[.!?][\"'\u201d\u2019)]*\s+|\n\s*\n\s*")
MARKUP = re.compile(r"[*_`~<>&\[\]\\|#^]")
_MIN_PART_CHARS = 8


@dataclass(frozen=True, eq=False)
class Quote:
    """The words of a claim as given, and the readings of them that are looked for.

    `readings` holds the quote as it stands and, where it carries markup, as a reader would see it.
    `parts` are what stands between ellipses, where there are at least two such parts.
    """

    claim: Claim

    @property
    def text(self) -> str:
        """The quote as given."""
        return self.claim.quote

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The quote, then the quote without its markup where it has some; never twice the same."""
        readings = [self.text]
        if MARKUP.search(self.text):
            readings.append(EDITORIAL_LETTER.sub(r"\1", self.text))
            shown = _shown(self.text)
            readings += [shown] if shown is not None else []
        return tuple(dict.fromkeys(readings))

    @cached_property
    def struck(self) -> tuple[Alteration, ...]:
        """What the quote strikes out: whoever does that to words of the source does not quote it,
        and not every reader sees it.
        """
        document = _as_markup(self.text) if _MAY_STRIKE.search(self.text) else None
        words = (document.shown(span) for span in document.struck) if document else ()
        return tuple(Alteration(AlterationKind.NEGATION, f"~~{one}~~", one) for one in words)

    @cached_property
    def needles(self) -> tuple[Needle, ...]:
        """The readings in folded form, without doubles and empty ones."""
        folded = dict.fromkeys(fold(reading) for reading in self.readings)
        return tuple(Needle(text) for text in folded if text)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts between ellipses, in order; empty where there are fewer than two."""
        if "..." not in self.text and "\u2026" not in self.text and ". . ." not in self.text:
            return ()
        parts = [part for part in _ELLIPSIS.split(self.readings[-1]) if fold(part)]
        if len(parts) < 2 or any(len(fold(part)) < _MIN_PART_CHARS for part in parts):
            return ()
        return tuple(parts)


_GREATER_THAN = re.compile(r"(^|\n)([ \t]*)>(?=\d)")
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")
_MAY_STRIKE = re.compile(r"~.+~|<(?:del|s|strike)\b", re.DOTALL | re.IGNORECASE)


_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
_TAGS = frozenset(
    "a abbr b big blockquote br cite code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i kbd li mark "
    "ol p pre q s samp section small span strong sub sup table tbody td th thead tr tt u ul "
    "var".split()
)
_TARGET = re.compile(r"\]\((?:<[^<>\s]*>|[^()\s]*[/.:#][^()\s]*)\)|\]\[[^\]]*\]?|\[\^[^\]]*\]")


def _shown(text: str) -> str | None:
    """The quote without its markup; None if words would be lost that a reader of the quote sees.

    `>5` and `3*4` at places where Markdown has marks stay.
    """
    document = _as_markup(text)
    text = document.text
    if any(_loses_words(text[mask.start : mask.end], mask.shown) for mask in document.masks):
        return None
    return document.shown(Span(0, len(text)))


def _as_markup(text: str) -> Document:
    from veridical.sources.loader import document_from_text

    text = _TIMES.sub(r"\\*", _GREATER_THAN.sub(r"\1\2\\>", text))
    kind = Format.HTML if re.search(r"</?[a-zA-Z][^>]*>|<!--", text) else Format.MARKDOWN
    return document_from_text(text, "quote", kind)


def _loses_words(written: str, shown: str) -> bool:
    """Whether a mark hides anything but the name of a tag, a link's target or an entity's name."""
    if shown.strip() or not any(map(str.isalnum, written)):
        return False
    tag = _TAG.fullmatch(written)
    if tag is not None:
        return tag[1].lower() not in _TAGS
    return _TARGET.fullmatch(written) is None


NEIGHBOURHOOD = 48
"""Characters next to a place that are looked at for a word or number cut in two."""

_LONGEST_WORD = 40
_NEAR_EDGE = 12
_EDGE = re.compile(r"[^\w\s]{1,4}\s{0,4}")


def settle(
    document: Document,
    place: Place,
    quote: Quote,
    config: ValidationConfig,
) -> Candidate:
    """The candidate at a place that the search found."""
    span = verbatim_span(document, quote.text, place.span)
    if span is not None:
        return _candidate(document, span, quote.text, _compared(document, span, quote.text), config)
    span = _in_its_sentence(document, _extended(document, place, quote), quote.text)
    readings = range(len(quote.readings))
    return max((_read(document, span, quote, i, config) for i in readings), key=_quality)


def _in_its_sentence(document: Document, span: Span, quoted: str) -> Span:
    """The place without words of the sentence before, or behind, that stand there only because the
    quote has something put in at that end, which would be taken for a change of them.
    """
    text = document.text
    if put := _PUT_BEFORE.match(quoted):
        rest = fold(quoted[put.end() :])
        for gap in _SENTENCE_BREAK.finditer(text, span.start, span.end):
            if rest and fold(document.shown(Span(gap.end(), span.end))).endswith(rest):
                span = Span(gap.end(), span.end)
    if put := _PUT_BEHIND.search(quoted):
        rest = fold(quoted[: put.start()])
        for gap in _SENTENCE_BREAK.finditer(text, span.start, span.end):
            if rest and fold(document.shown(Span(span.start, gap.start()))).startswith(rest):
                return Span(span.start, gap.start())
    return span


def _read(
    document: Document, span: Span, quote: Quote, index: int, config: ValidationConfig
) -> Candidate:
    """The candidate for one reading of the quote; any but the first is one without its markup."""
    reading = quote.readings[index]
    comparison = _compared(document, span, reading)
    if index and not comparison.alterations:
        comparison = _with_rule(comparison, Rule.MARKUP)
    if quote.struck:
        comparison = Comparison((), (*comparison.alterations, *quote.struck), comparison.diff)
    return _candidate(document, span, reading, comparison, config)


def _quality(candidate: Candidate) -> tuple[bool, float, int]:
    """How well a reading fits; to see markup as markup is better than as something else."""
    comparison = candidate.comparison
    if comparison is None:
        return False, candidate.match.similarity, 0
    others = sum(rule is not Rule.MARKUP for rule in comparison.rules)
    return not comparison.alterations, candidate.match.similarity, -others


def verbatim_span(document: Document, quote: str, near: Span) -> Span | None:
    """Where the quote stands letter for letter, overlapping `near`, and can be seen there."""
    around = max(0, near.end - len(quote)), near.start + len(quote)
    anywhere = max(0, near.start - len(quote)), near.end + len(quote)
    for low, high in (around, anywhere):
        start = document.text.find(quote, low, high)
        while start >= 0:
            span = Span(start, start + len(quote))
            if span.overlap(near) and is_seen(document, span):
                return span
            start = document.text.find(quote, start + 1, high)
    return None


def is_seen(document: Document, span: Span) -> bool:
    """Whether a reader sees the words of a span: none unseen, and no more markup than words; and
    of signs alone, any.
    """
    if not len(document.masks):
        return True
    if not document.shown(span).strip():
        return False
    hidden = 0
    for mask in document.masks.between(span.start, span.end):
        inside = document.text[max(mask.start, span.start) : min(mask.end, span.end)]
        letters = sum(map(str.isalnum, inside))
        if letters and mask.unseen:
            return False
        hidden += letters - sum(map(str.isalnum, mask.shown))
    written = sum(map(str.isalnum, document.text[span.start : span.end]))
    return hidden == 0 or written - hidden >= hidden


def struck_span(document: Document, span: Span) -> Span | None:
    """The first part of a span that is struck through; None where there is none."""
    struck = document.struck
    after = bisect_right(struck, span.start, key=lambda part: part.end)
    if after == len(struck) or struck[after].start >= span.end:
        return None
    return Span(max(struck[after].start, span.start), min(struck[after].end, span.end))


def addressed_at(document: Document, span: Span) -> bool:
    """Whether the sentence at a span, or the one before it in its paragraph, speaks to a model, as
    far as words tell: a network would take as much memory again as all of a validation.
    """
    low, high = max(0, span.start - _SENTENCE), min(len(document.text), span.end + _SENTENCE)
    before = document.shown(Span(low, span.start)).rpartition("\n\n")[2]
    after = document.shown(Span(span.end, high)).partition("\n\n")[0]
    around = [before[start:end] for start, end in sentence_spans(before)]
    words = document.shown(span)
    rest = next((after[:end] for _, end in sentence_spans(after)), "")
    if words.rstrip()[-1:] in ".!?":
        rest = ""
    if around and before.rstrip()[-1:] not in ".!?":
        words = f"{around.pop()} {words}"
    said = [*around[-1:], f"{words}{rest}"]
    return addressed(said) < len(said)


_SENTENCE = 300
"""Characters on each side in which the rest of a sentence and the one before it are looked for."""


def _compared(document: Document, span: Span, quoted: str) -> Comparison:
    before, after = _beside(document, span)
    written = document.text[span.start : span.end]
    if quoted == written:
        comparison = compare(quoted, written, before=before, after=after)
    else:
        shown = document.shown(span)
        comparison = compare(quoted, shown, before=before, after=after)
        if shown != written and not comparison.alterations:
            comparison = _with_rule(comparison, Rule.MARKUP)
    struck = struck_span(document, span) if len(document.masks) else None
    if struck is None or (quoted == written and struck.end < span.end):
        return comparison
    return _taken_back(comparison, document.shown(struck))


def _beside(document: Document, span: Span) -> tuple[str, str]:
    """What a reader sees right before and right after a span."""
    text, low, high = document.text, max(0, span.start - NEIGHBOURHOOD), span.end + NEIGHBOURHOOD
    if not len(document.masks):
        return text[low : span.start], text[span.end : high]
    before = document.shown(Span(low, span.start))
    return before, document.shown(Span(span.end, min(len(text), high)))


def _taken_back(comparison: Comparison, words: str) -> Comparison:
    """The comparison of a quote that rests on words which the source strikes through."""
    alteration = struck_through(words)
    diff = comparison.diff or (DiffPart(words, alteration.source, equal=False),)
    return Comparison((), (*comparison.alterations, alteration), diff)


def _with_rule(comparison: Comparison, rule: Rule) -> Comparison:
    rules = tuple(r for r in Rule if r is rule or r in comparison.rules)
    return Comparison(rules, comparison.alterations, comparison.diff)


def _candidate(
    document: Document,
    span: Span,
    quoted: str,
    comparison: Comparison,
    config: ValidationConfig,
) -> Candidate:
    if not comparison.alterations and _is_exact(comparison, config):
        match = Match(document, span, MatchType.EXACT, 1.0, 1.0, 0)
    else:
        written = document.text[span.start : span.end]
        shown = written if quoted == written else document.shown(span)
        distance, similarity = measure(quoted, shown, config)
        if not comparison.alterations:
            distance, similarity = _constrained(quoted, shown, config)
        match = Match(document, span, MatchType.FUZZY, similarity, similarity, distance)
    return Candidate(match, comparison)


def _is_exact(comparison: Comparison, config: ValidationConfig) -> bool:
    exact = config.exact_matching
    if not exact.enabled:
        return False
    if exact.case_sensitive and Rule.CASE in comparison.rules:
        return False
    return exact.normalize_whitespace or Rule.WHITESPACE not in comparison.rules


def measure(quoted: str, shown: str, config: ValidationConfig) -> tuple[int, float]:
    """Edit distance in folded characters and similarity, 0 to 1, of a quote and a place.

    Where only signs differ, which folding forgets, the characters as written are counted.
    """
    one, other = fold(quoted), fold(shown)
    if one == other:
        one, other = _surface(quoted), _surface(shown)
    distance = Levenshtein.distance(one, other)
    if config.fuzzy_matching.algorithm == "sequence_matcher":
        return distance, round(SequenceMatcher(None, one, other, autojunk=False).ratio(), 6)
    return distance, _similarity(distance, one, other)


def _constrained(quoted: str, shown: str, config: ValidationConfig) -> tuple[int, float]:
    """Distance of words that agree, counting case or white space where the settings do."""
    exact = config.exact_matching
    if not exact.enabled:
        return 0, 1.0
    one, other = prepare(quoted), prepare(shown)
    if not exact.case_sensitive:
        one, other = one.casefold(), other.casefold()
    if exact.normalize_whitespace:
        one, other = " ".join(one.split()), " ".join(other.split())
    distance = Levenshtein.distance(one, other)
    return distance, _similarity(distance, one, other)


def _similarity(distance: int, one: str, other: str) -> float:
    return round(1 - distance / max(len(one), len(other), 1), 6)


def _surface(text: str) -> str:
    return " ".join(prepare(text).casefold().split())


def _extended(document: Document, place: Place, quote: Quote) -> Span:
    """The place with whole words where it is not exact, trailing marks, and the quote's own
    punctuation at its edges where it stands there too.
    """
    text = document.text
    start, end = place.span.start, place.span.end
    while end < len(text) and unicodedata.category(text[end])[0] == "M":
        end += 1
    if place.edit_distance:
        start, end = _whole_words(document, start, end)
    quoted = quote.text.strip()
    start -= _shared_edge(text[max(0, start - _NEAR_EDGE) : start][::-1], _edge(quoted)[::-1])
    end += _shared_edge(text[end : end + _NEAR_EDGE], _edge(quoted[::-1])[::-1])
    return Span(start, end)


def _shared_edge(text: str, edge: str) -> int:
    """How far a text goes on like the punctuation of an edge, which reads outwards from words.

    Signs of the edge that are not in the text, such as marks of emphasis, are passed over.
    """
    at = shared = 0
    for character in edge:
        if character.isspace():
            at += len(text[at:]) - len(text[at:].lstrip())
        elif at < len(text) and _alike(character, text[at]):
            at += 1
            shared = at
    return shared


def _whole_words(document: Document, start: int, end: int) -> tuple[int, int]:
    text = document.text
    low, high = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    edges = {edge for mask in document.masks.between(low, high) for edge in (mask.start, mask.end)}
    first, last = start, end
    while first > low and first not in edges and _one_word(text[first - 1], text[first]):
        first -= 1
    while last < high and last not in edges and _one_word(text[last - 1], text[last]):
        last += 1
    return (
        first if start - first < _LONGEST_WORD else start,
        last if last - end < _LONGEST_WORD else end,
    )


def _one_word(left: str, right: str) -> bool:
    return is_word_character(left) and is_word_character(right)


def _edge(text: str) -> str:
    """The punctuation at the start of a text, and the white space that parts it from the words."""
    found = _EDGE.match(text)
    return found.group() if found else ""


def _alike(one: str, other: str) -> bool:
    quotes = "'\"\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
    return one == other or (one in quotes and other in quotes)
