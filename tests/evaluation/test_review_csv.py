"""The review as a file: nothing in it is run by a spreadsheet, and what one saves can be read."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.runs import LEAVE, QUOTE, WRONG, answer, ask, result, run

from veridical.errors import ValidationError
from veridical.evaluation.review import draw_sample
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
from veridical.evaluation.run import ChatResponse

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
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        "＝1+1",
        "'=1+1",
        "''=1+1",
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


@pytest.mark.parametrize("blank", [" ", "  ", "\u00a0", "\u200b", "\ufeff", "\u3000", "\n "])
@pytest.mark.parametrize("before", ["", "a;", 'a"', "a\n", "a\t"])
def test_a_formula_behind_white_space_is_one(before: str, blank: str) -> None:
    guarded = guard(f"{before}{blank}=1+1")
    assert guarded != guarded.replace("'", "") == f"{before}{blank}=1+1"
    assert unguard(guarded) == f"{before}{blank}=1+1"


@pytest.mark.parametrize("text", ["5 days", "a = b", "1-2", "x, -5", "O'Neil", ""])
def test_harmless_text_is_left_as_it_is(text: str) -> None:
    assert guard(text) == text


@settings(max_examples=40)
@given(st.text(max_size=30), st.text(alphabet="=-'\n\"; ab", max_size=30))
def test_ids_and_lines_come_back_as_they_were(id: str, words: str) -> None:
    found = cells(written(answer(words), id))
    usable = words.strip()
    assert usable in unguard(found["answer"])
    assert len(list(csv.reader(io.StringIO(written(answer(words), id).decode(), newline="")))) == 2


@pytest.mark.parametrize("filling", ["x", "\n=", '"-'])
def test_a_text_longer_than_a_cell_is_cut_and_says_so(filling: str) -> None:
    found = cells(written(answer(text=filling * 40_000)))["citations"]
    assert len(found) <= MAX_CELL_CHARS
    assert found.endswith("characters in all)")


def test_characters_that_no_file_holds_do_not_stop_it() -> None:
    found = cells(written(answer("a\x00b\ud800c")))["answer"]
    assert found.startswith("a\ufffdb\ufffdc")


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
