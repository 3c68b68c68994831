"""Sources of a ledger that have another version since, with other words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from veridical.ledger.entry import EvidenceLedger, NewerVersion
from veridical.service.inquiring.ledger_view import texts_seen
from veridical.store.rows import stamp
from veridical.store.store import Shelf


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
    return tuple(_told(shelf, ledger, checked, newer_versions(shelf, ledger, checked, checked)))


def _told(
    shelf: Shelf, ledger: EvidenceLedger, checked: Mapping[str, int], newer: Mapping[str, int]
) -> Iterator[NewerVersion]:
    for source in ledger.sources:
        number = newer.get(source.id)
        kept = shelf.documents.versions(source.id) if number is not None else ()
        for version in kept:
            if version.version == number:
                added_at = stamp(version.created_at)
                yield NewerVersion(
                    source.id, source.filename, checked[source.id], version.version, added_at
                )
