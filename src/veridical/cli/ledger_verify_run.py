"""A ledger, or that of an evidence pack, against its documents as they are now.

A ledger of a database has no file whose seal could be checked. It is sealed as it comes out, and
the head of that seal must be the one that was kept when the ledger was saved: rows that were
changed since are found. Whoever can write the database can change that head too. Against that, note
the head elsewhere and give it with `--head`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from veridical.cli import setup
from veridical.cli.choices import parse_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import check_outputs, encode, read_bytes, write_whole
from veridical.cli.ledger_files import (
    DEFAULT_STORE,
    check_head,
    is_file,
    open_store,
    store_files,
    store_url,
)
from veridical.cli.run import load_what_is_left
from veridical.cli.terminal import clean, err, out, out_data
from veridical.errors import ConfigurationError
from veridical.ledger.export.pack import is_pack, read_pack
from veridical.ledger.export.pack_zip import MAX_PACK_BYTES
from veridical.ledger.verify import verify_ledger
from veridical.validation.config import ValidationConfig

_NO_HEAD = ""
"""What no seal has. A ledger that can be sealed was saved with its head."""


class VerificationFormat(StrEnum):
    """A form of the result."""

    TABLE = "table"
    JSON = "json"


def run(
    source: str,
    documents: Sequence[str],
    *,
    head: str | None,
    form: str,
    output: Path | None,
    store: str | None,
    workspace: str,
    verbose: bool,
) -> int:
    """Verify a ledger, print and write the result, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    wanted = parse_choice(VerificationFormat, form, option="--format")
    outputs = [] if output is None else [output]
    setup.check_inputs(documents, source)
    check_head(head)
    database = store_files(store_url(store) or DEFAULT_STORE)
    check_outputs(outputs, [source, *documents, *database])
    data = read_bytes(source, MAX_PACK_BYTES) if is_file(source) else None
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
    as_json = encode(json.dumps(result.to_dict(), indent=2, ensure_ascii=False) + "\n")
    if output is not None:
        write_whole(output, as_json)
        err(f"Written: {output}")
    if wanted is VerificationFormat.JSON:
        out_data(as_json)
    else:
        for line in result.to_lines():
            out(clean(line))
    if pack is not None:
        err("Of the pack, its ledger and evidence were checked; not its report and tables.")
    for failure in loaded.failures:
        err(f"veridical: warning: {clean(failure.message)}")
    return 0 if result.ok else NEGATIVE_RESULT


def _from_store(
    source: str, *, store: str | None, workspace: str, head: str | None
) -> tuple[bytes, str]:
    """A ledger of the database, sealed as it comes out, and the head that its seal must have."""
    with open_store(store) as opened:
        record = opened.load_record(source, workspace)
    from veridical.ledger.wire import ledger_to_bytes

    data = ledger_to_bytes(record.ledger)
    return data, (record.seal_head or _NO_HEAD) if head is None else head
