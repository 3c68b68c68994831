"""Claims by the million: the same checks as a job over Parquet or JSONL.

`run` works on files, on one machine; `check_table` on Arrow tables, in this process. Both do the
same for the claims of each document (`unit.DocumentChecker`).
"""

from veridical.errors import MissingExtraError

try:
    import fsspec  # noqa: F401
    import pyarrow as pa  # noqa: F401
except ImportError as error:
    raise MissingExtraError("Bulk work", "bulk") from error

from veridical.bulk.local import State, run
from veridical.bulk.settings import BulkSettings, Columns
from veridical.bulk.summary import BulkSummary
from veridical.bulk.table import CheckedTable, check_table
from veridical.bulk.tables import Task

__all__ = [
    "BulkSettings",
    "BulkSummary",
    "CheckedTable",
    "Columns",
    "State",
    "Task",
    "check_table",
    "run",
]
