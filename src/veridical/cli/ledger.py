"""The `veridical ledger` commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.errors import NEGATIVE_RESULT, reported, with_exit_code
from veridical.cli.ledger_citations import citations
from veridical.cli.ledger_evaluate import calibrate, evaluate
from veridical.cli.ledger_verify import verify
from veridical.cli.options import (
    calibrated_judge_choice,
    documents_option,
    format_option,
    outputs_option,
    store_option,
    verbose_option,
    workspace_option,
)

if TYPE_CHECKING:
    from veridical.cli.text_table import Look
    from veridical.ledger.entry import EvidenceLedger
    from veridical.ledger.review import Reviewed
    from veridical.store.ledgers import LedgerSummaryRow, StoredLedger

_ID_CHARS = 8
"""As much of an id as tells ledgers apart in practice; `ledger show` takes it."""


@click.group()
def ledger() -> None:
    """Check an answer against its sources, claim by claim, and keep the record.

    A ledger lists the claims of an answer, the verdict on each, and the words of the sources that
    it rests on. It carries a seal, and can be checked again without a network or a database.
    """


@ledger.command()
@click.option(
    "--response",
    required=True,
    metavar="ANSWER.md",
    help="The answer, in Markdown or plain text; - for standard input.",
)
@click.option(
    "--response-format",
    default="text",
    show_default=True,
    metavar="[text|anthropic]",
    help="What the file of the answer is: text, or a reply as JSON, whose citations are checked.",
)
@documents_option
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@click.option(
    "--title",
    default="",
    metavar="TEXT",
    help="How the ledger is called; by default the question, else the answer's first heading, else "
    "the name of its file.",
)
@calibrated_judge_choice
@click.option(
    "--store",
    metavar="URL",
    help="Also keep it in this database: a file, or postgresql://...; VERIDICAL_STORE. Without "
    "either it is not kept.",
)
@workspace_option
@outputs_option(
    "Write the ledger: .json (with the seal), .md, .html or .pdf. May be given several times."
)
@format_option("table", "json", "markdown", help="What is printed.")
@verbose_option
def build(**given: Any) -> None:
    """Build the ledger of an answer.

    Without a model, claims are found and judged by embedded means, offline. With --model a language
    model does both; what it says is believed only where its quotes stand in the sources.

    Exit code 0: all claims are supported. 1: some are not. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import ledger_build

        code = ledger_build.run(**given)
    raise click.exceptions.Exit(code)


@ledger.command()
@click.argument("source", metavar="LEDGER")
@click.option(
    "--format",
    "form",
    metavar="FORM",
    help="markdown, json, pdf or html; pack, annotated-pdf, web-annotations, text-fragments or "
    "anthropic. By default what the file's suffix says.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write it; standard output without. A folder for several annotated PDFs.",
)
@click.option(
    "--documents",
    multiple=True,
    metavar="DIR",
    help="The sources as they were. Forms that mark places in them need them; for others it is "
    "checked that the quoted words stand in them.",
)
@click.option(
    "--base-url", metavar="URL", help="Where the sources stand on the web, for links to them."
)
@click.option(
    "--with-sources", is_flag=True, help="Put the files of --documents into the pack as well."
)
@store_option
@workspace_option
@verbose_option
@with_exit_code
def export(**given: Any) -> None:
    """Export a ledger as a report, as an evidence pack, or what it cites for other programs.

    Markdown, JSON (with the seal), PDF and HTML hold the whole ledger. A pack is a zip of it with
    its report and tables. The other forms mark the quoted places.

    LEDGER is a ledger file (JSON), or the id of a ledger or session in the database. A file whose
    seal is broken is not exported.
    """
    from veridical.cli import ledger_export

    ledger_export.run(**given)


