"""The `veridical bulk` commands."""

from __future__ import annotations

from typing import Any

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.options import config_option, together, usual_option, verbose_option

_documents_option = click.option(
    "--documents",
    required=True,
    metavar="DOCS",
    help="A folder (document_id is the path in it), or Parquet with document_id and text.",
)
_column_option = click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME=COLUMN",
    help="What a column is called in INPUT, such as quote=text. May be given several times.",
)
_workers_option = click.option(
    "--workers", type=int, metavar="N", help="Worker processes; by default one for each core."
)


_run_options = together(
    click.argument("claims", metavar="INPUT"),
    click.argument("output", metavar="OUTPUT"),
    _documents_option,
    usual_option(
        "--engine",
        "local",
        "[local|ray]",
        "Worker processes of this machine, or Ray (pip install 'veridical[ray]').",
    ),
    click.option("--address", metavar="URL", help="A Ray cluster; without it one is started here."),
    _workers_option,
    click.option("--resume", is_flag=True, help="Go on with a run that was broken off, in OUTPUT."),
    _column_option,
    usual_option(
        "--shard-rows", 5_000, "N", "About how many claims are one piece of work.", type=int
    ),
    usual_option(
        "--group-seconds",
        120.0,
        "S",
        "Longest time for one document with up to 500 of its claims.",
        type=float,
    ),
    usual_option("--memory", 4096, "MB", "Most memory of a worker; 0 for no bound.", type=int),
    verbose_option,
)


@click.group()
def bulk() -> None:
    """Check claims by the million: Parquet or JSONL in, Parquet out.

    Needs an extra: pip install 'veridical[bulk]'
    """


@bulk.command()
@_run_options
@config_option
@with_exit_code
def validate(claims: str, output: str, **given: Any) -> int:
    """Check quotes: a row is a claim, with claim_id, document_id and quote.

    INPUT is Parquet or JSONL: a file, a folder, a pattern or a URL; evidence_type is optional.
    OUTPUT becomes a folder of Parquet files (part-*.parquet), with failures.parquet for the rows
    that could not be checked, and summary.json.

    Exit code 0: all rows were checked, whatever came of it. 1: some could not be. 2: the run could
    not be made, or was broken off (go on with --resume).
    """
    from veridical.cli import bulk_run

    return bulk_run.run("validate", claims, output, bulk_run.Given(**given))


@bulk.command()
@_run_options
@with_exit_code
def judge(claims: str, output: str, **given: Any) -> int:
    """Judge statements: a row is a claim, with claim_id, document_id and claim.

    INPUT and OUTPUT are as in `bulk validate`; the verdict on each claim, and the words of its
    document that it rests on, are the ledger's, by the embedded judge.

    Exit code 0: all rows were checked, whatever came of it. 1: some could not be. 2: the run could
    not be made, or was broken off (go on with --resume).
    """
    from veridical.cli import bulk_run

    return bulk_run.run("judge", claims, output, bulk_run.Given(**given))


@bulk.command()
@click.argument("claims", metavar="INPUT")
@_documents_option
@usual_option("--task", "validate", "[validate|judge]", "What shall be done with the claims.")
@_workers_option
@_column_option
@config_option
@usual_option("--sample", 2_000, "N", "Claims that are checked for the estimate, about.", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print the estimate as JSON.")
@verbose_option
@with_exit_code
def plan(claims: str, task: str, sample: int, *, as_json: bool, **given: Any) -> None:
    """Estimate time, memory and room of a run, from a sample of it.

    INPUT is as in `bulk validate`. Nothing is written.
    """
    from veridical.cli import bulk_run

    bulk_run.plan(task, claims, bulk_run.Given(**given), sample, as_json=as_json)
