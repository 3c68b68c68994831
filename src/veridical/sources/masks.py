"""Where the text that a reader sees differs from the text that is written.

A Markdown or HTML document is kept as it was written, so that every offset is an offset into the
user's own file. What the reader does not see (link targets, tags, comments), or sees as something
else (`&amp;`), is listed here. Matching reads the document through its masks.

Columns rather than objects: a 50 MB page has millions of tags.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class Mask(NamedTuple):
    """`text[start:end]` is shown to the reader as `shown`.

    `unseen` marks words that are written but never shown (a comment, a script, front matter), as
    opposed to markup that shapes what is shown. A quote may run over markup; it may never rest on
    unseen words.
    """

    start: int
    end: int
    shown: str
    unseen: bool


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """Sorted, non-overlapping masks of one document. Build them with `MaskBuilder`."""

    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    shown: tuple[str, ...] = ()
    unseen: array[int] = field(default_factory=lambda: array("b"))

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[Mask]:
        return self.between(0, self.ends[-1]) if len(self) else iter(())

    def between(self, start: int, end: int) -> Iterator[Mask]:
        """The masks that share at least one code point with `[start, end)`, in order, uncut."""
        for index in range(bisect_right(self.ends, start), len(self)):
            if self.starts[index] >= end:
                return
            yield Mask(
                self.starts[index], self.ends[index], self.shown[index], bool(self.unseen[index])
            )


NO_MASKS = Masks()


class MaskBuilder:
    """Collects masks in the order of the text."""

    def __init__(self) -> None:
        self._starts: array[int] = array("q")
        self._ends: array[int] = array("q")
        self._shown: list[str] = []
        self._unseen: array[int] = array("b")

    def add(self, start: int, end: int, shown: str = "", unseen: bool = False) -> None:
        """Mask `text[start:end]`. Empty ranges are ignored; overlaps are an error of the caller."""
        if start == end:
            return
        if self._ends and start < self._ends[-1]:
            raise ValueError(f"mask at {start} overlaps the one that ends at {self._ends[-1]}")
        self._starts.append(start)
        self._ends.append(end)
        self._shown.append(shown)
        self._unseen.append(unseen)

    def build(self) -> Masks:
        """The masks collected so far."""
        return Masks(self._starts, self._ends, tuple(self._shown), self._unseen)
