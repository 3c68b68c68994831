"""How many may do something at a time: in all, and of each caller, so that nobody takes it all."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Slots:
    """Counts those who are at it. Usable from several threads."""

    def __init__(self, *, most_of_one: int, most: int) -> None:
        self._most_of_one = most_of_one
        self._most = most
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one_for(self, caller: str) -> Iterator[bool]:
        """Whether there is one left for this caller, who has it until the block ends."""
        with self._lock:
            is_free = self._taken[caller] < self._most_of_one and self._taken.total() < self._most
            self._taken[caller] += is_free
        try:
            yield is_free
        finally:
            with self._lock:
                self._taken[caller] -= is_free
                if not self._taken[caller]:
                    del self._taken[caller]
