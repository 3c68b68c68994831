"""The claims and sources of a ledger as pages tell them: rows of a table, a claim with its
evidence, what an earlier check said of the same words, and the addresses that lead to all of it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import CitationCheck, Evidence, LedgerEntry, Source
from veridical.ledger.export import wording
from veridical.ledger.review import Decision, EntryReview
from veridical.reports.texts import one_line
from veridical.service.context import service_of
from veridical.service.entry.access import Access
from veridical.service.inquiring.ledger_view import LedgerView, newer_versions
from veridical.store.inquiries import Inquiry
from veridical.store.store import Shelf


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


def related_to(access: Access, inquiry: Inquiry) -> dict[str, Any]:
    """The session that was checked again, if it is still there, and the checks that were made of
    this one, the newest first.
    """
    inquiries = access.shelf.inquiries
    earlier = inquiries.get(inquiry.earlier_id) if inquiry.earlier_id else None
    return {"earlier": earlier, "later": inquiries.again(inquiry.id)}


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
            then_number = numbers.popleft()
            then = earlier.ledger.entries[then_number - 1]
            found[number] = Before(
                session_id=earlier.inquiry.id,
                number=then_number,
                at=earlier.ledger.created_at,
                verdict=then.verdict,
                differs=then.verdict is not entry.verdict,
                review=earlier.standing.get(then.id),
            )
    return found


def _words(entry: LedgerEntry) -> str:
    return " ".join(wording.claim_words(entry.claim).split()).casefold()


MOST_ROWS = 2_000
"""Rows of one page; a longer ledger goes on at the next one."""


class Order(StrEnum):
    """What rows are sorted by."""

    WORST = "worst"
    NUMBER = "number"
    CLAIM = "claim"
    TYPE = "type"
    SOURCE = "source"


class Decided(StrEnum):
    """Whether a reviewer decided."""

    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Row:
    """A claim in the table. `words` and `place` stand on one line each; `review` is the decision
    that counts, if there is one, and `before` what an earlier check said of the same words.
    """

    number: int
    entry: LedgerEntry
    words: str
    place: str
    is_partial: bool
    review: EntryReview | None
    before: Before | None = None

    @property
    def is_overruled(self) -> bool:
        """Whether a reviewer says otherwise than the machine."""
        return self.review is not None and self.review.decision is Decision.OVERRULE

    @property
    def verdict(self) -> Verdict:
        """The verdict that stands: the reviewer's where there is one, else the machine's."""
        return (self.review.verdict if self.review else None) or self.entry.verdict

    @property
    def searched(self) -> str:
        """What a search looks at: the words that the row shows."""
        kind = wording.TYPE_WORDS[self.entry.claim.type]
        return f"{self.words} {kind} {self.place}".casefold()


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks to be shown. No verdict means all of them; `first` counts from 1."""

    verdicts: tuple[Verdict, ...] = ()
    decided: Decided | None = None
    order: Order = Order.WORST
    text: str = ""
    first: int = 1

    def fits(self, row: Row) -> bool:
        """Whether a row is shown."""
        if self.verdicts and row.verdict not in self.verdicts:
            return False
        if self.decided is not None and (row.review is not None) != (self.decided is Decided.DONE):
            return False
        words = self.text.casefold().split()
        return not words or all(word in row.searched for word in words)

    def query(self, **changes: Any) -> str:
        """The query of an address that asks for the same, but for `changes`; back at the first
        row unless told otherwise.
        """
        asked = replace(self, **{"first": 1, **changes})
        pairs: list[tuple[str, str]] = [("verdict", verdict.value) for verdict in asked.verdicts]
        pairs += [("decided", asked.decided.value)] if asked.decided else []
        pairs += [("sort", asked.order.value)] if asked.order is not Order.WORST else []
        pairs += [("q", asked.text)] if asked.text.strip() else []
        pairs += [("first", str(asked.first))] if asked.first > 1 else []
        return "?" + urlencode(pairs)


def asked_for(verdict: Sequence[str], decided: str, sort: str, q: str, first: int = 1) -> Asked:
    """What the parts of an address ask for; a part that means nothing is passed over."""
    verdicts = {one for one in Verdict if one.value in verdict}
    return Asked(
        tuple(one for one in wording.WORST_FIRST if one in verdicts),
        next((one for one in Decided if one.value == decided), None),
        next((one for one in Order if one.value == sort), Order.WORST),
        q,
        max(1, first),
    )


def rows_of(view: LedgerView, before: Mapping[int, Before]) -> tuple[Row, ...]:
    """All rows in the order of the answer."""
    sources = wording.sources_by_id(view.ledger)
    numbers = range(1, len(view.ledger.entries) + 1)
    return tuple(row_of(view, number, before.get(number), sources) for number in numbers)


def row_of(
    view: LedgerView,
    number: int,
    before: Before | None = None,
    sources: Mapping[str, Any] | None = None,
) -> Row:
    """The row of the claim with this number, from 1."""
    entry = view.ledger.entries[number - 1]
    sources = wording.sources_by_id(view.ledger) if sources is None else sources
    return Row(
        number=number,
        entry=entry,
        words=one_line(wording.claim_words(entry.claim)),
        place=one_line(wording.short_place(entry, sources)),
        is_partial=wording.is_partial(entry),
        review=view.standing.get(entry.id),
        before=before,
    )


