"""Documents and transcripts of a check: chosen when it is asked for, read when it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import DocumentParsingError, NoDocumentsError, ValidationError
from veridical.service.errors import NotFoundError
from veridical.sources.document import Document
from veridical.sources.encoding import decode
from veridical.sources.limits import MEBIBYTE, SourceLimits
from veridical.sources.loader import document_from_text
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript_bytes, transcript_from_text
from veridical.store.paging import MOST_ON_A_PAGE
from veridical.store.store import Shelf

MAX_DOCUMENTS = 1_000
"""Documents that one validation looks at."""

MAX_TEXTS = 20
MAX_FILENAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class GivenText:
    """A document that is handed in with the request, and kept nowhere else."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PinnedDocument:
    """A version of a document of the workspace."""

    document_id: str
    version: int
    filename: str


def pinned(
    shelf: Shelf, document_ids: Sequence[str], texts: Sequence[GivenText]
) -> tuple[PinnedDocument, ...]:
    """The named documents in their versions of now; all of the workspace if nothing is named.

    Raises NotFoundError for one that is not there, NoDocumentsError where there is none at all, and
    ValidationError for too many, or two of one name.
    """
    _check_texts(texts)
    if document_ids:
        chosen = tuple(_named(shelf, each) for each in dict.fromkeys(document_ids))
    else:
        chosen = () if texts else _all(shelf)
    if len(chosen) > MAX_DOCUMENTS:
        raise ValidationError(
            f"there are more than {MAX_DOCUMENTS:,} documents; name those to look at"
        )
    if not chosen and not texts:
        raise NoDocumentsError(
            "the workspace has no document to check against; add one, or give a text"
        )
    names = [each.filename for each in chosen] + [text.name for text in texts]
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise ValidationError(f"two documents are named {twice!r}; rename one")
    return chosen


def read_documents(shelf: Shelf, request: Mapping[str, Any]) -> tuple[Document, ...]:
    """The documents of a validation's request, in their order.

    Raises DocumentParsingError for one that was taken away since, or cannot be read.
    """
    stored = [_read(shelf, each) for each in request["documents"]]
    given = [document_from_text(each["text"], each["name"]) for each in request["texts"]]
    return (*stored, *given)


def _read(shelf: Shelf, chosen: Mapping[str, Any]) -> Document:
    document = shelf.documents.read(chosen["document_id"], chosen["version"])
    if document is None:
        raise DocumentParsingError(
            f"{chosen['filename']}: the document was deleted since the validation was asked for"
        )
    return document


def _named(shelf: Shelf, document_id: str) -> PinnedDocument:
    shown = shelf.documents.get(document_id)
    if shown is None or shown.ready is None:
        raise NotFoundError(f"There is no document {document_id!r} that could be read.")
    return PinnedDocument(document_id, shown.ready.version, shown.filename)


def _all(shelf: Shelf) -> tuple[PinnedDocument, ...]:
    """All ready documents of the workspace, up to one more than is allowed."""
    found: list[PinnedDocument] = []
    after: str | None = None
    while len(found) <= MAX_DOCUMENTS:
        page = shelf.documents.page(limit=MOST_ON_A_PAGE, after=after)
        found += [
            PinnedDocument(shown.document_id, shown.ready.version, shown.filename)
            for shown in page.items
            if shown.ready is not None
        ]
        after = page.next
        if after is None:
            break
    return tuple(found)


def _check_texts(texts: Sequence[GivenText]) -> None:
    if len(texts) > MAX_TEXTS:
        raise ValidationError(f"texts: {len(texts)}, the limit is {MAX_TEXTS}")
    for text in texts:
        if not text.name.strip() or len(text.name) > MAX_FILENAME_CHARS:
            raise ValidationError(
                f"texts: each needs a name of at most {MAX_FILENAME_CHARS} characters"
            )
        document_from_text(text.text, text.name)


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
