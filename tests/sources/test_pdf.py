from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.builders import Pdf, encrypted_pdf, simple_pdf, stream

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format, SourceLimits
from veridical.sources.pdf import read_pdf
from veridical.sources.pdf_text import drop_running_lines


def one_page(content: bytes, extra: bytes = b"") -> bytes:
    pdf = Pdf()
    pdf.add_page(content, extra)
    return pdf.build()


def text_of(content: bytes) -> str:
    return read_pdf(one_page(content), "made.pdf").text


def test_pages_are_joined_by_one_line_break_and_keep_their_places():
    data = simple_pdf(["The notice period", "is thirty"], ["days from receipt."])
    document = read_pdf(data, "made.pdf")
    assert document.format is Format.PDF
    assert document.name == "made.pdf"
    assert document.size_bytes == len(data)
    assert document.text == "The notice period\nis thirty\ndays from receipt."
    assert [document.text[p.span.start : p.span.end] for p in document.pages] == [
        "The notice period\nis thirty",
        "days from receipt.",
    ]
    assert document.page_at(document.text.index("days")) == 2
    assert len(document.masks) == 0


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"(an extra-) Tj 0 -14 Td (ordinary day) Tj", "an extra-\nordinary day"),
        (b"(10) Tj 5 Ts /F 6 Tf (2) Tj 0 Ts /F 12 Tf ( m) Tj", "10^2 m"),
        (b"(5 km) Tj 5 Ts /F 6 Tf (2) Tj", "5 km^2"),
        (b"(the policy) Tj 5 Ts /F 6 Tf (14) Tj 0 Ts /F 12 Tf ( holds) Tj", "the policy 14 holds"),
        (b"(in 2019) Tj 5 Ts /F 6 Tf (3) Tj", "in 2019^3"),
        (b"(x) Tj 5 Ts /F 6 Tf (2) Tj 0 Ts /F 12 Tf (7) Tj", "x 2 7"),
        (b"(H) Tj -3 Ts /F 8 Tf (2) Tj 0 Ts /F 12 Tf (O) Tj", "H2O"),
        (b"(caf\\351 \\223quoted\\224) Tj", "café “quoted”"),
    ],
)
def test_what_a_reader_sees_is_what_is_read(content, text):
    read = text_of(b"BT /F 12 Tf 50 700 Td " + content + b" ET")
    assert " ".join(read.replace("-\n", "-@").split()).replace("-@", "-\n") == text


def test_letters_outside_the_basic_plane_are_one_code_point_and_half_ones_are_replaced():
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Made def "
        b"1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar "
        b"<41> <D83DDE00> <42> <D83D> <43> <FFFE> endbfchar endcmap end end"
    )
    pdf = Pdf()
    pdf.font_extra = b"/ToUnicode %d 0 R" % pdf.add(stream(cmap))
    pdf.add_page(b"BT /F 12 Tf 50 700 Td (xAy) Tj 0 -20 Td (B.) Tj 0 -20 Td (pCq) Tj ET")
    text = read_pdf(pdf.build(), "made.pdf").text
    assert text.startswith("x\U0001f600y\n\ufffd.\np")
    assert "\ufffe" not in text
    assert text.encode("utf-8").decode("utf-8") == text


def test_text_outside_the_visible_page_is_left_out_and_said_so():
    content = b"BT /F 12 Tf 50 700 Td (seen) Tj 0 -20 Td (also seen) Tj 2000 0 Td (unseen) Tj ET"
    document = read_pdf(one_page(content), "made.pdf")
    assert document.text.split() == ["seen", "also", "seen"]
    assert document.warnings == ("Text outside the visible area was left out on page 1.",)


def test_filled_form_fields_and_notes_are_read_after_the_page():
    fields = [
        b"/Subtype/Widget/FT/Tx/T(a)/V(Ada Lovelace)",
        b"/Subtype/Widget/FT/Ch/T(b)/V(Sick leave)",
        b"/Subtype/Widget/FT/Tx/T(c)/Ff 8192/V(password)",
        b"/Subtype/Widget/FT/Tx/T(d)/F 2/V(hidden)",
        b"/Subtype/Widget/FT/Btn/T(e)/V/Yes",
        b"/Subtype/Widget/FT/Tx/T(f)",
        b"/Subtype/FreeText/Contents(approved \\(HR\\))",
        b"/Subtype/Text/Contents(a pop-up nobody opened)",
    ]
    annotations = b"".join(b"<</Type/Annot/Rect[9 9 99 99]%s>>" % field for field in fields)
    data = one_page(b"BT /F 12 Tf 50 700 Td (Name, kind) Tj ET", b"/Annots[%s]" % annotations)
    assert read_pdf(data, "made.pdf").text == "Name, kind\nAda Lovelace\nSick leave\napproved (HR)"


