"""How hard to look."""

from __future__ import annotations

from dataclasses import dataclass

ROUNDING = 1e-9
"""Keeps `0.15 * 20` from counting as 2.999..."""


@dataclass(frozen=True, slots=True)
class SearchPolicy:
    """Bounds of a search over folded text.

    The search is complete (no place is missed) up to `max_edit_distance` edits while the similarity
    stays at or above `min_similarity`, and then, for what was not found so, down to
    `min_similarity` alone. Between that and `floor_similarity` it is a best effort. Where document
    and quote are small (`FULL_SCAN_WORK`, `SHORT_SCAN_CHARS`) it is complete down to
    `scan_similarity`.
    """

    max_edit_distance: int = 3
    min_similarity: float = 0.85
    floor_similarity: float = 0.5
    scan_similarity: float = 0.35
    max_places: int = 100

    def near_edits(self, length: int) -> int:
        """Edits within which every place of a needle of `length` characters is found."""
        return min(self.max_edit_distance, self.complete_edits(length))

    def complete_edits(self, length: int) -> int:
        """Edits within which the best place is found, if there is no nearer one."""
        return int((1 - self.min_similarity) * length + ROUNDING)

    def floor_edits(self, length: int) -> int:
        """Edits beyond which nothing is reported."""
        return int((1 - self.floor_similarity) * length + ROUNDING)

    def scan_edits(self, length: int) -> int:
        """Edits beyond which nothing is reported where the whole text is aligned."""
        return int((1 - self.scan_similarity) * length + ROUNDING)


DEFAULT_POLICY = SearchPolicy()

FULL_SCAN_WORK = 64 * 1024
"""Characters times 64-character words of the needle up to which a whole text is aligned: 0.3 ms."""

SHORT_SCAN_CHARS = 256 * 1024
"""Characters of a text up to which that is done for a needle of one such word: 1 ms. A short needle
that was changed keeps too little for its pieces to tell where it stands."""
