"""Whose turn it is: many jobs of one workspace keep nobody else waiting."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence

from veridical.store.jobs import InLine, JobKind

_Queue = tuple[str, bool]


class Turns:
    """Hands out the places of a process, which are `workers`, as they become free.

    Each workspace has two queues, one of exports and one of everything else. The queue with the
    fewest jobs at work comes first; of several, the one that has waited longest for its turn. So a
    job that is alone in its queue waits for one that is under way, however many others there are.
    Exports leave one place to other work, where there are several.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._most_exports = max(workers - 1, 1)
        self._number = 0
        self._last_turn: dict[_Queue, int] = {}

    def next(
        self, line: Sequence[InLine], known: Collection[str], taken: Mapping[str, JobKind]
    ) -> list[InLine]:
        """Jobs that are to begin. `line` has all that are not over, as `JobBoard.line` does; those
        that are `known` are at work already. Those that are `taken` have places of this process,
        also where they were cancelled and whoever does them has not noticed yet.
        """
        at_work = Counter(_queue(job) for job in line if job.id in known)
        exports = sum(kind is JobKind.EXPORT for kind in taken.values())
        free = self._workers - len(taken)
        waiting: dict[_Queue, deque[InLine]] = {}
        for job in line:
            if job.id not in known:
                waiting.setdefault(_queue(job), deque()).append(job)
        there = at_work.keys() | waiting.keys()
        self._last_turn = {q: turn for q, turn in self._last_turn.items() if q in there}
        chosen: list[InLine] = []
        while len(chosen) < free:
            usable = [q for q in waiting if not q[1] or exports < self._most_exports]
            if not usable:
                break
            queue = min(usable, key=lambda q: (at_work[q], self._last_turn.get(q, 0)))
            chosen.append(waiting[queue].popleft())
            if not waiting[queue]:
                del waiting[queue]
            self._number += 1
            self._last_turn[queue] = self._number
            at_work[queue] += 1
            exports += queue[1]
        return chosen


def _queue(job: InLine) -> _Queue:
    return job.workspace_id, job.kind is JobKind.EXPORT
