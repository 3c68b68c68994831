"""The tokens of words and texts, and which of one list are those of another, in order.

Tokens are smaller than those of a reader: "well-known" and "don't" are two each, as recognisers
also cut them, and each character of a script without spaces is one. Case, accents and punctuation
are gone. Lists are compared in linear time where most of them agrees.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from veridical.sources.patterns import UNSPACED, lazy

_ACCENTS = "\u0300-\u036f"
_ASCII = lazy(r"[a-z0-9]+")
_TOKEN = lazy(rf"(?=[^\W_])[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_][{_ACCENTS}]*+)+")
_UNSPACED = lazy(rf"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Keys:
    """The tokens of a text: `keys[i]` is compared, and stands at `text[starts[i]:ends[i]]`."""

    keys: list[str]
    starts: list[int]
    ends: list[int]


def keys_of(text: str) -> Keys:
    """The tokens of a text with their places; a token that is nothing but accents is left out."""
    if text.isascii():
        lower = text.lower()
        if lower.isalnum():
            return Keys([lower], [0], [len(text)])
        found = list(_ASCII().finditer(lower))
        keys = [match.group() for match in found]
    else:
        found = [match for match in _TOKEN().finditer(text) if _folded(match.group())]
        keys = [_folded(match.group()) for match in found]
    return Keys(keys, [match.start() for match in found], [match.end() for match in found])


@lru_cache(maxsize=32 * 1024)
def keys_of_word(word: str) -> Keys:
    """The tokens of a word, with the white space around it; the same words come again and again."""
    return keys_of(" ".join(word.split()))


def is_unspaced(character: str) -> bool:
    """Whether words of the character's script are written without spaces."""
    return _UNSPACED().match(character) is not None


def _folded(token: str) -> str:
    if token.isascii():
        return token.lower()
    parts = unicodedata.normalize("NFKD", token.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


_WINDOW = 2048
"""Tokens of each side that are compared at once: what is missing on one side may be half of it."""

_STRIDE = 256


@dataclass(frozen=True, slots=True)
class Run:
    """`left[left_start:left_end]` reads as `right[right_start:right_end]`.

    Token by token where both are as long, else glued together ("any", "more" and "anymore").
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def matching_runs(left: list[str], right: list[str]) -> list[Run]:
    """The stretches that agree, in order, none of them empty."""
    if left == right:
        return [Run(0, len(left), 0, len(right))] if left else []
    runs: list[Run] = []
    i = j = 0
    while i < len(left) and j < len(right):
        same = _common_prefix(left, i, right, j)
        if same:
            runs.append(Run(i, i + same, j, j + same))
        else:
            found = _window(left[i : i + _WINDOW], right[j : j + _WINDOW])
            is_all = len(left) - i <= _WINDOW and len(right) - j <= _WINDOW
            if not is_all:
                # Near the end of a window the other half may be out of sight.
                early = [r for r in found if max(r.left_end, r.right_end) <= _WINDOW // 2]
                found = early or found[:1]
            runs += [
                Run(r.left_start + i, r.left_end + i, r.right_start + j, r.right_end + j)
                for r in found
            ]
            if is_all:
                break
            if not found:
                i, j = i + _WINDOW, j + _WINDOW
                continue
        i, j = runs[-1].left_end, runs[-1].right_end
    return _with_glued(runs, left, right)


def sure_runs(left: list[str], right: list[str]) -> list[Run]:
    """The matching runs without the tokens that would agree as well at another place.

    Where one side has gaps, the tokens beside a gap may be those of the gap: "we go" in "we go on,
    then we go" is the first or the second. Nothing tells which, so neither is taken.
    """
    runs = matching_runs(left, right)
    if len(runs) == 1 and left == right:
        return runs
    sure: list[Run] = []
    i = j = 0
    between: list[Run] = []
    for run in (*runs, Run(len(left), len(left) + 1, len(right), len(right))):
        lengths = run.left_end - run.left_start, run.right_end - run.right_start
        if lengths[0] != lengths[1] or run.left_start >= len(left):  # glued, or the end
            bounds = Run(i, run.left_start, j, run.right_start)
            sure += _sure(between, left, right, bounds)
            if run.left_start < len(left):
                sure.append(run)
            between, i, j = [], run.left_end, run.right_end
        else:
            between.append(run)
    return sure


def _sure(runs: list[Run], left: list[str], right: list[str], bounds: Run) -> list[Run]:
    """What of `runs` could stand nowhere else within `bounds`, in the same order."""
    pairs = [
        (run.left_start + step, run.right_start + step)
        for run in runs
        for step in range(run.left_end - run.left_start)
    ]
    moves = _movable(left, [i for i, _ in pairs], bounds.left_start, bounds.left_end)
    others = _movable(right, [j for _, j in pairs], bounds.right_start, bounds.right_end)
    found: list[Run] = []
    for (i, j), may_move, other_may in zip(pairs, moves, others, strict=True):
        if may_move or other_may:
            continue
        if found and (found[-1].left_end, found[-1].right_end) == (i, j):
            last = found.pop()
            found.append(Run(last.left_start, i + 1, last.right_start, j + 1))
        else:
            found.append(Run(i, i + 1, j, j + 1))
    return found


def _movable(tokens: list[str], places: list[int], start: int, end: int) -> list[bool]:
    """Of tokens at some places, whether each has another place while all keep their order."""
    moves = [False] * len(places)
    at = start
    for number, place in enumerate(places):
        earliest = tokens.index(tokens[place], at, place + 1)
        moves[number] = earliest < place
        at = earliest + 1
    at = end
    for number in range(len(places) - 1, -1, -1):
        place = places[number]
        latest = next(i for i in range(at - 1, place - 1, -1) if tokens[i] == tokens[place])
        moves[number] = moves[number] or latest > place
        at = latest
    return moves


def _common_prefix(left: list[str], i: int, right: list[str], j: int) -> int:
    start = i
    while left[i : i + _STRIDE] == right[j : j + _STRIDE] and i < len(left):
        step = min(_STRIDE, len(left) - i)
        i, j = i + step, j + step
    while i < len(left) and j < len(right) and left[i] == right[j]:
        i, j = i + 1, j + 1
    return i - start


def _window(left: list[str], right: list[str]) -> list[Run]:
    """The longest common subsequence of two lists, as runs."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(key, len(numbers)) for key in left]
    known = len(numbers)
    second = [numbers.setdefault(key, len(numbers)) for key in right]
    if all(number >= known for number in second):
        return []
    from rapidfuzz.distance import LCSseq

    return [
        Run(code.src_start, code.src_end, code.dest_start, code.dest_end)
        for code in LCSseq.opcodes(first, second)
        if code.tag == "equal"
    ]


def _with_glued(runs: list[Run], left: list[str], right: list[str]) -> list[Run]:
    """`runs`, and between them what differs only in where the words are cut."""
    result: list[Run] = []
    i = j = 0
    for run in (*runs, Run(len(left), len(left), len(right), len(right))):
        if i < run.left_start and j < run.right_start:
            gap = Run(i, run.left_start, j, run.right_start)
            if "".join(left[i : gap.left_end]) == "".join(right[j : gap.right_end]):
                result.append(gap)
        if run.left_end > run.left_start:
            result.append(run)
        i, j = run.left_end, run.right_end
    return result
