"""Citation anchors: prefixes of content hashes, as short as they can be and still tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

LEAST_ANCHOR_DIGITS = 8
"""Hex digits of the shortest anchor (section 5.2 of the ledger specification)."""


def shortest_anchors(hashes: Iterable[str]) -> dict[str, str]:
    """For each hash the shortest prefix, at least 8 digits long, that no other of them has.

    In sorted order no hash shares more digits with any other than with its neighbours.
    """
    ordered = sorted(set(hashes))
    if not ordered:
        return {}
    shared = [0, *(_shared_digits(one, other) for one, other in pairwise(ordered)), 0]
    return {
        digest: digest[: max(LEAST_ANCHOR_DIGITS, before + 1, after + 1)]
        for digest, (before, after) in zip(ordered, pairwise(shared), strict=True)
    }


def _shared_digits(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