def test_sections_come_from_the_outline_and_stand_where_the_headings_stand():
    pages = [
        ["Contents", "Scope and aims", "Leave"],
        ["1. Scope and", "aims", "Leave is mentioned first.", "2. Leave", "Text.", "2.1 Sick"],
        ["Notes", "body", "Notes", "more body"],
    ]
    outline = [
        ("Scope and Aims", 1, 1),
        ("Leave", 1, 1),
        ("Sick", 2, 1),
        ("Notes", 1, 2),
        ("Notes", 1, 2),
        ("Never printed", 1, 2),
    ]
    document = read_pdf(simple_pdf(*pages, outline=outline), "made.pdf")
    assert [(s.title, s.level, s.number) for s in document.sections] == [
        ("1. Scope and aims", 1, "1"),
        ("2. Leave", 1, "2"),
        ("2.1 Sick", 2, "2.1"),
        ("Notes", 1, ""),
        ("Notes", 1, ""),
    ]
    scope, leave, sick, first, second = document.sections
    assert document.text[scope.heading.start : scope.heading.end] == "1. Scope and\naims"
    assert leave.heading.start == document.text.index("2. Leave")
    assert sick.path == ("2. Leave", "2.1 Sick")
    assert first.end == second.heading.start
    assert second.heading.start == document.text.rindex("Notes")
    assert second.end == len(document.text)
    assert document.section_at(document.text.index("mentioned")) == scope


def test_an_outline_that_runs_in_a_circle_ends():
    pdf = Pdf()
    page = pdf.add_page(["Alpha", "words", "Beta"])
    root, alpha, beta = pdf.add(b""), pdf.add(b""), pdf.add(b"")
    entry = b"<</Title(%s)/Dest[%d 0 R/Fit]/Parent %d 0 R/Next %d 0 R/First %d 0 R>>"
    pdf.objects[root] = b"<</First %d 0 R/Last %d 0 R>>" % (alpha, beta)
    pdf.objects[alpha] = entry % (b"Alpha", page, root, beta, alpha)
    pdf.objects[beta] = entry % (b"Beta", page, root, alpha, root)
    pdf.catalog_extra = b"/Outlines %d 0 R" % root
    document = read_pdf(pdf.build(), "made.pdf")
    assert [section.title for section in document.sections] == ["Alpha", "Beta"]


def test_without_an_outline_headings_are_found_by_their_look():
    pages = [
        ["3.2 Annual Leave", "Staff may take leave."],
        ["3.3 Sick Leave", "Tell your manager."],
    ]
    document = read_pdf(simple_pdf(*pages), "made.pdf")
    assert [section.number for section in document.sections] == ["3.2", "3.3"]


