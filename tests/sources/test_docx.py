from __future__ import annotations

import zipfile
from io import BytesIO

import docx as python_docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.builders import docx, paragraph, run, xml_part, zip_of

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, SourceLimits
from veridical.sources.docx import read_docx


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
        (b"just some words", "no DOCX file, or it is cut short"),
        (docx(paragraph("a"))[:-30], "no DOCX file, or it is cut short"),
        (damaged_zip(), "is damaged"),
        (encrypted_zip(), "its archive is encrypted"),
        (compressed(zipfile.ZIP_LZMA), "compressed in a way that Word does not use"),
        (zip_of({"a.txt": "words"}), "without word/document.xml"),
        (zip_of({"xl/workbook.xml": "<a/>"}), "it is no Word document"),
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
    with pytest.raises(DocumentParsingError, match="over the limit of 5,999 characters"):
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


RAISED = '<w:vertAlign w:val="superscript"/>'
FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
BEGIN, SEPARATE, END = (FIELD.format(kind) for kind in ("begin", "separate", "end"))


def cell(*paragraphs: str) -> str:
    return f"<w:tc>{''.join(map(paragraph, paragraphs))}</w:tc>"


def table(*rows: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def box(*paragraphs: str) -> str:
    return f"<w:txbxContent>{''.join(map(paragraph, paragraphs))}</w:txbxContent>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("One ", "two") + paragraph("three"), "One two\nthree"),
        (
            paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/></w:r>"),
            "a\tb\nc\n",
        ),
        (paragraph('<w:r><w:sym w:font="Symbol" w:char="2265"/></w:r>', " 5"), "\u2265 5"),
        (paragraph("&lt;b&gt; &amp; &#x1F600;"), "<b> & \U0001f600"),
        # A tab stop in the paragraph's properties is no tab.
        (
            '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr></w:p>' + paragraph("a"),
            "\na",
        ),
    ],
)
def test_characters(body, text):
    assert read(body).text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("10", run("2", RAISED)), "10^2"),
        (paragraph("10", run("−3", RAISED), " m"), "10^−3 m"),
        (paragraph("km", run("2", RAISED)), "km^2"),
        (paragraph("10", run("1", RAISED), run("2", RAISED), "5"), "10^12 5"),
        (paragraph("the policy", run("7", RAISED), " holds"), "the policy 7 holds"),
        (paragraph("on 1", run("st", RAISED), " May"), "on 1st May"),
        (paragraph("H", run("2", '<w:vertAlign w:val="subscript"/>'), "O"), "H2O"),
        (paragraph("(a)", run("2", RAISED)), "(a)2"),
        (paragraph("10", run("2", '<w:rStyle w:val="Up"/>')), "10^2"),
    ],
)
def test_a_raised_number_is_marked_off(body, text):
    styles = f'<w:style w:type="character" w:styleId="Up"><w:rPr>{RAISED}</w:rPr></w:style>'
    assert read(body, styles=styles).text == text


