"""Every export shows both verdicts, the machine’s and the reviewer’s, and what was said as text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.ledger.export.samples import LEAVE
from tests.ledger.export.test_pdf import pages
from tests.ledger.export.test_pdf import squeezed as without_spaces
from tests.ledger.reviewing import Desk
from tests.validation.report_page import Node, parse, squeezed

from veridical.judging.verdict import Verdict
from veridical.ledger.export.forms import ExportForm, export_ledger, render
from veridical.reports.markdown import literal

DESK = Desk(LEAVE)
DESK.accept(1)
DESK.accept(2)
DESK.withdraw(2)
DESK.overrule(3, Verdict.CONTRADICTED, "the consent was refused")
REVIEWS = DESK.reviews

HOSTILE = (
    '# <script>alert(1)</script> *bold* #panic("x") $x$ [a](javascript:1) ![i](http://e/i) '
    '"><img src=x onerror=alert(1)> \u202e\u0007 </bdi> `code` | cell | \\u{41}\n\n- line'
)


def words(node: Node) -> str:
    return squeezed(node.text)


@pytest.mark.parametrize("form", list(ExportForm))
def test_reviews_of_claims_that_are_not_there_are_left_out_and_counted(form: ExportForm) -> None:
    gone = replace(REVIEWS[0], id="gone", entry_id="gone")
    made = render(LEAVE, form, reviews=[*REVIEWS, gone])
    assert made.warnings[0].startswith("1 review left out")
    assert made.data == render(LEAVE, form, reviews=REVIEWS).data


def test_markdown_says_both_verdicts_and_the_whole_history() -> None:
    said = export_ledger(LEAVE, ExportForm.MARKDOWN, reviews=REVIEWS).decode()
    for lines in (
        (
            "| Supported | 2 | 2 |\n| Weak | 0 | 1 |\n| Contradicted | 1 | 0 |\n"
            "| Not Found | 1 | 1 |\n\n2 of 4 claims reviewed: 1 accepted, 1 overruled.\n"
        ),
        (
            "- **Reviewer's Verdict:** ✗ Contradicted, overruled by Ana, 2026-01-04 00:03 UTC: the "
            "consent was refused\n- **Machine's Verdict:** ? Weak (Confidence: 65%)\n"
        ),
        (
            "### Reviews\n\n1. Claim 1: accepted by Ana, 2026-01-04 00:00 UTC (✓ Supported)\n"
            "2. Claim 2: accepted by Ana, 2026-01-04 00:01 UTC (✓ Supported)\n"
            "3. Claim 2: taken back by Ana, 2026-01-04 00:02 UTC (✓ Supported)\n"
            "4. Claim 3: overruled by Ana, 2026-01-04 00:03 UTC (? Weak → ✗ Contradicted): "
            "the consent was refused\n"
        ),
    ):
        assert lines in said
    assert said.count("Reviewer's Verdict") == 2


@pytest.mark.parametrize("form", [ExportForm.MARKDOWN, ExportForm.HTML, ExportForm.PDF])
def test_what_follows_is_told_of_the_verdicts_that_stand(form: ExportForm) -> None:
    desk = Desk(LEAVE)
    desk.overrule(3, Verdict.CONTRADICTED, "the consent was refused")
    desk.overrule(4, Verdict.SUPPORTED, "page 30 says so")
    data = render(LEAVE, form, reviews=desk.reviews).data
    text = " ".join(pages(data)) if form is ExportForm.PDF else data.decode()
    said = without_spaces(text)
    assert without_spaces("1 claim contradicts the source documents") in said
    assert without_spaces("1 claim could not be verified") not in said
    assert without_spaces("the sources say otherwise") in said
    assert without_spaces("3 of 4 claims") in said


def hostile(reason: str, reviewer: str) -> Desk:
    desk = Desk(LEAVE, reviewer)
    desk.overrule(4, Verdict.SUPPORTED, reason)
    return desk


def test_no_word_of_a_reviewer_becomes_markup_on_the_page() -> None:
    data = export_ledger(LEAVE, ExportForm.HTML, reviews=hostile(HOSTILE, HOSTILE).reviews)
    page, plain = parse(data.decode()), parse(export_ledger(LEAVE, ExportForm.HTML).decode())
    for tag in ("script", "img"):
        assert len(page.all(tag)) == len(plain.all(tag)), tag
    shown = words(page.by_id("reviews"))
    assert "<script>alert(1)</script>" in shown
    assert "\u202e" not in page.by_id("reviews").text


def test_no_word_of_a_reviewer_becomes_markdown_or_typst() -> None:
    reviews = hostile(HOSTILE, HOSTILE).reviews
    markdown = export_ledger(LEAVE, ExportForm.MARKDOWN, reviews=reviews).decode()
    assert markdown.count(literal("<script>alert(1)</script> *bold* #panic")) == 4
    assert "<script>" not in markdown
    made = render(LEAVE, ExportForm.PDF, reviews=reviews)
    said = without_spaces(" ".join(pages(made.data)))
    assert said.count(without_spaces('#panic("x") $x$')) >= 3
    assert "[RLO]" in said
