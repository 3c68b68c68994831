"""Reading aloud: with the real espeak-ng, and with a server that is really asked.

Needs espeak-ng; `scripts/ensure_espeak.sh` installs it where it may.
"""

from __future__ import annotations

import io
import os
import shutil
import wave
from pathlib import Path

import pytest
from tests.models import faulty_server as faulty
from tests.models.faulty_server import Act, answer, error, serve

from veridical.errors import ConfigurationError, ModelError, ModelUnavailable, ProcessingError
from veridical.models.settings import ModelSettings
from veridical.speech import audio
from veridical.speech.audio import Audio, Engine, speak, speech_settings

KEY = "sk-secret-0123456789"
VARIABLES = ("VERIDICAL_SPEECH_MODEL", "VERIDICAL_BASE_URL", "VERIDICAL_API_KEY")

needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None
    and not os.environ.get("CI")
    and not os.environ.get("REQUIRE_ESPEAK"),
    reason="espeak-ng is missing: run scripts/ensure_espeak.sh",
)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_espeak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which espeak-ng is not installed."""
    monkeypatch.setenv("PATH", str(tmp_path))


def seconds(sound: Audio) -> float:
    with wave.open(io.BytesIO(sound.data)) as file:
        return file.getnframes() / file.getframerate()


@needs_espeak
class TestEspeak:
    def test_a_sentence(self) -> None:
        sound = speak("You said that the river was our school, and that was a fine beginning.")
        assert (sound.suffix, sound.engine) == (".wav", Engine.ESPEAK)
        assert 3 < seconds(sound) < 8
        with wave.open(io.BytesIO(sound.data)) as file:
            frames = file.readframes(file.getnframes())
        assert len(set(frames)) > 100, "it is not silence"
        assert len(frames) == len(sound.data) - 44, "the sizes in the header are right"
        assert speak("Well done.", engine="espeak") == speak("Well done.")

    @pytest.mark.parametrize(
        ("text", "spoken_as"),
        [
            ("Well [[h@l@U]] done", "Well   h@l@U   done"),
            ("Well \x01250S done", "Well 250S done"),
            ("Well\x00 done\x7f", "Well done"),
            ("Well \ud800done", "Well done"),
            ("\ufeffWell done", "Well done"),
        ],
    )
    def test_commands_in_a_text_are_not_obeyed(self, text: str, spoken_as: str) -> None:
        assert speak(text).data == speak(spoken_as).data

    @pytest.mark.parametrize(
        "text", ["--help", "-v el", "-w /tmp/x.wav", '<speak><break time="60s"/>hi</speak>']
    )
    def test_options_and_markup_in_a_text_are_read_out(self, text: str) -> None:
        assert 0.3 < seconds(speak(text)) < 30

    @pytest.mark.parametrize("voice", ["-w", "--help", "a b", "../../etc/passwd", "a;b", "v" * 99])
    def test_a_voice_that_cannot_be_one(self, voice: str) -> None:
        with pytest.raises(ConfigurationError, match="voice"):
            speak("hello", voice=voice)

    @pytest.mark.parametrize("text", ["hello", "hello " * 4_000])
    def test_a_voice_that_there_is_not(self, text: str) -> None:
        with pytest.raises(ConfigurationError, match=r"'tlh-none' .*espeak-ng --voices"):
            speak(text, voice="tlh-none")

    def test_more_sound_than_is_allowed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(audio, "MAX_AUDIO_BYTES", 200_000)
        with pytest.raises(ProcessingError, match="give less text"):
            speak("one two three " * 500)

    def test_the_key_is_not_handed_on(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """A program in the place of espeak-ng that tells what it was given."""
        real = shutil.which("espeak-ng")
        program = tmp_path / "espeak-ng"
        program.write_text(f'#!/bin/sh\n/usr/bin/env > "{tmp_path}/env"\nexec {real} "$@"\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("VERIDICAL_API_KEY", KEY)
        speak("hello")
        assert KEY not in (tmp_path / "env").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("script", "message"), [("sleep 60", "took longer"), ("exit 0", "no sound")]
    )
    def test_a_program_that_fails(
        self, script: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        program = tmp_path / "espeak-ng"
        program.write_text(f"#!/bin/sh\nexec {script}\n" if "sleep" in script else "#!/bin/sh\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setattr(audio, "_ESPEAK_SECONDS", 0.2)
        with pytest.raises(ProcessingError, match=message):
            speak("hello")


@pytest.fixture(scope="module")
def sound() -> bytes:
    """A WAV file as a server streams it: with sizes that it does not know yet."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(8_000)
        writer.writeframes(b"\x01\x02" * 8_000)
    data = bytearray(file.getvalue())
    data[4:8] = data[40:44] = b"\xff\xff\xff\xff"
    return bytes(data)


