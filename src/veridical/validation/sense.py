"""What claims in other words are asked of: a reader of their sense.

The embedded one stands on a floor above, since it checks its own quotes with this package: it is
loaded by its name when it is first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from veridical.matching.passages import Passage
from veridical.sources.document import Document, Span


@dataclass(frozen=True, slots=True)
class Sense:
    """What was read for a claim: `document.text[span.start:span.end]` decides on it.

    `probability`, 0 to 1, is that it bears the whole claim out. `says` that it does, `refutes` that
    it says otherwise; `note` tells which, in a sentence.
    """

    document: Document
    span: Span
    probability: float
    says: bool
    refutes: bool
    note: str


class SenseReader(Protocol):
    """Reads passages for claims."""

    def read(self, asked: Sequence[tuple[str, Sequence[Passage]]]) -> list[Sense | None]:
        """What decides on each claim of what its passages and the words around them say; None where
        it cannot tell.
        """
        ...


def default_sense_reader() -> SenseReader:
    """The embedded reader, with a memory of its own for documents."""
    made: SenseReader = import_module("veridical.judging.sense").EmbeddedSenseReader()
    return made
