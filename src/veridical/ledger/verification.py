"""What verifying a ledger against its sources found, as typed values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.codec import Codec, Form
from veridical.judging.verdict import Verdict
from veridical.ledger.seal import Problem, SealCheck
from veridical.sources.document import Span
from veridical.text.normalize import one_line
from veridical.validation.differences import Alteration, DiffPart, Rule


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


def change_told(change: Alteration) -> str:
    """What was altered since a ledger quoted it, in one line for a reader."""
    if not change.source:
        return f"{change.kind}: {change.quoted!r} was taken out"
    if not change.quoted:
        return f"{change.kind}: {change.source!r} was put in"
    return f"{change.kind}: {change.quoted!r} became {change.source!r}"


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    """What became of one piece of evidence.

    `was` is its place in the ledger; `now` where the words, or something like them, stand, None if
    nowhere. `stale` says that their own document no longer has the words; `also` is then another
    place where they do stand. `rules` are harmless differences; `changes` and `diff` those of
    altered words, from what the ledger quotes to what stands in the document.
    """

    anchor: str
    source_id: str
    status: EvidenceStatus
    stale: bool
    snippet: str
    was: Location
    rules: tuple[Rule, ...] = ()
    changes: tuple[Alteration, ...] = ()
    diff: tuple[DiffPart, ...] = ()
    now: Location | None = None
    also: Location | None = None


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
    status: SourceStatus
    sha256: str
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
        found = Counter(source.status for source in self.sources)
        return {status: found[status] for status in SourceStatus}

    @property
    def stale(self) -> int:
        """How many entries must be judged again."""
        return sum(entry.stale for entry in self.entries)

    @property
    def counts(self) -> dict[EvidenceStatus | None, int]:
        """Entries by status, a key for each; None counts those that rest on nothing."""
        found = Counter(entry.status for entry in self.entries)
        return {status: found[status] for status in (*EvidenceStatus, None)}

    def to_dict(self) -> dict[str, Any]:
        """The outcome in the form of the shipped schema `ledger_verification`.

        It holds no time: the same documents, the same data.
        """
        told = _RECORDS.write(self)
        counts = {status or "without_evidence": count for status, count in self.counts.items()}
        return {
            "ledger_id": self.ledger_id,
            "ok": self.ok,
            "seal": told["seal"],
            "problems": told["problems"],
            "counts": {**counts, "stale": self.stale},
            "sources": told["sources"],
            "entries": told["entries"],
        }

    def to_lines(self) -> list[str]:
        """The outcome as lines of text for a reader.

        The seal, the sources, what is wrong, each entry that is not simply held, and the counts.
        """
        seal = f"intact, head {self.seal.head}" if self.seal.intact else "broken"
        lines = [f"Ledger {_plain(self.ledger_id)}", f"Seal: {seal}"]
        lines += [f"  {_plain(problem.describe())}" for problem in self.seal.problems]
        statuses = ", ".join(f"{count:,} {status}" for status, count in self.source_counts.items())
        lines.append(f"Sources: {statuses}")
        for source in self.sources:
            lines += _source_lines(source)
        lines += [f"Problem: {_plain(problem.describe())}" for problem in self.problems]
        for number, entry in enumerate(self.entries, 1):
            lines += _entry_lines(number, entry)
        counts = self.counts
        parts = [f"{counts[status]:,} {status}" for status in EvidenceStatus]
        lines.append(
            f"{len(self.entries):,} claims: {', '.join(parts)}, {counts[None]:,} without evidence; "
            f"{self.stale:,} to be judged again"
        )
        if self.ok:
            return [*lines, "The ledger holds."]
        why = "" if self.checked else ": none of its sources is at hand"
        return [*lines, f"The ledger does not hold{why}."]


# A verification as lines of text for a reader. What comes from documents is made harmless.


_MOST_CHARS = 100
"""Longer texts of the ledger are cut."""


def _source_lines(source: SourceCheck) -> Iterator[str]:
    moved = source.document is not None and source.document != source.filename
    if moved or source.status is not SourceStatus.UNCHANGED:
        known_as = f", now {_plain(source.document)}" if moved else ""
        yield f"Source {_plain(source.filename)}: {source.status}{known_as}"


def _entry_lines(number: int, entry: EntryCheck) -> Iterator[str]:
    if entry.status in (None, EvidenceStatus.HELD):
        return
    again = ", to be judged again" if entry.stale else ""
    yield f"{number}. {entry.status}{again}: {_plain(entry.claim_text)} ({entry.verdict})"
    for check in entry.evidence:
        if check.status is not EvidenceStatus.HELD:
            yield from (f"   {line}" for line in _evidence_lines(check))


def _evidence_lines(check: EvidenceCheck) -> Iterator[str]:
    words, was = f"{check.status}: “{_plain(check.snippet)}”", _plain(check.was.describe())
    if check.now is None:
        yield f"{words} ({was}) stands nowhere"
    else:
        yield f"{words} {was} -> {_plain(check.now.describe())}"
    for change in check.changes:
        yield f"  {_plain(change_told(change))}"
    if check.rules:
        yield f"  the same but for: {', '.join(check.rules)}"
    if check.also is not None:
        yield f"  unaltered in {_plain(check.also.describe())}"


def _plain(text: str | None) -> str:
    """One line of printable characters: a document may hold escape sequences for terminals."""
    line = one_line(text or "", _MOST_CHARS)
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


_RECORDS = Codec(
    {
        SourceCheck: Form({"source_id": "document_id"}, optional={"document", "sha256_now"}),
        EvidenceCheck: Form(
            {"source_id": "document_id", "changes": "alterations"}, optional={"now", "also"}
        ),
        Location: Form({"page": "page_number"}, optional={"line", "page"}),
        Alteration: Form({"quoted": "then", "source": "now"}),
        DiffPart: Form(
            {"quoted": "then", "source": "now"},
            told=lambda data: {"equal": data["equal"], **data},
        ),
    }
)
