"""Transcripts in JSON: which one a text is, told from its content alone, and what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.align import keys_of, keys_of_word
from veridical.sources.transcripts.place import group_words, segments_of_text
from veridical.sources.transcripts.raw import (
    Clock,
    RawSegment,
    RawTranscript,
    RawWord,
    Repair,
    label_of,
    language_of,
)

START_FIELDS = ("start", "start_time", "startTime")
END_FIELDS = ("end", "end_time", "endTime")
TEXT_FIELDS = ("text", "transcript")
WORD_FIELDS = ("punctuated_word", "word", "text")
SPEAKER_FIELDS = ("speaker", "speaker_id")
CONFIDENCE_FIELDS = ("probability", "score", "confidence", "p")

MAX_COMPRESSION = 2.4
MAX_SILENCE = 0.6
MIN_SURENESS = -1.0
"""The limits of Whisper's own decoder: `compression_ratio`, `no_speech_prob`, `avg_logprob`."""


def first_field(entry: dict[str, Any], fields: Iterable[str]) -> Any:
    """The first of `fields` that the entry has, and that is not null."""
    for name in fields:
        value = entry.get(name)
        if value is not None:
            return value
    return None


def listed(value: object) -> list[Any]:
    """A list as it is; anything else is an empty one."""
    return value if isinstance(value, list) else []


def first_text(entry: dict[str, Any], fields: Iterable[str]) -> str | None:
    """The first of `fields` that holds text; an empty one only where no other is filled."""
    texts = [value for name in fields if isinstance(value := entry.get(name), str)]
    return next((text for text in texts if text and not text.isspace()), next(iter(texts), None))


def read_words(entries: object, raw: RawTranscript) -> list[RawWord]:
    """The words of a list; what is not one is left out and counted."""
    if not isinstance(entries, list):
        if entries is not None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
        return []
    words: list[RawWord] = []
    for entry in entries:
        text = first_text(entry, WORD_FIELDS) if isinstance(entry, dict) else None
        if text is None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
        elif text and not text.isspace():
            start, end = read_times(entry, raw.clock)
            confidence = confidence_of(first_field(entry, CONFIDENCE_FIELDS))
            speaker = label_of(first_field(entry, SPEAKER_FIELDS))
            words.append(RawWord(text, start, end, confidence, speaker))
    return words


def read_segments(entries: list[Any], raw: RawTranscript) -> list[RawSegment]:
    """The segments of a list, with their words; what is not one is left out and counted."""
    segments: list[RawSegment] = []
    for entry in entries:
        text = first_text(entry, TEXT_FIELDS) if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or (text is None and not entry.get("words")):
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        start, end = read_times(entry, raw.clock)
        speaker = label_of(first_field(entry, SPEAKER_FIELDS))
        words = read_words(entry.get("words"), raw)
        doubtful = _is_doubtful(entry)
        segments.append(RawSegment(text or "", start, end, speaker, words, doubtful))
    return segments


def _is_doubtful(entry: dict[str, Any]) -> bool:
    """Whether Whisper's own limits say that it went round in circles, or heard no speech."""
    compression, silence, sureness = (
        value if type(value) is float or type(value) is int else 0
        for value in map(entry.get, ("compression_ratio", "no_speech_prob", "avg_logprob"))
    )
    return compression > MAX_COMPRESSION or (silence > MAX_SILENCE and sureness < MIN_SURENESS)


def read_times(entry: dict[str, Any], clock: Clock) -> tuple[float | None, float | None]:
    """Start and end of an entry: two fields, a pair (`timestamp`), or a start and a `duration`."""
    start, end = entry.get("start"), entry.get("end")
    if start is None or end is None:
        start, end = first_field(entry, START_FIELDS), first_field(entry, END_FIELDS)
        pair = entry.get("timestamp")
        if start is None and isinstance(pair, list) and len(pair) == 2:
            start, end = pair
    first, last = clock.seconds(start), clock.seconds(end)
    if first is not None:
        if end is None:
            duration = clock.seconds(entry.get("duration"))
            last = None if duration is None else first + duration
        clock.near = first
    return first, last


def confidence_of(value: object) -> float | None:
    """A probability from 0 to 1; None for anything else."""
    if type(value) is not float and type(value) is not int:
        return None
    return float(value) if 0 <= value <= 1 else None


# Transcripts of parts (utterances, segments) with their words in them, beside them or not at all.


