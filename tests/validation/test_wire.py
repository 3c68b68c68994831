"""The JSON of a report: it fits its schema, positions are true, and the hash covers it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import product
from typing import Any

import jsonschema
import pytest

from veridical import (
    Claim,
    EvidenceType,
    Format,
    ValidationConfig,
    ValidationReport,
    Validator,
    document_from_text,
)
from veridical.validation.results import RunError
from veridical.validation.schemas import load_schema
from veridical.validation.wire import content_hash, to_wire

HANDBOOK = """# Handbook

Full-time staff get 25 days of leave a year, *and may not sell it* for €300.

## 1 Requests

Requests are made in writing. Dr Alice Brown answers by 3 March 2024.

## 2 Appeals

Requests are made in writing. 😀 Naïve coöperation is wel-
come here.
"""
PAGE = """<html><body><h1>Travel</h1><p>Journeys are booked <b>four&nbsp;weeks</b> ahead.</p>
<!-- Remote staff receive a heating allowance. --><h2>Return</h2>
<p>Receipts are handed in within ten days.</p></body></html>"""
NOTE = "Receipts are handed in within ten days. Nothing else is said in this note."

QUOTES = [
    "Full-time staff get 25 days of leave a year",
    "FULL-TIME  STAFF get 25 days of leave",
    "staff get 26 days of leave a year",
    "and may sell it for €300",
    "Dr Alison Brown answers by 3 March 2024",
    "Dr Alice Brown answers by 4 March 2024",
    "Full-time stuff get 25 days of leave a yaer",
    "Full-time staff receive 25 days of leave every single year",
    "Requests are made in writing",
    "Receipts are handed in within ten days",
    "Journeys are booked four weeks ahead",
    "Remote staff receive a heating allowance",
    "Full-time staff … may not sell it",
    "welcome here",
    "Naive cooperation is welcome",
    "2 Appeals",
    "Section 7.3 Dogs",
    "leave a year",
    "Nothing of this kind is written in any of them at all",
    "\U0001f600 \ud800 \x00 \x1b[31m",
]


def claims() -> Iterator[Claim]:
    places: list[dict[str, Any]] = [
        {},
        {"source": "handbook.md"},
        {"source": "gone.md"},
        {"expected_section": "2 Appeals"},
        {"context_hint": "appeals in writing"},
        {"context_hint": "zebra", "confidence_threshold": 0.0},
        {"confidence_threshold": 1.0},
    ]
    for quote, kind, (number, place) in product(QUOTES, EvidenceType, enumerate(places)):
        yield Claim(f"EV{number}", quote, kind, "P1.T1", **place)


@cache
def report(*, strict: bool = False) -> ValidationReport:
    documents = [
        document_from_text(HANDBOOK, "handbook.md"),
        document_from_text(PAGE, "page.html"),
        document_from_text(NOTE, "note.txt", Format.PLAIN_TEXT),
    ]
    return Validator(documents).validate(claims(), strict=strict)


@cache
def checker() -> jsonschema.Draft7Validator:
    schema = load_schema("evidence_validation")
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())


def valid(report: ValidationReport) -> dict[str, Any]:
    """The report as a reader of its JSON gets it, after an independent check of its form."""
    wire: dict[str, Any] = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert [error.message for error in checker().iter_errors(wire)] == []
    return wire


@pytest.mark.no_cover
@pytest.mark.parametrize("strict", [False, True])
def test_every_result_fits_the_schema(strict: bool) -> None:
    wire = valid(report(strict=strict))
    summary = wire["validation_summary"]
    entries = [*wire["validated_claims"], *wire["failed_claims"]]
    assert summary["total_claims"] == len(QUOTES) * 4 * 7 == len(entries)
    parts = ("validated_claims", "ambiguous_claims", "low_confidence_claims", "failed_claims")
    assert sum(summary[part] for part in parts) == summary["total_claims"]
    assert len(wire["failed_claims"]) == summary["failed_claims"]
    rate = summary["validated_claims"] / summary["total_claims"]
    assert summary["validation_rate"] == pytest.approx(rate, abs=1e-6)
    held = [entry["validation_status"] for entry in wire["validated_claims"]]
    assert held.count("VALIDATED") == summary["validated_claims"]
    assert held.count("AMBIGUOUS") == summary["ambiguous_claims"]
    assert held.count("LOW_CONFIDENCE") == summary["low_confidence_claims"]
    # Who looks at an entry sees first what came of it, whatever the list is called.
    assert {next(iter(entry)) for entry in entries} == {"validation_status"}
    # The cases are only worth something if they are of every kind.
    statuses = {entry["validation_status"] for entry in entries}
    reasons = {entry["failure_reason"] for entry in wire["failed_claims"]}
    if strict:
        assert statuses == {"VALIDATED", "FAILED"}
        assert reasons == {"NOT_FOUND", "CONTEXT_MISMATCH", "MULTIPLE_MATCHES", "LOW_CONFIDENCE"}
    else:
        assert statuses == {"VALIDATED", "AMBIGUOUS", "LOW_CONFIDENCE", "FAILED"}
        assert reasons == {"NOT_FOUND", "CONTEXT_MISMATCH"}
        assert all(entry["suggestions"] for entry in wire["failed_claims"])
    fidelities = {entry.get("fidelity") for entry in entries}
    assert fidelities == {
        *("verbatim", "normalised", "altered", "misattributed", "fabricated"),
        None,
    }
    kinds = {entry["match_details"]["match_type"] for entry in wire["validated_claims"]}
    assert kinds >= ({"exact"} if strict else {"exact", "fuzzy"})


def places(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Every place that a result names, with the key of its text."""
    if isinstance(value, list):
        for part in value:
            yield from places(part)
    elif isinstance(value, dict):
        for key in ("matched_text", "candidate_text"):
            if key in value:
                yield value, key
        for part in value.values():
            yield from places(part)


