"""Reading a script aloud: with espeak-ng on this machine, or with a server's speech model."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, cast

from veridical.errors import ConfigurationError, ProcessingError
from veridical.models.exchange import Answer, Failure, Remedy, converse
from veridical.models.settings import KEY_VARIABLE, ModelSettings
from veridical.speech.script import WORDS_PER_MINUTE

ESPEAK = "espeak-ng"
SPEECH_MODEL_VARIABLE = "VERIDICAL_SPEECH_MODEL"

MAX_TEXT_CHARS = 30_000
"""About half an hour of speech."""

MAX_AUDIO_BYTES = 100 * 1024 * 1024

_ESPEAK_SECONDS = 120.0
_DEFAULT_LANGUAGE = "en"
_DEFAULT_API_VOICE = "alloy"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+_-]{0,63}")

_UNSPOKEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\[\]]")
"""What espeak-ng obeys instead of reading it: embedded commands begin with a control character,
and `[[...]]` holds phonemes. Nothing of it is heard anyway."""

_WAV_HEADER_BYTES = 44


class Engine(StrEnum):
    """Who speaks. AUTO is espeak-ng where it is installed, else a server where one is set."""

    AUTO = "auto"
    ESPEAK = "espeak"
    API = "api"


@dataclass(frozen=True, slots=True)
class Audio:
    """A whole sound file: its bytes, and the suffix of its format, such as `.wav`."""

    data: bytes
    suffix: str
    engine: Engine


def speech_settings(
    model: str | None = None,
    base_url: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> ModelSettings | None:
    """The server's speech model, from VERIDICAL_SPEECH_MODEL; None where none is named.

    Address and key are those of `ModelSettings.from_environment`, which says what it raises.
    """
    variables = os.environ if environ is None else environ
    if not (model or variables.get(SPEECH_MODEL_VARIABLE, "")).strip():
        return None
    return ModelSettings.from_environment(
        model, base_url, variables, model_variable=SPEECH_MODEL_VARIABLE
    )


def speak(
    text: str,
    *,
    engine: str = Engine.AUTO,
    voice: str | None = None,
    language: str | None = None,
    settings: ModelSettings | None = None,
) -> Audio:
    """The sound of `text` read aloud, as text: markup and commands in it mean nothing.

    `voice` is one that the engine knows; `language`, such as `el`, is for espeak-ng, which takes
    English without it. `settings` name the server's speech model, by default `speech_settings()`.
    Without an engine to choose, nothing leaves this machine where espeak-ng is installed.

    Raises ConfigurationError where there is no such engine or voice, or the text is empty or too
    long; ProcessingError where espeak-ng fails; ModelError where the server does.
    """
    chosen = _engine(engine)
    if not _spoken(text):
        raise ConfigurationError("there is nothing to say: the text is empty")
    if len(text) > MAX_TEXT_CHARS:
        raise ConfigurationError(
            f"the text is longer than {MAX_TEXT_CHARS:,} characters; speak it in parts"
        )
    program = shutil.which(ESPEAK) if chosen is not Engine.API else None
    if program is not None:
        return Audio(_espeak(program, text, voice or language), ".wav", Engine.ESPEAK)
    if chosen is Engine.ESPEAK:
        raise ConfigurationError(f"{ESPEAK} is not installed. {_INSTALL}")
    settings = settings or speech_settings()
    if settings is None:
        raise ConfigurationError(_NO_API if chosen is Engine.API else _NEITHER)
    return _from_server(text, voice or _DEFAULT_API_VOICE, settings)


_INSTALL = f"On Debian and Ubuntu: sudo apt-get install {ESPEAK}; on macOS: brew install {ESPEAK}"
_NO_API = (
    f"no speech model is named: set {SPEECH_MODEL_VARIABLE}, and VERIDICAL_BASE_URL or "
    "VERIDICAL_API_KEY for an OpenAI-compatible server with /v1/audio/speech"
)
_NEITHER = f"nothing to speak with. Either install {ESPEAK} ({_INSTALL}), or {_NO_API}"


def _engine(name: str) -> Engine:
    try:
        return Engine(name)
    except ValueError:
        known = ", ".join(Engine)
        raise ConfigurationError(f"unknown speech engine {name!r}; there are: {known}") from None


def _spoken(text: str) -> str:
    return _UNSPOKEN.sub(" ", text).strip()


def _espeak(program: str, text: str, voice: str | None) -> bytes:
    # Names of voices end up on the command line, the text does not.
    voice = _DEFAULT_LANGUAGE if voice is None else voice.replace("_", "-")
    if not _NAME.fullmatch(voice):
        raise ConfigurationError(f"{voice[:80]!r} cannot be a voice or a language of {ESPEAK}")
    code, data = _run([program, "-v", voice, "-s", str(WORDS_PER_MINUTE), "-b", "1"], text)
    if code > 0:
        raise ConfigurationError(
            f"{ESPEAK} cannot speak with the voice {voice!r} (exit code {code}); "
            f"`{ESPEAK} --voices` lists what it has"
        )
    if code < 0:
        raise ProcessingError(f"{ESPEAK} took longer than {_ESPEAK_SECONDS:.0f} s; give less text")
    if len(data) > MAX_AUDIO_BYTES:
        raise ProcessingError(
            f"{ESPEAK} gave more than {MAX_AUDIO_BYTES // 1024 // 1024} MB of sound; give less text"
        )
    if _suffix(data) != ".wav" or len(data) <= _WAV_HEADER_BYTES:
        raise ProcessingError(f"{ESPEAK} gave no sound for this text")
    return _with_sizes(data)


def _run(command: list[str], text: str) -> tuple[int, bytes]:
    """The exit code and the sound, as far as it is allowed to go; below 0 if it took too long."""
    with TemporaryFile() as script:
        script.write(_spoken(text).encode())
        script.seek(0)
        with subprocess.Popen(
            [*command, "--stdin", "--stdout"],
            stdin=script,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name != KEY_VARIABLE},
        ) as process:
            watch = Timer(_ESPEAK_SECONDS, process.kill)
            watch.start()
            try:
                data = cast("IO[bytes]", process.stdout).read(MAX_AUDIO_BYTES + 1)
                if len(data) > MAX_AUDIO_BYTES:
                    process.kill()
                    return 0, data
                return process.wait(), data
            finally:
                watch.cancel()


def _from_server(text: str, voice: str, settings: ModelSettings) -> Audio:
    settings = replace(settings, max_reply_bytes=MAX_AUDIO_BYTES)

    body = {
        "model": settings.model,
        "voice": voice,
        "input": _spoken(text),
        "response_format": "wav",
    }

    def read(answer: Answer) -> Audio:
        suffix = _suffix(answer.body)
        if suffix is None:
            raise Failure(
                f"{settings.server} answers with no sound that is known here; check the model "
                f"{settings.model!r} and the base URL",
                Remedy.CHANGE,
            )
        return Audio(_with_sizes(answer.body), suffix, Engine.API)

    return converse(settings, lambda exchange: exchange.post("/audio/speech", body, read))


def _suffix(data: bytes) -> str | None:
    """The format by its first bytes: servers do not all give the one that was asked for."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return ".wav"
    if data[:3] == b"ID3" or (data[:1] == b"\xff" and data[1:2] >= b"\xe0"):
        return ".mp3"
    return {b"OggS": ".ogg", b"fLaC": ".flac"}.get(data[:4])


def _with_sizes(data: bytes) -> bytes:
    """A WAV file with its sizes filled in: whoever writes to a pipe cannot know them beforehand."""
    if data[:4] != b"RIFF" or data[36:40] != b"data":
        return data
    riff = struct.pack("<I", len(data) - 8)
    sound = struct.pack("<I", len(data) - _WAV_HEADER_BYTES)
    return data[:4] + riff + data[8:40] + sound + data[_WAV_HEADER_BYTES:]
