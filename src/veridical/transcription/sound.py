"""The sound of a recording: what ffmpeg makes of whatever file was given, a piece at a time.

The file may be hostile. So ffmpeg reads containers of sound and video only, none that name other
files or addresses, gets no key in its environment, and has an end in time and in bytes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import wave
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from veridical.errors import ConfigurationError, DocumentParsingError, ProcessingError
from veridical.models.settings import KEY_VARIABLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.int16]

RATE = 16_000
"""Samples a second, one channel: what recognisers are trained on."""

MAX_SECONDS = 10 * 3600
"""A longer recording is refused."""

_SECONDS_ALLOWED = 300.0
_FORMATS = (
    "aac,ac3,aiff,amr,asf,au,avi,caf,flac,flv,m4a,matroska,mov,mp3,mp4,mpeg,mpegts,ogg,w64,wav,webm"
)
_DURATION = re.compile(rb"(?m)^  Duration: (\d{2,3}):(\d\d):(\d\d\.\d+)")
_INSTALL = (
    "On Debian and Ubuntu: sudo apt-get install ffmpeg; on macOS: brew install ffmpeg; "
    "on Windows: winget install ffmpeg"
)

_SUFFIXES = frozenset(
    ".3gp .aac .aif .aiff .amr .asf .avi .caf .flac .flv .m4a .m4v .mkv .mov .mp3 .mp4 .mpeg .mpg "
    ".oga .ogg .ogv .opus .ts .wav .webm .wma .wmv".split()
)
_BEGINNINGS = (b"OggS\0", b"fLaC", b"\x1aE\xdf\xa3", b"FLV\1", b"caff\0\1", b"#!AMR")
_MOST_ID3 = 0x10  # its version follows the letters


def is_recording(path: str) -> bool:
    """Whether a file is sound or video by its first bytes, or else by its name and no text."""
    try:
        if not Path(path).is_file():  # a pipe can be read once
            return False
        with Path(path).open("rb") as file:
            head = file.read(4096)
    except (OSError, ValueError):
        return False
    return is_sound(head, path)


def is_sound(head: bytes, name: str) -> bool:
    """The same of the first 4,096 bytes of a file, and its name."""
    if head.startswith(_BEGINNINGS) or head[4:8] == b"ftyp":
        return True
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return True
    if head[:3] == b"ID3" and head[3:4] and head[3] < _MOST_ID3:
        return True
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI "):
        return True
    if head[:1] == b"\xff" and head[1:2] >= b"\xe0" and head[1:2] != b"\xfe":
        return True
    return Path(name).suffix.lower() in _SUFFIXES and (b"\x00" in head or not _is_text(head))


def _is_text(head: bytes) -> bool:
    try:
        head[:-4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return bool(head)


_MOST_TOLD = 65_536
"""Bytes that are kept of what ffmpeg says first, and last."""


class Recording:
    """A file of sound or video, read by ffmpeg."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Raises ConfigurationError without ffmpeg, DocumentParsingError without the file."""
        self.path = Path(path)
        self.seconds: float | None = None
        """How long it says that it is; None where it does not."""
        program = shutil.which("ffmpeg")
        if program is None:
            raise ConfigurationError(
                f"reading a recording needs ffmpeg, which is not on PATH. {_INSTALL}"
            )
        if not self.path.is_file():
            raise DocumentParsingError(
                f"{self.path}: there is no such file, or it is a folder. Check the path."
            )
        self._program = program
        if len(self.piece(MAX_SECONDS, 1.0)):
            raise DocumentParsingError(
                f"{self.path}: the recording is longer than {MAX_SECONDS // 3600} hours, the most "
                "that is read. Cut it, for example: ffmpeg -i FILE -t 36000 PART.wav"
            )

    def piece(self, start: float, seconds: float) -> Samples:
        """The samples from `start` on, `seconds` of them or as many as there are.

        Raises DocumentParsingError where the file is no sound, ProcessingError where ffmpeg takes
        too long.
        """
        import numpy as np

        command = [
            *(self._program, "-nostdin", "-hide_banner", "-protocol_whitelist", "file,pipe"),
            *("-format_whitelist", _FORMATS, "-ss", f"{start:.3f}"),
            *("-i", f"file:{self.path.absolute()}", "-map", "0:a:0", "-t", f"{seconds:.3f}"),
            # Holes, and a sound that begins late, become silence: seconds stay those of the file.
            *("-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", str(RATE)),
            *("-fs", str(2 * int(seconds * RATE)), "-f", "s16le", "pipe:1"),
        ]
        kept = {name: value for name, value in os.environ.items() if name != KEY_VARIABLE}
        told = _Told()
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=told.end, env=kept,
                timeout=_SECONDS_ALLOWED, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise ProcessingError(
                f"{self.path}: ffmpeg took longer than {_SECONDS_ALLOWED:.0f} s for a piece of it"
            ) from None
        finally:
            said = told.close()
        if done.returncode != 0 and not done.stdout and b"Output #0" not in said:
            raise DocumentParsingError(f"{self.path}: {_reason(said)}")
        if self.seconds is None and (found := _DURATION.search(said)):
            hours, minutes, rest = map(float, found.groups())
            self.seconds = hours * 3600 + minutes * 60 + rest
        most = int(seconds * RATE)
        return np.frombuffer(done.stdout[: len(done.stdout) // 2 * 2], np.int16)[:most]


class _Told:
    """What a program says on standard error, all read and its beginning and end kept: of a damaged
    file it may complain endlessly. `end` is for the program.
    """

    def __init__(self) -> None:
        self._ours, self.end = os.pipe()
        self._first, self._last = b"", b""
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        with open(self._ours, "rb", buffering=0) as pipe:  # noqa: PTH123 - no path
            while said := pipe.read(_MOST_TOLD):
                room = _MOST_TOLD - len(self._first)
                self._first += said[:room]
                self._last = (self._last + said[room:])[-_MOST_TOLD:]

    def close(self) -> bytes:
        """What was kept, when the program has ended."""
        os.close(self.end)
        self._listener.join(_SECONDS_ALLOWED)
        return self._first + self._last


def _reason(told: bytes) -> str:
    """Why ffmpeg gave no sound. Its own words are left out: they may hold what the file says."""
    if b"matches no streams" in told:
        return "there is no sound in it. Give a recording with a sound track."
    return (
        "it cannot be read as sound or video: damaged, cut off, or of another kind than its name "
        "says. Get it again, or convert it to WAV."
    )


def quietest(samples: Samples, within_seconds: float) -> int:
    """Where to cut: the quietest fifth of a second in the last `within_seconds`, in samples."""
    import numpy as np

    window = RATE // 5
    tail = samples[-int(within_seconds * RATE) :].astype(np.float64)
    count = len(tail) // window
    if count < 2:
        return len(samples)
    loudness = (tail[: count * window].reshape(count, window) ** 2).sum(axis=1)
    first = len(samples) - len(tail) + int(loudness.argmin()) * window
    return first + window // 2


def as_wav(samples: Samples) -> bytes:
    """The samples as a WAV file."""
    written = BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())
    return written.getvalue()