HIDING_STYLES = """
    <w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
    <w:style w:type="character" w:styleId="Deeper"><w:basedOn w:val="Secret"/></w:style>
    <w:style w:type="paragraph" w:styleId="Note"><w:rPr><w:vanish w:val="1"/></w:rPr></w:style>
    <w:style w:type="paragraph" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>
"""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("a", run("b", "<w:vanish/>"), "c"), "ac"),
        (paragraph("a", run("b", "<w:strike/>"), "c"), "ac"),
        (paragraph("a", run("b", "<w:dstrike/>"), "c"), "ac"),
        (paragraph("a", run("b", '<w:rStyle w:val="Secret"/>')), "a"),
        (paragraph("a", run("b", '<w:rStyle w:val="Deeper"/>')), "a"),
        (paragraph("a") + paragraph("b", style="Note"), "a\n"),
    ],
)
def test_hidden_text_is_left_out_and_said_so(body, text):
    document = read(body, styles=HIDING_STYLES)
    assert document.text == text
    assert document.warnings == ("Hidden or struck-through text was left out.",)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("a", run("b", '<w:vanish w:val="0"/>')), "ab"),
        (paragraph("a") + paragraph(run("b", '<w:vanish w:val="0"/>'), style="Note"), "a\nb"),
        (paragraph("a", style="Loop"), "a"),
        # The mark of a paragraph's end may be hidden; its words are not.
        ("<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        # What the look was before a tracked change.
        (paragraph(run("a", "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>")), "a"),
    ],
)
def test_what_only_seems_hidden_is_read(body, text):
    document = read(body, styles=HIDING_STYLES)
    assert document.text == text
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (paragraph("a", "<w:ins><w:r><w:t>b</w:t></w:r></w:ins>"), "ab"),
        (paragraph("a", "<w:del><w:r><w:delText>x</w:delText></w:r></w:del>", "b"), "ab"),
        (paragraph("<w:moveTo><w:r><w:t>a</w:t></w:r></w:moveTo>"), "a"),
        (
            "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
            + paragraph("b"),
            "ab",
        ),
        (
            "<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>"
            + paragraph("a")
            + "</w:sdtContent></w:sdt>",
            "a",
        ),
        (
            paragraph(
                "<w:ruby><w:rt><w:r><w:t>x</w:t></w:r></w:rt>"
                "<w:rubyBase><w:r><w:t>a</w:t></w:r></w:rubyBase></w:ruby>"
            ),
            "a",
        ),
    ],
)
def test_tracked_changes_links_and_controls(body, text):
    document = read(body)
    assert document.text == text
    assert ("Tracked changes" in "".join(document.warnings)) == ("w:del" in body or "Fr" in body)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (
            [BEGIN, "<w:r><w:instrText>PAGE</w:instrText></w:r>", SEPARATE, "7", END, " of 9"],
            "7 of 9",
        ),
        ([BEGIN, "IF ", BEGIN, "NAME", SEPARATE, "x", END, SEPARATE, "seen", END], "seen"),
        ([SEPARATE, END, END, "stray marks"], "stray marks"),
        # Never finished: rather read too much than lose the rest of the document.
        (["before ", BEGIN, "after"], "before after"),
    ],
)
def test_of_a_field_the_result_is_read(runs, text):
    assert read(paragraph(*runs)).text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            paragraph("before") + table(cell("a") + cell("b"), cell("c") + cell("d")),
            "before\na\tb\nc\td",
        ),
        (table(cell("a", "b") + cell("c")) + paragraph("after"), "a\nb\tc\nafter"),
        (paragraph("host", f"<w:r><w:pict>{box('boxed')}</w:pict></w:r>", "ed"), "hosted\nboxed"),
        (
            paragraph(
                "host",
                "<w:r><mc:AlternateContent>"
                f'<mc:Choice Requires="wps">{box("one", "two")}</mc:Choice>'
                f"<mc:Fallback>{box('one', 'two')}</mc:Fallback>"
                "</mc:AlternateContent></w:r>",
            )
            + paragraph("next"),
            "host\none\ntwo\nnext",
        ),
    ],
)
def test_tables_and_text_boxes(body, text):
    assert read(body).text == text


SQUARE = '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>'
SUM = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'


def mrun(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (f"<m:f><m:num>{mrun('1')}</m:num><m:den>{mrun('2')}</m:den></m:f>", "1/2"),
        (f"<m:f><m:num>{mrun('a+b')}</m:num><m:den>{mrun('c')}</m:den></m:f>", "(a+b)/c"),
        (f"<m:d><m:e>{mrun('a')}</m:e><m:e>{mrun('b')}</m:e></m:d>", "(a|b)"),
        (f"<m:d>{SQUARE}<m:e>{mrun('a')}</m:e></m:d>", "[a]"),
        (
            f"<m:nary>{SUM}<m:sub>{mrun('i=1')}</m:sub><m:sup>{mrun('n')}</m:sup></m:nary>"
            + mrun("i"),
            "∑_(i=1)^n i",
        ),
    ],
)
def test_formulas_keep_their_meaning_on_one_line(formula, text):
    assert read(paragraph(f"<m:oMath>{formula}</m:oMath>")).text == text
