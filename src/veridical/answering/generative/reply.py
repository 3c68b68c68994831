"""A model's reply as bullets of sentences, each with the sources that it cites.

The Markdown of it is read as that of any answer (`veridical.ledger.extraction`), which also tells
statements from headings, pleasantries, remarks and refusals. None of it is believed here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from veridical.answering.generative.prompts import CANNOT_ANSWER
from veridical.ledger.entry import AnswerClaim, Marker, MarkerKind
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.page import AnswerPage, BlockKind, read_page
from veridical.ledger.extraction.reader import ClaimReader, Draft, refers_back
from veridical.ledger.extraction.rules import finished
from veridical.ledger.extraction.sentences import shown_text
from veridical.ledger.extraction.words import has_verb, words_of
from veridical.ledger.markers import markers_of
from veridical.models.protocol import FinishReason, ModelReply
from veridical.models.replies import ReplyRejected, parse_json_reply

# Citation markers of a reply: `[1]`, `[1, 2]`, `[1][2]`, `[1]-[3]`, `【1】`, `[^1]`.


_LINKED = re.compile(r"\[(?P<list>\^?\d{1,3})\]\([^()\s]{0,500}\)")
_NAMED = re.compile(
    r"[\[\u3010](?:sources?|refs?|references?|docs?|documents?|passages?|quellen?)[ #:]{0,3}"
    r"(?P<list>\d{1,3}(?:\s?[,;&\u2013-]\s?(?:sources?\s)?\d{1,3}){0,20})[\]\u3011]",
    re.IGNORECASE,
)
_APART = re.compile(r"(?<=\d\])[ \t]{1,3}([-\u2010-\u2014\u2212])[ \t]{1,3}(?=\[\d)")
_SOURCE = re.compile(r"sources?\s", re.IGNORECASE)

_LEFT = re.compile(r"[\[\uff3b\u3010]\s*\^?[\d\s,;:&\u2010-\u2014\u2212\u2020-]*[\]\uff3d\u3011]")
"""What could be read as a marker: digits in brackets, or brackets with nothing in them."""

_BRACKETS = str.maketrans("[]\uff3b\uff3d\u3010\u3011", "()()()")


def in_plain_form(reply: str) -> str:
    """A reply with `[1](#source-1)`, `[Source 1]` and `[1] - [3]` as `[1]`, `[1]` and `[1]-[3]`."""
    text = _LINKED.sub(r"[\g<list>]", reply)
    text = _NAMED.sub(lambda found: f"[{_SOURCE.sub('', found['list']).replace('&', ',')}]", text)
    return _APART.sub(r"\1", text)


def source_numbers(markers: Iterable[Marker], sources: int) -> tuple[int, ...]:
    """The numbers from 1 to `sources` that markers point to, in order, each once.

    Whatever else they point to, numbers without a source, file names, anchors, cites nothing: a
    model is shown sources by number alone.
    """
    numbers: dict[int, None] = {}
    for marker in markers:
        value = marker.value.lstrip("^")
        is_number = marker.kind is MarkerKind.NUMBER and value.isascii() and value.isdigit()
        if is_number and 1 <= int(value) <= sources:
            numbers[int(value)] = None
    return tuple(numbers)


def without_markers(text: str) -> str:
    """A text in which nothing looks like a marker: digits in brackets go, other brackets are round.

    `(1)` is no marker and stays.
    """
    return _LEFT.sub("", text).translate(_BRACKETS)


# A reply that is JSON although bullets were asked for: some servers know no other form.


_SOURCES = re.compile(r"sources?|citations?|cites?|refs?|references?|numbers?|ids?", re.IGNORECASE)
_QUOTES = re.compile(r"quot|snippet|excerpt|evidence|verbatim|think|thought|reason", re.IGNORECASE)
_MOST_LINES = 100


def lines_of_json(text: str) -> str | None:
    """The texts of a JSON reply as bullets with their source numbers; None if it is not JSON.

    In an object the numbers under a key such as "sources" go with its texts; quotations are left
    out.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = parse_json_reply(ModelReply(text.strip()))
    except ReplyRejected:
        return None
    lines = [line for line, _ in zip(_lines(value, ""), range(_MOST_LINES), strict=False)]
    return "\n".join(lines) if lines else None


