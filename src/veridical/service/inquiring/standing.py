"""What evidence says of its claim, and whether its words still stand in later versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.newer import NewerVersion
from veridical.ledger.verification import EvidenceStatus
from veridical.service.inquiring.ledger_view import LedgerView, LedgerViews, texts_seen
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.rows import stamp
from veridical.store.shelf import Shelf

if TYPE_CHECKING:
    from veridical.ledger.verify_find import Words


class Role(StrEnum):
    """The verdict came from the DECIDING piece. FURTHER ones were found beside it; NEAR ones come
    nearest to a claim for which there is no evidence, and prove nothing.
    """

    DECIDING = "deciding"
    FURTHER = "further"
    NEAR = "near"


def tone_of(piece: Evidence) -> Verdict:
    """The verdict in whose colour a piece is shown by itself: how far it bears the claim out."""
    return Verdict.CONTRADICTED if piece.contradicts else _TONES[piece.support]


def said_of(piece: Evidence) -> str:
    """What a piece by itself says of its claim, for a reader."""
    return "Speaks against it" if piece.contradicts else _SAID[piece.support]


def rests_on(entry: LedgerEntry) -> tuple[Evidence, ...]:
    """The pieces that a verdict rests on: the deciding one, and those that say as much for it."""
    is_firm = entry.verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED)
    further = entry.evidence[1:] if is_firm else ()
    return (
        *entry.evidence[:1],
        *(piece for piece in further if tone_of(piece) is entry.verdict),
    )


_TONES = {
    SupportLevel.FULL: Verdict.SUPPORTED,
    SupportLevel.PARTIAL: Verdict.WEAK,
    SupportLevel.NONE: Verdict.NOT_FOUND,
}
_SAID = {
    SupportLevel.FULL: "Supports it",
    SupportLevel.PARTIAL: "Supports it in part",
    SupportLevel.NONE: "Does not support it",
}


def newer_versions(
    shelf: Shelf, ledger: EvidenceLedger, checked: Mapping[str, int], ids: Iterable[str]
) -> dict[str, int]:
    """Which of these documents have another version, with other words, than the ledger saw; by id
    its number. `checked` are the versions that it saw and that are still kept.
    """
    seen = {source.id: source.sha256 for source in ledger.sources}
    ready = shelf.documents.ready_versions(filter(checked.__contains__, ids))
    return {
        source_id: version
        for source_id, (version, sha256) in ready.items()
        if sha256 != seen.get(source_id)
    }


def newer_sources(shelf: Shelf, ledger: EvidenceLedger) -> tuple[NewerVersion, ...]:
    """The same of all documents that evidence rests on, with their names and dates."""
    checked = shelf.ledgers.versions(texts_seen(ledger))
    newer = newer_versions(shelf, ledger, checked, checked)
    return tuple(
        NewerVersion(
            source.id, source.filename, checked[source.id], one.version, stamp(one.created_at)
        )
        for source in ledger.sources
        if source.id in newer
        for one in shelf.documents.versions(source.id)
        if one.version == newer[source.id]
    )


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
    found = iter(
        finder.find([words for words, stands in zip(wanted, held, strict=True) if not stands])
    )
    fates: list[Fate] = []
    for words, stands in zip(wanted, held, strict=True):
        if stands:
            now = Span(words.start, words.start + len(words.written))
            fates.append(Fate(EvidenceStatus.HELD, now))
        elif (place := next(found)) is None:
            fates.append(Fate(EvidenceStatus.ORPHANED))
        else:
            same = EvidenceStatus.MOVED if place.same else EvidenceStatus.ALTERED
            fates.append(Fate(same, place.span))
    return fates


def claims_on(
    shelf: Shelf, ledgers: LedgerViews, document_id: str, document: Document
) -> list[dict[str, Any]]:
    """The claims of the newest `MOST_SESSIONS` sessions that rest on a document (`rests_on`; what
    else was found for them is passed over), at most `MOST_CLAIMS`, with what became of their
    words in `document`, a version of it. `number` counts from 1 within its session;
    `checked_version` is None where that is no longer kept, and `now` is a place.
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
    return [
        {
            "session_id": view.inquiry.id,
            "number": number,
            "entry_id": entry.id,
            "verdict": entry.verdict,
            "snippet": piece.snippet,
            "checked_version": view.versions.get(document_id),
            "status": fate.status,
            "now": fate.now,
        }
        for (view, number, entry, piece), fate in zip(resting, fates, strict=True)
    ]


def _words(view: LedgerView, piece: Evidence, document: Document) -> Words:
    """Where the document is as the ledger saw it, words may be part of a sentence: they were."""
    from veridical.ledger.verify_find import Words

    seen = next(source.sha256 for source in view.ledger.sources if source.id == piece.source_id)
    return Words(
        piece.snippet, piece.source_text, piece.snippet_span.start, whole=seen != document.sha256
    )
