"""Sections come in any order and become one scorecard, by rules that a hand can follow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring.cards import (
    MET,
    MISSED,
    NOT_APPLICABLE,
    NOT_OBSERVED,
    PARTIAL,
    boolean,
    card,
    event,
    failed,
    graded,
    proof,
    radio,
    reviewed,
    rubric,
    said,
    section,
    simple_card,
    timing,
    unproven,
)

from veridical.scoring.rubric import EvidenceRules, NotObserved, ScoringRules
from veridical.scoring.scorecard import (
    CardWarning,
    CriterionVerdict,
    Scorecard,
    Status,
    TimeRange,
    WarningCode,
)
from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes

EXCLUDE = ScoringRules(required_not_observed=NotObserved.EXCLUDE_WITH_WARNING)


def codes(of: Scorecard) -> list[WarningCode]:
    return [warning.code for warning in of.warnings]


def reasons(of: Scorecard, criterion: str | None) -> list[str]:
    items = of.human_review.items
    return [reason for item in items if item.criterion_id == criterion for reason in item.reasons]


@pytest.mark.parametrize(
    ("rules", "verdict", "score", "code", "as_missed"),
    [
        (ScoringRules(), NOT_OBSERVED, 0.5, WarningCode.REQUIRED_NOT_OBSERVED, True),
        (EXCLUDE, NOT_OBSERVED, 1.0, WarningCode.REQUIRED_NOT_OBSERVED, False),
        (ScoringRules(), NOT_APPLICABLE, 1.0, WarningCode.REQUIRED_NOT_APPLICABLE, False),
    ],
)
def test_a_required_criterion_never_disappears_silently(
    rules: ScoringRules,
    verdict: CriterionVerdict,
    score: float,
    code: WarningCode,
    as_missed: bool,
) -> None:
    of = rubric(section("one", boolean("must", required=True), boolean("may")), scoring=rules)
    made = card(of, reviewed("one", said("must", verdict), said("may", MET)))
    must = made.sections[0].criteria[0]
    assert made.sections[0].score == score
    assert must.counted_as_missed is as_missed
    assert (must.review.score, must.normalized) == (None, 0.0 if as_missed else None)
    assert codes(made) == [code]
    assert reasons(made, "must")


def test_a_section_that_failed_leaves_the_others_and_the_whole_incomplete() -> None:
    of = rubric(
        section("one", boolean("a"), weight=0.25),
        section("two", boolean("b"), weight=0.25),
        section("three", boolean("c"), weight=0.5),
    )
    nothing = card(of).overall
    assert (nothing.score, nothing.scored_weight) == (None, 0.0)
    assert nothing.status is Status.INCOMPLETE
    made = card(of, failed("two"), reviewed("one", said("a", MET)))
    assert [part.status for part in made.sections] == [
        Status.PASS,
        Status.INCOMPLETE,
        Status.INCOMPLETE,
    ]
    assert (made.overall.score, made.overall.status) == (1.0, Status.INCOMPLETE)
    assert made.overall.scored_weight == 0.25
    assert made.sections[1].failure == "the model gave no JSON"
    assert made.sections[2].failure == "it was not scored"
    assert codes(made) == [WarningCode.SECTION_INCOMPLETE] * 2
    assert [item.section_id for item in made.human_review.items] == ["two", "three"]
    assert made.model_info.usage.calls == 4
    assert made.model_info.usage.prompt_tokens == 100  # one server did not tell


def test_what_does_not_apply_at_all_is_not_incomplete() -> None:
    of = rubric(
        section("one", boolean("a"), boolean("b"), weight=0.5),
        section("two", boolean("c"), weight=0.5),
    )
    none = reviewed("one", said("a", NOT_APPLICABLE), said("b", NOT_APPLICABLE))
    made = card(of, none, reviewed("two", said("c", MET)))
    first = made.sections[0]
    assert (first.status, first.score, first.failure) == (Status.NOT_APPLICABLE, None, "")
    assert (made.overall.status, made.overall.score) == (Status.PASS, 1.0)
    assert made.overall.scored_weight == 0.5
    assert set(codes(made)) == {WarningCode.SAID_NOT_APPLICABLE}
    whole = card(of, none, reviewed("two", said("c", NOT_APPLICABLE))).overall
    assert (whole.status, whole.score) == (Status.NOT_APPLICABLE, None)
    # One that nobody could tell of is another thing.
    part = card(of, reviewed("one", said("a", NOT_APPLICABLE), said("b", NOT_OBSERVED)))
    assert part.sections[0].status is Status.INCOMPLETE
    again = scorecard_from_bytes(scorecard_to_bytes(made))
    assert again == made


# Timing


def timed_card(verdict: CriterionVerdict, *events: object, **more: object) -> Scorecard:
    of = rubric(section("one", timing("clock"), boolean("other")))
    review = said("clock", verdict, events=events, **more)  # type: ignore[arg-type]
    return card(of, reviewed("one", review, said("other", MET)))


@pytest.mark.parametrize(("end", "verdict"), [(120.0, MET), (180.0, PARTIAL), (181.0, MISSED)])
def test_the_clock_decides_whatever_was_said(end: float, verdict: CriterionVerdict) -> None:
    for given_verdict in (MET, MISSED):
        made = timed_card(given_verdict, event("arrival", 60.0), event("command", end))
        clock = made.sections[0].criteria[0]
        score = {MET: 1.0, PARTIAL: 0.5, MISSED: 0.0}[verdict]
        assert (clock.review.verdict, clock.review.score, clock.normalized) == (
            verdict, score, score,
        )  # fmt: skip
        assert clock.review.given_verdict is given_verdict
        overruled = WarningCode.VERDICT_OVERRULED in codes(made)
        assert overruled is (given_verdict is not verdict)


def test_whether_it_applies_is_not_for_the_clock_to_say() -> None:
    kept = timed_card(NOT_APPLICABLE)
    assert kept.sections[0].criteria[0].review.verdict is NOT_APPLICABLE
    assert codes(kept) == [WarningCode.SAID_NOT_APPLICABLE]
    shown = timed_card(NOT_APPLICABLE, event("arrival", 60.0), event("command", 70.0))
    assert shown.sections[0].criteria[0].review.verdict is MET
    assert codes(shown) == [WarningCode.VERDICT_OVERRULED]


def test_a_close_call_is_for_a_person() -> None:
    made = timed_card(MET, event("arrival", 60.0, latest=66.0), event("command", 118.0))
    assert made.sections[0].criteria[0].timing is not None
    close = timed_card(MET, event("arrival", 60.0), event("command", 118.0, latest=123.0))
    assert codes(close) == [WarningCode.TIMING_CLOSE_CALL]
    assert reasons(close, "clock") == ["the time is too close to a limit to be sure"]


def test_events_are_looked_for_from_near_to_far() -> None:
    of = rubric(
        section("one", timing("clock"), boolean("near"), weight=0.5),
        section("two", boolean("far"), weight=0.5),
    )

    def seconds(own: tuple, near: tuple, far: tuple) -> float | None:  # type: ignore[type-arg]
        made = card(
            of,
            reviewed("one", said("clock", MET, events=own), said("near", MET, events=near)),
            reviewed("two", said("far", MET, events=far)),
        )
        timed = made.sections[0].criteria[0].timing
        assert timed is not None
        return timed.seconds

    start, end = event("arrival", 60.0), event("command", 90.0)
    early, late = event("arrival", 6.0), event("command", 150.0)
    assert seconds((start, end), (early, late), (early,)) == 30.0
    assert seconds((start,), (late,), (end,)) == 90.0
    assert seconds((), (start,), (end, early)) == 30.0
    assert seconds((), (), (start, end)) == 30.0
    # What is not verified does not count as being there.
    assert seconds((unproven("arrival", 80.0), end), (start,), ()) == 30.0
    # A nearer event wins also where a farther one would have given a time.
    assert seconds((start, event("command", 6.0)), (end,), ()) is None


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("Engine 25 on scene", "Engine 25 assuming", 30.0),
        ("Engine 25 on scene", "Engine 25 on scene", None),
        ("Engine 25 on scene, two story house", "on scene, two story house, smoke", None),
    ],
)
def test_start_and_end_on_the_same_words_have_no_time_between_them(
    start: str, end: str, seconds: float | None
) -> None:
    shown = (proof(radio(), start), proof(radio(), end))
    events = [
        replace(event(name, 60.0 + 30.0 * ("assuming" in words.quote)), evidence=index)
        for index, (name, words) in enumerate(zip(("arrival", "command"), shown, strict=True))
    ]
    made = timed_card(MET, *events, evidence=shown)
    timed = made.sections[0].criteria[0].timing
    assert timed is not None
    assert timed.seconds == seconds
    assert (WarningCode.TIMING_NOT_COMPUTED in codes(made)) is (seconds is None)


@pytest.mark.parametrize(
    ("least", "more", "verdict"),
    [
        (0, (), MET),
        (1, (), MET),
        (2, (), MET),  # the clock's own two
        (3, (), NOT_OBSERVED),
        (3, ("smoke showing",), MET),
        (3, ("Engine 25 on scene, two story",), NOT_OBSERVED),  # no other words
        (4, ("smoke showing",), NOT_OBSERVED),
    ],
)
def test_a_time_needs_as_much_evidence_as_its_criterion_asks_for(
    least: int, more: tuple[str, ...], verdict: CriterionVerdict
) -> None:
    clock = replace(timing("clock"), evidence=EvidenceRules(min_evidence=least))
    shown = [proof(radio(), text) for text in ("Engine 25 on scene", "Engine 25 assuming", *more)]
    events = [event("arrival", 60.0), replace(event("command", 90.0), evidence=1)]
    of = rubric(section("one", clock, boolean("other")))
    made = card(
        of, reviewed("one", said("clock", MET, events=events, evidence=shown), said("other", MET))
    )
    assert made.sections[0].criteria[0].review.verdict is verdict
    assert any("pieces of evidence" in w.message for w in made.warnings) is (verdict is not MET)


# Warnings, and what a person should look at


def test_low_confidence_is_for_a_person() -> None:
    of = rubric(section("one", boolean("a"), boolean("b"), boolean("c")))
    made = card(
        of,
        reviewed(
            "one",
            said("a", MET, confidence=0.59),
            said("b", MET, confidence=0.6),
            said("c", MET, confidence=None),
        ),
    )
    assert [item.criterion_id for item in made.human_review.items] == ["a"]
    assert simple_card(MET).human_review.required is False


def test_what_a_scorer_was_not_shown_stays_on_its_section() -> None:
    part = TimeRange(100.0, 150.0)
    warned = CardWarning(WarningCode.TRANSCRIPT_SHORTENED, "50 s were left out")
    of = rubric(section("one", boolean("a")))
    made = card(of, reviewed("one", said("a", MET), omitted=[part], warnings=[warned]))
    assert made.sections[0].omitted == (part,)
    assert reasons(made, None) == ["the scorer was not shown the whole transcript"]


weights = st.integers(1, 100).map(lambda n: n / 10)


@given(st.lists(weights, min_size=1, max_size=9), st.sampled_from([0.8, 0.6]))
def test_float_noise_never_moves_a_score_over_a_threshold(parts: list, at: float) -> None:  # type: ignore[type-arg]
    criteria = [graded(f"c{n}", 0, 10, weight=w) for n, w in enumerate(parts)]
    reviews = [said(c.id, PARTIAL, at * 10) for c in criteria]
    made = card(rubric(section("one", *criteria)), reviewed("one", *reviews))
    assert made.sections[0].score == at
    assert made.overall.status is (Status.PASS if at == 0.8 else Status.NEEDS_IMPROVEMENT)
