"""What an exported ledger, and its reviewers' decisions, say in words.

The same words stand in Markdown, page and PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import confidence_band
from veridical.ledger.entry import (
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    LedgerEntry,
    LedgerSummary,
    NewerVersion,
    RiskType,
    Severity,
    Source,
)
from veridical.ledger.review import Decision, EntryReview, Reviewed, is_of_its_verdict
from veridical.reports.words import count, first_words, percent
from veridical.sources.document import is_place

NO_TITLE = "Evidence Ledger"
NO_SOURCE = "-"
NOT_MEASURED = "n/a"


def _titled(kinds: Iterable[StrEnum]) -> dict[Any, str]:
    """What members of an enum are called: `not_found` is `Not Found`."""
    return {kind: kind.value.replace("_", " ").title() for kind in kinds}


VERDICT_WORDS: dict[Verdict, str] = _titled(Verdict)
VERDICT_SIGNS = {
    Verdict.SUPPORTED: "✓",
    Verdict.WEAK: "?",
    Verdict.CONTRADICTED: "✗",
    Verdict.NOT_FOUND: "○",
}
VERDICT_MEANINGS = {
    Verdict.SUPPORTED: "the evidence states or clearly implies it",
    Verdict.WEAK: "the evidence supports it in part; verify it",
    Verdict.CONTRADICTED: "the evidence conflicts with it; correct or remove it",
    Verdict.NOT_FOUND: "the sources given say nothing of it",
}
WORST_FIRST = (Verdict.CONTRADICTED, Verdict.NOT_FOUND, Verdict.WEAK, Verdict.SUPPORTED)
RANKS = {verdict: rank for rank, verdict in enumerate(WORST_FIRST)}
TONES = {
    Verdict.SUPPORTED: "ok",
    Verdict.WEAK: "low",
    Verdict.CONTRADICTED: "fail",
    Verdict.NOT_FOUND: "none-found",
}
"""The classes, and the names in addresses, of verdicts."""

TYPE_WORDS: dict[ClaimType, str] = _titled(ClaimType)
IMPORTANCE_WORDS: dict[Importance, str] = _titled(Importance)
RISK_WORDS: dict[RiskType, str] = _titled(RiskType)
SEVERITY_WORDS: dict[Severity, str] = _titled(Severity)

_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}Z")
# "3.2 Requests", "4. Leave", "§ 7) Notice"; but not "15 days of leave", which is no number.
_NUMBERED = re.compile(r"\s*(?:§\s*)?(\d{1,3}(?:\.\d{1,3})+(?![\w.])|\d{1,3}(?=[.):](?:\s|$)))")
# What is no word of an answer in Markdown: emphasis, code, and the signs that open a block.
_SIGNS = re.compile(r"\*+|`+|^[ \t]*(?:#{1,6}[ \t]+|>|[-+•][ \t]+|\d{1,3}[.)][ \t]+)", re.MULTILINE)
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(.*\w.*)")
_CUT = re.compile(r"[\s,;:–—-]+…$")
_MOST_BEGINNING_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Numbered:
    """An entry with its number in the answer, from 1."""

    number: int
    entry: LedgerEntry


def numbered(ledger: EvidenceLedger) -> list[Numbered]:
    """All entries in their order, which is that of the answer."""
    return [Numbered(number, entry) for number, entry in enumerate(ledger.entries, 1)]


def worst_first(entries: list[Numbered]) -> list[Numbered]:
    """Entries by verdict, the worst first; in the order of the answer within a verdict."""
    return sorted(entries, key=lambda row: (RANKS[row.entry.verdict], row.number))


def called(title: str, query: str, answer: str, otherwise: str = NO_TITLE) -> str:
    """What a session and its ledger are called: the title, else the question, else the heading or
    the words that the answer begins with, and `otherwise` where there are no words at all.
    """
    begins = answer[:_MOST_BEGINNING_CHARS]
    heading = _HEADING.match(begins)
    words = _SIGNS.sub("", heading[1] if heading else begins)
    begins = _CUT.sub("…", first_words(words))
    return title.strip() or query.strip() or begins or otherwise


def heading(ledger: EvidenceLedger) -> str:
    """What a ledger is called (`called`)."""
    return called(ledger.title, ledger.query, ledger.answer)


def stamp(time: str) -> str:
    """`2026-01-03T14:30:00Z` as `2026-01-03 14:30 UTC`; any other text as it is."""
    found = _STAMP.fullmatch(time)
    return f"{found[1]} {found[2]} UTC" if found else time


def share(part: float | None) -> str:
    """A share in whole percent, rounded down; `n/a` where nothing was measured."""
    return NOT_MEASURED if part is None else f"{percent(part)}%"


def supported_share(summary: LedgerSummary) -> str:
    """The share of claims that are supported, which leads wherever a ledger is summed up."""
    total = summary.total_claims
    return share(summary.by_verdict[Verdict.SUPPORTED] / total if total else None)


def supported_in_words(ledger: EvidenceLedger) -> str:
    """How many claims are supported: `2 of 4 claims`."""
    summary = ledger.summary
    return f"{summary.by_verdict[Verdict.SUPPORTED]:,} of {count(summary.total_claims, 'claim')}"


def covered_in_words(ledger: EvidenceLedger) -> str:
    """How many claims the sources cover: `75% (supported or weak)`."""
    return f"{share(ledger.summary.evidence_coverage)} (supported or weak)"


def newer_told(each: NewerVersion) -> str:
    """That a source has another version than the claims were checked against, in a sentence."""
    if each.newer < each.checked:
        return (
            f"Version {each.newer} of {each.filename} is current again; the claims were checked "
            f"against version {each.checked}."
        )
    return (
        f"Newer version {each.newer} of {each.filename} was added on {stamp(each.added_at)}; the "
        f"claims were checked against version {each.checked}."
    )


def confidence(score: float) -> str:
    """A confidence in percent, rounded as its band is."""
    return f"{round(round(score, 2) * 100)}%"


def band(score: float) -> str:
    """The word for a confidence: high, good, moderate, low or very low."""
    return confidence_band(score).value.replace("_", " ")


def sources_by_id(ledger: EvidenceLedger) -> Mapping[str, Source]:
    """The sources of a ledger by their ids."""
    return {source.id: source for source in ledger.sources}


def deciding(entry: LedgerEntry) -> Evidence | None:
    """The piece of evidence that a verdict rests on; None where there is none."""
    return entry.evidence[0] if entry.evidence else None


def filename(evidence: Evidence, sources: Mapping[str, Source]) -> str:
    """The name of the file that a passage stands in."""
    source = sources.get(evidence.source_id)
    return source.filename if source else "unknown source"


def place(evidence: Evidence, sources: Mapping[str, Source]) -> str:
    """Where a passage stands, as in `HR_Policy.pdf, Page 12`, or `Guide.md, Section 3.2`."""
    parts = [filename(evidence, sources)]
    if evidence.page_number is not None:
        parts.append(f"Page {evidence.page_number}")
    elif section := _section(evidence):
        parts.append(section if is_place(section) else f"Section {section}")
    return ", ".join(parts)


def full_place(evidence: Evidence, sources: Mapping[str, Source]) -> str:
    """Where a passage stands, with both page and section where both are known."""
    section = _section(evidence)
    more = section and evidence.page_number is not None
    return place(evidence, sources) + (f", Section {section}" if more else "")


def short_place(entry: LedgerEntry, sources: Mapping[str, Source]) -> str:
    """Where an entry's evidence stands, for a table: `HR_Policy.pdf, p.12`; `-` for nowhere."""
    evidence = deciding(entry)
    if evidence is None:
        return NO_SOURCE
    name, section = filename(evidence, sources), _section(evidence)
    if evidence.page_number is not None:
        return f"{name}, p.{evidence.page_number}"
    if is_place(section):
        return f"{name}, {section}"
    return f"{name}, §{'' if section[0].isdigit() else ' '}{section}" if section else name