LISTS = ("utterances", "segments", "chunks")
"""Under which names an object without a mark of its producer holds its utterances."""

_PARTS = ("utterances", "sentences", "paragraphs")
_MARKS = (
    "audio_duration audio_url acoustic_model language_code language_model speech_model status"
).split()
_SAMPLE = 20

_DECODER_FIELDS = ("seek", "tokens", "avg_logprob", "no_speech_prob")
_WHISPER_SAMPLE = 100


def read_utterances(entries: list[Any], language: object = None) -> RawTranscript:
    """A list of utterances, or of single words (`word`, `start`, `end`); times are seconds."""
    raw = RawTranscript(TranscriptFormat.UTTERANCES, language=language_of(language))
    if entries and isinstance(entries[0], dict) and "word" in entries[0]:
        raw.words = read_words(entries, raw)
    else:
        raw.segments = read_segments(entries, raw)
    return raw


def is_utterance(entry: object) -> bool:
    """Whether an entry says what was said and when: `text` (or `word`), and a start."""
    if not isinstance(entry, dict):
        return False
    text = first_field(entry, (*TEXT_FIELDS, "word"))
    start = first_field(entry, (*START_FIELDS, "timestamp"))
    return isinstance(text, str) and isinstance(start, int | float | list)


def is_assemblyai(data: dict[str, Any]) -> bool:
    """Whether words and utterances are as this service writes them, in whole milliseconds."""
    entries = [
        entry
        for name in ("words", *_PARTS)
        for entry in listed(data.get(name))[:_SAMPLE]
        if isinstance(entry, dict)
    ]
    if "segments" in data or not all(map(_is_in_milliseconds, entries)):
        return False
    return any(name in data for name in _MARKS) or (
        bool(entries) and all("confidence" in entry for entry in entries)
    )


def _is_in_milliseconds(entry: dict[str, Any]) -> bool:
    times = (entry.get("start"), entry.get("end"))
    return isinstance(entry.get("text"), str) and all(type(time) is int for time in times)


def read_assemblyai(data: dict[str, Any]) -> RawTranscript:
    """The utterances, sentences or paragraphs, whichever is there first, else the words."""
    raw = RawTranscript(TranscriptFormat.ASSEMBLYAI, unit=TimeUnit.MILLISECONDS)
    parts = next(filter(None, (listed(data.get(name)) for name in _PARTS)), [])
    _read_parts(raw, parts, data.get("words"), data)
    said = sum(len(segment.words) for segment in raw.segments)
    if 0 < said < len(listed(data.get("words"))):
        # The parts lack something: the words of the whole have it, and their speakers too.
        raw.segments, raw.words = [], read_words(data["words"], raw)
        raw.repairs.count(Repair.FULLER_WORDS, None, len(raw.words) - said)
    raw.language = language_of(data.get("language_code"))
    return raw


def read_whisper(data: dict[str, Any]) -> RawTranscript:
    """An object of Whisper in one of its many homes: with `segments`, `words`, `word_segments` or
    `text` at its top.
    """
    entries, beside = listed(data.get("segments")), data.get("words")
    raw = RawTranscript(whisper_kind(data, entries))
    _read_parts(raw, entries, data.get("word_segments") if beside is None else beside, data)
    info = data.get("info")
    named = data.get("language") or (info.get("language") if isinstance(info, dict) else None)
    raw.language = language_of(named)
    return raw


def _read_parts(
    raw: RawTranscript, entries: list[Any], words: object, data: dict[str, Any]
) -> None:
    """The segments; the words beside them where they have none; and the text of the whole."""
    raw.segments = read_segments(entries, raw)
    if not any(segment.words for segment in raw.segments):
        raw.words = read_words(words, raw)
    raw.text = first_text(data, ("text",)) or ""


def whisper_kind(data: dict[str, Any], entries: list[Any]) -> TranscriptFormat:
    """Which program wrote it, by the fields that only that one writes."""
    sample = [entry for entry in entries[:_WHISPER_SAMPLE] if isinstance(entry, dict)]
    words = [word for entry in sample for word in listed(entry.get("words"))]
    fields = {name for word in words[:_WHISPER_SAMPLE] if isinstance(word, dict) for name in word}
    if "word_segments" in data or "score" in fields:
        return TranscriptFormat.WHISPERX
    if "confidence" in fields and "text" in fields:
        return TranscriptFormat.WHISPER_TIMESTAMPED
    if "info" in data:
        return TranscriptFormat.FASTER_WHISPER
    if (
        "words" in data
        or not {"task", "duration", "usage"}.isdisjoint(data)
        or (not entries and "text" in data)
    ):
        return TranscriptFormat.OPENAI
    if "probability" in fields or any(
        not entry.keys().isdisjoint(_DECODER_FIELDS) for entry in sample
    ):
        return TranscriptFormat.WHISPER
    return TranscriptFormat.UTTERANCES


