"""Workbooks, tables, presentations, books, mails and JSON: what is read, and where it stands."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from tests.sources.office_files import (
    CONTAINER,
    RULES,
    TABLE,
    book,
    mail,
    page,
    presentation,
    workbook,
    zipped,
)

from veridical import Validator, build_ledger, ledger_to_bytes, verify_ledger
from veridical.errors import DocumentParsingError
from veridical.ledger.checking import nearest_words
from veridical.ledger.export.forms import render_markdown
from veridical.sources.document import Document, Format, SourceLimits, Span, is_place
from veridical.sources.json_text import read_json
from veridical.sources.loader import load_document_bytes
from veridical.sources.mail import read_email
from veridical.sources.sheets import column_name, read_csv
from veridical.sources.xlsx import read_xlsx, shown_number
from veridical.validation.wording import place_phrase

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
    unread = "Not read: attachment logo.png: this image is damaged or cut short. Save it again."
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


def read(name: str, data: bytes | str, **limits: float) -> Document:
    given = data.encode() if isinstance(data, str) else data
    return load_document_bytes(given, name, limits=SourceLimits(**limits))


def sheet(rows: str, **more: str) -> bytes:
    """A workbook of one sheet, written by hand."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    files = {
        "xl__workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>'
        '<sheet r:id="r1" name="S" sheetId="1"/></sheets></workbook>',
        "xl___rels__workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" '
        f'Type="{links}/worksheet" Target="sheet.xml"/></Relationships>',
        "xl__sheet.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    return zipped(**{**files, **more})


def cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
LAUGHS = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w>&b;</w>'
XML = "<worksheet>" + "<a>" * 1001 + "</a>" * 1001 + "</worksheet>"
MANY = b"Subject: many\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + (
    b"--x\r\n\r\nwords\r\n" * 10_000
)


def nested_mail(depth: int) -> bytes:
    head = "Content-Type: multipart/mixed; boundary=b{0}\r\n\r\n--b{0}\r\n".format
    return ("Subject: deep\r\n" + "".join(map(head, range(depth)))).encode()


def locked_book() -> bytes:
    listing = (
        '<encryption><CipherReference xmlns="http://www.w3.org/2001/04/xmlenc#" '
        'URI="OEBPS/ch%200.xhtml"/></encryption>'
    )
    return book(**{"META-INF__encryption.xml": listing})


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.xlsx", workbook()[:-40], "no XLSX file, or it is cut short"),
        ("a.xlsx", OLE, "this XLSX file is protected by a password or is in an older format"),
        ("a.xls", OLE, "an older Office file.* Save it as DOCX, XLSX"),
        ("a.xlsx", b"Name;Limit", r"named \.xlsx, but its content is not XLSX"),
        ("a.pptx", b"words", "its content is not PPTX"),
        ("a.epub", b"words", "its content is not EPUB"),
        ("a.xlsx", sheet("", xl__sheet_xml=""), "contains no text"),
        ("a.xlsx", sheet("", **{"xl__sheet.xml": LAUGHS}), "declares a document type"),
        ("a.xlsx", sheet("", **{"xl__sheet.xml": XML}), "nested more than 1,000 deep"),
        ("a.xlsx", sheet("", **{"xl__sheet.xml": "<worksheet"}), "broken XML"),
        ("a.pptx", zipped(ppt__presentation_xml="", ppt__x=""), "no PowerPoint pres"),
        ("a.epub", zipped(mimetype="application/epub+zip"), "list of contents is missing"),
        ("a.epub", zipped(**{"META-INF__container.xml": CONTAINER}), "list of contents is miss"),
        ("a.epub", locked_book(), r"encrypted \(DRM\)"),
        ("a.epub", book((page("", ""),)), "contains no text"),
        ("a.eml", b"\r\nno header", "no header"),
        ("a.eml", MANY, "more than 1,000 parts"),
        ("a.eml", nested_mail(5_000), "more than 1,000 parts, or too deep ones"),
        ("a.eml", b"Subject: s\nContent-Type: application/pkcs7-mime\n\nabc", "it is encrypted"),
        ("a.json", b'{"a": ', "it is no JSON .*line 1"),
        ("a.jsonl", b'{"a": 1}\n{"a": \n', "it is no JSON"),
        ("a.json", b"[" * 1_001 + b"1" + b"]" * 1_001, "nested more than 1,000 deep"),
        ("a.json", b"[" * 100_000, "nested more than|no JSON"),
        ("a.json", b"[]", "contains no text"),
        ("a.csv", b"\r\n,,\r\n", "contains no text"),
        ("a.csv", "Über;1".encode("latin-1"), "not valid UTF-8.*iconv"),
        ("a.csv", b"PK\x03\x04" + bytes(40), "zip archive"),
        ("a.csv", b"a\x00b,1", "not a text file"),
    ],
)
def test_what_cannot_be_read_is_refused_clearly(name, data, message) -> None:
    with pytest.raises(DocumentParsingError, match=f"^{name}: ") as raised:
        read(name, data)
    assert re.search(message, str(raised.value))