def _lines(value: Any, markers: str) -> Iterator[str]:
    if isinstance(value, str):
        bullet = " ".join(value.split()).lstrip("-*\u2022 ")
        if bullet:
            yield f"- {bullet}{markers}"
    elif isinstance(value, list):
        for member in value:
            yield from _lines(member, markers)
    elif isinstance(value, dict):
        numbers = [n for key, member in value.items() if _SOURCES.fullmatch(key)
                   for n in _numbers(member)]  # fmt: skip
        own = "".join(f" [{number}]" for number in numbers) or markers
        for key, member in value.items():
            if not _SOURCES.fullmatch(key) and not _QUOTES.search(key):
                yield from _lines(member, own)


def _numbers(value: Any) -> Iterator[int]:
    """The numbers in a value: `[1, 2]`, `1`, `"[1]"`, `[{"source": 1}]`."""
    digits = re.findall(r"(?<!\d)\d{1,3}(?!\d)", json.dumps(value))
    yield from map(int, digits[:_MOST_LINES])


# A model's reply before it is read as Markdown: without what no reader is meant to see.


MAX_REPLY_CHARS = 16_000
"""More than twice what the tokens of a reply can hold; the rest of a longer one is not read."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_THINKING = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_THOUGHT = re.compile(rf"<{_THINKING}>.*?(?:</{_THINKING}>|\Z)", re.IGNORECASE | re.DOTALL)
_THOUGHT_END = re.compile(rf"</{_THINKING}>", re.IGNORECASE)

_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_INDENT = re.compile(r"^(?:\t| {4})[ \t]*", re.MULTILINE)
_NESTED = re.compile(r"^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]", re.MULTILINE)

_QUOTE = re.compile(
    r"(?:^[ \t]*(?:[-*+\u2022>][ \t]+)?|(?<=[\s(]))[*_]{0,3}(?:direct |exact |source |supporting )?"
    r"(?:quotes?|quotation|zitat|citation)[*_]{0,3}[ \t]*[:\uff1a](?P<said>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_MARKER = re.compile(r"\[\^?\d[\d,;\s\u2013-]{0,40}\](?:[-\u2013]\[\d{1,3}\])?")
_SENTENCE_END = re.compile(r"[.!?\u3002](?=\s|\[)")


def cleaned(text: str, *, cut_off: bool = False) -> str:
    """A reply as Markdown that may be read; empty where it says nothing.

    Thoughts, code fences, unseen characters and the model's own "Quote:" lines are gone, JSON is
    made into bullets. Of a reply that was `cut_off` in the middle, the last, broken line or
    sentence is left out.
    """
    if len(text) > MAX_REPLY_CHARS:
        text, cut_off = text[:MAX_REPLY_CHARS], True
    text = _without_unseen(_LINE_ENDS.sub("\n", text))
    text = _without_thoughts(text)
    text = _FENCE.sub("", text)
    text = lines_of_json(text) or text
    if cut_off:
        text = _whole_part(text)
    text = in_plain_form(text)
    return _QUOTE.sub(_citations_of, _without_indent(text)).strip()


def _without_unseen(text: str) -> str:
    """Without controls, direction overrides, zero-width characters, lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) not in _UNSEEN
    )


def _without_thoughts(text: str) -> str:
    text = _THOUGHT.sub("\n", text)
    ends = list(_THOUGHT_END.finditer(text))  # opened in the prompt, as some servers do
    return text[ends[-1].end() :] if ends else text


def _without_indent(text: str) -> str:
    """Without the indents that would make a line code; those of nested lists stay."""
    return _INDENT.sub(lambda found: found[0] if _NESTED.match(text, found.start()) else "", text)


def _citations_of(found: re.Match[str]) -> str:
    """The markers of a quote line: the bullet above may have no others."""
    return " " + "".join(_MARKER.findall(found["said"]))


