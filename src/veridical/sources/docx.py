"""Word documents (DOCX): a ZIP archive of XML, read without unpacking more than is allowed.

The text is the body in the order of reading, tables row by row (cells with a tab between), text
boxes after the paragraph that they hang on; then footnotes and endnotes in the order in which the
text refers to them, then headers and footers, each wording once. The numbers that Word computes
for lists and headings are not in the file and so not in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format
from veridical.sources.docx_package import Package, Relation, UnusableDocx
from veridical.sources.docx_story import Story
from veridical.sources.docx_styles import Styles, StylesReader
from veridical.sources.docx_text import TextReader
from veridical.sources.headings import MAX_TITLE_CHARS, Heading, build_sections
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.span import Span


def read_docx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a Word document, with sections from its heading styles and outline levels.

    Raises DocumentParsingError where the file is empty, no Word document, broken, encrypted or
    without text, where it exceeds `limits`, or where its XML is not safe to read.
    """
    try:
        with closing(Package(data, limits)) as package:
            body, further, warnings = _read(package)
        text = "\n".join([body.text, *further])
        _check_text(text, limits)
    except UnusableDocx as error:
        raise DocumentParsingError(f"{name}: {error}", Format.DOCX.value) from None
    return Document(
        name=name,
        text=text,
        format=Format.DOCX,
        sections=build_sections(text, _headings(body, text)),
        size_bytes=len(data),
        warnings=warnings,
    )


def _check_text(text: str, limits: SourceLimits) -> None:
    if not text.strip():
        raise UnusableDocx(
            "this Word document contains no text. If its words are in pictures, run OCR first."
        )
    if len(text) > limits.max_text_chars:
        raise UnusableDocx(
            f"its {len(text):,} characters of text are over the limit of "
            f"{limits.max_text_chars:,}. Split the file or raise the limit."
        )


class _Reading(NamedTuple):
    """The body, the texts that follow it, and what was left out of both."""

    body: Story
    further: Sequence[str]
    warnings: tuple[str, ...]


def _read(package: Package) -> _Reading:
    main = package.main_part()
    relations = package.relations(main)
    styles = _read_styles(package, relations)
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
    return _Reading(body.story, list(printed), tuple(_warnings(readers)))


def _read_styles(package: Package, relations: Sequence[Relation]) -> Styles:
    reader = StylesReader()
    for part in _parts(relations, "styles"):
        package.parse(part, reader)
    return reader.styles


def _read_part(package: Package, part: str, styles: Styles) -> TextReader:
    """Read a part; where a field in it is never finished, once more without minding fields."""
    reader = TextReader(styles)
    package.parse(part, reader)
    if reader.has_open_field:
        reader = TextReader(styles, ignore_fields=True)
        package.parse(part, reader)
    return reader


def _parts(relations: Sequence[Relation], kind: str) -> list[str]:
    """The part of this kind; a document has at most one."""
    return [relation.part for relation in relations if relation.kind == kind][:1]


def _headings(body: Story, text: str) -> Iterator[Heading]:
    for level, start, end in body.headings:
        title = " ".join(text[start:end].split())
        yield Heading(level, Span(start, end), title[:MAX_TITLE_CHARS])


def _warnings(readers: Sequence[TextReader]) -> Iterator[str]:
    if any(reader.has_deletions for reader in readers):
        yield "Tracked changes: inserted text was read, deleted text was left out."
    if any(reader.has_hidden for reader in readers):
        yield "Hidden or struck-through text was left out."
    if any(reader.has_unread for reader in readers):
        yield "Text in charts, diagrams and embedded documents was not read."