def is_decoded(entry: dict[str, Any]) -> bool:
    """Whether a segment has what only a Whisper decoder knows of it."""
    words = [word for word in listed(entry.get("words")) if isinstance(word, dict)]
    return not entry.keys().isdisjoint(_DECODER_FIELDS) or "probability" in next(iter(words), ())


# Transcripts of Deepgram: `results` with `channels`, and `utterances` if they were asked for.


def read_deepgram(data: dict[str, Any]) -> RawTranscript:
    """The utterances where they have all that was said, else each channel's best alternative.

    Several channels are several speakers: "channel 0", "channel 1".
    """
    results = data["results"]
    raw = RawTranscript(TranscriptFormat.DEEPGRAM)
    utterances = listed(results.get("utterances"))
    numbers = {_channel(entry) for entry in utterances} - {None}
    for entry in utterances:
        spoken = read_segments([entry], raw)
        if len(numbers) > 1:
            label = f"channel {_channel(entry)}"
            for segment in spoken:
                segment.speaker = _combined(label, segment.speaker)
                for word in segment.words:
                    word.speaker = _combined(label, word.speaker)
        raw.segments += spoken
    found = _channels(listed(results.get("channels")), raw)
    missing = _tokens(found) - _tokens(raw.segments)
    if missing > 0:
        if raw.segments:
            raw.repairs.count(Repair.FULLER_WORDS, None, missing)
        raw.segments = found
    return raw


def _channels(entries: list[Any], raw: RawTranscript) -> list[RawSegment]:
    """What the channels say, in order of time."""
    raw.clock.near = None
    found: list[list[RawSegment]] = []
    for number, channel in enumerate(entries):
        best = _best(channel)
        if best is None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        named = channel.get("detected_language") or next(iter(listed(best.get("languages"))), None)
        raw.language = raw.language or language_of(named)
        label = f"channel {number}" if len(entries) > 1 else None
        found.append(_channel_segments(best, label, raw))
    if len(found) < 2:
        return found[0] if found else []
    return _merged(found)


def _merged(channels: list[list[RawSegment]]) -> list[RawSegment]:
    """The segments of channels that were recorded side by side; each of them keeps its order."""
    keyed = []
    for number, segments in enumerate(channels):
        latest = 0.0
        for segment in segments:
            starts = [w.start for w in segment.words if w.start is not None]
            latest = max([latest, *starts[:1]])
            keyed.append((latest, number, segment))
    keyed.sort(key=lambda item: item[:2])
    return [segment for _, _, segment in keyed]


def _tokens(segments: list[RawSegment]) -> int:
    return sum(
        max(
            len(keys_of(segment.text).keys),
            sum(len(keys_of_word(word.text).keys) for word in segment.words),
        )
        for segment in segments
    )


def _best(channel: object) -> dict[str, Any] | None:
    alternatives = channel.get("alternatives") if isinstance(channel, dict) else None
    best = alternatives[0] if isinstance(alternatives, list) and alternatives else None
    return best if isinstance(best, dict) else None


def _channel_segments(
    best: dict[str, Any], label: str | None, raw: RawTranscript
) -> list[RawSegment]:
    words = read_words(best.get("words"), raw)
    text = best.get("transcript")
    if not words:
        return [RawSegment(text, speaker=label)] if isinstance(text, str) and text else []
    if label is not None:
        for word in words:
            word.speaker = _combined(label, word.speaker)
    if isinstance(text, str) and text.strip():
        segments = segments_of_text(text, words, raw.repairs)
        if segments is not None:
            return segments
    return group_words(words, raw.repairs)


def _channel(entry: object) -> int | None:
    number = entry.get("channel") if isinstance(entry, dict) else None
    return number if type(number) is int else None


def _combined(label: str, speaker: str | None) -> str:
    return label if speaker is None else f"{label}, speaker {speaker}"


# Transcripts of whisper.cpp: whole milliseconds, words in pieces.


