"""The sample for manual review: the same everywhere, and something of every kind."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.runs import (
    FAILED,
    LEAVE,
    MISQUOTED,
    QUOTE,
    REFUSAL,
    WRONG,
    answer,
    ask,
    result,
    run,
    run_of,
)

from veridical.errors import ValidationError
from veridical.evaluation.review import draw_sample, shares
from veridical.evaluation.review_agreement import (
    ReviewAgreement,
    agree_with_automatic,
    agree_with_each_other,
)
from veridical.evaluation.review_csv import (
    COLUMNS,
    MAX_CELL_CHARS,
    Aspect,
    Label,
    ReviewedRow,
    guard,
    review_from_bytes,
    review_to_bytes,
    unguard,
)
from veridical.evaluation.run import ChatResponse, EvalRun, QuestionResult

RIGHT = answer()


def mixed(right: int, wrong: int, refused: int, answered: int) -> EvalRun:
    """Answerable questions right and wrong, unanswerable ones refused and answered."""
    kinds = [(True, RIGHT)] * right + [(True, MISQUOTED)] * wrong
    kinds += [(False, REFUSAL)] * refused + [(False, RIGHT)] * answered
    return run(
        *(
            result(ask(f"{n:03}", answerable=answerable), response)
            for n, (answerable, response) in enumerate(kinds)
        )
    )


def ids(sample: tuple[QuestionResult, ...]) -> list[str]:
    return [item.question.id for item in sample]


def kinds(sample: tuple[QuestionResult, ...]) -> Counter[tuple[bool, bool]]:
    return Counter((i.question.answerable, bool(i.scores and i.scores.citation_ok)) for i in sample)


def test_the_same_seed_draws_the_same_on_every_machine() -> None:
    """Oracle: of each kind the first, and in all that order, by `printf '42\\n000' | sha256sum`."""
    made = mixed(16, 2, 6, 1)
    assert ids(draw_sample(made, 6, seed=42)) == ["011", "014", "023", "016", "018", "024"]
    assert ids(draw_sample(made, 6, seed=43)) != ids(draw_sample(made, 6, seed=42))


def test_every_kind_is_in_it_and_the_rest_in_proportion() -> None:
    assert kinds(draw_sample(mixed(16, 2, 6, 1), 10)) == {
        (True, True): 5,
        (True, False): 1,
        (False, True): 3,
        (False, False): 1,
    }


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.integers(1, 300))
def test_shares_are_whole_and_fair(sizes: list[int], size: int) -> None:
    taken = shares(sizes, size)
    assert sum(taken) == min(size, sum(sizes))
    assert all(0 <= share <= most for share, most in zip(taken, sizes, strict=True))
    if size >= len(sizes):
        assert min(taken) >= 1
        spare, left = sum(taken) - len(sizes), sum(sizes) - len(sizes)
        for share, most in zip(taken, sizes, strict=True):
            assert not left or abs(share - 1 - spare * (most - 1) / left) < 1


def test_what_got_no_response_cannot_be_reviewed() -> None:
    assert ids(draw_sample(run_of([FAILED, RIGHT]), 10)) == ["q2"]
    with pytest.raises(ValidationError, match="nothing to review"):
        draw_sample(run_of([FAILED]), 10)


# --- the file: nothing in it is run by a spreadsheet, and what one saves can be read --------------

ATTACK = "=cmd|' /C calc'!A0"


def written(response: ChatResponse, id: str = "q1") -> bytes:
    return review_to_bytes(draw_sample(run(result(ask(id), response))))


def cells(data: bytes) -> dict[str, str]:
    """The first row as any reader of CSV has it."""
    return next(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def filled(*rows: Mapping[str, str], separator: str = ",") -> str:
    """A file as a reviewer saves it."""
    text = io.StringIO(newline="")
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(text, columns, delimiter=separator, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def row(id: str = "q1", **more: str) -> dict[str, str]:
    empty = dict.fromkeys(COLUMNS, "")
    return {**empty, "id": id, "groundedness": "yes", "automatic_grounded_ok": "no", **more}


def read(text: str | bytes) -> tuple[ReviewedRow, ...]:
    return review_from_bytes(text if isinstance(text, bytes) else text.encode(), "r.csv")


# --- writing -------------------------------------------------------------------------------------


def test_the_reviewer_finds_the_sources_in_full_and_their_own_columns_empty() -> None:
    data = written(WRONG)
    assert data.startswith(b"\xef\xbb\xbf")
    found = cells(data)
    assert tuple(found) == COLUMNS
    assert found["citations"] == f"[1] Leave · Leave > Days · leave.md\n{LEAVE}"
    assert found["quotes"] == '"Part-time staff get a share of it." [1]'
    assert [found[column] for column in ("groundedness", "citation", "correctness", "notes")] == [
        "", "", "", "",
    ]  # fmt: skip
    automatic = ("automatic_grounded_ok", "automatic_citation_ok", "automatic_correct")
    assert [found[column] for column in automatic] == ["yes", "yes", "no"]


@pytest.mark.parametrize(
    "text",
    [
        ATTACK,
        "-1+1",
        "@SUM(A1)",
        "\t=1+1",
        "\n=1+1",
        "＝1+1",
        "'=1+1",
        "'\t-1",
        "x;=1+1",
        'x;"=1+1"',
        "x\t=1+1",
        "x\n=1+1",
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_cell_begins_a_formula_however_the_file_is_split(text: str, separator: str) -> None:
    """Programs whose list separator is a semicolon split at semicolons."""
    response = answer(text, text=text)
    lines = written(response, text).decode("utf-8-sig")
    for line in csv.reader(io.StringIO(lines, newline=""), delimiter=separator):
        for cell in line:
            assert cell.lstrip("\t\r\n")[:1] not in set("=+-@＝＋－＠"), cell


@given(st.text(alphabet="=+-@'\t\r\n;\", ax＝", max_size=12) | st.text(max_size=20))
def test_a_guard_can_be_taken_off_again(text: str) -> None:
    assert unguard(guard(text)) == text


@pytest.mark.parametrize("text", ["5 days", "a = b", "1-2", "x, -5", "O'Neil", ""])
def test_harmless_text_is_left_as_it_is(text: str) -> None:
    assert guard(text) == text


@pytest.mark.parametrize("filling", ["x", "\n=", '"-'])
def test_a_text_longer_than_a_cell_is_cut_and_says_so(filling: str) -> None:
    found = cells(written(answer(text=filling * 40_000)))["citations"]
    assert len(found) <= MAX_CELL_CHARS
    assert found.endswith("characters in all)")


# --- reading back --------------------------------------------------------------------------------

ONE = (ReviewedRow(2, "q1", {Aspect.GROUNDEDNESS: Label.YES}, {Aspect.GROUNDEDNESS: Label.NO}),)


@pytest.mark.parametrize(
    "text",
    [
        filled(row()),
        filled(row(), separator=";"),
        "\ufeff" + filled(row()),
        filled(row()).replace("\r\n", "\n"),
        filled(dict(reversed(row().items()))),
        filled({"mine": "seen, twice", **row()}),
        filled(row(groundedness=" YES ", automatic_grounded_ok="FALSE")),
        filled(row()).replace("groundedness", "Groundedness"),
        filled(row(answer="two\nlines", notes="=?")),
        filled(row()) + ",,,\r\n\r\n",
        "id,groundedness,citation,correctness,automatic_grounded_ok,notes\r\nq1,yes,,,no",
        filled(row()).encode("utf-16"),
        filled(row(notes="größer – “so”")).encode("cp1252"),
    ],
)
def test_what_spreadsheets_do_to_a_file_is_understood(text: str | bytes) -> None:
    assert read(text) == ONE


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (filled(row(), row("q2", citation="maybe")), 'row 3 .id "q2"., column citation: "maybe"'),
        (filled(row(automatic_correct="partly")), "row 2.*column automatic_correct"),
        (filled(row(), row()), 'row 3, column id: "q1" is in row 2 already'),
        (filled(row("")), "row 2, column id: it is empty"),
        (filled(row(), dict.fromkeys(row(), ""), row("q2", citation="?")), "row 4"),
        ("id,groundedness\nq1,yes", "row 1: no column citation and correctness"),
        ("", "row 1: no column id"),
        (filled(row())[: filled(row()).index("\r\n")], "no rows"),
        ("id,id,groundedness,citation,correctness\nq,q,,,", "column id is there twice"),
        ("id,groundedness,citation,correctness\nq,yes,,,,yes", "row 2: 6 cells"),
        ('id,groundedness,citation,correctness\nq1,"yes', "not CSV"),
        ("id,groundedness,citation,correctness\nq\0,yes,,", "NUL"),
        (filled(row("größe")).encode("cp1252"), "row 2, column id: .* save it as CSV UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named_by_row_and_column(text: str | bytes, complaint: str) -> None:
    with pytest.raises(ValidationError, match=f"^r.csv.*{complaint}"):
        read(text)


def test_an_exported_file_with_labels_comes_back() -> None:
    text = written(answer(quote=QUOTE), "=q1").decode("utf-8-sig")
    reviewed = text.replace('"","","","","yes"', '"Partly","yes","no","","yes"')
    (found,) = read(reviewed)
    assert found.id == "=q1"
    assert list(found.human.values()) == [Label.PARTLY, Label.YES, Label.NO]
    assert set(found.automatic.values()) == {Label.YES}


# --- reviewers against the automatic scores, and against each other -------------------------------

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


@pytest.mark.parametrize(
    ("size", "expected"), [(1, {(True, False)}), (2, {(True, False), (False, False)})]
)
def test_too_small_a_sample_takes_what_failed(size: int, expected: set[tuple[bool, bool]]) -> None:
    assert set(kinds(draw_sample(mixed(16, 2, 6, 1), size))) == expected
