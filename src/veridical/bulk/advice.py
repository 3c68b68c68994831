"""What a user should hear of a run that came out as probably nobody meant it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq

from veridical.bulk.failed import FAILED
from veridical.bulk.folder import FolderDocuments
from veridical.bulk.places import StrPath
from veridical.bulk.sources import documents_at
from veridical.bulk.summary import BulkSummary
from veridical.bulk.tables import Reason

_EXAMPLES = 2


def advice(summary: BulkSummary, output: StrPath, documents: StrPath) -> str:
    """One line, "" where there is nothing to say: of an input without rows, or of claims of which
    none has a document. Raises what `run` raises for documents that cannot be read.
    """
    if not summary.rows:
        return "the input has no rows"
    if summary.reasons.get(Reason.NO_DOCUMENT, 0) < summary.rows:
        return ""
    failed = pq.ParquetFile(Path(output) / FAILED).iter_batches(_EXAMPLES, columns=["document_id"])
    wanted = next(failed).column(0).to_pylist()
    return (
        f"no claim has a document: they name {_listed(wanted)}, and the documents are called "
        f"{_listed(_names(documents))}"
    )


def _names(documents: StrPath) -> list[str]:
    found = documents_at(documents)
    if isinstance(found, FolderDocuments):
        return [name for name, _ in islice(found.files(), _EXAMPLES)]
    first = next(iter(found.batches()), None)
    return [] if first is None else first["document_id"].slice(0, _EXAMPLES).to_pylist()


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "nothing"
