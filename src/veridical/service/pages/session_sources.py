"""The sources of a ledger: which version was checked, and whether it is still the newest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from veridical.ledger.entry import Source
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.inquiring.newer import newer_versions
from veridical.service.pages.claim_parts import document_link
from veridical.store.store import Shelf


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source with the version that was checked, and the newer one, where there is one."""

    source: Source
    successor: str
    seen: int | None
    newer: int | None
    link: str
    newer_link: str

    @property
    def filename(self) -> str:
        """Its name."""
        return self.source.filename


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