@ledger.command()
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
    from veridical.cli import ledger_files as ledgers
    from veridical.cli.ledger_table import render_claim
    from veridical.cli.terminal import out
    from veridical.errors import ValidationError
    from veridical.ledger.review import reviewed
    from veridical.ledger.wire import ledger_file_from_bytes

    if ledgers.is_file(source):
        ledgers.require_no_store(store, workspace)
        data = ledgers.read_ledger_bytes(source)
        file = ledger_file_from_bytes(data)
        made, reviews = file.ledger, file.reviews
        code = _tell_seal(data)
    else:
        with ledgers.open_store(store) as opened:
            record = opened.load_record(source, workspace)
            reviews = ledgers.reviews_of(opened, record.ledger, workspace)
        made, code = record.ledger, _tell_rows(record)
    found = reviewed(made, reviews)
    if claim is None:
        _show_all(made, found)
    elif 1 <= claim <= len(made.entries):
        out(render_claim(made, claim, found).rstrip("\n"))
    else:
        raise ValidationError(
            f"--claim {claim}: the ledger has {len(made.entries)} claims, numbered from 1"
        )
    return code


def _tell_seal(data: bytes) -> int:
    """Say what is wrong with the seal of a file, before anything of the file is shown."""
    from veridical.cli.ledger_files import broken
    from veridical.cli.terminal import warn
    from veridical.ledger.seal import check_seal

    check = check_seal(data)
    if not check.intact:
        warn(f"Seal: broken: {broken(check)}")
    return 0 if check.intact else NEGATIVE_RESULT


def _tell_rows(record: StoredLedger) -> int:
    """The same for a ledger of the database, which is kept without a seal but with its head."""
    from veridical.cli.terminal import warn

    if record.is_as_saved:
        return 0
    warn("Seal: broken: rows of it were changed in the database since")
    return NEGATIVE_RESULT


def _show_all(ledger: EvidenceLedger, found: Reviewed) -> None:
    from veridical.cli.ledger_table import render_ledger
    from veridical.cli.terminal import clean, out, warn
    from veridical.cli.text_table import Look

    out(clean(f"{ledger.title}  ({ledger.id}, {ledger.created_at})"))
    out(render_ledger(ledger, Look.of_standard_output(), found).rstrip("\n"))
    warn(*ledger.warnings)


@ledger.command("list")
@store_option
@workspace_option
@click.option("--limit", default=50, show_default=True, metavar="N", help="How many, newest first.")
@format_option("table", "json", help="What is printed.")
@verbose_option
@with_exit_code
def list_ledgers(store: str | None, workspace: str, limit: int, form: str) -> None:
    """List the ledgers of a database."""
    from veridical.cli.choices import TABLE_OR_JSON, Form, parse_choice
    from veridical.cli.ledger_files import open_store
    from veridical.cli.terminal import clean, out
    from veridical.errors import ValidationError
    from veridical.ledger.export.wording import supported_share
    from veridical.store.store import MOST_LISTED

    wanted = parse_choice(TABLE_OR_JSON, form)
    if not 1 <= limit <= MOST_LISTED:
        raise ValidationError(f"--limit must lie between 1 and {MOST_LISTED:,}, got {limit}")
    with open_store(store) as opened:
        rows = opened.list(workspace, limit=limit)
    if wanted is Form.JSON:
        out(json.dumps([_as_json(row) for row in rows], indent=2, ensure_ascii=False))
        return
    from rich.text import Text

    from veridical.cli.text_table import Look, TextTable

    headings = ("Ledger", "Created", "Claims", "Supported", "Point", "Title")
    look = Look.of_standard_output()
    table = TextTable(headings, look)
    for row in rows:
        counts, supported = _counts(row, look), supported_share(row.summary)
        cells = (row.ledger_id[:_ID_CHARS], row.created_at, counts, supported, row.judge.point)
        table.add_row(*map(Text, cells), Text(clean(row.title)))
    out(table.render().rstrip("\n"))


def _counts(row: LedgerSummaryRow, look: Look) -> str:
    """How many claims have which verdict, supported first."""
    from veridical.judging.verdict import Verdict
    from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS

    by_verdict = row.summary.by_verdict
    if look.ascii:
        return ", ".join(f"{by_verdict[v]} {VERDICT_WORDS[v].lower()}" for v in Verdict)
    return " ".join(f"{VERDICT_SIGNS[v]}{by_verdict[v]}" for v in Verdict)


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


ledger.add_command(calibrate)
ledger.add_command(citations)
ledger.add_command(evaluate)
ledger.add_command(verify)
