"""Quotes inside an answer: what stands in quotation marks or a block quote, looked up word by word.

What a reader takes for the words of a source must be its words. An answer that changes them, if
only a number, is not borne out there, whatever becomes of the claim around the quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from veridical.ledger.extraction.page import AnswerPage, Block, BlockKind, read_page
from veridical.ledger.extraction.sentences import struck_out
from veridical.sources.document import Document, Span, is_place
from veridical.text.lexicon import english
from veridical.text.tokens import tokenize
from veridical.validation.claims import MAX_QUOTE_CHARS, quotes_as_claims
from veridical.validation.config import PerformanceLimits, SemanticMatching, ValidationConfig
from veridical.validation.differences import Alteration, AlterationKind
from veridical.validation.lexicon import CARDINALS, NEGATIONS, RESTRICTIONS
from veridical.validation.results import ClaimResult, Fidelity, Match

if TYPE_CHECKING:
    from veridical.validation.validator import Validator


@dataclass(frozen=True, slots=True)
class NearestWords:
    """The passage that a verdict rests on, or that comes nearest where nothing bears on the claim.

    `text` is what a reader sees of it on one line, `span` its place in the text of the document.
    `line` counts from 1, None where lines are not those of a file; `page` counts from 1, None where
    there are no pages; `section` may be empty.
    """

    text: str
    document: Document
    span: Span
    line: int | None = None
    page: int | None = None
    section: str = ""

    @property
    def source(self) -> str:
        """The name of the document."""
        return self.document.name

    @property
    def place(self) -> str:
        """`policy.md:48`, `handbook.pdf, page 3` or `standard.docx, section “2.1 Classes”`."""
        name = self.document.name
        if self.page is not None:
            return f"{name}, {self.document.page_name(self.page)}"
        if self.line is not None:
            return f"{name}:{self.line}"
        section = self.section if is_place(self.section) else f"section “{self.section}”"
        return f"{name}, {section}" if self.section else name


def line_of(document: Document, offset: int) -> int | None:
    """The line of a place, from 1; None where lines are not those of a file."""
    return None if document.format.is_extracted else document.line_number(offset)


# Which words of an answer are quotes.


_PAIRS = ("“”“", "””", "„“”‟", "«»", "»«", "‹›", "›‹", "‚‘’", "‘’", "「」", "『』", '""', "''")
_CLOSING = {pair[0]: pair[1:] for pair in _PAIRS}
"""Quotation marks that open, and those that close what each of them opened."""

_ONE_WAY = frozenset("“„«‹「『")
"""Marks that open wherever they stand; the others open before a word, and never behind one."""

_APOSTROPHES = frozenset("'\u2019\u2018")
_MARK = re.compile(f"[{''.join(_CLOSING)}]")
_MAY_QUOTE = re.compile(f"[{''.join(_CLOSING)}]|^[ \t]*>", re.MULTILINE)
_IN_BLOCK_QUOTE = re.compile(r"[ \t]*>[ \t>]*")
_ATTRIBUTION = re.compile(r"\n[ \t>]*(?:\u2014|--)[^\n]*\Z")
_CITATION = re.compile(r"(?:\s*\[(?:\^?\d{1,3}|cite:[0-9a-fA-F]+)\])+[.\s]*\Z")
_BRACKETED = re.compile(r"\[([^\[\]]{1,200})\]")

_POINTING = english("subjects", "objects", "determiners")
"""Words of a source in whose place a writer says, in brackets, what they stand for."""

_LEAST_WORDS = 6
"""Fewer may be a term, a title or an example where no source has them. They are told of where they
stand in a source, and where all that differs is one number in the place of another, or a denial."""

_LEAST_NUMBERED = 3
"""Fewer leave nothing beside the number or the denial by which to know them again."""


def quoted_words(page: AnswerPage) -> Iterator[tuple[Span, bool]]:
    """What an answer gives as the words of a source, in its order, and whether it is a block quote:
    neither code nor struck words nor its source list.
    """
    for block in page.blocks:
        if block.kind in (BlockKind.CODE, BlockKind.MARK):
            continue
        pairs = [span for span in _pairs(page.text, block) if not page.is_verbatim(span.start)]
        yield from ((span, False) for span in pairs)
        if not pairs and _is_block_quote(page, block):
            # Without the line that says whose words they are, or a citation behind them.
            words = _ATTRIBUTION.sub("", page.text[block.start : block.end])
            yield Span(block.start, block.start + len(_CITATION.sub("", words).rstrip())), True


def _is_block_quote(page: AnswerPage, block: Block) -> bool:
    """Whether a block is of a block quote, and neither says whose it is nor is a note in a box."""
    text, line = page.text, page.text.rfind("\n", 0, block.start) + 1
    if block.kind not in (BlockKind.TEXT, BlockKind.ITEM) or page.is_verbatim(block.start):
        return False
    first, start = line, block.mark.start if block.mark else block.start
    if not _IN_BLOCK_QUOTE.fullmatch(text, line, start):
        return False
    while first and _IN_BLOCK_QUOTE.match(text, before := text.rfind("\n", 0, first - 1) + 1):
        first = before
    if first < line and text.startswith(("\u2014", "--"), block.start):
        return False
    return not text[first : block.end].lstrip(" \t>").startswith("[!")  # as code hosts write it


def _pairs(text: str, block: Block) -> Iterator[Span]:
    """What stands between quotation marks in a block, without white space at its ends."""
    at = block.start
    while found := _MARK.search(text, at, block.end):
        at = found.end()
        if not _opens(text, found.start(), block):
            continue
        close = _close(text, found.start(), block)
        if close is not None:
            words = text[at:close]
            start = at + len(words) - len(words.lstrip())
            at = close + 1
            if words.strip():
                yield Span(start, start + len(words.strip()))


def _opens(text: str, at: int, block: Block) -> bool:
    if text[at] in _ONE_WAY:
        return True
    is_behind = at > block.start and text[at - 1].isalnum()
    return not is_behind and at + 1 < block.end and not text[at + 1].isspace()


def _close(text: str, opening: int, block: Block) -> int | None:
    """Where the quote that opens there is closed; None where that is not clear."""
    marks, mark = _CLOSING[text[opening]], text[opening]
    places = (at for at in range(opening + 2, block.end) if text[at] in marks)
    if mark in _ONE_WAY:
        return next(places, None)
    ends = ((at, text[at + 1 : min(at + 2, block.end)]) for at in places)
    closing = (at for at, after in ends if not (after.isalnum() or text[at - 1].isspace()))
    first = next(closing, None)
    if first is None or mark not in _APOSTROPHES:
        return first
    # A second one that nothing opens may be the end, and the first an apostrophe.
    second = next(closing, None)
    again = text.find(mark, first + 1, block.end)
    is_clear = second is None or (0 <= again < second and _opens(text, again, block))
    return first if is_clear else None


# What the sources say of them.


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A quote of an answer, and how true it is to the sources.

    `span` is its place in the answer, `text` what a reader sees of it on one line. `nearest` are
    the words of the source: where it stands, or what was changed; None where nothing is like it.
    """

    text: str
    span: Span
    fidelity: Fidelity
    reason: str
    nearest: NearestWords | None = None

    @property
    def grounded(self) -> bool:
        """Whether a source has these words, but for spelling, spacing and markup."""
        return self.fidelity in (Fidelity.VERBATIM, Fidelity.NORMALISED)


