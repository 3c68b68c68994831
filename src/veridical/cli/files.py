"""What comes in and goes out: read and written whole or not at all, with errors that say where."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.errors import ConfigurationError, OutputError, ValidationError, VeridicalError

if TYPE_CHECKING:
    from veridical.scoring.scorecard import Scorecard

# A rubric as a user names it: a file, a shipped one, or standard input; and scorecards.


def read_rubric(rubric: str) -> tuple[bytes, str]:
    """The bytes of a rubric, of standard input for `-`, and the name to call it by.

    Raises ValidationError where it cannot be read.
    """
    from veridical.scoring.rubrics.file import MAX_FILE_BYTES, read_rubric_file

    if rubric != STANDARD_INPUT:
        return read_rubric_file(rubric)
    try:
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "standard input"
    except (OSError, ValueError, AttributeError) as problem:
        raise ValidationError("rubric: cannot read standard input: it is closed") from problem


def read_scorecard(path: str) -> Scorecard:
    """The scorecard in a file, or in standard input for `-`.

    Raises ValidationError that names the file and says what is wrong.
    """
    from veridical.scoring.wire import MAX_FILE_BYTES, scorecard_from_bytes

    data = read_bytes(path, MAX_FILE_BYTES)
    try:
        return scorecard_from_bytes(data)
    except ValidationError as problem:
        raise ValidationError(f"{shown(path)}: {problem}", problem.details) from None


def read_scorecards(paths: Sequence[str]) -> list[Scorecard]:
    """The scorecards in files, and in the `.json` files of folders, in order of their names.

    Raises ValidationError as `read_scorecard`, and for a folder without any.
    """
    files = list(dict.fromkeys(file for path in paths for file in _scorecards(path)))
    if len(files) > MAX_CARDS:
        raise ValidationError(f"there are {len(files):,} scorecards; at most {MAX_CARDS:,} go")
    return [read_scorecard(file) for file in files]


def _scorecards(path: str) -> Sequence[str]:
    folder = Path(path)
    if path == STANDARD_INPUT or not folder.is_dir():
        return [path]
    found = sorted(str(file) for file in folder.glob("*.json") if file.is_file())
    if not found:
        raise ValidationError(f"{path}: there is no scorecard (*.json) in this folder")
    return found


MAX_CARDS = 10_000
"""Scorecards that are read at once."""

MAX_JSON_BYTES = 64 * 1024 * 1024
STANDARD_INPUT = "-"

_MOST_DIGITS = 300
"""More digits than any number in our files can need."""


def read_json(path: str, *, what: str) -> Any:
    """The JSON of a file, or of standard input for `-`. `what` names it in errors.

    Raises ValidationError, or ConfigurationError where `what` is the configuration, that names the
    line and the column.
    """
    error: type[VeridicalError] = ConfigurationError if what == "configuration" else ValidationError
    data = _read_whole(path, what, error)
    try:
        return _parse(data)
    except _NotUsable as problem:
        raise error(f"{what}: {shown(path)} is {problem}") from problem


def read_text(path: str, *, what: str) -> str:
    """The text of a file, or of standard input for `-`. `what` names it in errors.

    Raises ValidationError that says what is wrong.
    """
    from veridical.sources.sniff import instead_of_text

    data = _read_whole(path, what, ValidationError)
    if other := instead_of_text(data, path):
        raise ValidationError(f"{what}: {shown(path)} is {other}")
    try:
        return _decoded(data)
    except _NotUsable as problem:
        raise ValidationError(f"{what}: {shown(path)} is {problem}") from problem


def read_bytes(path: str, most: int = MAX_JSON_BYTES) -> bytes:
    """The bytes of a file, or of standard input for `-`, exactly, if they are at most `most`.

    Raises ValidationError that names the file.
    """
    data = _read(path, most)
    if len(data) > most:
        raise ValidationError(f"{shown(path)} is larger than {most // 1024 // 1024} MB")
    return data


def shown(path: str) -> str:
    """The name of an input in messages."""
    return "standard input" if path == STANDARD_INPUT else path


def _read_whole(path: str, what: str, error: type[VeridicalError]) -> bytes:
    try:
        data = _read(path, MAX_JSON_BYTES)
    except ValidationError as problem:
        raise error(f"{what}: {problem}") from problem
    if len(data) > MAX_JSON_BYTES:
        most = MAX_JSON_BYTES // 1024 // 1024
        raise error(f"{what}: {shown(path)} is larger than {most} MB; split it")
    return data


class _NotUsable(Exception):
    """Bytes that are not text, or not JSON; the message says why and where."""


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise _NotUsable(
            f"not UTF-8: byte 0x{data[problem.start]:02x} at offset {problem.start}. "
            "Save it as UTF-8."
        ) from problem


def _parse(data: bytes) -> Any:
    from veridical.sources.sniff import no_text

    if kind := no_text(data):
        raise _NotUsable(f"{kind}, not JSON")
    text = _decoded(data)
    if not text.strip():
        raise _NotUsable("empty; it must hold JSON")

    def bad(token: str, reason: str) -> _NotUsable:
        shown = token[:20] + "\u2026" * (len(token) > 20)
        return _NotUsable(f"not valid JSON: {_place(token, text)}: {shown} {reason}")

    def no_number(token: str) -> None:
        raise bad(token, "is not a JSON number")

    def finite(token: str) -> float:
        value = float(token)
        if math.isinf(value):
            raise bad(token, "is too large a number")
        return value

    def whole(token: str) -> int:
        if len(token) > _MOST_DIGITS:
            raise bad(token, "is too large a number")
        return int(token)

    try:
        return json.loads(text, parse_constant=no_number, parse_float=finite, parse_int=whole)
    except json.JSONDecodeError as problem:
        raise _NotUsable(
            f"not valid JSON: line {problem.lineno}, column {problem.colno}: {problem.msg}"
        ) from problem
    except RecursionError as problem:
        raise _NotUsable("not usable: it is nested too deeply") from problem


def _place(token: str, text: str) -> str:
    """Line and column of a token, which is not looked for in strings."""
    tokens = re.finditer(r'"(?:[^"\\]|\\.)*+"|' + re.escape(token), text)
    at = next((found.start() for found in tokens if found[0] == token), 0)
    before = text[:at]
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _read(path: str, most: int) -> bytes:
    """What is in a file, and where that is more than `most` bytes, one byte more.

    Raises ValidationError that names the file.
    """
    try:
        if path == STANDARD_INPUT:
            return sys.stdin.buffer.read(most + 1)
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError, AttributeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is closed"
        raise ValidationError(f"cannot read {shown(path)}: {reason}. Check the path.") from problem


def check_outputs(outputs: Sequence[Path], inputs: Sequence[str | None]) -> None:
    """Raises OutputError before any work is done if a file cannot be written, is named twice, or is
    one of the inputs: files, and folders of documents. None stands for an input that is not given.
    """
    sources = [name for name in inputs if name is not None and name != STANDARD_INPUT]
    places = [_real(path) for path in outputs]
    for path, place in zip(outputs, places, strict=True):
        if places.count(place) > 1:
            raise OutputError(f"cannot write {path}: it is named twice")
        if any(_is_read(place, _real(name)) for name in sources):
            raise OutputError(f"cannot write {path}: it is an input of this run; name another file")
        check_writable(path)


def is_document_of(output: Path, folder: str) -> bool:
    """Whether a file at `output` is, or would be, a document of that folder."""
    from veridical.sources.sniff import SUFFIXES

    place, source = _real(output), _real(folder)
    return source.is_dir() and place.suffix.lower() in SUFFIXES and place.is_relative_to(source)


def _is_read(place: Path, source: Path) -> bool:
    """Whether an input, a file or a folder of documents, holds what is now at `place`."""
    if source.is_dir():
        return place.is_file() and is_document_of(place, str(source))
    # A device or a pipe may be both read and written.
    return place == source and (place.is_file() or not place.exists())


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def check_writable(path: Path) -> None:
    """Raises OutputError now, before any work is done, if `path` could not be written."""
    try:
        reason = _hindrance(path)
    except OSError as problem:
        reason = str(problem.strerror or problem)
    if reason:
        raise OutputError(f"cannot write {path}: {reason}")


def _hindrance(path: Path) -> str:
    """Why a file cannot be written, as far as can be told before trying; empty if it can."""
    if str(path) == STANDARD_INPUT:
        return "name a file; without --output the report goes to standard output"
    if path.is_dir():
        return "it is a folder; name a file"
    if path.exists() and not path.is_file():
        return "" if os.access(path, os.W_OK) else "no permission"
    folder = Path(os.path.realpath(path)).parent
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not existing.is_dir():
        return f"{existing} is not a folder"
    if not os.access(existing, os.W_OK):
        return f"no permission to write in {existing}"
    if path.exists() and not os.access(path, os.W_OK):
        return "the file is read-only"
    return ""


def require_regular_files(paths: Iterable[Path]) -> None:
    """Raise ValidationError for what is no file: a named pipe would be waited for without end.

    Folders are none of them, nor what does not exist, which is told where it is read.
    """
    for path in paths:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise ValidationError(
                f"{shown(str(path))}: not a regular file but a pipe, a device or the like, which "
                "is not waited for. Write what it gives to a file, and name that."
            )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once: readers see the old file or the new one, never a part.

    Folders on the way are made, a link is followed, and a device or a pipe is written to as it is.
    Raises OutputError.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as problem:
        raise OutputError(f"cannot write {path}: {problem.strerror or problem}") from problem


def write_all(made: Iterable[tuple[Path, bytes]]) -> None:
    """Write several files, each whole, and say so. All of them were made before the first is
    written: either all of them are there afterwards or none. Raises OutputError.
    """
    from veridical.cli.terminal import err

    for path, data in made:
        write_whole(path, data)
        err(f"Written: {path}")


def _replace(path: Path, data: bytes) -> None:
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".veridical-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def json_bytes(data: object) -> bytes:
    """Data as the bytes of a JSON file, ending in a line feed."""
    return encode(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def encode(text: str) -> bytes:
    """A report as the bytes of a file: UTF-8, with half a surrogate pair written as its escape."""
    return text.encode("utf-8", "backslashreplace")


def set_up_logging(*, verbose: bool) -> None:
    """Log to standard error, with `verbose` all that Veridical has to say.

    Otherwise only errors: what a user must know, the commands say themselves. Other libraries stay
    at warnings: what they log is not ours to vouch for.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("veridical").setLevel(logging.DEBUG if verbose else logging.ERROR)


def check_inputs(sources: Sequence[str], *files: str | None) -> None:
    """Raises ValidationError where a source has an empty name, which would be the current folder,
    and where standard input is asked for more than one thing.
    """
    if "" in sources:
        raise ValidationError(
            "the name of a source is empty, as that of a variable that is not set. Name a file or "
            "a folder."
        )
    if [*dict.fromkeys(sources), *files].count(STANDARD_INPUT) > 1:
        raise ValidationError(
            "standard input (-) can be read for one thing only; give the others as files"
        )
