"""A value of a claim must stand in the cell that the claim's words name."""

from __future__ import annotations

import pytest

from veridical import Document, check_answer, document_from_text
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.cells import misplaced_values
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
from veridical.ledger.passages import Passage, heading_of, sentences_of
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Format

ROWS = (
    ("Grade", "Meals per day", "Hotel per night"),
    ("Senior", "40 euros", "120 euros"),
    ("Junior", "30 euros", "90 euros"),
)
TURNED = tuple(zip(*ROWS, strict=True))
UNITS = (
    ("Grade", "Meals (EUR)", "Hotel (EUR)"),
    ("Senior", "40", "120"),
    ("Junior", "30", "90"),
)

Rows = tuple[tuple[str, ...], ...]


def markdown(rows: Rows) -> str:
    lines = [" | ".join(row) for row in (rows[0], ("---",) * len(rows[0]), *rows[1:])]
    return "# Travel\n\n" + "".join(f"| {line} |\n" for line in lines)


def html(rows: Rows, head: str = "th") -> str:
    tags = [head, *("td" for _ in rows[1:])]
    lines = (
        "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
        for tag, row in zip(tags, rows, strict=True)
    )
    return f"<h1>Travel</h1><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def plain(rows: Rows) -> str:
    return "Travel\n\n" + "\n".join("\t".join(row) for row in rows)


DOCUMENTS = {
    "markdown": document_from_text(markdown(ROWS), "t.md"),
    "markdown, turned": document_from_text(markdown(TURNED), "t.md"),
    "markdown, units in titles": document_from_text(markdown(UNITS), "t.md"),
    "html": document_from_text(html(ROWS), "t.html"),
    "html, turned": document_from_text(html(TURNED), "t.html"),
    "html without titles": document_from_text(html(ROWS, "td"), "t.html"),
    "plain": document_from_text(plain(ROWS), "t.txt"),
}
MISPLACED = (
    "Senior staff may spend 120 euros on meals per day.",
    "Junior staff may spend 90 euros on meals per day.",
    "Junior staff get 40 euros for meals.",
    "Seniors may spend 90 euros on a hotel.",
    "The meal allowance for seniors is 90 euros per day.",
    "Senior staff may spend 120 euros on meals and 40 euros on a hotel.",
    "Senior and junior staff get 30 and 40 euros for meals.",
    "Seniors get 30 euros for meals, juniors 40 euros.",
    "Meals and hotels cost seniors 120 and 40 euros.",
)
IN_PLACE = (
    "Senior staff may spend 40 euros on meals per day.",
    "Junior staff may spend 90 euros per night on hotels.",
    "Meals cost up to 30 euros per day for junior staff.",
    "Senior staff may spend 40 euros on meals and 120 euros on a hotel.",
    "Senior and junior staff get 40 and 30 euros for meals.",
    "Seniors get 40 euros for meals, juniors 30 euros.",
    "Meals: 40 euros (senior) and 30 euros (junior).",
    "Meals and hotels cost seniors 40 and 120 euros.",
    "The hotel limit of 120 euros for seniors does not include meals.",
    "Seniors get 10 euros more for meals than juniors, who get 30 euros.",
    "Senior staff get 120 euros.",
    "The limit is 120 euros.",
)
OTHERS: tuple[tuple[Rows, str, bool], ...] = (
    ((("Item", "Limit"), ("Meals", "40 euros"), ("Hotel", "120 euros")),
     "The limit for meals is 120 euros.", True),
    ((("Item", "Limit"), ("Meals", "40 euros"), ("Hotel", "120 euros")),
     "The limit for meals is 40 euros.", False),
    ((("Segment", "2022", "2023"), ("Cloud", "12", "15")), "In 2022 Cloud had 15.", True),
    ((("Segment", "2022", "2023"), ("Cloud", "12", "15")), "In 2023 Cloud had 15.", False),
    ((("Level", "Days"), ("Level 1", "2 days"), ("Level 2", "20 days")),
     "Level 2 gets 2 days.", True),
    ((("Level", "Days"), ("Level 1", "2 days"), ("Level 2", "20 days")),
     "Level 2 staff: 20 days.", False),
    ((("Role", "Notice"), ("Manager", "3 months"), ("Senior manager", "6 months")),
     "Managers have 6 months of notice.", True),
    ((("Role", "Notice"), ("Manager", "3 months"), ("Senior manager", "6 months")),
     "Senior managers have 6 months of notice.", False),
    ((("Group", "Annual leave", "Sick leave"), ("Staff", "26 days", "10 days")),
     "Staff get 10 days of annual leave.", True),
    ((("Group", "Annual leave", "Sick leave"), ("Staff", "26 days", "10 days")),
     "Staff get 10 days of leave.", False),
    ((("Plan", "Users", "Storage"), ("Pro", "20", "200 GB")),
     "Pro stores up to 200 GB for its users.", False),
    ((("Unit", "Approves travel", "Approves hiring"), ("Finance", "Anna Keller", "Tom Reed")),
     "Tom Reed approves travel in Finance.", True),
    ((("Unit", "Approves travel", "Approves hiring"), ("Finance", "Anna Keller", "Tom Reed")),
     "Tom Reed approves hiring in Finance.", False),
    ((("Name", "Department", "Room"), ("Tom Reed", "Finance", "204"), ("Eva Ott", "Sales", "310")),
     "Tom Reed, head of Finance, sits in room 204.", False),
    ((("Name", "Department", "Room"), ("Tom Reed", "Finance", "204"), ("Eva Ott", "Sales", "310")),
     "Eva Ott sits in room 204.", True),
    ((("Grade", "Meals", "Parking"), ("Senior", "40 euros", "-")),
     "Seniors may spend 40 euros on parking.", True),
)  # fmt: skip


