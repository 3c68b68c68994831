"""Reviewers against the automatic scores, and against each other."""

from __future__ import annotations

import pytest

from veridical.errors import ValidationError
from veridical.evaluation.review_agreement import (
    ReviewAgreement,
    agree_with_automatic,
    agree_with_each_other,
)
from veridical.evaluation.review_csv import Aspect, Label, ReviewedRow

YES, PARTLY, NO = Label.YES, Label.PARTLY, Label.NO


def reviewed(*pairs: tuple[Label | None, Label], first: int = 1) -> tuple[ReviewedRow, ...]:
    """Rows of which a person said the first of everything, the scores the second."""
    return tuple(
        ReviewedRow(
            at + 1,
            f"q{at}",
            {} if human is None else dict.fromkeys(Aspect, human),
            dict.fromkeys(Aspect, automatic),
        )
        for at, (human, automatic) in enumerate(pairs, start=first)
    )


def counts(report: ReviewAgreement) -> list[tuple[str, str, int]]:
    return [(c.first, c.second, c.count) for c in report.aspects[0].agreement.table]


def test_partly_is_not_what_a_score_of_ok_claims() -> None:
    rows = reviewed((YES, YES), (PARTLY, NO), (PARTLY, YES), (NO, NO), (None, YES))
    report = agree_with_automatic(rows, "r.csv")
    assert counts(report) == [("no", "no", 2), ("no", "yes", 1), ("yes", "yes", 1)]
    for aspect in report.aspects:
        assert (aspect.agreement.agreed.count, aspect.agreement.n, aspect.left_out) == (3, 4, 1)
        # By hand: (3/4 - 1/2) / (1 - 1/2), each saying yes to 1 and 2 of 4.
        assert aspect.agreement.kappa.value == 0.5
    assert {(d.row, d.id, d.first, d.second) for d in report.disagreements} == {
        (4, "q3", PARTLY, YES)
    }


def test_between_reviewers_partly_is_a_word_of_its_own() -> None:
    one = reviewed((YES, YES), (PARTLY, YES), (NO, NO))
    other = reviewed((YES, YES), (NO, YES), (NO, NO))
    report = agree_with_each_other(one, "a.csv", other, "b.csv")
    assert counts(report) == [("no", "no", 1), ("partly", "no", 1), ("yes", "yes", 1)]
    assert {(d.id, d.first, d.second) for d in report.disagreements} == {("q2", PARTLY, NO)}


def test_where_all_is_well_kappa_says_why_there_is_none() -> None:
    kappa = agree_with_automatic(reviewed((YES, YES), (YES, YES)), "r.csv").aspects[0].agreement
    assert kappa.kappa.value is None
    assert "undefined" in kappa.kappa.note
    assert kappa.agreed.interval is not None


def test_an_aspect_that_nobody_judged_is_told_as_such() -> None:
    row = ReviewedRow(2, "q1", {Aspect.CITATION: YES}, dict.fromkeys(Aspect, YES))
    report = agree_with_automatic((row,), "r.csv")
    assert [(a.agreement.n, a.left_out) for a in report.aspects] == [(0, 1), (1, 0), (0, 1)]
    assert "nothing" in report.aspects[0].agreement.kappa.note


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (reviewed((None, YES)), "nothing was reviewed yet"),
        ((ReviewedRow(2, "q1", {Aspect.CITATION: YES}, {}),), "column automatic_grounded_ok"),
    ],
)
def test_what_cannot_be_compared_with_scores_is_told(
    rows: tuple[ReviewedRow, ...], complaint: str
) -> None:
    with pytest.raises(ValidationError, match=f"^r.csv: .*{complaint}"):
        agree_with_automatic(rows, "r.csv")


@pytest.mark.parametrize(
    ("others", "complaint"),
    [
        (reviewed((YES, YES), first=9), "no id in common"),
        (reviewed((YES, NO)), "different runs"),
        (reviewed((None, YES)), "b.csv: nothing was reviewed yet"),
    ],
)
def test_files_of_different_samples_are_refused(
    others: tuple[ReviewedRow, ...], complaint: str
) -> None:
    with pytest.raises(ValidationError, match=complaint):
        agree_with_each_other(reviewed((YES, YES)), "a.csv", others, "b.csv")
