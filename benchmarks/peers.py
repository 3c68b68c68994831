"""The other ways to do it. Each gets the folded text and the folded claims ready made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ahocorasick_rs
import edlib
import fuzzysearch  # type: ignore[import-untyped]
import rapidfuzz.fuzz

from veridical.matching.seeds import DEFAULT_POLICY
from veridical.text.normalize import encode

Distances = list[int | None]
"""For each claim its edits from the text, or None where it was not located."""

Peer = Callable[[str, Sequence[str]], Distances]

SIMILARITY_PERCENT = 100 * DEFAULT_POLICY.min_similarity


def aho_corasick_fuzzysearch(text: str, claims: Sequence[str]) -> Distances:
    """All claims exactly in one pass; those left over one by one within `near_edits`."""
    automaton = ahocorasick_rs.AhoCorasick(list(claims))
    found = {index for index, _, _ in automaton.find_matches_as_indexes(text, overlapping=True)}
    distances: Distances = []
    for index, claim in enumerate(claims):
        if index in found:
            distances.append(0)
            continue
        edits = DEFAULT_POLICY.near_edits(len(claim))
        matches = fuzzysearch.find_near_matches(claim, text, max_l_dist=edits)
        distances.append(min((match.dist for match in matches), default=None))
    return distances


def fuzzysearch_alone(text: str, claims: Sequence[str]) -> Distances:
    """Each claim within `near_edits`."""
    distances: Distances = []
    for claim in claims:
        edits = DEFAULT_POLICY.near_edits(len(claim))
        matches = fuzzysearch.find_near_matches(claim, text, max_l_dist=edits)
        distances.append(min((match.dist for match in matches), default=None))
    return distances


def rapidfuzz_alignment(text: str, claims: Sequence[str]) -> Distances:
    """`partial_ratio_alignment` with its cut-off. Its measure is another, so 0 stands for found."""
    aligned = (
        rapidfuzz.fuzz.partial_ratio_alignment(claim, text, score_cutoff=SIMILARITY_PERCENT)
        for claim in claims
    )
    return [None if place is None else 0 for place in aligned]


def edlib_infix(text: str, claims: Sequence[str]) -> Distances:
    """Infix alignment with the whole text, in bytes, within 15 % of the claim's length.

    It cannot miss: this is the oracle.
    """
    haystack = encode(text)
    distances: Distances = []
    for claim in claims:
        edits = DEFAULT_POLICY.complete_edits(len(claim))
        found = edlib.align(encode(claim), haystack, mode="HW", task="distance", k=edits)
        distance: int = found["editDistance"]
        distances.append(None if distance < 0 else distance)
    return distances
