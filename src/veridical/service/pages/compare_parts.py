"""Two versions of a document side by side: which rows are shown, and what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision
from veridical.ledger.verification import EvidenceStatus
from veridical.service.context import Service
from veridical.service.inquiring.standing import MOST_SESSIONS, ClaimStanding, claims_on
from veridical.service.pages.claim_parts import document_link
from veridical.service.reading.versions import Change, ChangeKind, Words, reading_of, words_between
from veridical.service.reading.viewing import OpenVersion
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.shelf import Shelf

ROWS = 200
"""Changes on one page."""

_LONGEST_GONE = 4_000
"""Characters that are shown of a paragraph that is only in one version."""

SIGNS = {
    ChangeKind.SAME: "=",
    ChangeKind.CHANGED: "~",
    ChangeKind.ADDED: "+",
    ChangeKind.REMOVED: "−",
    ChangeKind.MOVED: "↪",
    ChangeKind.MOVED_AWAY: "↩",
}
WORDS = {
    ChangeKind.SAME: "Same",
    ChangeKind.CHANGED: "Changed",
    ChangeKind.ADDED: "Added",
    ChangeKind.REMOVED: "Removed",
    ChangeKind.MOVED: "Moved here",
    ChangeKind.MOVED_AWAY: "Moved away",
}
FATE_WORDS = {
    EvidenceStatus.HELD: "Held",
    EvidenceStatus.MOVED: "Moved",
    EvidenceStatus.ALTERED: "Altered",
    EvidenceStatus.ORPHANED: "Gone",
}
FATE_SIGNS = {
    EvidenceStatus.HELD: "✓",
    EvidenceStatus.MOVED: "↪",
    EvidenceStatus.ALTERED: "~",
    EvidenceStatus.ORPHANED: "✕",
}
_WORST_FIRST = (
    EvidenceStatus.ORPHANED, EvidenceStatus.ALTERED, EvidenceStatus.MOVED, EvidenceStatus.HELD,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """A paragraph in one of the versions: its words, and where it is."""

    words: tuple[Words, ...]
    line: int
    page: int | None
    link: str


@dataclass(frozen=True, slots=True)
class Row:
    """A change, or so many paragraphs that stayed the same (`same`, with the last of them as what
    stands before the next change).
    """

    kind: ChangeKind
    old: Side | None = None
    new: Side | None = None
    altered: bool = False
    same: int = 0
    anchor: str = ""
    elsewhere: str = ""


def compare_context(
    shelf: Shelf, service: Service, old: OpenVersion, new: OpenVersion, after: int
) -> dict[str, Any]:
    """What the page of a comparison is made of; `after` counts changes that are passed over."""
    changes = service.viewing.changes(old.document, new.document)
    places = _place_numbers(changes)
    rows = list(_rows(changes, old, new, after, places))
    total = sum(change.kind is not ChangeKind.SAME for change in changes)
    claims = claims_on(shelf, service.ledgers, new.document_id, new.document)
    return {
        "opened": new,
        "old": old,
        "new": new,
        "rows": rows,
        "counts": Counter(change.kind for change in changes),
        "total": total,
        "after": after,
        "following": after + ROWS if after + ROWS < total else None,
        "preceding": max(0, after - ROWS) if after else None,
        "claims": [_standing(claim, new) for claim in _worst_first(claims)],
        "fates": Counter(claim.fate.status for claim in claims),
        "most_sessions": MOST_SESSIONS,
        "kinds": ChangeKind,
        "signs": SIGNS,
        "kind_words": WORDS,
        "fate_words": FATE_WORDS,
        "fate_signs": FATE_SIGNS,
        "fate_order": _WORST_FIRST,
        "versions": new.versions,
    }


def _place_numbers(changes: Sequence[Change]) -> dict[tuple[ChangeKind, Span | None], int]:
    """The number of each change, by which rows of moved paragraphs point to each other."""
    differing = (change for change in changes if change.kind is not ChangeKind.SAME)
    return {(change.kind, change.new): number for number, change in enumerate(differing, 1)}


def _rows(
    changes: Sequence[Change],
    old: OpenVersion,
    new: OpenVersion,
    after: int,
    places: dict[tuple[ChangeKind, Span | None], int],
) -> Iterator[Row]:
    number = 0
    same: list[Change] = []
    for change in changes:
        if change.kind is ChangeKind.SAME:
            same.append(change)
            continue
        number += 1
        if number > after + ROWS:
            return
        if number > after:
            if same:
                yield _same_row(same, old, new)
            yield _row(change, number, old, new, places)
        same = []
    if same and changes:
        yield _same_row(same, old, new)


def _same_row(same: Sequence[Change], old: OpenVersion, new: OpenVersion) -> Row:
    last = same[-1]
    return Row(
        ChangeKind.SAME,
        _side(old, last.old, _plain(old.document, last.old)),
        _side(new, last.new, _plain(new.document, last.new)),
        same=len(same),
    )


def _row(
    change: Change,
    number: int,
    old: OpenVersion,
    new: OpenVersion,
    places: dict[tuple[ChangeKind, Span | None], int],
) -> Row:
    before, after = _plain(old.document, change.old), _plain(new.document, change.new)
    elsewhere = ""
    if change.kind is ChangeKind.MOVED_AWAY:
        elsewhere = f"#change-{places[ChangeKind.MOVED, change.new]}"
        return Row(
            change.kind, _side(old, change.old, before), None,
            anchor=f"change-{number}", elsewhere=elsewhere,
        )  # fmt: skip
    if change.kind is ChangeKind.MOVED:
        elsewhere = f"#change-{places[ChangeKind.MOVED_AWAY, change.new]}"
    if change.old and change.new and change.altered:
        before = after = words_between(_words(old.document, change.old),
                                       _words(new.document, change.new))  # fmt: skip
    return Row(
        change.kind,
        _side(old, change.old, before),
        _side(new, change.new, after),
        altered=change.altered,
        anchor=f"change-{number}",
        elsewhere=elsewhere,
    )


def _words(document: Document, span: Span) -> str:
    return reading_of(document, span)


def _plain(document: Document, span: Span | None) -> tuple[Words, ...]:
    if span is None:
        return ()
    text = reading_of(document, span)
    if len(text) > _LONGEST_GONE:
        text = text[:_LONGEST_GONE] + " …"
    return (Words(text, text, equal=True),)


def _side(opened: OpenVersion, span: Span | None, words: tuple[Words, ...]) -> Side | None:
    if span is None:
        return None
    document = opened.document
    link = document_link(opened.document_id, opened.number, start=span.start, end=span.end)
    return Side(words, document.line_number(span.start), document.page_at(span.start), link)


@dataclass(frozen=True, slots=True)
class Standing:
    """A claim that rests on the document, and the address of its words in the later version."""

    claim: ClaimStanding
    then: str
    now: str
    link: str

    @property
    def address(self) -> str:
        """The claim in its session."""
        return f"/sessions/{self.claim.session_id}/claims/{self.claim.number}"

    @property
    def overruled(self) -> Verdict | None:
        """The verdict that a reviewer put beside the machine's, if one did."""
        review = self.claim.review
        return review.verdict if review and review.decision is Decision.OVERRULE else None


def _standing(claim: ClaimStanding, new: OpenVersion) -> Standing:
    place = claim.fate.now
    link = ""
    if place is not None:
        link = document_link(
            new.document_id, new.number, session=claim.session_id, claim=claim.number,
            start=place.start, end=place.end,
        )  # fmt: skip
    then = " ".join(claim.piece.snippet.split())
    now = reading_of(new.document, place) if place is not None else ""
    return Standing(claim, then, now, link)


def _worst_first(claims: Sequence[ClaimStanding]) -> list[ClaimStanding]:
    return sorted(claims, key=lambda claim: _WORST_FIRST.index(claim.fate.status))