_CONFIG = ValidationConfig(
    semantic_matching=SemanticMatching(enabled=False),
    performance_limits=PerformanceLimits(
        max_document_size_mb=1e6, max_claims=10**9, max_processing_time_seconds=1e9
    ),
)


class QuoteChecker:
    """Looks up the quotes of any number of answers in the same documents, which are made ready on
    first use. It may be used from several threads at once.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._lock = Lock()

    @cached_property
    def _validator(self) -> Validator:
        from veridical.validation.validator import Validator

        return Validator(self._documents, _CONFIG)

    def check(self, answer: str) -> tuple[QuoteCheck, ...]:
        """What becomes of each quote of an answer, in its order.

        Left out are words that may be no quote: a few that stand nowhere, or only almost so.
        """
        if not self._documents or _MAY_QUOTE.search(answer) is None:
            return ()
        page = read_page(answer)
        pieces = [
            (span, is_block, words)
            for quoted, is_block in quoted_words(page)
            for span in _pieces(page.text, quoted)
            if (words := _as_read(page.document, span))
            and len(words) <= MAX_QUOTE_CHARS
            and any(map(str.isalnum, words))
        ]
        if not pieces:
            return ()
        claims = quotes_as_claims(words for _, _, words in pieces)
        with self._lock:
            results = self._validator.validate(claims).results
        found = zip(pieces, results, strict=True)
        checks = (_checked(span, is_block, result) for (span, is_block, _), result in found)
        return tuple(sorted((one for one in checks if one), key=lambda one: one.span))


def _as_read(document: Document, span: Span) -> str:
    """What a reader sees of a quote, on one line; as it is written where words are struck out."""
    if struck_out(document, span.start, span.end):
        return " ".join(document.text[span.start : span.end].split())
    return " ".join(document.shown(span).split())


def _pieces(text: str, quoted: Span) -> Iterator[Span]:
    """A quote in parts that are not too long to look up, cut at white space."""
    start = quoted.start
    while quoted.end - start > MAX_QUOTE_CHARS:
        cut = max(text.rfind(mark, start, start + MAX_QUOTE_CHARS) for mark in " \n")
        cut = cut if cut > start else start + MAX_QUOTE_CHARS
        yield Span(start, cut)
        start = cut
    yield Span(start, quoted.end)


def _checked(span: Span, is_block: bool, result: ClaimResult) -> QuoteCheck | None:
    """What came of a quote; None where nothing says that it is one."""
    text, match = result.claim.quote, result.match or result.found_at
    words, fidelity = len(tokenize(text)), result.fidelity
    if fidelity is Fidelity.ALTERED and _is_filled_in(text, result.alterations):
        fidelity = Fidelity.NORMALISED
    if fidelity in (Fidelity.VERBATIM, Fidelity.NORMALISED):
        reason = "It stands in the source."
    elif fidelity is Fidelity.ALTERED:
        if not _is_telling(words, result.alterations):
            return None
        changes = [" ".join(a.describe().split()) for a in result.alterations[:5]]
        reason = f"The quote was changed: {'; '.join(changes)}."
    else:
        if is_block or words < _LEAST_WORDS:
            return None
        fidelity, reason = Fidelity.FABRICATED, "No source has these words."
        match = result.attempts[0].match if result.attempts else None
    return QuoteCheck(text, span, fidelity, reason, None if match is None else _nearest(match))


def _is_filled_in(text: str, changes: Sequence[Alteration]) -> bool:
    """Whether all that was changed is words in square brackets, which are known as the writer's.

    They may be added, and say what a word of the source points to, but stand for no other word, and
    deny or restrict nothing.
    """
    bracketed = [found.casefold() for found in _BRACKETED.findall(text)]
    if not (RESTRICTIONS | NEGATIONS).isdisjoint(" ".join(bracketed).split()):
        return False
    return bool(bracketed and changes) and all(
        change.kind in (AlterationKind.WORDING, AlterationKind.NAME)
        and change.quoted.strip("[] ").casefold() in bracketed
        and _POINTING.issuperset(change.source.casefold().split())
        for change in changes
    )


def _is_telling(words: int, changes: Sequence[Alteration]) -> bool:
    """Whether what differs tells that so few words are quoted, and quoted wrongly."""
    return words >= _LEAST_WORDS or (
        words >= _LEAST_NUMBERED
        and all(
            change.kind is AlterationKind.NEGATION
            or (_is_number(change.quoted) and _is_number(change.source))
            for change in changes
        )
    )


def _is_number(text: str) -> bool:
    """Whether the words say a number, in figures or spelled out."""
    return any(map(str.isdigit, text)) or not CARDINALS.isdisjoint(text.casefold().split())


def _nearest(match: Match) -> NearestWords:
    document, section = match.document, match.section
    return NearestWords(
        text=" ".join(match.shown.split()),
        document=document,
        span=match.span,
        line=line_of(document, match.span.start),
        page=match.page,
        section=" ".join(section.title.split()) if section else "",
    )


def is_misquoted(span: Span, quotes: Sequence[QuoteCheck]) -> bool:
    """Whether words in a span of the answer are quoted, and not those of a source."""
    return any(
        not one.grounded and one.span.start < span.end and span.start < one.span.end
        for one in quotes
    )
