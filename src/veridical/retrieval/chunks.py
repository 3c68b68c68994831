"""A document cut into chunks: the stretches that are retrieved, cited and stored."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from veridical.errors import ConfigurationError
from veridical.networks.addressed import Reads, addressed, speaks
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Pieces, Unit
from veridical.sources.document import Document, Span
from veridical.text.normalize import one_line

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
        """The chunk as a reader sees it, without what speaks to a language model."""
        parts, at = [], self.span.start
        for foreign in (*self.foreign, Span(self.span.end, self.span.end)):
            parts.append(self.document.shown(Span(at, foreign.start)))
            at = foreign.end
            if foreign.start > self.span.start:  # what parts it from the next stays
                said = self.document.shown(foreign)
                parts.append(said[len(said.rstrip()) :])
        return "".join(parts)

    @property
    def foreign(self) -> tuple[Span, ...]:
        """What of the chunk speaks to a language model: it stands between the sentences, as does
        what is struck through.
        """
        edges = (Span(self.span.start, self.span.start), *self.sentences)
        ends = (*self.sentences, Span(self.span.end, self.span.end))
        gaps = (Span(one.end, other.start) for one, other in zip(edges, ends, strict=True))
        return tuple(gap for gap in gaps if len(gap) > 1 and self._is_foreign(gap))

    def _is_foreign(self, gap: Span) -> bool:
        said = self.document.shown(gap)
        if not any(map(str.isalnum, said)):
            return False
        is_struck = any(gap.overlap(struck) for struck in self.document.struck)
        return not is_struck or speaks(said, Reads())


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
    sentences that hold them are left out of `Chunk.sentences`: the author has taken them back. So
    are those that speak to a language model.
    """
    foreign: set[int] = set()
    reads = Reads()

    def watched() -> Iterator[list[Unit]]:
        for stretch in _stretches(document, policy):
            foreign.update(_foreign(document, stretch, reads))
            yield from stretch

    packed = enumerate(_packed(document, policy, watched()))
    return tuple(_chunk(document, number, pieces, foreign) for number, pieces in packed)


class Cut:
    """A document cut at once, whose chunks are looked through one by one, when they are asked for:
    to tell what speaks to a language model takes longer than to cut.
    """

    def __init__(self, document: Document, policy: ChunkPolicy = DEFAULT) -> None:
        self._document = document
        self._stretches = list(_stretches(document, policy))
        self._starts = [stretch[0][0][0].span.start for stretch in self._stretches]
        paragraphs = chain.from_iterable(self._stretches)
        self._packed = list(_packed(document, policy, paragraphs))
        self._looked: set[int] = set()
        self._foreign: set[int] = set()
        self._reads = Reads()

    def chunk(self, ordinal: int) -> Chunk:
        """The chunk of that number, as `chunk_document` has it."""
        pieces = self._packed[ordinal]
        first = bisect_right(self._starts, pieces[0].span.start) - 1
        last = bisect_right(self._starts, pieces[-1].span.start)
        for number in range(first, last):
            if number not in self._looked:
                self._looked.add(number)
                found = _foreign(self._document, self._stretches[number], self._reads)
                self._foreign.update(found)
        return _chunk(self._document, ordinal, pieces, self._foreign)

    def within(self, span: Span) -> range:
        """The numbers of the chunks that share a character with a span."""
        first = bisect_right(self._packed, span.start, key=lambda pieces: pieces[-1].span.end)
        last = bisect_left(self._packed, span.end, key=lambda pieces: pieces[0].span.start)
        return range(first, last)


def _packed(
    document: Document, policy: ChunkPolicy, paragraphs: Iterable[list[Unit]]
) -> Iterator[list[Piece]]:
    return pack(paragraphs, policy.target, policy.longest, policy.least, document.page_at)


def _chunk(
    document: Document, ordinal: int, pieces: Sequence[Piece], foreign: Collection[int]
) -> Chunk:
    """The chunk of these pieces, of which those that begin at `foreign` speak to a model."""
    span = Span(pieces[0].span.start, pieces[-1].span.end)
    section = document.section_at(span.start)
    return Chunk(
        document=document,
        ordinal=ordinal,
        span=span,
        sentences=tuple(
            piece.span
            for piece in pieces
            if piece.span.start not in foreign and not _is_struck(document, piece.span)
        ),
        sha256=chunk_sha256(document.shown(span)),
        heading_path=section.path if section else (),
        page=document.page_at(span.start),
        table_head=pieces[0].head,
    )


def _is_struck(document: Document, sentence: Span) -> bool:
    after = bisect_right(document.struck, sentence.start, key=lambda span: span.end)
    return after < len(document.struck) and document.struck[after].start < sentence.end


def _stretches(document: Document, policy: ChunkPolicy) -> Iterator[list[list[Unit]]]:
    """The paragraphs, in stretches of which none bears on what is foreign in another."""
    stretch: list[list[Unit]] = []
    for paragraph in Pieces(document, policy.longest).paragraphs():
        first = paragraph[0][0]
        goes_on = first.kind in (Kind.ROW, Kind.ITEM) or _is_quoted(document, first)
        if stretch and not goes_on:
            yield stretch
            stretch = []
        stretch.append(paragraph)
    if stretch:
        yield stretch


def _is_quoted(document: Document, piece: Piece) -> bool:
    """Whether a piece begins on a line of a block quotation."""
    line = document.text.rfind("\n", 0, piece.span.start) + 1
    return document.text[line : piece.span.start].lstrip().startswith(">")


def _foreign(document: Document, paragraphs: Iterable[list[Unit]], reads: Reads) -> Iterator[int]:
    """Where the pieces begin that speak to a language model: a sentence that does with all that
    follows it in its paragraph or quotation, and the items below.
    """
    is_led = in_quotation = False
    for paragraph in paragraphs:
        pieces = [piece for unit in paragraph for piece in unit]
        said = [document.shown(piece.span) for piece in pieces]
        if pieces[0].kind is Kind.ROW:
            rows = zip(pieces, said, strict=True)
            yield from (piece.span.start for piece, row in rows if not addressed([row], reads))
            continue
        quoted = _is_quoted(document, pieces[0])
        in_quotation = in_quotation and quoted
        is_led = is_led and pieces[0].kind is Kind.ITEM
        first = 0 if is_led or in_quotation else addressed(said, reads, quoted=quoted)
        in_quotation = in_quotation or (quoted and first < len(pieces))
        yield from (piece.span.start for piece in pieces[first:])
        is_led = is_led or (first < len(pieces) and said[-1].rstrip().endswith(":"))


def foreign_words(chunks: Iterable[Chunk]) -> dict[str, str]:
    """The first words that speak to a language model in each document that has such, by name."""
    found: dict[str, str] = {}
    for chunk in chunks:
        for span in chunk.foreign:
            said = one_line(chunk.document.shown(span), _MOST_FOREIGN_CHARS)
            found.setdefault(chunk.document.name, said)
    return found


_MOST_FOREIGN_CHARS = 120


def left_out(foreign: Mapping[str, str]) -> Iterator[str]:
    """A line on each document of `foreign_words`, for a reader."""
    for name, said in foreign.items():
        yield f"{name} holds text that speaks to a language model; it was left out: “{said}”"


def chunk_sha256(text: str) -> str:
    """The SHA-256, in hex, of a text in lower case, its white space collapsed and trimmed.

    Source: section 5.2 of the ledger specification, whose anchors are prefixes of it.
    """
    normalised = _WHITE_SPACE.sub(" ", text.lower()).strip(" ")
    return hashlib.sha256(normalised.encode("utf-8", "surrogatepass")).hexdigest()
