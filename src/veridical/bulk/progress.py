"""How far a run is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is: rows that are done of all, and how many of these could not be checked.
    `rows` is 0 while they are being counted.
    """

    done: int
    rows: int
    failed: int


Progress = Callable[[State], None]
