"""Make the example PDF and DOCX from their sources in examples/build.

The same sources give the same bytes on every machine: dates are fixed, and the PDF uses only the
fonts inside the typst package. Run it with `make examples`.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path

import docx
import typst
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
EDITED = datetime(2025, 10, 27, 9, 30)  # noqa: DTZ001 - DOCX properties carry no time zone
EDITOR = "Amara Lindqvist"
MARKED = re.compile(r"(\[-.*?-\]|\[\+.*?\+\]|\[~.*?~\])")


def build_pdf(source: Path, target: Path) -> None:
    """Typeset `source` without looking at the fonts of this machine."""
    target.write_bytes(typst.compile(str(source), ignore_system_fonts=True))


def build_docx(source: Path, target: Path) -> None:
    """Turn the light markup of `source` into a Word document with tracked and hidden text."""
    document = docx.Document()
    properties = document.core_properties
    properties.title = "Information Security Standard"
    properties.author = properties.last_modified_by = EDITOR
    properties.comments = ""
    properties.created = properties.modified = EDITED
    document.sections[0].footer.paragraphs[0].text = "INF-003, version 2.4 · class C1"

    text = re.sub(r"<!--.*?-->", "", source.read_text(encoding="utf-8"), flags=re.DOTALL)
    for block in re.split(r"\n\s*\n", text.strip()):
        add_block(document, block)
    packed = io.BytesIO()
    document.save(packed)
    target.write_bytes(with_fixed_dates(packed.getvalue()))


def add_block(document: Document, block: str) -> None:
    """Add a heading, a table or a paragraph."""
    if heading := re.fullmatch(r"(#+) (.*)", block):
        document.add_heading(heading[2], level=len(heading[1]) - 1)
    elif block.startswith("|"):
        rows = [[cell.strip() for cell in row.strip("| ").split("|")] for row in block.split("\n")]
        table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, content in zip(row.cells, cells, strict=True):
                cell.text = content
    else:
        add_marked_text(document.add_paragraph(), block)


def add_marked_text(paragraph: Paragraph, text: str) -> None:
    """Add `text`, its marked parts as tracked changes and hidden text."""
    for number, part in enumerate(filter(None, MARKED.split(text))):
        if not MARKED.fullmatch(part):
            paragraph.add_run(part)
            continue
        run = paragraph.add_run(part[2:-2])
        if part[1] == "~":
            run.font.hidden = True
            continue
        deleted = part[1] == "-"
        change = OxmlElement("w:del" if deleted else "w:ins")
        change.set(qn("w:id"), str(number))
        change.set(qn("w:author"), EDITOR)
        change.set(qn("w:date"), EDITED.isoformat() + "Z")
        run._r.addprevious(change)  # python-docx has no call for tracked changes
        change.append(run._r)
        if deleted:
            for element in run._r.findall(qn("w:t")):
                element.tag = qn("w:delText")


def with_fixed_dates(archive: bytes) -> bytes:
    """The same ZIP archive, each entry dated `EDITED`."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(result, "w") as new:
        for entry in old.infolist():
            dated = zipfile.ZipInfo(entry.filename, EDITED.timetuple()[:6])
            dated.create_system = 3
            dated.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(dated, old.read(entry.filename))
    return result.getvalue()


def main() -> None:
    """Make both documents."""
    sources, build = EXAMPLES / "sources", EXAMPLES / "build"
    build_pdf(build / "expense-handbook.typ", sources / "expense-handbook.pdf")
    build_docx(build / "security-standard.md", sources / "security-standard.docx")
    print(f"wrote {sources / 'expense-handbook.pdf'} and {sources / 'security-standard.docx'}")


if __name__ == "__main__":
    main()
