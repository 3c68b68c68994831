"""Verifying sample ledgers: what the tests of `verify_ledger` have in common."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import jsonschema
from tests.ledger.ledgers import (
    FULL,
    LEAVE,
    TRAVEL,
    document,
    documents,
    entry,
    ledger_of,
    piece,
    sample_ledger,
)

from veridical import Document
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.schemas import load_schema
from veridical.ledger.seal import seal
from veridical.ledger.verification import EvidenceCheck, EvidenceStatus, LedgerVerification
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_to_bytes
from veridical.sources.document import Span

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
FILE = ledger_to_bytes(sample_ledger())
SCHEMA = jsonschema.Draft202012Validator(load_schema("ledger_verification"))


def verified(*docs: Document, file: bytes = FILE) -> LedgerVerification:
    """The verification, its JSON always checked against the schema."""
    found = verify_ledger(file, docs)
    SCHEMA.validate(json.loads(json.dumps(found.to_dict())))
    return found


def against(leave: str = LEAVE, travel: str = TRAVEL) -> LedgerVerification:
    return verified(document(leave, "leave.md"), document(travel, "travel.md"))


def statuses(found: LedgerVerification) -> list[EvidenceStatus | None]:
    return [check.status for check in found.entries]


def first(found: LedgerVerification) -> EvidenceCheck:
    return found.entries[0].evidence[0]


def quoting(text: str, words: str, name: str = "rules.txt") -> bytes:
    """The file of a ledger with one claim that rests on `words` of a plain text."""
    source = document(text, name)
    start = text.index(words)
    evidence = [piece(source, Span(start, start + len(words)))]
    return ledger_to_bytes(
        ledger_of("So it is.", [entry("So it is.", 0, FULL, evidence)], [source])
    )


Forgery = Callable[[dict[str, Any]], object]


def forged(change: Forgery, *docs: Document, file: bytes = FILE) -> LedgerVerification:
    """A ledger that somebody changed and sealed anew, against its unchanged sources."""
    data = copy.deepcopy(json.loads(file))
    change(data)
    found = verified(*(docs or documents()), file=canonical_bytes(seal(data)))
    assert found.seal.intact
    return found


def put(path: str, value: Any, *, shown: bool = True) -> Forgery:
    """The value at a path (`entries/0/verdict`) is another; `...` takes it out. What is `shown` of
    the evidence of an entry follows its first piece.
    """
    *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))

    def change(data: dict[str, Any]) -> None:
        place: Any = data
        for step in way:
            place = place[step]
        if value is ...:
            del place[last]
        else:
            place[last] = value
        for evidence in (made["evidence"] for made in data["entries"] if shown):
            for first in evidence["pieces"][:1]:
                evidence |= {"snippet": first["snippet"], "source": first["source"]}

    return change


def problems_at(found: LedgerVerification) -> list[str]:
    return [problem.where for problem in found.problems]
