"""Sources that have another version since a ledger was made: told beside it, and no part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NewerVersion:
    """A source whose place another version with other words has taken in its workspace.

    `checked` is the number of the version that the ledger saw, `newer` of the one that is current;
    `added_at` is when that came, in ISO 8601 and UTC, to the second, with `Z`.
    """

    source_id: str
    filename: str
    checked: int
    newer: int
    added_at: str


def with_newer(data: dict[str, Any], newer: Sequence[NewerVersion]) -> dict[str, Any]:
    """The data of a ledger with a note of such sources; as it was where there are none.

    The seal does not cover the note: it says what was so when the file was written, which nobody
    can check in the ledger.
    """
    if not newer:
        return data
    return {**data, "newer_versions": [_to_json(each) for each in newer]}


def _to_json(each: NewerVersion) -> dict[str, Any]:
    return {
        "document_id": each.source_id,
        "filename": each.filename,
        "checked_version": each.checked,
        "newer_version": each.newer,
        "added_at": each.added_at,
    }
