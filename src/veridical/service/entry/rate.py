"""How often somebody may call: a bucket each, that fills evenly and holds a minute's worth."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

MOST_BUCKETS = 10_000
"""Of those who called last; whoever is pushed out begins with a full one again."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether a call is allowed, and how many more are now. `retry_seconds` is 0 if it is."""

    limit: int
    remaining: int
    retry_seconds: int

    @property
    def is_spent(self) -> bool:
        """Whether the call must be refused."""
        return self.retry_seconds > 0


class Rates:
    """Counts calls by who makes them: by what `key` makes of that. Usable from several threads."""

    def __init__(
        self,
        per_minute: int,
        *,
        most: int = MOST_BUCKETS,
        key: Callable[[str], str] = str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_minute = per_minute
        self._most = most
        self._key = key
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # content, as of when

    def take(self, who: str) -> Allowance:
        """Count a call of `who`."""
        who = self._key(who)
        with self._lock:
            now = self._clock()
            content = self._content(who, now)
            allowed = self._allowance(content)
            if not allowed.is_spent:
                content -= 1
            self._buckets.pop(who, None)
            self._buckets[who] = (content, now)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        return replace(allowed, remaining=int(content))

    def look(self, who: str) -> Allowance:
        """What a call of `who` would find now, without counting any."""
        with self._lock:
            return self._allowance(self._content(self._key(who), self._clock()))

    def _content(self, who: str, now: float) -> float:
        content, since = self._buckets.get(who, (float(self._per_minute), now))
        return min(self._per_minute, content + (now - since) * self._per_minute / 60)

    def _allowance(self, content: float) -> Allowance:
        short = 1 - content
        retry = max(1, math.ceil(short * 60 / self._per_minute)) if short > 0 else 0
        return Allowance(self._per_minute, int(content), retry)