def misplaced(document: Document, claim: str, context: str = "") -> bool:
    """Whether a claim has a value of another cell in the passage that is a document."""
    (chunk,) = (chunk for chunk in Corpus([document]).chunks if Layout(chunk).tables)
    case = Case(
        claim, sentences_of(chunk), context, heading_of(Passage(chunk, cited=False)),
        Layout(chunk).tables,
    )  # fmt: skip
    return any(misplaced_values(case, 0, len(case.sentences)))


@pytest.mark.parametrize("claim", MISPLACED)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_value_of_another_cell_is_seen(name: str, claim: str) -> None:
    assert misplaced(DOCUMENTS[name], claim)


@pytest.mark.parametrize("claim", IN_PLACE)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_value_in_its_place_is_left_alone(name: str, claim: str) -> None:
    assert not misplaced(DOCUMENTS[name], claim)


@pytest.mark.parametrize(("rows", "claim", "expected"), OTHERS)
def test_titles_are_told_apart(rows: Rows, claim: str, expected: bool) -> None:
    assert misplaced(document_from_text(markdown(rows), "t.md"), claim) is expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [("Dinner abroad costs $38.", True), ("Dinner abroad costs $46.", False)],
)
def test_tables_of_a_pdf_are_read_where_their_cells_can_be_told(claim: str, expected: bool) -> None:
    text = (
        "These sums are paid for meals.\n\nMeal Within the country Abroad\n\nBreakfast $10 $12\n\n"
        "Dinner $38 $46\n\nSupper $20 $24\n\nReceipts are kept.\n"
    )
    assert misplaced(Document("t.pdf", text, Format.PDF), claim) is expected


@pytest.mark.parametrize(
    ("context", "expected"), [("Junior staff:", True), ("Senior staff:", False)]
)
def test_what_leads_in_to_a_claim_names_rows_too(context: str, expected: bool) -> None:
    assert misplaced(DOCUMENTS["markdown"], "Meals per day: 40 euros", context) is expected


def test_a_value_that_a_sentence_beside_the_table_gives_is_not_of_the_table() -> None:
    text = f"{markdown(ROWS)}\nIn Oslo seniors may spend 120 euros on meals.\n"
    assert not misplaced(document_from_text(text, "t.md"), "Seniors may spend 120 euros on meals.")


LEAVE = markdown(
    (
        ("Group", "Annual leave", "Sick leave"),
        ("Full-time staff", "26 days", "10 days"),
        ("Part-time staff", "14 days", "5 days"),
    )
).replace("# Travel", "# Leave")
HEAD = "| Grade | Hotel per night | Meals per day |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("source", "answer", "expected"),
    [
        (LEAVE, "Annual leave for part-time staff is 14 days.", True),
        (LEAVE, "Annual leave for part-time staff is 5 days.", False),
        (markdown(ROWS), f"{HEAD}| Senior | 120 euros | 40 euros |\n", True),
        (markdown(ROWS), f"{HEAD}| Senior | 40 euros | 120 euros |\n", False),
    ],
)
def test_an_answer_over_a_table(source: str, answer: str, expected: bool) -> None:
    assert check_answer(answer, [("rules.md", source)]).grounded is expected


@pytest.mark.parametrize("point", OperatingPoint)
def test_it_holds_at_every_point_and_the_note_shows_the_cell(point: OperatingPoint) -> None:
    (chunk,) = Corpus([document_from_text(LEAVE, "leave.md")]).chunks
    claim = "Annual leave for part-time staff is 5 days."
    case = Case(claim, sentences_of(chunk), tables=Layout(chunk).tables)
    (judged,) = CalibratedJudge(point).judge([case])
    assert isinstance(judged, Judgement)
    assert judged.support is not SupportLevel.FULL
    assert "Part-time staff / Annual leave: 14 days" in judged.notes


def test_a_long_table_is_cut_and_its_columns_are_still_told_apart() -> None:
    rows = [("Name", "Price", "Limit", "Days")]
    rows += [(f"Item A{n} special", f"{n} euros", f"{2 * n} euros", f"{n} days") for n in range(99)]
    answer = " ".join(f"Item A{n} special has a limit of {n} euros." for n in range(1, 99))
    found = check_answer(answer, [("prices.md", markdown(tuple(rows)))])
    assert len(found.claims) == 98
    assert not any(claim.grounded for claim in found.claims)
