"""Do the claims of a ledger stand in its answer: their words, their markers, their citations?"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from veridical.ledger.entry import AnswerClaim, LedgerEntry, MarkerKind, Source
from veridical.ledger.extraction.page import AnswerPage, read_page
from veridical.ledger.extraction.proposals import AnswerWords, tokens
from veridical.ledger.extraction.remarks import plain_statement
from veridical.ledger.extraction.shown import shown_text
from veridical.ledger.markers import markers_of
from veridical.ledger.seal import Problem
from veridical.sources.span import Span
from veridical.validation.lexicon import NEGATIONS


class ClaimChecks:
    """Checks the claims of one answer, which is read once."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def problems(
        self, entry: LedgerEntry, sources: Mapping[str, Source], at: str
    ) -> Iterator[Problem]:
        """What of an entry's claim and its citations the answer does not bear out."""
        claim = entry.claim
        if self._answer[claim.span.start : claim.span.end] != claim.text:
            yield Problem(f"{at}.claim_text", "it does not stand in the answer where its span says")
        elif not self._says(claim):
            message = "it has other words than the claim, or leaves a denial out"
            yield Problem(f"{at}.statement", message)
        for index, marker in enumerate(claim.markers):
            if marker not in self._markers:
                yield Problem(f"{at}.markers[{index}]", "it does not stand in the answer")
        yield from _citations(entry, sources, at)

    @cached_property
    def _page(self) -> AnswerPage:
        return read_page(self._answer)

    @cached_property
    def _markers(self) -> frozenset[object]:
        return frozenset(markers_of(self._page).found)

    @cached_property
    def _marker_places(self) -> list[Span]:
        return sorted({marker.span for marker in markers_of(self._page).found})

    @cached_property
    def _words(self) -> AnswerWords:
        document = self._page.document
        return AnswerWords(document.shown(Span(0, len(document.text))))

    def _says(self, claim: AnswerClaim) -> bool:
        """Whether the statement's words stand in the claim, in their order, or in its context.

        Before a colon may stand the term that the claim explains; no denial may be left out.
        """
        shown = self._shown(claim.span)
        said, context = tokens(shown), frozenset(tokens(claim.context))
        term, colon, rest = claim.statement.partition(": ")
        statements = [claim.statement]
        if colon and self._words.have(term):
            statements.append(rest)
        return any(_follows(tokens(one), said, context) for one in statements) and not (
            _denials(tokens(plain_statement(shown))) - _denials(tokens(claim.statement))
        )

    def _shown(self, span: Span) -> str:
        places = self._marker_places
        first = bisect_left(places, Span(span.start, span.start))
        last = bisect_left(places, Span(span.end, span.end))
        return shown_text(self._page.document, span.start, span.end, places[first:last]).text


def _follows(words: Iterable[str], said: Iterable[str], context: frozenset[str]) -> bool:
    left = iter(said)
    return all(word in context or word in left for word in words)


def _denials(words: Iterable[str]) -> Counter[str]:
    return Counter(word for word in words if word in NEGATIONS)


def _citations(entry: LedgerEntry, sources: Mapping[str, Source], at: str) -> Iterator[Problem]:
    for index, check in enumerate(entry.citations):
        where = f"{at}.citations[{index}]"
        if check.marker not in entry.claim.markers:
            yield Problem(where, "the claim does not carry this marker")
        if check.source_id is not None and check.source_id not in sources:
            yield Problem(where, "it resolved to a document that is not among the sources")
        is_anchor = check.marker.kind is MarkerKind.ANCHOR and check.chunk_sha256 is not None
        if is_anchor and not (check.chunk_sha256 or "").startswith(check.marker.value.lower()):
            yield Problem(where, "the chunk that it resolved to has another hash")
