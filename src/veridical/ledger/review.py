"""Reviewers' decisions about the entries of a ledger. The machine's verdicts stay what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, LedgerEntry

MOST_REASON_CHARS = 4_000


class Decision(StrEnum):
    """What a reviewer did: agreed with the verdict, put another beside it, or took that back."""

    ACCEPT = "accept"
    OVERRULE = "overrule"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class EntryReview:
    """`machine_verdict` is what the entry said when it was reviewed, `verdict` what the reviewer
    says (the same for an acceptance, None for a withdrawal). `at` is ISO 8601 in UTC, to the
    second, with `Z`. `revision` is that of the ledger that was looked at, from 1.
    """

    id: str
    session_id: str
    ledger_id: str
    revision: int
    entry_id: str
    claim_id: str
    decision: Decision
    machine_verdict: Verdict
    verdict: Verdict | None
    reason: str
    reviewer: str
    at: str


def is_of_its_verdict(review: EntryReview, entry: LedgerEntry) -> bool:
    """Whether the machine still says of the entry what it said when it was reviewed. Where the
    ledger was built again and says otherwise, nobody has reviewed that yet.
    """
    return review.machine_verdict is entry.verdict


def standing(
    reviews: Iterable[EntryReview], entries: Iterable[LedgerEntry]
) -> Mapping[str, EntryReview]:
    """The review that counts for each of these entries, by the entry's id: the last one, unless it
    was a withdrawal, or is of another verdict than the entry has.
    """
    last = {review.entry_id: review for review in reviews}
    return {
        entry.id: review
        for entry in entries
        if (review := last.get(entry.id)) is not None
        and review.decision is not Decision.WITHDRAW
        and is_of_its_verdict(review, entry)
    }


def decision_problem(
    decision: Decision, machine_verdict: Verdict, verdict: Verdict | None, reason: str
) -> str | None:
    """What makes a decision none that a reviewer can make; None where nothing does.

    To accept is to say what the machine says, to overrule to say something else, and why; to
    withdraw leaves no verdict. A reason has at most `MOST_REASON_CHARS` characters.
    """
    if len(reason) > MOST_REASON_CHARS:
        return f"A reason has at most {MOST_REASON_CHARS:,} characters."
    if decision is Decision.WITHDRAW:
        return None if verdict is None else "To take a decision back leaves no verdict to give."
    if decision is Decision.ACCEPT:
        same = verdict is machine_verdict
        return None if same else "To accept is to say what the machine says; else overrule it."
    if verdict is None or not reason.strip():
        return "To overrule a verdict, say which one holds instead, and why."
    if verdict is machine_verdict:
        return "That is the verdict of the machine already. Accept it instead."
    return None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was decided about the entries of one ledger.

    `history` holds every decision, oldest first; `standing` those that count, by entry id: a
    decision about another verdict than the entry has now does not. `elsewhere` are decisions about
    entries that this ledger has not, such as those of an earlier revision of it.
    """

    history: tuple[EntryReview, ...]
    standing: Mapping[str, EntryReview]
    elsewhere: tuple[EntryReview, ...]

    @property
    def accepted(self) -> int:
        """How many verdicts of the machine a reviewer agrees with."""
        return self._with(Decision.ACCEPT)

    @property
    def overruled(self) -> int:
        """How many verdicts of the machine a reviewer put another verdict beside."""
        return self._with(Decision.OVERRULE)

    def _with(self, decision: Decision) -> int:
        return sum(review.decision is decision for review in self.standing.values())


def stands(entry: LedgerEntry, standing: Mapping[str, EntryReview]) -> Verdict:
    """The verdict that stands: the reviewer's where there is one, else the machine's."""
    review = standing.get(entry.id)
    return (review.verdict if review else None) or entry.verdict


def reviewed(ledger: EvidenceLedger, reviews: Sequence[EntryReview] = ()) -> Reviewed:
    """The decisions about the entries of a ledger, `reviews` being oldest first."""
    entries = {entry.id for entry in ledger.entries}
    about = {
        review.id
        for review in reviews
        if review.session_id == ledger.session_id and review.entry_id in entries
    }
    history = tuple(review for review in reviews if review.id in about)
    return Reviewed(
        history=history,
        standing=standing(history, ledger.entries),
        elsewhere=tuple(review for review in reviews if review.id not in about),
    )
