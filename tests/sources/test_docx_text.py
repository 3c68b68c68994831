from __future__ import annotations

import pytest
from tests.sources.builders import docx, paragraph, run

from veridical.sources.document import Document
from veridical.sources.docx import read_docx

RAISED = '<w:vertAlign w:val="superscript"/>'
FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
BEGIN, SEPARATE, END = (FIELD.format(kind) for kind in ("begin", "separate", "end"))


def read(body: str, **parts) -> Document:
    return read_docx(docx(body, **parts), "made.docx")


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
