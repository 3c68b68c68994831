"""Replies of models: one answer a criterion comes of them, never a better one than was given."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.scoring.samples import ARRIVAL, item, reply_to

from veridical.scoring.asking.reply import (
    MOST_EVIDENCE,
    MOST_REPEATS,
    MOST_UNKNOWN,
    Unusable,
    read_reply,
)
from veridical.scoring.scorecard import CriterionVerdict, SectionAnswer, WarningCode

IDS = [criterion.id for criterion in ARRIVAL.criteria]
MET, NOT_OBSERVED = CriterionVerdict.MET, CriterionVerdict.NOT_OBSERVED


def read(*items: dict[str, Any], **fields: Any) -> SectionAnswer:
    """The reply with these items, and with good ones for the criteria that have none."""
    given = {entry.get("criterionId") for entry in items}
    rest = [item(name) for name in IDS if name not in given]
    return read_reply(reply_to(ARRIVAL, *items, *rest, **fields), ARRIVAL)


def codes(reply: SectionAnswer) -> list[WarningCode]:
    return [warning.code for warning in reply.warnings]


def messages(reply: SectionAnswer) -> str:
    return "\n".join(warning.message for warning in reply.warnings)


def test_a_good_reply_is_taken_as_it_is() -> None:
    reply = read(sectionNotes="Calm\nand clear.", warnings=["radio was noisy"])
    assert [answer.criterion_id for answer in reply.criteria] == IDS
    first = reply.criteria[0]
    assert (first.verdict, first.score, first.confidence) == (MET, 1.0, 0.9)
    assert (first.evidence[0].start, first.evidence[0].speaker) == (6.0, "ENG25")
    assert reply.notes == "Calm and clear."
    assert [(w.code, w.message, w.section_id) for w in reply.warnings] == [
        (WarningCode.SCORER_WARNING, "the scorer warns: radio was noisy", "arrival")
    ]


@pytest.mark.parametrize(
    "data", [None, [], "met", 3, {}, {"criteria": None}, {"criteria": {}}, {"criteria": "all"}]
)
def test_a_reply_without_a_list_of_criteria_is_unusable(data: object) -> None:
    with pytest.raises(Unusable):
        read_reply(data, ARRIVAL)


@pytest.mark.parametrize("verdict", ["yes", "", None, True, 1, ["met"], {"met": 1}, "mеt", "unmet"])
def test_any_other_verdict_is_not_observed(verdict: Any) -> None:
    reply = read(item(IDS[0], verdict))
    assert reply.criteria[0].verdict is NOT_OBSERVED
    assert reply.criteria[0].evidence, "what was quoted stays: the clock may run from it"
    assert reply.warnings[0].criterion_id == IDS[0]
    assert "verdict" in reply.warnings[0].message


@pytest.mark.parametrize("score", ["4", [4], {"score": 4}, True, math.nan, math.inf, 10**400])
@pytest.mark.parametrize(
    ("criterion", "verdict"), [(0, NOT_OBSERVED), (1, NOT_OBSERVED), (2, NOT_OBSERVED), (3, MET)]
)
def test_a_verdict_with_a_score_that_is_no_number_is_not_observed(
    score: Any, criterion: int, verdict: CriterionVerdict
) -> None:
    """ "0" beside "met" may mean that it was missed. A timing criterion needs no score."""
    reply = read(item(IDS[criterion], score=score))
    assert reply.criteria[criterion].score is None
    assert reply.criteria[criterion].verdict is verdict
    assert "score is not a number" in messages(reply)


def test_a_verdict_in_another_case_is_read_and_numbers_stay_as_they_came() -> None:
    for verdict in ("Met", " met ", "MET"):
        reply = read(item(IDS[0], verdict))
        assert reply.criteria[0].verdict is MET
        assert codes(reply) == [WarningCode.REPLY_REPAIRED]
    assert read(item(IDS[1], score=1e300)).criteria[1].score == 1e300
    assert read(item(IDS[1], score=-3)).criteria[1].score == -3
    assert not read(item(IDS[1], score=None)).warnings


BAD_TIMES = ["1:75", "at 90", "-90", "1e3", "९०", "", [90], True, math.nan, 1e300, 10**400]


@pytest.mark.parametrize("bad", BAD_TIMES)
def test_a_quote_with_another_time_is_left_out_alone(bad: Any) -> None:
    good = {"quote": "assuming command", "start": 6, "speaker": "ENG25"}
    reply = read(item(IDS[0], evidence=[good | {"start": bad}, good]))
    assert [cited.start for cited in reply.criteria[0].evidence] == [6.0]
    assert codes(reply) == [WarningCode.REPLY_REPAIRED]


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "assuming command",
        {},
        {"quote": None},
        {"quote": " \n"},
        {"quote": 7, "start": 6},
        {"quote": "x" * 5_000, "start": 6},
        {"quote": "assuming command", "start": 6, "speaker": 25},
        {"quote": "assuming command", "start": 6, "speaker": "E" * 300},
    ],
)
def test_evidence_of_another_form_is_left_out_alone(bad: Any) -> None:
    good = {"quote": "assuming command", "start": None, "speaker": ""}
    (cited,) = read(item(IDS[0], evidence=[bad, good])).criteria[0].evidence
    assert (cited.quote, cited.start, cited.speaker) == ("assuming command", None, None)


def test_unknown_criteria_are_left_out_and_bounded() -> None:
    strange = [item(f"made-up-{n}\x1b[2J\u202e{'x' * 500}") for n in range(50)]
    reply = read(*strange, item(IDS[0]))
    assert codes(reply) == [WarningCode.UNKNOWN_CRITERION] * (MOST_UNKNOWN + 1)
    assert "40" in reply.warnings[-1].message
    assert all(len(warning.message) < 300 for warning in reply.warnings)
    assert "\x1b" not in messages(reply)
    assert "\u202e" not in messages(reply)


def test_the_same_answer_twice_counts_once() -> None:
    reply = read(item(IDS[0]), item(IDS[0]))
    assert reply.criteria[0].verdict is MET
    assert codes(reply) == [WarningCode.DUPLICATE_CRITERION]


@pytest.mark.parametrize("other", [{"verdict": "missed"}, {"score": 0.5}])
def test_answers_that_disagree_are_not_observed(other: dict[str, Any]) -> None:
    for changed in ((other, {}), ({}, other)):
        reply = read(*(item(IDS[0]) | fields for fields in changed))
        assert (reply.criteria[0].verdict, reply.criteria[0].score) == (NOT_OBSERVED, None)
        assert codes(reply) == [WarningCode.DUPLICATE_CRITERION]


@pytest.mark.parametrize("entry", [item(IDS[0]), item(IDS[0], "unheard of", evidence=[None])])
def test_a_criterion_that_is_scored_without_end_is_not_observed(entry: dict[str, Any]) -> None:
    reply = read(*[entry] * (MOST_REPEATS + 1))
    assert reply.criteria[0].verdict is NOT_OBSERVED
    assert reply.criteria[0].evidence == ()
    assert len(read(*[entry] * 5_000).warnings) == len(reply.warnings) <= 3


@pytest.mark.parametrize("named", ["closing", "", 7, ["arrival"]])
def test_a_reply_about_another_section_is_unusable(named: object) -> None:
    with pytest.raises(Unusable, match="another section"):
        read(sectionId=named)


def test_counts_and_lengths_are_bounded() -> None:
    quote = {"quote": "assuming command", "start": 6}
    reply = read(
        item(IDS[0], evidence=[quote] * 999, rationale="long " * 999),
        sectionNotes="n" * 9_999,
        warnings=["w" * 999] * 99,
    )
    assert len(reply.criteria[0].evidence) == MOST_EVIDENCE
    assert len(reply.criteria[0].rationale) <= 2_000
    assert len(reply.notes) == 4_000
    assert len(reply.warnings) < 30
    assert "949" in messages(reply)
