"""From a claim's judged evidence to its entry in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from veridical.judging.judge import ELSEWHERE, UNRELATED, SupportLevel
from veridical.judging.verdict import (
    FULL_SUPPORT_ABOVE,
    Assignment,
    EvidenceMatch,
    Verdict,
    assign_verdict,
)
from veridical.ledger.confidence import NO_CONFIDENCE, ConfidenceComponents, displayed_confidence
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    Evidence,
    LedgerEntry,
    rounded,
)
from veridical.ledger.freshness import Staleness
from veridical.ledger.ids import content_id
from veridical.reports.words import count, some

# A claim that names its source is borne out by that source, or else in part only.


_MOST_SHOWN = 3


def supports(evidence: Evidence) -> bool:
    """Whether a piece bears its claim out fully, and does not speak against it."""
    return evidence.support is SupportLevel.FULL and not evidence.contradicts


QUALITY_CURRENT = 1.0
QUALITY_STALE = 0.5
"""Source quality of a document that is withdrawn, expired, superseded or old."""

MISQUOTED = "What it says is borne out, and the words that it quotes are not those of a source."
_UNSUPPORTING = "the cited passage does not bear the claim out"
_UNCHECKED = "the cited passage was not checked"


@dataclass(frozen=True, slots=True)
class JudgedEvidence:
    """A piece of evidence and what the judge noted on it."""

    evidence: Evidence
    notes: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found on one claim, in the order in which it was looked at.

    `failures` say why the judge could not judge passages; another did. `named` are the sources that
    the answer names for the claim, file names by their ids. `misquoted`: whether it quotes words
    that no source has so.
    """

    claim: AnswerClaim
    judged: Sequence[JudgedEvidence]
    failures: Sequence[str] = ()
    citations: Sequence[CitationCheck] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    misquoted: bool = False


def decide(
    session_id: str,
    findings: Findings,
    stale: Mapping[str, Staleness],
    *,
    most_evidence: int,
    most_near: int,
) -> LedgerEntry:
    """The entry of a claim: its verdict by `assign_verdict`, its confidence as displayed.

    The entry's confidence is that in the claim, whatever its verdict: higher is truer. `stale` says
    of source ids why they may be outdated.
    """
    pieces, settled = _without_replaced(findings.judged, stale)
    pieces = _by_named(pieces, findings.named)
    if findings.misquoted:
        pieces = _in_part(pieces, MISQUOTED)
    ranked = sorted(pieces, key=_rank)
    assignment = assign_verdict([_match(piece.evidence) for piece in ranked])
    kept = [piece for piece in ranked if _bears(piece.evidence)]
    near = [piece.evidence for piece in ranked if not _bears(piece.evidence)]
    components = _components(assignment.verdict, kept, stale)
    not_found = assignment.verdict is Verdict.NOT_FOUND
    return LedgerEntry(
        id=content_id("entry", session_id, findings.claim.id),
        claim=findings.claim,
        verdict=assignment.verdict,
        confidence_score=rounded(displayed_confidence(components)),
        components=components,
        probability=ranked[0].evidence.probability if ranked else 0.0,
        notes=_notes(assignment, ranked, findings.failures, settled=settled),
        evidence=tuple(piece.evidence for piece in kept[:most_evidence]),
        near=tuple(near[:most_near]) if not_found else (),
        citations=_checked(findings.citations, pieces),
    )


def _rank(piece: JudgedEvidence) -> tuple[bool, float, bool]:
    """What contradicts first, then by similarity; of equals, what the answer itself cites."""
    evidence = piece.evidence
    score = evidence.contradiction if evidence.contradicts else evidence.similarity
    return not evidence.contradicts, -score, not evidence.cited


def _match(evidence: Evidence) -> EvidenceMatch:
    similarity = evidence.contradiction if evidence.contradicts else evidence.similarity
    return EvidenceMatch(evidence.snippet, similarity, evidence.support, evidence.contradicts)


def _bears(evidence: Evidence) -> bool:
    return evidence.contradicts or evidence.support is not SupportLevel.NONE


