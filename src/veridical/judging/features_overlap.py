"""How much of a claim a passage covers: the features that carry most of the judgement."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veridical.judging.alignment import FIRM, Alignment, Matrix

_MISSING = 0.3
"""Match below which a word has no counterpart at all."""

_NEAR = 3
"""Words apart that two neighbours of the claim may stand in the passage."""


def overlap_features(a: Alignment) -> Iterator[tuple[str, float]]:
    """Shares of the claim, weighted by how telling its words are, with a counterpart.

    `related`, `match` and `raw` are the ways to count counterparts (see `Alignment`);
    `all` is over the passage, `best` over the best sentence and `pair` over the best two
    neighbouring sentences.
    """
    held, best = a.held, a.matched[:, a.best_sentence]
    related = a.by_sentence(a.related)
    yield "related_all", float(a.covered(related.max(axis=1)))
    yield "related_best", float(a.covered(related).max())
    yield "match_all", float(a.covered(held))
    yield "match_best", float(a.covered(best))
    yield "match_pair", _pair(a)
    yield "raw_all", float(a.covered(a.raw.max(axis=1)))
    squared = a.claim_weight**2
    yield "match_rare", float(squared @ held / squared.sum())
    missing = a.claim_weight * (1 - held)
    yield "missing_most", float(missing.max())
    yield "missing_sum", float(missing.sum())
    yield "missing_best", float((a.claim_weight * (1 - best)).max())
    lacking = int(np.count_nonzero(held < _MISSING))
    yield "missing_words", float(lacking)
    yield "missing_share", lacking / len(held)
    yield from _backwards(a)
    yield from _orders(a, best)


def _pair(a: Alignment) -> float:
    if a.sentences < 2:
        return float(a.covered(a.matched).max())
    return float(a.covered(np.maximum(a.matched[:, :-1], a.matched[:, 1:])).max())


def _backwards(a: Alignment) -> Iterator[tuple[str, float]]:
    """How much of the passage the claim covers: little where it is one remark among many."""
    found = a.match.max(axis=0)
    for name, inside in (("back_best", a.content & a.in_best), ("back_all", a.content)):
        weight = a.passage_weight * inside
        yield name, float(weight @ found / max(weight.sum(), 1e-6))


def _orders(a: Alignment, best: Matrix) -> Iterator[tuple[str, float]]:
    """Do the claim's words stand beside each other in the passage, too?"""
    columns = np.flatnonzero(a.in_best)
    places = columns[a.match[:, columns].argmax(axis=1)]
    near = lighter = 0.0
    for i in range(len(a.claim) - 1):
        weight = float(min(a.claim_weight[i], a.claim_weight[i + 1]))
        lighter += weight
        if min(best[i], best[i + 1]) > FIRM and 0 < places[i + 1] - places[i] <= _NEAR:
            near += weight
    yield "neighbours", near / lighter if lighter else float(a.covered(best))
