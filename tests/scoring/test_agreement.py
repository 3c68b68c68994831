"""Agreement of scorecards with people: published values, degenerate data, files that are wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st
from tests.scoring.cards import (
    MET,
    MISSED,
    NOT_OBSERVED,
    PARTIAL,
    boolean,
    card,
    graded,
    reviewed,
    rubric,
    said,
    section,
)

from veridical.errors import MissingExtraError, ValidationError
from veridical.scoring import agreement
from veridical.scoring.agreement import (
    MAX_ROWS,
    HumanRating,
    compare_with_people,
    interval_alpha,
    measure_agreement,
    read_ratings,
)
from veridical.scoring.scorecard import Scorecard

# The coefficients


def pairs(first: str, second: str) -> list[tuple[str, str]]:
    return list(zip(first.split(), second.split(), strict=True))


def test_alpha_is_that_of_krippendorffs_worked_examples() -> None:
    """Computing Krippendorff's Alpha-Reliability, 2011, sections A and B: 0.095 and 0.692."""
    binary = measure_agreement(pairs("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"))
    assert binary.alpha.value == pytest.approx(0.095, abs=5e-4)
    nominal = measure_agreement(pairs("a a b b d c c c e d d a", "b a b b b c c c e d d d"))
    assert nominal.alpha.value == pytest.approx(0.692, abs=5e-4)
    assert (nominal.n, nominal.agreed.count) == (12, 9)


def test_kappa_is_that_of_the_textbook_table() -> None:
    """Of 50, 20 and 15 agreed upon: observed 0.7, by chance 0.5."""
    rows = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    made = measure_agreement(rows)
    assert made.kappa.value == 0.4
    assert made.agreed.value == 0.7
    assert made.agreed.interval == pytest.approx((0.562, 0.809), abs=5e-4)
    assert [(c.first, c.second, c.count) for c in made.table] == [
        ("n", "n", 15), ("n", "y", 10), ("y", "n", 5), ("y", "y", 20),
    ]  # fmt: skip


labels = st.sampled_from(["met", "missed", "partial", "not_observed"])


def by_definition(rows: list[tuple[float, float]]) -> Fraction:
    """Interval alpha as its definition has it: all values against all, in exact arithmetic."""
    exact = [(Fraction(str(a)), Fraction(str(b))) for a, b in rows]
    values = [value for row in exact for value in row]
    observed = sum((a - b) ** 2 for a, b in exact) / len(exact)
    expected = sum((a - b) ** 2 for a in values for b in values)
    return 1 - observed / Fraction(expected, len(values) * (len(values) - 1))


@pytest.mark.parametrize("rows", [[], [("met", "met")], [("met", "met")] * 9])
def test_what_is_not_defined_is_none_with_a_note(rows: list) -> None:  # type: ignore[type-arg]
    made = measure_agreement(rows)
    assert (made.kappa.value, made.alpha.value) == (None, None)
    assert made.kappa.note
    assert made.alpha.note
    assert made.agreed.value == (1.0 if rows else None)
    assert interval_alpha([(1.0, 1.0)]).value is None
    assert interval_alpha([]).note == agreement.NOTHING


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.errors.find_spec", lambda name: None)
    for rows in ([], [("a", "b")]):
        with pytest.raises(MissingExtraError, match=r"pip install 'veridical\[agreement\]'"):
            measure_agreement(rows)


# The file of the people


def test_ratings_are_read_by_column() -> None:
    text = (
        "criterion_id,verdict,score,transcript\r\n"
        'report, Met ,4.5,"radio, first"\r\n'
        "\r\n"
        "mode,not_observed,,\r\n"
    )
    assert read_ratings(text, "h.csv") == (
        HumanRating(2, "radio, first", "report", MET, 4.5),
        HumanRating(4, "", "mode", NOT_OBSERVED),
    )