def is_partial(entry: LedgerEntry) -> bool:
    """Whether the evidence of an entry bears it out in part only."""
    evidence = deciding(entry)
    return (
        entry.verdict is Verdict.WEAK
        and evidence is not None
        and evidence.support is SupportLevel.PARTIAL
    )


def _section(evidence: Evidence) -> str:
    """The number of the section that a passage stands in, else its title, else nothing."""
    title = " ".join(evidence.heading_path[-1].split()) if evidence.heading_path else ""
    number = _NUMBERED.match(title)
    return number[1] if number else title


def affected(claims: tuple[str, ...], numbers: Mapping[str, int]) -> list[int]:
    """The numbers of the claims with these ids, in order; ids that no entry has are left out."""
    return sorted({numbers[claim] for claim in claims if claim in numbers})


def numbers_by_claim(ledger: EvidenceLedger) -> Mapping[str, int]:
    """The number, from 1, of each claim."""
    return {row.entry.claim.id: row.number for row in numbered(ledger)}


def rows_by_entry(ledger: EvidenceLedger) -> Mapping[str, Numbered]:
    """Each entry with its number, by the entry's id."""
    return {row.entry.id: row for row in numbered(ledger)}


def citation(evidence: Evidence) -> str:
    """The marker that cites a passage in an answer."""
    return f"[cite:{evidence.anchor}]"


def record(ledger: EvidenceLedger, seal_head: str | None) -> list[tuple[str, str]]:
    """What identifies a ledger, and what it was made with, each with its name."""
    facts = [
        ("Ledger", ledger.id),
        ("Session", ledger.session_id),
        ("Created", stamp(ledger.created_at)),
        ("Updated", stamp(ledger.updated_at)),
        ("Judge", judged_by(ledger)),
        ("Claims found by", ledger.judge.extractor),
    ]
    return [*facts, ("Seal head (SHA-256)", seal_head)] if seal_head else facts


