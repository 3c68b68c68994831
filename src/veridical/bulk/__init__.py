"""Claims by the million: the same checks as a job over Parquet or JSONL.

`run` works on files, on one machine, `run_on_ray` on several, `check_table` on Arrow tables, in
this process. All do the same for the claims of each document (`shard.DocumentChecker`). `plan`
tells what a run would take.
"""

from veridical.errors import MissingExtraError

try:
    import fsspec  # noqa: F401
    import pyarrow as pa  # noqa: F401
except ImportError as error:
    raise MissingExtraError("Bulk work", "bulk") from error

from veridical.bulk.cutting import State
from veridical.bulk.local import CheckedTable, check_table, run
from veridical.bulk.planning import BulkPlan, plan
from veridical.bulk.ray_engine import run_on_ray
from veridical.bulk.settings import BulkSettings, Columns
from veridical.bulk.summary import BulkSummary
from veridical.bulk.tables import Task

__all__ = [
    "BulkPlan",
    "BulkSettings",
    "BulkSummary",
    "CheckedTable",
    "Columns",
    "State",
    "Task",
    "check_table",
    "plan",
    "run",
    "run_on_ray",
]
