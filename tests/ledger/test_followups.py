"""Questions that name what is missing, and actions for the reader."""

from __future__ import annotations

from tests.ledger.entries import entry, source

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Importance, LedgerEntry
from veridical.ledger.followups import (
    MOST_QUESTIONS,
    follow_up_questions,
)
from veridical.ledger.freshness import Staleness

SOURCES = (source("leave.md"), source("old.md"))


def questions(*entries: LedgerEntry, **stale: Staleness) -> tuple[str, ...]:
    return follow_up_questions(entries, SOURCES, {f"id-{n}.md": why for n, why in stale.items()})


def test_the_most_important_come_first_and_the_number_is_bounded() -> None:
    entries = [
        entry(f"minor {n}", Verdict.NOT_FOUND, importance=Importance.MINOR) for n in range(20)
    ]
    critical = entry("vital", Verdict.NOT_FOUND, importance=Importance.CRITICAL)
    asked = questions(*entries, critical, critical)
    assert len(asked) == MOST_QUESTIONS
    assert "“vital”" in asked[0]
    assert "“minor 0”" in asked[1]


def test_long_claims_are_shortened_at_a_word() -> None:
    (asked,) = questions(entry("word " * 100, Verdict.NOT_FOUND))
    assert "word …”" in asked
    (unspaced,) = questions(entry("字" * 400, Verdict.NOT_FOUND))
    assert len(unspaced) < 300
    assert "字 …”" in unspaced
