"""The quoted places of a ledger, one by one, as formats that mark places need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.export.reviews import change, decided, verdict_in_words
from veridical.ledger.ids import content_id
from veridical.ledger.review import Decision, EntryReview
from veridical.ledger.reviewed import reviewed

_BEARING = {
    SupportLevel.FULL: "These words bear the claim out.",
    SupportLevel.PARTIAL: "These words bear the claim out in part.",
    SupportLevel.NONE: "These words were looked at and do not decide.",
}
_AGAINST = "These words contradict the claim."


@dataclass(frozen=True, slots=True)
class Cited:
    """A piece of evidence with the entry that rests on it, that entry's number in the answer, from
    1, and the review that counts for it, if there is one.
    """

    id: str
    number: int
    entry: LedgerEntry
    piece: Evidence
    review: EntryReview | None = None

    @property
    def verdict(self) -> Verdict:
        """What stands: the reviewer's verdict where there is one, else the machine's."""
        if self.review is not None and self.review.verdict is not None:
            return self.review.verdict
        return self.entry.verdict

    @property
    def bearing(self) -> str:
        """What the words do for the claim, in one sentence."""
        return _AGAINST if self.piece.contradicts else _BEARING[self.piece.support]

    @property
    def headline(self) -> str:
        """The machine's verdict as sign, word and confidence."""
        score = self.entry.confidence_score
        told = f"confidence {wording.confidence(score)}, {wording.band(score)}"
        return f"{verdict_in_words(self.entry.verdict)} ({told})"

    def note(self) -> str:
        """All of it in words, in lines: verdict, claim, what the words do for it, the review."""
        lines = [
            self.headline,
            f"Claim {self.number}: {' '.join(wording.claim_words(self.entry.claim).split())}",
            self.bearing,
        ]
        if self.review is not None:
            said = f"Reviewed: {decided(self.review)} ({change(self.review)})"
            reason = " ".join(self.review.reason.split())
            lines.append(f"{said}: {reason}" if reason else said)
        return "\n".join(lines)


def cited(ledger: EvidenceLedger, reviews: Sequence[EntryReview] = ()) -> list[Cited]:
    """Every piece of evidence, in the order of the answer; those of an entry the deciding first.

    An id follows from the ledger, the entry and the place: made again, it is the same.
    """
    standing = reviewed(ledger, reviews).standing
    found: list[Cited] = []
    for row in wording.numbered(ledger):
        for piece in row.entry.evidence:
            span = piece.snippet_span
            place = (piece.source_id, str(span.start), str(span.end))
            made = content_id("annotation", ledger.id, row.entry.id, *place)
            found.append(Cited(made, row.number, row.entry, piece, standing.get(row.entry.id)))
    return found


def not_borne_out(ledger: EvidenceLedger, reviews: Sequence[EntryReview]) -> frozenset[str]:
    """The ids of the entries of which a reviewer says that they are not borne out."""
    return frozenset(
        entry_id
        for entry_id, review in reviewed(ledger, reviews).standing.items()
        if review.decision is Decision.OVERRULE
        and review.verdict not in (Verdict.SUPPORTED, Verdict.WEAK)
    )
