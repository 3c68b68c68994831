"""Verifying a ledger: what was sealed must be true. Forgeries with a good seal are found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.ledger.ledgers import FULL, document, entry, ledger_of, piece
from tests.ledger.verifying import (
    ALTERED,
    ORPHANED,
    Forgery,
    forged,
    problems_at,
    statuses,
    verified,
)

from veridical.judging.confidence import ConfidenceComponents, displayed_confidence
from veridical.ledger.wire import ledger_to_bytes
from veridical.sources.span import Span


def other_snippet(data: dict[str, Any]) -> None:
    """Words that never stood in the document, of the same length."""
    evidence = data["entries"][0]["evidence"]
    evidence["snippet"] = evidence["pieces"][0]["snippet"] = (
        "Staff get 35 days of paid leave a year."
    )
    evidence["pieces"][0]["source_text"] = "Staff get *35 days* of paid leave a year."


def other_shown(data: dict[str, Any]) -> None:
    """What stands there is as before; only what is shown to the reader is not."""
    evidence = data["entries"][0]["evidence"]
    evidence["snippet"] = evidence["pieces"][0]["snippet"] = (
        "Staff get 35 days of paid leave a year."
    )


def invented(data: dict[str, Any]) -> None:
    words = "All journeys by yacht are repaid by the chairman himself, whatever they cost him."
    evidence = data["entries"][1]["evidence"]
    evidence["snippet"] = evidence["pieces"][0]["snippet"] = words
    evidence["pieces"][0]["source_text"] = words


@pytest.mark.parametrize(
    ("forgery", "entry_index", "status"),
    [(other_snippet, 0, ALTERED), (other_shown, 0, ALTERED), (invented, 1, ORPHANED)],
)
def test_a_sealed_snippet_that_never_stood_there_is_found(forgery, entry_index, status):
    found = forged(forgery)
    assert statuses(found)[entry_index] is status
    assert any("the ledger is wrong" in problem.message for problem in found.problems)
    assert not found.ok


@pytest.mark.parametrize(
    ("forgery", "where"),
    [
        (lambda d: d["entries"][1].update(verdict="supported"), "entries[1].verdict"),
        (lambda d: d["entries"][2].update(verdict="weak"), "entries[2].verdict"),
        (lambda d: d["entries"][3].update(verdict="supported"), "entries[3].verdict"),
        (lambda d: d["entries"][1].update(confidence_score=0.99), "entries[1].confidence_score"),
        (
            lambda d: d["entries"][1]["evidence"]["pieces"][0].update(support="full"),
            "entries[1].evidence.pieces[0].support",
        ),
        (lambda d: d["summary"].update(evidence_coverage=0.75), "summary.evidence_coverage"),
        (lambda d: d["summary"].update(unsupported_rate=None), "summary.unsupported_rate"),
        (lambda d: d["summary"].update(total_claims=5), "summary.total_claims"),
        (lambda d: d["summary"]["by_verdict"].update(weak=0), "summary.by_verdict.weak"),
        (lambda d: d["summary"]["by_importance"].update(minor=9), "summary.by_importance.minor"),
        (lambda d: d["entries"].pop(), "summary.total_claims"),
        (lambda d: d["entries"][0].update(claim_text="Staff get 99."), "entries[0].claim_text"),
        (lambda d: d.update(answer="Something else."), "entries[0].claim_text"),
        (
            lambda d: d["entries"][0]["evidence"]["pieces"][0]["chunk_span"].update(end=20),
            "entries[0].evidence.pieces[0].snippet_span",
        ),
        (
            lambda d: d["entries"][0]["evidence"]["pieces"][0].update(chunk_sha256="0" * 64),
            "entries[0].evidence.pieces[0].chunk_sha256",
        ),
        (lambda d: d["sources"][0].update(chars=9), "sources[0].chars"),
        (lambda d: d["sources"][0].update(superseded_by="gone"), "sources[0].superseded_by"),
        (lambda d: d["risk_flags"][0].update(affected_claims=["gone"]), "risk_flags[0]"),
        (lambda d: d["entries"][1].update(entry_id=d["entries"][0]["entry_id"]), "entries"),
    ],
)
def test_a_sealed_ledger_that_contradicts_itself_is_found(forgery, where):
    found = forged(forgery)
    assert where in problems_at(found)
    assert not found.ok


STAFF = document(
    "# Leave\n\nIssued on 3 May 2025.\n\nFull-time staff get 27 days of leave. "
    "Interns get ~~15 days~~ 5 days.\n\n## Sickness\n\nA note is needed.\n",
    "leave.md",
)
CLAIM = "Full-time staff get **27 days**, not 30 days."
AS_JUDGED = "Full-time staff get 27 days, not 30 days."


def staff_ledger() -> bytes:
    """A ledger over `STAFF`: one claim is borne out, for the other nothing was found."""
    start = STAFF.text.index("Full-time")
    span = Span(start, STAFF.text.index(". Interns") + 1)
    supported = entry(CLAIM, 0, FULL, [piece(STAFF, span)])
    claim = replace(supported.claim, statement=AS_JUDGED, context="Leave")
    missing = entry("It rains.", len(CLAIM) + 1, None, [])
    entries = [replace(supported, claim=claim), missing]
    return ledger_to_bytes(ledger_of(f"{CLAIM} It rains.", entries, [STAFF]))


STAFF_FILE = staff_ledger()


def test_the_ledger_that_is_forged_below_holds():
    assert verified(STAFF, file=STAFF_FILE).ok


def snipped(words: str, start: int) -> Forgery:
    """The snippet is cut down to `words`, at `start`."""

    def change(data: dict[str, Any]) -> None:
        evidence = data["entries"][0]["evidence"]
        made = evidence["pieces"][0]
        evidence["snippet"] = made["snippet"] = made["source_text"] = words
        made["snippet_span"] = {"start": start, "end": start + len(words)}

    return change


@pytest.mark.parametrize(
    ("words", "within"),
    [
        ("7 days of leave.", "27 days of leave."),
        ("staff get 2", "staff get 27"),
        ("time staff get 27 day", "time staff get 27 days"),
        ("taff get 27 days of leave.", "staff get 27 days of leave."),
        ("15 days", "~~15 days"),
        ("5 days", "~~15 days"),
    ],
)
def test_a_snippet_cut_out_of_a_word_or_struck_through_is_found(words, within):
    start = STAFF.text.index(within) + within.index(words)
    found = forged(snipped(words, start), STAFF, file=STAFF_FILE)
    assert "entries[0].evidence.pieces[0].snippet" in problems_at(found)
    assert not found.ok


def test_a_snippet_that_is_part_of_a_sentence_is_none():
    words = "27 days of leave"
    assert forged(snipped(words, STAFF.text.index(words)), STAFF, file=STAFF_FILE).ok


def components(index: int, **changes: Any) -> Forgery:
    """The components of an entry are changed, and its confidence with them."""

    def change(data: dict[str, Any]) -> None:
        made = data["entries"][index]
        made["components"].update(changes)
        confidence = displayed_confidence(ConfidenceComponents(**made["components"]))
        made["confidence_score"] = round(confidence, 6)

    return change


@pytest.mark.parametrize(
    ("forgery", "where"),
    [
        (components(0, semantic_similarity=1.0), "entries[0].components.semantic_similarity"),
        (components(0, directness=0.5), "entries[0].components.directness"),
        (components(0, evidence_count=0), "entries[0].components.evidence_count"),
        (components(0, evidence_count=2), "entries[0].components.evidence_count"),
        (components(0, source_quality=0.5), "entries[0].components.source_quality"),
        (components(1, source_quality=1.0), "entries[1].components.source_quality"),
        (
            components(
                1, semantic_similarity=1.0, evidence_count=4, directness=1.0, source_quality=1.0
            ),
            "entries[1].components.evidence_count",
        ),
    ],
)
def test_components_that_do_not_follow_from_the_pieces_are_found(forgery, where):
    found = forged(forgery, STAFF, file=STAFF_FILE)
    assert where in problems_at(found)


@pytest.mark.parametrize(
    "changes",
    [
        {"semantic_similarity": 0.92},
        {"evidence_count": 4},
        {"directness": 1.0},
        {"source_quality": 1.0},
    ],
)
def test_a_contradicted_claim_that_is_given_credit_is_found(changes):
    (name,) = changes
    found = forged(components(2, **changes))
    assert f"entries[2].components.{name}" in problems_at(found)


@pytest.mark.parametrize(
    ("statement", "is_found"),
    [
        (AS_JUDGED, False),
        ("27 days, not 30 days.", False),
        ("Leave: Full-time staff get 27 days, not 30 days.", False),
        ("Full-time staff get 99 days, not 30 days.", True),
        ("Full-time staff get 30 days, not 27 days.", True),
        ("Full-time staff get 27 days, 30 days.", True),
        ("Part-time staff get 27 days, not 30 days.", True),
        ("It rains", True),
    ],
)
def test_a_statement_with_other_words_than_its_claim_is_found(statement, is_found):
    found = forged(
        lambda data: data["entries"][0].update(statement=statement), STAFF, file=STAFF_FILE
    )
    assert ("entries[0].statement" in problems_at(found)) is is_found


def under(*titles: str) -> Forgery:
    def change(data: dict[str, Any]) -> None:
        evidence = data["entries"][0]["evidence"]
        for place in (evidence["source"], evidence["pieces"][0]["source"]):
            place["heading_path"] = list(titles)

    return change


def without(name: str) -> Forgery:
    return lambda data: data.update({name: []})


@pytest.mark.parametrize(
    ("forgery", "where"),
    [
        (under("Pay"), "entries[0].evidence.pieces[0].source.heading_path[0]"),
        (under("Leave", "Sickness"), "entries[0].evidence.pieces[0].source.heading_path"),
        (lambda d: d["sources"][0].update(format="pdf"), "sources[0].format"),
        (lambda d: d["sources"][0].update(date="2026-01-01"), "sources[0].date"),
        (lambda d: d["sources"][0].pop("date"), "sources[0].date"),
        (lambda d: d["sources"][0].update(date="2025-02-31"), "sources[0].date"),
        (lambda d: d["sources"][0].update(superseded_by=d["sources"][0]["document_id"]),
         "sources[0].superseded_by"),
        (lambda d: d.update(generated_at="2026-13-01T00:00:00Z"), "generated_at"),
        (without("risk_flags"), "risk_flags"),
        (lambda d: d["risk_flags"][0].update(severity="low"), "risk_flags[0].severity"),
        (lambda d: d["risk_flags"][0].update(mitigation="Do nothing"), "risk_flags[0].mitigation"),
        (without("follow_up_questions"), "follow_up_questions"),
        (lambda d: d["follow_up_questions"].append("Who asks?"), "follow_up_questions"),
        (without("actions"), "actions"),
        (lambda d: d["actions"].append("Send money."), "actions"),
    ],
)  # fmt: skip
def test_what_does_not_follow_from_entries_and_sources_is_found(forgery, where):
    found = forged(forgery, STAFF, file=STAFF_FILE)
    assert set(problems_at(found)) == {where}
    assert not found.ok


def test_an_old_source_makes_a_risk_that_cannot_be_taken_out():
    """Ten years on the source is stale: a new date of the ledger must bring the risk with it."""
    found = forged(
        lambda data: data.update(generated_at="2035-06-01T00:00:00Z"), STAFF, file=STAFF_FILE
    )
    assert "risk_flags" in problems_at(found)
    assert "entries[0].components.source_quality" in problems_at(found)


def test_what_follows_is_not_asked_for_where_a_source_has_changed():
    """It cannot be known then: the old text is not at hand."""
    changed = document(STAFF.text + "More.\n", "leave.md")
    found = forged(without("actions"), changed, file=STAFF_FILE)
    assert found.problems == ()
    assert found.ok


def test_the_same_text_under_another_name_gives_the_same():
    renamed = document(STAFF.text, "holidays-2019.md")
    assert verified(renamed, file=STAFF_FILE).ok
