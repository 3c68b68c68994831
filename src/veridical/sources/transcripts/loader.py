"""Files, standard input and strings become Transcripts."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from veridical.errors import DocumentParsingError
from veridical.sources.document import DEFAULT_LIMITS, Format, SourceLimits
from veridical.sources.loader import (
    STANDARD_INPUT,
    STANDARD_INPUT_NAME,
    check_size,
    plain_name,
    read_file,
    read_standard_input,
)
from veridical.sources.sniff import decode, is_captions, sniff_binary, sniff_text
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.build import build_transcript
from veridical.sources.transcripts.captions import read_srt, read_webvtt
from veridical.sources.transcripts.lines import begins_with_time, read_lines
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.shapes import (
    SUPPORTED_TRANSCRIPTS,
    is_json,
    may_be_json_transcript,
    read_json,
)

_log = logging.getLogger(__name__)


def load_transcript(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    limits: SourceLimits = DEFAULT_LIMITS,
) -> Transcript:
    """The transcript in a file; `-` is standard input. It is known as `name`, or else by its path.

    Which form it has is told from its content: see `SUPPORTED_TRANSCRIPTS`.
    Raises DocumentParsingError where the file is missing, empty, over a limit, or no transcript.
    """
    if os.fspath(path) == STANDARD_INPUT:
        data = read_standard_input(limits)
        return load_transcript_bytes(data, name or STANDARD_INPUT_NAME, limits=limits)
    name = plain_name(os.fspath(path)) if name is None else name
    return load_transcript_bytes(read_file(Path(path), name, limits), name, limits=limits)


def load_transcript_bytes(
    data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS
) -> Transcript:
    """The transcript in the bytes of a file.

    Raises DocumentParsingError where the data is empty, over a limit, or no transcript.
    """
    if not data:
        raise DocumentParsingError(
            f"{name}: the file is empty (0 bytes). Give a transcript.", Format.TRANSCRIPT
        )
    check_size(len(data), name, limits)
    found = sniff_binary(data, name, "")
    if found is not None:
        kind = "an image" if found is Format.IMAGE else f"a {found.upper()} file"
        raise _not_a_transcript(name, kind)
    return _read(decode(data, name), name, len(data), limits)


def transcript_from_text(
    text: str, name: str = "transcript", *, limits: SourceLimits = DEFAULT_LIMITS
) -> Transcript:
    """The transcript in a string, less a byte-order mark at its start.

    Raises DocumentParsingError where the text is empty, over a limit, or no transcript.
    """
    size_bytes = len(text.encode("utf-8", "surrogatepass"))
    check_size(size_bytes, name, limits)
    return _read(text.removeprefix("\ufeff"), name, size_bytes, limits)


def clear_transcript(
    text: str, name: str, *, size_bytes: int, limits: SourceLimits
) -> Transcript | None:
    """The transcript in a document that begins like JSON; None where that is not clearly one.

    JSON of other kinds is plain text to all but those who ask for a transcript.
    """
    if not may_be_json_transcript(text):
        return None
    try:
        raw = read_json(text, name, only_clear=True)
    except DocumentParsingError as error:
        _log.debug("a document that begins like JSON is read as text: %s", type(error).__name__)
        return None
    return (
        None if raw is None else build_transcript(raw, name, size_bytes=size_bytes, limits=limits)
    )


def _read(text: str, name: str, size_bytes: int, limits: SourceLimits) -> Transcript:
    if not text or text.isspace():
        raise DocumentParsingError(
            f"{name}: the transcript is empty. Give one that holds text.", Format.TRANSCRIPT
        )
    raw = _raw(text, name)
    transcript = build_transcript(raw, name, size_bytes=size_bytes, limits=limits)
    _log.debug(
        "transcript read as %s: %d segments, %d words, %d warnings",
        transcript.recorded_as,
        len(transcript.segments),
        len(transcript.words),
        len(transcript.warnings),
    )
    return transcript


def _raw(text: str, name: str) -> RawTranscript:
    if is_captions(text):
        return (read_webvtt if text.lstrip().startswith("WEBVTT") else read_srt)(text)
    if is_json(text) and not begins_with_time(text):
        raw = read_json(text, name)
        if raw is None:
            raise _not_a_transcript(name, "JSON, but of no recogniser that is known")
        return raw
    if sniff_text(text, ".txt") is Format.HTML:
        raise _not_a_transcript(name, "a web page")
    return read_lines(text)


def _not_a_transcript(name: str, kind: str) -> DocumentParsingError:
    return DocumentParsingError(
        f"{name}: this is {kind}, not a transcript. Supported: {SUPPORTED_TRANSCRIPTS}.",
        Format.TRANSCRIPT,
    )
