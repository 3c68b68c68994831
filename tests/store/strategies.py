"""Any ledger at all, for property tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
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
from veridical.sources.document import Span

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# Everything that a `str` can hold: U+0000, lone surrogates, what marks them in the database.
texts = st.one_of(
    st.text(max_size=30),
    st.text(alphabet=st.characters(codec=None), max_size=12),
    st.text(alphabet="\x00\x10\ud83d\ude00\udfffu0010\\\"'; %", max_size=12),
)
lines = st.lists(texts, max_size=3).map(tuple)
uuids = st.uuids().map(str)
rates = st.floats(0, 1)
spans = st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)).map(
    lambda pair: Span(*sorted(pair))
)
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
stamps = st.integers(-62_135_596_800, 253_402_300_799).map(
    lambda seconds: (_EPOCH + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
)
markers = st.builds(Marker, st.sampled_from(MarkerKind), texts, spans)
evidence = st.builds(
    Evidence,
    chunk_id=uuids, chunk_sha256=hashes, anchor=texts, source_id=uuids, snippet=texts,
    source_text=texts, snippet_span=spans, chunk_span=spans,
    support=st.sampled_from(SupportLevel), similarity=rates, probability=rates,
    contradiction=rates, contradicts=st.booleans(), directness=rates, cited=st.booleans(),
    page_number=st.none() | st.integers(1, 10_000), heading_path=lines,
)  # fmt: skip
claims = st.builds(
    AnswerClaim,
    id=uuids, span=spans, text=texts, statement=texts, type=st.sampled_from(ClaimType),
    importance=st.sampled_from(Importance), requires_citation=st.booleans(), context=texts,
    markers=st.lists(markers, max_size=2).map(tuple),
)  # fmt: skip
entries = st.builds(
    LedgerEntry,
    id=uuids, claim=claims, verdict=st.sampled_from(Verdict), confidence_score=rates,
    components=st.builds(ConfidenceComponents, rates, st.integers(0, 99), rates, rates),
    probability=rates, notes=texts,
    evidence=st.lists(evidence, max_size=2).map(tuple),
    near=st.lists(evidence, max_size=1).map(tuple),
    citations=st.lists(
        st.builds(CitationCheck, markers, st.none() | uuids, st.none() | hashes, texts), max_size=2
    ).map(tuple),
)  # fmt: skip
summaries = st.builds(
    LedgerSummary,
    total_claims=st.integers(0, 10**6),
    by_verdict=st.fixed_dictionaries({verdict: st.integers(0, 10**6) for verdict in Verdict}),
    by_importance=st.fixed_dictionaries({level: st.integers(0, 10**6) for level in Importance}),
    evidence_coverage=st.none() | rates, unsupported_rate=st.none() | rates,
)  # fmt: skip
ledgers = st.builds(
    EvidenceLedger,
    id=uuids, session_id=uuids, title=texts, query=texts, answer=texts, created_at=stamps,
    updated_at=stamps, judge=st.builds(JudgeRecord, texts, texts, texts),
    sources=st.lists(
        st.builds(
            Source, uuids, texts, hashes, texts, st.integers(0, 2**40),
            st.none() | texts, st.none() | uuids,
        ),
        max_size=2,
    ).map(tuple),
    entries=st.lists(
        entries, max_size=3, unique_by=(lambda entry: entry.id, lambda entry: entry.claim.id)
    ).map(tuple),
    summary=summaries,
    risk_flags=st.lists(
        st.builds(
            RiskFlag, uuids, st.sampled_from(RiskType), st.sampled_from(Severity), texts,
            st.lists(uuids, max_size=2).map(tuple), texts,
        ),
        max_size=2,
    ).map(tuple),
    follow_up_questions=lines, actions=lines, warnings=lines,
)  # fmt: skip
