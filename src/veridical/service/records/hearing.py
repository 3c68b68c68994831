"""Recordings that were given without a transcript are heard before their record is made."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from veridical.errors import DocumentParsingError, ProcessingError
from veridical.models.settings import KEY_VARIABLE
from veridical.service.jobs.workers import Doing
from veridical.service.settings import ServiceSettings
from veridical.store.records import Record

if TYPE_CHECKING:
    from veridical.transcription.recognisers import Recogniser


def heard(doing: Doing, record: Record) -> Record:
    """The record with its transcript, which is kept: one that has none is heard.

    Raises ProcessingError where the recording is gone, and what `transcribe` raises.
    """
    if record.request["transcript"] is not None:
        return record
    recording = doing.shelf.recordings.of_record(record.id)
    if recording is None:
        raise ProcessingError("The recording is not kept any more. Give it once again.")
    name = recording.filename
    text = doing.steps.once("transcript", lambda: _hear(doing, record.id, name))
    kept = {"name": name, "text": text}

    def with_transcript(request: dict[str, Any]) -> dict[str, Any]:
        return {**request, "transcript": kept}

    changed = doing.shelf.records.change(record.kind, record.id, "request", with_transcript)
    if changed is None:
        raise ProcessingError("what this job was to do was deleted")
    return changed


def _hear(doing: Doing, record_id: str, name: str) -> str:
    from veridical.transcription.transcribe import transcribe

    def on_piece(done: float, seconds: float | None) -> None:
        doing.tell(int(done), int(seconds or done + 1), "hearing the recording, in seconds")

    with TemporaryDirectory() as folder:
        path = Path(folder) / "recording"
        path.write_bytes(doing.shelf.recordings.content(record_id))
        try:
            done = transcribe(path, _recogniser(doing.settings), on_piece=on_piece)
        except DocumentParsingError as problem:
            raise DocumentParsingError(str(problem).replace(str(path), name)) from None
    return json.dumps(done.data)


def _recogniser(settings: ServiceSettings) -> Recogniser:
    from veridical.transcription import recognisers as known

    if settings.transcriber is None:
        return known.WhisperRecogniser()
    key = os.environ.get(KEY_VARIABLE, "").strip() or None
    return known.ServerRecogniser(settings.transcriber, api_key=key)
