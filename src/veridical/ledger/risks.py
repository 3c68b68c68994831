"""What follows from the entries of a ledger: its counts, the risks, what to ask and to do next.

Risks are what may be wrong with an answer or its sources: section 7 of the ledger specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from veridical.judging.verdict import Verdict
from veridical.ledger.citations import lacks_source_list
from veridical.ledger.deciding import supports
from veridical.ledger.entry import (
    EvidenceLedger,
    Importance,
    LedgerEntry,
    LedgerSummary,
    RiskFlag,
    RiskType,
    Severity,
    Source,
    rounded,
)
from veridical.ledger.freshness import Staleness
from veridical.ledger.ids import content_id
from veridical.ledger.review import EntryReview, stands
from veridical.reports.words import count
from veridical.sources.document import is_place


def concluded(
    ledger: EvidenceLedger, stale: Mapping[str, Staleness], foreign: Mapping[str, str]
) -> EvidenceLedger:
    """The ledger with what follows from its entries and sources: risks, questions and actions.

    `stale` says of source ids why they may be outdated, `foreign` by file names what in them speaks
    to a language model.
    """
    entries, sources = ledger.entries, ledger.sources
    flags = risk_flags(ledger.session_id, entries, sources, stale, foreign)
    return replace(
        ledger,
        risk_flags=flags,
        follow_up_questions=follow_up_questions(entries, sources, stale),
        actions=recommended_actions(entries, flags),
    )


def as_reviewed(ledger: EvidenceLedger, standing: Mapping[str, EntryReview]) -> EvidenceLedger:
    """The ledger for who reads it: with the verdicts that stand, and what follows from them. What
    is kept and sealed has the machine's, which is also that of each review in `standing`.
    """
    verdicts = [stands(entry, standing) for entry in ledger.entries]
    entries = tuple(
        entry if entry.verdict is verdict else replace(entry, verdict=verdict)
        for entry, verdict in zip(ledger.entries, verdicts, strict=True)
    )
    if entries == ledger.entries:
        return ledger
    # Of sources: what the machine or a reviewer says of a claim changes nothing about these.
    flags = [flag for flag in ledger.risk_flags if flag.type in _OF_SOURCES]
    flags += risk_flags(ledger.session_id, entries, ledger.sources, {}, {})
    flags.sort(key=lambda flag: list(RiskType).index(flag.type))
    names = {source.id: source.filename for source in ledger.sources}
    of_claims = {question for entry in ledger.entries for question in _questions(entry, names)}
    of_sources = [one for one in ledger.follow_up_questions if one not in of_claims]
    questions = [*follow_up_questions(entries, ledger.sources, {}), *of_sources]
    return replace(
        ledger,
        entries=entries,
        summary=summarised(entries),
        risk_flags=tuple(flags),
        follow_up_questions=tuple(questions[:MOST_QUESTIONS]),
        actions=recommended_actions(entries, flags),
    )


def summarised(entries: Sequence[LedgerEntry]) -> LedgerSummary:
    """Counts by verdict and importance, and the two rates over all claims.

    Evidence coverage is (supported + weak) / total, as in the specification's own example (2
    supported, 1 weak and 1 not found: 0.75).
    """
    verdicts = dict.fromkeys(Verdict, 0)
    importances = dict.fromkeys(Importance, 0)
    for entry in entries:
        verdicts[entry.verdict] += 1
        importances[entry.claim.importance] += 1
    total = len(entries)
    covered = verdicts[Verdict.SUPPORTED] + verdicts[Verdict.WEAK]
    return LedgerSummary(
        total_claims=total,
        by_verdict=verdicts,
        by_importance=importances,
        evidence_coverage=rounded(covered / total) if total else None,
        unsupported_rate=rounded((total - covered) / total) if total else None,
    )


LOW_CONFIDENCE_BELOW = 0.6
"""Mean confidence below which the answer as a whole is flagged, and the claims that it names."""

TIE_WITHIN = 0.02
"""Passages of weak support whose similarities differ by no more stand side by side."""

RISKS: Mapping[RiskType, tuple[Severity, str]] = {
    RiskType.MISSING_EVIDENCE: (
        Severity.HIGH,
        "Upload relevant documents or revise response",
    ),
    RiskType.CONTRADICTION: (Severity.HIGH, "Review and correct the contradicted claims"),
    RiskType.OUTDATED_SOURCE: (Severity.MEDIUM, "Verify with current documentation"),
    RiskType.AMBIGUOUS_EVIDENCE: (Severity.MEDIUM, "Seek clarification or additional sources"),
    RiskType.CONFLICTING_SOURCES: (Severity.HIGH, "Determine authoritative source"),
    RiskType.LOW_CONFIDENCE: (Severity.LOW, "Consider qualifying or removing claim"),
    RiskType.INSTRUCTION_IN_SOURCE: (
        Severity.HIGH,
        "Find out who wrote it before relying on the document",
    ),
}
"""How serious each kind of risk is by default, and what to do. Source: sections 7.1 and 7.2."""

_OF_SOURCES = frozenset({RiskType.OUTDATED_SOURCE, RiskType.INSTRUCTION_IN_SOURCE})

_Entries = Sequence[LedgerEntry]
_Risk = tuple[RiskType, str, _Entries, Severity | None]
"""A kind, a description, the entries that it touches, and a severity other than the usual one."""


def risk_flags(
    session_id: str,
    entries: _Entries,
    sources: Sequence[Source],
    stale: Mapping[str, Staleness],
    foreign: Mapping[str, str],
) -> tuple[RiskFlag, ...]:
    """The risks of a ledger, in the order of `RiskType`; at most one flag a kind and severity, but
    one for each outdated source and for each that speaks to a language model.

    `stale` and `foreign` are those of `concluded`. A source that speaks to a model is flagged
    whether or not a claim rests on it.
    """
    names = {source.id: source.filename for source in sources}
    return tuple(
        RiskFlag(
            id=content_id("risk", session_id, kind, description),
            type=kind,
            severity=severity or RISKS[kind][0],
            description=description,
            affected_claim_ids=tuple(entry.claim.id for entry in affected),
            mitigation=RISKS[kind][1],
        )
        for kind, description, affected, severity in _risks(entries, names, stale, foreign)
        if affected or kind is RiskType.INSTRUCTION_IN_SOURCE
    )


def _risks(
    entries: _Entries,
    names: Mapping[str, str],
    stale: Mapping[str, Staleness],
    foreign: Mapping[str, str],
) -> Iterator[_Risk]:
    """All risks that there may be; those that touch no entry are none."""
    yield _missing([entry for entry in entries if entry.verdict is Verdict.NOT_FOUND])
    against = [entry for entry in entries if entry.verdict is Verdict.CONTRADICTED]
    told = _told(against, "claim", "contradicts", "contradict")
    yield RiskType.CONTRADICTION, f"{told} the source documents", against, None
    for source_id, staleness in sorted(stale.items(), key=lambda item: names[item[0]]):
        # One flag a source: each has a reason of its own.
        reason = f"{names[source_id]} may be outdated: {staleness.reason}"
        yield RiskType.OUTDATED_SOURCE, reason, _resting(entries, source_id), None
    yield _ambiguous(entries)
    yield _conflicting(entries, names)
    mean = sum(entry.confidence_score for entry in entries) / max(1, len(entries))
    if entries and mean < LOW_CONFIDENCE_BELOW:
        # Section 7.2 gives the answer as a whole a medium flag.
        low = [entry for entry in entries if entry.confidence_score < LOW_CONFIDENCE_BELOW]
        told = f"Overall confidence is low ({mean * 100:.0f}%)"
        yield RiskType.LOW_CONFIDENCE, told, low, Severity.MEDIUM
    for source_id, name in sorted(names.items(), key=lambda item: item[1]):
        if name in foreign:
            told = (
                f"{name} holds text that speaks to a language model, and is no evidence: "
                f"{_quoted(foreign[name])}"
            )
            yield RiskType.INSTRUCTION_IN_SOURCE, told, _resting(entries, source_id), None


def _told(entries: _Entries, noun: str, one: str, more: str) -> str:
    """`1 claim rests`, `2 claims rest`."""
    return f"{count(len(entries), noun)} {one if len(entries) == 1 else more}"


def _resting(entries: _Entries, source_id: str) -> _Entries:
    """The entries whose deciding piece is of a source."""
    return [
        entry
        for entry in entries
        if entry.evidence[:1] and entry.evidence[0].source_id == source_id
    ]


def _missing(missing: _Entries) -> _Risk:
    """Claims from nowhere.

    Section 7.2 flags critical claims as high. A missing material claim is flagged too, as medium,
    where no critical one is missing; a minor one is not worth a flag.
    """
    critical = [entry for entry in missing if entry.claim.importance is Importance.CRITICAL]
    if critical:
        told = f"{_told(critical, 'critical claim', 'has', 'have')} no supporting evidence"
        return RiskType.MISSING_EVIDENCE, told, critical, None
    material = [entry for entry in missing if entry.claim.importance is Importance.MATERIAL]
    told = f"{count(len(material), 'claim')} could not be verified from provided documents"
    return RiskType.MISSING_EVIDENCE, told, material, Severity.MEDIUM


def _ambiguous(entries: _Entries) -> _Risk:
    """Weak claims that several different passages fit equally well, and citations that do not
    lead to one passage, as one is wrong or nothing says what the numbers stand for.
    """
    tied = [entry for entry in entries if entry.verdict is Verdict.WEAK and _is_tie(entry)]
    unlisted = [entry for entry in entries if any(map(lacks_source_list, entry.citations))]
    unclear = [
        entry
        for entry in entries
        if any(check.problem and not lacks_source_list(check) for check in entry.citations)
    ]
    parts = []
    if tied:
        parts.append(f"{_told(tied, 'claim', 'rests', 'rest')} on passages that fit equally well")
    if unclear:
        they = "it says" if len(unclear) == 1 else "they say"
        carry = _told(unclear, "claim", "carries", "carry")
        parts.append(f"{carry} a citation that does not lead to what {they}")
    if unlisted:
        carry = _told(unlisted, "claim", "carries", "carry")
        parts.append(f"{carry} numbers, and there is no source list: name the sources")
    ids = {entry.id for entry in (*tied, *unclear, *unlisted)}
    affected = [entry for entry in entries if entry.id in ids]
    return RiskType.AMBIGUOUS_EVIDENCE, " and ".join(parts), affected, None


def _is_tie(entry: LedgerEntry) -> bool:
    return any(
        entry.evidence[0].similarity - other.similarity <= TIE_WITHIN
        and other.snippet != entry.evidence[0].snippet
        for other in entry.evidence[1:]
    )


def _conflicting(entries: _Entries, names: Mapping[str, str]) -> _Risk:
    """Claims that one passage bears out and another contradicts."""
    affected, between = [], set()
    for entry in entries:
        for_it = [piece for piece in entry.evidence if supports(piece)]
        against = [piece for piece in entry.evidence if piece.contradicts]
        if for_it and against:
            affected.append(entry)
            between |= {names[piece.source_id] for piece in (*for_it, *against)}
    listed = ", ".join(sorted(between))
    told = f"Sources disagree on {count(len(affected), 'claim')}: {listed}"
    return RiskType.CONFLICTING_SOURCES, told, affected, None


# What to ask and to do next: questions that name what is missing, and actions for the reader.


MOST_QUESTIONS = 10
_MOST_QUOTED_CHARS = 160

_WEIGHT = {Importance.CRITICAL: 0, Importance.MATERIAL: 1, Importance.MINOR: 2}


def follow_up_questions(
    entries: _Entries, sources: Sequence[Source], stale: Mapping[str, Staleness]
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


@dataclass(frozen=True, slots=True)
class Action:
    """What to do about the claims of some numbers, which stand between its words."""

    before: str
    numbers: list[int]
    after: str


def actions_on(entries: _Entries, flags: Sequence[RiskFlag]) -> Iterator[Action]:
    """What a reader should do, in the order of urgency; entries are numbered from 1."""
    for verdict, (before, after) in _ACTIONS.items():
        found = [n for n, entry in enumerate(entries, 1) if entry.verdict is verdict]
        if found:
            yield Action(before, found, after)
    numbers = {entry.claim.id: number for number, entry in enumerate(entries, 1)}
    for flag in flags:
        found = [numbers[claim] for claim in flag.affected_claim_ids if claim in numbers]
        if found and flag.type in _FLAGGED:
            yield Action(f"{flag.mitigation} (", found, f"): {flag.description}")


def recommended_actions(entries: _Entries, flags: Sequence[RiskFlag]) -> tuple[str, ...]:
    """The actions in words."""
    return tuple(
        f"{action.before}{_listed(action.numbers)}{action.after}"
        for action in actions_on(entries, flags)
    )


_ACTIONS = {
    Verdict.CONTRADICTED: ("Correct ", ": the sources say otherwise"),
    Verdict.NOT_FOUND: ("Upload documents that cover ", ", or remove what they do not bear out"),
    Verdict.WEAK: ("Review ", " and consider qualifying what the sources say only in part"),
}
_FLAGGED = frozenset({RiskType.OUTDATED_SOURCE, RiskType.CONFLICTING_SOURCES})
"""Risks that the verdicts alone do not tell of."""


def _questions(entry: LedgerEntry, names: Mapping[str, str]) -> Iterator[str]:
    said = _quoted(entry.claim.statement)
    if entry.verdict is Verdict.NOT_FOUND:
        about = ""
        for near in entry.near[:1]:
            title = near.heading_path[-1] if near.heading_path else ""
            heading = f", {title}," if is_place(title) else f", section “{title}”," if title else ""
            about = f" The nearest passage, in {names[near.source_id]}{heading} does not."
        yield f"Which document says that {said}?{about}"
    elif entry.verdict is Verdict.CONTRADICTED:
        against = next((piece for piece in entry.evidence if piece.contradicts), None)
        if against is None:
            return
        source = names[against.source_id]
        supporting = next((p for p in entry.evidence if supports(p)), None)
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


def _newer_versions(
    entries: _Entries, names: Mapping[str, str], stale: Mapping[str, Staleness]
) -> Iterator[str]:
    for source_id in sorted(stale, key=names.__getitem__):
        if not _resting(entries, source_id):
            continue
        successor = stale[source_id].superseded_by
        if successor is not None:
            yield f"Does {names[successor]} still say what {names[source_id]} says?"
        else:
            yield f"Is there a newer version of {names[source_id]}?"


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
