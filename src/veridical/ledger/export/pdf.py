"""The ledger as a PDF, typeset by typst in a process of its own.

The template is ours and fixed; everything else reaches it as JSON strings, which typst never reads
as markup. The process sees an empty folder and no packages, has a limit on time, and needs no
network.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veridical.errors import MissingExtraError, ProcessingError
from veridical.ledger.entry import EvidenceLedger, NewerVersion
from veridical.ledger.export.forms import Export
from veridical.ledger.export.pdf_data import left_out, template_data
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.page import asset

MAX_SECONDS = 120.0
"""Typesetting that takes longer is stopped."""

# The first that is installed sets the text; the others fill in what it lacks, in this order.
# Libertinus Serif is part of typst, so that there is always one.
_FONTS = (
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
    "DejaVu Sans",
    "Libertinus Serif",
    "Noto Sans Arabic",
    "Noto Naskh Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Lohit Devanagari",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans Symbols2",
    "Noto Color Emoji",
    "Apple Color Emoji",
    "Segoe UI Emoji",
)
_MONO = ("Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono")

_BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from veridical.ledger.export.pdf_worker import main; main()"
)
_KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "TMPDIR")


def export_pdf(
    ledger: EvidenceLedger,
    *,
    seal_head: str | None = None,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
    max_seconds: float = MAX_SECONDS,
) -> Export:
    """The ledger as a PDF, and warnings: scripts without a font, claims that were left out.

    The same ledger and the same fonts give the same bytes. The warnings stand on the cover, too.
    `seal_head` is the head of the ledger's hash chain, printed where it is given; `reviewed` what
    reviewers decided, printed beside the machine's verdicts; `newer` are sources that have another
    version since.

    Raises MissingExtraError where typst is not installed; ProcessingError where the PDF cannot be
    made, or not within `max_seconds`.
    """
    if find_spec("typst") is None:
        raise MissingExtraError("PDF export", "export")
    cut = left_out(ledger)
    notices = [cut] if cut else []
    request = {
        "template": asset(__package__, "template.typ"),
        "data": template_data(ledger, notices, seal_head, reviewed, newer),
        "fonts": _FONTS,
        "mono": _MONO,
        "timestamp": _seconds(ledger.created_at),
    }
    pdf, warnings = _typeset(request, max_seconds)
    return Export(pdf, (*notices, *warnings))


def _seconds(time: str) -> int:
    """A time of a ledger in seconds since 1970; 0 where it is none."""
    try:
        return max(0, int(datetime.fromisoformat(time).timestamp()))
    except (ValueError, OverflowError):
        return 0


def _typeset(request: Mapping[str, Any], max_seconds: float) -> tuple[bytes, list[str]]:
    path = [entry for entry in sys.path if Path(entry).is_absolute()]
    root = str(Path(__file__).absolute().parents[3])
    command = [sys.executable, "-I", "-S", "-c", _BOOTSTRAP, json.dumps([root, *path])]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(request).encode("ascii"),
            capture_output=True,
            timeout=max_seconds,
            env={key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ProcessingError(
            f"The PDF was not finished within {max_seconds:g} seconds. Export the ledger as HTML, "
            "or check the answer in parts."
        ) from None
    except OSError as error:
        raise ProcessingError(
            f"The process that makes the PDF could not be started ({error.strerror or error})."
        ) from error
    head, _, pdf = done.stdout.partition(b"\n")
    if done.returncode or not pdf.startswith(b"%PDF-"):
        raise ProcessingError(
            f"The PDF could not be made (exit code {done.returncode}); it may have needed too much "
            "memory. Export the ledger as HTML, or check the answer in parts."
        )
    return pdf, [str(warning) for warning in json.loads(head)["warnings"]]