def read_whisper_cpp(data: dict[str, Any]) -> RawTranscript:
    """An object with `transcription`, as whisper.cpp writes it; tokens are there with `-ojf`."""
    raw = RawTranscript(TranscriptFormat.WHISPER_CPP, unit=TimeUnit.MILLISECONDS)
    for place in ("result", "params"):
        part = data.get(place)
        if raw.language is None and isinstance(part, dict):
            raw.language = language_of(part.get("language"))
    for entry in data["transcription"]:
        text = entry.get("text") if isinstance(entry, dict) else None
        if not isinstance(text, str):
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        start, end = _offsets(entry, raw.clock)
        speaker = label_of(entry.get("speaker"))
        words = _whole_words(listed(entry.get("tokens")), raw.clock)
        raw.segments.append(RawSegment(text, start, end, speaker, words))
    return raw


def _offsets(entry: dict[str, Any], clock: Clock) -> tuple[float | None, float | None]:
    """`offsets` in milliseconds, or else `timestamps` as a clock shows them."""
    for field in ("offsets", "timestamps"):
        times = entry.get(field)
        if isinstance(times, dict):
            return clock.seconds(times.get("from")), clock.seconds(times.get("to"))
    return None, None


def _whole_words(tokens: list[Any], clock: Clock) -> list[RawWord]:
    """Words from the pieces that whisper.cpp writes: a piece without a space belongs to the last.

    A word is as sure as its least sure piece.
    """
    words: list[RawWord] = []
    for token in tokens:
        text = token.get("text") if isinstance(token, dict) else None
        if not isinstance(text, str) or not text or text.startswith("[_"):
            continue
        start, end = _offsets(token, clock)
        confidence = confidence_of(token.get("p"))
        if words and text.isascii() and not text[0].isspace():
            last = words[-1]
            last.text += text
            last.end = end if end is not None else last.end
            if confidence is not None and last.confidence is not None:
                last.confidence = min(confidence, last.confidence)
        else:
            words.append(RawWord(text, start, end, confidence))
    return words


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
    if only_clear and not _is_clear(data):
        return None
    if isinstance(data, dict):
        return _read_object(data, name)
    if data == []:
        return read_utterances([])
    entries = listed(data)
    first = next((entry for entry in entries if isinstance(entry, dict)), {})
    if not (is_utterance(first) or _has_text(first)):
        return None
    if is_decoded(first):
        # As programs write that collect what faster-whisper yields.
        raw = RawTranscript(TranscriptFormat.FASTER_WHISPER)
        raw.segments = read_segments(entries, raw)
        return raw
    words = listed(first.get("words"))
    if words and is_assemblyai({"utterances": [first], "words": words}):
        return read_assemblyai({"utterances": entries})
    return read_utterances(entries)


def _is_clear(data: Any) -> bool:
    """Whether JSON is surely a transcript: a producer's own, or a list that begins with speech."""
    if not isinstance(data, dict):
        return is_utterance(next((e for e in listed(data) if isinstance(e, dict)), None))
    if _is_deepgram(data) or "transcription" in data:
        return True
    if not {"text", "word_segments"}.isdisjoint(data) and _has_segments(data):
        return True
    if not _has_segments(data) and is_assemblyai(data):
        return True
    fields = ("segments",) if _has_segments(data) else (*LISTS, "words")
    lists = (data[field] for field in fields if isinstance(data.get(field), list))
    return any(map(is_utterance, next(lists, [])[:1]))


def _is_deepgram(data: dict[str, Any]) -> bool:
    results = data.get("results")
    return isinstance(results, dict) and not {"channels", "utterances"}.isdisjoint(results)


def _has_segments(data: dict[str, Any]) -> bool:
    return any(isinstance(data.get(field), list) for field in ("segments", "word_segments"))


def _read_object(data: dict[str, Any], name: str) -> RawTranscript | None:
    if _is_deepgram(data):
        return read_deepgram(data)
    if "transcription" in data:
        _require_list(data, "transcription", name)
        return read_whisper_cpp(data)
    if _has_segments(data):
        parts = listed(data.get("segments"))
        is_other = parts and not any(isinstance(part, dict) for part in parts)
        return None if is_other else read_whisper(data)
    if is_assemblyai(data):
        return read_assemblyai(data)
    for field in LISTS:
        if isinstance(data.get(field), list):
            return read_utterances(data[field], data.get("language"))
    if isinstance(data.get("words"), list):
        return read_whisper(data)
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
