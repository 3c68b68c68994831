"""How pieces of a document are put together to chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Unit

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
