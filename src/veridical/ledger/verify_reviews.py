"""Are the reviews in a ledger file about this ledger, and such as reviewers make them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.ledger.review import EntryReview, decision_problem
from veridical.ledger.seal import Problem
from veridical.ledger.verify_derived import is_time
from veridical.ledger.wire import LedgerFile


def review_problems(file: LedgerFile) -> Iterator[Problem]:
    """What is wrong with reviews: whose entry they are about, what they say it said, and how they
    decide.

    What another revision of the ledger said cannot be checked: it is not in the file.
    """
    entries = {entry.id: entry for entry in file.ledger.entries}
    ids = Counter(review.id for review in file.reviews)
    for twice in sorted(name for name, count in ids.items() if count > 1):
        yield Problem("reviews", f"the id {twice} is used more than once")
    for index, review in enumerate(file.reviews):
        at = f"reviews[{index}]"
        said = review.decision, review.machine_verdict, review.verdict, review.reason
        if problem := decision_problem(*said):
            yield Problem(f"{at}.decision", problem)
        yield from _subject(review, entries, at)
        if _is_about(review, file.ledger, file.revision) and review.entry_id in entries:
            yield from _said(review, entries[review.entry_id], at)
        if not is_time(review.at):
            yield Problem(f"{at}.at", f"there is no such time: {review.at}")


def _is_about(review: EntryReview, ledger: EvidenceLedger, revision: int) -> bool:
    """Whether it was this very ledger that the reviewer looked at."""
    return (review.ledger_id, review.revision) == (ledger.id, revision)


def _subject(review: EntryReview, entries: Mapping[str, LedgerEntry], at: str) -> Iterator[Problem]:
    entry = entries.get(review.entry_id)
    if entry is None:
        yield Problem(f"{at}.entry_id", "it is about an entry that the ledger has not")
    elif entry.claim.id != review.claim_id:
        yield Problem(f"{at}.claim_id", "it is not the claim of its entry")


def _said(review: EntryReview, entry: LedgerEntry, at: str) -> Iterator[Problem]:
    if review.machine_verdict is not entry.verdict:
        yield Problem(
            f"{at}.machine_verdict",
            f"the entry says {entry.verdict}, and this review is of the same revision",
        )
