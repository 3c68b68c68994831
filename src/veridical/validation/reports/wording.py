"""What a result says in words. The same sentences stand in the HTML, JUnit and SARIF reports."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from veridical.matching.match import Match, MatchType
from veridical.sources.document import Format
from veridical.validation.claims import EvidenceType
from veridical.validation.differences import VETOED, Rule
from veridical.validation.results import ClaimResult, FailureReason, Fidelity, Status
from veridical.validation.struck import is_taken_back
from veridical.validation.wording import when

WORST_FIRST = (Status.FAILED, Status.LOW_CONFIDENCE, Status.AMBIGUOUS, Status.VALIDATED)

STATUS_WORDS = {
    Status.FAILED: "Failed",
    Status.LOW_CONFIDENCE: "Low confidence",
    Status.AMBIGUOUS: "Ambiguous",
    Status.VALIDATED: "Validated",
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

_BANDS = (
    (85, "high"),
    (70, "good"),
    (50, "moderate"),
    (30, "low"),
    (0, "very low"),
)

_FOUND_BY = {
    MatchType.EXACT: "found by its words",
    MatchType.FUZZY: "found by similar words",
    MatchType.SEMANTIC: "found by its sense",
    MatchType.CONTEXTUAL: "found by its context",
}

SHORT_CHARS = 60
MOST_CHANGES = 5


def percent(share: float) -> int:
    """A share from 0 to 1 in whole percent, rounded down: 99.9 % is never called 100 %."""
    return floor(min(1.0, max(0.0, share)) * 100 + 1e-9)


def confidence_word(confidence: float) -> str:
    """The band of a confidence: high, good, moderate, low, very low."""
    whole = percent(confidence)
    return next(word for least, word in _BANDS if whole >= least)


def listing(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def count(number: int, noun: str) -> str:
    """`1 page`, `1,234 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def first_words(text: str, most_chars: int = SHORT_CHARS) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: most_chars * 8].split())
    if len(line) <= most_chars:
        return line
    words, _, cut = line[: most_chars + 1].rpartition(" ")
    return f"{words or cut[:most_chars]}…"


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
        return ", ".join(parts + when(match.moment))
    if match.page is not None:
        parts.append(f"page {match.page}")
    if match.section is not None:
        parts.append(" › ".join(match.section.path or (match.section.title,)))
    is_file = match.document.format not in (Format.PDF, Format.DOCX)
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
        return _why_doubtful(result)
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
    if all(map(is_taken_back, found)):
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