def test_a_sentence_runs_over_a_page_break_past_footers_and_page_numbers():
    pages = [
        ["Annual report", f"on {word} they begin", f"and {word} they end", f"Page {number} of 6"]
        for number, word in enumerate(["Monday", "Tuesday", "Friday", "Saturday", "Sunday"], 2)
    ]
    document = read_pdf(simple_pdf(*pages), "made.pdf")
    assert "and Tuesday they end\non Friday they begin" in document.text
    assert document.text.count("Annual report") == 1
    assert document.text.endswith("Page 6 of 6")
    assert document.page_at(document.text.index("Saturday")) == 4
    assert document.warnings == (
        "8 repeated page headers, footers and page numbers were left out between pages.",
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b"just some words", "not a PDF, or it is damaged"),
        (simple_pdf(["words"])[:200], "not a PDF, or it is damaged"),
        (encrypted_pdf(), "needs a password"),
        (encrypted_pdf(b"Nobody.Knows"), "protected in a way that is not supported"),
        (simple_pdf(), "has no pages"),
        (simple_pdf([], []), "2 pages but no text: it looks like a scan"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_name_and_a_way_out(data, expected):
    with pytest.raises(DocumentParsingError, match=r"^made\.pdf: ") as raised:
        read_pdf(data, "made.pdf")
    assert expected in str(raised.value)
    assert raised.value.document_format == "pdf"


def test_limits_on_pages_and_text():
    data = simple_pdf(["one two three"], ["four five six"])
    with pytest.raises(DocumentParsingError, match="2 pages, over the limit of 1"):
        read_pdf(data, "made.pdf", limits=SourceLimits(max_pages=1))
    with pytest.raises(DocumentParsingError, match=r"more than 20 characters .* by page 2"):
        read_pdf(data, "made.pdf", limits=SourceLimits(max_text_chars=20))


def test_a_broken_page_is_named_and_the_others_are_read():
    pdf = Pdf()
    pdf.add_page(["first"])
    pdf.objects[pdf.add_page(["lost"])] = b"null"
    pdf.add_page(["last"])
    document = read_pdf(pdf.build(), "made.pdf")
    assert document.text.split() == ["first", "last"]
    assert "page 2" in document.warnings[0]


def test_text_in_letters_that_only_the_font_knows_is_reported():
    cmap = (
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        b"1 beginbfrange <61> <7A> <E061> endbfrange endcmap"
    )
    pdf = Pdf()
    pdf.font_extra = b"/ToUnicode %d 0 R" % pdf.add(stream(cmap))
    pdf.add_page(["letters"])
    assert "may be garbled" in read_pdf(pdf.build(), "made.pdf").warnings[0]


LINES = st.lists(
    st.lists(
        st.text("abcdefgh XYZ.,;()", min_size=1, max_size=30).filter(str.strip),
        min_size=1,
        max_size=8,
    ),
    min_size=1,
    max_size=5,
)


@given(LINES)
def test_no_letter_is_lost_and_pages_tile_the_text(pages):
    document = read_pdf(simple_pdf(*pages), "made.pdf")
    assert "\n".join(document.text[p.span.start : p.span.end] for p in document.pages) == (
        document.text
    )
    for page, lines in zip(document.pages, pages, strict=True):
        read = "".join(document.text[page.span.start : page.span.end].split())
        for line in {"".join(line.split()) for line in lines}:
            assert line in read or line in "".join(document.text.split())


# --- headers, footers and numbers of pages --------------------------------------------------------


WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def numbered_pages(template: str, count: int = 6, first_number: int = 1) -> list[str]:
    """Pages with a first and last line of their own; `{n}` is the page number, `|` a line end."""
    return [
        template.format(n=first_number + at, w=WORDS[at]).replace("|", "\n") for at in range(count)
    ]


@pytest.mark.parametrize(
    ("template", "kept_on_a_middle_page"),
    [
        ("Leave policy|{w} begins|{w} ends", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|{n}", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|- {n} -", "{w} begins|{w} ends"),
        ("{w} begins|{w} ends|Page {n} of 60", "{w} begins|{w} ends"),
        ("{n} | Leave policy".replace(" | ", "/") + "|{w} begins|{w} ends", "{w} begins|{w} ends"),
        ("A|B|{w} begins|{w} ends|C|0{n}", "{w} begins|{w} ends"),
        ("Leave   policy||{w} begins|{w} ends", "{w} begins|{w} ends"),
        # Not at the edge, not counting along, an item of a list, or all that there is.
        ("{w} begins|Leave policy|{w} ends", "{w} begins|Leave policy|{w} ends"),
        ("{w} begins|{w} ends|total 17{w}", "{w} begins|{w} ends|total 17{w}"),
        ("({n}) In the chapter|{w} ends", "({n}) In the chapter|{w} ends"),
        ("This page is blank", "This page is blank"),
        ("A|B|C|D|E|F|{w}|G|H|I|J|K|L", "A|B|C|D|E|F|{w}|G|H|I|J|K|L"),
    ],
)
@pytest.mark.parametrize("first_number", [1, 198])
def test_what_stays_of_a_page(template, kept_on_a_middle_page, first_number):
    given_pages = numbered_pages(template, first_number=first_number)
    kept = drop_running_lines(given_pages)
    assert kept.texts[3] == numbered_pages(kept_on_a_middle_page, first_number=first_number)[3]
    lines_before = sum(text.count("\n") for text in given_pages)
    blank = sum(line == "" for text in given_pages for line in text.split("\n"))
    lines_after = sum(text.count("\n") for text in kept.texts)
    assert 0 <= lines_before - lines_after - kept.dropped <= blank


@given(st.lists(st.text("ab1 \n", max_size=30), max_size=12))
def test_no_page_is_emptied_and_nothing_is_added(texts):
    kept = drop_running_lines(texts)
    assert len(kept.texts) == len(texts)
    for before, after in zip(texts, kept.texts, strict=True):
        remaining = iter(before.split("\n"))
        assert all(line in remaining for line in after.strip("\n").split("\n") if line)
        assert bool(after.strip()) == bool(before.strip())
