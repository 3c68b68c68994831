"""What a result says to a person: suggestions and reasons, in one place."""

from __future__ import annotations

from collections.abc import Callable

from veridical.validation.config import ValidationConfig
from veridical.validation.differences import VETOED
from veridical.validation.results import (
    Candidate,
    ClaimResult,
    Fidelity,
    Match,
    MatchType,
    Status,
)
from veridical.validation.sense import Sense

_MOST_CHARS = 240


def place(match: Match) -> str:
    """Where a match stands: document, page, section, line; of a recording, when and by whom."""
    parts = [match.document.name]
    if match.moment is not None:
        return ", ".join([*parts, *match.moment.told])
    if match.document.places:
        return ", ".join([*parts, *match.document.path_of(match.span)])
    if match.page is not None:
        parts.append(match.document.page_name(match.page))
    if match.section_path:
        parts.append(f"section {match.section_path[-1]!r}")
    parts.append(f"line {match.line}")
    return ", ".join(parts)


def headline(result: ClaimResult, status: str = "") -> str:
    """The status (which may be given as it is shown), the fidelity and the confidence."""
    head = status or result.status.value
    if result.fidelity is not None:
        head += f"  {result.fidelity.value}"
    if result.rules:
        head += f" (differs in {', '.join(result.rules)})"
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