def settings_at(url: str, **allowed: float) -> ModelSettings:
    values = {"timeout_seconds": 10.0, "total_seconds": 20.0, "backoff_seconds": 0.01} | allowed
    return ModelSettings("tts-1", url, KEY, **values)


@pytest.mark.usefixtures("no_espeak")
def test_a_server_speaks_where_espeak_is_missing(
    sound: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(answer(sound, content_type="audio/wav")) as server:
        monkeypatch.setenv("VERIDICAL_SPEECH_MODEL", "tts-1")
        monkeypatch.setenv("VERIDICAL_BASE_URL", server.url)
        monkeypatch.setenv("VERIDICAL_API_KEY", KEY)
        spoken = speak("Well done.", voice="nova")
    assert (spoken.suffix, spoken.engine) == (".wav", Engine.API)
    assert seconds(spoken) == 1.0
    (received,) = server.received
    assert received.path == "/v1/audio/speech"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "model": "tts-1",
        "voice": "nova",
        "input": "Well done.",
        "response_format": "wav",
    }


@pytest.mark.parametrize(
    ("start", "suffix"),
    [(b"ID3\x04", ".mp3"), (b"\xff\xfb\x90", ".mp3"), (b"OggS", ".ogg"), (b"fLaC", ".flac")],
)
def test_a_format_that_was_not_asked_for_is_named(start: bytes, suffix: str) -> None:
    data = start + b"\x00" * 50
    with serve(answer(data)) as server:
        spoken = speak("hello", engine="api", settings=settings_at(server.url))
    assert spoken == Audio(data, suffix, Engine.API)


@pytest.mark.parametrize(
    ("act", "kind", "message"),
    [
        (error(401), ModelError, "VERIDICAL_API_KEY"),
        (error(404), ModelError, "base URL"),
        (answer({"error": "no"}), ModelError, "no sound"),
        (answer(b""), ModelError, "no sound"),
        (faulty.dripping_body, ModelUnavailable, "no whole answer"),
        (faulty.flood, ModelUnavailable, "more than"),
    ],
)
def test_a_server_that_cannot(
    act: Act, kind: type[ModelError], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audio, "MAX_AUDIO_BYTES", 1_000_000)
    with serve(act) as server, pytest.raises(kind, match=message) as caught:
        speak("hello", engine="api", settings=settings_at(server.url, timeout_seconds=0.5))
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)


@pytest.mark.usefixtures("no_espeak")
@pytest.mark.parametrize(
    ("engine", "named"),
    [
        ("auto", ["apt-get install espeak-ng", "VERIDICAL_SPEECH_MODEL", "/v1/audio/speech"]),
        ("espeak", ["apt-get install espeak-ng"]),
        ("api", ["VERIDICAL_SPEECH_MODEL", "VERIDICAL_BASE_URL"]),
    ],
)
def test_nothing_to_speak_with(engine: str, named: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        speak("hello", engine=engine)
    for name in named:
        assert name in str(caught.value)


def test_settings_of_the_speech_model() -> None:
    environ = {"VERIDICAL_MODEL": "m", "VERIDICAL_API_KEY": KEY}
    assert speech_settings(environ=environ) is None
    named = speech_settings(environ=environ | {"VERIDICAL_SPEECH_MODEL": "tts"})
    assert named == ModelSettings("tts", api_key=KEY)
    given = speech_settings("other", "http://localhost/v1", environ={})
    assert given == ModelSettings("other", "http://localhost/v1")
    with pytest.raises(ConfigurationError, match="VERIDICAL_BASE_URL"):
        speech_settings("tts", environ={})


@pytest.mark.parametrize(
    ("text", "engine", "message"),
    [
        *((text, "auto", "nothing to say") for text in ("", " \n", "[[]]", "\x01\x02", "\ud800")),
        ("word " * 6_001, "auto", "30,000 characters"),
        ("hello", "siri", r"'siri'.* auto, espeak, api"),
    ],
)
def test_what_cannot_be_said(text: str, engine: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        speak(text, engine=engine)
