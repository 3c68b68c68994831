"""Plain text: kept as it is, with the headings that a reader would call headings."""

from __future__ import annotations

import pytest

from veridical.sources.document import Format, Span
from veridical.sources.headings import find_headings, read_plain_text


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in find_headings(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.2 Annual Leave\nEmployees may take leave.", [(2, "3.2 Annual Leave")]),
        ("1 Scope\n\nx\n\n2.1.4 Fees due\n", [(1, "1 Scope"), (3, "2.1.4 Fees due")]),
        ("Section 4\n\nx", [(1, "Section 4")]),
        ("Section 4. Leave of Absence\nx", [(1, "Section 4. Leave of Absence")]),
        ("APPENDIX B\n\nx", [(1, "APPENDIX B")]),
        ("GENERAL TERMS\n\nThe terms.", [(1, "GENERAL TERMS")]),
        ("Title\n=====\n\nSub title\n---------\nx", [(1, "Title"), (2, "Sub title")]),
        ("  2.1   Spaced\t out  \r\nx", [(2, "2.1 Spaced out")]),
    ],
)
def test_headings_are_found_by_how_they_look(text: str, expected: list[tuple[int, str]]) -> None:
    assert titles(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "An ordinary sentence.\nAnother one.",
        "1. Wash the apples\n2. Cut the apples\n3. Eat them",
        "3.2 percent of all employees took leave in that year.",
        "Section 4 of the Act applies, and so\ndoes the rest.",
        "3.2 Leave ........ 14\n3.3 Pay ........ 15",
        "3.2 Leave    14",
        "THIS WHOLE PARAGRAPH IS SHOUTED AT\nTHE READER FROM THE FIRST LINE ON\nTO THE LAST ONE.",
        "=====\nx",
        "a | b\n----------------------------------------",
        "",
    ],
)
def test_what_only_resembles_a_heading_is_none(text: str) -> None:
    assert titles(text) == []


def test_the_text_is_kept_and_nothing_is_masked() -> None:
    text = "GENERAL TERMS\r\n\r\n*a* <b>&amp;</b>\r\n3.2 Leave\r\nx"
    document = read_plain_text(text, "a.txt", size_bytes=99)
    assert document.text == text
    assert document.format is Format.PLAIN_TEXT
    assert document.size_bytes == 99
    assert document.shown(Span(0, len(text))) == text
    terms, leave = document.sections
    assert text[terms.heading.start : terms.end].endswith("</b>\r\n")
    assert (leave.line, leave.number, leave.path) == (4, "3.2", ("GENERAL TERMS", "3.2 Leave"))
