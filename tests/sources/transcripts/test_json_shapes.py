"""The JSON of each recogniser: what it is known as, its text, its words, its speakers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sources.transcripts.builders import read, said, spoken, timed

from veridical.sources.transcript import Precision, TimeUnit
from veridical.sources.transcript import TranscriptFormat as Kind

SENTENCE = "Good evening, friends. It's a well-known story."
BARE = "Good evening friends It's a well known story"
DECODED = {"id": 0, "seek": 0, "tokens": [1, 2], "temperature": 0.0, "avg_logprob": -0.2}


def whisper_words(text: str, **more: Any) -> list[dict[str, Any]]:
    return [{**entry, "word": " " + entry["word"], **more} for entry in timed(text)]


def segment(**more: Any) -> dict[str, Any]:
    return {"start": 0.0, "end": 4.0, "text": " " + SENTENCE, **more}


OPENAI = {"task": "transcribe", "language": "english", "duration": 4.0, "text": SENTENCE}
Known = tuple[Kind, Precision, str | None]
WHISPER_SEGMENT = segment(**DECODED, words=whisper_words(SENTENCE, probability=0.9))
SHAPES: dict[str, tuple[Any, Known]] = {
    "openai words": (
        {**OPENAI, "words": timed(BARE)},
        (Kind.OPENAI, Precision.WORD, "english"),
    ),
    "openai segments": (
        {**OPENAI, "segments": [segment(**DECODED)]},
        (Kind.OPENAI, Precision.SEGMENT, "english"),
    ),
    "openai both": (
        {**OPENAI, "segments": [segment(**DECODED)], "words": timed(BARE)},
        (Kind.OPENAI, Precision.WORD, "english"),
    ),
    "openai diarized": (
        {
            **{name: value for name, value in OPENAI.items() if name != "language"},
            "segments": [segment(type="transcript.text.segment", id="seg_0", speaker="A")],
        },
        (Kind.OPENAI, Precision.SEGMENT, None),
    ),
    "openai plain": ({"text": SENTENCE}, (Kind.OPENAI, Precision.NONE, None)),
    "whisper": (
        {"text": SENTENCE, "segments": [WHISPER_SEGMENT], "language": "en"},
        (Kind.WHISPER, Precision.WORD, "en"),
    ),
    "faster-whisper list": (
        [WHISPER_SEGMENT],
        (Kind.FASTER_WHISPER, Precision.WORD, None),
    ),
    "faster-whisper with info": (
        {
            "segments": [segment(**DECODED, words=None)],
            "info": {"language": "en", "language_probability": 0.99, "duration": 4.0},
        },
        (Kind.FASTER_WHISPER, Precision.SEGMENT, "en"),
    ),
    "whisperx": (
        {
            "segments": [segment(words=timed(SENTENCE, score=0.8, speaker="SPEAKER_00"))],
            "word_segments": timed(SENTENCE, score=0.8),
            "language": "en",
        },
        (Kind.WHISPERX, Precision.WORD, "en"),
    ),
    "whisper-timestamped": (
        {
            "text": SENTENCE,
            "segments": [
                segment(
                    **DECODED, confidence=0.7, words=timed(SENTENCE, field="text", confidence=0.7)
                )
            ],
            "language": "en",
        },
        (Kind.WHISPER_TIMESTAMPED, Precision.WORD, "en"),
    ),
    "transformers": (
        {"text": SENTENCE, "chunks": [{"text": " " + SENTENCE, "timestamp": [0.0, 4.0]}]},
        (Kind.UTTERANCES, Precision.SEGMENT, None),
    ),
    "start and duration": (
        [{"text": SENTENCE, "start": 0.0, "duration": 4.0}],
        (Kind.UTTERANCES, Precision.SEGMENT, None),
    ),
    "a list of words": (timed(SENTENCE), (Kind.UTTERANCES, Precision.WORD, None)),
    "utterances": (
        {"utterances": [{"start": 0, "speaker": "Ann", "text": SENTENCE}]},
        (Kind.UTTERANCES, Precision.SEGMENT, None),
    ),
    "segments of people": (
        {"segments": [{"start": 0, "speaker": "Ann", "text": SENTENCE}]},
        (Kind.UTTERANCES, Precision.SEGMENT, None),
    ),
}


@pytest.mark.parametrize(("data", "known"), SHAPES.values(), ids=list(SHAPES))
def test_a_shape_is_told_and_read(data: Any, known: Known) -> None:
    transcript = read(data)
    assert (transcript.recorded_as, transcript.precision, transcript.language) == known
    assert transcript.time_base.unit is TimeUnit.SECONDS
    assert " ".join(transcript.text.split()) == SENTENCE
    if known[1] is not Precision.NONE:
        assert transcript.moment(transcript.segments[0].span).start == 0.0


def test_words_beside_the_segments_are_placed_in_their_text() -> None:
    halves = ["Good evening, friends.", "It's a well-known story."]
    parts = [
        {"start": i * 1.5, "end": i * 2.5 + 1.5, "text": " " + t} for i, t in enumerate(halves)
    ]
    transcript = read({**OPENAI, "segments": parts, "words": timed(BARE)})
    assert transcript.warnings == ()
    assert [word for word, _, _ in said(transcript)] == BARE.split()
    assert said(transcript)[-2] == ("known", 3.0, 3.4)


def test_pieces_of_words_and_japanese_are_found_where_they_stand() -> None:
    pieces = [" It's", " well", "-known", " 今", "日は", "。", "晴れ"]
    words = [{"word": w, "start": i, "end": i + 1} for i, w in enumerate(pieces)]
    part = segment(text=" It's well-known 今日は。晴れ", end=7, words=words)
    assert said(read({"segments": [part]})) == [
        ("It's", 0, 1),
        ("well", 1, 2),
        ("-known", 2, 3),
        ("今", 3, 4),
        ("日は", 4, 5),
        ("晴れ", 6, 7),
    ]
    assert read({"words": words}).text == "It's well-known 今日は。 晴れ"


def token(text: str, start: int, end: int, p: float) -> dict[str, Any]:
    return {"text": text, "offsets": {"from": start, "to": end}, "id": 1, "p": p, "t_dtw": -1}


WHISPER_CPP = {
    "systeminfo": "AVX = 1",
    "params": {"language": "auto"},
    "result": {"language": "en"},
    "transcription": [
        {
            "timestamps": {"from": "00:00:00,000", "to": "00:00:01,250"},
            "offsets": {"from": 0, "to": 1250},
            "text": " Hello marmots.",
            "tokens": [
                token("[_BEG_]", 0, 0, 1.0),
                token(" Hello", 0, 400, 0.9),
                token(" mar", 400, 700, 0.8),
                token("mots", 700, 1100, 0.7),
                token(".", 1100, 1250, 0.95),
            ],
        },
        {"timestamps": {"from": "00:00:01,250", "to": "00:00:02,000"}, "text": " Bye."},
    ],
}


def test_whisper_cpp_with_its_tokens() -> None:
    transcript = read(WHISPER_CPP)
    assert transcript.recorded_as is Kind.WHISPER_CPP
    assert transcript.time_base.unit is TimeUnit.MILLISECONDS
    assert transcript.language == "en"
    assert said(transcript) == [("Hello", 0.0, 0.4), ("marmots.", 0.4, 1.25)]
    assert [word.confidence for word in transcript.words] == [0.9, 0.7]
    assert spoken(transcript)[1] == ("Bye.", 1.25, 2.0, None)


def deepgram_words(text: str, speaker: int, at: float) -> list[dict[str, Any]]:
    return [
        {
            "word": word.lower().strip(".,"),
            "start": at + i * 0.5,
            "end": at + i * 0.5 + 0.4,
            "confidence": 0.9,
            "speaker": speaker,
            "punctuated_word": word,
        }
        for i, word in enumerate(text.split())
    ]


def deepgram_channel(words: list[dict[str, Any]]) -> dict[str, Any]:
    text = " ".join(word["word"] for word in words)
    alternative = {"transcript": text, "confidence": 0.9, "words": words}
    return {"alternatives": [alternative], "detected_language": "en"}


def test_deepgram_words_become_segments_of_their_speakers_or_channels() -> None:
    words = deepgram_words("Hello, all.", 0, 0.0) + deepgram_words("Hi there.", 1, 1.0)
    transcript = read({"metadata": {}, "results": {"channels": [deepgram_channel(words)]}})
    assert (transcript.recorded_as, transcript.language) == (Kind.DEEPGRAM, "en")
    assert transcript.text == "Hello, all.\n\nHi there."
    assert spoken(transcript) == [("Hello, all.", 0.0, 0.9, "0"), ("Hi there.", 1.0, 1.9, "1")]
    channels = [deepgram_words("Hello. Bye.", 0, 0.0), deepgram_words("Yes?", 0, 0.5)]
    for word in (word for channel in channels for word in channel):
        del word["speaker"]
    transcript = read({"results": {"channels": [deepgram_channel(words) for words in channels]}})
    assert [(part[0], part[3]) for part in spoken(transcript)] == [
        ("Hello.", "channel 0"),
        ("Bye.", "channel 0"),
        ("Yes?", "channel 1"),
    ]


def test_deepgram_utterances() -> None:
    utterances = [
        {
            "start": 0.0,
            "end": 0.9,
            "confidence": 0.9,
            "channel": channel,
            "transcript": "Hello, all.",
            "words": deepgram_words("Hello, all.", 0, 0.0),
            "speaker": 0,
            "id": "x",
        }
        for channel in (0, 1)
    ]
    one = read({"results": {"channels": [], "utterances": utterances[:1]}})
    assert spoken(one) == [("Hello, all.", 0.0, 0.9, "0")]
    both = read({"results": {"channels": [], "utterances": utterances}})
    assert both.speakers == ("channel 0, speaker 0", "channel 1, speaker 0")


def assemblyai(**more: Any) -> dict[str, Any]:
    words = [
        {"text": "Smoke", "start": 250, "end": 650, "confidence": 0.97, "speaker": "A"},
        {"text": "rises.", "start": 730, "end": 1022, "confidence": 0.99, "speaker": "A"},
    ]
    utterance = {"speaker": "A", "text": "Smoke rises.", "start": 250, "end": 1022}
    return {
        "text": "Smoke rises.",
        "words": words,
        "utterances": [{**utterance, "confidence": 0.98, "words": words}],
        **more,
    }


@pytest.mark.parametrize(
    "data",
    [
        assemblyai(id="x", status="completed", language_code="en_us", audio_duration=2),
        assemblyai(utterances=None, language_code="en_us"),
        assemblyai(language_code="en_us"),
    ],
    ids=["whole", "words only", "few fields"],
)
def test_assemblyai_counts_in_milliseconds(data: dict[str, Any]) -> None:
    transcript = read(data)
    assert transcript.recorded_as is Kind.ASSEMBLYAI
    assert transcript.time_base.unit is TimeUnit.MILLISECONDS
    assert transcript.language == "en_us"
    assert said(transcript) == [("Smoke", 0.25, 0.65), ("rises.", 0.73, 1.022)]
    assert transcript.speakers == ("A",)


def test_json_lines() -> None:
    entries = [
        {"start": 1, "speaker": "Ann", "text": "One moment -"},
        {"start": 3, "speaker": "", "text": "please."},
    ]
    transcript = read("\n".join(map(json.dumps, entries)) + "\n\n")
    assert transcript.recorded_as is Kind.UTTERANCES
    assert transcript.text == "One moment -\n\nplease."
    assert spoken(transcript) == [
        ("One moment -", 1.0, 3.0, "Ann"),
        ("please.", 3.0, 13.0, None),
    ]
    assert read(json.dumps(entries[0])).text == "One moment -"
