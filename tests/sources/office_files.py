"""Workbooks, presentations, books and mails that other programs' libraries make."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from email.message import EmailMessage

import xlsxwriter
from pptx import Presentation
from pptx.util import Inches

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>'
)


def workbook() -> bytes:
    """Prices by city, with a title above, a cell merged over rows, and much that is hidden."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    money = book.add_format({"num_format": "$#,##0.00"})
    day = book.add_format({"num_format": "d mmmm yyyy"})
    share = book.add_format({"num_format": "0.0%"})
    struck = book.add_format({"font_strikeout": True})
    costs = book.add_worksheet("Costs")
    costs.write(0, 0, "Travel budget 2025")
    for at, title in enumerate(["Region", "City", "Limit a night", "From", "Share", "Secret"]):
        costs.write(2, at, title)
    costs.merge_range(3, 0, 4, 0, "Europe")
    costs.write(3, 1, "Lyon")
    costs.write(3, 2, 120.5, money)
    costs.write_datetime(3, 3, dt.date(2025, 3, 1), day)
    costs.write(3, 4, 0.125, share)
    costs.write(3, 5, "HIDDEN")
    costs.write(4, 1, "Paris")
    costs.write_formula(4, 2, "=C4*2", money, 241)
    costs.write_row(5, 0, ["Asia", "Tokyo"])
    costs.write(5, 2, 1300, money)
    costs.write(5, 4, True)
    costs.write(6, 0, "HIDDEN")
    costs.set_row(6, None, None, {"hidden": True})
    costs.write(7, 0, "HIDDEN", struck)
    costs.set_column(5, 5, None, None, {"hidden": True})
    old = book.add_worksheet("Old")
    old.write(0, 0, "HIDDEN")
    old.hide()
    book.add_worksheet("Notes").write("B2", "Employees may\nclaim a taxi after 22:00.")
    book.close()
    return out.getvalue()


def presentation() -> bytes:
    """Two slides with titles, notes and a table, one that is hidden, one without a title."""
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Remote work"
    slide.placeholders[1].text = "Staff may work from home two days a week.\nManagers approve it."
    slide.notes_slide.notes_text_frame.text = "Say that three days is an exception."
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Leave"
    grid = slide.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for row, cells in enumerate([("Grade", "Days"), ("Senior", "30")]):
        for column, text in enumerate(cells):
            grid.cell(row, column).text = text
    for text, shown in (("HIDDEN", False), ("Offices close at 18:00.", True)):
        slide = made.slides.add_slide(made.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 99, 99).text_frame.text = text
        if not shown:
            slide._element.set("show", "0")
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def page(title: str, body: str) -> str:
    """A chapter as e-books have them."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>The Book</title></head>\n'
        f"<body>\n<h1>{title}</h1>\n{body}</body></html>"
    )


CHAPTERS = (
    page(
        "Chapter 2 &amp; more",
        "<p>He sailed.</p><h2>At sea</h2><table><tr><th>Ship</th><th>Crew</th></tr>"
        "<tr><td>Pequod</td><td>30</td></tr></table>",
    ),
    page(
        "Chapter 1",
        "<p>The whale was\n   white and <del>HIDDEN</del> large.</p>"
        '<p style="display:none">HIDDEN</p>',
    ),
)


def zipped(**files: str | bytes) -> bytes:
    """A ZIP archive; `__` in a name stands for a slash."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def book(chapters: tuple[str, ...] = CHAPTERS, **more: str) -> bytes:
    """A book whose list also names a file outside of it."""
    items = "".join(
        f'<item id="c{at}" href="ch%20{at}.xhtml" media-type="application/xhtml+xml"/>'
        for at in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    listing = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}<item id="out" '
        'href="../../../etc/passwd" media-type="application/xhtml+xml"/></manifest>'
        f'<spine><itemref idref="out"/>{spine}</spine></package>'
    )
    files = {f"OEBPS__ch {at}.xhtml": text for at, text in enumerate(chapters)}
    return zipped(
        mimetype="application/epub+zip",
        **{"META-INF__container.xml": CONTAINER, "OEBPS__content.opf": listing},
        **files,
        **more,
    )


def mail() -> bytes:
    """A message in two forms, with a workbook, a text, a picture and a mail attached."""
    made = EmailMessage()
    made["Subject"] = "New travel rules"
    made["From"] = "Ann Lee <ann@example.org>"
    made["To"] = "all@example.org"
    made["Date"] = dt.datetime(2025, 3, 1, 9, tzinfo=dt.UTC)
    made.set_content("HIDDEN")
    made.add_alternative(
        "<p>Trains are <b>preferred</b> below 500 km.</p><p hidden>HIDDEN</p>", subtype="html"
    )
    made.add_attachment(workbook(), maintype="application", subtype="x", filename="budget.xlsx")
    made.add_attachment("The hotel limit is 90 euros.", filename="rules.txt")
    made.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
    inner = EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("Forwarded words stand here.")
    made.add_attachment(inner)
    return made.as_bytes()


RULES = (
    b'{"title": "Rules", "rules": [{"name": "Leave", "days": 25, "rate": 2.50, "ok": true}, '
    b'{"name": "Sick", "text": "Call in by nine.\\n\\nSay \\u201cwhen\\u201d you return."}], '
    b'"odd key": {"deep": ["three words here"]}}'
)
TABLE = (
    'Name;Limit;Note\r\nHotel;120,50;"two\r\nlines; here"\r\nTaxi;;only at night\r\n\r\nTotal;9\r\n'
)
