"""What was made with effort, kept in memory up to a bound."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Bounded(Generic[K, T]):
    """Values by key, those used last, up to a sum of costs. Usable from several threads; two that
    ask for the same at once may both make it. One value that alone costs too much is not kept.
    """

    def __init__(self, most: int, cost: Callable[[T], int]) -> None:
        self._most = most
        self._cost = cost
        self._lock = threading.Lock()
        self._held: OrderedDict[K, T] = OrderedDict()
        self._sum = 0

    def get(self, key: K, make: Callable[[], T]) -> T:
        """What is there of a key, made where there is nothing."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        made = make()
        cost = self._cost(made)
        with self._lock:
            if key not in self._held and cost <= self._most:
                self._held[key] = made
                self._sum += cost
                while self._sum > self._most:
                    self._sum -= self._cost(self._held.popitem(last=False)[1])
        return made
