"""A rubric as a user names it: a file, a shipped one, or standard input."""

from __future__ import annotations

import sys

from veridical.cli.files import STANDARD_INPUT
from veridical.errors import ValidationError
from veridical.scoring.rubrics.file import MAX_FILE_BYTES, read_rubric_file


def read_rubric(rubric: str) -> tuple[bytes, str]:
    """The bytes of a rubric, of standard input for `-`, and the name to call it by.

    Raises ValidationError where it cannot be read.
    """
    if rubric != STANDARD_INPUT:
        return read_rubric_file(rubric)
    try:
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "standard input"
    except (OSError, ValueError, AttributeError) as problem:
        raise ValidationError("rubric: cannot read standard input: it is closed") from problem
