"""A verification as lines of text for a reader. What comes from documents is made harmless."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.ledger.verification import (
    EntryCheck,
    EvidenceCheck,
    EvidenceStatus,
    LedgerVerification,
    SourceCheck,
    SourceStatus,
)

_MOST_CHARS = 100
"""Longer texts of the ledger are cut."""


def verification_lines(found: LedgerVerification) -> list[str]:
    """The seal, the sources, what is wrong, each entry that is not simply held, and the counts."""
    lines = [f"Ledger {_plain(found.ledger_id)}", *_seal(found)]
    statuses = ", ".join(f"{count:,} {status}" for status, count in found.source_counts.items())
    lines.append(f"Sources: {statuses}")
    lines += [line for source in found.sources if (line := _source(source))]
    lines += [f"Problem: {_plain(problem.describe())}" for problem in found.problems]
    for number, entry in enumerate(found.entries, 1):
        lines += _entry(number, entry)
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


def _source(source: SourceCheck) -> str:
    name = _plain(source.filename)
    if source.status is SourceStatus.MISSING:
        return f"Source {name}: missing"
    known_as = "" if source.document == source.filename else f", now {_plain(source.document)}"
    if source.status is SourceStatus.CHANGED or known_as:
        return f"Source {name}: {source.status}{known_as}"
    return ""


def _entry(number: int, entry: EntryCheck) -> Iterator[str]:
    if entry.status in (None, EvidenceStatus.HELD):
        return
    again = ", to be judged again" if entry.stale else ""
    yield f"{number}. {entry.status}{again}: {_plain(entry.claim_text)} ({entry.verdict})"
    for check in entry.evidence:
        if check.status is not EvidenceStatus.HELD:
            yield from (f"   {line}" for line in _evidence(check))


def _evidence(check: EvidenceCheck) -> Iterator[str]:
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
    line = " ".join((text or "").split())
    if len(line) > _MOST_CHARS:
        line = line[: _MOST_CHARS - 2] + " …"
    return "".join(character if character.isprintable() else "\ufffd" for character in line)
