"""What a result says to a person: suggestions and reasons, in one place, for the command line and
the HTML, JUnit and SARIF reports.
"""

from __future__ import annotations

from collections.abc import Callable

from veridical.reports.words import listing, percent
from veridical.text.normalize import EDITORIAL_LETTER
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import VETOED, Rule, is_struck_through
from veridical.validation.results import (
    Candidate,
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Sense,
    Status,
)

_MOST_CHARS = 240


def place(match: Match) -> str:
    """Where a match stands, shortly: document, page, section, line; of a recording, when and by
    whom.
    """
    path = match.section_path
    return _place(match, f"section {path[-1]!r}" if path else "", f"line {match.line}")


def place_phrase(match: Match) -> str:
    """Where a match stands, with all of its sections, and whether its lines are those of a file."""
    of_text = " of the text" if match.document.format.is_extracted else ""
    return _place(match, " › ".join(match.section_path), f"line {match.line:,}{of_text}")


def _place(match: Match, section: str, line: str) -> str:
    parts = [match.document.name]
    if match.moment is not None:
        return ", ".join([*parts, *match.moment.told])
    if match.document.places:
        return ", ".join([*parts, *match.document.path_of(match.span)])
    if match.page is not None:
        parts.append(match.document.page_name(match.page))
    return ", ".join(filter(None, [*parts, section, line]))


def headline(result: ClaimResult, status: str = "") -> str:
    """The status (which may be given as it is shown), the fidelity and the confidence."""
    head = status or result.status.value
    if result.fidelity is not None:
        head += f"  {result.fidelity.value}"
    if result.rules:
        head += f" (differs in {differs_in(result)})"
    if result.match is not None:
        alike = " alike" if result.fidelity is Fidelity.ALTERED else ""
        head += f"  {result.confidence:.0%}{alike}"
    return head


def details(result: ClaimResult, context: Callable[[Match], str] | None = None) -> list[str]:
    """Where a quote stands, with its `context` if that is told, then advice and notes."""
    lines = []
    if result.match is not None:
        lines.append(place(result.match))
        if context is not None:
            lines.append(context(result.match))
    if result.status is Status.AMBIGUOUS:
        lines += [f"also: {place(match)}" for match in result.alternatives]
    return [*lines, *result.suggestions, *(note.message for note in result.notes)]


