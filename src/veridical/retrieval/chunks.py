"""A document cut into chunks: the stretches that are retrieved, cited and stored."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from veridical.errors import ConfigurationError
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Pieces, Unit
from veridical.sources.document import Document, Span

# How pieces of a document are put together to chunks.


PageAt = Callable[[int], int | None]


def pack(
    paragraphs: Iterable[Sequence[Unit]], target: int, longest: int, least: int, page_at: PageAt
) -> Iterator[list[Piece]]:
    """The pieces of each chunk, in order. See `ChunkPolicy` for the lengths."""
    for _, stretch in groupby(_parts(paragraphs, page_at), key=lambda entry: entry[0]):
        packer = _Packer(target, longest, least)
        for _, paragraph in stretch:
            packer.add(paragraph)
        yield from packer.chunks()


def _parts(
    paragraphs: Iterable[Sequence[Unit]], page_at: PageAt
) -> Iterator[tuple[tuple[int, int | None], list[Unit]]]:
    """The paragraphs, cut where a page ends, and which heading and page each stands under."""
    heading = 0
    for paragraph in paragraphs:
        heading += paragraph[0][0].kind is Kind.HEADING
        for page, units in groupby(paragraph, key=lambda unit: page_at(unit[0].span.start)):
            yield (heading, page), list(units)


class _Packer:
    """Packs what stands under one heading and starts on one page."""

    def __init__(self, target: int, longest: int, least: int) -> None:
        self._target, self._longest, self._least = target, longest, least
        self._packed: list[list[Piece]] = []
        self._open: list[Piece] = []

    def add(self, paragraph: Sequence[Unit]) -> None:
        """Add a paragraph, whole if it fits or would fit the next chunk, else by its sentences."""
        size = paragraph[-1][-1].end - paragraph[0][0].start
        if size <= self._target and self._is_full(self._length(paragraph[-1])):
            self._close()
        for unit in paragraph:
            if self._is_full(self._length(unit)):
                self._close()
            self._open.extend(unit)

    def chunks(self) -> list[list[Piece]]:
        """The chunks; the last is joined to the one before it where it is short."""
        self._close()
        if len(self._packed) > 1:
            before, last = self._packed[-2:]
            is_short = last[-1].end - last[0].start < self._least
            if is_short and last[-1].end - before[0].start <= self._longest:
                self._packed[-2:] = [before + last]
        return self._packed

    def _length(self, unit: Unit) -> int:
        """The length of the open chunk once `unit` is in it."""
        return unit[-1].end - (self._open or unit)[0].start

    def _is_full(self, length: int) -> bool:
        """Whether the open chunk must be closed before it grows to `length`."""
        if not self._open or length <= self._target:
            return False
        if length > self._longest:
            return True
        last = self._open[-1]
        return last.kind is not Kind.HEADING and last.end - self._open[0].start >= self._least

    def _close(self) -> None:
        if self._open:
            self._packed.append(self._open)
            self._open = []


_WHITE_SPACE = re.compile(r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
"""What `\\s` means in ECMAScript, in which section 5.2 of the ledger specification is written."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document that stands under one heading, cut between sentences.

    `ordinal` counts from 0 within the document. `span` and `sentences` (each inside `span`, in
    order, not overlapping) are offsets into `document.text`. `sha256` identifies the content as a
    reader sees it, but for case and white space (section 5.2 of the ledger specification): a
    citation anchor is a prefix of it. `page` counts from 1, None where there are no pages.
    `table_head` is the row that names the columns, where the chunk starts further down its table.
    """

    document: Document
    ordinal: int
    span: Span
    sentences: tuple[Span, ...]
    sha256: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    table_head: Span | None = None

    @property
    def text(self) -> str:
        """The chunk as a reader sees it."""
        return self.document.shown(self.span)


@dataclass(frozen=True, slots=True)
class ChunkPolicy:
    """How long chunks are, in characters as a reader sees them.

    A chunk is closed where the next sentence would take it past `target`, unless it is shorter
    than `least` or would part what belongs together (a heading or an introducing line and what
    follows, a table, a list item); none is longer than `longest`. A section shorter than `least`
    is a chunk all the same.
    """

    target: int = 1_000
    longest: int = 2_000
    least: int = 250

    def __post_init__(self) -> None:
        if not 0 < self.least <= self.target <= self.longest:
            raise ConfigurationError(
                f"chunks need 0 < least <= target <= longest, got {self.least}, {self.target} "
                f"and {self.longest}"
            )


DEFAULT = ChunkPolicy()


def chunk_document(document: Document, policy: ChunkPolicy = DEFAULT) -> tuple[Chunk, ...]:
    """The chunks of a document, in order; none reaches over a heading.

    Every visible character that is not white space stands in exactly one. None starts on one page
    and goes on with a sentence of the next. Words shown struck through stand in the chunk, but the
    sentences that hold them are left out of `Chunk.sentences`: the author has taken them back.
    """
    paragraphs = Pieces(document, policy.longest).paragraphs()
    struck_ends = [span.end for span in document.struck]

    def is_struck(sentence: Span) -> bool:
        after = bisect_right(struck_ends, sentence.start)
        return after < len(struck_ends) and document.struck[after].start < sentence.end

    chunks: list[Chunk] = []
    for pieces in pack(paragraphs, policy.target, policy.longest, policy.least, document.page_at):
        span = Span(pieces[0].span.start, pieces[-1].span.end)
        section = document.section_at(span.start)
        chunks.append(
            Chunk(
                document=document,
                ordinal=len(chunks),
                span=span,
                sentences=tuple(piece.span for piece in pieces if not is_struck(piece.span)),
                sha256=chunk_sha256(document.shown(span)),
                heading_path=section.path if section else (),
                page=document.page_at(span.start),
                table_head=pieces[0].head,
            )
        )
    return tuple(chunks)


def chunk_sha256(text: str) -> str:
    """The SHA-256, in hex, of a text in lower case, its white space collapsed and trimmed.

    Source: section 5.2 of the ledger specification, whose anchors are prefixes of it.
    """
    normalised = _WHITE_SPACE.sub(" ", text.lower()).strip(" ")
    return hashlib.sha256(normalised.encode("utf-8", "surrogatepass")).hexdigest()