def judged_by(ledger: EvidenceLedger) -> str:
    """Who decided, as a phrase."""
    return f"{ledger.judge.name}, operating point {ledger.judge.point}"


# Reviewers' decisions in words.


DECISION_WORDS = {
    Decision.ACCEPT: "Accepted",
    Decision.OVERRULE: "Overruled",
    Decision.WITHDRAW: "Taken back",
}


def counted(found: Reviewed, ledger: EvidenceLedger) -> str:
    """How many verdicts were reviewed: `2 of 4 claims reviewed: 1 accepted, 1 overruled`."""
    total = count(len(ledger.entries), "claim")
    return (
        f"{len(found.standing):,} of {total} reviewed: "
        f"{found.accepted:,} accepted, {found.overruled:,} overruled"
    )


def overruled(review: EntryReview | None) -> EntryReview | None:
    """The decision, where it puts another verdict in the place of the machine's."""
    return review if review and review.decision is Decision.OVERRULE else None


def said(verdict: Verdict, review: EntryReview | None) -> str:
    """The verdict that stands, and the machine's where that is another: `Weak (reviewer; …)`."""
    word, other = VERDICT_WORDS[verdict], overruled(review)
    return f"{word} (reviewer; machine: {VERDICT_WORDS[other.machine_verdict]})" if other else word


def decided(review: EntryReview) -> str:
    """Who decided and when, as `overruled by Ana, 2026-01-03 14:30 UTC`. Holds the reviewer's name
    as it was given.
    """
    return f"{DECISION_WORDS[review.decision].lower()}{by(review)}"


def of_another_verdict(review: EntryReview, entry: LedgerEntry) -> str:
    """`made on another verdict (was Weak)` where the machine says something else now, so that the
    decision does not count; else nothing.
    """
    if is_of_its_verdict(review, entry):
        return ""
    return f"made on another verdict (was {VERDICT_WORDS[review.machine_verdict]})"


def because(review: EntryReview) -> str:
    """`: the reason` of a decision, where one was given."""
    return f": {review.reason}" if review.reason.strip() else ""


def told(review: EntryReview, row: Numbered) -> str:
    """One decision of a history, after the word for a claim:
    `3: overruled by Ana, 2026-01-03 14:30 UTC (? Weak → ✓ Supported)`.
    """
    old = of_another_verdict(review, row.entry)
    return f"{row.number}: {decided(review)} ({change(review)}){old and f', {old}'}"


def by(review: EntryReview) -> str:
    """` by Ana, 2026-01-03 14:30 UTC`."""
    name = f" by {review.reviewer}" if review.reviewer.strip() else ""
    return f"{name}, {stamp(review.at)}"


def change(review: EntryReview) -> str:
    """What a decision did to a verdict, in signs and words: `? Weak → ✓ Supported`."""
    machine = verdict_in_words(review.machine_verdict)
    if review.decision is not Decision.OVERRULE or review.verdict is None:
        return machine
    return f"{machine} → {verdict_in_words(review.verdict)}"


def verdict_in_words(verdict: Verdict) -> str:
    """A verdict as sign and word."""
    return f"{VERDICT_SIGNS[verdict]} {VERDICT_WORDS[verdict]}"


def left_out(found: Reviewed) -> str | None:
    """What a reader must be told of decisions about claims that this ledger has not."""
    if not found.elsewhere:
        return None
    return (
        f"{count(len(found.elsewhere), 'review')} left out: of claims that this revision of the "
        "ledger has not."
    )


# The answer of a ledger, cut where its claims start and end.


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the answer: inside the claims with these numbers, or inside none."""

    text: str
    claims: tuple[int, ...] = ()


def stretches(ledger: EvidenceLedger) -> Iterator[Stretch]:
    """The answer in pieces that together are the whole of it, cut where claims start and end.

    Where claims overlap, the part that they share belongs to the one that starts first. A claim
    that stands wholly inside another is named with it.
    """
    answer, at = ledger.answer, 0
    rows = sorted(numbered(ledger), key=lambda row: (row.entry.claim.span.start, row.number))
    inside: list[int] = []
    held = ""
    for row in rows:
        span = row.entry.claim.span
        start, end = max(span.start, at), min(span.end, len(answer))
        if start >= end:
            inside.append(row.number)
            continue
        if held:
            yield Stretch(held, tuple(inside))
        if start > at:
            yield Stretch(answer[at:start])
        held, inside, at = answer[start:end], [row.number], end
    if held:
        yield Stretch(held, tuple(inside))
    if at < len(answer):
        yield Stretch(answer[at:])