@pytest.mark.parametrize(
    ("name", "data", "limits", "message"),
    [
        ("a.xlsx", workbook(), {"max_unpacked_bytes": 5_000}, "perhaps a ZIP bomb"),
        ("a.pptx", presentation(), {"max_unpacked_bytes": 5_000}, "perhaps a ZIP bomb"),
        ("a.epub", book(), {"max_unpacked_bytes": 500}, "perhaps a ZIP bomb"),
        ("a.csv", "word," * 900, {"max_text_chars": 4_000}, "over the limit"),
        ("a.xlsx", workbook(), {"max_text_chars": 99}, "over the limit of 99 characters"),
        ("a.csv", "a,b\n" * 9, {"max_bytes": 9}, "larger than the limit"),
    ],
)
def test_limits(name, data, limits, message) -> None:
    with pytest.raises(DocumentParsingError, match=message):
        read(name, data, **limits)


def test_a_sheet_of_many_rows_ends_in_the_worker() -> None:
    rows = f"<row>{cell('words')}</row>" * 100_000
    data = sheet(rows)
    assert read("a.xlsx", data).text.count("words") == 100_000
    with pytest.raises(DocumentParsingError, match=r"processor time|longer than"):
        read("a.xlsx", data, max_parse_seconds=0.2)


def test_cells_that_lie_far_apart_cost_no_more_than_their_text() -> None:
    far = '<row r="1"><c r="A1"><v>1</v></c></row>'
    far += '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    document = read("a.xlsx", sheet(far))
    assert document.text.rstrip() == "S\n1\t\n\n\t2"
    at = document.text.index("2")
    assert document.place_of(Span(at, at + 1)) == "sheet 'S', cell XFD1048576"


def test_cells_below_a_merged_one_are_not_seen() -> None:
    """Written empty, as Excel does where they have a border, or with a value that nobody sees."""
    styled = '<c r="A{0}" s="1"/><c r="B{0}"><v>{1}</v></c>'.format
    rows = '<row><c r="A1"><v>7</v></c><c r="B1"><v>9</v></c></row>'
    rows += f'<row r="2"><c r="A2"><v>66</v></c></row><row r="3">{styled(3, 8)}</row>'
    merged = '</sheetData><mergeCells><mergeCell ref="A1:A3"/></mergeCells><sheetData>'
    assert read("a.xlsx", sheet(rows + merged)).text == "S\n7\t9\n\n7\t8\n\n"
    flat = rows + merged.replace("A1:A3", "A1:B2")
    assert read("a.xlsx", sheet(flat)).text == "S\n7\t\n\n\t8\n\n"

    deck = Presentation()
    page = deck.slides.add_slide(deck.slide_layouts[6])
    table = page.shapes.add_table(1, 3, 99, 99, 99, 99).table
    for at, text in enumerate(("seen", "HIDDEN", "last")):
        table.cell(0, at).text = text
    table.cell(0, 1)._tc.set("hMerge", "1")
    out = io.BytesIO()
    deck.save(out)
    assert read("a.pptx", out.getvalue()).text.strip() == "seen\t\tlast"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_tables_of_any_sign_and_encoding(encoding, sign) -> None:
    rows = [["Name", "Limit"], ["Zürich", f'"1{sign}5"'], ["Genf", "90"]]
    data = "\r\n".join(sign.join(row) for row in rows).encode(encoding)
    document = read("a.csv", data)
    told = " ".join(f"1{sign}5".split())
    assert document.text.rstrip() == f"Name\tLimit\nZürich\t{told}\nGenf\t90"


