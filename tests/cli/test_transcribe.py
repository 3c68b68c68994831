"""Recordings, from espeak-ng's voice to the report: a real ffmpeg, and pocketsphinx behind a server
that speaks `/v1/audio/transcriptions`.

Needs espeak-ng and ffmpeg; `scripts/ensure_espeak.sh` and `scripts/ensure_ffmpeg.sh` install them
where they may.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import tracemalloc
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import pytest
from tests.cli.harness import complaint, invoke

from veridical.errors import DocumentParsingError, OutputError
from veridical.sources.transcripts.loader import load_transcript
from veridical.transcription.recognisers import Heard
from veridical.transcription.sound import Recording, is_recording
from veridical.transcription.transcribe import transcribe

pytestmark = pytest.mark.skipif(
    not (shutil.which("espeak-ng") and shutil.which("ffmpeg"))
    and not os.environ.get("CI")
    and not os.environ.get("REQUIRE_FFMPEG"),
    reason="espeak-ng or ffmpeg is missing: run scripts/ensure_ffmpeg.sh",
)

KEY = "sk-secret-0123456789"
TALK = (
    "When I was a child the river was our school. We learned to swim and we learned to wait. "
    "One day the water came up to the house. So go home tonight and call your family. Thank you."
)


@cache  # the same sound is heard the same again, and hearing is slow
def recognised(frames: bytes) -> list[dict[str, Any]]:
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(frames, full_utt=True)
    decoder.end_utt()
    return [
        {
            "word": re.sub(r"\(\d+\)$", "", part.word),
            "start": part.start_frame / 100,
            "end": (part.end_frame + 1) / 100,
            "probability": 0.2 if len(part.word) > 3 else 0.9,
        }
        for part in decoder.seg()
        if part.word[0] not in "<["
    ]


class Server:
    """What was asked, and how many pieces are heard before the server fails for good."""

    def __init__(self) -> None:
        self.forms: list[dict[str, list[bytes]]] = []
        self.keys: list[str] = []
        self.dies_after = 1000
        self.url = ""
        self._lock = Lock()

    def hear(self, data: bytes) -> dict[str, Any]:
        with wave.open(io.BytesIO(data)) as file:
            assert (file.getframerate(), file.getnchannels()) == (16000, 1)
            frames, seconds = file.readframes(file.getnframes()), file.getnframes() / 16000
        with self._lock:
            words = recognised(frames)
        text = " ".join(str(word["word"]) for word in words)
        segment = {"start": 0.0, "end": seconds, "text": text, "words": words}
        return {
            "task": "transcribe",
            "language": "en",
            "duration": seconds,
            "text": text,
            "segments": [segment] if words else [],
        }


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.keys.append(self.headers["Authorization"])
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            form: dict[str, list[bytes]] = {}
            for part in BytesParser().parsebytes(head + body).get_payload():
                name = part.get_param("name", header="content-disposition")  # type: ignore[union-attr]
                form.setdefault(str(name), []).append(part.get_payload(decode=True))  # type: ignore[arg-type, union-attr]
            server.forms.append(form)
            alive = len(server.forms) <= server.dies_after
            found = server.hear(form["file"][0]) if alive else {"error": {"message": "no"}}
            reply = json.dumps(found).encode()
            self.send_response(
                200 if alive and self.path.endswith("/v1/audio/transcriptions") else 400
            )
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        server.url = f"http://127.0.0.1:{http.server_port}/v1"
        yield server
        http.shutdown()


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VERIDICAL_MODEL", "VERIDICAL_BASE_URL", "VERIDICAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def spoken(name: str, text: str = TALK) -> Path:
    subprocess.run(["espeak-ng", "-s", "130", "-w", "voice.wav", text], check=True)
    ffmpeg("-i", "voice.wav", name)
    return Path(name)


def ffmpeg(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *arguments], check=True)


def complaint_of(*arguments: str) -> str:
    done = invoke(*arguments)
    assert done.exit_code == 2, done.output
    return complaint(done.stderr)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [("talk.mp3", TALK, 20), ("talk.m4a", "we learned that", 1), ("talk.mkv", "go home now", 1)],
)
def test_a_recording_becomes_a_transcript_with_the_second_of_every_word(
    name: str, text: str, words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDICAL_API_KEY", KEY)
    spoken(name, text)
    with serving() as server:
        done = invoke("transcribe", name, "-o", "t.json", "--transcriber", server.url)
    assert done.exit_code == 0, done.output
    said = load_transcript("t.json")
    assert said.precision == "word"
    assert len(said.words) > words
    starts = [word.start for word in said.words]
    assert None not in starts
    assert starts == sorted(starts)  # type: ignore[type-var]
    assert server.keys == [f"Bearer {KEY}"]
    assert server.forms[0]["timestamp_granularities[]"] == [b"word", b"segment"]
    assert server.forms[0]["response_format"] == [b"verbose_json"]
    assert "warning: the recogniser was unsure of" in done.stderr
    assert KEY not in Path("t.json").read_text("utf-8") + done.output
    assert not Path("t.json.partial").exists()


def test_a_server_that_dies_half_way_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(transcribe.__kwdefaults__, "piece_seconds", 4.0)
    spoken("talk.mp3")
    with serving() as server:
        command = ("transcribe", "talk.mp3", "--transcriber", server.url, "-o")
        assert invoke(*command, "whole.json").exit_code == 0
        pieces = len(server.forms)
        assert pieces >= 4
        server.dies_after = pieces + 2
        assert "refuses the request" in complaint_of(*command, "t.json")
        assert not Path("t.json").exists()
        kept = Path("t.json.partial")
        kept.write_text(kept.read_text("utf-8") + '{"start": 9', "utf-8")  # killed while writing
        server.dies_after, before = 1000, len(server.forms)
        done = invoke(*command, "t.json")
        assert done.exit_code == 0, done.output
        assert len(server.forms) - before == pieces - 2
    assert "Gone on from" in done.stderr
    assert not kept.exists()
    assert Path("t.json").read_bytes() == Path("whole.json").read_bytes()
    said = load_transcript("t.json")
    assert said.end == pytest.approx(Recording("talk.mp3").seconds, abs=0.3)


def test_what_was_kept_of_another_recording_is_not_used() -> None:
    first, second = spoken("a.wav", "we went to the river"), spoken("b.wav", "go home now")

    class Counting:
        name = "counting"
        asked = 0

        def hear(self, samples: object) -> Heard:
            self.asked += 1
            return Heard([{"start": 0.0, "end": 1.0, "text": f"piece {self.asked}", "words": []}])

    counting, kept = Counting(), Path("kept")
    transcribe(first, counting, partial=kept)
    assert transcribe(first, counting, partial=kept).resumed_seconds > 0
    assert counting.asked == 1
    assert transcribe(second, counting, partial=kept).data["text"] == "piece 2"


def test_a_speech_is_evaluated_from_its_recording() -> None:
    spoken("talk.mp3")
    with serving() as server:
        done = invoke(
            *("speech", "evaluate", "talk.mp3", "--transcriber", server.url),
            *("-o", "e.json", "--transcript", "t.json"),
        )
    assert done.exit_code in (0, 1), done.output
    assert json.loads(Path("e.json").read_text("utf-8"))["evidence"]
    assert load_transcript("t.json").words
    again = invoke("speech", "evaluate", "t.json", "-o", "again.json")
    assert again.exit_code == done.exit_code
    kept = json.loads(Path("t.json").read_text("utf-8"))
    for word in (word for segment in kept["segments"] for word in segment["words"]):
        word["probability"] = 0.2
    Path("t.json").write_text(json.dumps(kept), "utf-8")
    doubted = invoke("speech", "evaluate", "t.json", "-o", "again.json")
    assert re.search(r"item \d rests on words of which the recogniser was unsure", doubted.stderr)
    told = invoke("speech", "check", "t.json", "again.json", "--format", "json")
    assert '"unsure_words"' in told.stdout


# --- bad input ------------------------------------------------------------------------------------


def test_silence_is_told_and_never_sent() -> None:
    ffmpeg("-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "12", "silent.mp3")
    with serving() as server:
        told = complaint_of("transcribe", "silent.mp3", "-o", "t.json", "--transcriber", server.url)
        assert server.forms == []
    assert "no speech was heard" in told


def test_files_that_are_no_sound_are_told(tmp_path: Path) -> None:
    spoken("good.m4a", "go home now")
    Path("cut.m4a").write_bytes(Path("good.m4a").read_bytes()[:600])
    Path("paper.mp3").write_bytes(b"%PDF-1.7\n\x00" + bytes(2000))
    Path("list.wav").write_text("#EXTM3U\n#EXTINF:1,\n/etc/hostname\n", "utf-8")
    Path("many.wav").write_text("ffconcat version 1.0\nfile good.m4a\n", "utf-8")
    server = "http://127.0.0.1:9/v1"
    for name in ("cut.m4a", "paper.mp3", "list.wav", "many.wav"):
        told = complaint_of("transcribe", name, "-o", "t.json", "--transcriber", server)
        assert "cannot be read as sound or video" in told, name
    ffmpeg("-f", "lavfi", "-i", "color=c=black:s=64x64:d=1", "mute.mkv")
    told = complaint_of("transcribe", "mute.mkv", "-o", "t.json", "--transcriber", server)
    assert "no sound in it" in told
    told = complaint_of("transcribe", "none.wav", "-o", "t.json", "--transcriber", server)
    assert "no such file" in told


def test_content_tells_what_a_file_is_and_not_its_name() -> None:
    recording = spoken("talk.wav", "go home now").rename("talk.json")
    Path("lines.mp3").write_text("[00:01] ANNA: We went to the river.\n", "utf-8")
    assert is_recording("talk.json")
    assert len(Recording(recording).piece(0, 60)) > 8000
    assert not is_recording("lines.mp3")
    told = complaint_of("speech", "evaluate", "lines.mp3", "--transcriber", "http://x/v1")
    assert "is no recording" in told


def test_without_ffmpeg_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken("talk.wav", "go home now")
    monkeypatch.setenv("PATH", "")
    command = ("transcribe", "talk.wav", "-o", "t.json", "--transcriber", "http://127.0.0.1:9/v1")
    assert "apt-get install ffmpeg" in complaint_of(*command)


def test_without_a_recogniser_the_message_names_the_extra() -> None:
    spoken("talk.wav", "go home now")
    try:
        import faster_whisper  # noqa: F401
    except ImportError:
        told = complaint_of("speech", "evaluate", "talk.wav")
        assert "pip install 'veridical[audio]'" in told


def test_more_than_ten_hours_are_refused_before_any_work() -> None:
    with wave.open("long.wav", "wb") as file:
        file.setparams((1, 1, 100, 0, "NONE", ""))
        file.writeframes(bytes(100 * 36_010))
    told = complaint_of(
        *("transcribe", "long.wav", "-o", "t.json", "--transcriber", "http://127.0.0.1:9/v1")
    )
    assert "longer than 10 hours" in told


class Lengths:
    """Hears how long each piece is."""

    name = "lengths"

    def hear(self, samples: Any) -> Heard:
        return Heard([{"start": 0.0, "end": len(samples) / 16_000, "text": "Said.", "words": []}])


@pytest.mark.parametrize(
    ("late", "filters"), [("10", "anull"), ("0", "asetpts='PTS+gte(T,30)*10/TB'")]
)
def test_sound_that_begins_late_or_has_a_hole_is_heard_to_its_end(late: str, filters: str) -> None:
    ffmpeg("-f", "lavfi", "-i", "sine=d=70", "-ar", "8000", "tone.wav")
    picture = ("-f", "lavfi", "-i", "color=s=16x16:r=1:d=80")
    ffmpeg(
        *("-itsoffset", late, "-i", "tone.wav", *picture, "-af", filters),
        *("-map", "1:v", "-map", "0:a", "-c:a", "aac", "film.mkv"),
    )
    made = transcribe("film.mkv", Lengths(), piece_seconds=30.0)
    assert made.data["duration"] == pytest.approx(80, abs=0.5)
    assert len(made.data["segments"]) >= 3
    assert made.warnings == ()


def test_a_file_beside_the_output_that_is_not_ours_is_left_alone() -> None:
    spoken("talk.wav")
    Path("talk.json.partial").write_text("my notes\n", "utf-8")
    with pytest.raises(OutputError, match="no part of a transcript"):
        transcribe("talk.wav", Lengths(), partial=Path("talk.json.partial"))
    assert Path("talk.json.partial").read_text("utf-8") == "my notes\n"


@pytest.mark.parametrize("text", ["FORMER CHIEF: We opened it.", "ID3 is the tag. We read it."])
def test_words_that_begin_like_a_recording_are_words(text: str) -> None:
    Path("call.txt").write_text(text, "utf-8")
    assert not is_recording("call.txt")
    os.mkfifo("pipe")
    assert not is_recording("pipe")


def test_of_a_partial_file_that_was_damaged_the_good_pieces_are_kept() -> None:
    ffmpeg("-f", "lavfi", "-i", "sine=d=70", "-ar", "8000", "tone.wav")
    partial = Path("tone.json.partial")
    whole = transcribe("tone.wav", Lengths(), partial=partial, piece_seconds=20.0)
    lines = partial.read_bytes().splitlines(keepends=True)
    partial.write_bytes(lines[0] + lines[1] + b"\xff not JSON\n" + lines[2])
    again = transcribe("tone.wav", Lengths(), partial=partial, piece_seconds=20.0)
    assert again.resumed_seconds == json.loads(lines[1])["end"]
    assert again.data == whole.data
    assert partial.read_bytes().splitlines(keepends=True) == lines


def test_of_what_ffmpeg_says_without_end_only_beginning_and_end_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken("talk.wav")
    program = tmp_path / "bin/ffmpeg"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        'echo "  Duration: 00:00:07.50, start: 0" >&2\n'
        "head -c 60000000 /dev/zero >&2\n"
        'case "$*" in *"-ss 0.000"*) echo "Output #0" >&2; head -c 32000 /dev/zero;; esac\n'
        "exit 1\n",
        "utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    tracemalloc.start()
    try:
        with pytest.raises(DocumentParsingError, match="cannot be read as sound"):
            Recording("talk.wav")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    program.write_text(program.read_text("utf-8").replace("exit 1", "exit 0"), "utf-8")
    recording = Recording("talk.wav")
    assert len(recording.piece(0, 1)) == 16_000
    assert recording.seconds == 7.5
