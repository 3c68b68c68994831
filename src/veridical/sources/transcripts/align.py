"""Which tokens of one list are those of another, in order; in linear time where most agree."""

from __future__ import annotations

from dataclasses import dataclass

_WINDOW = 2048
"""Tokens of each side that are compared at once: what is missing on one side may be half of it."""

_STRIDE = 256


@dataclass(frozen=True, slots=True)
class Run:
    """`left[left_start:left_end]` reads as `right[right_start:right_end]`, token by token or glued

    together ("any", "more" and "anymore").
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
                found = _trusted(found)
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


def _trusted(runs: list[Run]) -> list[Run]:
    """The runs in the first half of a window; near its end the other half may be out of sight."""
    half = _WINDOW // 2
    early = [run for run in runs if max(run.left_end, run.right_end) <= half]
    return early or runs[:1]


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
