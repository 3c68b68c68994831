"""Claims as they are judged, kept with their job until its ledger is there: for whoever watches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import ClaimType, LedgerEntry, Source
from veridical.ledger.export import wording
from veridical.reports.texts import one_line
from veridical.service.jobs.workers import Doing
from veridical.store.jobs import Job
from veridical.store.store import Shelf


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A claim that was judged, by its number from 1, and where its evidence stands."""

    number: int
    words: str
    type: ClaimType
    verdict: Verdict
    place: str


class Finding:
    """Keeps the claims of a job, and counts them. A job that is begun again begins with none."""

    def __init__(self, doing: Doing, sources: Mapping[str, Source]) -> None:
        self._doing = doing
        self._sources = sources
        self.number = 0

    def add(self, entries: Sequence[LedgerEntry]) -> None:
        """Keep the next claims."""
        found = [self._found(number, one) for number, one in enumerate(entries, self.number + 1)]
        self.number += len(entries)
        name = f"{_beginning(self._doing.job)}{self.number:08}"
        self._doing.steps.once(name, lambda: json.dumps(found))

    def _found(self, number: int, entry: LedgerEntry) -> dict[str, Any]:
        place = one_line(wording.short_place(entry, self._sources))
        words = one_line(entry.claim.words)
        return asdict(FoundClaim(number, words, entry.claim.type, entry.verdict, place))


def found_claims(shelf: Shelf, job: Job) -> list[FoundClaim]:
    """What a job has found so far."""
    kept = shelf.jobs.steps(job.id, _beginning(job))
    return [_read(**row) for output in kept for row in json.loads(output)]


def _read(number: int, words: str, type: str, verdict: str, place: str) -> FoundClaim:
    return FoundClaim(number, words, ClaimType(type), Verdict(verdict), place)


def _beginning(job: Job) -> str:
    return f"found-{job.times_begun}-"
