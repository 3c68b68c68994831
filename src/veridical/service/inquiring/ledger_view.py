"""Ledgers as they are shown: with what reviewers decided, and kept in memory while they are so.

A ledger and the decisions about it are known by a mark that one cheap query tells, and the versions
of its documents by another, so a cache needs no time limit, and shows what another process wrote as
soon as this one looks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.review import EntryReview, standing
from veridical.store.inquiries import Inquiry
from veridical.store.ledgers import LedgerMark
from veridical.store.store import Shelf

MOST_ENTRIES = 20_000
"""Entries of ledgers that are kept as objects, each of some kilobytes."""

MOST_BYTES = 64 * 1024 * 1024
"""Of ledgers that are kept as they are sent."""

_LEAST_COST = 100
"""What a ledger of few entries counts for: it has sources and an answer too."""

T = TypeVar("T")
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
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


def standing_counts(view: LedgerView) -> dict[Verdict, int]:
    """How many claims have which verdict: the reviewer's where there is one, else the machine's."""
    counts = dict.fromkeys(Verdict, 0)
    for entry in view.ledger.entries:
        review = view.standing.get(entry.id)
        counts[(review.verdict if review else None) or entry.verdict] += 1
    return counts


class LedgerViews:
    """Ledgers of all workspaces, those looked at last. Usable from several threads.

    Whether a version is still kept is asked each time: no mark of a ledger tells it.
    """

    def __init__(self) -> None:
        self._views = _Bounded[LedgerView](MOST_ENTRIES, _entries)
        self._sent = _Bounded["SentLedger"](MOST_BYTES, _size)

    def find(self, shelf: Shelf, session_id: str) -> LedgerView | None:
        """The newest ledger of a session; None where it has none, or there is no such session."""
        mark = shelf.ledgers.mark(session_id)
        return None if mark is None else self.of(shelf, mark)

    def of(self, shelf: Shelf, mark: LedgerMark) -> LedgerView | None:
        """The ledger of a mark; None where its session was deleted since."""

        def make() -> _Kept[LedgerView] | None:
            view = _read(shelf, mark)
            return None if view is None else _kept(view, view)

        return self._views.get(shelf, mark, make)

    def sent(
        self, shelf: Shelf, mark: LedgerMark, write: Callable[[LedgerView], SentLedger]
    ) -> SentLedger | None:
        """The ledger of a mark as `write` writes it, which is always the same one."""

        def make() -> _Kept[SentLedger] | None:
            # Not through `of`: what is sent is kept as bytes, and needs no room as objects too.
            view = self._views.held(shelf, mark) or _read(shelf, mark)
            return None if view is None else _kept(view, write(view))

        return self._sent.get(shelf, mark, make)


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
class _Kept(Generic[T]):
    """What was made, and the state of the ledger and its documents that it was made of."""

    mark: LedgerMark
    texts: Mapping[str, str]
    versions: Mapping[str, int]
    made: T

    def is_of(self, shelf: Shelf, mark: LedgerMark) -> bool:
        """Whether that is the state still; one query."""
        return self.mark == mark and shelf.ledgers.versions(self.texts) == self.versions


class _Bounded(Generic[T]):
    """What was made of each ledger last, up to a sum of costs; what was used last stays longest.

    Of several who ask for the same ledger at once one makes it, and the others wait.
    """

    def __init__(self, most: int, cost: Callable[[T], int]) -> None:
        self._most = most
        self._cost = cost
        self._lock = threading.Lock()
        self._held: OrderedDict[_Key, _Kept[T]] = OrderedDict()
        self._making: WeakValueDictionary[_Key, _Making] = WeakValueDictionary()
        self._sum = 0

    def held(self, shelf: Shelf, mark: LedgerMark) -> T | None:
        """What is there of a ledger as it is now."""
        key = _key(shelf, mark)
        with self._lock:
            kept = self._held.get(key)
            if kept is not None:
                self._held.move_to_end(key)
        return kept.made if kept is not None and kept.is_of(shelf, mark) else None

    def get(self, shelf: Shelf, mark: LedgerMark, make: Callable[[], _Kept[T] | None]) -> T | None:
        """What is there of a ledger, made where there is nothing; None where that is made."""
        found = self.held(shelf, mark)
        if found is not None:
            return found
        key = _key(shelf, mark)
        with self._lock:
            making = self._making.setdefault(key, _Making())
        with making.lock:
            found = self.held(shelf, mark)
            if found is not None:
                return found
            made = make()
            if made is None:
                return None
            self._keep(key, made)
            return made.made

    def _keep(self, key: _Key, made: _Kept[T]) -> None:
        with self._lock:
            # Older states of the same ledger are not asked for again.
            older = self._held.pop(key, None)
            self._sum += self._cost(made.made) - (self._cost(older.made) if older else 0)
            self._held[key] = made
            while self._sum > self._most and len(self._held) > 1:
                self._sum -= self._cost(self._held.popitem(last=False)[1].made)


class _Making:
    """Held by whoever makes a thing; there while somebody makes it or waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


def _kept(view: LedgerView, made: T) -> _Kept[T]:
    return _Kept(view.mark, view.texts, view.versions, made)


def _key(shelf: Shelf, mark: LedgerMark) -> _Key:
    return shelf.workspace_id, mark.session_id


def _entries(view: LedgerView) -> int:
    return max(len(view.ledger.entries), _LEAST_COST)


def _size(sent: SentLedger) -> int:
    return len(sent.plain) + len(sent.packed)


def _read(shelf: Shelf, mark: LedgerMark) -> LedgerView | None:
    inquiry = shelf.inquiries.get(mark.session_id)
    if inquiry is None:
        return None
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
