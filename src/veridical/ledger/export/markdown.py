"""The ledger as Markdown: section 9.1 of the ledger specification.

Text of the answer, its sources and the judge is never markup here: it is escaped so that CommonMark
and GitHub's dialect render it as it was written, on one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, LedgerEntry, NewerVersion, Source
from veridical.ledger.export import wording
from veridical.ledger.export.texts import one_line
from veridical.ledger.export.wording import (
    IMPORTANCE_WORDS,
    NO_SOURCE,
    RISK_WORDS,
    SEVERITY_WORDS,
    TYPE_WORDS,
    VERDICT_SIGNS,
    VERDICT_WORDS,
)
from veridical.ledger.review import EntryReview, Reviewed, without_reviews

_MOST_NEAR = 3

_MARKUP = re.compile(
    r"""[\\`*\[\]|~$]                  # always
    | (?<![^\W_]) _+ | _+ (?![^\W_])   # emphasis cannot start or end inside a word
    | \A \#+ | (?<!\S) \#+ \Z          # the start and the end of a heading
    | :(?=//) | (?<=[wW]{3}) \.        # links that some dialects make of addresses
    | (?<=\S) @ | @ (?=\S)             # addresses, people
    | \A (?: [-+=:] | (?<!\d)\d{1,9}[.)] ) # what opens a list, or underlines a heading
    """,
    re.VERBOSE,
)
_SIGN = re.compile(r"(\D)")
_HTML = re.compile(r"[<>]|&(?=\#?\w{1,40};)")
_HTML_NAMES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def literal(text: str) -> str:
    """Text as Markdown that renders as this very text, on one line, wherever it stands in a line.

    White space is collapsed, as rendering does; invisible controls are shown by their names.
    """
    escaped = _MARKUP.sub(_escape, one_line(text))
    return _HTML.sub(lambda found: _HTML_NAMES[found[0]], escaped)


def _escape(found: re.Match[str]) -> str:
    """A backslash before each sign; a number that would open a list keeps its digits."""
    signs = found[0]
    return f"\\{signs}" if len(signs) == 1 else _SIGN.sub(r"\\\1", signs)


def render_markdown(
    ledger: EvidenceLedger,
    found: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> str:
    """The ledger as a Markdown document, claims in the order of the answer.

    What reviewers decided, where it is given, stands beside the machine's verdicts; `newer` are
    sources that have another version since.
    """
    found = found or without_reviews(ledger)
    blocks = [
        "## Evidence Ledger",
        "\n".join(_head(ledger, found)),
        *(f"⚠️ {literal(wording.newer_told(each))}" for each in newer),
        "### Summary",
        "\n".join(_summary(ledger, found)),
        *([f"{wording.counted(found, ledger)}."] if found.history else []),
        "### Claims Detail",
        *_claims(ledger, found),
        *_risks(ledger),
        *_section("Recommended Actions", map(literal, ledger.actions), is_numbered=True),
        *_section(
            "Follow-up Questions", map(literal, ledger.follow_up_questions), is_numbered=True
        ),
        *_reviews(ledger, found),
        *_section(
            "Sources",
            (f"{literal(s.filename)}, SHA-256 {literal(s.sha256)}" for s in ledger.sources),
        ),
        *_section("Warnings", map(literal, ledger.warnings)),
    ]
    return "\n\n".join(blocks) + "\n"


def _head(ledger: EvidenceLedger, found: Reviewed) -> Iterator[str]:
    yield f"**Session:** {literal(wording.heading(ledger))}"
    yield f"**Generated:** {literal(wording.stamp(ledger.created_at))}"
    yield f"**Evidence Coverage:** {wording.share(ledger.summary.evidence_coverage)}"
    if after := wording.share_after(ledger, found.by_verdict):
        yield f"**After Review:** {after}"


def _summary(ledger: EvidenceLedger, found: Reviewed) -> Iterator[str]:
    """The counts; as in the specification, a verdict that no claim has is left out."""
    if not ledger.summary.total_claims:
        yield "No claim was found in the answer."
        return
    beside = bool(found.history)
    yield "| Verdict | Count |" + " After Review |" * beside
    yield "|---------|-------|" + "--------------|" * beside
    for verdict, word in VERDICT_WORDS.items():
        number, after = ledger.summary.by_verdict[verdict], found.by_verdict[verdict]
        if number or after:
            yield f"| {word} | {number} |" + f" {after} |" * beside


def _claims(ledger: EvidenceLedger, found: Reviewed) -> Iterator[str]:
    sources = wording.sources_by_id(ledger)
    for row in wording.numbered(ledger):
        if row.number > 1:
            yield "---"
        yield f"#### {row.number}. {literal(wording.claim_words(row.entry.claim))}"
        fields = _fields(row.entry, sources, found.standing.get(row.entry.id))
        yield "\n".join(f"- **{name}:** {value}" for name, value in fields)


def _fields(
    entry: LedgerEntry, sources: Mapping[str, Source], review: EntryReview | None
) -> Iterator[tuple[str, str]]:
    score = wording.confidence(entry.confidence_score)
    sign, word = VERDICT_SIGNS[entry.verdict], VERDICT_WORDS[entry.verdict]
    evidence = wording.deciding(entry)
    yield "Type", TYPE_WORDS[entry.claim.type]
    yield "Importance", IMPORTANCE_WORDS[entry.claim.importance]
    yield "Verdict", f"{sign} {word} (Confidence: {score})"
    if review and review.verdict:
        said = f"{wording.verdict_in_words(review.verdict)}, {wording.decided(review)}"
        yield "Reviewer's Verdict", literal(f"{said}{_because(review)}")
    yield "Source", literal(wording.place(evidence, sources)) if evidence else NO_SOURCE
    if evidence:
        yield "Evidence", f'"{literal(evidence.snippet)}"'
        yield "Citation", literal(wording.citation(evidence))
    if entry.notes and entry.verdict is not Verdict.SUPPORTED:
        yield "Notes", literal(entry.notes)
    for near in entry.near[:_MOST_NEAR]:
        where = literal(wording.place(near, sources))
        yield "Nearest passage, no support", f'"{literal(near.snippet)}" ({where})'
    for check in entry.citations:
        if check.problem:
            yield "Cited in vain", literal(f"{check.marker.value}: {check.problem}")


def _because(review: EntryReview) -> str:
    return f": {review.reason}" if review.reason.strip() else ""


def _reviews(ledger: EvidenceLedger, found: Reviewed) -> Iterator[str]:
    """Every decision, oldest first, those that no longer count too."""
    rows = wording.rows_by_entry(ledger)
    told = (
        literal(f"Claim {wording.told(review, rows[review.entry_id])}{_because(review)}")
        for review in found.history
    )
    return _section("Reviews", told, is_numbered=True)


def _risks(ledger: EvidenceLedger) -> Iterator[str]:
    if not ledger.risk_flags:
        return
    numbers = wording.numbers_by_claim(ledger)
    yield "### Risk Flags"
    for flag in ledger.risk_flags:
        name = f"{RISK_WORDS[flag.type]} ({SEVERITY_WORDS[flag.severity]})"
        yield f"⚠️ **{name}:** {literal(flag.description)}"
        details = []
        if claims := wording.affected(flag.affected_claim_ids, numbers):
            details.append(f"- **Claims:** {', '.join(f'{number}' for number in claims)}")
        if flag.mitigation:
            details.append(f"- **What to do:** {literal(flag.mitigation)}")
        if details:
            yield "\n".join(details)


def _section(name: str, lines: Iterable[str], *, is_numbered: bool = False) -> Iterator[str]:
    """A list of lines of Markdown under a title; nothing where there are none."""
    listed = [f"{n}. {line}" if is_numbered else f"- {line}" for n, line in enumerate(lines, 1)]
    if listed:
        yield f"### {name}"
        yield "\n".join(listed)
