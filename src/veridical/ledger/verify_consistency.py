"""Does a ledger agree with itself, with its own rules, and with the sources that have not changed?

A seal says that nothing was changed since it was made; it cannot say that what was sealed was true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from veridical.ledger.entry import EvidenceLedger, LedgerSummary
from veridical.ledger.seal import Problem
from veridical.ledger.summary import summarised
from veridical.ledger.verify_claims import ClaimChecks
from veridical.ledger.verify_derived import follows, source_problems, time_problems
from veridical.ledger.verify_pieces import PieceChecks
from veridical.ledger.verify_verdict import TOLERANCE, verdict_problems
from veridical.sources.document import Document


def inconsistencies(
    ledger: EvidenceLedger, unchanged: Mapping[str, Document]
) -> tuple[Problem, ...]:
    """What is wrong within a ledger. `unchanged` holds, by source id, the documents whose text is
    the one that the ledger was built on.
    """
    sources = {source.id: source for source in ledger.sources}
    claims, pieces = ClaimChecks(ledger.answer), PieceChecks(sources, unchanged)
    problems = [*_ids(ledger), *time_problems(ledger), *source_problems(ledger, unchanged)]
    problems += _summary(ledger)
    for index, entry in enumerate(ledger.entries):
        at = f"entries[{index}]"
        problems += claims.problems(entry, sources, at)
        problems += verdict_problems(entry, len(sources), at)
        problems += pieces.problems(entry, at)
    if not problems:
        problems += follows(ledger, unchanged)
    return tuple(problems)


def _ids(ledger: EvidenceLedger) -> Iterator[Problem]:
    named = (
        ("sources", [source.id for source in ledger.sources]),
        ("entries", [entry.id for entry in ledger.entries]),
        ("entries", [entry.claim.id for entry in ledger.entries]),
        ("risk_flags", [flag.id for flag in ledger.risk_flags]),
    )
    for where, ids in named:
        for twice in _repeated(ids):
            yield Problem(where, f"the id {twice} is used more than once")
    claims = {entry.claim.id for entry in ledger.entries}
    for index, flag in enumerate(ledger.risk_flags):
        if not claims.issuperset(flag.affected_claim_ids):
            yield Problem(f"risk_flags[{index}]", "it affects a claim that the ledger has not")


def _repeated(ids: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(ids).items() if count > 1)


def _summary(ledger: EvidenceLedger) -> Iterator[Problem]:
    stated, counted = ledger.summary, summarised(ledger.entries)
    for name in ("total_claims", "by_verdict", "by_importance"):
        if getattr(stated, name) != getattr(counted, name):
            yield Problem(f"summary.{name}", "it is not what the entries add up to")
    for name in ("evidence_coverage", "unsupported_rate"):
        if not _close_rates(stated, counted, name):
            expected = getattr(counted, name)
            shown = "null" if expected is None else f"{expected:.6g}"
            yield Problem(f"summary.{name}", f"the entries give {shown}")


def _close_rates(stated: LedgerSummary, counted: LedgerSummary, name: str) -> bool:
    one, other = getattr(stated, name), getattr(counted, name)
    if one is None or other is None:
        return one is other
    return bool(abs(one - other) <= TOLERANCE)
