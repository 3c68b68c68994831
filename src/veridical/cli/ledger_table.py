"""`veridical ledger show` and `list`: the table of section 8.1, and one claim as in section 8.2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from rich.text import Text

from veridical.cli import ledger_files as ledgers
from veridical.cli.choices import TABLE_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import read_bytes
from veridical.cli.options import format_option, store_option, verbose_option, workspace_option
from veridical.cli.terminal import clean, excerpt, out, warn
from veridical.cli.text_table import Look, text_table
from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.canonical import MAX_FILE_BYTES
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.review import Decision, EntryReview, Reviewed, reviewed
from veridical.ledger.risks import as_reviewed
from veridical.ledger.seal import check_seal
from veridical.ledger.wire import ledger_file_from_bytes

if TYPE_CHECKING:
    from veridical.store.ledgers import LedgerSummaryRow

_ID_CHARS = 8
"""As much of an id as tells ledgers apart in practice; `ledger show` takes it."""

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
    look, found = look or Look(), found or reviewed(ledger)
    sources = wording.sources_by_id(ledger)
    rows = (
        (
            str(row.number),
            "\n".join(_facts(row.entry)),
            wording.TYPE_WORDS[row.entry.claim.type],
            _verdict(row.entry, look, found.standing.get(row.entry.id)),
            clean(wording.short_place(row.entry, sources)) + _part(row.entry),
        )
        for row in wording.numbered(ledger)
    )
    headings = ("#", "Claim", "Type", "Verdict", "Source")
    lines = map(clean, _lines(as_reviewed(ledger, found.standing), found))
    return text_table(headings, rows, lines, look, {"Claim": 3, "Source": 2})


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


@click.command()
@click.argument("source", metavar="LEDGER")
@click.option("--claim", type=int, metavar="N", help="Only claim N, with all its evidence.")
@store_option
@workspace_option
@verbose_option
@with_exit_code
def show(source: str, claim: int | None, store: str | None, workspace: str) -> int:
    """Print a ledger as a table, or one of its claims in full.

    LEDGER is a ledger file (JSON), or the id of a ledger or session in the database, or enough of
    its beginning.

    Exit code 0: shown. 1: shown, but its seal is broken, so do not rely on it. 2: the run
    could not be made.
    """
    if ledgers.is_file(source):
        ledgers.require_no_store(store, workspace)
        data = read_bytes(source, MAX_FILE_BYTES)
        file = ledger_file_from_bytes(data)
        made, reviews = file.ledger, file.reviews
        check = check_seal(data)
        problem = "" if check.intact else ledgers.broken(check)
    else:
        with ledgers.open_store(store) as opened:
            record = opened.load_record(source, workspace)
            reviews = ledgers.reviews_of(opened, record.ledger, workspace)
        # A ledger of the database is kept without a seal but with its head.
        made = record.ledger
        problem = "" if record.is_as_saved else "rows of it were changed in the database since"
    if problem:  # before anything of the ledger is shown
        warn(f"Seal: broken: {problem}")
    found = reviewed(made, reviews)
    if claim is None:
        out(clean(f"{made.title}  ({made.id}, {made.created_at})"))
        out(render_ledger(made, Look.of_standard_output(), found).rstrip("\n"))
        warn(*made.warnings)
    elif 1 <= claim <= len(made.entries):
        out(render_claim(made, claim, found).rstrip("\n"))
    else:
        raise ValidationError(
            f"--claim {claim}: the ledger has {len(made.entries)} claims, numbered from 1"
        )
    return NEGATIVE_RESULT if problem else 0


@click.command("list")
@store_option
@workspace_option
@click.option("--limit", default=50, show_default=True, metavar="N", help="How many, newest first.")
@format_option("table", "json", help="What is printed.")
@verbose_option
@with_exit_code
def list_ledgers(store: str | None, workspace: str, limit: int, form: str) -> None:
    """List the ledgers of a database."""
    from veridical.store.store import MOST_LISTED

    wanted = parse_choice(TABLE_OR_JSON, form)
    if not 1 <= limit <= MOST_LISTED:
        raise ValidationError(f"--limit must lie between 1 and {MOST_LISTED:,}, got {limit}")
    with ledgers.open_store(store) as opened:
        rows = opened.list(workspace, limit=limit)
    if wanted is Form.JSON:
        out(json.dumps([_as_json(row) for row in rows], indent=2, ensure_ascii=False))
        return
    headings = ("Ledger", "Created", "Claims", "Supported", "Point", "Title")
    look = Look.of_standard_output()
    cells = [
        (
            row.ledger_id[:_ID_CHARS],
            row.created_at,
            _counts(row, look),
            wording.supported_share(row.summary),
            row.judge.point,
            clean(row.title),
        )
        for row in rows
    ]
    out(text_table(headings, cells, look=look).rstrip("\n"))


def _counts(row: LedgerSummaryRow, look: Look) -> str:
    """How many claims have which verdict, supported first."""
    by_verdict = row.summary.by_verdict
    if look.ascii:
        return ", ".join(f"{by_verdict[v]} {wording.VERDICT_WORDS[v].lower()}" for v in Verdict)
    return " ".join(f"{wording.VERDICT_SIGNS[v]}{by_verdict[v]}" for v in Verdict)


def _as_json(row: LedgerSummaryRow) -> dict[str, object]:
    return {
        "ledger_id": row.ledger_id,
        "session_id": row.session_id,
        "title": row.title,
        "query": row.query,
        "created_at": row.created_at,
        "judge": row.judge.name,
        "operating_point": row.judge.point,
        "total_claims": row.summary.total_claims,
        "by_verdict": {verdict.value: n for verdict, n in row.summary.by_verdict.items()},
        "evidence_coverage": row.summary.evidence_coverage,
    }
