"""What a piece of evidence is to its claim, and what it says of it: at times less than all."""

from __future__ import annotations

from enum import StrEnum

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, LedgerEntry


class Role(StrEnum):
    """The verdict came from the DECIDING piece. FURTHER ones were found beside it; NEAR ones come
    nearest to a claim for which there is no evidence, and prove nothing.
    """

    DECIDING = "deciding"
    FURTHER = "further"
    NEAR = "near"


def tone_of(piece: Evidence) -> Verdict:
    """The verdict in whose colour a piece is shown by itself: how far it bears the claim out."""
    return Verdict.CONTRADICTED if piece.contradicts else _TONES[piece.support]


def said_of(piece: Evidence) -> str:
    """What a piece by itself says of its claim, for a reader."""
    return "Speaks against it" if piece.contradicts else _SAID[piece.support]


def rests_on(entry: LedgerEntry) -> tuple[Evidence, ...]:
    """The pieces that a verdict rests on: the deciding one, and those that say as much for it."""
    is_firm = entry.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED)
    further = entry.evidence[1:] if is_firm else ()
    return (
        *entry.evidence[:1],
        *(piece for piece in further if tone_of(piece) is entry.verdict),
    )


_TONES = {
    SupportLevel.FULL: Verdict.SUPPORTED,
    SupportLevel.PARTIAL: Verdict.WEAK,
    SupportLevel.NONE: Verdict.NOT_FOUND,
}
_SAID = {
    SupportLevel.FULL: "Supports it",
    SupportLevel.PARTIAL: "Supports it in part",
    SupportLevel.NONE: "Does not support it",
}
