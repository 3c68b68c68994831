"""Running the command lines as a user does: as a process, or in this one where that is enough."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from veridical.cli.main import app

QUOTE = "Full-time staff are entitled to twenty-five days of leave"
POLICY = f"""# Leave

{QUOTE} a year.

## Carrying over

Up to five days may be carried over. The line manager answers in writing.

{"What is left is paid out. " * 12}

## Study leave

The line manager answers in writing.
"""

TRUE = {"id": "EV1", "task_id": "P1.T1", "quote": QUOTE, "evidence_type": "direct_quote"}
FALSE = {**TRUE, "id": "EV2", "quote": "Dogs may be brought to the office on Fridays"}
TWICE = {**TRUE, "id": "EV3", "quote": "The line manager answers in writing"}
NEARLY = {**TRUE, "id": "EV4", "quote": QUOTE.replace("entitled", "accustomed")}


def run(
    *arguments: str | Path,
    module: str = "veridical",
    stdin: bytes = b"",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    return subprocess.run(
        command(*arguments, module=module),
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )


def command(*arguments: str | Path, module: str = "veridical") -> list[str]:
    return [sys.executable, "-m", module, *map(str, arguments)]


def invoke(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    """Run the `veridical` command in this process."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)


def write_claims(path: Path, claims: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text(json.dumps({"claims": list(claims)}), encoding="utf-8")
    return path


def complaint(stderr: bytes | str) -> str:
    """The one line that a failed run prints: no traceback, and it says who speaks."""
    text = stderr.decode() if isinstance(stderr, bytes) else stderr
    assert "Traceback" not in text
    assert "unexpected" not in text
    lines = text.strip().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("veridical: ")
    return lines[0]


def shell(*arguments: str, tail: str) -> subprocess.CompletedProcess[bytes]:
    """Run `veridical` in a shell, with what follows it there."""
    line = f"{shlex.join(command(*arguments))} {tail}"
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        timeout=120,
        check=False,
    )
