"""Do the words that a judge rests on bear on the claim at all?

These measures hold whatever a judge says: they compare the claim with the words themselves. What
speaks against it is read in `veridical.judging.veto`.
"""

from __future__ import annotations

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.matching.passages import content_words, coverage
from veridical.text.normalize import fold

DIRECT_FROM = 0.9
"""Share of the claim's content words from which a passage says it in the claim's own words."""

DIRECT, INFERRED = 1.0, 0.5
_LEAST_FULL = 0.98
"""Similarity at the threshold of full support: high enough that what one source bears out, in other
words, can be shown with a confidence above 0.8.
"""


def shared_words(claim: str, words: str) -> float:
    """The share, 0 to 1, of the claim's content words that stand in `words`, also inflected."""
    return coverage(content_words(fold(claim)), fold(words))


def directness(claim: str, words: str) -> float:
    """1 where `words` say it in the claim's own words, 0.5 where it must be inferred."""
    return DIRECT if shared_words(claim, words) >= DIRECT_FROM else INFERRED


def similarity_at(probability: float, full_from: float, support: SupportLevel) -> float:
    """A probability on the scale of the verdict rules: above 0.85 if and only if support is full.

    Full support rises evenly from `full_from` on, and what is not full up to it; what was decided
    against the probability stays at the edge of its side.
    """
    if support is not SupportLevel.FULL:
        return FULL_SUPPORT_ABOVE * min(probability / full_from, 1.0)
    rest = (probability - full_from) / (1 - full_from) if full_from < 1 else 1.0
    return _LEAST_FULL + (1 - _LEAST_FULL) * min(max(rest, 0.0), 1.0)
