"""The rows of a ledger's table: which are shown, in which order, and the addresses that say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.export.texts import one_line
from veridical.ledger.review import Decision, EntryReview
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.session_before import Before

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
    return Row(
        number,
        entry,
        one_line(wording.claim_words(entry.claim)),
        one_line(
            wording.short_place(
                entry, wording.sources_by_id(view.ledger) if sources is None else sources
            )
        ),
        wording.is_partial(entry),
        view.standing.get(entry.id),
        before,
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
