"""Does one of two runs of words deny something that the other does not?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from veridical.validation import lexicon
from veridical.validation.cannot import CANNOT

_SAME_NEGATION = {"cant": CANNOT}
"""A short form is another wording of a negation, and does not deny anything else."""

_SHORTEST_DENIED = 3


def negates(quoted: Sequence[str], source: Sequence[str]) -> bool:
    """Whether the negations of two runs differ, or a word of one denies a word of the other."""
    if _negations(quoted) != _negations(source):
        return True
    one, other = set(quoted), set(source)
    return _denies_one_of(one, other) or _denies_one_of(other, one)


def _negations(keys: Sequence[str]) -> Counter[str] | None:
    found = [_SAME_NEGATION.get(key, key) for key in keys if key in lexicon.NEGATIONS]
    return Counter(found) if found else None


def _denies_one_of(words: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether a word is one of the others with a prefix or suffix that denies it.

    What a word could deny is looked up. To try each pair of words took a fifth of the time of a
    quote that stands nowhere, where most of the words differ.
    """
    for word in words:
        if word.startswith(lexicon.NEGATIVE_PREFIXES) and any(
            len(word) >= len(prefix) + _SHORTEST_DENIED and word[len(prefix) :] in others
            for prefix in lexicon.NEGATIVE_PREFIXES
            if word.startswith(prefix)
        ):
            return True
        if word.endswith("less"):
            stem = word.removesuffix("less")
            if (len(stem) >= _SHORTEST_DENIED and stem in others) or stem + "ful" in others:
                return True
    return False
