"""Peak memory of one piece of work in a process of its own: `python -m benchmarks.memory`.

The document, the modules and, for a validation, the embedding model are loaded first. Then freed
memory is given back to the system, the peak is reset, and what the work adds to the resident set
at its highest is printed, in bytes.
"""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import corpus

CASES = ("locate", "validate", "validate_evidence")


def measured(case: str, text: Path, claims: Path) -> int:
    """Bytes that `case` adds at its peak, measured in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.memory", case, str(text), str(claims)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


def main(case: str, text_file: str, claims_file: str) -> None:
    text = Path(text_file).read_bytes().decode()
    claims = json.loads(Path(claims_file).read_bytes())
    # The work is kept until the peak is read: its result is part of what it needs.
    work = _prepared(case, text, claims)
    _give_back()
    before = _reset_peak()
    result = work()
    print(_peak() - before)
    del result


def _prepared(case: str, text: str, claims: list[Any]) -> Callable[[], object]:
    if case == "locate":
        from benchmarks.rows import locate_quotes

        document = corpus.read(text)
        return lambda: locate_quotes(document, claims)
    from evidence_validator import validate_evidence
    from veridical import Validator, parse_claims
    from veridical.matching.embeddings import default_embedder

    default_embedder().embed(["a warm start"])
    _import_all_that_validation_needs()
    if case == "validate_evidence":
        return lambda: json.dumps(validate_evidence(text, {"claims": claims}))
    document = corpus.read(text)
    parsed = parse_claims({"claims": claims}, max_claims=len(claims))
    return lambda: Validator([document]).validate(parsed)


def _import_all_that_validation_needs() -> None:
    from evidence_validator import validate_evidence

    validate_evidence(
        "# A title\n\nSome words stand here. And some more stand there.",
        [
            {"id": "EV1", "task_id": "P1.T1", "quote": quote, "evidence_type": kind}
            for kind, quote in [("paraphrase", "words that stand here and there")]
        ],
    )


def _give_back() -> None:
    gc.collect()
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (OSError, AttributeError):  # another C library than glibc
            return


def _reset_peak() -> int:
    """Resident bytes now; the peak counts from here where the system allows it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return _status("VmRSS")
    except OSError:
        return _highest_ever()


def _peak() -> int:
    try:
        return _status("VmHWM")
    except OSError:
        return _highest_ever()


def _highest_ever() -> int:
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {field} in /proc/self/status")


if __name__ == "__main__":
    main(*sys.argv[1:])
