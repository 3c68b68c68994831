"""From judged evidence to an entry: what counts, what does not, and what is said of citations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.export.samples import GUIDE, HR, entry, evidence

from veridical.judging.judge import ELSEWHERE, UNRELATED, SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.deciding import Findings, JudgedEvidence, decide
from veridical.ledger.entry import Evidence, LedgerEntry, Source
from veridical.ledger.freshness import Staleness

CLAIM = entry("Leave is 27 days").claim
NONE, PARTIAL = SupportLevel.NONE, SupportLevel.PARTIAL


def decided(
    *pieces: Evidence,
    stale: dict[str, Staleness] | None = None,
    failures: tuple[str, ...] = (),
    most: int = 5,
) -> LedgerEntry:
    judged = [JudgedEvidence(evidence, f"on {evidence.snippet}") for evidence in pieces]
    findings = Findings(CLAIM, judged, failures)
    return decide("session", findings, stale or {}, most_evidence=most, most_near=2)


def piece(words: str = "Staff get 27 days.", of: Source = HR, **more: Any) -> Evidence:
    """A piece whose chunk is its own, and nobody else's."""
    return evidence(words, of, **({"chunk_sha256": f"{words}{of.id}"} | more))


def against(words: str, of: Source = HR) -> Evidence:
    return piece(words, of, contradicts=True, contradiction=0.9, probability=0.05)


def test_what_bears_on_nothing_is_kept_as_near_not_as_evidence() -> None:
    pieces = [piece(f"s{n}", support=NONE, similarity=n / 10) for n in range(4)]
    found = decided(*pieces)
    assert (found.verdict, found.evidence) == (Verdict.NOT_FOUND, ())
    assert [p.snippet for p in found.near] == ["s3", "s2"]
    assert found.confidence_score == 0


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        ((ELSEWHERE, "It is too long."), "It is too long."),
        ((UNRELATED, "It is too long."), "Evidence does not adequately support claim"),
        ((f"{UNRELATED} (By another judge.)",), "Evidence does not adequately support claim"),
        ((), "No matching evidence found in provided documents"),
    ],
)
def test_where_nothing_is_found_the_judge_s_reason_is_told(
    notes: tuple[str, ...], told: str
) -> None:
    judged = [JudgedEvidence(piece(support=NONE, similarity=0.0), note) for note in notes]
    findings = Findings(CLAIM, judged)
    found = decide("session", findings, {}, most_evidence=5, most_near=2)
    assert (found.verdict, found.notes) == (Verdict.NOT_FOUND, told)


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        ((piece("a"), piece("b")), 1),
        ((piece("a"), piece("a", of=GUIDE)), 2),
        ((piece("a", chunk_sha256="x"), piece("a", of=GUIDE, chunk_sha256="x")), 1),
        ((piece("a"), piece("b", of=GUIDE, support=NONE)), 1),
    ],
)
def test_sources_are_counted_not_passages_nor_copies(
    pieces: tuple[Evidence, ...], count: int
) -> None:
    assert decided(*pieces).components.evidence_count == count


def test_a_replaced_version_does_not_contradict_the_newer_one() -> None:
    old = against("25 days", GUIDE)
    replaced = {GUIDE.id: Staleness("newer", HR.id, replaced=True)}
    settled = decided(piece("27 days"), old, stale=replaced)
    assert settled.verdict is Verdict.SUPPORTED
    assert "older version" in settled.notes
    for open_case in (
        Staleness("newer", HR.id),
        Staleness("newer", "a third", replaced=True),
        Staleness("it is dated 2019"),
    ):
        found = decided(piece("27 days"), old, stale={GUIDE.id: open_case})
        assert found.verdict is Verdict.CONTRADICTED


def test_any_contradiction_counts_and_confidence_ranks_by_truth() -> None:
    weak = piece(support=PARTIAL, similarity=0.6)
    for pieces in (
        [against("25 days")],
        [weak, against("25 days")],
        [piece(), against("x", GUIDE)],
    ):
        assert decided(*pieces).verdict is Verdict.CONTRADICTED
    ranked = [decided(piece()), decided(weak), decided(against("25 days"), piece("x", GUIDE))]
    said, in_part, denied = (found.confidence_score for found in ranked)
    assert said > in_part > 0.1 > denied
    assert denied <= min(decided().confidence_score, decided(piece(support=NONE)).confidence_score)


def test_the_number_of_pieces_is_bounded_and_a_judge_that_failed_is_named() -> None:
    found = decided(*[piece(f"s{n}", source_id=f"d{n}") for n in range(9)], most=3)
    assert (len(found.evidence), found.components.evidence_count) == (3, 9)
    failed = decided(failures=("the model gave no answer in time",) * 2)
    assert failed.verdict is Verdict.NOT_FOUND
    assert "2 passages the judge could not judge: the model gave no answer" in failed.notes
