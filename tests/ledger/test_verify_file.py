"""Verifying a ledger: its seal, and files that are hostile or no ledger at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.ledger.ledgers import document, documents
from tests.ledger.verifying import FILE, HELD, SCHEMA, quoting, statuses, verified

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.verify import verify_ledger


def test_a_broken_seal_is_reported_beside_the_evidence():
    found = verified(*documents(), file=FILE.replace(b"14:30:00Z", b"14:31:00Z"))
    assert statuses(found) == [HELD, HELD, HELD, None]
    assert [p.where for p in found.seal.problems] == ["generated_at", "updated_at"]
    assert not found.ok
    assert "Seal: broken" in found.to_lines()


@pytest.mark.parametrize("file", [b"", b"{}", b'{"entries": []}', b"\x00\xff"])
def test_a_file_that_is_no_ledger_is_refused(file):
    with pytest.raises(ValidationError):
        verify_ledger(file, documents())


def test_lines_for_a_terminal_hold_no_escape_sequences():
    hostile = "Taxis \x1b[31mare not\x07 repaid ever."
    file = quoting(hostile, hostile)
    lines = verified(document("Taxis are never repaid.", "rules.txt"), file=file).to_lines()
    assert all(line.isprintable() for line in lines)


def places_in(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all single values in some JSON."""
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        return [place for key, value in items for place in places_in(value, (*way, key))]
    return [way]


HOSTILE = (0, 1, 2**53 - 1, 0.5, "", "a", "\x00", "[" * 5000, "~~" * 2000, None, True, [], {})


@pytest.mark.no_cover
def test_hostile_values_anywhere_are_findings_or_refused():
    data = json.loads(FILE)
    docs = [document("# x\n\n~~Staff~~ get", "leave.md"), *documents()[1:]]
    refused, found = [], 0
    for index, way in enumerate(places_in({k: data[k] for k in data if k != "seal"})):
        changed = json.loads(FILE)
        place = changed
        for step in way[:-1]:
            place = place[step]
        place[way[-1]] = HOSTILE[index % len(HOSTILE)]
        try:
            SCHEMA.validate(verify_ledger(canonical_bytes(changed), docs).to_dict())
            found += 1
        except ValidationError as error:
            refused.append(error.details["path"])
    assert all(refused)
    assert len(refused) > 50
    assert found > 20
