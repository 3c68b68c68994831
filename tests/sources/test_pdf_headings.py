from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import typst
from tests.e2e.pages import CHROMIUM, launched
from tests.sources import heading_pdfs as made
from tests.sources.builders import Pdf, stream

from veridical.sources.document import Document
from veridical.sources.pdf import read_pdf

LEAST_FOUND = 0.95


def letters(words: str) -> str:
    return "".join(char for char in words.casefold() if char.isalnum())


def found_and_false(document: Document, expected: list[str]) -> tuple[int, list[str]]:
    """How many of the headings are sections, and the sections that are no headings."""
    left = list(map(letters, expected))
    false = []
    for section in document.sections:
        span = section.heading
        shown = " ".join(document.text[span.start : span.end].split())
        assert section.title == shown
        if letters(shown) in left:
            left.remove(letters(shown))
        else:
            false.append(shown)
    return len(expected) - len(left), false


def require_headings(pdfs: Iterator[tuple[str, bytes, list[str]]]) -> None:
    found = total = 0
    for name, data, expected in pdfs:
        here, false = found_and_false(read_pdf(data, name), expected)
        assert not false, name
        found, total = found + here, total + len(expected)
    assert total > 0
    assert found >= LEAST_FOUND * total


def test_headings_that_typst_sets_are_the_sections():
    require_headings(
        (look.name, typst.compile(made.as_typst(look).encode()), made.headings(look))
        for look in made.LOOKS
    )


def test_headings_that_a_report_generator_writes_are_the_sections():
    looks = [look for look in (*made.LOOKS, *made.HELD_OUT) if look.columns == 1]
    require_headings((look.name, made.as_operators(look), made.headings(look)) for look in looks)


def test_headings_that_a_browser_prints_are_the_sections():
    if CHROMIUM is None and not os.environ.get("CI") and not os.environ.get("REQUIRE_CHROMIUM"):
        pytest.skip("Chromium is missing: run scripts/ensure_chromium.sh, or set CHROMIUM")
    with launched() as browser:

        def printed() -> Iterator[tuple[str, bytes, list[str]]]:
            pages = [(one.name, made.as_html(one), made.headings(one)) for one in made.HELD_OUT]
            pages += [(name, made.page_html(name), made.page_headings(name)) for name in made.PAGES]
            page = browser.new_page()
            for name, html, expected in pages:
                page.set_content(html)
                yield name, page.pdf(prefer_css_page_size=True), expected

        require_headings(printed())


def page_of(
    lines: list[tuple[str, bytes, int]], bookmarks: tuple[tuple[str, int, int], ...]
) -> bytes:
    """A page: each line with its font (F, or the bold B) and how far it stands below the last."""
    pdf = Pdf()
    bold = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>")
    shown = b" ".join(
        b"/%s 10 Tf 0 -%d Td (%s) Tj" % (font, down, words.encode()) for words, font, down in lines
    )
    body = pdf.add(stream(b"BT 50 800 Td " + shown + b" ET"))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents %d 0 R/Resources<</Font"
    pdf.page_numbers.append(pdf.add(page % body + b"<</F 3 0 R/B %d 0 R>>>>>>" % bold))
    if bookmarks:
        pdf.add_outline(bookmarks)
    return pdf.build()


@pytest.mark.parametrize("bookmarks", [(), (("Leave", 1, 0),)])
def test_bold_numbered_headings_of_the_size_of_the_text_are_sections(bookmarks):
    under = [
        ("Whoever is ill says so before nine, and hands in a note", b"F", 12),
        ("from the fourth day on. This is", b"F", 12),
        ("a matter of course for everybody in every team", b"B", 12),
        ("and is not paid for.", b"F", 12),
    ]
    titles = ["1 Scope", "2 Leave", "3 Sick leave"]
    lines = [("The rules below hold for all of the staff of the house.", b"F", 0)]
    for title in titles:
        lines += [(title, b"B", 24), *under]
    document = read_pdf(page_of(lines, bookmarks), "made.pdf")
    assert [section.title for section in document.sections] == titles
    assert {section.level for section in document.sections} == {1}
    assert document.section_at(len(document.text) - 1).number == "3"


def test_the_head_of_a_narrow_table_is_no_section():
    text = [("Passengers are counted at the gangway, and the count is told to", b"F", 12)]
    head = ") Tj [(Season ) -350 (Upper deck ) -350 (Lower deck)] TJ ("
    lines = [("1 Counting", b"B", 0), *text, ("the bridge before the ropes are let go.", b"F", 12)]
    lines += [(head, b"B", 24), ("Summer   120   80", b"F", 14), ("Winter   40   80", b"F", 14)]
    lines += [("2 Fire on board", b"B", 24), *text, ("the bridge.", b"F", 12)]
    document = read_pdf(page_of(lines, ()), "made.pdf")
    assert [section.title for section in document.sections] == ["1 Counting", "2 Fire on board"]


def test_rows_of_codes_and_sums_are_no_headings_in_capitals():
    text = [("Parts are counted by hand in the first week of every month, and", b"F", 12)]
    text += [("what is missing is bought by the end of it.", b"F", 12)]
    lines = [("Whoever takes a part writes it down on the sheet at the door.", b"F", 0)]
    lines += [("STOCK LIST", b"F", 24), *text, ("SKU-8847 A-12 450", b"F", 24), *text]
    lines += [
        ("SKU-4563 D-22 156 CRITICAL", b"F", 24),
        *text,
        ("SUBTOTAL $863.91", b"F", 24),
        *text,
    ]
    lines += [("PART 8847 A-12 450", b"F", 24), *text]
    titles = ["STOCK LIST", "2.1 RETURNS", "ARTICLE 12.3.4"]
    lines += [line for title in titles[1:] for line in ((title, b"F", 24), *text)]
    document = read_pdf(page_of(lines, ()), "made.pdf")
    assert [section.title for section in document.sections] == titles


def test_where_all_is_in_capitals_they_make_no_heading():
    count = [("GREEN 25 BLUE 12 WHITE 10 RED 1", b"F", 12), ("SPOILT 3 BLANK 2", b"F", 12)]
    lines = [("VOTES BY STREET", b"B", 0), *count]
    for street in ["ALDER STREET", "BIRCH STREET"]:
        lines += [(street, b"F", 24), *count]
    document = read_pdf(page_of(lines, ()), "made.pdf")
    assert [section.title for section in document.sections] == ["VOTES BY STREET"]
