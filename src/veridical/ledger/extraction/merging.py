"""A model's claims and those of the rules become one list, in which nothing is lost.

The rules decide what has to be in it. A model may part one of their claims, where that leaves no
word out and no condition behind, and may add what they took for no claim. It may make a claim weigh
more, never less.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.ledger.entry import AnswerClaim, Importance, Marker
from veridical.ledger.extraction.classify import importance, requires_citation, stems
from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.finishing import claim_id
from veridical.ledger.extraction.page import AnswerPage
from veridical.ledger.extraction.proposals import AnswerWords, Located, is_end_of
from veridical.ledger.extraction.remarks import plain_statement
from veridical.ledger.extraction.shown import shown_text
from veridical.ledger.extraction.words import LIMITS, words_of
from veridical.sources.span import Span

_JOINING = frozenset("and or but while whereas also according to as per stated in the".split())
_FIXED = frozenset(
    {
        SkipReason.CODE,
        SkipReason.STRUCK,
        SkipReason.SOURCES,
        SkipReason.NOT_SHOWN,
        SkipReason.OVER_LIMIT,
        SkipReason.LIST_MARK,
        SkipReason.CITATION,
        SkipReason.CONNECTIVE,
    }
)
_WEIGHTS = (Importance.MINOR, Importance.MATERIAL, Importance.CRITICAL)
_REACH = 3
"""Characters between a claim and a marker that still goes with it: a full stop and a space."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The claims, what is still skipped, and how many claims the model had left out or not kept."""

    claims: tuple[AnswerClaim, ...]
    skipped: tuple[Skipped, ...]
    restored: int
    refused: int


