"""The ledger's page: what it says, where links lead, and what cannot break it."""

from __future__ import annotations

import re

import pytest
from tests.ledger.export.samples import LEAVE, entry, evidence, ledger
from tests.validation.report_page import Node, parse, squeezed

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import CitationCheck, Marker, MarkerKind
from veridical.ledger.export.forms import render_ledger_html
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS
from veridical.sources.document import Span


def words(node: Node) -> str:
    return squeezed(node.text)


def test_the_table_of_the_specification_worst_first() -> None:
    page = parse(render_ledger_html(LEAVE))
    rows = [row for row in page.all("tr") if "row" in row.classes]
    cells = [[words(cell) for cell in row.all() if cell.tag in ("td", "th")] for row in rows]
    assert [row[0] for row in cells] == ["4", "3", "1", "2"]
    assert cells[0][1:] == ["Maximum carryover is 5 days", "Numeric", "○ Not Found", "-"]
    assert cells[1][2:] == ["Policy", "? Weak", "HR_Policy.pdf, p.15 (partial match)"]
    assert cells[3][3:] == ["✓ Supported", "Leave_Guidelines.pdf, §3.2"]


def test_every_row_leads_to_its_entry_and_every_claim_of_the_answer_too() -> None:
    page = parse(render_ledger_html(LEAVE))
    for number, each in enumerate(LEAVE.entries, 1):
        article = page.by_id(f"claim-{number}")
        assert words(article.all("h3")[0]) == f"Claim #{number} {each.claim.text}"
        assert page.by_id(f"row-{number}").all("a")[0].attributes["href"] == f"#claim-{number}"
        said = page.by_id(f"said-{number}")
        assert said.attributes["href"] == f"#claim-{number}"
        assert said.text == f"{each.claim.text}{number}"
    near = page.by_id("claim-4")  # what came near is not called evidence
    assert words(near.all("summary")[0]) == "Nearest passages: they do not bear the claim out"
    assert "Evidence" not in [node.text for node in near.all("h4")]
    answer = page.by_id("answer").all("div", "answer")[0].text
    assert re.sub(r"(?<=\D)[1234](?=\.)", "", answer) == LEAVE.answer


def test_evidence_against_and_further_evidence_and_the_answers_own_citations() -> None:
    pieces = (evidence("It is 12.", contradicts=True), *[evidence(f"p{n}") for n in range(8)])
    marks = [Marker(MarkerKind.NUMBER, f"{n}", Span(0, 3)) for n in (1, 2)]
    checks = tuple(
        map(CitationCheck, marks, ("source-hr", None), (None, None), ("", "no source 2"))
    )
    each = entry("It is 15.", Verdict.CONTRADICTED, evidence=pieces, citations=checks)
    article = parse(render_ledger_html(ledger(each))).by_id("claim-1")
    said = words(article)
    assert "speaks against it — HR_Policy.pdf" in said
    assert "8 more passages" in said
    assert "3 passages left out here." in said
    assert [words(item) for item in article.all("li")] == ["1 ✓ HR_Policy.pdf", "2 ✗ no source 2"]


def test_a_ledger_without_claims_is_a_whole_page() -> None:
    page = parse(render_ledger_html(ledger(answer=" ", query="", title="", sources=())))
    said = words(page)
    assert "No claim was found in the answer: nothing was measured." in said
    assert "The answer is empty." in said
    assert "No source was given." in said
    assert words(page.all("h1")[0]) == "Evidence Ledger"


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_verdict_is_never_told_by_colour_alone(verdict: Verdict) -> None:
    page = parse(render_ledger_html(ledger(entry("A.", verdict))))
    badge = words(page.by_id("row-1").all("span", "verdict")[0])
    assert badge == f"{VERDICT_SIGNS[verdict]} {VERDICT_WORDS[verdict]}"
    assert VERDICT_WORDS[verdict] in page.by_id("said-1").attributes["title"]
