"""The report as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from veridical.reports.sarif import (
    LINED,
    Rule,
    artifact_uri,
    message,
    notification,
    region,
    render_run,
)
from veridical.reports.words import first_words
from veridical.sources.document import Document
from veridical.validation import wording
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    Status,
    ValidationReport,
)

MOST_RELATED = 10

_RULES = (
    Rule("quote-not-found", "QuoteNotFound", "The quote stands in no source.", "error"),
    Rule("quote-altered", "QuoteAltered", "The quote was changed.", "error"),
    Rule("quote-misattributed", "QuoteMisattributed", "The quote stands somewhere else.", "error"),
    Rule("context-mismatch", "ContextMismatch", "The words stand in another context.", "error"),
    Rule("quote-ambiguous", "QuoteAmbiguous", "The quote stands in more than one place.", "note"),
    Rule(
        "low-confidence", "LowConfidence", "What was found must be judged by a person.", "warning"
    ),
)
_RULE_NUMBERS = {rule.id: number for number, rule in enumerate(_RULES)}
_LEVELS = {Status.FAILED: "error", Status.LOW_CONFIDENCE: "warning", Status.AMBIGUOUS: "note"}


def render_sarif(report: ValidationReport, *, claims_uri: str | None = None) -> str:
    """The report as SARIF JSON: a result for each claim that is not validated.

    The place of a result is the passage of the source; for a claim without one it is the claims
    file, where `claims_uri` says which that is. PDF and Word documents get no region, for their
    lines are not lines of a file: the message names the page.
    """
    told = []
    for error in report.errors:
        claims = ", ".join(error.affected_claims)
        text = f"{error.message} Claims: {claims}." if claims else error.message
        told.append(notification("error", text, error.code))
    told += [notification("note", note.message, note.code) for note in report.notes]
    return render_run(
        _RULES,
        artifacts=[_artifact(document) for document in report.documents],
        results=[_result(each, claims_uri) for each in report.results if not each.passed],
        notifications=told,
        completed=report.ok,
    )


def _result(result: ClaimResult, claims_uri: str | None) -> dict[str, Any]:
    rule = _rule_of(result)
    found: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": _RULE_NUMBERS[rule],
        "level": _LEVELS[result.status],
        "message": message(_told(result)),
        "partialFingerprints": {"veridicalClaim/v1": _fingerprint(result)},
        "properties": {
            "claimId": result.claim.id,
            "status": result.status.value,
            "confidence": result.confidence,
            **({"fidelity": result.fidelity.value} if result.fidelity else {}),
        },
    }
    place = wording.primary_place(result)
    if place is not None:
        found["locations"] = [{"physicalLocation": _physical(place)}]
    elif claims_uri is not None:
        found["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": claims_uri}}}]
    if result.alternatives:
        found["relatedLocations"] = [
            {
                "id": number,
                "message": message(f"Another place: {wording.place_phrase(match)}"),
                "physicalLocation": _physical(match),
            }
            for number, match in enumerate(result.alternatives[:MOST_RELATED], 1)
        ]
    return found


def _rule_of(result: ClaimResult) -> str:
    """The id of the rule that a claim breaks; the claim is not validated."""
    if result.status is Status.AMBIGUOUS or result.reason is FailureReason.MULTIPLE_MATCHES:
        return "quote-ambiguous"
    if result.fidelity is Fidelity.MISATTRIBUTED:
        return "quote-misattributed"
    if result.fidelity is Fidelity.ALTERED:
        return "quote-altered"
    if result.status is Status.LOW_CONFIDENCE or result.reason is FailureReason.LOW_CONFIDENCE:
        return "low-confidence"
    if result.reason is FailureReason.CONTEXT_MISMATCH:
        return "context-mismatch"
    return "quote-not-found"


def _artifact(document: Document) -> dict[str, Any]:
    return {
        "location": {"uri": artifact_uri(document.name)},
        "properties": {"format": document.format.value, "textSha256": document.sha256},
    }


def _physical(match: Match) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": artifact_uri(match.document.name)}}
    if match.document.format in LINED:
        location["region"] = region(match.document, match.span)
    return location


def _told(result: ClaimResult) -> str:
    parts = [f"{result.claim.id}: {wording.reason(result)}"]
    parts.append(f"Quote: “{first_words(result.claim.quote, 200)}”.")
    place = wording.primary_place(result)
    if place is not None:
        parts.append(f"Place: {wording.place_phrase(place)}.")
    return " ".join(parts)


def _fingerprint(result: ClaimResult) -> str:
    """What stays the same of a claim while documents and verdicts change."""
    claim = result.claim
    text = json.dumps((claim.id, claim.evidence_type.value, claim.source or "", claim.quote))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