class Merger:
    """Merges what a model proposes into what the rules found."""

    def __init__(
        self, page: AnswerPage, markers: Sequence[Marker], session_id: str, query: str
    ) -> None:
        self._page = page
        self._markers = sorted(markers, key=lambda marker: marker.span)
        self._marker_starts = [marker.span.start for marker in self._markers]
        self._cuts = sorted({marker.span for marker in markers})
        self._session_id = session_id
        self._asked = stems(query)
        self._joints: list[Skipped] = []
        self._words = AnswerWords(page.document.shown(Span(0, len(page.document.text))))

    def merge(
        self,
        claims: Sequence[AnswerClaim],
        skipped: Sequence[Skipped],
        located: Sequence[Located],
        asked: Sequence[Span],
    ) -> Merged:
        """The merged list; `located` is in the order of the answer and disjoint.

        `asked` are the parts of the answer on which there is a usable reply.
        """
        kept: list[AnswerClaim] = []
        restored = 0
        used: set[int] = set()
        for claim in claims:
            indices = _overlapping(located, claim.span)
            used.update(indices)
            parts = [located[index] for index in indices]
            if not parts and any(part.overlap(claim.span) for part in asked):
                restored += 1
            kept.extend(self._parted(claim, parts))
        loose = [found for index, found in enumerate(located) if index not in used]
        added = [
            found
            for found in loose
            if _may_be_claim(found.span, skipped) and words_of(self._plain(found.span))
        ]
        kept.extend(self._added(found) for found in added)
        kept.sort(key=lambda claim: claim.span)
        rest = [*_less(skipped, [found.span for found in added]), *self._joints]
        rest.sort(key=lambda skip: skip.span)
        return Merged(tuple(kept), tuple(rest), restored, len(loose) - len(added))

    def _parted(self, claim: AnswerClaim, parts: list[Located]) -> list[AnswerClaim]:
        """The claim as the model sees it; as the rules see it where a word would be lost."""
        inside = all(
            claim.span.start <= p.span.start and p.span.end <= claim.span.end for p in parts
        )
        if not parts or not inside or not self._covers(claim, parts):
            return [claim]
        if len(parts) == 1:
            return [self._refined(claim, parts[0])]
        if LIMITS().search(claim.statement):
            return [claim]
        found: list[AnswerClaim] = []
        for index, part in enumerate(parts):
            end = parts[index + 1].span.start if index + 1 < len(parts) else len(self._page.text)
            own = tuple(m for m in claim.markers if part.span.start <= m.span.start < end)
            behind = tuple(m for m in claim.markers if m.span.start >= parts[-1].span.end)
            piece = replace(claim, markers=own or behind)
            made = self._made(part, piece)
            before = (found[-1].statement,) if found else ()
            context = "\n".join(filter(None, (claim.context, *before)))
            found.append(replace(made, context=made.context or context))
        self._note_joints(claim, parts)
        return found

    def _note_joints(self, claim: AnswerClaim, parts: list[Located]) -> None:
        """Note the words that join the parts of a claim, and are in none of them."""
        at = claim.span.start
        for part in (*(part.span for part in parts), Span(claim.span.end, claim.span.end)):
            gap = self._page.text[at : part.start]
            if any(character.isalnum() for character in gap):
                start = at + len(gap) - len(gap.lstrip(" \t\r\n,;"))
                span = Span(start, at + len(gap.rstrip()))
                self._joints.append(Skipped(span, SkipReason.CONNECTIVE))
            at = part.end

    def _covers(self, claim: AnswerClaim, parts: list[Located]) -> bool:
        """Whether the parts leave nothing of the claim out but what joins them."""
        at = claim.span.start
        for part in (*(part.span for part in parts), Span(claim.span.end, claim.span.end)):
            gap = self._plain(Span(at, max(at, part.start))) if part.start > at else ""
            if any(c.isdigit() for c in gap) or not _JOINING.issuperset(words_of(gap)):
                return False
            at = part.end
        return True

    def _refined(self, claim: AnswerClaim, part: Located) -> AnswerClaim:
        """A claim on which both agree: the rules' place, what the model knows better."""
        proposal = part.proposal
        statement, context = claim.statement, claim.context
        if is_end_of(proposal.statement, claim.statement):
            statement = " ".join(proposal.statement.split())
        if proposal.context and self._words.have(proposal.context):
            context = proposal.context.strip()
        weight = max(claim.importance, proposal.importance, key=_WEIGHTS.index)
        return replace(
            claim,
            statement=statement,
            context=context,
            type=proposal.type,
            importance=weight,
            requires_citation=claim.requires_citation or requires_citation(statement, weight),
        )

    def _made(self, part: Located, like: AnswerClaim) -> AnswerClaim:
        """A claim of its own at the place of a proposal."""
        statement = plain_statement(self._plain(part.span))
        weight = importance(statement, self._asked)
        made = replace(
            like,
            id=claim_id(self._session_id, part.span),
            span=part.span,
            text=self._page.text[part.span.start : part.span.end],
            statement=statement,
            importance=weight,
            requires_citation=requires_citation(statement, weight),
            context="",
        )
        return self._refined(made, part)

    def _added(self, found: Located) -> AnswerClaim:
        first = bisect_left(self._marker_starts, found.span.start)
        last = bisect_right(self._marker_starts, found.span.end + _REACH)
        like = AnswerClaim("", found.span, "", "", markers=tuple(self._markers[first:last]))
        return self._made(found, like)

    def _plain(self, span: Span) -> str:
        first = bisect_left(self._cuts, Span(span.start, span.start))
        last = bisect_left(self._cuts, Span(span.end, span.end), lo=first)
        return shown_text(self._page.document, span.start, span.end, self._cuts[first:last]).text


def _overlapping(located: Sequence[Located], span: Span) -> range:
    """The indices of the proposals that share a character with a span."""
    first = bisect_right(located, span.start, key=lambda found: found.span.end)
    last = bisect_left(located, span.end, key=lambda found: found.span.start)
    return range(first, max(first, last))


def _may_be_claim(span: Span, skipped: Sequence[Skipped]) -> bool:
    """Whether a model may take for a claim what the rules did not: not code, nor what is unseen."""
    first = bisect_right(skipped, span.start, key=lambda skip: skip.span.end)
    around = skipped[first : bisect_left(skipped, span.end, key=lambda skip: skip.span.start)]
    return bool(around) and not any(skip.reason in _FIXED for skip in around)


def _less(skipped: Sequence[Skipped], spans: Sequence[Span]) -> Iterator[Skipped]:
    """What is still skipped, without the places of new claims."""
    for skip in skipped:
        start = skip.span.start
        first = bisect_right(spans, start, key=lambda span: span.end)
        for span in spans[first:]:
            if span.start >= skip.span.end:
                break
            if span.start > start:
                yield Skipped(Span(start, span.start), skip.reason)
            start = max(start, span.end)
        if start < skip.span.end:
            yield Skipped(Span(start, skip.span.end), skip.reason)
