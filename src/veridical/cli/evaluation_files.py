"""Results of evaluation runs, as a user names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.cli.files import read_bytes, shown

if TYPE_CHECKING:
    from veridical.evaluation.run import EvalRun


def read_results(path: str) -> EvalRun:
    """The run in a results file, or in standard input for `-`.

    Raises ValidationError that names the file and says what is wrong.
    """
    from veridical.evaluation.results import MAX_FILE_BYTES, run_from_bytes

    return run_from_bytes(read_bytes(path, MAX_FILE_BYTES), name=shown(path))
