"""What changed between two scorecards: all of it, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.cli.harness import invoke
from tests.scoring.cards import (
    MET,
    MISSED,
    NOT_OBSERVED,
    boolean,
    card,
    event,
    failed,
    proof,
    radio,
    reviewed,
    rubric,
    said,
    section,
    simple_card,
    timing,
)

from veridical.scoring.diff import Change, Presence, compare
from veridical.scoring.scorecard import CheckedEvidence, CriterionVerdict, Scorecard
from veridical.scoring.wire import scorecard_to_bytes

RUBRIC = rubric(
    section("size-up", boolean("report"), boolean("mode"), weight=0.5),
    section("command", timing("clock"), weight=0.5),
)


def scored(
    report: CriterionVerdict = MET,
    command: float | None = 90.0,
    evidence: tuple[CheckedEvidence, ...] = (),
) -> Scorecard:
    events = [event("arrival", 60.0), *([] if command is None else [event("command", command)])]
    return card(
        RUBRIC,
        reviewed("size-up", said("report", report, evidence=evidence), said("mode", MET)),
        reviewed("command", said("clock", MET, events=events)),
    )


def test_a_card_does_not_differ_from_itself() -> None:
    diff = compare(scored(), scored())
    assert not diff.changed
    assert (diff.warnings, diff.compared_criteria) == ((), 3)
    assert not compare(simple_card(NOT_OBSERVED), simple_card(NOT_OBSERVED)).changed
    # What the scorer wrote and how sure it was is no change.
    reviews = (replace(said("a", MET, confidence=sure), rationale=f"{sure}") for sure in (0.9, 0.7))
    unlike = (card(rubric(section("one", boolean("a"))), reviewed("one", one)) for one in reviews)
    assert not compare(*unlike).changed


def test_a_verdict_changes_its_section_and_the_whole() -> None:
    diff = compare(scored(MET), scored(MISSED))
    (criterion,) = diff.criteria
    assert (criterion.section_id, criterion.criterion_id) == ("size-up", "report")
    assert criterion.changes == (
        Change("verdict", "met", "missed"),
        Change("score", 1.0, 0.0),
        Change("counts as", 1.0, 0.0),
    )
    (part,) = diff.sections
    assert part.changes == (Change("score", 1.0, 0.5), Change("status", "pass", "fail"))
    assert diff.overall == (
        Change("score", 1.0, 0.75), Change("status", "pass", "needs_improvement"),
    )  # fmt: skip


def test_evidence_is_compared_by_its_verified_words() -> None:
    first, second = proof(radio(), "smoke showing"), proof(radio(), "two story house")
    claimed_elsewhere = replace(first, claimed_start=1.0, corrected=True)
    unverified = CheckedEvidence("Engine 9", verified=False)
    diff = compare(
        scored(evidence=(first, unverified)), scored(evidence=(claimed_elsewhere, second))
    )
    (criterion,) = diff.criteria
    assert (criterion.changes, criterion.evidence_added, criterion.evidence_lost) == (
        (), (second,), (),
    )  # fmt: skip
    (back,) = compare(scored(evidence=(second,)), scored(evidence=(first,))).criteria
    assert (back.evidence_added, back.evidence_lost) == ((first,), (second,))


def test_criteria_of_one_card_only_are_told_and_why() -> None:
    before = card(
        rubric(section("one", boolean("a"), boolean("gone"))),
        reviewed("one", said("a", MET), said("gone", MET)),
    )
    newer = replace(rubric(section("one", boolean("a"), boolean("new"))), sha256="b" * 64)
    after = card(newer, reviewed("one", said("a", MET), said("new", MET)))
    diff = compare(before, after)
    assert [(c.criterion_id, c.presence) for c in diff.criteria] == [
        ("new", Presence.ONLY_AFTER),
        ("gone", Presence.ONLY_BEFORE),
    ]
    assert diff.warnings == ("the rubric changed between the scorecards (version 1.0 and 1.0)",)


def test_a_section_that_was_not_scored_has_no_criteria_to_compare() -> None:
    whole = scored()
    broken = card(
        RUBRIC, reviewed("size-up", said("report", MET), said("mode", MET)), failed("command")
    )
    diff = compare(whole, broken)
    assert [(c.criterion_id, c.presence) for c in diff.criteria] == [
        ("clock", Presence.ONLY_BEFORE)
    ]
    assert [change.what for change in diff.overall] == ["status", "scored weight"]
    assert diff.warnings == ()


def test_other_transcripts_and_rubrics_are_warned_of() -> None:
    one = simple_card(MET)
    other = replace(
        one,
        template=replace(one.template, id="customer-call"),
        transcript=replace(one.transcript, sha256="c" * 64),
    )
    assert compare(one, other).warnings == (
        "the scorecards are of different transcripts",
        "the scorecards are of different rubrics: fire-ground and customer-call",
    )


def test_the_terminal_gets_no_command_of_the_recording(tmp_path: Path) -> None:
    hostile = replace(proof(radio(), "smoke showing"), matched_text="a|b \x1b[31m")
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    for name, made in zip(files, (scored(), scored(MISSED, 150.0, (hostile,))), strict=True):
        Path(name).write_bytes(scorecard_to_bytes(made))
    shown = invoke("score", "diff", *files)
    assert shown.exit_code == 1
    assert "\x1b" not in shown.stdout