def _whole_part(text: str) -> str:
    """A text that breaks off, up to the end of its last whole line or sentence."""
    line_end = text.rstrip().rfind("\n")
    if line_end >= 0:
        return text[:line_end]
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""


# Words of a model as plain text: nothing in it is markup, a marker or a quotation.


_TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,300}>?|<(?![\s\d=])|(?<![\s\d=-])>")
_MARKS = re.compile(r"[*`|\\]+|~~+|__+|(?<!\w)_|_(?!\w)|^[\s#>+\u2022-]+|&(?=#?\w+;)|!(?=\()")
_QUOTATION = re.compile('["\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f\uff02]')
_SINGLE = re.compile(
    r"(?<!\w)['\u2018](?=\w)((?:[^'\u2018\u2019]|['\u2019](?=\w)){1,400})['\u2019](?!\w)"
)
_LABEL = re.compile(r"\b(?:quotes?|quotation)\s*[:\uff1a]", re.IGNORECASE)
_BEFORE_SIGN = re.compile(r"\s+(?=[.,;:!?](?:\s|$))")


def plain(text: str) -> str:
    """A text in one line that a page can show in any form without rendering any of it.

    Quotation marks go too: the words within are judged like all others, and what is quoted in an
    answer is put there from the sources. Apostrophes stay.
    """
    text = " ".join(text.split())
    while True:
        shorter = _once(text)
        if shorter == text:
            return text
        text = shorter


def _once(text: str) -> str:
    """One pass; each makes the text shorter or leaves it, for what goes may join what is around."""
    text = without_markers(_MARKS.sub("", _TAG.sub("", text)))
    text = _SINGLE.sub(r"\1", _QUOTATION.sub("", text))
    text = _LABEL.sub("", text)
    return _BEFORE_SIGN.sub("", " ".join(text.split()))


MAX_CLAIMS = 60
"""Claims that are read of one reply; what is behind them is far beyond what was asked for."""

_MOST_FRAGMENT_WORDS = 6
_CONDITION = re.compile(
    r"\b(?:if|unless|except|only|not|never|cannot|without|until)\b|n['\u2019]t\b"
    r"|^\W*(?:when|where|for|in|during|after|before|no)\b",
    re.IGNORECASE,
)
"""What an introduction must not be left out for: "If you work part-time:"."""

_SAYS = re.compile(
    r"(?:the|this|our|your)\ (?:polic(?:y|ies)|sources?|documents?|handbook|guide)\ (?:also\ )?"
    r"(?:states?|says?|specif(?:y|ies)|notes?|explains?|provides?)(?:\ that\b|\s*[:,])\s*",
    re.IGNORECASE,
)
"""Who says so: what every statement is followed by in brackets anyway."""

_REFUSED = re.compile(rf"\W*{CANNOT_ANSWER}\b", re.IGNORECASE)
_ENDS = ".!?\u2026\u3002\uff01\uff1f"


