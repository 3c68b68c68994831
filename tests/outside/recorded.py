"""What users see, recorded in files: a change of it is seen in review, or it is a mistake.

`RECORD=1 python -m pytest -n 0 --no-cov tests/outside` records anew what is meant to change.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from veridical import __version__

FOLDER = Path(__file__).parent / "recorded"
KERNELS = FOLDER / "kernels.json"
"""The processor that each record was made on. The kernels that read a claim round otherwise on one
of another kind, and a probability beside a threshold falls to its other side."""

MOST_LINES = 12
"""On the other kind so many lines of a record may differ: at most 10 were seen."""

MOST_CHARS = 14_000
"""Longer texts are recorded as their length and SHA-256."""

_SHAPES = (
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC|[+-]\d\d:?\d\d)?", "<time>"),
    (r"\bvrd_\w{30,}", "<secret>"),
    (r'(?<="claims": )"[0-9a-f]{64}"|(?<="documents": )"[0-9a-f]{64}"', '"<hash>"'),
    (r"rows in [\d.,]+ s\b(?:, [\d.,]+ a second)?", "rows in <duration>"),
    (r"about [\d.,]+ (?:s|ms|[KMG]?B)\b|\d+ B more", "about <amount>"),
    (r'(?<=seconds": )[\d.]+', "<duration>"),
)
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_LONG_FRACTION = re.compile(r"\b\d+\.\d{3,}\b")


def normalised(text: str, hidden: Sequence[tuple[str, str]] = ()) -> str:
    """Without what changes from run to run: times, secrets, the version, and what is `hidden`.

    Ids become their order of appearance, and long fractions are rounded, since the kernels that
    read a claim differ in the last digits from processor to processor.
    """
    for what, shown in (*hidden, (f"{__version__}", "<version>")):
        text = text.replace(what, shown)
    for shape, shown in _SHAPES:
        text = re.sub(shape, shown, text)
    ids: dict[str, str] = {}
    text = _ID.sub(lambda found: ids.setdefault(found[0], f"<id {len(ids) + 1}>"), text)
    return _LONG_FRACTION.sub(lambda found: f"{float(found[0]):.1f}", text)


def shown(name: str, content: bytes) -> str:
    """A file as text: of an archive its names, of a table its rows, of bytes only how many."""
    if name.endswith(".zip"):
        return "\n".join(zipfile.ZipFile(BytesIO(content)).namelist())
    if name.endswith(".parquet"):
        rows = pq.read_table(BytesIO(content)).to_pylist()
        return "\n".join(json.dumps(row, default=str, ensure_ascii=False) for row in rows)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return "(bytes)"


def brief(text: str) -> str:
    """The text, or of a long one its length and hash."""
    if len(text) <= MOST_CHARS:
        return text
    return f"({len(text)} characters, SHA-256 {hashlib.sha256(text.encode()).hexdigest()})"


def as_json(value: Any) -> str:
    """JSON that people can compare."""
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)


def kernels() -> str:
    """The kind of the processor, as far as answers hang on it; told on Linux only."""
    about = Path("/proc/cpuinfo")
    fast = not about.is_file() or "avx512" in about.read_text("utf-8", "replace")
    return "avx512" if fast else "avx2"


def compare(name: str, now: str) -> None:
    """Hold what is seen now to the record of that name, or record it.

    Raises AssertionError, with the differing lines, where it differs or was never recorded.
    """
    path = FOLDER / name
    if os.environ.get("RECORD"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(now.encode())
        made = {**json.loads(KERNELS.read_text()), name: kernels()}
        KERNELS.write_text(as_json(made) + "\n")
        return
    assert path.is_file(), f"{name} was never recorded: run this test with RECORD=1"
    record = path.read_bytes().decode()
    if now == record or (
        kernels() != json.loads(KERNELS.read_text())[name] and is_near(record, now)
    ):
        return
    lines = difflib.unified_diff(
        record.splitlines(), now.splitlines(), "recorded", "now", "", "", 2
    )
    raise AssertionError(f"{name}: RECORD=1 records it anew\n" + "\n".join([*lines][:80]))


def is_near(record: str, now: str) -> bool:
    """Whether no more differs than another processor makes."""
    recorded, lines = record.splitlines(), now.splitlines()
    same = difflib.SequenceMatcher(None, recorded, lines, autojunk=False).get_matching_blocks()
    longest = max(len(recorded), len(lines))
    return longest - sum(block.size for block in same) <= MOST_LINES
