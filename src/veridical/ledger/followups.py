"""What to ask and to do next: questions that name what is missing, and actions for the reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, Importance, LedgerEntry, RiskFlag, RiskType, Source
from veridical.ledger.freshness import Staleness

MOST_QUESTIONS = 10
_MOST_QUOTED_CHARS = 160

_WEIGHT = {Importance.CRITICAL: 0, Importance.MATERIAL: 1, Importance.MINOR: 2}


def follow_up_questions(
    entries: Sequence[LedgerEntry], sources: Sequence[Source], stale: Mapping[str, Staleness]
) -> tuple[str, ...]:
    """Up to `MOST_QUESTIONS` questions, those on the most important claims first."""
    names = {source.id: source.filename for source in sources}
    ranked = sorted(
        (entry for entry in entries if entry.verdict is not Verdict.SUPPORTED),
        key=lambda entry: _WEIGHT[entry.claim.importance],
    )
    questions = [question for entry in ranked for question in _questions(entry, names)]
    questions += _newer_versions(entries, names, stale)
    return tuple(dict.fromkeys(questions))[:MOST_QUESTIONS]


def recommended_actions(
    entries: Sequence[LedgerEntry], flags: Sequence[RiskFlag]
) -> tuple[str, ...]:
    """What a reader should do, in the order of urgency; entries are numbered from 1."""
    numbers = {entry.claim.id: number for number, entry in enumerate(entries, 1)}
    by_verdict = {
        verdict: [numbers[entry.claim.id] for entry in entries if entry.verdict is verdict]
        for verdict in Verdict
    }
    actions = []
    if by_verdict[Verdict.CONTRADICTED]:
        listed = _listed(by_verdict[Verdict.CONTRADICTED])
        actions.append(f"Correct {listed}: the sources say otherwise")
    if by_verdict[Verdict.NOT_FOUND]:
        listed = _listed(by_verdict[Verdict.NOT_FOUND])
        actions.append(f"Upload documents that cover {listed}, or remove what they do not bear out")
    if by_verdict[Verdict.WEAK]:
        listed = _listed(by_verdict[Verdict.WEAK])
        actions.append(f"Review {listed} and consider qualifying what the sources say only in part")
    for flag in flags:
        if flag.type in _FLAGGED:
            listed = _listed([numbers[claim] for claim in flag.affected_claim_ids])
            actions.append(f"{flag.mitigation} ({listed}): {flag.description}")
    return tuple(actions)


_FLAGGED = frozenset({RiskType.OUTDATED_SOURCE, RiskType.CONFLICTING_SOURCES})
"""Risks that the verdicts alone do not tell of."""


def _questions(entry: LedgerEntry, names: Mapping[str, str]) -> Iterable[str]:
    said = _quoted(entry.claim.statement)
    if entry.verdict is Verdict.NOT_FOUND:
        about = _nearest_place(entry, names)
        yield f"Which document says that {said}?{about}"
    elif entry.verdict is Verdict.CONTRADICTED:
        against = next(piece for piece in entry.evidence if piece.contradicts)
        source = names[against.source_id]
        supporting = next((p for p in entry.evidence if _supports(p)), None)
        if supporting is not None and supporting.source_id != against.source_id:
            other = names[supporting.source_id]
            yield f"Which of {other} and {source} is authoritative on {said}?"
        else:
            passage = _quoted(against.snippet)
            yield f"The answer says {said}, but {source} says {passage}: which is meant?"
    elif entry.evidence:
        best = entry.evidence[0]
        passage = _quoted(best.snippet)
        name = names[best.source_id]
        yield f"{name} says {passage}: does that, or anything else, bear out {said}?"


def _nearest_place(entry: LedgerEntry, names: Mapping[str, str]) -> str:
    if not entry.near:
        return ""
    near = entry.near[0]
    heading = f", section “{near.heading_path[-1]}”," if near.heading_path else ""
    return f" The nearest passage, in {names[near.source_id]}{heading} does not."


def _newer_versions(
    entries: Sequence[LedgerEntry], names: Mapping[str, str], stale: Mapping[str, Staleness]
) -> Iterable[str]:
    resting = {piece.source_id for entry in entries for piece in entry.evidence[:1]}
    for source_id in sorted(resting & stale.keys(), key=names.__getitem__):
        successor = stale[source_id].superseded_by
        if successor is not None:
            yield f"Does {names[successor]} still say what {names[source_id]} says?"
        else:
            yield f"Is there a newer version of {names[source_id]}?"


def _supports(piece: Evidence) -> bool:
    return piece.support is SupportLevel.FULL and not piece.contradicts


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) > _MOST_QUOTED_CHARS:
        space = plain.rfind(" ", 0, _MOST_QUOTED_CHARS)
        plain = plain[: space if space > 0 else _MOST_QUOTED_CHARS].rstrip() + " …"
    return f"“{plain}”"


def _listed(numbers: Sequence[int]) -> str:
    word = "claim" if len(numbers) == 1 else "claims"
    marks = [f"#{number}" for number in numbers[:8]]
    if len(numbers) > len(marks):
        return f"{word} {', '.join(marks)} and {len(numbers) - len(marks)} more"
    return f"{word} {' and '.join([', '.join(marks[:-1]), marks[-1]]) if marks[1:] else marks[0]}"