def test_a_line_for_excel_is_no_row() -> None:
    document = read("a.csv", "sep=|\nName|Limit\nBern, Ost|9")
    at = document.text.index("Bern, Ost")
    assert document.place_of(Span(at, at + 9)) == "cell A3"


def test_what_is_called_by_another_name_is_read_as_what_it_is() -> None:
    assert read("a.csv", workbook()).format is Format.XLSX
    assert read("a.docx", presentation()).format is Format.PPTX
    assert read("", book()).format is Format.EPUB
    assert read("a.txt", TABLE).format is Format.PLAIN_TEXT


def test_a_workbook_inside_a_presentation_does_not_make_it_one() -> None:
    data = io.BytesIO(presentation())
    with zipfile.ZipFile(data, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("ppt/embeddings/book.xlsx", sheet(f"<row>{cell('inside')}</row>"))
    assert read("a.pptx", data.getvalue()).format is Format.PPTX


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0", 2.5, "3"), ("0.00", -1.005, "-1.01"), ("#,##0", 1234567, "1,234,567"),
        ("0.0%", 0.125, "12.5%"), ('"EUR" #,##0.00', 99.9, "EUR 99.90"),
        ("#,##0.00 [$€-407]", 1500, "1,500.00 €"), ("0.0#", 1.5, "1.5"), ("#", 0.2, "0"),
        ("0;(0);-", -4, "(4)"), ("0;(0);-", 0, "-"), ("000", 7, "007"), ("0,", 12345, "12"),
        (";;;", 5, ""), ("General", 0.1, "0.1"), ("General", 1e20, "100000000000000000000"),
        ("yyyy-mm-dd", 45717, "2025-03-01"), ("d mmmm yyyy", 45717, "1 March 2025"),
        ("mmm yy", 45717, "March 2025"), ("dd/mm/yyyy", 45717.5, "2025-03-01"),
        ("m/d/yyyy h:mm", 45717.75, "2025-03-01 18:00"), ("h:mm", 0.375, "09:00"),
        ("yyyy-mm-dd", -5, "-5"), ("# ?/?", 0.5, "0.5"), ("[Red]0.0", 1, "1.0"),
        ("0." + "0" * 30, 12.5, "12.5" + "0" * 29), ("0" + "%" * 20, 5, "5" + "0" * 40 + "%" * 20),
    ],
)  # fmt: skip
def test_numbers_are_as_a_sheet_shows_them(code, value, shown) -> None:
    assert shown_number(value, code) == shown


SIGNS = st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="|;")
CELLS = st.text(SIGNS, max_size=9)
"""Without the other signs that may part the cells of a CSV file: which one does is found out."""


@given(st.lists(st.lists(CELLS, min_size=1, max_size=5), min_size=1, max_size=8))
def test_every_cell_stands_where_its_citation_says(grid) -> None:
    out = io.BytesIO()
    made = xlsxwriter.Workbook(out, {"in_memory": True})
    page_of = made.add_worksheet("Data 1")
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(grid)
    for row, cells in enumerate(grid):
        for column, said in enumerate(cells):
            page_of.write_string(row, column, said)
    made.close()
    builds = (
        (read_xlsx, out.getvalue(), "sheet 'Data 1', "),
        (read_csv, text.getvalue().encode(), ""),
    )
    for reader, data, place in builds:
        wanted = {
            f"{place}cell {column_name(column)}{row}": said
            for row, cells in enumerate(grid, 1)
            for column, said in enumerate(cells)
            if said
        }
        if not wanted:
            continue
        document = reader(data, "made")
        found: dict[str, str] = {}
        for match in re.finditer(r"[^\t\n]+", document.text):
            found[document.place_of(Span(*match.span()))] = match[0]
        found.pop(place.removesuffix(", "), None)
        assert found == wanted


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_is_text_or_a_clear_error(value) -> None:
    try:
        document = read_json(json.dumps(value).encode(), "made")
    except DocumentParsingError as error:
        assert "contains no text" in str(error)  # noqa: PT017 - either outcome is right
        return
    document.text.encode()
    starts = [place.start for place in document.places]
    assert starts == sorted(starts)
    assert all(place.name.startswith("$") for place in document.places)
    for section in document.sections:
        assert document.text[section.heading.start : section.heading.end] == section.title


