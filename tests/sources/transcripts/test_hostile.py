"""Whatever comes, there is a transcript that keeps its promises, or a clear error."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.transcripts.builders import check
from tests.sources.transcripts.test_captions import ROLLING, SRT, VTT
from tests.sources.transcripts.test_json_shapes import (
    SHAPES,
    WHISPER_CPP,
    assemblyai,
    deepgram_channel,
)
from tests.sources.transcripts.test_json_shapes import deepgram_words as words_of

from veridical.errors import DocumentParsingError
from veridical.sources.loader import load_document_bytes
from veridical.sources.transcripts.loader import load_transcript_bytes, transcript_from_text

DEEPGRAM = {
    "results": {
        "channels": [deepgram_channel(words_of("Hello. Bye.", 0, 0.0))],
        "utterances": [
            {"start": 0, "end": 1, "transcript": "Hello.", "words": words_of("Hello.", 0, 0.0)}
        ],
    }
}
ALL_SHAPES = [shape[0] for shape in SHAPES.values()]
ALL_SHAPES += [WHISPER_CPP, DEEPGRAM, assemblyai(language_code="en")]

FIELDS = st.sampled_from(
    "segments words word text start end speaker transcription offsets from to results channels p "
    "utterances alternatives transcript confidence timestamp duration info language tokens".split()
)
TIMES = st.one_of(
    st.floats(), st.integers(-20, 20), st.just(10**400), st.sampled_from(["1.5", "0:07", "x", None])
)
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["Hello", " there", "-known", "今日は", "…", "", "A: b", "no no", "e\u0301ß ﬁ"]
    ),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), TIMES, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(FIELDS, TEXTS), inner, max_size=5)
    ),
    max_leaves=24,
)


def survives(data: bytes) -> None:
    """Read it both ways; nothing else than this error may come out."""
    try:
        check(load_transcript_bytes(data, "talk"))
    except DocumentParsingError as error:
        assert str(error).startswith("talk: ")  # noqa: PT017 - either outcome is right
    try:
        load_document_bytes(data, "talk")
    except DocumentParsingError as error:
        assert str(error).startswith("talk: ")  # noqa: PT017 - either outcome is right


@given(VALUES)
@settings(max_examples=80)
def test_any_json(value: Any) -> None:
    survives(json.dumps(value).encode())


@given(st.text(max_size=60))
@settings(max_examples=80)
def test_any_text(text: str) -> None:
    survives(text.encode("utf-8", "surrogatepass"))


def entry(text: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    times = {"start": TIMES, "end": TIMES, "speaker": st.sampled_from(["A", "B", None, 3])}
    return st.fixed_dictionaries({"text": text}, optional=times)


@pytest.mark.no_cover
@given(
    st.lists(entry(TEXTS), max_size=8),
    st.lists(st.builds(lambda e: {**e, "word": e["text"]}, entry(TEXTS)), max_size=12),
    st.booleans(),
)
@settings(max_examples=80)
def test_any_segments_with_any_words(
    segments: list[dict[str, Any]], words: list[dict[str, Any]], beside: bool
) -> None:
    for number, part in enumerate(segments):
        if not beside:
            part["words"] = words[number::3]
    survives(json.dumps({"segments": segments, **({"words": words} if beside else {})}).encode())


@pytest.mark.no_cover
@given(st.lists(entry(st.text("ab .:\n今", max_size=9)), max_size=30), st.integers(1, 9))
@settings(max_examples=80)
def test_no_word_of_any_segment_is_lost(segments: list[dict[str, Any]], times: int) -> None:
    parts = [part for part in segments for _ in range(times)]
    transcript = transcript_from_text(json.dumps({"segments": parts}))
    words = [word for part in parts for word in part["text"].split()]
    assert sorted(transcript.text.split()) == sorted(words)
    check(transcript)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value, with each of its keys."""
    found: list[tuple[Any, Any]] = []
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys if isinstance(value, dict | list) else ():
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


@pytest.mark.parametrize("seed", range(len(ALL_SHAPES)))
def test_damaged_shapes(seed: int) -> None:
    chance = random.Random(seed)
    odd = [None, "text", [], {}, 7, -3.5, True, float("nan"), [[]], [{}], {"text": 1}, 1e308, "1"]
    for _ in range(60):
        damaged = copy.deepcopy(ALL_SHAPES[seed])
        for _ in range(chance.randint(1, 3)):
            container, key = chance.choice(places(damaged) or [({"": 0}, "")])
            if chance.random() < 0.2:
                del container[key]
            else:
                container[key] = copy.deepcopy(chance.choice(odd))
        survives(json.dumps(damaged).encode())


@pytest.mark.parametrize("source", [SRT, VTT, ROLLING, "[00:01] ANN: One.\nTwo.\n(0:05) Three"])
def test_damaged_captions(source: str) -> None:
    chance = random.Random(len(source))
    signs = ["\n", "\n\n", *"--> < > <v & &#x110000; [ 99:99 WEBVTT \x00".split(" ")]
    for _ in range(150):
        text = source
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(signs) + text[at + chance.choice([0, 1, 9]) :]
        survives(text.encode())


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "text",
    [
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<" * 200_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 100_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "&" * 200_000,
        "WEBVTT\n\n" + "00:01.000 --> 00:02.000\n" * 20_000,
        "WEBVTT" + "\n" * 400_000,
        "1\n00:00:01,000 --> 00:00:02,000\n" + "{\\" * 200_000,
        "1\n00:00:01,000 -->" + " " * 400_000,
        "[0:01] " + "Ann " * 100_000 + ":",
        "[0:01" + " " * 400_000,
        "A" * 400_000 + " 0:01",
        ("Ann" + " " * 50 + "\n") * 10_000,
        "a:" * 200_000,
        "0:01" * 100_000,
        json.dumps({"segments": [{"text": "a b " * 50_000, "start": 0, "end": 9}]}),
        json.dumps({"segments": [{"text": "a", "start": 0}] * 20_000}),
        json.dumps(
            {
                "segments": [{"text": "a b", "start": 0}] * 3_000,
                "words": [{"word": "b", "start": 0}] * 9_000,
            }
        ),
        json.dumps(
            {"segments": [{"text": "a b " * 9_000, "words": [{"word": "b", "start": 1}] * 20_000}]}
        ),
    ],
)
def test_what_is_meant_to_take_for_ever(text: str) -> None:
    check(transcript_from_text(text))
