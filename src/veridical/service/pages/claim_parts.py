"""One claim of a ledger as a page tells it: its evidence with links, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from veridical.ledger.entry import CitationCheck, Evidence
from veridical.ledger.export import wording
from veridical.ledger.review import Decision, EntryReview
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.session_before import Before
from veridical.service.pages.session_rows import Row, row_of

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
class Checked:
    """What came of a citation of the answer: `name` of the file that it leads to, or why not."""

    value: str
    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class ClaimParts:
    """What is told of a claim. `history` are all decisions about it, oldest first; `stamp` is that
    of the ledger, for whoever decides about what stands there.
    """

    row: Row
    session_id: str
    stamp: str
    first: Passage | None
    more: tuple[Passage, ...]
    near: tuple[Passage, ...]
    left_out: int
    citations: tuple[Checked, ...]
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


def decision_words(review: EntryReview) -> str:
    """What a reviewer did, as the beginning of a sentence about it."""
    return _DECISIONS[review.decision]


_DECISIONS = {
    Decision.ACCEPT: "accepted the verdict",
    Decision.OVERRULE: "overruled the verdict",
    Decision.WITHDRAW: "took the decision back",
}


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


def _checked(view: LedgerView, check: CitationCheck) -> Checked:
    source = wording.sources_by_id(view.ledger).get(check.source_id or "")
    problem = check.problem or ("" if source else "it leads to no source")
    return Checked(check.marker.value, source.filename if source else "", problem)
