"""Who hears the words of a piece of sound: faster-whisper on this machine, or a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from veridical.errors import ConfigurationError, DocumentParsingError, require_package
from veridical.models.exchange import Answer, Failure, Remedy, converse, require_client
from veridical.models.settings import ModelSettings
from veridical.sources.transcript import Segment, Transcript
from veridical.sources.transcripts.loader import load_transcript_bytes
from veridical.transcription.sound import as_wav

if TYPE_CHECKING:
    from veridical.transcription.sound import Samples

DEFAULT_LOCAL_MODEL = "small"
DEFAULT_SERVER_MODEL = "whisper-1"
_ENDPOINT = "/audio/transcriptions"
_PIECE_SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said in a piece: segments as Whisper writes them, in seconds of the piece."""

    segments: list[dict[str, Any]]
    language: str | None = None
    warnings: tuple[str, ...] = ()


class Recogniser(Protocol):
    """Hears the words in one piece of sound."""

    @property
    def name(self) -> str:
        """What a kept piece is known by: another recogniser, model or language is another name."""
        ...

    def hear(self, samples: Samples) -> Heard:
        """The words of 16 kHz samples of one channel."""
        ...


class WhisperRecogniser:
    """faster-whisper with weights by folder or name; a name that is not here is fetched once."""

    def __init__(self, model: str = DEFAULT_LOCAL_MODEL, language: str | None = None) -> None:
        """Raises MissingExtraError without faster-whisper, ConfigurationError without weights."""
        require_package("faster_whisper", "Hearing a recording on this machine", "audio")
        import faster_whisper

        self.name = f"faster-whisper {model} {language or ''}".strip()
        self._language = language
        try:
            self._model: Any = faster_whisper.WhisperModel(model)
        except Exception as problem:
            raise ConfigurationError(
                f"the weights {model!r} cannot be loaded ({type(problem).__name__}): give the "
                "folder of a CTranslate2 Whisper model, or a name such as small or large-v3 and a "
                "network to fetch it once"
            ) from problem

    def hear(self, samples: Samples) -> Heard:
        """See `Recogniser.hear`."""
        import numpy as np

        sound = samples.astype(np.float32) / 32768
        found, info = self._model.transcribe(
            sound, language=self._language, word_timestamps=True, vad_filter=True
        )
        segments = [
            _segment(
                *(part.text.strip(), float(part.start), float(part.end)),
                [_word(it.word, it.start, it.end, it.probability) for it in part.words or ()],
            )
            for part in found
        ]
        return Heard(segments, info.language)


class ServerRecogniser:
    """Any server with OpenAI's `/v1/audio/transcriptions`."""

    def __init__(
        self,
        url: str,
        model: str = DEFAULT_SERVER_MODEL,
        language: str | None = None,
        *,
        api_key: str | None = None,
    ) -> None:
        """`url` ends in `/v1`, or in the endpoint itself. The key is sent there and nowhere else.

        Raises MissingExtraError without the HTTP client, ConfigurationError for an unusable URL.
        """
        require_client()
        base = url.rstrip("/").removesuffix(_ENDPOINT)
        self._settings = ModelSettings(
            model,
            base,
            api_key,
            timeout_seconds=_PIECE_SECONDS,
            total_seconds=_PIECE_SECONDS,
            max_reply_bytes=16 * 1024 * 1024,
        )
        self._language = language
        self.name = f"{self._settings.server} {model} {language or ''}".strip()

    def hear(self, samples: Samples) -> Heard:
        """See `Recogniser.hear`. Raises ModelError, or ModelUnavailable."""
        form: dict[str, Any] = {
            "model": self._settings.model,
            "response_format": "verbose_json",
            "timestamp_granularities[]": ["word", "segment"],
        }
        if self._language:
            form["language"] = self._language
        sound = {"file": ("piece.wav", as_wav(samples), "audio/wav")}
        return converse(
            self._settings,
            lambda exchange: exchange.post(_ENDPOINT, form, self._read, files=sound),
        )

    def _read(self, answer: Answer) -> Heard:
        if answer.body.strip() in (b'{"text":""}', b'{"text": ""}'):
            return Heard([])
        try:
            said = load_transcript_bytes(answer.body, "the server's answer")
        except DocumentParsingError:
            raise Failure(
                f"{self._settings.server} answered with no transcript that is known here; check "
                f"the model {self._settings.model!r} and the address",
                Remedy.CHANGE,
            ) from None
        return Heard([_plain(said, part) for part in said.segments], said.language, said.warnings)


def _plain(said: Transcript, part: Segment) -> dict[str, Any]:
    words = [
        _word(said.text[it.span.start : it.span.end], it.start, it.end, it.confidence)
        for it in said.words_in(part.span)
    ]
    return _segment(said.text[part.span.start : part.span.end], part.start, part.end, words)


def _segment(text: str, start: float | None, end: float | None, words: list[Any]) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text, "words": words}


def _word(text: str, start: Any, end: Any, sure: Any) -> dict[str, Any]:
    numbers = {"start": start, "end": end, "probability": sure}
    return {"word": text, **{k: v if v is None else round(float(v), 4) for k, v in numbers.items()}}
