"""Ledgers as they are shown: with what reviewers decided, and kept in memory while they are so.

A ledger and the decisions about it are known by a mark that one cheap query tells, and the versions
of its documents by another, so a cache needs no time limit, and shows what another process wrote as
soon as this one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.ledger.review import EntryReview, standing
from veridical.service.reading.viewing import Bounded
from veridical.store.inquiries import Inquiry
from veridical.store.ledgers_of import LedgerMark
from veridical.store.shelf import Shelf

MOST_ENTRIES = 20_000
"""Entries of ledgers that are kept as objects, each of some kilobytes."""

MOST_BYTES = 64 * 1024 * 1024
"""Of ledgers that are kept as they are sent."""

_LEAST_COST = 100
"""What a ledger of few entries counts for: it has sources and an answer too."""

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class LedgerView:
    """The newest ledger of an inquiry. `reviews` are all decisions about it, oldest first, and
    `standing` those that count, by entry id. `texts` has the hash of the text that the ledger saw
    of each document that evidence rests on, and `versions` which version of it that is; one that is
    no longer kept is missing.
    """

    mark: LedgerMark
    inquiry: Inquiry
    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...]
    standing: Mapping[str, EntryReview]
    texts: Mapping[str, str]
    versions: Mapping[str, int]

    def verdict_of(self, entry: LedgerEntry) -> Verdict:
        """The verdict that stands: the reviewer's where there is one, else the machine's."""
        review = self.standing.get(entry.id)
        return (review.verdict if review else None) or entry.verdict


def standing_counts(view: LedgerView) -> dict[Verdict, int]:
    """How many claims have which verdict that stands."""
    counts = dict.fromkeys(Verdict, 0)
    for entry in view.ledger.entries:
        counts[view.verdict_of(entry)] += 1
    return counts


class LedgerViews:
    """Ledgers of all workspaces, those looked at last. Usable from several threads.

    Whether a version is still kept is asked each time: no mark of a ledger tells it.
    """

    def __init__(self) -> None:
        self._views = Bounded[_Key, LedgerView](
            MOST_ENTRIES,
            lambda view: max(len(view.ledger.entries), _LEAST_COST),
            may_exceed=True,
        )
        self._sent = Bounded[_Key, _Sent](
            MOST_BYTES,
            lambda kept: len(kept.sent.plain) + len(kept.sent.packed),
            may_exceed=True,
        )

    def find(self, shelf: Shelf, session_id: str) -> LedgerView | None:
        """The newest ledger of a session; None where it has none, or there is no such session."""
        mark = shelf.ledgers.mark(session_id)
        return None if mark is None else self.of(shelf, mark)

    def of(self, shelf: Shelf, mark: LedgerMark) -> LedgerView | None:
        """The ledger of a mark; None where its session was deleted since."""
        try:
            return self._views.get(
                _key(shelf, mark),
                lambda: _read(shelf, mark),
                lambda view: _is_current(shelf, mark, view),
            )
        except _GoneError:
            return None

    def sent(
        self, shelf: Shelf, mark: LedgerMark, write: Callable[[LedgerView], SentLedger]
    ) -> SentLedger | None:
        """The ledger of a mark as `write` writes it, which is always the same one."""

        def make() -> _Sent:
            # Not through `of`: what is sent is kept as bytes, and needs no room as objects too.
            view = self._views.held(key, lambda view: _is_current(shelf, mark, view))
            view = view or _read(shelf, mark)
            return _Sent(view.mark, view.texts, view.versions, write(view))

        key = _key(shelf, mark)
        try:
            return self._sent.get(key, make, lambda kept: _is_current(shelf, mark, kept)).sent
        except _GoneError:
            return None


@dataclass(frozen=True, slots=True)
class SentLedger:
    """A reply with a ledger: its JSON, the same compressed with gzip, and the tag of each."""

    plain: bytes
    packed: bytes
    tag: str

    def tag_of(self, *, packed: bool) -> str:
        """The entity tag of one of the two forms: those of different bytes differ."""
        return f'"{self.tag}{"-gzip" if packed else ""}"'


@dataclass(frozen=True, slots=True)
class _Sent:
    """What is sent, and the state of the ledger and its documents that it was made of."""

    mark: LedgerMark
    texts: Mapping[str, str]
    versions: Mapping[str, int]
    sent: SentLedger


class _GoneError(Exception):
    """The session of a ledger was deleted."""


def _is_current(shelf: Shelf, mark: LedgerMark, kept: LedgerView | _Sent) -> bool:
    """Whether the ledger and its documents are still in the state of what is kept; one query."""
    return kept.mark == mark and shelf.ledgers.versions(kept.texts) == kept.versions


def _key(shelf: Shelf, mark: LedgerMark) -> _Key:
    return shelf.workspace_id, mark.session_id


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
        texts=texts,
        versions=shelf.ledgers.versions(texts),
    )


def texts_seen(ledger: EvidenceLedger) -> dict[str, str]:
    """The hash of the text of each document that evidence rests on, by its id."""
    used = {piece.source_id for entry in ledger.entries for piece in (*entry.evidence, *entry.near)}
    return {source.id: source.sha256 for source in ledger.sources if source.id in used}
