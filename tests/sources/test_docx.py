from __future__ import annotations

import zipfile
from io import BytesIO

import docx as python_docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.builders import docx, paragraph, run, xml_part, zip_of

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format
from veridical.sources.docx import read_docx
from veridical.sources.limits import SourceLimits

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def read(body: str, **parts) -> Document:
    return read_docx(docx(body, **parts), "made.docx")


def test_notes_follow_in_the_order_of_reference_and_headers_once():
    notes = "".join(
        f'<w:footnote w:id="{key}"{kind}>{paragraph(text)}</w:footnote>'
        for key, kind, text in [
            (0, ' w:type="separator"', "a rule"),
            (1, "", "second note"),
            (2, "", "first note"),
            (3, "", "nobody refers to it"),
        ]
    )
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'.format
    deleted = f"<w:del>{reference(3)}</w:del>"
    body = (
        paragraph("body", reference(2), " goes on", reference(1), deleted)
        + paragraph("end", '<w:r><w:endnoteReference w:id="5"/></w:r>')
        + '<w:sectPr><w:headerReference r:id="h1"/><w:footerReference r:id="h2"/>'
        + '<w:headerReference r:id="gone"/></w:sectPr>'
    )
    document = read(
        body,
        footnotes=notes,
        endnotes=f'<w:endnote w:id="5">{paragraph("end note")}</w:endnote>',
        headers={"h1": paragraph("Head"), "h2": paragraph("Head"), "unused": paragraph("never")},
    )
    assert document.text == "body goes on\nend\nfirst note\nsecond note\nend note\nHead"


def test_sections_come_from_styles_and_outline_levels_in_any_language():
    styles = """
        <w:style w:type="paragraph" w:default="1" w:styleId="Standard"/>
        <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
        <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
        <w:style w:type="paragraph" w:styleId="Eigene"><w:basedOn w:val="berschrift1"/></w:style>
        <w:style w:type="paragraph" w:styleId="Tief">
            <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="Nie"><w:basedOn w:val="Tief"/>
            <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
    """
    direct = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Part</w:t></w:r></w:p>'
    document = read(
        paragraph("The policy", style="Titel")
        + paragraph("1. Leave", style="berschrift1")
        + paragraph("Words.")
        + paragraph(" 1.1 Sick ", "leave ", style="Tief")
        + direct
        + paragraph(" ", style="berschrift1")
        + paragraph("Not a heading", style="Nie")
        + paragraph("2. Pay", style="Eigene"),
        styles=styles,
    )
    assert [(s.title, s.level, s.number, s.line) for s in document.sections] == [
        ("The policy", 1, "", 1),
        ("1. Leave", 1, "1", 2),
        ("1.1 Sick leave", 2, "1.1", 4),
        ("Part", 3, "", 5),
        ("2. Pay", 1, "2", 8),
    ]
    sick = document.sections[2]
    assert document.text[sick.heading.start : sick.heading.end] == "1.1 Sick leave"
    assert document.sections[3].path == ("1. Leave", "1.1 Sick leave", "Part")


def test_a_document_written_by_another_tool():
    made = python_docx.Document()
    made.add_heading("Leave policy", level=0)
    made.add_heading("Sick leave", level=2)
    made.add_paragraph("Tell your manager by ").add_run("09:00").bold = True
    grid = made.add_table(rows=1, cols=2)
    grid.cell(0, 0).text, grid.cell(0, 1).text = "Days", "30"
    out = BytesIO()
    made.save(out)
    document = read_docx(out.getvalue(), "made.docx")
    assert document.format is Format.DOCX
    assert document.size_bytes == len(out.getvalue())
    assert document.text == "Leave policy\nSick leave\nTell your manager by 09:00\nDays\t30"
    assert [(s.title, s.level) for s in document.sections] == [
        ("Leave policy", 1),
        ("Sick leave", 2),
    ]
    assert (document.pages, len(document.masks), document.warnings) == ((), 0, ())


def test_what_is_not_read_is_said():
    chart = (
        '<w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>'
        "</w:drawing></w:r>"
    )
    document = read(paragraph("a", chart))
    assert document.warnings == ("Text in charts, diagrams and embedded documents was not read.",)


def test_strict_documents_use_other_namespaces():
    data = docx(paragraph("strict words"))
    strict = zipfile.ZipFile(BytesIO(data)).read("word/document.xml").decode()
    strict = strict.replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    assert read_docx(zip_of({"word/document.xml": strict}), "made.docx").text == "strict words"


def part(xml: str) -> bytes:
    return zip_of({"word/document.xml": xml})


def encrypted_zip() -> bytes:
    data = bytearray(docx(paragraph("a")))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def damaged_zip() -> bytes:
    data = bytearray(docx(paragraph("some words " * 50)))
    data[45:60] = bytes(15)
    return bytes(data)


def compressed(method: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("word/document.xml", xml_part("document", ""))
    return out.getvalue()


LAUGHS = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w>&b;</w>'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b"just some words", "not a DOCX file, or it is cut short"),
        (docx(paragraph("a"))[:-30], "not a DOCX file, or it is cut short"),
        (damaged_zip(), "is damaged"),
        (encrypted_zip(), "its archive is encrypted"),
        (compressed(zipfile.ZIP_LZMA), "compressed in a way that Word does not use"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted and needs a password"),
        (OLE + "WordDocument".encode("utf-16-le"), "old binary format"),
        (zip_of({"a.txt": "words"}), "without word/document.xml"),
        (zip_of({"xl/workbook.xml": "<a/>"}), "an Excel workbook"),
        (zip_of({"ppt/presentation.xml": "<a/>"}), "a PowerPoint presentation"),
        (part(LAUGHS), "declares a document type"),
        (part("<w:document"), "broken XML at line 1"),
        (part("<a>\n<b></a>"), "broken XML at line 2"),
        (part("<a>" * 1001 + "</a>" * 1001), "nested more than 1,000 deep"),
        (zip_of({f"{n}.txt": "" for n in range(10_001)}), "10,001 entries"),
        (docx(paragraph("")), "contains no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_name_and_a_way_out(data, expected):
    with pytest.raises(DocumentParsingError, match=r"^made\.docx: ") as raised:
        read_docx(data, "made.docx")
    assert expected in str(raised.value)
    assert raised.value.document_format == "docx"


def test_limits_on_unpacking_and_text():
    data = docx(paragraph("words " * 1000))
    with pytest.raises(DocumentParsingError, match="perhaps a ZIP bomb"):
        read_docx(data, "made.docx", limits=SourceLimits(max_unpacked_bytes=5000))
    with pytest.raises(DocumentParsingError, match="6,000 characters of text are over the limit"):
        read_docx(data, "made.docx", limits=SourceLimits(max_text_chars=5999))


def test_a_part_that_lies_about_its_size_gives_no_more_than_it_says():
    data = bytearray(docx(paragraph("words " * 1000)))
    size = len(zipfile.ZipFile(BytesIO(data)).read("word/document.xml"))
    true, lie = size.to_bytes(4, "little"), (size // 2).to_bytes(4, "little")
    with pytest.raises(DocumentParsingError, match=r"damaged|cannot be read"):
        read_docx(bytes(data).replace(true, lie), "made.docx")


WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="<>&\ufffe\uffff"),
    min_size=1,
)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_all_visible_text_is_read_as_it_is(paragraphs):
    body = "".join(paragraph(*map(run, runs)) for runs in paragraphs)
    expected = "\n".join("".join(runs) for runs in paragraphs)
    if expected.strip():
        assert read(body).text == expected
