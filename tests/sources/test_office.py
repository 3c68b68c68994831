"""Workbooks, tables, presentations, books, mails and JSON: what is read, and where it stands."""

from __future__ import annotations

import pytest
from tests.sources.office_files import RULES, TABLE, book, mail, presentation, workbook

from veridical.sources.document import Document, Format, Span
from veridical.sources.loader import load_document_bytes

FILES = {
    "budget.xlsx": workbook(),
    "table.csv": TABLE.encode(),
    "deck.pptx": presentation(),
    "book.epub": book(),
    "mail.eml": mail(),
    "data.json": RULES,
}


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {name: load_document_bytes(data, name) for name, data in FILES.items()}


@pytest.mark.parametrize(
    ("name", "quote", "place"),
    [
        ("budget.xlsx", "Travel budget 2025", "sheet 'Costs', cell A1"),
        ("budget.xlsx", "Lyon\t$120.50\t1 March 2025\t12.5%", "sheet 'Costs', cells B4:E4"),
        ("budget.xlsx", "$241.00", "sheet 'Costs', cell C5"),
        ("budget.xlsx", "Europe\tParis", "sheet 'Costs', cells A5:B5"),
        ("budget.xlsx", "$1,300.00\t\tTRUE", "sheet 'Costs', cells C6:E6"),
        ("budget.xlsx", "Notes", "sheet 'Notes'"),
        ("budget.xlsx", "Employees may claim a taxi", "sheet 'Notes', cell B2"),
        ("table.csv", "120,50", "cell B2"),
        ("table.csv", "two lines; here", "cell C2"),
        ("table.csv", "only at night", "cell C3"),
        ("table.csv", "Total\t9", "cells A5:B5"),
        ("deck.pptx", "Staff may work from home two days a week.", "slide 1"),
        ("deck.pptx", "three days is an exception", "slide 1, notes"),
        ("deck.pptx", "Senior\t30", "slide 2"),
        ("deck.pptx", "Offices close at 18:00.", "slide 4"),
        ("book.epub", "Pequod", "part 'Chapter 2 & more'"),
        ("book.epub", "The whale was white", "part 'Chapter 1'"),
        ("mail.eml", "New travel rules", "message header"),
        ("mail.eml", "From: Ann Lee <ann@example.org>", "message header"),
        ("mail.eml", "Trains are preferred below 500 km.", "message"),
        ("mail.eml", "$241.00", "attachment 'budget.xlsx', sheet 'Costs', cell C5"),
        ("mail.eml", "The hotel limit is 90 euros.", "attachment 'rules.txt'"),
        ("mail.eml", "Forwarded words", "attachment 'Inner.eml', message"),
        ("data.json", "title: Rules", "$.title"),
        ("data.json", "days: 25", "$.rules[0].days"),
        ("data.json", "2.50", "$.rules[0].rate"),
        ("data.json", "Say “when” you return.", "$.rules[1].text"),
        ("data.json", "three words here", '$["odd key"].deep[0]'),
    ],
)
def test_words_stand_where_a_citation_says(documents, name, quote, place) -> None:
    document = documents[name]
    start = document.text.index(quote)
    assert document.place_of(Span(start, start + len(quote))) == place
    assert document.path_of(Span(start, start + len(quote))) == (place,)


@pytest.mark.parametrize("name", FILES)
def test_what_a_reader_does_not_see_is_left_out(documents, name) -> None:
    assert "HIDDEN" not in documents[name].text
    assert documents[name].size_bytes == len(FILES[name])


def test_what_was_left_out_is_said(documents) -> None:
    hidden = ("Hidden rows and columns were left out.", "Hidden sheets were left out.")
    assert documents["budget.xlsx"].warnings == hidden
    assert documents["deck.pptx"].warnings == ("Hidden slides were left out.",)
    unread = "An attachment was not read: logo.png: of a kind not read there."
    assert documents["mail.eml"].warnings == (*hidden, unread)


def test_headings_are_sections(documents) -> None:
    titles = {name: [s.path for s in found.sections] for name, found in documents.items()}
    assert titles["budget.xlsx"] == [("Costs",), ("Notes",)]
    assert titles["deck.pptx"] == [("Remote work",), ("Leave",)]
    assert titles["book.epub"][:2] == [("Chapter 2 & more",), ("Chapter 2 & more", "At sea")]
    assert titles["mail.eml"][0] == ("New travel rules",)
    assert documents["mail.eml"].title == "New travel rules"
    assert titles["data.json"] == [("rules",), ("odd key",), ("odd key", "deep")]
    for document in documents.values():
        for section in document.sections:
            heading = document.text[section.heading.start : section.heading.end]
            assert heading == section.title


def test_the_formats(documents) -> None:
    formats = [document.format for document in documents.values()]
    assert formats == [
        Format.XLSX, Format.CSV, Format.PPTX, Format.EPUB, Format.EMAIL, Format.JSON
    ]  # fmt: skip
