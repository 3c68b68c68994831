"""The answer of a ledger, cut where its claims start and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.wording import numbered


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the answer: inside the claims with these numbers, or inside none."""

    text: str
    claims: tuple[int, ...] = ()


def stretches(ledger: EvidenceLedger) -> Iterator[Stretch]:
    """The answer in pieces that together are the whole of it, cut where claims start and end.

    Where claims overlap, the part that they share belongs to the one that starts first. A claim
    that stands wholly inside another is named with it.
    """
    answer, at = ledger.answer, 0
    rows = sorted(numbered(ledger), key=lambda row: (row.entry.claim.span.start, row.number))
    inside: list[int] = []
    held = ""
    for row in rows:
        span = row.entry.claim.span
        start, end = max(span.start, at), min(span.end, len(answer))
        if start >= end:
            inside.append(row.number)
            continue
        if held:
            yield Stretch(held, tuple(inside))
        if start > at:
            yield Stretch(answer[at:start])
        held, inside, at = answer[start:end], [row.number], end
    if held:
        yield Stretch(held, tuple(inside))
    if at < len(answer):
        yield Stretch(answer[at:])
