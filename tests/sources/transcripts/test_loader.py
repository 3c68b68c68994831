"""Which file is a transcript, to whom, and what is said of those that are none."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.sources.transcripts.builders import check, timed

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, SourceLimits
from veridical.sources.loader import (
    document_from_text,
    load_document_bytes,
)
from veridical.sources.transcript import Transcript, TranscriptFormat
from veridical.sources.transcripts.loader import (
    load_transcript,
    load_transcript_bytes,
    transcript_from_text,
)

SRT = "1\n00:00:01,000 --> 00:00:02,000\nHello.\n"
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n"
LINES = "[00:01] ANN: Hello.\n[00:03] TOM: Hi.\n"
WHISPER = json.dumps({"text": "Hello.", "segments": [{"start": 1, "end": 2, "text": " Hello."}]})
UTTERANCES = '{"start": 1, "text": "Hello."}\n{"start": 2, "text": "Hi."}\n'


@pytest.mark.parametrize("name", ["talk.srt", "talk.vtt", "talk.json", "talk.txt", "talk"])
@pytest.mark.parametrize(
    ("text", "recorded_as"),
    [
        (SRT, TranscriptFormat.SRT),
        (VTT, TranscriptFormat.WEBVTT),
        (LINES, TranscriptFormat.LINES),
        (WHISPER, TranscriptFormat.OPENAI),
        (UTTERANCES, TranscriptFormat.UTTERANCES),
    ],
)
def test_the_content_decides_and_not_the_name(
    tmp_path: Path, name: str, text: str, recorded_as: TranscriptFormat
) -> None:
    if recorded_as is TranscriptFormat.OPENAI:
        recorded_as = TranscriptFormat.UTTERANCES  # segments that no recogniser signed
    path = tmp_path / name
    path.write_text(text, "utf-8")
    transcript = load_transcript(path)
    check(transcript)
    assert transcript.recorded_as is recorded_as
    assert transcript.name == str(path)
    assert transcript.size_bytes == len(text)
    assert load_transcript(path, name="mine").name == "mine"


@pytest.mark.parametrize("text", [SRT, VTT, WHISPER, UTTERANCES])
def test_a_clear_transcript_is_one_to_those_who_ask_for_a_document(text: str) -> None:
    for document in (document_from_text(text), load_document_bytes(text.encode(), "a.txt")):
        assert isinstance(document, Transcript)
        assert document.format is Format.TRANSCRIPT
        assert document.size_bytes == len(text)
        assert document.text.startswith("Hello.")


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        '{"text": "Hello."}',
        '{"segments": "none", "text": "Hello."}',
        '{"claims": [{"text": "Hello.", "quote": "Hello."}]}',
        '[{"text": "Hello."}]',
        '{"words": ["Hello"]}',
        '{"segments": [1, 2]}',
        '{"results": {"hits": []}, "text": "x"}',
        '{"text": [' + "[" * 100_000,
        '{"text": "cut off',
        "[]",
        "{}",
    ],
)
def test_other_text_stays_plain_text_to_them(text: str) -> None:
    document = load_document_bytes(text.encode(), "data.txt")
    assert type(document) is Document
    assert document.format is Format.PLAIN_TEXT
    assert document.text == text


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(VTT.encode())))
    assert load_transcript("-").name == "stdin"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(DocumentParsingError, match="Standard input is empty"):
        load_transcript("-")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty (0 bytes)"),
        (b" \n\t", "the transcript is empty"),
        (b"%PDF-1.7 ...", "this is a PDF file, not a transcript. Supported: JSON of OpenAI"),
        (b"\x89PNG....", "this is an image"),
        (b"<!doctype html><p>Hi", "this is a web page, not a transcript"),
        (b"[00:01] a\x00b", "byte 0x00"),
        (b"\xff\xfe\xff", "not valid"),
        (b"{}", "JSON, but of no recogniser that is known"),
        (b"[1, 2, 3]", "JSON, but of no recogniser that is known"),
        (b'{"segments": "text"}', "`segments` is no list"),
        (b'{"transcription": {}}', "`transcription` is no list"),
        (b'{"text": "cut off', "line 1 column 10 cannot be read (Unterminated string"),
        (b'{"start": 1, "text": "a"}\n{"start": 2, "te', "line 2 cannot be read"),
        (b'{"segments": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"start": ' + b"1" * 5_000 + b', "text": "a"}', "a number that is too long"),
        (b"[0:01] " + b"a" * 5_000, "larger than the limit"),
    ],
)
def test_what_is_no_transcript(data: bytes, message: str) -> None:
    limits = SourceLimits(max_bytes=4_000) if data.endswith(b"aaaa") else SourceLimits()
    with pytest.raises(DocumentParsingError) as caught:
        load_transcript_bytes(data, "talk.json", limits=limits)
    assert message in str(caught.value)
    assert str(caught.value).startswith("talk.json: ")


def test_a_text_over_the_limit_of_characters() -> None:
    limits = SourceLimits(max_text_chars=10)
    with pytest.raises(DocumentParsingError, match="over the limit of 10"):
        transcript_from_text("[0:01] " + "word " * 9, limits=limits)


@pytest.mark.no_cover
def test_a_long_talk_is_read_whole() -> None:
    text = " ".join(f"word{i % 500}" for i in range(20_000))
    words = timed(text)
    parts = [
        {"text": " ".join(w["word"] for w in words[i : i + 10]), "start": words[i]["start"]}
        for i in range(0, len(words), 10)
    ]
    transcript = transcript_from_text(json.dumps({"segments": parts, "words": words}))
    check(transcript)
    assert len(transcript.words) == len(words)
    assert transcript.text == text


@pytest.mark.no_cover
def test_a_hundred_thousand_cues() -> None:
    cue = "00:00:01,000 --> 00:00:02,000\nHello there {}.\n\n"
    transcript = transcript_from_text("".join(cue.format(i) for i in range(100_000)))
    assert len(transcript.segments) == 100_000
