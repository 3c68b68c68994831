"""Sessions in a list: what each is called, and how many of its claims have which verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.judging.verdict import Verdict
from veridical.service.context import Service
from veridical.service.inquiring.ledger_view import standing_counts
from veridical.store.inquiries import Inquiry
from veridical.store.shelf import Shelf


@dataclass(frozen=True, slots=True)
class ListedSession:
    """`counts` are of the verdicts that stand; `is_by_review` says that they are not all the
    machine's.
    """

    inquiry: Inquiry
    counts: Mapping[Verdict, int]
    is_by_review: bool


def listed(service: Service, shelf: Shelf, items: Sequence[Inquiry]) -> list[ListedSession]:
    """Sessions of one page of a list. Only ledgers that somebody reviewed are looked at."""
    reviewed = shelf.reviews.reviewed([item.id for item in items if item.summary])
    return [_listed(service, shelf, item, item.id in reviewed) for item in items]


def _listed(service: Service, shelf: Shelf, item: Inquiry, is_reviewed: bool) -> ListedSession:
    machine: Mapping[Verdict, int] = item.summary.by_verdict if item.summary else {}
    view = service.ledgers.find(shelf, item.id) if is_reviewed else None
    if view is None:
        return ListedSession(item, machine, is_by_review=False)
    counts = standing_counts(view)
    return ListedSession(item, counts, is_by_review=counts != view.ledger.summary.by_verdict)
