"""A recording becomes a transcript, a piece at a time; pieces that are done outlive a stop."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from veridical.errors import DocumentParsingError, OutputError
from veridical.transcription.recognisers import Heard, Recogniser
from veridical.transcription.sound import RATE, Recording, quietest

PIECE_SECONDS = 300.0
_CUT_WITHIN_SECONDS = 20.0
_MISSING_SECONDS = 5.0
"""A sound track may be a little shorter than its video."""

_SILENCE = 33
"""The loudest sample of a piece in which nothing can be heard, of 32,768: 60 dB below full scale.
Recognisers are known to invent words in silence, so they are not asked."""

_MOST_KEY_BYTES = 4096
_MAX_PARTIAL_BYTES = 256 * 1024 * 1024

OnPiece: TypeAlias = Callable[[float, "float | None"], None]
"""Told how many seconds are done, and of how many where that is known."""


@dataclass(frozen=True, slots=True)
class Transcribed:
    """The data of a transcript file, in the form of OpenAI's `verbose_json`, and what to tell."""

    data: dict[str, Any]
    warnings: tuple[str, ...]
    resumed_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece that is done: from `start` to `end` seconds of the recording."""

    start: float
    end: float
    heard: Heard

    def to_line(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, **asdict(self.heard)}


def transcribe(
    path: str | os.PathLike[str],
    recogniser: Recogniser,
    *,
    partial: Path | None = None,
    piece_seconds: float = PIECE_SECONDS,
    on_piece: OnPiece | None = None,
) -> Transcribed:
    """The transcript of a recording, its words with their seconds.

    Pieces that are done are kept in the file `partial`, from which a later run of the same
    recording and recogniser goes on; it is left there for the caller to remove once the transcript
    is safe.

    Raises DocumentParsingError where the file is no sound, is silent or too long; ModelError where
    a server fails; OutputError where `partial` cannot be written.
    """
    recording = Recording(path)
    key = {
        "recording": _sha256(Path(path)),
        "recogniser": recogniser.name,
        "seconds": piece_seconds,
    }
    pieces = [] if partial is None else _kept(partial, key)
    resumed = pieces[-1].end if pieces else 0.0
    if partial is not None and not pieces:
        _require_ours(partial)
        _write(partial, key, mode="w")
    if on_piece is not None:
        on_piece(resumed, recording.seconds)
    for piece in _pieces(recording, recogniser, resumed, piece_seconds):
        pieces.append(piece)
        if partial is not None:
            _write(partial, piece.to_line(), mode="a")
        if on_piece is not None:
            on_piece(piece.end, recording.seconds)
    segments = [_moved(part, piece) for piece in pieces for part in piece.heard.segments]
    if not any(str(part["text"]).strip() for part in segments):
        raise DocumentParsingError(
            f"{path}: no speech was heard in {pieces[-1].end if pieces else 0:.0f} s of it. Check "
            "that it is the right recording, and that it is not silent."
        )
    languages = [piece.heard.language for piece in pieces if piece.heard.language]
    data = {
        "task": "transcribe",
        "language": languages[0] if languages else None,
        "duration": pieces[-1].end,
        "text": " ".join(str(part["text"]).strip() for part in segments),
        "segments": segments,
    }
    told = dict.fromkeys(word for piece in pieces for word in piece.heard.warnings)
    end, said = pieces[-1].end, recording.seconds
    if said is not None and end < said - _MISSING_SECONDS:
        told[f"the recording says that it is {said:.0f} s long, and ends after {end:.0f} s"] = None
    return Transcribed(data, tuple(told), resumed)


def _pieces(
    recording: Recording, recogniser: Recogniser, start: float, seconds: float
) -> Iterator[_Piece]:
    """The pieces from `start` on. Each but the last ends where it is quietest."""
    while True:
        samples = recording.piece(start, seconds)
        if not len(samples):
            return
        is_short = len(samples) < int(seconds * RATE)
        end = start + len(samples) / RATE
        said = recording.seconds
        # A damaged stretch gives less than was asked for, and more may follow.
        is_last = is_short and (
            said is None or end >= said - _MISSING_SECONDS or len(samples) < RATE
        )
        if not is_short:
            samples = samples[: quietest(samples, min(_CUT_WITHIN_SECONDS, seconds / 2))]
        end = round(start + len(samples) / RATE, 3)
        is_silent = int(samples.max()) < _SILENCE and int(samples.min()) > -_SILENCE
        yield _Piece(start, end, Heard([]) if is_silent else recogniser.hear(samples))
        if is_last:
            return
        start = end


def _moved(part: dict[str, Any], piece: _Piece) -> dict[str, Any]:
    """A segment in seconds of the recording; nothing is said after the piece it was heard in."""

    def times(entry: dict[str, Any]) -> dict[str, Any]:
        moved = dict(entry)
        for name in ("start", "end"):
            if moved.get(name) is not None:
                moved[name] = round(min(piece.start + moved[name], piece.end), 3)
        return moved

    return {**times(part), "words": [times(word) for word in part.get("words", ())]}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _kept(partial: Path, key: dict[str, Any]) -> list[_Piece]:
    """The pieces of an earlier run; none where it was of another recording or recogniser.

    What follows a line that cannot be used, such as one that was cut off by a stop, is cut off the
    file: it would garble the next line.
    """
    try:
        if partial.stat().st_size > _MAX_PARTIAL_BYTES:
            return []
        first, *lines = partial.read_bytes().splitlines(keepends=True)
        if json.loads(first) != key:
            return []
    except (OSError, ValueError, RecursionError):
        return []
    pieces: list[_Piece] = []
    good = len(first)
    for line in lines:
        try:
            piece = _piece_of(json.loads(line)) if line.endswith(b"\n") else None
        except (ValueError, KeyError, TypeError, RecursionError):
            piece = None
        if piece is None or piece.start != (pieces[-1].end if pieces else 0.0):
            os.truncate(partial, good)
            break
        pieces.append(piece)
        good += len(line)
    return pieces


def _require_ours(partial: Path) -> None:
    """Raises OutputError for a file that no run of ours has left: it is not to be overwritten."""
    try:
        with partial.open("rb") as file:
            first = file.readline(_MOST_KEY_BYTES)
    except OSError:
        return
    # A piece comes first where another run, at the same time, has taken the file away.
    if first and not first.startswith((b'{"recording":', b'{"start":')):
        raise OutputError(f"{partial} is there, and is no part of a transcript. Move it away.")


def _piece_of(line: dict[str, Any]) -> _Piece:
    heard = Heard(list(line["segments"]), line["language"], tuple(line["warnings"]))
    return _Piece(float(line["start"]), float(line["end"]), heard)


def _write(partial: Path, line: dict[str, Any], *, mode: str) -> None:
    try:
        with partial.open(mode, encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line, ensure_ascii=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        raise OutputError(f"cannot write {partial}: {problem.strerror}") from problem