@given(st.binary(max_size=300), st.sampled_from([read_csv, read_email, read_json]))
def test_any_bytes_are_text_or_a_clear_error(data, reader) -> None:
    try:
        document = reader(data, "made")
    except DocumentParsingError as error:
        assert str(error).startswith("made: ")  # noqa: PT017 - either outcome is right
    else:
        assert document.text.strip()


def mail_of(kind: str, *parts: str) -> str:
    """A part of an e-mail that holds others, or an e-mail if `Subject` stands before it."""
    mark = f"b{abs(hash(parts))}"
    inner = "".join(f"--{mark}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={mark}\n\n{inner}--{mark}--\n"


def test_all_of_an_email_that_is_shown_is_read_wherever_it_stands() -> None:
    plain = "Content-Type: text/plain\n\nOld form.\n"
    pages = [f"Content-Type: text/html\n\n<p>Shown {n}.</p>\n" for n in range(2)]
    table = "Content-Type: text/csv\nContent-Disposition: attachment; filename=t.csv\n\nx,y\n"
    mixed = mail_of("mixed", pages[0], table, pages[1])
    for whole in (mail_of("alternative", plain, mixed), mail_of("signed", mixed)):
        document = read("a.eml", f"Subject: s\n{whole}")
        assert document.text.split() == ["s", "Shown", "0.", "x", "y", "Shown", "1."]
        assert document.place_of(Span(document.text.index("x"), document.text.index("y") + 1)) == (
            "attachment 't.csv', cells A1:B1"
        )
    forwarded = "Subject: s\nContent-Type: message/rfc822\n\nSubject: inside\n\nWords.\n"
    assert read("a.eml", forwarded).text.split() == ["s", "inside", "Words."]
    broken = read("a.eml", "Subject: s\nContent-Type: multipart/mixed\n\nWords.\n")
    assert broken.warnings == ("Not read: attachment multipart/mixed.",)
    assert read("a.eml", f"Subject: {'(' * 9}\nTo: {'(' * 20_000}\n\nWords.\n").text.count("Words")


def test_half_a_character_and_unknown_encodings_do_no_harm() -> None:
    document = read("a.json", r'{"k\ud800": "a\u0000b \ud83d\ude00 c\udc00"}')
    assert document.text.strip() == "k?: a\ufffdb \U0001f600 c?"
    head = b"Subject: =?utf-8?q?=ff?= \xe9\nContent-Type: text/plain; charset=none-such\n\n"
    document = read("a.eml", head + b"Words stand here.")
    assert "Words stand here." in document.text


def test_a_ledger_cites_the_cell_and_holds(documents) -> None:
    sources = [documents["budget.xlsx"], documents["deck.pptx"]]
    answer = "Employees may claim a taxi after 22:00. Staff may work from home two days a week."
    ledger = build_ledger(answer, sources)
    places = [entry.evidence[0].heading_path for entry in ledger.entries]
    assert places == [("sheet 'Notes', cell B2",), ("slide 1",)]
    by_name = {document.name: document for document in sources}
    by_id = {source.id: by_name[source.filename] for source in ledger.sources}
    told = [nearest_words(entry, by_id).place for entry in ledger.entries]
    assert told == ["budget.xlsx, sheet 'Notes', cell B2", "deck.pptx, slide 1"]
    assert verify_ledger(ledger_to_bytes(ledger), sources).ok
    report = render_markdown(ledger)
    assert "budget.xlsx, sheet 'Notes', cell B2" in report


@pytest.mark.parametrize(
    ("quote", "place"),
    [("Paris $241.00", "sheet 'Costs', cells B5:C5"), ("Lyon", "sheet 'Costs', cell B4")],
)
def test_a_quote_is_found_at_its_cell(documents, quote, place) -> None:
    validator = Validator([documents["budget.xlsx"]])
    result = validator.check(quote)
    assert result.passed
    assert place_phrase(result.match) == f"budget.xlsx, {place}"


@pytest.mark.parametrize("title", ["$500 deductible", "message to all staff", "slide 4u", "line 3"])
def test_a_heading_is_not_taken_for_a_place(title) -> None:
    assert not is_place(title)
