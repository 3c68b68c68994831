"""A scorecard as JSON, in the form of the shipped schema `scorecard`, and back."""

from __future__ import annotations

from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.scoring.scorecard import Scorecard
from veridical.scoring.wire_read import scorecard_from_wire
from veridical.scoring.wire_write import scorecard_to_wire

MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger scorecard is refused."""

__all__ = ["scorecard_from_bytes", "scorecard_from_wire", "scorecard_to_bytes", "scorecard_to_wire"]


def scorecard_to_bytes(card: Scorecard) -> bytes:
    """The bytes of a scorecard's file: UTF-8 JSON, keys sorted. The same card gives the same bytes.

    Raises ValidationError where a text holds half of a surrogate pair, which no UTF-8 file can.
    """
    return canonical_bytes(scorecard_to_wire(card))


def scorecard_from_bytes(data: bytes) -> Scorecard:
    """The scorecard in a file, which may come from anywhere.

    Stricter than `json.loads`: UTF-8, no NaN or infinity, no name twice in one object, a limit of
    size, nothing that the schema does not have, and what follows from other parts of the card must
    agree with them.

    Raises ValidationError that names the path of what does not fit.
    """
    return scorecard_from_wire(parse_file(data, what="the scorecard", most_bytes=MAX_FILE_BYTES))
