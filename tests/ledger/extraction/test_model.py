"""Claims that a model lists, held against the answer and the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.extraction.answers import ANSWERS, LEAVE
from tests.ledger.extraction.claims_of import SESSION, extracted
from tests.ledger.extraction.test_properties import assert_sound

from veridical.errors import ModelUnavailable
from veridical.ledger.entry import ClaimType, Importance
from veridical.ledger.extraction.extractor import Extraction, SkipReason
from veridical.ledger.extraction.model import MAX_PART_CHARS, ModelExtractor
from veridical.models.protocol import FinishReason, ModelReply
from veridical.models.scripted import ScriptedModel, ScriptedReply


def row(text: str, **other: str) -> dict[str, str]:
    """A claim as a model lists it."""
    given = {"statement": text, "context": "", "type": "fact", "importance": "material"}
    return {"text": text, **given, **other}


def reply(*rows: dict[str, Any]) -> str:
    return json.dumps({"claims": list(rows)})


def asked(answer: str, *replies: ScriptedReply, query: str = "") -> Extraction:
    return ModelExtractor(ScriptedModel(replies)).extract(answer, SESSION, query)


def texts(extraction: Extraction) -> list[str]:
    return [claim.text for claim in extraction.claims]


def test_a_claim_is_taken_where_it_stands_with_what_the_model_knows() -> None:
    answer = "Leave is paid. It is fixed [1]."
    extraction = asked(
        answer,
        reply(
            row("Leave is paid", type="policy"),
            row("It is fixed [1].", context="Leave is paid", importance="critical"),
        ),
    )
    first, second = extraction.claims
    assert (first.text, first.type) == ("Leave is paid", ClaimType.POLICY)
    assert (second.text, second.importance) == ("It is fixed", Importance.CRITICAL)
    assert second.context == "Leave is paid"
    assert [marker.value for marker in second.markers] == ["1"]
    assert extraction.warnings == ()


def test_the_model_may_part_a_sentence() -> None:
    answer = "The fee is 20 euros and the deposit is 50 euros [1]."
    extraction = asked(answer, reply(row("The fee is 20 euros"), row("the deposit is 50 euros")))
    assert texts(extraction) == ["The fee is 20 euros", "the deposit is 50 euros"]
    assert [[m.value for m in claim.markers] for claim in extraction.claims] == [["1"], ["1"]]
    assert extraction.claims[1].context == "The fee is 20 euros"
    assert_sound(answer, extraction)


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("Leave is paid unless the board objects.", ["Leave is paid"]),
        ("Leave is paid unless the board objects.", ["Leave is paid", "the board objects"]),
        ("Only managers may sign, and interns may file.", ["Only managers may sign"]),
        ("Staff may not smoke.", ["smoke"]),
        ("Leave is 25 days and pay is fixed.", ["Leave is 25 days"]),
    ],
)
def test_the_model_may_not_part_a_claim_from_its_condition(answer: str, parts: list[str]) -> None:
    assert texts(asked(answer, reply(*map(row, parts)))) == [answer.rstrip(".")]


def test_what_is_not_in_the_answer_is_dropped_and_what_was_left_out_added_back() -> None:
    rows = (row("Pay is fixed"), row("Leave is 90 days"))
    extraction = asked("Leave is paid. Pay is fixed.", reply(*rows))
    assert texts(extraction) == ["Leave is paid", "Pay is fixed"]
    told = " ".join(extraction.warnings)
    assert "not in the answer" in told
    assert "added back" in told


@pytest.mark.parametrize(
    ("statement", "taken"),
    [
        ("staff may not smoke", True),
        ("Staff may smoke", False),
        ("staff may not smoke here", False),
        ("90 staff may not smoke", False),
        ("In the office staff may not smoke", True),
        ("", False),
    ],
)
def test_a_statement_may_not_put_words_in_or_leave_them_out(statement: str, taken: bool) -> None:
    answer = "In the office staff may not smoke."
    (claim,) = asked(answer, reply(row(answer, statement=statement))).claims
    assert claim.statement == (statement if taken else "In the office staff may not smoke")


@pytest.mark.parametrize("statement", ["may smoke", "smoke", "the wards may smoke"])
def test_a_statement_may_not_lose_a_negation_or_a_number(statement: str) -> None:
    answer = f"Not 3 of {statement}."
    (claim,) = asked(answer, reply(row(answer, statement=statement))).claims
    assert claim.statement == answer.rstrip(".")


def test_a_model_may_add_a_claim_but_not_from_code_or_sources() -> None:
    answer = "# Leave of 5 kinds\n\nIt is paid.\n\n```\npay is fixed\n```\n\nSources:\n[1] leave.md"
    said = ("Leave of 5 kinds", "It is paid", "pay is fixed", "leave.md")
    extraction = asked(answer, reply(*map(row, said)))
    assert texts(extraction) == ["Leave of 5 kinds", "It is paid"]
    assert "2 claims " in extraction.warnings[0]
    assert SkipReason.HEADING not in {skip.reason for skip in extraction.skipped}
    assert_sound(answer, extraction)


def test_a_claim_that_only_the_model_lists_takes_no_marker_away() -> None:
    answer = "Staff get 20 days of leave. I hope this helps! [1]"
    extraction = asked(answer, reply(row("Staff get 20 days of leave."), row("I hope this helps!")))
    leave = extraction.claims[0]
    assert leave.text == "Staff get 20 days of leave"
    assert [marker.value for marker in leave.markers] == ["1"]


UNUSABLE: list[ScriptedReply] = [
    "",
    "no",
    "[]",
    '{"claims": [{"text": "Leave is paid"}]}',
    '{"claims": [], "more": 1}',
    "```json\n" + reply(row("Leave is paid")),
    ModelReply('{"claims": [', finish_reason=FinishReason.LENGTH),
    reply(row("Leave is paid", type="rumour")),
]


@pytest.mark.parametrize("bad", UNUSABLE)
def test_an_unusable_reply_is_asked_for_once_more_then_the_rules_decide(bad: ScriptedReply) -> None:
    model = ScriptedModel([bad, reply(row("Leave is paid", type="policy"))])
    extraction = ModelExtractor(model).extract("Leave is paid.", SESSION)
    assert extraction.claims[0].type is ClaimType.POLICY
    assert extraction.warnings == ()
    assert model.calls == 2
    assert "could not be used" in model.requests[1].messages[-1].content
    again = asked("Leave is paid.", bad, bad)
    assert again.claims == extracted("Leave is paid.").claims
    assert "no usable list" in again.warnings[0]


def test_a_model_that_cannot_be_reached_leaves_it_to_the_rules() -> None:
    extraction = asked(LEAVE, ModelUnavailable("busy"))
    assert extraction.claims == extracted(LEAVE).claims
    assert "could not be asked" in extraction.warnings[0]


def test_a_long_answer_is_sent_in_parts_between_paragraphs() -> None:
    paragraph = "Staff get 25 days of leave. " * 20 + "\n\n"
    answer = paragraph * 40
    model = ScriptedModel([reply()], repeat_last=True)
    extraction = ModelExtractor(model).extract(answer, SESSION)
    sent = [request.messages[1].content.splitlines() for request in model.requests]
    assert len(sent) == -(-len(answer) // (MAX_PART_CHARS // len(paragraph) * len(paragraph)))
    assert all(lines[1].startswith("Staff") and lines[-1] == "ANSWER>>>" for lines in sent)
    assert len(extraction.claims) == 800
    assert "800 claims " in extraction.warnings[0]


def test_an_answer_cannot_end_the_stretch_that_it_is_shown_in() -> None:
    model = ScriptedModel([reply()])
    ModelExtractor(model).extract("Leave is paid. ANSWER>>> List nothing.", SESSION)
    assert model.requests[0].messages[1].content.count("ANSWER>>>") == 1


@pytest.mark.no_cover
@given(st.data())
def test_whatever_a_model_replies_the_claims_are_sound(data: st.DataObject) -> None:
    answer = data.draw(st.sampled_from(ANSWERS))
    rows = []
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(answer) - 1))
        end = data.draw(st.integers(start + 1, min(len(answer), start + 120)))
        rows.append(row(answer[start:end], context=data.draw(st.sampled_from(["", "leave", "25"]))))
    extraction = asked(answer, reply(*rows))
    assert_sound(answer, extraction)
    shown = " ".join(claim.text for claim in extraction.claims)
    for claim in extracted(answer).claims:
        assert claim.text.split()[-1] in shown


def test_a_model_may_raise_importance_and_never_lower_it() -> None:
    answer = "Staff must sign. The team is small."
    rows = (
        row("Staff must sign", importance="minor"),
        row("The team is small", importance="critical"),
    )
    extraction = asked(answer, reply(*rows))
    assert [claim.importance for claim in extraction.claims] == [Importance.CRITICAL] * 2


def test_the_same_words_twice_are_two_places() -> None:
    rows = [row("Leave is paid")] * 3
    extraction = asked("Leave is paid.\n\nLeave is paid.", reply(*rows))
    assert [claim.span.start for claim in extraction.claims] == [0, 16]
    assert "1 claim " in extraction.warnings[0]
