"""Verifying a ledger: its seal, files that are hostile or no ledger, and what became of sources."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.ledger.ledgers import LEAVE, TRAVEL, document, documents, entry, ledger_of
from tests.ledger.verifying import (
    ALTERED,
    FILE,
    HELD,
    MOVED,
    ORPHANED,
    SCHEMA,
    first,
    quoting,
    statuses,
    verified,
)

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.verification import SourceStatus
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_to_bytes


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


def test_unchanged_sources_hold():
    found = verified(*documents())
    assert found.ok
    assert statuses(found) == [HELD, HELD, HELD, None]
    assert {source.status for source in found.sources} == {SourceStatus.UNCHANGED}
    assert found.counts == {HELD: 3, MOVED: 0, ALTERED: 0, ORPHANED: 0, None: 1}
    assert found.to_lines()[-1] == "The ledger holds."


def test_a_missing_document_leaves_orphans():
    found = verified(document(TRAVEL, "travel.md"))
    assert statuses(found) == [ORPHANED, ORPHANED, HELD, None]
    assert found.sources[0].status is SourceStatus.MISSING
    assert found.stale == 2
    assert not found.ok


def test_a_renamed_document_is_known_by_its_text():
    found = verified(document(LEAVE, "holidays.md"), document(TRAVEL, "travel.md"))
    assert statuses(found) == [MOVED, MOVED, HELD, None]
    assert found.sources[0].document == "holidays.md"
    assert first(found).now is not None
    assert first(found).now.document == "holidays.md"
    assert "Source leave.md: unchanged, now holidays.md" in found.to_lines()
    assert found.ok


def test_a_renamed_and_changed_document_shows_what_was_changed():
    found = verified(document(LEAVE.replace("25", "30"), "2025.md"), document(TRAVEL, "travel.md"))
    assert statuses(found) == [ALTERED, MOVED, HELD, None]
    assert first(found).changes[0].quoted == "25"


def test_an_old_version_does_not_save_what_the_current_one_has_altered():
    found = verified(
        document(LEAVE.replace("25", "30"), "leave.md"),
        document(LEAVE, "leave-2023.md"),
        document(TRAVEL, "travel.md"),
    )
    assert statuses(found)[0] is ALTERED
    assert first(found).also is not None
    assert first(found).also.document == "leave-2023.md"
    assert any("unaltered in leave-2023.md, line 3" in line for line in found.to_lines())


def test_words_that_went_to_another_document_must_be_judged_again():
    found = verified(
        document("# Leave\n\nSee the handbook.\n", "leave.md"),
        document(LEAVE, "handbook.md"),
        document(TRAVEL, "travel.md"),
    )
    assert statuses(found) == [MOVED, MOVED, HELD, None]
    assert found.entries[0].stale
    assert not found.ok


NOTHING_FOUND = ledger_to_bytes(
    ledger_of("It rains.", [entry("It rains.", 0, None, [])], documents())
)


def test_a_ledger_whose_sources_are_all_missing_does_not_hold():
    """Even where no entry rests on any: nothing was checked."""
    with pytest.raises(ValidationError, match="two documents are named"):
        verified(document(LEAVE, "leave.md"), document(TRAVEL, "leave.md"))
    assert verified(*documents(), file=NOTHING_FOUND).ok
    found = verified(document("Else.", "else.md"), file=NOTHING_FOUND)
    assert found.stale == 0
    assert found.problems == ()
    assert not found.ok
    assert not found.to_dict()["ok"]
    assert "Sources: 0 unchanged, 0 changed, 2 missing" in found.to_lines()
    assert found.to_lines()[-1].endswith("none of its sources is at hand.")
