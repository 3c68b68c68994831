"""The claims of a ledger as pages tell them: each with its evidence and what an earlier check said
of the same words, and which of them an address asks for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.review import EntryReview, stands
from veridical.reports.texts import one_line
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.rendering import document_link, part


@dataclass(frozen=True, eq=False)
class Claim:
    """A claim of a ledger, by its number from 1. `before` is the claim of an earlier check that
    has the same words: what was decided about that one is not decided about this one.
    """

    view: LedgerView
    number: int
    before: Claim | None = None

    @property
    def entry(self) -> LedgerEntry:
        """What the ledger says of it."""
        return self.view.ledger.entries[self.number - 1]

    @property
    def address(self) -> str:
        """Its page."""
        return f"/sessions/{self.view.inquiry.id}/claims/{self.number}"

    @cached_property
    def words(self) -> str:
        """The claim on one line."""
        return one_line(self.entry.claim.words)

    @cached_property
    def place(self) -> str:
        """Where its evidence stands, on one line."""
        return one_line(wording.short_place(self.entry, self.view.sources))

    @property
    def is_partial(self) -> bool:
        """Whether its evidence bears it out in part only."""
        return wording.is_partial(self.entry)

    @property
    def review(self) -> EntryReview | None:
        """The decision that counts, if there is one."""
        return self.view.standing.get(self.entry.id)

    @property
    def is_overruled(self) -> bool:
        """Whether a reviewer says otherwise than the machine."""
        return wording.overruled(self.review) is not None

    @property
    def verdict(self) -> Verdict:
        """The verdict that stands: the reviewer's where there is one, else the machine's."""
        return stands(self.entry, self.view.standing)

    @property
    def differs(self) -> bool:
        """Whether the machine says something else than in the earlier check."""
        return self.before is not None and self.before.entry.verdict is not self.entry.verdict

    @cached_property
    def history(self) -> list[EntryReview]:
        """All decisions about it, oldest first."""
        return [review for review in self.view.reviews if review.entry_id == self.entry.id]

    @cached_property
    def row(self) -> Markup:
        """Its row of the table."""
        return part("_row.html", claim=self)

    def pieces(self, citation: int | None = None) -> list[Evidence]:
        """What it rests on or, where nothing bears it out, what comes nearest; only of the source
        of one of its citations, where one is named.
        """
        pieces = [*self.entry.evidence, *self.entry.near]
        if citation is None:
            return pieces
        cited = self.entry.citations[citation : citation + 1] if citation >= 0 else ()
        return [one for one in pieces for check in cited if one.source_id == check.source_id]

    def place_of(self, piece: Evidence) -> str:
        """Where a piece of its evidence stands, in full."""
        return wording.full_place(piece, self.view.sources)

    def link_to(self, piece: Evidence) -> str:
        """The address of a piece of its evidence in the version that the ledger saw; empty where
        that is no longer kept.
        """
        version, span = self.view.versions.get(piece.source_id), piece.snippet_span
        if version is None:
            return ""
        return document_link(
            piece.source_id, version, session=self.view.inquiry.id, claim=self.number,
            start=span.start, end=span.end,
        )  # fmt: skip

    def shared(self, piece: Evidence | None) -> str:
        """The address of the session with this claim open, and a piece of its evidence beside it
        where the version that the ledger saw is still kept.
        """
        version = self.view.versions.get(piece.source_id) if piece else None
        place = ""
        if piece is not None and version is not None:
            span = piece.snippet_span
            place = "?" + urlencode(
                {
                    "document": piece.source_id,
                    "version": version,
                    "start": span.start,
                    "end": span.end,
                }
            )
        return f"/sessions/{self.view.inquiry.id}{place}#claim-{self.number}"


def claims_of(view: LedgerView, earlier: LedgerView | None) -> list[Claim]:
    """The claims of a ledger in the order of the answer, with those of the earlier check that have
    the same words. Where these stand there more than once, the first belong to the first. They are
    kept with the ledger, as long as the earlier one stays as it is.
    """
    of, claims = view.made.get("claims", (earlier, None))
    if claims is None or of is not earlier:
        claims = _claims(view, earlier)
        view.made["claims"] = earlier, claims
    found: list[Claim] = claims
    return found


def _claims(view: LedgerView, earlier: LedgerView | None) -> list[Claim]:
    if earlier is None:
        return [Claim(view, number) for number in range(1, len(view.ledger.entries) + 1)]
    said: defaultdict[str, deque[Claim]] = defaultdict(deque)
    for number, entry in enumerate(earlier.ledger.entries, 1):
        said[_compared(entry)].append(Claim(earlier, number))
    return [
        Claim(view, number, same.popleft() if (same := said.get(_compared(entry))) else None)
        for number, entry in enumerate(view.ledger.entries, 1)
    ]


def _compared(entry: LedgerEntry) -> str:
    return " ".join(entry.claim.words.split()).casefold()


class Order(StrEnum):
    """What claims are sorted by."""

    WORST = "worst"
    NUMBER = "number"
    CLAIM = "claim"
    TYPE = "type"
    SOURCE = "source"

    @property
    def words(self) -> str:
        """How claims stand that are sorted so."""
        return _ORDERS[self][0]

    def sort(self, claims: Iterable[Claim]) -> list[Claim]:
        """Claims in this order; those that are alike stay as they were."""
        return sorted(claims, key=_ORDERS[self][1])


_ORDERS: dict[Order, tuple[str, Callable[[Claim], Any]]] = {
    Order.WORST: ("the worst verdicts first", lambda one: wording.WORST_FIRST.index(one.verdict)),
    Order.NUMBER: ("as in the answer", lambda one: one.number),
    Order.CLAIM: ("by their words", lambda one: one.words.casefold()),
    Order.TYPE: ("by type", lambda one: one.entry.claim.type.value),
    Order.SOURCE: ("by source", lambda one: (one.place == wording.NO_SOURCE, one.place.casefold())),
}


class Decided(StrEnum):
    """Whether a reviewer decided."""

    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks to be shown. No verdict means all of them; `first` counts from 1."""

    verdicts: tuple[Verdict, ...] = ()
    decided: Decided | None = None
    order: Order = Order.WORST
    text: str = ""
    first: int = 1

    @classmethod
    def of(cls, verdict: Sequence[str], decided: str, sort: str, q: str, first: int) -> Asked:
        """What the parts of an address ask for; a part that means nothing is passed over."""
        return cls(
            tuple(one for one in wording.WORST_FIRST if one.value in verdict),
            Decided(decided) if decided in set(Decided) else None,
            Order(sort) if sort in set(Order) else Order.WORST,
            q,
            max(1, first),
        )

    def fits(self, claim: Claim) -> bool:
        """Whether a claim is shown."""
        if self.verdicts and claim.verdict not in self.verdicts:
            return False
        if self.decided and (claim.review is not None) != (self.decided is Decided.DONE):
            return False
        kind = wording.TYPE_WORDS[claim.entry.claim.type]
        searched = f"{claim.words} {kind} {claim.place}".casefold()
        return all(word in searched for word in self.text.casefold().split())

    def query(self, **changes: Any) -> str:
        """The query of an address that asks for the same, but for `changes`; back at the first
        claim unless told otherwise.
        """
        asked = replace(self, **{"first": 1, **changes})
        pairs: list[tuple[str, str]] = [("verdict", verdict.value) for verdict in asked.verdicts]
        pairs += [("decided", asked.decided.value)] if asked.decided else []
        pairs += [("sort", asked.order.value)] if asked.order is not Order.WORST else []
        pairs += [("q", asked.text)] if asked.text.strip() else []
        pairs += [("first", str(asked.first))] if asked.first > 1 else []
        return "?" + urlencode(pairs)
