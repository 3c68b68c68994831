"""Questions that name what is missing, and actions for the reader."""

from __future__ import annotations

from tests.ledger.entries import entry, piece, source

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Importance, LedgerEntry
from veridical.ledger.freshness import Staleness
from veridical.ledger.risks import (
    MOST_QUESTIONS,
    follow_up_questions,
    recommended_actions,
    risk_flags,
)

SOURCES = (source("leave.md"), source("old.md"))
LEAVE = entry("Leave is 27 days", Verdict.SUPPORTED, piece())


def questions(*entries: LedgerEntry, **stale: Staleness) -> tuple[str, ...]:
    return follow_up_questions(entries, SOURCES, {f"id-{n}.md": why for n, why in stale.items()})


def test_nothing_is_asked_where_all_is_borne_out() -> None:
    assert questions(LEAVE) == ()
    assert questions() == ()


def test_what_is_missing_is_named_with_the_place_that_comes_nearest() -> None:
    near = piece("Leave may be carried over.", heading=("Leave", "Carrying over"))
    missing = entry("Maximum carryover is 5 days", Verdict.NOT_FOUND, near=(near,))
    assert questions(missing) == (
        (
            "Which document says that “Maximum carryover is 5 days”? The nearest passage, in "
            "leave.md, section “Carrying over”, does not."
        ),
    )
    assert questions(entry("Pigs fly", Verdict.NOT_FOUND)) == (
        "Which document says that “Pigs fly”?",
    )


def test_a_contradiction_quotes_both_sides() -> None:
    against = piece("Leave is 27 days.", against=True)
    (asked,) = questions(entry("Leave is 28 days", Verdict.CONTRADICTED, against))
    assert asked == (
        "The answer says “Leave is 28 days”, but leave.md says “Leave is 27 days.”: which is meant?"
    )


def test_sources_that_disagree_are_both_named() -> None:
    against = piece("Leave is 25 days.", of="old.md", against=True)
    (asked,) = questions(entry("Leave is 27 days", Verdict.CONTRADICTED, against, piece()))
    assert asked == "Which of leave.md and old.md is authoritative on “Leave is 27 days”?"


def test_weak_support_asks_for_the_rest() -> None:
    weak = piece("Leave may be carried over.", support=SupportLevel.PARTIAL)
    (asked,) = questions(entry("All leave is carried over", Verdict.WEAK, weak))
    assert asked == (
        "leave.md says “Leave may be carried over.”: does that, or anything else, bear out “All "
        "leave is carried over”?"
    )


def test_outdated_sources_are_asked_after() -> None:
    assert questions(LEAVE, leave=Staleness("it is dated 2019")) == (
        "Is there a newer version of leave.md?",
    )
    assert questions(LEAVE, leave=Staleness("newer", "id-old.md")) == (
        "Does old.md still say what leave.md says?",
    )
    assert questions(LEAVE, old=Staleness("it is dated 2019")) == ()


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


def test_actions_number_the_claims() -> None:
    against = piece("Leave is 25 days.", of="old.md", against=True)
    entries = [
        LEAVE,
        entry("b", Verdict.NOT_FOUND, confidence=0.0),
        entry("c", Verdict.NOT_FOUND, confidence=0.0),
        entry("d", Verdict.WEAK, piece(support=SupportLevel.PARTIAL)),
        entry("e", Verdict.CONTRADICTED, against, piece()),
    ]
    stale = {"id-leave.md": Staleness("it is dated 2019")}
    actions = recommended_actions(entries, risk_flags("s", entries, SOURCES, stale))
    assert actions == (
        "Correct claim #5: the sources say otherwise",
        "Upload documents that cover claims #2 and #3, or remove what they do not bear out",
        "Review claim #4 and consider qualifying what the sources say only in part",
        (
            "Verify with current documentation (claims #1 and #4): leave.md may be outdated: it is "
            "dated 2019"
        ),
        (
            "Determine authoritative source (claim #5): Sources disagree on 1 claim: leave.md, "
            "old.md"
        ),
    )


def test_long_lists_of_claims_are_cut() -> None:
    entries = [entry(f"c{n}", Verdict.NOT_FOUND) for n in range(12)]
    (action,) = recommended_actions(entries, ())
    assert "claims #1, #2, #3, #4, #5, #6, #7, #8 and 4 more" in action
