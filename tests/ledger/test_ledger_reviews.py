"""Reviews in ledger files: kept beside the machine's verdicts, sealed, and verified."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import documents, sample_ledger
from tests.ledger.reviewing import Desk

from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.canonical import canonical_bytes
from veridical.ledger.review import Decision, decision_problem, reviewed, standing
from veridical.ledger.schemas import load_schema
from veridical.ledger.seal import check_seal, seal
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import (
    LedgerFile,
    ledger_file_from_bytes,
    ledger_from_bytes,
    ledger_to_bytes,
    ledger_to_json,
    with_reviews,
)

LEDGER = ledger_from_bytes(ledger_to_bytes(sample_ledger()))
SUPPORTED, WEAK, CONTRADICTED, NOT_FOUND = 1, 2, 3, 4

DESK = Desk(LEDGER)
DESK.accept(SUPPORTED, reason="I read it")
DESK.overrule(WEAK, Verdict.SUPPORTED, "the department has agreed")
DESK.overrule(CONTRADICTED, Verdict.NOT_FOUND, "that is another office")
DESK.withdraw(CONTRADICTED)
REVIEWS = tuple(DESK.reviews)
FILE = ledger_to_bytes(LEDGER, reviews=REVIEWS)

Change = Callable[[dict[str, Any]], object]


def changed(change: Change, *, sealed_anew: bool = False) -> bytes:
    """The file after a change of its data, its seal left as it was or made anew."""
    data = copy.deepcopy(json.loads(FILE))
    change(data)
    return canonical_bytes(seal(data) if sealed_anew else data)


def test_the_last_decision_about_an_entry_counts_unless_it_was_a_withdrawal() -> None:
    first, second, third, fourth = REVIEWS
    entries = LEDGER.entries
    assert standing(REVIEWS, entries) == {first.entry_id: first, second.entry_id: second}
    assert standing(REVIEWS[:3], entries)[third.entry_id] == third
    again = replace(third, id="again")
    assert standing([*REVIEWS, again], entries)[fourth.entry_id] == again


def test_a_decision_counts_only_for_the_verdict_that_it_was_made_on() -> None:
    first, *others = LEDGER.entries
    anew = replace(LEDGER, entries=(replace(first, verdict=Verdict.WEAK), *others))
    found = reviewed(anew, REVIEWS)
    assert found.standing == {REVIEWS[1].entry_id: REVIEWS[1]}
    assert (found.accepted, found.overruled) == (0, 1)
    assert found.history == REVIEWS


def test_what_is_about_another_session_or_entry_is_told_apart() -> None:
    other = replace(REVIEWS[0], id="other", session_id="another")
    gone = replace(REVIEWS[0], id="gone", entry_id="no longer there")
    found = reviewed(LEDGER, [*REVIEWS, other, gone])
    assert found.history == REVIEWS
    assert found.elsewhere == (other, gone)


def test_a_file_gives_back_ledger_reviews_and_revision() -> None:
    file = ledger_file_from_bytes(ledger_to_bytes(LEDGER, reviews=REVIEWS, revision=3))
    assert file == LedgerFile(LEDGER, REVIEWS, 3)
    assert ledger_from_bytes(FILE) == LEDGER
    jsonschema.validate(json.loads(FILE), load_schema("evidence_ledger"))
    assert ledger_file_from_bytes(ledger_to_bytes(LEDGER)) == LedgerFile(LEDGER)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(reason=texts, reviewer=texts)
def test_any_words_of_a_reviewer_come_back_and_are_sealed(reason: str, reviewer: str) -> None:
    review = replace(REVIEWS[0], reason=reason, reviewer=reviewer)
    data = ledger_to_bytes(LEDGER, reviews=[review])
    assert ledger_file_from_bytes(data).reviews == (review,)
    assert check_seal(data).intact


def test_without_reviews_the_file_is_as_it_was_and_those_of_others_are_not_written() -> None:
    for wrong in ({"session_id": "another"}, {"entry_id": "another"}):
        with pytest.raises(ValidationError, match="which this ledger has not"):
            ledger_to_bytes(LEDGER, reviews=[replace(REVIEWS[0], **wrong)])
    data = ledger_to_json(LEDGER)
    assert with_reviews(data, ()) == data
    assert ledger_to_bytes(LEDGER, reviews=(), revision=7) == ledger_to_bytes(LEDGER)
    assert "reviews" not in json.loads(ledger_to_bytes(LEDGER))["seal"]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("revision"),
        lambda d: d.update(reviews=[]),
        lambda d: d.update(revision=0),
        lambda d: d["reviews"][0].update(decision="accepted"),
        lambda d: d["reviews"][0].update(verdict="true"),
        lambda d: d["reviews"][0].update(at="yesterday"),
        lambda d: d["reviews"][0].update(mood="bad"),
        lambda d: d["reviews"][0].pop("reason"),
        lambda d: d["reviews"][0].update(reason="x" * 100_001),
    ],
)
def test_what_does_not_fit_the_schema_is_no_ledger_file(change: Change) -> None:
    with pytest.raises(ValidationError, match="does not fit its schema: "):
        ledger_file_from_bytes(changed(change))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d["reviews"][1].update(reason="no reason"), ["reviews[1]"]),
        (lambda d: d["reviews"][1].update(reviewer="Eve"), ["reviews[1]"]),
        (lambda d: d["reviews"][1].update(verdict="weak"), ["reviews[1]"]),
        (lambda d: d["reviews"].pop(), ["reviews[3]"]),
        (lambda d: d["reviews"].pop(0), ["reviews[0]"]),
        (lambda d: d["reviews"].append(d["reviews"][0] | {"review_id": "a"}), ["reviews[4]"]),
        (lambda d: d["reviews"].append(d["reviews"][0]), ["reviews[4]"]),
        (lambda d: d["reviews"].reverse(), [f"reviews[{i}]" for i in range(4)]),
        (lambda d: d.update(revision=2), ["revision"]),
        (lambda d: d.pop("reviews"), [f"reviews[{i}]" for i in range(4)]),
        (lambda d: [d["reviews"].pop(), d["seal"]["reviews"].pop()], ["seal.header"]),
        (lambda d: [d.pop("reviews"), d["seal"].pop("reviews")], ["seal.header"]),
        (
            lambda d: [d.pop(each) for each in ("reviews", "revision")]
            + [d["seal"].pop("reviews"), d["seal"]["fields"].pop("revision")],
            ["seal.header"],
        ),
        (
            lambda d: [x.update(reviews=[d["reviews"][0]] if x is d else [x["reviews"][0]])
                       for x in (d, d["seal"])],
            ["seal.header"],
        ),
    ],
)  # fmt: skip
def test_a_changed_dropped_or_added_review_is_named(change: Change, expected: list[str]) -> None:
    check = check_seal(changed(change))
    assert not check.intact
    assert [problem.where for problem in check.problems] == expected


@pytest.mark.no_cover
def test_any_changed_byte_of_a_file_with_reviews_is_found() -> None:
    for at in range(0, len(FILE), 23):
        flipped = FILE[:at] + bytes([FILE[at] ^ 1]) + FILE[at + 1 :]
        assert not check_seal(flipped).intact, at


def test_the_head_that_was_noted_before_the_reviews_is_recognised_but_does_not_vouch_for_them(
) -> None:  # fmt: skip
    noted = json.loads(ledger_to_bytes(LEDGER))["seal"]["head"]
    own = json.loads(FILE)["seal"]["head"]
    assert own != noted
    assert check_seal(FILE, expected_head=own).intact
    (problem,) = check_seal(FILE, expected_head=noted).problems
    assert "without its reviews" in problem.message
    (problem,) = check_seal(FILE, expected_head="0" * 64).problems
    assert "another seal" in problem.message


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d["reviews"][0].update(entry_id="gone"), "reviews[0].entry_id"),
        (lambda d: d["reviews"][0].update(claim_id="gone"), "reviews[0].claim_id"),
        (
            lambda d: d["reviews"][1].update(machine_verdict="contradicted"),
            "reviews[1].machine_verdict",
        ),
        (lambda d: d["reviews"][0].update(verdict="weak"), "reviews[0].decision"),
        (lambda d: d["reviews"][1].update(reason=" \n"), "reviews[1].decision"),
        (lambda d: d["reviews"][3].update(verdict="weak"), "reviews[3].decision"),
        (lambda d: d["reviews"][1].update(at="2026-02-30T10:00:00Z"), "reviews[1].at"),
        (lambda d: d["reviews"].append(d["reviews"][3]), "reviews"),
    ],
)
def test_reviews_that_cannot_be_so_are_problems_though_sealed(change: Change, where: str) -> None:
    found = verify_ledger(changed(change, sealed_anew=True), documents())
    assert found.seal.intact is (where != "reviews")  # one review twice is found there, too
    assert [problem.where for problem in found.problems] == [where]
    assert not found.ok


@pytest.mark.parametrize("other", [{"revision": 2}, {"ledger_id": "by another judge"}])
def test_what_was_said_of_another_revision_or_ledger_of_the_session_may_differ(
    other: dict[str, Any],
) -> None:
    review = replace(REVIEWS[1], machine_verdict=Verdict.CONTRADICTED, **other)
    assert verify_ledger(ledger_to_bytes(LEDGER, reviews=[review]), documents()).ok


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("verdict", [None, *Verdict])
@pytest.mark.parametrize("reason", ["", " ", "because"])
def test_which_decisions_there_are(decision: Decision, verdict: Verdict | None, reason: str):
    allowed = {
        (Decision.WITHDRAW, None),
        (Decision.ACCEPT, Verdict.WEAK),
        *((Decision.OVERRULE, each) for each in Verdict if each is not Verdict.WEAK),
    }
    fits = (decision, verdict) in allowed
    if decision is Decision.OVERRULE and not reason.strip():
        fits = False
    assert (decision_problem(decision, Verdict.WEAK, verdict, reason) is None) is fits
