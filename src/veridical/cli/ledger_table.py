"""A ledger on the terminal: the table of section 8.1, and one claim as in section 8.2."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from veridical.cli.terminal import clean, excerpt
from veridical.cli.text_table import Look, TextTable
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.review import Decision, EntryReview, Reviewed, without_reviews

_CLAIM_CHARS = 160
_SNIPPET_CHARS = 300

_COLORS = {
    Verdict.SUPPORTED: "green",
    Verdict.WEAK: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_FOUND: "bright_black",
}


def render_ledger(
    ledger: EvidenceLedger, look: Look | None = None, found: Reviewed | None = None
) -> str:
    """All claims as a table, with what to know and to do under it; by default plain.

    What reviewers decided (`found`) stands beside the machine's verdicts.
    """
    look, found = look or Look(), found or without_reviews(ledger)
    sources = wording.sources_by_id(ledger)
    table = TextTable(("#", "Claim", "Type", "Verdict", "Source"), look, {"Claim": 3, "Source": 2})
    for row in wording.numbered(ledger):
        table.add_row(
            Text(str(row.number)),
            Text("\n".join(_facts(row.entry))),
            Text(wording.TYPE_WORDS[row.entry.claim.type]),
            _verdict(row.entry, look, found.standing.get(row.entry.id)),
            Text(clean(wording.short_place(row.entry, sources)) + _part(row.entry)),
        )
    for line in _lines(ledger, found):
        table.add_line(Text(clean(line)))
    return table.render()


def render_claim(ledger: EvidenceLedger, number: int, found: Reviewed | None = None) -> str:
    """One claim, numbered from 1, with all its evidence and all that reviewers decided of it."""
    entry = ledger.entries[number - 1]
    history = [r for r in found.history if r.entry_id == entry.id] if found else []
    sources = wording.sources_by_id(ledger)
    lines = [
        f"Claim #{number}: {entry.claim.words}",
        (
            f"Verdict: {wording.VERDICT_WORDS[entry.verdict].upper()} "
            f"(Confidence: {wording.confidence(entry.confidence_score)}, "
            f"{wording.band(entry.confidence_score)})"
        ),
        *(_review(review, entry) for review in history),
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


def _review(review: EntryReview, entry: LedgerEntry) -> str:
    verdict = wording.VERDICT_WORDS[review.verdict].upper() if review.verdict else "none"
    reason = f": {review.reason}" if review.reason.strip() else ""
    old = wording.of_another_verdict(review, entry)
    said = f"{wording.decided(review)}{old and f'; {old}'}"
    return f"Reviewer's verdict: {verdict} ({said}){reason}"


def _verdict(entry: LedgerEntry, look: Look, review: EntryReview | None) -> Text:
    shown = _marked(entry.verdict, look)
    if entry.confidence_score:  # that in the claim: 0 would read as that in the verdict
        shown.append(f"\n{wording.confidence(entry.confidence_score)}", "default")
    if review is None or review.verdict is None:
        return shown
    word = wording.DECISION_WORDS[review.decision].lower()
    if review.decision is Decision.ACCEPT:
        return Text.assemble(shown, f"\n{word}")
    return Text.assemble(shown, f"\n{word}:\n", _marked(review.verdict, look))


def _marked(verdict: Verdict, look: Look) -> Text:
    sign = "" if look.ascii else f"{wording.VERDICT_SIGNS[verdict]} "
    return Text(f"{sign}{wording.VERDICT_WORDS[verdict]}", _COLORS[verdict])


def _part(entry: LedgerEntry) -> str:
    return "\n(partial match)" if wording.is_partial(entry) else ""


def _facts(entry: LedgerEntry) -> Iterator[str]:
    yield excerpt(entry.claim.words, _CLAIM_CHARS)
    piece = wording.deciding(entry)
    if piece is not None and entry.verdict is not Verdict.SUPPORTED:
        yield f"“{excerpt(piece.snippet, _SNIPPET_CHARS)}”"
        yield excerpt(entry.notes, _SNIPPET_CHARS)
    for check in entry.citations:
        if check.problem:
            yield f"citation {clean(check.marker.value)}: {clean(check.problem)}"


def _lines(ledger: EvidenceLedger, found: Reviewed) -> Iterator[str]:
    summary = ledger.summary
    rest = "".join(
        f", {count} {wording.VERDICT_WORDS[verdict].lower()}"
        for verdict, count in summary.by_verdict.items()
        if verdict is not Verdict.SUPPORTED
    )
    yield (
        f"{wording.supported_in_words(ledger)} supported{rest}. "
        f"Evidence coverage {wording.covered_in_words(ledger)}."
    )
    if found.history:
        yield f"{wording.counted(found, ledger)}."
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
