"""What verifying a ledger against its sources found, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.seal import Problem, SealCheck
from veridical.sources.span import Span
from veridical.validation.differences import AlterationKind, Rule


class EvidenceStatus(StrEnum):
    """What became of the words that a verdict rests on, best first.

    HELD: they stand at the same place of the same document, letter for letter, and are seen there.
    MOVED: the same words stand elsewhere in it, or in another document, or there but for harmless
    differences (`EvidenceCheck.rules`). ALTERED: something like them stands there, with other
    words, figures or signs, or they stand in a sentence with others ("It is no longer true that
    ..."). ORPHANED: the document is missing, or holds nothing like them.

    Only the sentence, table row or list item is looked at: a new sentence beside it that takes it
    back ("This no longer applies.") is not seen. Build the ledger anew after a change.
    """

    HELD = "held"
    MOVED = "moved"
    ALTERED = "altered"
    ORPHANED = "orphaned"


_SEVERITY = {status: rank for rank, status in enumerate(EvidenceStatus)}


class SourceStatus(StrEnum):
    """What became of a document as a whole, by the SHA-256 of its text."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a document. `line` and `page` count from 1; None where they are not known."""

    document: str
    span: Span
    line: int | None = None
    page: int | None = None

    def describe(self) -> str:
        """Where it is, for a reader."""
        parts = [self.document]
        if self.page is not None:
            parts.append(f"page {self.page}")
        if self.line is not None:
            parts.append(f"line {self.line}")
        if len(parts) == 1:
            parts.append(f"characters {self.span.start:,} to {self.span.end:,}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Change:
    """`then` stood where `now` stands; either may be empty."""

    kind: AlterationKind
    then: str
    now: str

    def describe(self) -> str:
        """One line for a reader."""
        if not self.now:
            return f"{self.kind}: {self.then!r} was taken out"
        if not self.then:
            return f"{self.kind}: {self.now!r} was put in"
        return f"{self.kind}: {self.then!r} became {self.now!r}"


@dataclass(frozen=True, slots=True)
class WordDiff:
    """A run of the word diff: what stood there and what stands there, equal or not."""

    then: str
    now: str
    equal: bool


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    """What became of one piece of evidence.

    `was` is its place in the ledger; `now` where the words, or something like them, stand, None if
    nowhere. `stale` says that their own document no longer has the words; `also` is then another
    place where they do stand. `rules` are harmless differences; `changes` and `diff` those of
    altered words.
    """

    anchor: str
    source_id: str
    status: EvidenceStatus
    snippet: str
    was: Location
    stale: bool
    now: Location | None = None
    also: Location | None = None
    rules: tuple[Rule, ...] = ()
    changes: tuple[Change, ...] = ()
    diff: tuple[WordDiff, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """What became of one entry: `status` is the worst of its pieces, None where it has none.

    A `stale` entry must be judged again: words that its verdict rests on were altered, or have
    gone from their document.
    """

    entry_id: str
    claim_id: str
    claim_text: str
    verdict: Verdict
    status: EvidenceStatus | None
    stale: bool
    evidence: tuple[EvidenceCheck, ...]


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What became of one source. `document` is the name under which it was found now."""

    source_id: str
    filename: str
    sha256: str
    status: SourceStatus
    document: str | None = None
    sha256_now: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerVerification:
    """The whole outcome. `problems` say where the ledger does not agree with itself, its rules or
    unchanged sources: a ledger as it was built has none.
    """

    ledger_id: str
    seal: SealCheck
    sources: tuple[SourceCheck, ...]
    entries: tuple[EntryCheck, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether the file is as it was sealed, agrees with itself, and no entry is stale.

        Not so where none of its sources is at hand: then nothing was checked against any.
        """
        return self.seal.intact and not self.problems and not self.stale and self.checked

    @property
    def checked(self) -> bool:
        """Whether any source is at hand; a ledger over no documents has none to miss."""
        counts = self.source_counts
        return not self.sources or counts[SourceStatus.MISSING] < len(self.sources)

    @property
    def source_counts(self) -> dict[SourceStatus, int]:
        """Sources by status, a key for each."""
        counts = dict.fromkeys(SourceStatus, 0)
        for source in self.sources:
            counts[source.status] += 1
        return counts

    @property
    def stale(self) -> int:
        """How many entries must be judged again."""
        return sum(entry.stale for entry in self.entries)

    @property
    def counts(self) -> dict[EvidenceStatus | None, int]:
        """Entries by status, a key for each; None counts those that rest on nothing."""
        counts: dict[EvidenceStatus | None, int] = dict.fromkeys((*EvidenceStatus, None), 0)
        for entry in self.entries:
            counts[entry.status] += 1
        return counts

    def to_dict(self) -> dict[str, Any]:
        """The outcome in the form of the shipped schema `ledger_verification`."""
        from veridical.ledger.verify_wire import verification_to_json

        return verification_to_json(self)

    def to_lines(self) -> list[str]:
        """The outcome as lines of text for a reader."""
        from veridical.ledger.verify_lines import verification_lines

        return verification_lines(self)


def worst(statuses: list[EvidenceStatus]) -> EvidenceStatus | None:
    """The worst of some statuses; None of none."""
    return max(statuses, key=_SEVERITY.__getitem__, default=None)