def test_every_position_holds_its_text() -> None:
    found = report()
    texts = {document.name: document.text for document in found.documents}
    lines = {name: text.split("\n") for name, text in texts.items()}
    count = 0
    for place, key in places(found.to_dict()):
        text = texts[place["document"]]
        start = place.get("start_position", place.get("position"))
        assert text[start : place["end_position"]] == place[key]
        assert place["line_number"] == text.count("\n", 0, start) + 1
        assert place["line_number"] <= len(lines[place["document"]])
        assert 0 <= place["confidence_score"] <= 1
        count += 1
    assert count > 500


def test_what_the_run_could_not_do_fits_the_schema_too() -> None:
    errors = (
        RunError("DOCUMENT_PARSING_ERROR", "a.pdf: damaged", {"document": "a.pdf"}),
        RunError("PROCESSING_ERROR", "out of time", {"seconds": 1.5}, ("EV1", "EV2")),
    )
    wire = valid(replace(report(), errors=errors))
    assert wire["ok"] is False
    assert wire["errors"][1]["affected_claims"] == ["EV1", "EV2"]


# --- the hash -------------------------------------------------------------------------------------


def test_the_time_is_utc_and_stands_outside_the_hash() -> None:
    early = datetime(2024, 2, 29, 23, 30, tzinfo=timezone(timedelta(hours=-1)))
    one = to_wire(report(), now=early.astimezone(UTC))
    other = to_wire(report(), now=datetime(2030, 1, 1, tzinfo=UTC))
    assert one["generated"]["timestamp"] == "2024-03-01T00:30:00Z"
    assert one["generated"]["contentHash"] == other["generated"]["contentHash"]
    assert one | {"generated": 0} == other | {"generated": 0}


def test_the_hash_can_be_computed_again_from_the_result() -> None:
    wire = json.loads(json.dumps(report().to_dict()))
    stated = wire.pop("generated")["contentHash"]
    assert content_hash(wire) == stated


@pytest.mark.no_cover
def test_the_hash_changes_with_any_part_of_the_result() -> None:
    wire = report().to_dict()
    stated = wire.pop("generated")["contentHash"]

    def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        if isinstance(value, (dict, list)) and value:
            for key in value if isinstance(value, dict) else range(len(value)):
                yield from leaves(value[key], (*path, key))
        else:
            yield path

    for path in list(leaves(wire))[::1499]:
        changed = json.loads(json.dumps(wire))
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = "something else"
        assert content_hash(changed) != stated, path


def test_the_hash_tells_other_documents_claims_and_settings_apart() -> None:
    def of(text: str, quote: str, **config: Any) -> str:
        settings = ValidationConfig.from_mapping(config)
        validator = Validator([document_from_text(text, "doc.txt")], settings)
        generated = validator.validate([Claim("EV1", quote)]).to_dict()["generated"]
        return str(generated["contentHash"])

    text, quote = "Staff get 25 days of leave. Staff do.", "Staff get 25 days"
    hashes = [
        of(text, quote),
        of(text + " ", quote),
        of(text, quote.upper()),
        of(text, quote.upper(), exact_matching={"case_sensitive": True}),
    ]
    assert len(set(hashes)) == len(hashes)
    assert of(text, quote) == hashes[0]


# --- the schemas ---------------------------------------------------------------------------------
