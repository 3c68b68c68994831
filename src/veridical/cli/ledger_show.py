"""`veridical ledger show` and `veridical ledger list`."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.cli import setup
from veridical.cli.choices import parse_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.ledger_files import (
    broken,
    is_file,
    open_store,
    read_ledger_bytes,
    reviews_of,
)
from veridical.cli.ledger_table import render_claim, render_ledger
from veridical.cli.terminal import clean, err, out
from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS, share
from veridical.ledger.review import Reviewed, reviewed
from veridical.ledger.seal import check_seal
from veridical.ledger.wire import ledger_file_from_bytes

if TYPE_CHECKING:
    from veridical.cli.text_table import Look
    from veridical.ledger.entry import EvidenceLedger
    from veridical.store.ledgers import LedgerSummaryRow, StoredLedger

_ID_CHARS = 8
"""As much of an id as tells ledgers apart in practice; `ledger show` takes it."""


class ListFormat(StrEnum):
    """A form of a list."""

    TABLE = "table"
    JSON = "json"


def show(
    source: str,
    *,
    claim: int | None,
    store: str | None,
    workspace: str,
    verbose: bool,
) -> int:
    """Print a ledger, or one of its claims; the exit code is 1 where its seal is broken."""
    setup.set_up_logging(verbose=verbose)
    if is_file(source):
        data = read_ledger_bytes(source)
        file = ledger_file_from_bytes(data)
        ledger, reviews = file.ledger, file.reviews
        code = _tell_seal(data)
    else:
        with open_store(store) as opened:
            record = opened.load_record(source, workspace)
            reviews = reviews_of(opened, record.ledger, workspace)
        ledger, code = record.ledger, _tell_rows(record)
    found = reviewed(ledger, reviews)
    if claim is None:
        _show_all(ledger, found)
    elif 1 <= claim <= len(ledger.entries):
        out(render_claim(ledger, claim, found).rstrip("\n"))
    else:
        raise ValidationError(
            f"--claim {claim}: the ledger has {len(ledger.entries)} claims, numbered from 1"
        )
    return code


def _tell_seal(data: bytes) -> int:
    """Say what is wrong with the seal of a file, before anything of the file is shown."""
    check = check_seal(data)
    if not check.intact:
        err(f"veridical: warning: Seal: broken: {clean(broken(check))}")
    return 0 if check.intact else NEGATIVE_RESULT


def _tell_rows(record: StoredLedger) -> int:
    """The same for a ledger of the database, which is kept without a seal but with its head."""
    if record.is_as_saved:
        return 0
    err("veridical: warning: Seal: broken: rows of it were changed in the database since")
    return NEGATIVE_RESULT


def _show_all(ledger: EvidenceLedger, found: Reviewed) -> None:
    from veridical.cli.text_table import Look

    out(clean(f"{ledger.title}  ({ledger.id}, {ledger.created_at})"))
    out(render_ledger(ledger, Look.of_standard_output(), found).rstrip("\n"))
    for warning in ledger.warnings:
        err(f"veridical: warning: {clean(warning)}")


def list_ledgers(
    *, store: str | None, workspace: str, limit: int, form: str, verbose: bool
) -> None:
    """Print the ledgers of a database, the newest first."""
    setup.set_up_logging(verbose=verbose)
    wanted = parse_choice(ListFormat, form, option="--format")
    from veridical.store.store import MOST_LISTED

    if not 1 <= limit <= MOST_LISTED:
        raise ValidationError(f"--limit must lie between 1 and {MOST_LISTED:,}, got {limit}")
    with open_store(store) as opened:
        rows = opened.list(workspace, limit=limit)
    if wanted is ListFormat.JSON:
        out(json.dumps([_as_json(row) for row in rows], indent=2, ensure_ascii=False))
        return
    from rich.text import Text

    from veridical.cli.text_table import Look, TextTable

    headings = ("Ledger", "Created", "Claims", "Coverage", "Point", "Title")
    look = Look.of_standard_output()
    table = TextTable(headings, look)
    for row in rows:
        counts, coverage = _counts(row, look), share(row.summary.evidence_coverage)
        cells = (row.ledger_id[:_ID_CHARS], row.created_at, counts, coverage, row.judge.point)
        table.add_row(*map(Text, cells), Text(clean(row.title)))
    out(table.render().rstrip("\n"))


def _counts(row: LedgerSummaryRow, look: Look) -> str:
    """How many claims have which verdict, supported first."""
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
