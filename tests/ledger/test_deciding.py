"""From judged evidence to an entry: what counts, what does not, and what is said of citations."""

from __future__ import annotations

import pytest
from tests.ledger.entries import claim, piece

from veridical.judging.bearing import similarity_at
from veridical.judging.confidence import ConfidenceComponents, displayed_confidence
from veridical.judging.judge import ELSEWHERE, UNRELATED, SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.deciding import Findings, JudgedEvidence, decide
from veridical.ledger.entry import CitationCheck, Evidence, LedgerEntry, Marker, MarkerKind
from veridical.ledger.freshness import Staleness
from veridical.reader.model import default_reader
from veridical.sources.span import Span

NONE, PARTIAL = SupportLevel.NONE, SupportLevel.PARTIAL
MARKER = Marker(MarkerKind.ANCHOR, "a1b2c3d4", Span(0, 1))


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


def test_nothing_found() -> None:
    found = decided()
    assert (found.verdict, found.confidence_score, found.evidence) == (Verdict.NOT_FOUND, 0.0, ())
    assert found.notes == "No matching evidence found in provided documents"


def test_what_bears_on_nothing_is_kept_as_near_not_as_evidence() -> None:
    pieces = [piece(f"s{n}", support=NONE, similarity=n / 10) for n in range(4)]
    found = decided(*pieces)
    assert (found.verdict, found.evidence) == (Verdict.NOT_FOUND, ())
    assert [p.snippet for p in found.near] == ["s3", "s2"]
    assert found.confidence_score == 0


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        (("It is too long.", "It is foreign."), "It is too long."),
        ((ELSEWHERE, "It is too long."), "It is too long."),
        ((UNRELATED, "It is too long."), "Evidence does not adequately support claim"),
        ((f"{UNRELATED} (By another judge.)",), "Evidence does not adequately support claim"),
        ((ELSEWHERE, ELSEWHERE), "Evidence does not adequately support claim"),
        (("", ""), "Evidence does not adequately support claim"),
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


def test_what_supports_nothing_gives_no_reason_for_what_is_supported() -> None:
    pieces = [JudgedEvidence(piece("27 days"), ""), JudgedEvidence(piece(support=NONE), "Foreign.")]
    findings = Findings(claim("Leave is 27 days"), pieces)
    found = decide("session", findings, {}, most_evidence=5, most_near=2)
    assert found.notes == 'Directly supported by: "27 days"'


def test_the_most_similar_piece_decides_and_confidence_is_that_displayed() -> None:
    found = decided(piece("weak", support=PARTIAL, similarity=0.7), piece("full", similarity=0.95))
    assert found.verdict is Verdict.SUPPORTED
    assert [p.snippet for p in found.evidence] == ["full", "weak"]
    assert found.confidence_score == displayed_confidence(found.components)
    assert found.components.semantic_similarity == 0.95
    assert found.notes == "on full"
    assert found.near == ()


def test_of_equals_the_cited_piece_goes_first() -> None:
    found = decided(piece("retrieved"), piece("cited", cited=True))
    assert found.evidence[0].snippet == "cited"


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


def test_another_document_that_contradicts_goes_first() -> None:
    found = decided(piece("27 days"), piece("25 days", of="other.md", against=True, support=NONE))
    assert found.verdict is Verdict.CONTRADICTED
    assert [p.snippet for p in found.evidence] == ["25 days", "27 days"]
    assert found.components == ConfidenceComponents(0.0, 0, 0.0, 0.0)


def test_a_document_that_denies_what_it_says_contradicts() -> None:
    found = decided(piece("27 days"), piece("25 days", against=True, support=NONE))
    assert found.verdict is Verdict.CONTRADICTED
    assert [p.snippet for p in found.evidence] == ["25 days", "27 days"]


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


def test_an_outdated_source_counts_for_less() -> None:
    fresh = decided(piece()).confidence_score
    stale = decided(piece(), stale={"id-leave.md": Staleness("it is dated 2019")})
    assert stale.confidence_score == pytest.approx(fresh - 0.05)


def test_a_judge_that_failed_is_named_and_never_a_verdict() -> None:
    found = decided(failures=("the model gave no answer in time",) * 2)
    assert found.verdict is Verdict.NOT_FOUND
    assert "2 passages the judge could not judge: the model gave no answer" in found.notes


def test_a_citation_that_does_not_bear_its_claim_out_is_marked() -> None:
    good, bad = piece("27 days", sha256="aa"), piece("pay", sha256="bb", support=NONE)
    found = decided(
        good,
        bad,
        citations=(
            CitationCheck(MARKER, good.source_id, "aa"),
            CitationCheck(MARKER, bad.source_id, "bb"),
            CitationCheck(MARKER, good.source_id),
            CitationCheck(MARKER, None, problem="no such chunk"),
            CitationCheck(MARKER, good.source_id, "cc"),
        ),
    )
    assert [check.problem for check in found.citations] == [
        "",
        "the cited passage does not bear the claim out",
        "",
        "no such chunk",
        "the cited passage was not checked",
    ]


def test_the_number_of_pieces_kept_is_bounded() -> None:
    pieces = [piece(f"s{n}", of=f"d{n}.md") for n in range(9)]
    found = decided(*pieces, most=3)
    assert len(found.evidence) == 3
    assert found.components.evidence_count == 9
