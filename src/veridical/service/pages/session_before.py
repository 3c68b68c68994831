"""A session that checks another one again: the way between them, and what was said before."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.review import Decision, EntryReview
from veridical.service.context import service_of
from veridical.service.entry.access import Access
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.store.inquiries import Inquiry


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier check said of the same words: the machine's verdict, and the decision of a
    reviewer about that, which is not one about this check. `differs` says that the machine says
    something else now.
    """

    session_id: str
    number: int
    at: str
    verdict: Verdict
    differs: bool
    review: EntryReview | None

    @property
    def address(self) -> str:
        """The claim in the earlier session."""
        return f"/sessions/{self.session_id}/claims/{self.number}"

    @property
    def is_overruled(self) -> bool:
        """Whether a reviewer said otherwise than the machine then."""
        return self.review is not None and self.review.decision is Decision.OVERRULE


@dataclass(frozen=True, slots=True)
class Related:
    """The session that was checked again, if it is still there, and the checks that were made of
    this one, the newest first.
    """

    earlier: Inquiry | None
    later: tuple[Inquiry, ...]


def related_to(access: Access, inquiry: Inquiry) -> Related:
    """The sessions that a session leads to."""
    inquiries = access.shelf.inquiries
    earlier = inquiries.get(inquiry.earlier_id) if inquiry.earlier_id else None
    return Related(earlier, inquiries.again(inquiry.id))


def earlier_view(request: Request, access: Access, view: LedgerView) -> LedgerView | None:
    """The ledger of the session that this one checks again, if there is one."""
    earlier = view.inquiry.earlier_id
    return service_of(request).ledgers.find(access.shelf, earlier) if earlier else None


def before_of(view: LedgerView, earlier: LedgerView | None) -> Mapping[int, Before]:
    """By the number of a claim what the earlier check said of the same words. Where these stand
    there more than once, the first belong to the first.
    """
    if earlier is None:
        return {}
    said: defaultdict[str, deque[int]] = defaultdict(deque)
    for number, entry in enumerate(earlier.ledger.entries, 1):
        said[_words(entry)].append(number)
    found: dict[int, Before] = {}
    for number, entry in enumerate(view.ledger.entries, 1):
        if numbers := said.get(_words(entry)):
            found[number] = _before(earlier, numbers.popleft(), entry)
    return found


def _before(earlier: LedgerView, number: int, now: LedgerEntry) -> Before:
    then = earlier.ledger.entries[number - 1]
    return Before(
        session_id=earlier.inquiry.id,
        number=number,
        at=earlier.ledger.created_at,
        verdict=then.verdict,
        differs=then.verdict is not now.verdict,
        review=earlier.standing.get(then.id),
    )


def _words(entry: LedgerEntry) -> str:
    return " ".join(wording.claim_words(entry.claim).split()).casefold()
