"""Ledgers as they are shown: with what reviewers decided, and kept in memory while they are so;
what evidence says of its claim, and whether its words still stand in later versions.

A ledger and the decisions about it are known by a mark that one cheap query tells, and the versions
of its documents by another, so a cache needs no time limit, and shows what another process wrote as
soon as this one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from veridical.ledger.entry import EvidenceLedger, NewerVersion, Source
from veridical.ledger.review import EntryReview, standing
from veridical.service.reading.viewing import Bounded
from veridical.store.inquiries import Inquiry
from veridical.store.ledgers import LedgerMark
from veridical.store.rows import stamp
from veridical.store.store import Shelf

T = TypeVar("T")

MOST_ENTRIES = 20_000
"""Entries of ledgers that are kept as objects, each of some kilobytes."""

_LEAST_COST = 100
"""What a ledger of few entries counts for: it has sources and an answer too."""


@dataclass(frozen=True, slots=True, eq=False)
class LedgerView:
    """The newest ledger of an inquiry. `reviews` are all decisions about it, oldest first, and
    `standing` those that count, by entry id; `sources` are by their ids. `texts` has the hash of
    the text that the ledger saw of each document that evidence rests on, and `versions` which
    version of it that is; one that is no longer kept is missing. `made` is what pages and replies
    are put together from, by name: made once, and kept as long as this is.
    """

    mark: LedgerMark
    inquiry: Inquiry
    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...]
    standing: Mapping[str, EntryReview]
    sources: Mapping[str, Source]
    texts: Mapping[str, str]
    versions: Mapping[str, int]
    made: dict[str, Any] = field(default_factory=dict)

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What has this name in `made`; where there is none, it is made."""
        if name not in self.made:
            self.made[name] = make()
        found: T = self.made[name]
        return found

    @property
    def reviewed(self) -> EvidenceLedger:
        """The ledger with the verdicts that stand, and what follows from them."""
        from veridical.ledger.risks import as_reviewed  # brings numpy, which a start needs not

        return self.kept("reviewed", lambda: as_reviewed(self.ledger, self.standing))


class LedgerViews:
    """Ledgers of all workspaces, those looked at last. Usable from several threads.

    Whether a version is still kept is asked each time: no mark of a ledger tells it.
    """

    def __init__(self) -> None:
        self._views = Bounded[tuple[str, str], LedgerView](
            MOST_ENTRIES, lambda view: max(len(view.ledger.entries), _LEAST_COST)
        )

    def find(self, shelf: Shelf, session_id: str) -> LedgerView | None:
        """The newest ledger of a session; None where it has none, or there is no such session."""
        mark = shelf.ledgers.mark(session_id)
        if mark is None:
            return None

        def is_current(view: LedgerView) -> bool:
            return view.mark == mark and shelf.ledgers.versions(view.texts) == view.versions

        try:
            return self._views.get(
                (shelf.workspace_id, session_id), lambda: _read(shelf, mark), is_current
            )
        except _GoneError:
            return None


class _GoneError(Exception):
    """The session of a ledger was deleted since its mark was told."""


def _read(shelf: Shelf, mark: LedgerMark) -> LedgerView:
    inquiry = shelf.inquiries.get(mark.session_id)
    if inquiry is None:
        raise _GoneError
    ledger = shelf.ledgers.load(mark).ledger
    reviews = shelf.reviews.of_session(mark.session_id)
    texts = texts_seen(ledger)
    return LedgerView(
        mark=mark,
        inquiry=inquiry,
        ledger=ledger,
        reviews=reviews,
        standing=standing(reviews, ledger.entries),
        sources={source.id: source for source in ledger.sources},
        texts=texts,
        versions=shelf.ledgers.versions(texts),
    )


def texts_seen(ledger: EvidenceLedger) -> dict[str, str]:
    """The hash of the text of each document that evidence rests on, by its id."""
    used = {piece.source_id for entry in ledger.entries for piece in (*entry.evidence, *entry.near)}
    return {source.id: source.sha256 for source in ledger.sources if source.id in used}


def newer_versions(
    shelf: Shelf, ledger: EvidenceLedger, checked: Mapping[str, int]
) -> dict[str, int]:
    """Which documents have another version, with other words, than the ledger saw; by id its
    number. `checked` are the versions that it saw and that are still kept.
    """
    seen = {source.id: source.sha256 for source in ledger.sources}
    ready = shelf.documents.ready_versions(checked)
    return {
        source_id: version
        for source_id, (version, sha256) in ready.items()
        if sha256 != seen.get(source_id)
    }


def newer_sources(shelf: Shelf, ledger: EvidenceLedger) -> tuple[NewerVersion, ...]:
    """The same of all documents that evidence rests on, with their names and dates."""
    checked = shelf.ledgers.versions(texts_seen(ledger))
    newer = newer_versions(shelf, ledger, checked)
    return tuple(
        NewerVersion(
            source.id, source.filename, checked[source.id], one.version, stamp(one.created_at)
        )
        for source in ledger.sources
        if source.id in newer
        for one in shelf.documents.versions(source.id)
        if one.version == newer[source.id]
    )
