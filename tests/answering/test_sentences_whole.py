"""Sentences, list items and table rows come whole out of a document: that is what is quoted."""

from __future__ import annotations

import html

import pytest
from tests.answering.handmade import policy

from veridical.retrieval.chunks import chunk_document
from veridical.sources.document import Format

PROSE = [
    ["Full-time staff accrue 1.67 days a month.", "Part-time staff accrue less."],
    ["Bring a receipt, e.g. a till receipt.", "Keep it."],
    ["It costs max. EUR 50 a day, min. $5 a trip.", "Ask first."],
    ["Ask Dr. Smith in Room 4.", "She decides."],
    ["Work starts at 9 a.m. and ends at 5 p.m. on weekdays.", "Breaks are paid."],
    ["The U.S. office is closed.", "Others are open."],
    ["Hotels, taxis, etc. are paid.", "Meals are not."],
    ["The rest is in section 4.2.", "The rest follows."],
    ["As § 3.1 says, no more than 5 days.", "Ask first."],
    ["Write to hr@example.com or see www.example.com/leave.html for help.", "Ask first."],
    ["Report it within 24 hrs.", "5 days later it is too late."],
    ["Passwords have at least 14 chars. incl. one digit.", "Change them yearly."],
    ["The min. term is 3 mos. with pay.", "Ask first."],
    ["Leave starts on 3.4.2024 and ends on 5.4.2024.", "Ask first."],
    ["Expenses over $1.5 million need approval.", "Others do not."],
]

BLOCKS = {
    "Markdown list": (
        Format.MARKDOWN,
        ("You may claim:\n\n- Taxis up to 1.5 km\n- Hotels, e.g. inns. Up to $100 a night\n"
        "\n1. Ask first.\n2. Then book. Keep receipts.\n"),
        ["You may claim:", "- Taxis up to 1.5 km", "- Hotels, e.g. inns. Up to $100 a night",
         "1. Ask first.", "2. Then book. Keep receipts."],
    ),
    "Markdown table": (
        Format.MARKDOWN,
        "| Years | Days |\n|---|---|\n| 0 to 4 | 1.25 days. No more. |\n| 5 to 9 | 1.67 days |\n",
        ["Years Days", "0 to 4 1.25 days. No more.", "5 to 9 1.67 days"],
    ),
    "list of a text": (
        Format.PLAIN_TEXT,
        "You may:\na) Ask first, e.g. by mail.\nb) Then book. Keep receipts.\n- Wait.\n",
        ["You may:", "a) Ask first, e.g. by mail.", "b) Then book. Keep receipts.",
         "- Wait."],
    ),
    "section number at a line's end": (
        Format.PLAIN_TEXT,
        ("Whoever is away for longer than three weeks asks in good time, as section\n"
        "4.2 says, and hands the keys over to a colleague of the same team. Whoever\n"
        "is away for less does not.\n"),
        [("Whoever is away for longer than three weeks asks in good time, as section 4.2 says, and "
         "hands the keys over to a colleague of the same team."),
         "Whoever is away for less does not."],
    ),
    "lines of a PDF": (
        Format.PDF,
        ("Full-time employees of the Cooperative build up 1.67 days for each month of employ-\n"
        "ment, i.e. twenty days a year. Part-time employees build up approx.\n"
        "1.25 days.\n"),
        [
            (
                "Full-time employees of the Cooperative build up 1.67 days for each month of "
                "employ- ment, i.e. twenty days a year."
            ),
            "Part-time employees build up approx. 1.25 days.",
        ],
    ),
}  # fmt: skip


def sentences(text: str, form: Format) -> list[str]:
    document = policy(text, "policy", form)
    return [
        " ".join(document.shown(span).split())
        for chunk in chunk_document(document)
        for span in chunk.sentences
    ]


@pytest.mark.parametrize("form", [Format.MARKDOWN, Format.PLAIN_TEXT, Format.HTML, Format.PDF])
@pytest.mark.parametrize("whole", PROSE, ids=lambda whole: str(whole[0][:24]))
def test_a_full_stop_that_ends_no_sentence_parts_none(whole: list[str], form: Format) -> None:
    text = " ".join(whole)
    assert sentences(f"<p>{html.escape(text)}</p>" if form is Format.HTML else text, form) == whole


@pytest.mark.parametrize(("form", "text", "whole"), BLOCKS.values(), ids=BLOCKS.keys())
def test_items_and_rows_stay_whole(form: Format, text: str, whole: list[str]) -> None:
    assert sentences(text, form) == whole
