"""Arrow tables in, Arrow tables out: for data that is in memory already. A plain loop."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from veridical.bulk.cutting import Layout
from veridical.bulk.documents import FolderDocuments, as_documents
from veridical.bulk.places import StrPath
from veridical.bulk.reading import batches_of
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import Lessons, ShardWorker, no_mark, repeated_failures, texts_of
from veridical.bulk.tables import CLAIMS, DOCUMENTS, FAILURES, RESULTS, as_table
from veridical.errors import ValidationError


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """`results` as `tables.RESULTS` of the task, `failures` as `tables.FAILURES`, each by `row`,
    the place of the claim in what was given, from 0. Every row is in one of them.
    """

    results: pa.Table
    failures: pa.Table


def check_table(
    claims: pa.Table, documents: pa.Table | StrPath, settings: BulkSettings | None = None
) -> CheckedTable:
    """Check the claims of a table against documents: a table with `document_id` and `text`, or a
    folder. Works in this process, one document after another, without a limit of time.

    Raises ValidationError where a column is missing or of no right type, or a folder is not there.
    """
    settings = settings or BulkSettings()
    folder = None if isinstance(documents, pa.Table) else _folder(documents)
    worker = ShardWorker(settings, Layout(Path()), Path(), folder)
    read = list(batches_of(claims, settings))
    whole = pa.concat_tables([CLAIMS.empty_table(), *(batch.claims for batch in read)])
    lessons, texts = Lessons(), None
    if isinstance(documents, pa.Table):
        table = as_documents(documents, "the documents")
        lessons.documents |= repeated_failures(table["document_id"])
        texts = texts_of(table.select(DOCUMENTS.names).to_batches())
    checked = worker.check(whole, texts, lessons, no_mark)
    refused = [
        row for batch in read for row in zip(*batch.refused.to_pydict().values(), strict=True)
    ]
    return CheckedTable(
        as_table(sorted(checked.results), RESULTS[settings.task]),
        as_table(sorted([*refused, *checked.failures]), FAILURES),
    )


def _folder(given: StrPath) -> FolderDocuments:
    if not isinstance(given, str | os.PathLike):
        raise ValidationError(
            f"Documents are a table of pyarrow or a folder, not {type(given).__name__}."
        )
    folder = Path(given)
    if not folder.is_dir():
        raise ValidationError(f"{folder}: there is no such folder of documents.")
    return FolderDocuments.at(folder)
