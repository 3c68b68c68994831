"""Transcripts that are handed in: as text, as a file, or as a document of the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.service.errors import NotFoundError
from veridical.sources.encoding import decode
from veridical.sources.limits import MEBIBYTE, SourceLimits
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript_bytes, transcript_from_text
from veridical.store.shelf import Shelf

MAX_TRANSCRIPT_BYTES = 16 * MEBIBYTE

_LIMITS = SourceLimits(max_bytes=MAX_TRANSCRIPT_BYTES, max_text_chars=MAX_TRANSCRIPT_BYTES)


@dataclass(frozen=True, slots=True)
class TranscriptInput:
    """A transcript: its `text` (of any supported form), its file, or the document that holds it."""

    text: str = ""
    name: str = ""
    document_id: str = ""
    content: bytes = b""


def read_transcript(given: Mapping[str, Any]) -> Transcript:
    """The transcript that a request holds. Raises DocumentParsingError where it is none."""
    return transcript_from_text(given["text"], given["name"], limits=_LIMITS)


def taken_transcript(shelf: Shelf, asked: TranscriptInput) -> tuple[dict[str, Any], Transcript]:
    """A transcript as it is kept with the request, and read.

    Raises ValidationError and DocumentParsingError for what is none, NotFoundError for a document
    that is not there.
    """
    given = [bool(asked.text.strip()), bool(asked.content), bool(asked.document_id)]
    if sum(given) != 1:
        raise ValidationError(
            "transcript: give one of the three: its text, its file, or the id of the document that "
            "holds it"
        )
    name = one_line(asked.name) or "transcript"
    if asked.document_id:
        return _stored_transcript(shelf, asked.document_id)
    if asked.content:
        return _transcript_of_file(asked.content, name)
    kept = {"name": name, "text": asked.text}
    return kept, read_transcript(kept)


def _transcript_of_file(content: bytes, name: str) -> tuple[dict[str, Any], Transcript]:
    read = load_transcript_bytes(content, name, limits=_LIMITS)
    return {"name": name, "text": decode(content, name)}, read


def _stored_transcript(shelf: Shelf, document_id: str) -> tuple[dict[str, Any], Transcript]:
    """The transcript in a document: of its file where there is one, which has all its times."""
    shown = shelf.documents.get(document_id)
    document = None if shown is None else shelf.documents.read(document_id)
    if shown is None or shown.ready is None or document is None:
        raise NotFoundError(f"There is no document {document_id!r} that could be read.")
    upload = shelf.documents.file_of(document_id, shown.ready.version)
    content = None if upload is None else shelf.documents.upload_content(upload.id)
    if content is not None:
        return _transcript_of_file(content, shown.filename)
    kept = {"name": shown.filename, "text": document.text}
    return kept, read_transcript(kept)


def one_line(text: str) -> str:
    """Text on one line, without what no database holds."""
    return " ".join(text.replace("\0", " ").encode("utf-8", "replace").decode().split())
