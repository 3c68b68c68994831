"""Ledgers as JSON (schema `evidence_ledger`), and as the sealed files that are handed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.newer import NewerVersion, with_newer
from veridical.ledger.review import EntryReview
from veridical.ledger.review_wire import reviews_from_json, with_reviews
from veridical.ledger.seal import seal
from veridical.ledger.wire_read import ledger_from_json
from veridical.ledger.wire_write import ledger_to_json


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """What a ledger file holds: the ledger, and what reviewers decided about it, oldest first.

    `revision` is that of the ledger, from 1; a file without reviews does not say it.
    """

    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...] = ()
    revision: int = 1


def ledger_to_bytes(
    ledger: EvidenceLedger,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> bytes:
    """The sealed file of a ledger. The same ledger, the same bytes.

    `reviews` are about entries of the ledger, oldest first, and `revision` is the one of the ledger
    itself: see `review_wire.with_reviews`. Without reviews the file is that of the ledger alone.
    `newer` is noted beside the ledger and not sealed: see `newer.with_newer`.
    """
    data = with_reviews(ledger_to_json(ledger), reviews, revision)
    return canonical_bytes(with_newer(seal(data), newer))


def ledger_from_bytes(file_bytes: bytes) -> EvidenceLedger:
    """The ledger in a file, sealed or not; the seal is not checked (see `verify.verify_ledger`).

    Raises ValidationError that says what is wrong with the file, and where.
    """
    return ledger_from_json(parse_file(file_bytes))


def ledger_file_from_bytes(file_bytes: bytes) -> LedgerFile:
    """The same with the reviews in the file. Raises as `ledger_from_bytes` does."""
    data = parse_file(file_bytes)
    ledger = ledger_from_json(data)
    return LedgerFile(ledger, *reviews_from_json(data))


__all__ = [
    "LedgerFile",
    "ledger_file_from_bytes",
    "ledger_from_bytes",
    "ledger_from_json",
    "ledger_to_bytes",
    "ledger_to_json",
]
