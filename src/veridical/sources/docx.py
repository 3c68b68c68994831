"""Word documents (DOCX): a ZIP archive of XML, read without unpacking more than is allowed.

The text is the body in the order of reading, tables row by row (cells with a tab between), text
boxes after the paragraph that they hang on; then footnotes and endnotes in the order in which the
text refers to them, then headers and footers, each wording once. The numbers that Word computes
for lists and headings are not in the file and so not in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.docx_text import Story, Styles, TextReader
from veridical.sources.headings import build_sections, heading_at
from veridical.sources.package import Kind, Package, Relation, unpacked
from veridical.sources.parts import TextBuilder

WORD = Kind("Word document", "DOCX", "Word", "word/document.xml")


def read_docx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a Word document, with sections from its heading styles and outline levels.

    Raises DocumentParsingError where the file is empty, no Word document, broken, encrypted or
    without text, where it exceeds `limits`, or where its XML is not safe to read.
    """
    builder = TextBuilder(name, Format.DOCX, limits)
    with unpacked(data, name, limits, WORD) as package:
        body, further, warnings = _read(package)
        text = "\n".join([body.text, *further])
        builder.add(text)
    return replace(
        builder.build(data),
        sections=build_sections(text, (heading_at(text, *place) for place in body.headings)),
        warnings=warnings,
    )


def _read(package: Package) -> tuple[Story, list[str], tuple[str, ...]]:
    """The body, the texts that follow it, and what was left out of both."""
    main = package.main_part()
    relations = package.relations(main)
    styles = Styles()
    for part in _parts(relations, "styles"):
        styles = Styles(package.parse(part))
    body = _read_part(package, main, styles)
    readers = [body]
    further: list[str] = []
    for kind in ("footnotes", "endnotes"):
        for part in _parts(relations, kind):
            notes = _read_part(package, part, styles)
            readers.append(notes)
            wanted = dict.fromkeys(note for of_kind, note in body.note_ids if of_kind == kind)
            further += [notes.notes[note].text for note in wanted if note in notes.notes]
    parts = {relation.id: relation.part for relation in relations}
    for reference in dict.fromkeys(body.header_ids):
        if reference in parts:
            header = _read_part(package, parts[reference], styles)
            readers.append(header)
            further.append(header.story.text)
    printed = dict.fromkeys(text.strip("\n") for text in further if text.strip())
    return body.story, list(printed), tuple(_warnings(readers))


def _read_part(package: Package, part: str, styles: Styles) -> TextReader:
    """Read a part; where a field in it is never finished, once more without minding fields."""
    root = package.parse(part)
    reader = TextReader(root, styles)
    return TextReader(root, styles, ignore_fields=True) if reader.has_open_field else reader


def _parts(relations: Sequence[Relation], kind: str) -> list[str]:
    """The part of this kind; a document has at most one."""
    return [relation.part for relation in relations if relation.kind == kind][:1]


def _warnings(readers: Sequence[TextReader]) -> Iterator[str]:
    if any(reader.has_deletions for reader in readers):
        yield "Tracked changes: inserted text was read, deleted text was left out."
    if any(reader.has_hidden for reader in readers):
        yield "Hidden or struck-through text was left out."
    if any(reader.has_unread for reader in readers):
        yield "Text in charts, diagrams and embedded documents was not read."
