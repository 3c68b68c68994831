"""Which transcript a text is: told from its content alone."""

from __future__ import annotations

import json
from typing import Any

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.patterns import lazy
from veridical.sources.transcripts.assemblyai import is_assemblyai, read_assemblyai
from veridical.sources.transcripts.deepgram import read_deepgram
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.utterances import LISTS, is_utterance, read_utterances
from veridical.sources.transcripts.whisper import (
    is_decoded,
    read_segment_list,
    read_whisper,
    read_whisper_cpp,
)

SUPPORTED_TRANSCRIPTS = (
    "JSON of OpenAI, Whisper, whisper.cpp, faster-whisper, WhisperX, whisper-timestamped, "
    "Deepgram or AssemblyAI; JSON or JSON Lines of {start, end, speaker, text}; SRT; WebVTT; text "
    "lines with [mm:ss] and SPEAKER:"
)
MAX_NESTING_TOLD = "nested too deeply"

_JSON_START = lazy(r'\s*+(?:\{\s*+["}]|\[\s*+(?:[\[{"\]]|-?\d++(?![\d:])|true|false|null))')
_FIELDS = lazy(
    r'"(?:segments|words|word|transcription|utterances|channels|text|word_segments)"\s*+:'
)
_HEAD_CHARS = 1_000_000


def is_json(text: str) -> bool:
    """Whether a text is meant as JSON or JSON Lines, well written or not."""
    return _JSON_START().match(text) is not None


def may_be_json_transcript(text: str) -> bool:
    """Whether it is worth parsing: a quick look, so that other JSON is left alone."""
    return is_json(text) and _FIELDS().search(text, 0, _HEAD_CHARS) is not None


def read_json(text: str, name: str, *, only_clear: bool = False) -> RawTranscript | None:
    """The transcript in a JSON text; None where it is another kind of JSON.

    With `only_clear`, what merely might be one is another kind of JSON too.
    Raises DocumentParsingError where it is not JSON.
    """
    data = _parsed(text, name)
    if isinstance(data, dict):
        return _read_object(data, name, only_clear=only_clear)
    entries = data if isinstance(data, list) else []
    if not entries:
        return read_utterances([]) if data == [] and not only_clear else None
    first = next((entry for entry in entries if isinstance(entry, dict)), None)
    if first is None or not (is_utterance(first) or (not only_clear and _has_text(first))):
        return None
    if is_decoded(first):
        return read_segment_list(entries)
    words = first.get("words")
    if isinstance(words, list) and words and is_assemblyai({"utterances": [first], "words": words}):
        return read_assemblyai({"utterances": entries})
    return read_utterances(entries)


def _read_object(data: dict[str, Any], name: str, *, only_clear: bool) -> RawTranscript | None:
    results = data.get("results")
    if isinstance(results, dict) and ("channels" in results or "utterances" in results):
        return read_deepgram(data)
    if "transcription" in data:
        _require_list(data, "transcription", name)
        return read_whisper_cpp(data)
    if isinstance(data.get("segments"), list) or isinstance(data.get("word_segments"), list):
        return _read_segments(data, only_clear=only_clear)
    if is_assemblyai(data):
        return read_assemblyai(data)
    return _read_loose(data, name, only_clear=only_clear)


def _read_segments(data: dict[str, Any], *, only_clear: bool) -> RawTranscript | None:
    segments = data.get("segments")
    parts = segments if isinstance(segments, list) else []
    known = "text" in data or "word_segments" in data
    if only_clear and not known and not any(is_utterance(part) for part in parts[:1]):
        return None
    if parts and not any(isinstance(part, dict) for part in parts):
        return None
    return read_whisper(data)


def _read_loose(data: dict[str, Any], name: str, *, only_clear: bool) -> RawTranscript | None:
    """Objects without a mark of their producer."""
    for field in LISTS:
        entries = data.get(field)
        if isinstance(entries, list):
            if only_clear and not any(is_utterance(entry) for entry in entries[:1]):
                return None
            return read_utterances(entries, data.get("language"))
    words = data.get("words")
    if isinstance(words, list) and (not only_clear or any(map(is_utterance, words[:1]))):
        return read_whisper(data)
    if only_clear:
        return None
    if is_utterance(data):
        return read_utterances([data])
    for field in (*LISTS, "words"):
        _require_list(data, field, name)
    return read_whisper(data) if _has_text(data) else None


def _has_text(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("text"), str)


def _require_list(data: dict[str, Any], field: str, name: str) -> None:
    if field in data and not isinstance(data[field], list):
        raise DocumentParsingError(
            f"{name}: `{field}` is no list, as in a transcript it has to be. Give the file as the "
            f"recogniser wrote it. Supported: {SUPPORTED_TRANSCRIPTS}.",
            Format.TRANSCRIPT,
        )


def _parsed(text: str, name: str) -> Any:
    """The value of a JSON text; the values of JSON Lines as a list."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        head, _, _ = text.lstrip().partition("\n")
        if error.msg != "Extra data" or not head.startswith("{"):
            raise _not_json(name, f"line {error.lineno} column {error.colno}", error.msg) from None
    except RecursionError:
        raise _not_json(name, "the file", MAX_NESTING_TOLD) from None
    except ValueError:
        raise _not_json(name, "the file", "a number that is too long") from None
    entries: list[Any] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line and not line.isspace():
            entries.append(_parsed_line(line, number, name))
    return entries


def _parsed_line(line: str, number: int, name: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise _not_json(name, f"line {number}", MAX_NESTING_TOLD) from None
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too long a number"
        raise _not_json(name, f"line {number}", reason) from None


def _not_json(name: str, place: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(
        f"{name}: begins like JSON, but {place} cannot be read ({reason}). The file may be cut "
        "off: get it again.",
        Format.TRANSCRIPT,
    )