def excerpt(text: str) -> str:
    """A text on one line, cut to the length of a suggestion."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARS else line[:_MOST_CHARS].rstrip() + "\u2026"


def for_places(match: Match, places: int) -> tuple[str, ...]:
    """Advice where the words stand, but in more than one place."""
    advice = (
        f"It stands in {places} places; the first is {place(match)}. "
        "Give expected_section or context_hint to say which is meant."
    )
    return (advice,)


def for_elsewhere(match: Match, reason: str) -> tuple[str, ...]:
    """Advice for words that stand somewhere else."""
    return (f"The words are {reason}; they stand in {place(match)}.",)


def for_altered(candidate: Candidate) -> tuple[str, ...]:
    """Advice for a quote that was changed: the real wording and each change."""
    advice = [
        f"The source reads \u201c{excerpt(candidate.match.shown)}\u201d ({place(candidate.match)})."
    ]
    if candidate.comparison is not None:
        advice += [f"Changed {a.describe()}." for a in candidate.comparison.alterations[:5]]
    return tuple(advice)


def near(candidate: Candidate) -> str:
    """Why a quote that is nearly right is not validated, however high its score."""
    alike = f"{100 * candidate.match.similarity:.0f} %"
    return f"The letters are {alike} alike, but words were changed: read it and decide."


def for_nothing(nearest: Candidate | None, sense: Sense | None = None) -> tuple[str, ...]:
    """Advice for a quote that stands nowhere."""
    if sense is not None:
        return _read(sense)
    if nearest is None:
        return ("Nothing like it stands in the documents.",)
    quoted = f"\u201c{excerpt(nearest.match.shown)}\u201d ({place(nearest.match)})"
    return (f"Nothing like it stands in the documents. Nearest: {quoted}.",)


def rejection(candidate: Candidate, config: ValidationConfig) -> str:
    """Why a candidate does not validate a direct quote."""
    comparison = candidate.comparison
    changes = comparison.alterations if comparison is not None else ()
    vetoed = [a for a in changes if a.kind in VETOED]
    if vetoed:
        return "; ".join(a.describe() for a in vetoed[:3])
    if candidate.match.similarity < config.fuzzy_matching.similarity_threshold:
        return (
            f"similarity {candidate.match.similarity:.2f} is below "
            f"{config.fuzzy_matching.similarity_threshold:.2f}"
        )
    if changes:
        return "; ".join(a.describe() for a in changes[:3])
    return "exact matching is switched off, or the edit distance is above its limit"


def _read(sense: Sense) -> tuple[str, ...]:
    """What was read for a claim that it does not say."""
    match = Match(sense.document, sense.span, MatchType.SEMANTIC, 0.0, 0.0)
    return f"Nearest: \u201c{excerpt(match.shown)}\u201d ({place(match)}).", sense.note


def for_doubt(
    candidate: Candidate, threshold: float, sense: Sense | None = None
) -> tuple[str, ...]:
    """Advice for a claim in other words that is not certain enough."""
    if sense is not None and not sense.says:
        return _read(sense)
    match = candidate.match
    advice = [f"Nearest: \u201c{excerpt(match.shown)}\u201d ({place(match)})."]
    if candidate.comparison is not None and candidate.comparison.vetoed:
        advice += [
            f"Not in that passage: {a.describe()}." for a in candidate.comparison.alterations[:5]
        ]
    elif match.confidence < threshold:
        advice.append(f"Confidence {match.confidence:.2f} is below {threshold:.2f}.")
    else:
        advice.append("It is on the same subject; whether it says so, a person must read.")
    return tuple(advice)


# The sentences of the reports.

WORST_FIRST = (Status.FAILED, Status.LOW_CONFIDENCE, Status.AMBIGUOUS, Status.VALIDATED)

STATUS_WORDS = {status: status.value.replace("_", " ").capitalize() for status in WORST_FIRST}

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

_RULE_WORDS = {Rule.WHITESPACE: "spacing", Rule.ELLIPSIS: "an ellipsis"}


def differs_in(result: ClaimResult) -> str:
    """In what a quote differs from its source without saying anything else, as short words."""
    return ", ".join(_letter(rule, result) or rule.value for rule in result.rules)


def _letter(rule: Rule, result: ClaimResult) -> str:
    """The letter that an editor put in brackets, where that is what the rule was needed for."""
    letter = EDITORIAL_LETTER.search(result.claim.quote) if rule is Rule.MARKUP else None
    return f"a letter in brackets, {letter[0]}" if letter else ""


def _rule_words(rule: Rule, result: ClaimResult) -> str:
    return _letter(rule, result) or _RULE_WORDS.get(rule, rule.value)


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
    rules = listing([_rule_words(rule, result) for rule in result.rules])
    phrases = {
        Fidelity.VERBATIM: "word for word",
        Fidelity.NORMALISED: f"same words, differs in {rules}" if rules else "same words",
        Fidelity.ALTERED: "altered",
        Fidelity.MISATTRIBUTED: "misattributed",
        Fidelity.FABRICATED: "nothing like it was found",
    }
    return phrases[result.fidelity]


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
        ("Type", claim.evidence_type.value.replace("_", " ")),
        ("Task", claim.task_id),
        ("Claimed source", claim.source),
        ("Expected section", claim.expected_section),
        ("Context hint", claim.context_hint),
        ("Threshold", f"{percent(claim.confidence_threshold)} %"),
    ]