def in_order(rows: Iterable[Row], order: Order) -> list[Row]:
    """Rows sorted; those that are alike stay in the order of the answer."""
    keys = {
        Order.WORST: lambda row: _RANK[row.verdict],
        Order.NUMBER: lambda row: row.number,
        Order.CLAIM: lambda row: row.words.casefold(),
        Order.TYPE: lambda row: row.entry.claim.type.value,
        Order.SOURCE: lambda row: (row.place == wording.NO_SOURCE, row.place.casefold()),
    }
    return sorted(sorted(rows, key=lambda row: row.number), key=keys[order])


_RANK = {verdict: place for place, verdict in enumerate(wording.WORST_FIRST)}


MOST_PASSAGES = 5
"""Further passages that are shown of each kind; the others are counted."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a source. `link` opens it in the document, empty where that version is no longer
    kept; `newer` is the version that has taken its place since, None if none has.
    """

    evidence: Evidence
    place: str
    citation: str
    link: str
    newer: int | None


@dataclass(frozen=True, slots=True)
class ClaimParts:
    """What is told of a claim. `history` are all decisions about it, oldest first; `stamp` is that
    of the ledger, for whoever decides about what stands there. `citations` tell what came of those
    of the answer: the `name` of the file that one leads to, or the `problem`.
    """

    row: Row
    session_id: str
    stamp: str
    first: Passage | None
    more: tuple[Passage, ...]
    near: tuple[Passage, ...]
    left_out: int
    citations: tuple[dict[str, str], ...]
    history: tuple[EntryReview, ...]

    @property
    def last_review(self) -> str:
        """The id of the last decision that a reviewer can have seen, "" for none."""
        return self.history[-1].id if self.history else ""

    @property
    def address(self) -> str:
        """The page of the claim."""
        return f"/sessions/{self.session_id}/claims/{self.row.number}"


def claim_parts(
    view: LedgerView, number: int, newer: dict[str, int], before: Before | None = None
) -> ClaimParts:
    """The parts of the claim with this number, from 1. `newer` tells which documents have a newer
    version than the ledger saw (`newer_versions`), and `before` what an earlier check said.
    """
    row = row_of(view, number, before)
    entry = row.entry
    passages = [_passage(view, number, piece, newer) for piece in entry.evidence]
    near = [_passage(view, number, piece, newer) for piece in entry.near]
    return ClaimParts(
        row=row,
        session_id=view.inquiry.id,
        stamp=view.mark.stamp,
        first=passages[0] if passages else None,
        more=tuple(passages[1 : 1 + MOST_PASSAGES]),
        near=tuple(near[:MOST_PASSAGES]),
        left_out=max(0, len(passages) - 1 - MOST_PASSAGES),
        citations=tuple(_checked(view, check) for check in entry.citations),
        history=tuple(review for review in view.reviews if review.entry_id == entry.id),
    )


DECISION_WORDS = {
    Decision.ACCEPT: "accepted the verdict",
    Decision.OVERRULE: "overruled the verdict",
    Decision.WITHDRAW: "took the decision back",
}
"""What a reviewer did, as the beginning of a sentence about it."""


def document_link(
    document_id: str,
    version: int | None,
    *,
    session: str = "",
    claim: int = 0,
    start: int | None = None,
    end: int | None = None,
) -> str:
    """The address of a document, or of a place in it: permanent, for it names the version."""
    pairs: Sequence[tuple[str, object]] = (
        ("version", version), ("start", start), ("end", end),
        ("session", session or None), ("claim", claim or None),
    )  # fmt: skip
    query = urlencode([(name, value) for name, value in pairs if value is not None])
    return f"/documents/{quote(document_id, safe='')}" + (f"?{query}" if query else "")


def _passage(view: LedgerView, number: int, piece: Evidence, newer: dict[str, int]) -> Passage:
    version, link = view.versions.get(piece.source_id), ""
    if version is not None:
        link = document_link(
            piece.source_id, version, session=view.inquiry.id, claim=number,
            start=piece.snippet_span.start, end=piece.snippet_span.end,
        )  # fmt: skip
    return Passage(
        evidence=piece,
        place=wording.full_place(piece, wording.sources_by_id(view.ledger)),
        citation=wording.citation(piece),
        link=link,
        newer=newer.get(piece.source_id),
    )


def _checked(view: LedgerView, check: CitationCheck) -> dict[str, str]:
    source = wording.sources_by_id(view.ledger).get(check.source_id or "")
    problem = check.problem or ("" if source else "it leads to no source")
    name = source.filename if source else ""
    return {"value": check.marker.value, "name": name, "problem": problem}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source with the version that was checked, and the newer one, where there is one."""

    source: Source
    successor: str
    seen: int | None
    newer: int | None
    link: str
    newer_link: str


def newer_of_claim(shelf: Shelf, view: LedgerView, number: int) -> dict[str, int]:
    """`newer_versions` of the documents that a claim rests on."""
    entry = view.ledger.entries[number - 1]
    ids = {piece.source_id for piece in chain(entry.evidence, entry.near)}
    return newer_versions(shelf, view.ledger, view.versions, ids)


def source_rows(view: LedgerView, newer: dict[str, int]) -> list[SourceRow]:
    """All sources, those that evidence rests on first."""
    names = {source.id: source.filename for source in view.ledger.sources}
    rows = []
    for source in view.ledger.sources:
        seen, later = view.versions.get(source.id), newer.get(source.id)
        rows.append(
            SourceRow(
                source=source,
                successor=names.get(source.superseded_by or "", ""),
                seen=seen,
                newer=later,
                link=document_link(source.id, seen) if seen else "",
                newer_link=document_link(source.id, later) if seen and later else "",
            )
        )
    return sorted(rows, key=lambda row: row.seen is None)
