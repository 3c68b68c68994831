"""What a result says in words. The same sentences stand in the HTML, JUnit and SARIF reports."""

from __future__ import annotations

from veridical.reports.words import listing, percent
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.differences import VETOED, Rule, is_struck_through
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Status,
)

WORST_FIRST = (Status.FAILED, Status.LOW_CONFIDENCE, Status.AMBIGUOUS, Status.VALIDATED)

STATUS_WORDS = {
    Status.FAILED: "Failed",
    Status.LOW_CONFIDENCE: "Low confidence",
    Status.AMBIGUOUS: "Ambiguous",
    Status.VALIDATED: "Validated",
}

STATUS_MEANINGS = {
    Status.FAILED: "not in the sources in these words, or not where the claim says",
    Status.LOW_CONFIDENCE: "something like it was found; read it and decide",
    Status.AMBIGUOUS: "it stands in more than one place",
    Status.VALIDATED: "it stands in the source; the fidelity says how exactly",
}
TONES = {
    Status.FAILED: "fail",
    Status.LOW_CONFIDENCE: "low",
    Status.AMBIGUOUS: "amb",
    Status.VALIDATED: "ok",
}
"""The classes, and the names in addresses, of statuses."""
SIGNS = {
    Status.FAILED: "✕",
    Status.LOW_CONFIDENCE: "?",
    Status.AMBIGUOUS: "⇉",
    Status.VALIDATED: "✓",
}

_TYPES = {
    EvidenceType.DIRECT_QUOTE: "direct quote",
    EvidenceType.PARAPHRASE: "paraphrase",
    EvidenceType.SECTION_REFERENCE: "section reference",
    EvidenceType.CONCEPT_REFERENCE: "concept reference",
}

_RULE_WORDS = {
    Rule.CASE: "case",
    Rule.WHITESPACE: "spacing",
    Rule.PUNCTUATION: "punctuation",
    Rule.TYPOGRAPHY: "typography",
    Rule.MARKUP: "markup",
    Rule.HYPHENATION: "hyphenation",
    Rule.ELLIPSIS: "an ellipsis",
}

_FOUND_BY = {
    MatchType.EXACT: "found by its words",
    MatchType.FUZZY: "found by similar words",
    MatchType.SEMANTIC: "found by its sense",
    MatchType.CONTEXTUAL: "found by its context",
}

MOST_CHANGES = 5


def fidelity_phrase(result: ClaimResult) -> str:
    """How true the quote is, with the rules that were needed; empty where it does not quote."""
    if result.fidelity is None:
        return _FOUND_BY[result.match.match_type] if result.match else ""
    differs = (
        f"differs in {listing([_RULE_WORDS[r] for r in result.rules])}" if result.rules else ""
    )
    phrases = {
        Fidelity.VERBATIM: "word for word",
        Fidelity.NORMALISED: ", ".join(filter(None, ("same words", differs))),
        Fidelity.ALTERED: "altered",
        Fidelity.MISATTRIBUTED: "misattributed",
        Fidelity.FABRICATED: "nothing like it was found",
    }
    return phrases[result.fidelity]


def place_phrase(match: Match) -> str:
    """Where a match stands: document, page, section, line; of a recording, when and by whom."""
    parts = [match.document.name]
    if match.moment is not None:
        return ", ".join([*parts, *match.moment.told])
    if match.document.places:
        return ", ".join([*parts, *match.document.path_of(match.span)])
    if match.page is not None:
        parts.append(match.document.page_name(match.page))
    if match.section_path:
        parts.append(" › ".join(match.section_path))
    is_file = not match.document.format.is_extracted
    parts.append(f"line {match.line:,}" if is_file else f"line {match.line:,} of the text")
    return ", ".join(parts)


def reason(result: ClaimResult) -> str:
    """Why the claim has its status, in a sentence or two."""
    if result.status is Status.VALIDATED:
        return _why_validated(result)
    if result.status is Status.AMBIGUOUS or result.reason is FailureReason.MULTIPLE_MATCHES:
        return "It stands in more than one place, and the claim does not say which is meant."
    if result.fidelity is Fidelity.MISATTRIBUTED and result.found_at is not None:
        return f"The words are real, but do not stand {_claimed_place(result, result.found_at)}."
    if changes := _changes(result):
        return changes
    if result.status is Status.LOW_CONFIDENCE or result.reason is FailureReason.LOW_CONFIDENCE:
        unsure = (note.message for note in result.notes if note.code == "UNSURE_WORDS")
        return next(unsure, "") or _why_doubtful(result)
    if result.reason is FailureReason.CONTEXT_MISMATCH:
        return "The words were found, but not in the place or context that the claim names."
    if result.fidelity is Fidelity.ALTERED:
        return "The words were changed."
    return "Nothing close enough stands in the documents."


def _changes(result: ClaimResult) -> str:
    """What differs; for a claim in other words, only what no other words may change."""
    quotes = result.claim.evidence_type is EvidenceType.DIRECT_QUOTE
    found = [a for a in result.alterations if quotes or a.kind in VETOED]
    if not found:
        return ""
    if all(map(is_struck_through, found)):
        return "The words stand in the source, but struck out: it has taken them back."
    lead = "The words were changed" if quotes else "It differs from the passage that is nearest"
    more = len(found) - MOST_CHANGES
    listed = "; ".join(a.describe() for a in found[:MOST_CHANGES])
    return f"{lead}: {listed}{f'; and {more:,} more' if more > 0 else ''}."


def _claimed_place(result: ClaimResult, found: Match) -> str:
    claim = result.claim
    if claim.source and not found.document.name.endswith(claim.source):
        return f"in {claim.source}"
    if claim.expected_section:
        return f"in section {claim.expected_section}"
    return "where the claim says"


def _why_validated(result: ClaimResult) -> str:
    if result.fidelity is None:
        return "A passage that bears on the claim was found."
    return f"The quote stands in the source: {fidelity_phrase(result)}."


def _why_doubtful(result: ClaimResult) -> str:
    least = result.claim.confidence_threshold
    if result.confidence >= least:
        return "A place was found, but a person must decide whether it is what the claim means."
    return (
        f"The confidence of {percent(result.confidence)} % is below the claim's threshold "
        f"of {percent(least)} %."
    )


def primary_place(result: ClaimResult) -> Match | None:
    """The place to look at first: the accepted one, else the one where the words really stand."""
    return result.match or result.found_at


def lead(result: ClaimResult) -> str:
    """What stands before the place of a claim."""
    leads = {
        Fidelity.VERBATIM: "Stands in",
        Fidelity.NORMALISED: "Stands in",
        Fidelity.ALTERED: "Compare",
        Fidelity.MISATTRIBUTED: "Really stands in",
        None: "Found in",
    }
    return leads.get(result.fidelity, "See")


def claim_facts(claim: Claim) -> list[tuple[str, str | None]]:
    """What the claim itself says, each with its name; empty where it says nothing."""
    return [
        ("Type", _TYPES[claim.evidence_type]),
        ("Task", claim.task_id),
        ("Claimed source", claim.source),
        ("Expected section", claim.expected_section),
        ("Context hint", claim.context_hint),
        ("Threshold", f"{percent(claim.confidence_threshold)} %"),
    ]
