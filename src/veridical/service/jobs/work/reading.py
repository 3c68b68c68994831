"""A file read and cut into chunks, in a process of its own.

`read` runs in the worker; what it gives may have been written by a parser that a hostile file has
taken over, so `Read.of` trusts none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from operator import attrgetter
from pathlib import PurePath
from typing import Any

from veridical.errors import DocumentParsingError
from veridical.retrieval.chunks import Chunk, chunk_document, chunk_sha256
from veridical.sources.document import Document, Format, SourceLimits, Span
from veridical.sources.isolated import LABELS, call_isolated
from veridical.sources.loader import load_document_bytes
from veridical.sources.scans import Pages, read_image
from veridical.sources.sniff import sniff_binary
from veridical.sources.transcript import Transcript
from veridical.store.rows import PAIR, document_of, structure_of

_ENTRY = f"{__name__}:read"
_SPAN = attrgetter("span")

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read from a file."""

    document: Document
    chunks: tuple[Chunk, ...]


def read_isolated(data: bytes, name: str, limits: SourceLimits) -> Read:
    """Read a file of any format, told by its content, in a worker process with these limits.

    Raises DocumentParsingError where it cannot be read within them, or is of no kind that can be;
    ProcessingError where no worker can be started.
    """
    if len(data) > limits.max_bytes:
        raise DocumentParsingError(
            f"{name}: {len(data):,} bytes are over the limit of {limits.max_bytes:,} bytes for one "
            "document. Split the file."
        )
    binary = sniff_binary(data, name, PurePath(name).suffix)
    return call_isolated(
        _ENTRY,
        data,
        name,
        partial(_understood, name=name, size_bytes=len(data), limits=limits),
        format=binary.value if binary else None,
        label=LABELS[binary] if binary else "file",
        limits=limits,
    )


def read(data: bytes, name: str, limits: SourceLimits, recognised: Pages = None) -> Plain:
    """The document in a file and where it is cut, as plain values. Runs in the worker."""
    document = _document(data, name, limits, recognised)
    return {
        "text": document.text,
        "format": document.format.value,
        "structure": structure_of(document),
        "chunks": [
            [
                *PAIR(chunk.span),
                list(chain.from_iterable(map(PAIR, chunk.sentences))),
                PAIR(chunk.table_head) if chunk.table_head else None,
            ]
            for chunk in chunk_document(document)
        ],
    }


def _document(data: bytes, name: str, limits: SourceLimits, recognised: Pages) -> Document:
    """The document; only what may need text recognition is told what was recognised."""
    binary = sniff_binary(data, name, PurePath(name).suffix)
    if binary is Format.PDF:
        from veridical.sources.pdf import read_pdf

        return read_pdf(data, name, limits=limits, recognised=recognised)
    if binary is Format.IMAGE:
        return read_image(data, name, limits=limits, recognised=recognised)
    return load_document_bytes(data, name, limits=limits)


def _understood(
    reply: Mapping[str, Any], *, name: str, size_bytes: int, limits: SourceLimits
) -> Read:
    """What a worker replied, if it makes sense. Raises a LookupError, TypeError or ValueError."""
    text = str(reply["text"])
    text.encode()  # raises UnicodeEncodeError, a ValueError, at an unpaired surrogate
    if len(text) > limits.max_text_chars:
        raise ValueError("more text than allowed")
    document = document_of(name, text, reply["format"], size_bytes, reply["structure"])
    _require_sound(document)
    return Read(document, tuple(_chunks(document, reply["chunks"])))


def _chunks(document: Document, rows: Iterable[Any]) -> Iterable[Chunk]:
    """Chunks of a document from their offsets; what follows from these is made anew."""
    for ordinal, (start, end, sentences, head) in enumerate(rows):
        span = _inside(start, end, document)
        pairs = zip(sentences[::2], sentences[1::2], strict=True)
        section = document.section_at(span.start)
        yield Chunk(
            document=document,
            ordinal=ordinal,
            span=span,
            sentences=tuple(_inside(first, last, document) for first, last in pairs),
            sha256=chunk_sha256(document.shown(span)),
            heading_path=section.path if section else (),
            page=document.page_at(span.start),
            table_head=None if head is None else _inside(head[0], head[1], document),
        )


def _require_sound(document: Document) -> None:
    """Raises ValueError unless all that is said of the text is inside it, and in order."""
    spans = [*(section.heading for section in document.sections), *map(_SPAN, document.pages)]
    spans += [word for scan in document.scans for word in scan.unsure]
    if isinstance(document, Transcript):
        spans += [*map(_SPAN, document.words), *map(_SPAN, document.segments)]
    for span in spans:
        _inside(span.start, span.end, document)
    ends = [section.end for section in document.sections]
    masks = document.masks
    edges = list(chain.from_iterable(zip(masks.starts, masks.ends, strict=True)))
    if any(later < earlier for earlier, later in pairwise(edges)):
        raise ValueError("masks that overlap")
    if len(masks.shown) != len(masks) or len(masks.unseen) != len(masks):
        raise ValueError("masks of different lengths")
    if any(not 0 <= offset <= len(document.text) for offset in [*ends, *edges[:1], *edges[-1:]]):
        raise ValueError("an offset outside the text")


def _inside(start: Any, end: Any, document: Document) -> Span:
    if type(start) is not int or type(end) is not int:
        raise TypeError("an offset is a whole number")
    if not 0 <= start <= end <= len(document.text):
        raise ValueError("a span outside the text")
    return Span(start, end)
