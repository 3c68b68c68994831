"""A ledger on the terminal: the table of section 8.1, and one claim as in section 8.2."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from veridical.cli.terminal import clean, excerpt
from veridical.cli.text_table import Look, TextTable
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording

_CLAIM_CHARS = 160
_SNIPPET_CHARS = 300

_COLORS = {
    Verdict.SUPPORTED: "green",
    Verdict.WEAK: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_FOUND: "bright_black",
}


def render_ledger(ledger: EvidenceLedger, look: Look | None = None) -> str:
    """All claims as a table, with what to know and to do under it; by default plain."""
    look = look or Look()
    table = TextTable(("#", "Verdict", "Type", "Claim and source"), look)
    for row in wording.numbered(ledger):
        table.add_row(
            Text(str(row.number)),
            _verdict(row.entry, look),
            Text(wording.TYPE_WORDS[row.entry.claim.type]),
            Text("\n".join(_facts(row.entry, ledger))),
        )
    for line in _lines(ledger):
        table.add_line(Text(clean(line)))
    return table.render()


def render_claim(ledger: EvidenceLedger, number: int) -> str:
    """One claim, numbered from 1, with all its evidence."""
    entry = ledger.entries[number - 1]
    sources = wording.sources_by_id(ledger)
    lines = [
        f"Claim #{number}: {wording.claim_words(entry.claim)}",
        (
            f"Verdict: {wording.VERDICT_WORDS[entry.verdict].upper()} "
            f"(Confidence: {wording.confidence(entry.confidence_score)}, "
            f"{wording.band(entry.confidence_score)})"
        ),
        (
            f"Type: {wording.TYPE_WORDS[entry.claim.type]}, "
            f"{wording.IMPORTANCE_WORDS[entry.claim.importance].lower()}"
        ),
        f"Judge's notes: {entry.notes}",
    ]
    for title, pieces in (("Evidence", entry.evidence), ("Nearest passage", entry.near)):
        for piece in pieces:
            lines += [
                "",
                f"{title}: “{piece.snippet}”",
                f"  {wording.place(piece, sources)}  [cite:{piece.anchor}]",
                f"  {_scores(piece)}",
            ]
    problems = [check for check in entry.citations if check.problem]
    lines += [f"Citation {check.marker.value}: {check.problem}" for check in problems]
    return "\n".join(clean(line) for line in lines) + "\n"


def _verdict(entry: LedgerEntry, look: Look) -> Text:
    sign = "" if look.ascii else f"{wording.VERDICT_SIGNS[entry.verdict]} "
    return Text(f"{sign}{wording.VERDICT_WORDS[entry.verdict]}", _COLORS[entry.verdict])


def _facts(entry: LedgerEntry, ledger: EvidenceLedger) -> Iterator[str]:
    yield excerpt(wording.claim_words(entry.claim), _CLAIM_CHARS)
    piece = wording.deciding(entry)
    if piece is None:
        yield "-"
    else:
        place = clean(wording.place(piece, wording.sources_by_id(ledger)))
        yield f"{place}, confidence {wording.confidence(entry.confidence_score)}"
        if entry.verdict is not Verdict.SUPPORTED:
            yield f"“{excerpt(piece.snippet, _SNIPPET_CHARS)}”"
            yield excerpt(entry.notes, _SNIPPET_CHARS)
    for check in entry.citations:
        if check.problem:
            yield f"citation {clean(check.marker.value)}: {clean(check.problem)}"


def _lines(ledger: EvidenceLedger) -> Iterator[str]:
    summary = ledger.summary
    counts = ", ".join(
        f"{count} {wording.VERDICT_WORDS[verdict].lower()}"
        for verdict, count in summary.by_verdict.items()
    )
    yield (
        f"{summary.total_claims} claims: {counts}. "
        f"Evidence coverage {wording.share(summary.evidence_coverage)}."
    )
    for flag in ledger.risk_flags:
        yield (
            f"{wording.RISK_WORDS[flag.type]} ({wording.SEVERITY_WORDS[flag.severity]}): "
            f"{flag.description}. {flag.mitigation}."
        )
    for number, action in enumerate(ledger.actions, 1):
        yield f"{number}. {action}"


def _scores(piece: Evidence) -> str:
    return (
        f"support {piece.support.value}, similarity {piece.similarity:.2f}, "
        f"probability {piece.probability:.2f}, contradiction {piece.contradiction:.2f}"
    )