@dataclass(frozen=True, slots=True)
class ReplySentence:
    """A sentence of a reply, as plain text without its full stop.

    `claims` are the sentence itself, or its two independent clauses. `cites` are the numbers of
    sources in order. `context` is what its pronouns and ellipses refer to. `is_fragment` says that
    it is no sentence by itself ("27 days"), `refers_back` that it leans on the one before it.
    """

    text: str
    claims: tuple[str, ...]
    cites: tuple[int, ...]
    context: str = ""
    is_fragment: bool = False
    refers_back: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says: its bullets, in order, and whether it refuses.

    `refused` means that it begins with a refusal; `denies` that it has one anywhere.
    `is_empty` means that it says nothing at all.
    """

    bullets: tuple[tuple[ReplySentence, ...], ...]
    refused: bool = False
    denies: bool = False
    is_empty: bool = False


def read_reply(reply: ModelReply, sources: int) -> Reply:
    """Read a reply to a prompt with so many `sources`. Never fails, whatever it is.

    A sentence without markers of its own cites what its bullet, or its paragraph, cites.
    """
    text = cleaned(reply.text, cut_off=reply.finish_reason is not FinishReason.STOP)
    if not any(character.isalnum() for character in text):
        return Reply((), is_empty=True)
    if _REFUSED.match(text):
        return Reply((), refused=True, denies=True)
    page = read_page(text)
    markers = markers_of(page)
    reader = ClaimReader(page, markers, MAX_CLAIMS)
    reader.read()
    extraction = finished(page, markers, reader, "", "")
    read = list(zip(reader.drafts, extraction.claims, strict=True))
    first = read[0][0].span.start if read else len(text)
    refusals = [skip for skip in extraction.skipped if skip.reason is SkipReason.REFUSAL]
    return Reply(
        tuple(_bullets(page, read, sources)),
        refused=any(skip.span.start < first for skip in refusals),
        denies=bool(refusals),
    )


_Read = tuple[Draft, AnswerClaim]


def _bullets(
    page: AnswerPage, read: Sequence[_Read], sources: int
) -> Iterator[tuple[ReplySentence, ...]]:
    """List items as they are; of a paragraph each sentence with those that refer back to it."""
    for _, members in groupby(read, key=lambda one: one[0].block):
        block = list(members)
        of_block = source_numbers((m for _, claim in block for m in claim.markers), sources)
        sentences = [
            sentence
            for _, parts in groupby(block, key=lambda one: one[0].sentence)
            if (sentence := _sentence(page, list(parts), sources, of_block)) is not None
        ]
        bullet: list[ReplySentence] = []
        for sentence in sentences:
            if bullet and block[0][0].kind is not BlockKind.ITEM and not sentence.refers_back:
                yield tuple(bullet)
                bullet = []
            bullet.append(sentence)
        if bullet:
            yield tuple(bullet)


def _sentence(
    page: AnswerPage, parts: Sequence[_Read], sources: int, of_block: tuple[int, ...]
) -> ReplySentence | None:
    """One sentence from its clauses; None where no words are left of it."""
    draft = parts[0][0]
    claims = [_statement(part.statement) for part, _ in parts]
    text = claims[0] if len(parts) == 1 else _statement(_shown(page, parts))
    if not any(character.isalpha() for character in text):
        return None
    lead = _lead(draft, text)
    if lead:
        text = f"{lead}: {text}"
    markers = [marker for _, claim in parts for marker in claim.markers]
    cites = source_numbers(markers, sources) if markers else of_block
    return ReplySentence(
        text=text.rstrip(_ENDS + " ") or text,
        claims=(text,) if lead or len(parts) == 1 else tuple(claims),
        cites=cites,
        context=draft.context,
        is_fragment=not lead and draft.kind is not BlockKind.ROW and _is_fragment(text),
        refers_back=not lead and refers_back(text),
    )


def _shown(page: AnswerPage, parts: Sequence[_Read]) -> str:
    """What a reader sees of a sentence of two clauses, without its markers."""
    start, end = parts[0][0].span.start, parts[-1][0].span.end
    places = sorted({m.span for _, claim in parts for m in claim.markers})
    cuts = [place for place in places if start <= place.start and place.end <= end]
    return shown_text(page.document, start, end, cuts).text


def _statement(shown: str) -> str:
    """Plain text without who says so before it."""
    text = plain(shown)
    says = _SAYS.match(text)
    rest = text[says.end() :] if says else text
    return f"{rest[:1].upper()}{rest[1:]}" if says and rest else text


def _lead(draft: Draft, text: str) -> str:
    """What introduces a list item that means nothing, or something else, without it."""
    if draft.kind not in (BlockKind.ITEM, BlockKind.TEXT) or not draft.context:
        return ""
    above = draft.context.rsplit("\n", 1)[-1]
    lead = plain(above).rstrip(":\uff1a. ")
    introduces = above.rstrip().endswith((":", "\uff1a"))
    if _is_fragment(text) or (introduces and _CONDITION.search(above)):
        return lead
    return ""


def _is_fragment(text: str) -> bool:
    """Whether words are no sentence by themselves: without a verb, or without a subject."""
    if text[:1].islower():
        return True
    return not has_verb(text) and len(words_of(text, 20)) <= _MOST_FRAGMENT_WORDS
