"""From judged evidence to an entry: what counts, what does not, and what is said of citations."""

from __future__ import annotations

import pytest
from tests.ledger.entries import claim, piece

from veridical.judging.bearing import similarity_at
from veridical.judging.judge import ELSEWHERE, UNRELATED, SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.deciding import Findings, JudgedEvidence, decide
from veridical.ledger.entry import CitationCheck, Evidence, LedgerEntry
from veridical.ledger.freshness import Staleness
from veridical.reader.model import default_reader

NONE, PARTIAL = SupportLevel.NONE, SupportLevel.PARTIAL


def decided(
    *pieces: Evidence,
    stale: dict[str, Staleness] | None = None,
    failures: tuple[str, ...] = (),
    citations: tuple[CitationCheck, ...] = (),
    most: int = 5,
) -> LedgerEntry:
    judged = [JudgedEvidence(evidence, f"on {evidence.snippet}") for evidence in pieces]
    findings = Findings(claim("Leave is 27 days"), judged, failures, citations)
    return decide("session", findings, stale or {}, most_evidence=most, most_near=2)


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
    findings = Findings(claim("Leave is 27 days"), judged)
    found = decide("session", findings, {}, most_evidence=5, most_near=2)
    assert (found.verdict, found.notes) == (Verdict.NOT_FOUND, told)


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        ((piece("a"), piece("b")), 1),
        ((piece("a"), piece("a", of="old.md")), 2),
        ((piece("a", sha256="x"), piece("a", of="old.md", sha256="x")), 1),
        ((piece("a"), piece("b", of="old.md", support=NONE)), 1),
    ],
)
def test_sources_are_counted_not_passages_nor_copies(
    pieces: tuple[Evidence, ...], count: int
) -> None:
    assert decided(*pieces).components.evidence_count == count


def test_a_replaced_version_does_not_contradict_the_newer_one() -> None:
    old = piece("25 days", of="old.md", against=True, support=NONE)
    replaced = {"id-old.md": Staleness("newer", "id-leave.md", replaced=True)}
    settled = decided(piece("27 days"), old, stale=replaced)
    assert settled.verdict is Verdict.SUPPORTED
    assert "older version" in settled.notes
    for open_case in (
        Staleness("newer", "id-leave.md"),
        Staleness("newer", "id-third.md", replaced=True),
        Staleness("it is dated 2019"),
    ):
        entry = decided(piece("27 days"), old, stale={"id-old.md": open_case})
        assert entry.verdict is Verdict.CONTRADICTED


def test_without_support_any_contradiction_counts() -> None:
    assert decided(piece("25 days", against=True, support=NONE)).verdict is Verdict.CONTRADICTED
    weak = piece("about leave", support=PARTIAL, similarity=0.6)
    assert decided(weak, piece("25 days", against=True)).verdict is Verdict.CONTRADICTED


def test_confidence_ranks_by_truth() -> None:
    said = decided(piece()).confidence_score
    in_part = decided(piece(support=PARTIAL, similarity=0.6)).confidence_score
    against = decided(piece(against=True), piece("27 days", of="other.md")).confidence_score
    assert said > in_part > 0.1 > against
    unfound = (decided().confidence_score, decided(piece(support=NONE)).confidence_score)
    assert against <= min(unfound)


def test_what_just_suffices_at_the_default_point_is_shown_above_four_fifths() -> None:
    least = default_reader().card.strict
    similarity = similarity_at(least, least, SupportLevel.FULL)
    assert decided(piece(similarity=similarity, directness=least)).confidence_score > 0.8


def test_a_judge_that_failed_is_named_and_never_a_verdict() -> None:
    found = decided(failures=("the model gave no answer in time",) * 2)
    assert found.verdict is Verdict.NOT_FOUND
    assert "2 passages the judge could not judge: the model gave no answer" in found.notes


def test_the_number_of_pieces_kept_is_bounded() -> None:
    pieces = [piece(f"s{n}", of=f"d{n}.md") for n in range(9)]
    found = decided(*pieces, most=3)
    assert len(found.evidence) == 3
    assert found.components.evidence_count == 9
