"""A ledger with what reviewers decided about it, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.review import Decision, EntryReview, standing


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was decided about the entries of one ledger.

    `history` holds every decision, oldest first; `standing` those that count, by entry id: a
    decision about another verdict than the entry has now does not. `by_verdict` counts the entries
    by what stands: the reviewer's verdict where there is one, else the machine's. `elsewhere` are
    decisions about entries that this ledger has not, such as those of an earlier revision of it.
    """

    history: tuple[EntryReview, ...]
    standing: Mapping[str, EntryReview]
    by_verdict: Mapping[Verdict, int]
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


def reviewed(ledger: EvidenceLedger, reviews: Sequence[EntryReview]) -> Reviewed:
    """The decisions about the entries of a ledger, `reviews` being oldest first."""
    entries = {entry.id for entry in ledger.entries}
    about = {
        review.id
        for review in reviews
        if review.session_id == ledger.session_id and review.entry_id in entries
    }
    history = tuple(review for review in reviews if review.id in about)
    counting = standing(history, ledger.entries)
    verdicts = Counter(
        stands.verdict if (stands := counting.get(entry.id)) and stands.verdict else entry.verdict
        for entry in ledger.entries
    )
    return Reviewed(
        history=history,
        standing=counting,
        by_verdict={verdict: verdicts[verdict] for verdict in Verdict},
        elsewhere=tuple(review for review in reviews if review.id not in about),
    )


def without_reviews(ledger: EvidenceLedger) -> Reviewed:
    """A ledger that nobody decided anything about."""
    return reviewed(ledger, ())
