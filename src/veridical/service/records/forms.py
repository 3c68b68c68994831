"""Results as they are kept with a record, and back: what pages and exports are made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical.ledger.canonical import compact_bytes

if TYPE_CHECKING:
    from veridical.evaluation.run import EvalRun


def run_to_wire(run: EvalRun) -> dict[str, Any]:
    """A run as one object: `run`, the first line of its file, and `results`, the other lines."""
    from veridical.evaluation.results import run_to_bytes

    head, *results = map(json.loads, run_to_bytes(run).splitlines())
    return {"run": head, "results": results}


def run_from_wire(result: Mapping[str, Any]) -> EvalRun:
    """The run that `run_to_wire` was given. ValidationError for anything else."""
    from veridical.evaluation.results import run_from_bytes

    return run_from_bytes(run_lines(result))


def run_lines(result: Mapping[str, Any]) -> bytes:
    """The run as the JSON Lines that `veridical eval` reads."""
    lines = (result["run"], *result["results"])
    return b"".join(compact_bytes(line) + b"\n" for line in lines)
