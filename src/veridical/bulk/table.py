"""Arrow tables in, Arrow tables out: for data that is in memory already. A plain loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from veridical.bulk.parting import Layout
from veridical.bulk.reading import batches_of
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import Lessons, ShardWorker, repeated_failures, texts_of
from veridical.bulk.sources import FolderDocuments, as_documents
from veridical.bulk.tables import CLAIMS, DOCUMENTS, FAILURES, RESULTS, as_table
from veridical.bulk.unit import BulkClaim


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """`results` as `tables.RESULTS` of the task, `failures` as `tables.FAILURES`, each by `row`,
    the place of the claim in what was given, from 0. Every row is in one of them.
    """

    results: pa.Table
    failures: pa.Table


def check_table(
    claims: pa.Table, documents: pa.Table | Path, settings: BulkSettings | None = None
) -> CheckedTable:
    """Check the claims of a table against documents: a table with `document_id` and `text`, or a
    folder. Works in this process, one document after another, without a limit of time.

    Raises ValidationError where a column is missing.
    """
    settings = settings or BulkSettings()
    folder = FolderDocuments(documents) if isinstance(documents, Path) else None
    worker = ShardWorker(settings, Layout(Path()), Path(), folder)
    read = list(batches_of(claims, settings))
    whole = pa.concat_tables([CLAIMS.empty_table(), *(batch.claims for batch in read)])
    lessons, texts = Lessons(), None
    if not isinstance(documents, Path):
        table = as_documents(documents, "the documents")
        lessons.documents |= repeated_failures(table["document_id"])
        texts = _texts(table)
    checked = worker.check(whole, texts, lessons, _no_mark)
    refused = [
        row for batch in read for row in zip(*batch.refused.to_pydict().values(), strict=True)
    ]
    return CheckedTable(
        as_table(sorted(checked.results), RESULTS[settings.task]),
        as_table(sorted([*refused, *checked.failures]), FAILURES),
    )


def _texts(documents: pa.Table) -> Iterator[tuple[str, str | None]]:
    return texts_of(iter(documents.select(DOCUMENTS.names).to_batches()))


def _no_mark(_stage: str, _claims: Sequence[BulkClaim]) -> None:
    """Nobody looks on."""
