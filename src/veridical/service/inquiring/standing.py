"""Do the words that claims rest on still stand, in another version of their document?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.ledger.verification import EvidenceStatus
from veridical.service.inquiring.bearing import rests_on
from veridical.service.inquiring.ledger_view import LedgerView, LedgerViews
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.store import Shelf

if TYPE_CHECKING:
    from veridical.ledger.verify_find import Words

MOST_SESSIONS = 25
"""The newest sessions whose claims are looked through."""

MOST_CLAIMS = 500
_SESSIONS_AT_ONCE = 25


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of words: HELD in their place, MOVED, ALTERED, or gone (ORPHANED). `now` is where
    they, or something like them, stand.
    """

    status: EvidenceStatus
    now: Span | None = None


@dataclass(frozen=True, slots=True)
class ClaimStanding:
    """A claim that rests on a document. `number` counts from 1 within its session; `version` is the
    one that it was checked against, None where that is no longer kept.
    """

    session_id: str
    number: int
    entry: LedgerEntry
    piece: Evidence
    version: int | None
    fate: Fate


def fate_of(old: Document, span: Span, new: Document, *, whole: bool) -> Fate:
    """What became of the words of a span. `whole` says that they are whole sentences."""
    from veridical.ledger.verify_find import Words

    words = Words(old.shown(span), old.text[span.start : span.end], span.start, whole=whole)
    return fates_of([words], new)[0]


def fates_of(wanted: Sequence[Words], document: Document) -> list[Fate]:
    """What became of words that once stood in a document, in their order."""
    # Not at the top, as elsewhere here: it loads how words are compared.
    from veridical.ledger.verify_find import WordFinder, reads_at

    finder = WordFinder(document)
    held = [
        finder.stands(words) if words.whole else reads_at(document, words, words.start)
        for words in wanted
    ]
    left = [words for words, stands in zip(wanted, held, strict=True) if not stands]
    found = iter(finder.find(left))
    fates: list[Fate] = []
    for words, stands in zip(wanted, held, strict=True):
        if stands:
            now = Span(words.start, words.start + len(words.written))
            fates.append(Fate(EvidenceStatus.HELD, now))
            continue
        place = next(found)
        if place is None:
            fates.append(Fate(EvidenceStatus.ORPHANED))
        elif place.same:
            fates.append(Fate(EvidenceStatus.MOVED, place.span))
        else:
            fates.append(Fate(EvidenceStatus.ALTERED, place.span))
    return fates


def claims_on(
    shelf: Shelf, ledgers: LedgerViews, document_id: str, document: Document
) -> tuple[ClaimStanding, ...]:
    """The claims of the newest `MOST_SESSIONS` sessions that rest on a document (`rests_on`; what
    else was found for them is passed over), at most `MOST_CLAIMS`, with what became of their
    words in `document`, a version of it.
    """
    resting: list[tuple[LedgerView, int, LedgerEntry, Evidence]] = []
    for inquiry in shelf.inquiries.page(limit=_SESSIONS_AT_ONCE).items[:MOST_SESSIONS]:
        view = ledgers.find(shelf, inquiry.id) if inquiry.ledger_id else None
        if view is None or all(source.id != document_id for source in view.ledger.sources):
            continue
        for number, entry in enumerate(view.ledger.entries, 1):
            resting += [
                (view, number, entry, piece)
                for piece in rests_on(entry)
                if piece.source_id == document_id
            ]
    resting = resting[:MOST_CLAIMS]
    fates = fates_of([_words(view, piece, document) for view, _, _, piece in resting], document)
    return tuple(
        ClaimStanding(
            view.inquiry.id,
            number,
            entry,
            piece,
            view.versions.get(document_id),
            fate,
        )
        for (view, number, entry, piece), fate in zip(resting, fates, strict=True)
    )


def _words(view: LedgerView, piece: Evidence, document: Document) -> Words:
    """Where the document is as the ledger saw it, words may be part of a sentence: they were."""
    from veridical.ledger.verify_find import Words

    seen = next(source.sha256 for source in view.ledger.sources if source.id == piece.source_id)
    return Words(
        piece.snippet, piece.source_text, piece.snippet_span.start, whole=seen != document.sha256
    )
