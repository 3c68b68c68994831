"""Ledgers as JSON: the form of the specification, and nothing lost on the way there and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import sample_ledger
from tests.ledger.verifying import put

from veridical.errors import ValidationError
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE, Verdict
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.confidence import ConfidenceComponents
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    JudgeRecord,
    LedgerEntry,
    LedgerSummary,
    Marker,
    MarkerKind,
    RiskFlag,
    RiskType,
    Severity,
    Source,
)
from veridical.ledger.schemas import load_schema
from veridical.ledger.wire import (
    ledger_from_bytes,
    ledger_from_json,
    ledger_to_bytes,
    ledger_to_json,
)
from veridical.sources.document import Span

SCHEMA = jsonschema.Draft202012Validator(load_schema("evidence_ledger"))


@pytest.mark.parametrize("value", [FULL_SUPPORT_ABOVE + 1e-9, FULL_SUPPORT_ABOVE, 0.8499999])
def test_rounding_does_not_change_a_verdict(value):
    ledger = sample_ledger()
    entry = ledger.entries[0]
    piece = replace(entry.evidence[0], similarity=value)
    ledger = replace(ledger, entries=(replace(entry, evidence=(piece,)),))
    read = ledger_from_bytes(ledger_to_bytes(ledger)).entries[0].evidence[0].similarity
    assert (read > FULL_SUPPORT_ABOVE) is (value > FULL_SUPPORT_ABOVE)


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("entries/1/verdict", "true", "entries[1].verdict"),
        ("entries/1/confidence_score", 1.5, "entries[1].confidence_score"),
        ("entries/0/span/start", -1, "entries[0].span.start"),
        ("entries/0/span/end", 1.5, "entries[0].span.end"),
        ("entries/0/span", {"start": 9, "end": 3}, "entries[0].span"),
        ("entries/0/notes", ..., "entries[0]"),
        ("entries/0/colour", "red", "entries[0]"),
        ("sources/0/sha256", "abc", "sources[0].sha256"),
        ("entries/0/evidence/snippet", "Staff get 99 days.", "entries[0].evidence.snippet"),
        ("entries/0/evidence/chunk_ids", [], "entries[0].evidence.chunk_ids"),
        ("entries/0/evidence/source/filename", "other.md", "entries[0].evidence.source"),
        (
            "entries/0/evidence/pieces/0/source/document_id",
            "nowhere",
            "entries[0].evidence.pieces[0].source",
        ),
        ("generated_at", "yesterday", "generated_at"),
        ("version", 2, "version"),
        ("entries", "none", "entries"),
    ],
)
def test_what_does_not_fit_is_named(path, value, named):
    data = ledger_to_json(sample_ledger())
    put(path, value, shown=False)(data)
    with pytest.raises(ValidationError) as caught:
        ledger_from_json(data)
    assert caught.value.details["path"] == named
    assert named in str(caught.value)


def test_evidence_of_an_unlisted_source_cannot_be_written():
    with pytest.raises(ValidationError, match="not among the sources"):
        ledger_to_json(replace(sample_ledger(), sources=()))


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"a": 1, "a": 2}', "same name twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "required property"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": "\\ud83d"}', "surrogate"),
        (b'{"a": "\\ud83d\\ude00"}', "schema"),
    ],
)
def test_a_file_that_is_no_ledger(file, message):
    with pytest.raises(ValidationError, match=message):
        ledger_from_bytes(file)


def test_half_of_a_surrogate_pair_cannot_be_written():
    with pytest.raises(ValidationError, match="surrogate"):
        ledger_to_bytes(replace(sample_ledger(), answer="\ud83d"))


RATES = st.integers(0, 10**6).map(lambda n: n / 10**6)
NUMBERS = st.floats(0, 1)
TEXT = st.text(max_size=12)
IDS = st.uuids().map(str)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
SPANS = st.tuples(st.integers(0, 999), st.integers(0, 99)).map(lambda p: Span(p[0], sum(p)))
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
TIMES = st.just("2026-01-03T14:30:00Z")
MARKERS = st.builds(Marker, st.sampled_from(MarkerKind), st.text(min_size=1, max_size=9), SPANS)
SOURCES = st.lists(
    st.builds(
        Source,
        id=IDS, filename=TEXT, sha256=HASHES, format=TEXT, chars=st.integers(0, 9999),
        date=st.none() | st.just("2024-03-01"), superseded_by=st.none() | IDS,
    ),
    min_size=1, max_size=3, unique_by=lambda source: source.id,
).map(tuple)  # fmt: skip


def pieces(sources: tuple[Source, ...], rates: st.SearchStrategy[float]) -> Any:
    return st.builds(
        Evidence,
        chunk_id=IDS, chunk_sha256=HASHES, anchor=HASHES.map(lambda h: h[:9]),
        source_id=st.sampled_from(sources).map(lambda source: source.id),
        snippet=TEXT, source_text=TEXT, snippet_span=SPANS, chunk_span=SPANS,
        support=st.sampled_from(SupportLevel), similarity=rates, probability=rates,
        contradiction=rates, contradicts=st.booleans(), directness=rates, cited=st.booleans(),
        page_number=st.none() | st.integers(1, 99), heading_path=TEXTS,
    )  # fmt: skip


@st.composite
def ledgers(draw: Any, rates: st.SearchStrategy[float] = RATES) -> EvidenceLedger:
    sources = draw(SOURCES)
    several = st.lists(pieces(sources, rates), max_size=3).map(tuple)
    claims = st.builds(
        AnswerClaim,
        id=IDS, span=SPANS, text=TEXT, statement=TEXT, type=st.sampled_from(ClaimType),
        importance=st.sampled_from(Importance), requires_citation=st.booleans(), context=TEXT,
        markers=st.lists(MARKERS, max_size=2).map(tuple),
    )  # fmt: skip
    components = st.builds(ConfidenceComponents, rates, st.integers(0, 9), rates, rates)
    checks = st.builds(CitationCheck, MARKERS, st.none() | IDS, st.none() | HASHES, TEXT)
    entries = st.builds(
        LedgerEntry,
        id=IDS, claim=claims, verdict=st.sampled_from(Verdict), confidence_score=rates,
        components=components, probability=rates, notes=TEXT, evidence=several, near=several,
        citations=st.lists(checks, max_size=2).map(tuple),
    )  # fmt: skip
    counts = st.integers(0, 99)
    summary = st.builds(
        LedgerSummary, counts,
        st.fixed_dictionaries(dict.fromkeys(Verdict, counts)),
        st.fixed_dictionaries(dict.fromkeys(Importance, counts)),
        st.none() | rates, st.none() | rates,
    )  # fmt: skip
    flags = st.builds(
        RiskFlag,
        IDS, st.sampled_from(RiskType), st.sampled_from(Severity), TEXT,
        st.lists(IDS, max_size=2).map(tuple), TEXT,
    )  # fmt: skip
    whole = st.builds(
        EvidenceLedger,
        id=IDS, session_id=IDS, title=TEXT, query=TEXT, answer=TEXT, created_at=TIMES,
        updated_at=TIMES, judge=st.builds(JudgeRecord, TEXT, TEXT, TEXT),
        sources=st.just(sources), entries=st.lists(entries, max_size=3).map(tuple),
        summary=summary, risk_flags=st.lists(flags, max_size=2).map(tuple),
        follow_up_questions=TEXTS, actions=TEXTS, warnings=TEXTS,
    )  # fmt: skip
    return draw(whole)


@pytest.mark.no_cover
@given(ledgers())
def test_every_ledger_comes_back_as_it_was(ledger):
    file = ledger_to_bytes(ledger)
    assert ledger_from_bytes(file) == ledger
    SCHEMA.validate(json.loads(file))


@given(ledgers(NUMBERS))
def test_reading_and_writing_again_gives_the_same_bytes(ledger):
    """Numbers are rounded once: whatever they were, the second writing changes nothing."""
    file = canonical_bytes(ledger_to_json(ledger))
    assert canonical_bytes(ledger_to_json(ledger_from_json(parse_file(file)))) == file
