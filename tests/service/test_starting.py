"""The service starts at once: what only some requests and the jobs need is loaded by them."""

from __future__ import annotations

import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from veridical.cli.serve import ignore_missing_socks

LATER = (
    "numpy", "onnxruntime", "pypdfium2", "requests", "tokenizers", "typst",
    "wordllama", "veridical.answering.answerer", "veridical.evaluation",
    "veridical.judging.reader_judge", "veridical.ledger.build", "veridical.retrieval.corpus",
    "veridical.scoring", "veridical.speech", "veridical.validation.validator",
)  # fmt: skip
"""Packages and modules that take long to import, or bring what does."""

PROGRAM = """
import sys
from veridical.cli import serve
from veridical.service.app import create_app
from veridical.service.settings import ServiceSettings
create_app(ServiceSettings(database=sys.argv[1]))
late = sys.argv[2].split()
print(*(name for name in sys.modules if any(f"{name}.".startswith(f"{one}.") for one in late)))
"""


def test_nothing_is_loaded_that_a_start_does_not_need(tmp_path: Path) -> None:
    """With a new database, whose tables it makes."""
    arguments = [f"sqlite:///{tmp_path}/new.db", " ".join(LATER)]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert run.stdout.split() == []


INTERRUPTED = """
import runpy, sys

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "veridical.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
sys.argv = ["veridical", "--help"]
runpy.run_module("veridical", run_name="__main__")
"""


def test_ctrl_c_while_modules_are_imported_shows_no_traceback() -> None:
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (128 + signal.SIGINT, "")


@pytest.mark.filterwarnings("default")
def test_what_urllib3_lacks_is_not_told() -> None:
    with warnings.catch_warnings(record=True) as told:
        ignore_missing_socks()
        warnings.warn("SOCKS support in urllib3 requires … PySocks.", stacklevel=1)
        warnings.warn("something else", stacklevel=1)
    assert [str(one.message) for one in told] == ["something else"]
