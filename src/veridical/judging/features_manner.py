"""Soft signs in how claim and passage put it: names, numbers, denial, direction, hedges, length."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from veridical.judging.alignment import FIRM, Alignment, Matrix
from veridical.validation import lexicon

_MOST_SENTENCES = 10

_NOTHING: frozenset[str] = frozenset()
_OPPOSITES = {
    key: frozenset(k for pair in lexicon.OPPOSITES if key in pair for k in pair) - {key}
    for key in sorted({key for pair in lexicon.OPPOSITES for key in pair})
}

HEDGES = frozenset(
    """
    may might could can possibly perhaps probably likely suggest suggests suggested suggesting
    potential potentially appear appears seem seems unclear unknown hypothesized hypothesis whether
    possible estimated approximately believed believe thought reported
    """.split()
)
"""Words by which a text does not commit itself."""

_UP = frozenset(
    """
    increase increases increased increasing rise rises rose rising higher more greater grow grows
    growing grew up gain high larger raise raised improve improved expand elevated exceed above
    enhance promote boost
    """.split()
)
_DOWN = frozenset(
    """
    decrease decreases decreased decreasing fall falls fell falling lower less fewer smaller decline
    declines declined declining down loss low reduce reduces reduced reducing reduction drop dropped
    shrink below inhibit prevent prevents
    """.split()
)
SWEEPING = frozenset(
    "all every always only any each entire entirely completely solely exclusively".split()
)
"""Words that claim something of everything, or of nothing else."""

_SOME = frozenset("some many several few sometimes often most usually generally partly".split())
DOUBTS = frozenset(
    """
    insufficient unclear lack lacks lacking limited inconclusive contradict contradicts contrary
    myth false falsely incorrect misleading error wrong refute refuted debunked unsupported
    ineffective unlikely unable fail fails failed absence questionable disputed flawed
    """.split()
)
"""Words by which a text takes something back."""

_TURNS = frozenset("but however although though despite while whereas contrary".split())


def manner_features(a: Alignment) -> Iterator[tuple[str, float]]:
    """Shares and yes-or-no signs that speak for or against support, none of them by itself."""
    yield from _names_and_numbers(a)
    claim = {word.key for word in a.claim_all}
    keys = [word.key for word in a.passage]
    at_best = [key for key, at in zip(keys, a.sentence_at, strict=True) if at == a.best_sentence]
    best = set(at_best)
    everywhere = set(keys)
    denied, denying = bool(claim & lexicon.NEGATIONS), bool(best & lexicon.NEGATIONS)
    signs = {
        "claim_denies": denied,
        "passage_denies": denying,
        "only_claim_denies": denied and not denying,
        "only_passage_denies": denying and not denied,
        "opposite": _opposed(claim, best),
        "ways_part": _way(claim) * _way(best) < 0,
        "ways_agree": _way(claim) * _way(best) > 0,
        "claim_hedges": bool(claim & HEDGES),
        "passage_hedges": bool(best & HEDGES),
        "claim_doubts": bool(claim & DOUBTS),
        "passage_doubts": bool(best & DOUBTS),
        "senses_part": _sense(claim) != _sense(best),
        "sweeping": bool((claim & SWEEPING) - everywhere),
        "passage_some": bool(best & _SOME),
        "passage_turns": bool(best & _TURNS),
    }
    yield from ((name, float(sign)) for name, sign in signs.items())
    yield "claim_length", math.log(len(a.claim))
    yield "passage_length", math.log(len(a.passage))
    yield "best_length", math.log(max(1, len(at_best)))
    yield "sentences", float(min(a.sentences, _MOST_SENTENCES))


def _names_and_numbers(a: Alignment) -> Iterator[tuple[str, float]]:
    number = np.array([word.number is not None for word in a.claim])
    name = np.array([word.named for word in a.claim]) & ~number
    plain = ~number & ~name
    held, best = a.held, a.matched[:, a.best_sentence]
    yield "names_missing", _mean((1 - held)[name])
    yield "names_missing_count", float((held[name] < FIRM).sum())
    yield "numbers_missing", _mean((1 - held)[number])
    yield "numbers_missing_best", _mean((1 - best)[number])
    counted = any(word.number is not None for word in a.passage)
    yield "numbers_other", float(counted and bool((held[number] < FIRM).any()))
    weight = a.claim_weight * plain
    yield "plain_held", float(weight @ held / weight.sum()) if plain.any() else float(held.mean())


def _mean(values: Matrix) -> float:
    """The same as `values.mean()`, 0 of nothing: that takes 1.6 times as long for four."""
    return float(np.add.reduce(values)) / len(values) if len(values) else 0.0


def _opposed(claim: set[str], passage: set[str]) -> bool:
    """Whether one has a word, and the other only its opposite."""
    ours, theirs = claim - passage, passage - claim
    return any(_OPPOSITES.get(key, _NOTHING) & theirs for key in ours)


def _sense(keys: set[str]) -> bool:
    """Whether denials, doubts and decreases leave a text negative when all are taken together."""
    signs = len(keys & lexicon.NEGATIONS) + len(keys & DOUBTS) + len(keys & _DOWN)
    return signs % 2 == 1


def _way(keys: set[str]) -> int:
    """1 where something goes up, -1 where it goes down, 0 where neither or both."""
    return bool(keys & _UP) - bool(keys & _DOWN)
