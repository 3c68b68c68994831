"""Scorecards as a user names them: files, folders of files, or standard input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from veridical.cli.files import STANDARD_INPUT, read_bytes, shown
from veridical.errors import ValidationError
from veridical.scoring.scorecard import Scorecard
from veridical.scoring.wire import MAX_FILE_BYTES, scorecard_from_bytes

MAX_CARDS = 10_000
"""Scorecards that are read at once."""


def read_scorecard(path: str) -> Scorecard:
    """The scorecard in a file, or in standard input for `-`.

    Raises ValidationError that names the file and says what is wrong.
    """
    data = read_bytes(path, MAX_FILE_BYTES)
    try:
        return scorecard_from_bytes(data)
    except ValidationError as problem:
        raise ValidationError(f"{shown(path)}: {problem}", problem.details) from None


def read_scorecards(paths: Sequence[str]) -> list[Scorecard]:
    """The scorecards in files, and in the `.json` files of folders, in order of their names.

    Raises ValidationError as `read_scorecard`, and for a folder without any.
    """
    files = list(dict.fromkeys(file for path in paths for file in _files(path)))
    if len(files) > MAX_CARDS:
        raise ValidationError(f"there are {len(files):,} scorecards; at most {MAX_CARDS:,} go")
    return [read_scorecard(file) for file in files]


def _files(path: str) -> Iterator[str]:
    folder = Path(path)
    if path == STANDARD_INPUT or not folder.is_dir():
        yield path
        return
    found = sorted(str(file) for file in folder.glob("*.json") if file.is_file())
    if not found:
        raise ValidationError(f"{path}: there is no scorecard (*.json) in this folder")
    yield from found