HEAD = "criterion_id,verdict\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: no column criterion_id and verdict"),
        ("criterion_id,verdict,scores\n", 'line 1: unknown column "scores"'),
        ("criterion_id,verdict,verdict\n", "line 1: column verdict is there twice"),
        (HEAD, "there are no ratings"),
        (HEAD + "a,met\n\nb,great\n", 'line 4: verdict "great" is not one of met, missed'),
        (HEAD + "a,met,1\n", "line 2: 3 fields, the first line names 2"),
        (HEAD + ",met\n", "line 2: criterion_id is empty"),
        (HEAD + "a,met\na,missed\n", "line 3: .* was rated on line 2 already"),
        (HEAD + '"a\n', "line 2: not CSV"),
        (HEAD + "a\0,met\n", "NUL"),
        (HEAD + "x" * 10_001 + ",met\n", "line 2: a field is too long"),
        (HEAD + "x" * 200_000 + ",met\n", "line 2: not CSV"),
        (HEAD + "a,met\n" * 2, "line 3"),
        (HEAD + "".join(f"c{n},met\n" for n in range(MAX_ROWS + 1)), "more than 20,000"),
        ("criterion_id,verdict,score\na,met,nan\n", 'line 2: score "nan" is not a number'),
        ("criterion_id,verdict,score\na,met,1e5\n", "line 2: score"),
        ("criterion_id,verdict,score\na,not_observed,0\n", "line 2: score 0 with not_observed"),
        ("criterion_id,verdict,rater\na,met,Kim\n", 'line 1: unknown column "rater"'),
        ("criterion_id,verdict,score\na,met,٣\n", "line 2: score"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        read_ratings(text, "h.csv")


# Scorecards against people

RUBRIC = rubric(
    section("one", boolean("report"), graded("detail", 1, 5), weight=0.5),
    section("two", boolean("mode"), weight=0.5),
)


def scored(name: str = "talk", sha256: str = "a" * 64) -> Scorecard:
    made = card(
        RUBRIC,
        reviewed("one", said("report", MET), said("detail", PARTIAL, 4)),
        reviewed("two", said("mode", MISSED)),
    )
    return replace(made, transcript=replace(made.transcript, name=name, sha256=sha256))


def ratings(*rows: str) -> tuple[HumanRating, ...]:
    head = "transcript,criterion_id,verdict,score"
    return read_ratings("\n".join((head, *rows)), "h.csv")


def test_each_rating_is_compared_with_its_scorecard() -> None:
    cards = [scored("a", "a1" * 32), scored("b", "b2" * 32)]
    report = compare_with_people(
        cards,
        ratings(
            "a,report,met,1",
            "a,detail,partial,3",
            "B2B2B2B2,report,missed,0",
            "b,detail,partial,4",
            "c,report,met,",
            "a,colour,met,",
        ),
        "h.csv",
    )
    assert (report.overall.verdicts.n, report.overall.verdicts.agreed.count) == (4, 3)
    assert list(report.criteria) == ["detail", "report"]
    detail = report.criteria["detail"]
    assert detail.scored == 2
    assert detail.interval is not None
    expected = by_definition([(0.75, 0.5), (0.75, 0.75)])
    assert detail.interval.value == pytest.approx(float(expected), abs=1e-6)
    assert [(item.rating.line, item.reason) for item in report.unmatched] == [
        (6, "no scorecard is of this transcript"),
        (7, "the scorecard has no such criterion"),
    ]
    assert (report.ratings, report.unrated) == (6, 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([",report,met,"], "line 2: no transcript is named, and there are 2 scorecards"),
        (["aaaaaaaa,report,met,"], "line 2: 2 scorecards are of a transcript"),
        (["talk,report,met,"], "line 2: 2 scorecards are of a transcript"),
        (["a" * 63 + "b,detail,met,7"], "line 2: score 7 is not on the scale of .* 1 to 5"),
        (["a" * 63 + "b,report,met,", "A" * 63 + "b,report,met,"], "line 3: the same transcript"),
        (
            ["a" * 63 + "b,detail,missed,5"],
            "line 2: missed with score 5, the greatest of the scale",
        ),
        (["a" * 63 + "b,detail,met,1"], "line 2: met with score 1, the least of the scale"),
        (["a" * 63 + "b,detail,partial,5"], "line 2: partial with score 5, the greatest"),
        (["x,report,met,"], "none of 1 ratings .* line 2: no scorecard is of this transcript"),
    ],
)
def test_ratings_that_cannot_be_placed(rows: list[str], message: str) -> None:
    cards = [scored(sha256="a" * 63 + "b"), scored(sha256="a" * 63 + "c")]
    with pytest.raises(ValidationError, match=message):
        compare_with_people(cards, ratings(*rows), "h.csv")


def test_two_scorecards_of_one_transcript_are_refused() -> None:
    with pytest.raises(ValidationError, match="two scorecards are of the same transcript"):
        compare_with_people([scored(), scored()], ratings("talk,report,met,"), "h.csv")