def _without_replaced(
    judged: Sequence[JudgedEvidence], stale: Mapping[str, Staleness]
) -> tuple[list[JudgedEvidence], bool]:
    """The pieces, where a version that a supporting source replaces no longer contradicts; and
    whether there was one.

    Only where the documents' own dates bear the replacement out: a file's name is no proof.
    """
    supporting = {piece.evidence.source_id for piece in judged if supports(piece.evidence)}
    replaced = {
        source_id
        for source_id, staleness in stale.items()
        if staleness.replaced and staleness.superseded_by in supporting
    }
    kept, settled = [], False
    for piece in judged:
        evidence = piece.evidence
        if evidence.contradicts and evidence.source_id in replaced:
            evidence = replace(evidence, contradicts=False, support=SupportLevel.NONE)
            settled = True
        kept.append(replace(piece, evidence=evidence))
    return kept, settled


def _by_named(pieces: list[JudgedEvidence], named: Mapping[str, str]) -> list[JudgedEvidence]:
    """The pieces; where only sources bear the claim out that it does not name, in part: they bear
    out what is said, and not where it is said.
    """
    supporting = {piece.evidence.source_id for piece in pieces if supports(piece.evidence)}
    if not (named and supporting) or not supporting.isdisjoint(named):
        return pieces
    files = some(sorted(set(named.values())), _MOST_SHOWN)
    told = f"Another source says it, and {files}, which the answer names for it, does not."
    return _in_part(pieces, told)


def _in_part(pieces: Sequence[JudgedEvidence], told: str) -> list[JudgedEvidence]:
    """The pieces, each that bears the claim out fully now in part, and why."""

    def in_part(evidence: Evidence) -> Evidence:
        similarity = min(evidence.similarity, FULL_SUPPORT_ABOVE)
        return replace(evidence, support=SupportLevel.PARTIAL, similarity=similarity)

    return [
        JudgedEvidence(in_part(piece.evidence), told) if supports(piece.evidence) else piece
        for piece in pieces
    ]


def _components(
    verdict: Verdict, kept: Sequence[JudgedEvidence], stale: Mapping[str, Staleness]
) -> ConfidenceComponents:
    if verdict in (Verdict.NOT_FOUND, Verdict.CONTRADICTED):
        return NO_CONFIDENCE
    best = kept[0].evidence
    # A copy of the same words is no second source.
    independent = {piece.evidence.chunk_sha256: piece.evidence.source_id for piece in kept}
    return ConfidenceComponents(
        semantic_similarity=best.similarity,
        evidence_count=len(set(independent.values())),
        directness=best.directness,
        source_quality=QUALITY_STALE if best.source_id in stale else QUALITY_CURRENT,
    )


def _notes(
    assignment: Assignment,
    ranked: Sequence[JudgedEvidence],
    failures: Sequence[str],
    *,
    settled: bool,
) -> str:
    said = _reason(ranked) or assignment.notes
    if settled:
        said += " An older version of the source, which this one replaces, says otherwise."
    if failures:
        passages = count(len(failures), "passage")
        said += f" ({passages} the judge could not judge: {failures[0]})"
    return said


def _reason(ranked: Sequence[JudgedEvidence]) -> str:
    """What the judge noted on the piece that decides; of pieces that do not bear on the claim, why
    the first of them does not, where that tells a reader more than that it does not.
    """
    kept = next((piece.notes for piece in ranked if _bears(piece.evidence)), None)
    if kept is not None:
        return kept
    # What was passed over for another piece says nothing of the claim.
    read = (piece.notes for piece in ranked if not piece.notes.startswith(ELSEWHERE))
    first = next(read, "")
    return "" if first.startswith(UNRELATED) else first


def _checked(
    citations: Sequence[CitationCheck], pieces: Sequence[JudgedEvidence]
) -> tuple[CitationCheck, ...]:
    """The citations; of each that resolves it is said if it was not checked, or does not bear its
    claim out.
    """
    looked_at = [piece.evidence for piece in pieces]
    bearing = [e for e in looked_at if _bears(e) and not e.contradicts]

    def problem(check: CitationCheck) -> str:
        if check.source_id is None or check.problem:
            return check.problem
        if not any(_is_cited(check, evidence) for evidence in looked_at):
            return _UNCHECKED
        return "" if any(_is_cited(check, evidence) for evidence in bearing) else _UNSUPPORTING

    return tuple(replace(check, problem=problem(check)) for check in citations)


def _is_cited(check: CitationCheck, evidence: Evidence) -> bool:
    if check.chunk_sha256 is not None:
        return check.chunk_sha256 == evidence.chunk_sha256
    return check.source_id == evidence.source_id
