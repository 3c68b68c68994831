"""`veridical ledger verify`: a ledger, or that of a pack, against its documents as they are now.

A ledger of a database has no file whose seal could be checked. It is sealed as it comes out, and
the head of that seal must be the one that was kept when the ledger was saved: rows that were
changed since are found. Whoever can write the database can change that head too. Against that, note
the head elsewhere and give it with `--head`.
"""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli import ledger_files as ledgers
from veridical.cli.choices import TABLE_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import check_inputs, check_outputs, json_bytes, read_bytes, write_all
from veridical.cli.options import format_option, store_option, verbose_option, workspace_option
from veridical.cli.places import Kind, expect
from veridical.cli.run import load_what_is_left
from veridical.cli.terminal import clean, err, out, out_data, warn
from veridical.errors import ConfigurationError
from veridical.ledger.export.pack import MAX_PACK_BYTES, is_pack, read_pack
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_to_bytes
from veridical.validation.config import ValidationConfig

_NO_HEAD = ""
"""What no seal has. A ledger that can be sealed was saved with its head."""


@click.command()
@click.argument("source", metavar="LEDGER")
@click.option(
    "--documents",
    multiple=True,
    metavar="DIR",
    help="The sources as they are now; not needed for a pack that holds them. May be given several "
    "times.",
)
@click.option(
    "--head",
    metavar="HASH",
    help="The head of the seal as it was noted: shows a ledger made anew.",
)
@format_option("table", "json", help="What is printed.")
@click.option("-o", "--output", metavar="FILE.json", help="Write the result to this file.")
@store_option
@workspace_option
@verbose_option
@with_exit_code
def verify(
    source: str,
    documents: tuple[str, ...],
    head: str | None,
    form: str,
    output: str | None,
    store: str | None,
    workspace: str,
) -> int:
    """Check a ledger again, against its documents as they are now.

    Says of each piece of evidence whether it held, moved, was altered or is orphaned, and of the
    ledger whether a byte of it was changed. LEDGER is a ledger file (JSON), an evidence pack (zip),
    whose ledger is checked, or an id in the database.

    Exit code 0: nothing was changed and all evidence still stands. 1: not so. 2: the run could not
    be made.
    """
    wanted = parse_choice(TABLE_OR_JSON, form)
    outputs = [Path(output)] if output else []
    check_inputs(documents, source)
    expect(("LEDGER", Kind.LEDGER, source), ("--documents", Kind.DOCUMENTS, documents))
    ledgers.check_head(head)
    database = ledgers.store_files(ledgers.store_url(store) or ledgers.DEFAULT_STORE)
    check_outputs(outputs, [source, *documents, *database])
    data = read_bytes(source, MAX_PACK_BYTES) if ledgers.is_file(source) else None
    pack = read_pack(data) if data is not None and is_pack(data) else None
    if not documents and not (pack and pack.source_files):
        what = "the pack has no sources in it" if pack else "a ledger is checked against them"
        raise ConfigurationError(f"give the sources with --documents: {what}")
    if pack is not None:
        data = pack.ledger_file
    elif data is None:
        data, head = _from_store(source, store=store, workspace=workspace, head=head)
    if pack is None or documents:
        loaded = load_what_is_left(documents, ValidationConfig())
    else:
        loaded = pack.sources()
    result = verify_ledger(data, loaded.documents, expected_head=head)
    as_json = json_bytes(result.to_dict())
    write_all((path, as_json) for path in outputs)
    if wanted is Form.JSON:
        out_data(as_json)
    else:
        for line in result.to_lines():
            out(clean(line))
    if pack is not None:
        err("Of the pack, its ledger and evidence were checked; not its report and tables.")
    warn(*(failure.message for failure in loaded.failures))
    return 0 if result.ok else NEGATIVE_RESULT


def _from_store(
    source: str, *, store: str | None, workspace: str, head: str | None
) -> tuple[bytes, str]:
    """A ledger of the database, sealed as it comes out, and the head that its seal must have."""
    with ledgers.open_store(store) as opened:
        record = opened.load_record(source, workspace)
    data = ledger_to_bytes(record.ledger)
    return data, (record.seal_head or _NO_HEAD) if head is None else head
