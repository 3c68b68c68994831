"""Does a claim say "at", "after" or "outside" of the same thing, and the same bound of a time?

"Three months after the end the effect was gone" does not say that it was gone at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.features_conflicts import is_date, is_year

_KINDS = {
    **dict.fromkeys("at on in during within inside upon".split(), "at"),
    **dict.fromkeys(("after",), "after"),
    **dict.fromkeys("before until till".split(), "before"),
    **dict.fromkeys("outside beyond".split(), "outside"),
}
_SMALL = frozenset(
    "the a an its his her their our this that these those last first following".split()
)
_LEAST_WEIGHT = 0.3
_MOST_BETWEEN = 3
"""Words between such a word and what it is said of."""

_BOUNDING = frozenset("up least most about almost nearly than over under maximum minimum".split())


def placed_otherwise(a: Alignment, standing: Sequence[int]) -> tuple[str, str] | None:
    """A small word of the claim in front of a thing, and that of the passage, where they differ:
    during and outside. None where there is none.
    """
    said = set(standing)
    for at, word in enumerate(a.claim_all):
        kind = _KINDS.get(word.key)
        row = _of(a, at) if kind else None
        if row is None or a.claim_weight[row] < _LEAST_WEIGHT:
            continue
        columns = [c for c in range(len(a.passage)) if c in said and a.exact[row, c]]
        found = [_before(a, column) for column in columns]
        kinds = {_KINDS.get(one.key) if one is not None else None for one in found}
        if kinds and None not in kinds and kind not in kinds:
            other = next(one for one in found if one is not None)
            return word.text, other.text
    return None


def _of(a: Alignment, at: int) -> int | None:
    """The row of the first telling word behind a small one."""
    for place in range(at + 1, min(at + 1 + _MOST_BETWEEN, len(a.claim_all))):
        word = a.claim_all[place]
        if word.border or word.number is not None:
            return None
        if word.content and word.key not in _SMALL:
            return a.row_of[place]
    return None


def _before(a: Alignment, column: int) -> Word | None:
    """The small word in front of a column, with nothing but articles between."""
    for before in range(column - 1, max(column - 1 - _MOST_BETWEEN, -1), -1):
        word = a.passage[before]
        if a.passage[before + 1].border or a.sentence_at[before] != a.sentence_at[column]:
            return None
        if word.key in _KINDS:
            return word
        if word.content and word.key not in _SMALL:
            return None
    return None


def unbounded(a: Alignment, standing: Sequence[int]) -> str | None:
    """A bound or a span of the passage that the claim leaves out: "up to an hour", "between March
    and June". None where there is none.
    """
    ours = {word.key for word in a.claim_all}
    return next(chain(_bounds(a, standing, ours), _spans(a, standing, ours)), None)


def _bounds(a: Alignment, standing: Sequence[int], ours: set[str]) -> Iterator[str]:
    if ours & _BOUNDING:
        return
    for one, two, three, four in zip(
        standing, standing[1:], standing[2:], standing[3:], strict=False
    ):
        words = [a.passage[c] for c in (one, two, three)]
        is_bound = words[0].key == "up" and words[1].key == "to" and words[2].key in ("a", "an")
        if is_bound and a.is_held[four] and a.passage[four].content:
            yield f"up to {words[2].text} {a.passage[four].text}"


def _spans(a: Alignment, standing: Sequence[int], ours: set[str]) -> Iterator[str]:
    if ours & {"between", "from", "since", "and", "to", "until"}:
        return
    for at, column in enumerate(standing):
        if a.passage[column].key != "between":
            continue
        behind = [c for c in standing[at + 1 : at + 8] if _is_time(a.passage[c])]
        if any(a.is_held[c] for c in behind) and not all(a.is_held[c] for c in behind):
            yield " ".join(a.passage[c].text for c in (column, *behind))


def _is_time(word: Word) -> bool:
    return is_date(word) or is_year(word)
