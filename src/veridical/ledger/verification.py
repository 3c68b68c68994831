"""What verifying a ledger against its sources found, as typed values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.seal import Problem, SealCheck
from veridical.sources.span import Span
from veridical.text.normalize import one_line
from veridical.validation.differences import AlterationKind, Rule

# A verification as plain data (schema `ledger_verification`).


Data = dict[str, Any]


def verification_to_json(found: LedgerVerification) -> Data:
    """The verification as plain data. It holds no time: the same documents, the same data."""
    counts = {("without_evidence" if s is None else s.value): n for s, n in found.counts.items()}
    return {
        "ledger_id": found.ledger_id,
        "ok": found.ok,
        "seal": {
            "intact": found.seal.intact,
            "head": found.seal.head,
            "problems": [_problem(problem) for problem in found.seal.problems],
        },
        "problems": [_problem(problem) for problem in found.problems],
        "counts": {**counts, "stale": found.stale},
        "sources": [_source(source) for source in found.sources],
        "entries": [_entry(entry) for entry in found.entries],
    }


def _problem(problem: Problem) -> Data:
    return {"where": problem.where, "message": problem.message}


def _source(source: SourceCheck) -> Data:
    data: Data = {
        "document_id": source.source_id,
        "filename": source.filename,
        "status": source.status.value,
        "sha256": source.sha256,
    }
    if source.document is not None:
        data |= {"document": source.document, "sha256_now": source.sha256_now}
    return data


def _entry(entry: EntryCheck) -> Data:
    return {
        "entry_id": entry.entry_id,
        "claim_id": entry.claim_id,
        "claim_text": entry.claim_text,
        "verdict": entry.verdict.value,
        "status": None if entry.status is None else entry.status.value,
        "stale": entry.stale,
        "evidence": [_evidence(check) for check in entry.evidence],
    }


def _evidence(check: EvidenceCheck) -> Data:
    data: Data = {
        "anchor": check.anchor,
        "document_id": check.source_id,
        "status": check.status.value,
        "stale": check.stale,
        "snippet": check.snippet,
        "was": _location(check.was),
        "rules": [rule.value for rule in check.rules],
        "alterations": [
            {"kind": change.kind.value, "then": change.then, "now": change.now}
            for change in check.changes
        ],
        "diff": [{"equal": part.equal, "then": part.then, "now": part.now} for part in check.diff],
    }
    if check.now is not None:
        data["now"] = _location(check.now)
    if check.also is not None:
        data["also"] = _location(check.also)
    return data


def _location(location: Location) -> Data:
    data: Data = {
        "document": location.document,
        "span": {"start": location.span.start, "end": location.span.end},
    }
    if location.line is not None:
        data["line"] = location.line
    if location.page is not None:
        data["page_number"] = location.page
    return data


# A verification as lines of text for a reader. What comes from documents is made harmless.


_MOST_CHARS = 100
"""Longer texts of the ledger are cut."""


def verification_lines(found: LedgerVerification) -> list[str]:
    """The seal, the sources, what is wrong, each entry that is not simply held, and the counts."""
    lines = [f"Ledger {_plain(found.ledger_id)}", *_seal(found)]
    statuses = ", ".join(f"{count:,} {status}" for status, count in found.source_counts.items())
    lines.append(f"Sources: {statuses}")
    lines += [line for source in found.sources if (line := _source_line(source))]
    lines += [f"Problem: {_plain(problem.describe())}" for problem in found.problems]
    for number, entry in enumerate(found.entries, 1):
        lines += _entry_lines(number, entry)
    counts = found.counts
    parts = [f"{counts[status]:,} {status}" for status in EvidenceStatus]
    lines.append(
        f"{len(found.entries):,} claims: {', '.join(parts)}, {counts[None]:,} without evidence; "
        f"{found.stale:,} to be judged again"
    )
    lines.append(_outcome(found))
    return lines


def _outcome(found: LedgerVerification) -> str:
    if found.ok:
        return "The ledger holds."
    why = "" if found.checked else ": none of its sources is at hand"
    return f"The ledger does not hold{why}."


def _seal(found: LedgerVerification) -> Iterator[str]:
    seal = found.seal
    if seal.intact:
        yield f"Seal: intact, head {seal.head}"
        return
    yield "Seal: broken"
    for problem in seal.problems:
        yield f"  {_plain(problem.describe())}"


def _source_line(source: SourceCheck) -> str:
    name = _plain(source.filename)
    if source.status is SourceStatus.MISSING:
        return f"Source {name}: missing"
    known_as = "" if source.document == source.filename else f", now {_plain(source.document)}"
    if source.status is SourceStatus.CHANGED or known_as:
        return f"Source {name}: {source.status}{known_as}"
    return ""


def _entry_lines(number: int, entry: EntryCheck) -> Iterator[str]:
    if entry.status in (None, EvidenceStatus.HELD):
        return
    again = ", to be judged again" if entry.stale else ""
    yield f"{number}. {entry.status}{again}: {_plain(entry.claim_text)} ({entry.verdict})"
    for check in entry.evidence:
        if check.status is not EvidenceStatus.HELD:
            yield from (f"   {line}" for line in _evidence_lines(check))


def _evidence_lines(check: EvidenceCheck) -> Iterator[str]:
    was = _plain(check.was.describe())
    if check.now is None:
        yield f"{check.status}: “{_plain(check.snippet)}” ({was}) stands nowhere"
    else:
        yield f"{check.status}: “{_plain(check.snippet)}” {was} -> {_plain(check.now.describe())}"
    for change in check.changes:
        yield f"  {_plain(change.describe())}"
    if check.rules:
        yield f"  the same but for: {', '.join(check.rules)}"
    if check.also is not None:
        yield f"  unaltered in {_plain(check.also.describe())}"


def _plain(text: str | None) -> str:
    """One line of printable characters: a document may hold escape sequences for terminals."""
    line = one_line(text or "", _MOST_CHARS)
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


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
        return verification_to_json(self)

    def to_lines(self) -> list[str]:
        """The outcome as lines of text for a reader."""
        return verification_lines(self)


def worst(statuses: list[EvidenceStatus]) -> EvidenceStatus | None:
    """The worst of some statuses; None of none."""
    return max(statuses, key=_SEVERITY.__getitem__, default=None)
