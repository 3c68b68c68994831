"""A half-open range of a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`text[start:end]`: half-open, counted in Unicode code points of a document's own text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, got {self.start} and {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """How many code points the two share."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def overlap_ratio(self, other: Span) -> float:
        """Shared code points over the code points from the first start to the last end, 0 to 1."""
        extent = max(self.end, other.end) - min(self.start, other.start)
        return self.overlap(other) / extent if extent else 1.0
