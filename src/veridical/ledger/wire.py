"""Ledgers as JSON (schema `evidence_ledger`), and as the sealed files that are handed on."""

from __future__ import annotations

from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.seal import seal
from veridical.ledger.wire_read import ledger_from_json
from veridical.ledger.wire_write import ledger_to_json


def ledger_to_bytes(ledger: EvidenceLedger, *, key: bytes | None = None) -> bytes:
    """The sealed file of a ledger. `key` as for `seal.seal`. The same ledger, the same bytes."""
    return canonical_bytes(seal(ledger_to_json(ledger), key=key))


def ledger_from_bytes(file_bytes: bytes) -> EvidenceLedger:
    """The ledger in a file, sealed or not; the seal is not checked (see `verify.verify_ledger`).

    Raises ValidationError that says what is wrong with the file, and where.
    """
    return ledger_from_json(parse_file(file_bytes))


__all__ = ["ledger_from_bytes", "ledger_from_json", "ledger_to_bytes", "ledger_to_json"]
