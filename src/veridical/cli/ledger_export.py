"""`veridical ledger export`: a ledger in a form to hand on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli import setup
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.files import check_outputs, write_whole
from veridical.cli.ledger_build import BY_SUFFIX, export_bytes
from veridical.cli.ledger_files import (
    DEFAULT_STORE,
    is_file,
    open_store,
    read_key,
    read_ledger_bytes,
    require_intact,
    reviews_of,
    store_files,
    store_url,
)
from veridical.cli.terminal import err, out_data
from veridical.errors import OutputError, StoreError
from veridical.ledger.export.forms import ExportForm

if TYPE_CHECKING:
    from veridical.store.ledgers import StoredLedger
    from veridical.store.store import Store


def run(
    source: str,
    *,
    form: str | None,
    output: Path | None,
    key_file: str | None,
    store: str | None,
    workspace: str,
    verbose: bool,
) -> None:
    """Export a ledger to a file or to standard output; of one from a database it keeps a note."""
    setup.set_up_logging(verbose=verbose)
    wanted = _form(form, output)
    outputs = [] if output is None else [output]
    database = store_files(store_url(store) or DEFAULT_STORE)
    check_outputs(outputs, [source, key_file, *database])
    key = read_key(key_file)
    if is_file(source):
        _write(_from_file(source, wanted, key), output)
        return
    with open_store(store) as opened:
        record = _as_saved(opened, source, workspace)
        reviews = reviews_of(opened, record.ledger, workspace)
        data = export_bytes(record.ledger, wanted, key, reviews, record.revision)
        _write(data, output)
        if output is not None:
            opened.record_export(
                record.ledger.id,
                workspace,
                format=wanted.value,
                sha256=hashlib.sha256(data).hexdigest(),
                path=output,
                revision=record.revision,
            )


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        out_data(data)
        return
    write_whole(output, data)
    err(f"Written: {output}")


def _as_saved(opened: Store, id: str, workspace: str) -> StoredLedger:
    """The ledger of an id. Raises StoreError where its rows were changed: a new seal would hide it.

    Whoever can write the database can also change the head of the seal that tells.
    """
    record = opened.load_record(id, workspace)
    if not record.is_as_saved:
        raise StoreError(
            f"The ledger {record.ledger.id} in the database is not what was saved: rows of it were "
            "changed, so it is not sealed anew. Restore the database from a copy, or build and "
            "save the ledger again."
        )
    return record


def _from_file(path: str, form: ExportForm, key: bytes | None) -> bytes:
    """A ledger file in a form: only one whose seal is intact; as JSON it stays as it is."""
    from veridical.ledger.wire import ledger_file_from_bytes

    file_bytes = read_ledger_bytes(path)
    file = ledger_file_from_bytes(file_bytes)
    require_intact(file_bytes, key, path)
    if form is ExportForm.JSON:
        return file_bytes
    return export_bytes(file.ledger, form, key, file.reviews, file.revision)


def _form(name: str | None, output: Path | None) -> ExportForm:
    if name is not None:
        form = parse_choice(ExportForm, name, option="--format")
    elif output is not None:
        form = suffix_choice(BY_SUFFIX, output)
    else:
        form = ExportForm.MARKDOWN
    if form is ExportForm.PDF and output is None:
        raise OutputError("a PDF is no text for a terminal: name a file with --output")
    return form
