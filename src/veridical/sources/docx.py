"""Word documents (DOCX): a ZIP archive of XML, read without unpacking more than is allowed.

The text is the body in the order of reading, tables row by row (cells with a tab between), text
boxes after the paragraph that they hang on; then footnotes and endnotes in the order in which the
text refers to them, then headers and footers, each wording once. In are inserted text, results of
fields, and formulas in one line; out are deleted and hidden text, comments, the instructions of
fields, the fallback copy of what stands twice. The numbers that Word computes for lists and
headings are not in the file and so not in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.headings import build_sections, heading_at
from veridical.sources.package import Element, Kind, Package, Relation, unpacked
from veridical.sources.parts import TextBuilder
from veridical.sources.superscript import mark_before_raised_number

_MAX_CHAIN = 50
_HEADING_NAME = re.compile(r"heading ([1-9])")
_BODY_TEXT_LEVEL = 9


@dataclass(slots=True)
class Look:
    """What a style or a run says of its text; of what is None, what it is based on decides."""

    based_on: str = ""
    level: int | None = None
    hidden: bool | None = None
    superscript: bool | None = None


_PLAIN = Look()


class Styles:
    """The styles of `styles.xml`, looked up along the chain that each is based on."""

    def __init__(self, root: Element | None = None) -> None:
        self._by_id: dict[str, Look] = {}
        self.default_paragraph = ""
        for style in root.all("w:style") if root else ():
            style_id, given = style.attributes.get("styleId", ""), style.attributes
            self._by_id[style_id] = _style(style)
            if given.get("type") == "paragraph" and given.get("default") in ("1", "true"):
                self.default_paragraph = style_id

    def said(self, look: Look, what: str) -> Any:
        """The `level`, or whether text is `hidden` or in `superscript`; None where none says."""
        seen = set()
        for _ in range(_MAX_CHAIN):
            found = getattr(look, what)
            if found is not None or look.based_on in seen or look.based_on not in self._by_id:
                return found
            seen.add(look.based_on)
            look = self._by_id[look.based_on]
        return None


def _style(style: Element) -> Look:
    look = replace(_look(style))
    for name in style.all("w:name"):
        look.level = named_level(name.value)
    for properties in style.all("w:pPr"):
        for outline in properties.all("w:outlineLvl"):
            given = outline_level(outline.value)
            look.level = look.level if given is None else given
    for based_on in style.all("w:basedOn"):
        look.based_on = based_on.value
    return look


def _look(element: Element) -> Look:
    """What the properties of a run or a style (`w:rPr`) say of its text."""
    all_properties = element.all("w:rPr")
    if not all_properties:
        return _PLAIN
    look, is_run = Look(), element.tag in _RUNS
    for said in (said for properties in all_properties for said in properties.children):
        if said.tag == "w:vertAlign":
            look.superscript = said.value == "superscript"
        elif said.tag == "w:vanish":
            look.hidden = said.is_on
        elif said.tag == "w:rStyle" and is_run:
            look.based_on = said.value
        elif said.tag in _STRIKES and said.is_on and is_run:
            look.hidden = True  # taken back, like the words of a tracked deletion
    return look


def named_level(name: str) -> int | None:
    """The level that a built-in style stands for. Word stores these names in English always."""
    folded = name.strip().lower()
    if folded == "title":
        return 1
    found = _HEADING_NAME.fullmatch(folded)
    return int(found[1]) if found else None


def outline_level(value: str) -> int | None:
    """`w:outlineLvl`, which counts from 0 and says 9 for body text, as a heading level."""
    if not re.fullmatch(r"[0-9]", value):
        return None
    return 0 if int(value) == _BODY_TEXT_LEVEL else int(value) + 1


# The paragraphs of a Word story (its body, a note, a header) put together as plain text.


_WORD = re.compile(r"\w*")
_STARTS_WITH_NUMBER = re.compile(r"[+\-\u2212\u2013]?\d")


class HeadingPlace(NamedTuple):
    """A heading, `text[start:end]` of its story."""

    level: int
    start: int
    end: int


@dataclass(slots=True)
class Paragraph:
    """A paragraph while it is read. `separator` goes before it."""

    separator: str
    style: str = ""
    level: int | None = None
    joins_next: bool = False
    parts: list[str] = field(default_factory=list)
    boxed: list[Paragraph] = field(default_factory=list)
    ends_raised: bool = False
    ends_term: bool = False

    def add(self, text: str, *, raised: bool = False) -> None:
        """Add text, marking off a raised number: ten squared must not read 102."""
        if not text:
            return
        if raised != self.ends_raised and self.parts:
            if raised and _STARTS_WITH_NUMBER.match(text):
                text = mark_before_raised_number(self.parts[-1]) + text
            elif not raised and self.parts[-1][-1].isdigit() and text[0].isalnum():
                text = " " + text
        elif self.ends_term and self.parts[-1][-1].isalnum() and text[0].isalnum():
            text = " " + text
        self.parts.append(text)
        self.ends_raised, self.ends_term = raised, False

    def close_term(self, start: int) -> None:
        """Make one term of the parts from `start` on: in brackets, unless it is a single word.

        What follows stands apart from it: half x is "1/2 x", not "1/2x".
        """
        term = "".join(self.parts[start:])
        if not _WORD.fullmatch(term):
            self.parts[start:] = ["(", term, ")"]
        self.ends_term = bool(term)


class Story:
    """The text of one story, growing paragraph by paragraph."""

    def __init__(self) -> None:
        self.headings: list[HeadingPlace] = []
        self.length = 0
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """All paragraphs so far, each with its separator before it."""
        return "".join(self._parts)

    def add(self, paragraph: Paragraph, level: int) -> None:
        """Add a finished paragraph; `level` is its heading level, 0 for body text."""
        if self._parts:
            self._append(paragraph.separator)
        text = "".join(paragraph.parts).replace("\r\n", "\n").replace("\r", "\n")
        printed = text.strip()
        if level and printed:
            start = self.length + text.index(printed)
            self.headings.append(HeadingPlace(level, start, start + len(printed)))
        self._append(text)

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


# What of the elements of a story is read, and how.


_DELETIONS = frozenset({"w:del", "w:moveFrom"})
_SKIPPED = _DELETIONS | frozenset(
    """
    w:instrText w:delText w:delInstrText w:sdtPr w:rt w:rPrChange w:pPrChange w:sectPrChange
    w:tblPrChange w:tblPrExChange w:trPrChange w:tcPrChange w:numberingChange
    """.split()
)
"""Not read. `w:rt` is the small reading aid above East Asian text."""

_RUNS = frozenset({"w:r", "m:r"})
_STRIKES = frozenset({"w:strike", "w:dstrike"})
_NOTES = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}
_HEADERS = frozenset({"w:headerReference", "w:footerReference"})
_UNREAD = frozenset({"w:altChunk", "c:chart", "dgm:relIds"})
_CHARACTERS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:br": "\n",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
    "w:softHyphen": "\u00ad",
}
_TERMS = {"m:num": "", "m:den": "/", "m:sup": "^", "m:sub": "_"}
"""The parts of a formula that are one term each, and what stands before them on one line."""


class TextReader:
    """Reads the XML of a body, notes or header part.

    `story` is the text outside notes, `notes` the notes by their id; `note_ids` (kind and id) and
    `header_ids` what is referred to, in order. With `ignore_fields`, text that looks like the
    instructions of a field is read, too.
    """

    def __init__(self, root: Element, styles: Styles, *, ignore_fields: bool = False) -> None:
        self.story = Story()
        self.notes: dict[str, Story] = {}
        self.note_ids: list[tuple[str, str]] = []
        self.header_ids: list[str] = []
        self.has_deletions = False
        self.has_hidden = False
        self.has_unread = False
        self._styles = styles
        self._ignore_fields = ignore_fields
        self._target = self.story
        self._paragraphs: list[Paragraph] = []
        self._rows: list[bool] = []  # for each open row, whether it has a cell yet
        self._fields: list[bool] = []  # for each open field, whether its result has begun
        self._unfinished_fields = 0
        self._separator = "\n"
        self._read(root, None)

    @property
    def has_open_field(self) -> bool:
        """Whether a field never came to its result: what follows was taken for instructions."""
        return self._unfinished_fields > 0

    def _read(self, element: Element, run: Look | None) -> None:
        """Read what is in an element, in the look of the run around it, if there is one."""
        for child in element.children:
            self._element(child, element, run)

    def _element(self, element: Element, parent: Element, run: Look | None) -> None:
        tag = element.tag
        if tag in _SKIPPED:
            self.has_deletions = self.has_deletions or tag in _DELETIONS
        elif tag in ("w:t", "m:t"):
            if run is not None:
                self._add("".join(element.texts), run)
        elif tag in _CHARACTERS or tag == "w:sym":
            if parent.tag in _RUNS:
                self._add(_CHARACTERS.get(tag) or _symbol(element), run)
        elif tag in _RUNS:
            self._read(element, _look(element))
        elif tag.startswith("m:"):
            self._formula(element, parent, run)
        elif tag in _SPECIAL:
            _SPECIAL[tag](self, element)
        elif tag == "mc:AlternateContent":
            # The first that is meant for readers who know it, else what is there for all others.
            choices = element.all("mc:Choice") or element.all("mc:Fallback")
            for chosen in choices[:1]:
                self._read(chosen, run)
        else:
            self.has_unread = self.has_unread or tag in _UNREAD
            self._read(element, run)

    @property
    def _open_paragraph(self) -> Paragraph:
        """What text goes to now: the innermost paragraph, or one that is thrown away."""
        if not self._paragraphs or (self.has_open_field and not self._ignore_fields):
            return Paragraph("")
        return self._paragraphs[-1]

    def _add(self, text: str, run: Look | None) -> None:
        """Add text in the look of a run, if that can be seen."""
        if not text:
            return
        paragraph, run = self._open_paragraph, run or _PLAIN
        hidden = self._styles.said(run, "hidden")
        if hidden is None:
            hidden = self._styles.said(self._look_of(paragraph), "hidden")
        if hidden:
            self.has_hidden = self.has_hidden or not text.isspace()
            return
        paragraph.add(text, raised=bool(self._styles.said(run, "superscript")))

    def _look_of(self, paragraph: Paragraph) -> Look:
        return Look(based_on=paragraph.style or self._styles.default_paragraph)

    def _paragraph(self, element: Element) -> None:
        paragraph = Paragraph(self._separator)
        self._separator = "\n"
        for said in (said for properties in element.all("w:pPr") for said in properties.children):
            if said.tag == "w:pStyle":
                paragraph.style = said.value
            elif said.tag == "w:outlineLvl":
                paragraph.level = outline_level(said.value)
            elif said.tag == "w:rPr" and any(end.tag in _DELETIONS for end in said.children):
                paragraph.joins_next = True  # its end is deleted
        self._paragraphs.append(paragraph)
        self._read(element, None)
        self._paragraphs.pop()
        if self._paragraphs:  # in a text box: it follows the paragraph that the box hangs on
            self._paragraphs[-1].boxed += [paragraph, *paragraph.boxed]
            return
        for finished in [paragraph, *paragraph.boxed]:
            level = finished.level
            if level is None:
                level = self._styles.said(self._look_of(finished), "level") or 0
            self._target.add(finished, level)
        if paragraph.joins_next:
            self._separator = ""

    def _row(self, row: Element) -> None:
        self._rows.append(False)
        self._read(row, None)
        self._rows.pop()
        self._separator = "\n"

    def _cell(self, cell: Element) -> None:
        if self._rows:
            self._separator = "\t" if self._rows[-1] else "\n"
            self._rows[-1] = True
        self._read(cell, None)

    def _note(self, element: Element) -> None:
        self._separator = "\n"
        self._target = Story()
        if element.attributes.get("type", "normal") == "normal":  # else the rule before the notes
            self.notes[element.attributes.get("id", "")] = self._target
        self._read(element, None)
        self._target = self.story

    def _reference(self, element: Element) -> None:
        """Note what is referred to at a place in the text."""
        referred = element.attributes.get("id", "")
        if element.tag in _NOTES:
            self.note_ids.append((_NOTES[element.tag], referred))
        else:
            self.header_ids.append(referred)

    def _field(self, element: Element) -> None:
        kind = element.attributes.get("fldCharType")
        if kind == "begin":
            self._fields.append(False)
            self._unfinished_fields += 1
        elif kind == "separate" and self._fields and not self._fields[-1]:
            self._fields[-1] = True
            self._unfinished_fields -= 1
        elif kind == "end" and self._fields:
            self._unfinished_fields -= not self._fields.pop()

    def _formula(self, element: Element, parent: Element, run: Look | None) -> None:
        """Write a formula on one line, as Word's own linear format does."""
        tag, paragraph = element.tag, self._open_paragraph
        if tag == "m:radPr":
            paragraph.add("\u221a")
        elif tag == "m:naryPr":
            paragraph.add(next((said.value for said in element.all("m:chr")), "\u222b"))
        elif tag == "m:d":
            signs = {
                said.tag: said.value for given in element.all("m:dPr") for said in given.children
            }
            before = signs.get("m:begChr", "(")
            for term in element.children:
                if term.tag == "m:e":
                    paragraph.add(before)
                    before = "|"
                self._element(term, element, run)
            paragraph.add(signs.get("m:endChr", ")"))
        elif tag in _TERMS or (tag == "m:e" and parent.tag == "m:rad"):
            paragraph.add(_TERMS.get(tag, ""))
            start = len(paragraph.parts)
            self._read(element, run)
            paragraph.close_term(start)
        else:
            self._read(element, run)


def _symbol(element: Element) -> str:
    code = element.attributes.get("char", "")
    is_character = re.fullmatch(r"[0-9A-Fa-f]{1,4}", code) and not 0xD800 <= int(code, 16) < 0xE000
    return chr(int(code, 16)) if is_character else ""


_SPECIAL: Mapping[str, Callable[[TextReader, Element], None]] = {
    "w:p": TextReader._paragraph,
    "w:tr": TextReader._row,
    "w:tc": TextReader._cell,
    "w:footnote": TextReader._note,
    "w:endnote": TextReader._note,
    "w:fldChar": TextReader._field,
    **dict.fromkeys((*_NOTES, *_HEADERS), TextReader._reference),
}


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
