"""A document in folded form, with the way back to its own offsets.

The document is folded in chunks, so that the memory needed does not grow with its length. Each
folded character knows the offset of the character that it came from; parts that a reader does not
see are left out (`Document.masks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from veridical.sources.document import Document
from veridical.text.normalize import encode, fold_character, line_end_hyphens

# Small array helpers.


Scalar = TypeVar("Scalar", bound=np.generic)


def sorted_unique(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """The different values in ascending order.

    `numpy.unique` does the same, and imports `numpy.ma` to do it, which costs a short run of the
    command line a tenth of its time.
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    distinct: NDArray[Scalar] = ordered[first]
    return distinct


CHUNK_CHARS = 48 * 1024
"""Characters folded at a time: fewer than 16 bits can count, in which their offsets are kept."""

CACHE_CHARS = 2 * 1024 * 1024
"""Documents up to this length keep their folded form (3 to 7 bytes a character)."""

_CODE_POINTS = 0x110000
_UNKNOWN, _DROPPED, _EXPANDS, _SPACE = 0, 1, 2, 32


@dataclass(frozen=True, slots=True, eq=False)
class FoldedChunk:
    """A stretch of folded text.

    `codes` is `normalize.encode` of it and `offsets[i]` the document offset, in code points, of the
    character that `codes[i]` came from, both of shape (characters,). `points` holds the folded code
    points themselves where some are not ASCII, else None.
    """

    codes: bytes
    offsets: NDArray[np.int32]
    points: NDArray[np.uint32] | None

    def __len__(self) -> int:
        return len(self.codes)

    def text(self, start: int, end: int) -> str:
        """The folded characters from `start` to `end`, indices of this chunk."""
        if self.points is None:
            return self.codes[start:end].decode("ascii")
        return self.points[start:end].astype("<u4").tobytes().decode("utf-32-le")


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A chunk with its offsets counted from the `start` of what was folded."""

    codes: bytes
    start: int
    offsets: NDArray[np.uint16]
    points: NDArray[np.uint32] | None

    def chunk(self) -> FoldedChunk:
        offsets = self.offsets.astype(np.int32)
        offsets += np.int32(self.start)
        return FoldedChunk(self.codes, offsets, self.points)


class FoldedText:
    """The folded form of one document, made once and read as often as needed."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._kept: list[_Kept] | None = None

    def chunks(self, overlap: int) -> Iterator[FoldedChunk]:
        """The folded text in order, each chunk beginning with the last `overlap` characters before.

        Whatever is no longer than `overlap` stands whole in at least one chunk.
        """
        previous: FoldedChunk | None = None
        for part in self._parts():
            chunk = part if previous is None else _joined(previous, part, overlap)
            yield chunk
            previous = chunk

    def _parts(self) -> Iterator[FoldedChunk]:
        if self._kept is not None:
            yield from (part.chunk() for part in self._kept)
            return
        keep = len(self.document.text) <= CACHE_CHARS
        parts: list[_Kept] = []
        ends_in_space = True
        for start, end in _cuts(self.document.text):
            part = _fold_slice(self.document, start, end, after_space=ends_in_space)
            if len(part):
                ends_in_space = part.codes[-1] == _SPACE
            if keep:
                offsets = (part.offsets - np.int32(start)).astype(np.uint16)
                parts.append(_Kept(part.codes, start, offsets, part.points))
            yield part
        if keep:
            self._kept = parts


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Bounds of the chunks, cut before a space where there is one, so that no line end is split."""
    start = 0
    while start < len(text):
        end = min(start + CHUNK_CHARS, len(text))
        if end < len(text):
            space = text.rfind(" ", start + CHUNK_CHARS // 2, end)
            while space > 0 and not text[space - 1].isalnum():
                space = text.rfind(" ", start + CHUNK_CHARS // 2, space)
            end = space if space > 0 else _outside_line_end(text, start, end)
        yield start, end
        start = end


def _outside_line_end(text: str, start: int, end: int) -> int:
    """The last place up to `end` that is not inside a hyphen and line break."""
    at = end
    while at > start + 1 and not (text[at - 1].isalnum() and text[at].isalnum()):
        at -= 1
    return at if at > start + 1 else end


def _joined(previous: FoldedChunk, part: FoldedChunk, overlap: int) -> FoldedChunk:
    carried = min(overlap, len(previous))
    begin = len(previous) - carried
    points = None
    if previous.points is not None or part.points is not None:
        points = np.concatenate((_points(previous)[begin:], _points(part)))
    return FoldedChunk(
        previous.codes[begin:] + part.codes,
        np.concatenate((previous.offsets[begin:], part.offsets)),
        points,
    )


def _points(chunk: FoldedChunk) -> NDArray[np.uint32]:
    if chunk.points is not None:
        return chunk.points
    return np.frombuffer(chunk.codes, np.uint8).astype(np.uint32)


class _Tables:
    """What each code point folds to, filled as code points are met.

    The arrays cover all of Unicode; the operating system gives memory only to the pages used.
    """

    def __init__(self) -> None:
        self.codes = np.zeros(_CODE_POINTS, np.uint8)
        self.points = np.zeros(_CODE_POINTS, np.uint32)
        self.expansions: dict[int, str] = {}
        self.learn(np.arange(128))

    def learn(self, points: NDArray[np.int64]) -> None:
        for point in points.tolist():
            folded = fold_character(chr(point))
            if len(folded) > 1:
                self.expansions[point] = folded
                self.codes[point] = _EXPANDS
            elif folded:
                self.codes[point] = encode(folded)[0]
                self.points[point] = ord(folded)
            else:
                self.codes[point] = _DROPPED

    def look_up(self, points: NDArray[np.uint8] | NDArray[np.uint32]) -> NDArray[np.uint8]:
        codes = self.codes[points]
        unknown = codes == _UNKNOWN
        if unknown.any():
            self.learn(sorted_unique(points[unknown]).astype(np.int64))
            codes = self.codes[points]
        return codes


@lru_cache(maxsize=1)
def _shared_tables() -> _Tables:
    return _Tables()


def _fold_slice(document: Document, start: int, end: int, *, after_space: bool) -> FoldedChunk:
    tables = _shared_tables()
    text = document.text[start:end]
    source = _code_points(text)
    codes = tables.look_up(source)
    longer = _mask(document, start, end, codes)
    if "\n" in text:
        for broken in line_end_hyphens(text):
            codes[broken.start() : broken.end()] = _DROPPED
    origin: NDArray[np.int64] | None = None
    points: NDArray[np.uint32] | None = None
    if longer or bool((codes == _EXPANDS).any()):
        codes, points, origin = _expand(tables, source, codes, longer)
    elif bool((codes >= 128).any()):
        points = tables.points[source]
    kept = _without_runs(codes, after_space)
    folded = codes[kept]
    offsets = (kept if origin is None else origin[kept]).astype(np.int32) + np.int32(start)
    if points is not None:
        points = np.where(folded >= 128, points[kept], folded)
        points = points if bool((folded >= 128).any()) else None
    return FoldedChunk(folded.tobytes(), offsets, points)


def _code_points(text: str) -> NDArray[np.uint8] | NDArray[np.uint32]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _mask(document: Document, start: int, end: int, codes: NDArray[np.uint8]) -> dict[int, str]:
    """Drop what is masked; what is shown in its place is put in, or returned where it is longer."""
    longer: dict[int, str] = {}
    if not len(document.masks):
        return longer
    starts = np.frombuffer(document.masks.starts, np.int64)
    ends = np.frombuffer(document.masks.ends, np.int64)
    first, last = int(ends.searchsorted(start, "right")), int(starts.searchsorted(end))
    depth = np.zeros(end - start + 1, np.int8)
    depth[np.maximum(starts[first:last], start) - start] = 1
    depth[np.minimum(ends[first:last], end) - start] -= 1
    codes[np.cumsum(depth[:-1], dtype=np.int8) > 0] = _DROPPED
    for index in range(first, last):
        shown = document.masks.shown[index]
        if not shown or starts[index] < start:
            continue
        place = int(starts[index]) - start
        if shown in (" ", "\n"):
            codes[place] = _SPACE
            continue
        folded = "".join(fold_character(character) for character in shown)
        if folded.isspace():
            codes[place] = _SPACE
        elif folded:
            longer[place] = folded
    return longer


def _expand(
    tables: _Tables,
    source: NDArray[np.uint8] | NDArray[np.uint32],
    codes: NDArray[np.uint8],
    longer: dict[int, str],
) -> tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.int64]]:
    """Make room for characters that fold to several, such as a ligature, and fill them in."""
    places = np.flatnonzero(codes == _EXPANDS)
    groups: list[tuple[str, NDArray[np.int64]]] = []
    if len(places):
        found = source[places]
        order = np.argsort(found, kind="stable")
        kinds, firsts = np.unique(found[order], return_index=True)
        for kind, where in zip(
            kinds.tolist(), np.split(places[order], firsts[1:].tolist()), strict=True
        ):
            groups.append((tables.expansions[kind], where))
    groups.extend((shown, np.array([place])) for place, shown in longer.items())
    counts = np.ones(len(codes), np.int64)
    for folded, where in groups:
        counts[where] = len(folded)
    origin = np.repeat(np.arange(len(codes)), counts)
    begins = np.cumsum(counts) - counts
    codes, points = np.repeat(codes, counts), np.repeat(tables.points[source], counts)
    for folded, where in groups:
        for shift, (code, character) in enumerate(zip(encode(folded), folded, strict=True)):
            codes[begins[where] + shift] = code
            points[begins[where] + shift] = ord(character)
    return codes, points, origin


def _without_runs(codes: NDArray[np.uint8], after_space: bool) -> NDArray[np.int64]:
    """Indices of the codes to keep: not dropped, and no space after a space."""
    kept = np.flatnonzero(codes != _DROPPED)
    space = codes[kept] == _SPACE
    after = np.empty(len(space), np.bool_)
    if len(space):
        after[0] = after_space
        after[1:] = space[:-1]
    single: NDArray[np.int64] = kept[~(space & after)]
    return single
