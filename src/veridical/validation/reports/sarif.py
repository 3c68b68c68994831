"""The report as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from veridical.matching.match import Match
from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.validation.reports import wording
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Status,
    ValidationReport,
)

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST_RELATED = 10
LINED = (Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT)
_DRIVE = re.compile(r"[A-Za-z]:/")
_SURROGATE = re.compile("[\ud800-\udfff]")

_RULES = {
    "quote-not-found": ("QuoteNotFound", "The quote stands in no source.", "error"),
    "quote-altered": ("QuoteAltered", "The quote was changed.", "error"),
    "quote-misattributed": ("QuoteMisattributed", "The quote stands somewhere else.", "error"),
    "context-mismatch": ("ContextMismatch", "The words stand in another context.", "error"),
    "quote-ambiguous": ("QuoteAmbiguous", "The quote stands in more than one place.", "note"),
    "low-confidence": ("LowConfidence", "What was found must be judged by a person.", "warning"),
}
_RULE_NUMBERS = {rule: number for number, rule in enumerate(_RULES)}
_LEVELS = {Status.FAILED: "error", Status.LOW_CONFIDENCE: "warning", Status.AMBIGUOUS: "note"}


def render_sarif(report: ValidationReport, *, claims_uri: str | None = None) -> str:
    """The report as SARIF JSON: a result for each claim that is not validated.

    The place of a result is the passage of the source; for a claim without one it is the claims
    file, where `claims_uri` says which that is. Columns and offsets count Unicode code points.
    PDF and Word documents get no region, for their lines are not lines of a file: the message
    names the page.
    """
    run = _Run(report, claims_uri)
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run.build()]}
    return json.dumps(printable(log), ensure_ascii=False, indent=2) + "\n"


def printable(value: Any) -> Any:
    """The same data without lone surrogates, which UTF-8 cannot hold."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {key: printable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [printable(inner) for inner in value]
    return value


@dataclass(frozen=True, slots=True)
class _Run:
    """One SARIF run."""

    report: ValidationReport
    claims_uri: str | None

    def build(self) -> dict[str, Any]:
        report = self.report
        return {
            "tool": {"driver": {"name": "Veridical", "rules": [_rule(rule) for rule in _RULES]}},
            "columnKind": "unicodeCodePoints",
            "artifacts": [_artifact(document) for document in report.documents],
            "invocations": [
                {
                    "executionSuccessful": report.ok,
                    "toolExecutionNotifications": list(self._notifications()),
                }
            ],
            "results": [self._result(r) for r in report.results if not r.passed],
        }

    def _notifications(self) -> Iterator[dict[str, Any]]:
        for error in self.report.errors:
            claims = ", ".join(error.affected_claims)
            text = f"{error.message} Claims: {claims}." if claims else error.message
            yield _notification("error", error.code, text)
        for note in self.report.notes:
            yield _notification("note", note.code, note.message)

    def _result(self, result: ClaimResult) -> dict[str, Any]:
        rule = rule_of(result)
        found: dict[str, Any] = {
            "ruleId": rule,
            "ruleIndex": _RULE_NUMBERS[rule],
            "level": _LEVELS[result.status],
            "message": {"text": plain_message(_message(result))},
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
        elif self.claims_uri is not None:
            location = {"artifactLocation": {"uri": self.claims_uri}}
            found["locations"] = [{"physicalLocation": location}]
        others = self._related(result)
        if others:
            found["relatedLocations"] = others
        return found

    @staticmethod
    def _related(result: ClaimResult) -> list[dict[str, Any]]:
        return [
            {
                "id": number,
                "message": {"text": plain_message(f"Another place: {wording.place_phrase(match)}")},
                "physicalLocation": _physical(match),
            }
            for number, match in enumerate(result.alternatives[:MOST_RELATED], 1)
        ]


def rule_of(result: ClaimResult) -> str:
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


def _rule(rule: str) -> dict[str, Any]:
    name, text, level = _RULES[rule]
    return {
        "id": rule,
        "name": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _artifact(document: Document) -> dict[str, Any]:
    return {
        "location": {"uri": artifact_uri(document.name)},
        "properties": {"format": document.format.value, "textSha256": document.sha256},
    }


def artifact_uri(name: str) -> str:
    """The name of a document as a URI: relative as the name is, absolute for an absolute path."""
    path = _SURROGATE.sub("\ufffd", name).replace("\\", "/")
    if _DRIVE.match(path):
        path = "/" + path
    encoded = quote(path, safe="/")
    if encoded.startswith("/"):
        return "file:///" + encoded.lstrip("/")
    return encoded or "unnamed"


def _physical(match: Match) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": artifact_uri(match.document.name)}}
    if match.document.format in LINED:
        location["region"] = region(match.document, match.span)
    return location


def region(document: Document, span: Span) -> dict[str, Any]:
    """A place in a document whose text is its file, as a SARIF region with the words there."""
    start_line, start_column = document.position(span.start)
    end_line, end_column = document.position(span.end)
    return {
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": span.start,
        "charLength": len(span),
        "snippet": {"text": document.text[span.start : span.end]},
    }


def _message(result: ClaimResult) -> str:
    parts = [f"{result.claim.id}: {wording.reason(result)}"]
    parts.append(f"Quote: “{wording.first_words(result.claim.quote, 200)}”.")
    place = wording.primary_place(result)
    if place is not None:
        parts.append(f"Place: {wording.place_phrase(place)}.")
    return " ".join(parts)


def plain_message(text: str) -> str:
    """A message without what a viewer would take for a link: SARIF reads `[text](target)` so."""
    return text.replace("](", "] (")


def _notification(level: str, code: str, text: str) -> dict[str, Any]:
    return {"level": level, "descriptor": {"id": code}, "message": {"text": plain_message(text)}}


def _fingerprint(result: ClaimResult) -> str:
    """What stays the same of a claim while documents and verdicts change."""
    claim = result.claim
    parts: Sequence[str] = (claim.id, claim.evidence_type.value, claim.source or "", claim.quote)
    text = json.dumps(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
