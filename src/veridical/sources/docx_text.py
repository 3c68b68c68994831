"""The text that a reader of a Word document sees, from its styles, body, notes and headers.

In: text, inserted text, results of fields, tables, text boxes, formulas in one line. Out: deleted
and hidden text, comments, the instructions of fields, the fallback copy of what stands twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.sources.superscript import mark_before_raised_number

MAX_LEVEL = 9
_MAX_CHAIN = 50
_HEADING_NAME = re.compile(r"heading ([1-9])")
_BODY_TEXT_LEVEL = 9


@dataclass(slots=True)
class Style:
    """One style as written. None: it says nothing of its own, `based_on` decides."""

    name: str = ""
    based_on: str = ""
    level: int | None = None
    hidden: bool | None = None
    superscript: bool | None = None


class Styles:
    """Looks properties up along the chain of styles that each is based on."""

    def __init__(self) -> None:
        self.by_id: dict[str, Style] = {}
        self.default_paragraph = ""

    def _chain(self, style_id: str) -> list[Style]:
        chain: list[Style] = []
        seen: set[str] = set()
        while style_id in self.by_id and style_id not in seen and len(chain) < _MAX_CHAIN:
            seen.add(style_id)
            chain.append(self.by_id[style_id])
            style_id = chain[-1].based_on
        return chain

    def level(self, style_id: str) -> int:
        """The heading level, 1 to 9, of paragraphs in this style; 0 for body text."""
        for style in self._chain(style_id or self.default_paragraph):
            if style.level is not None:
                return style.level
            named = named_level(style.name)
            if named:
                return named
        return 0

    def hidden(self, style_id: str) -> bool | None:
        """Whether the style hides its text; None where it does not say."""
        return next((s.hidden for s in self._chain(style_id) if s.hidden is not None), None)

    def superscript(self, style_id: str) -> bool:
        """Whether the style raises its text."""
        said = (s.superscript for s in self._chain(style_id) if s.superscript is not None)
        return next(said, False)


def named_level(name: str) -> int:
    """The level that a built-in style stands for. Word stores these names in English always."""
    folded = name.strip().lower()
    if folded == "title":
        return 1
    found = _HEADING_NAME.fullmatch(folded)
    return int(found[1]) if found else 0


def outline_level(value: str | None) -> int | None:
    """`w:outlineLvl`, which counts from 0 and says 9 for body text, as a heading level."""
    if value is None or not re.fullmatch(r"[0-9]", value):
        return None
    return 0 if int(value) == _BODY_TEXT_LEVEL else int(value) + 1


def is_on(attributes: Mapping[str, str]) -> bool:
    """The value of a switch such as `w:vanish`: on where it stands, unless it says otherwise."""
    return attributes.get("val", "true").lower() not in ("0", "false", "off", "none")


class XmlReader:
    """What is told about each element. Tags are like `w:p`; attributes go by their local name."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """An element ends."""

    def text(self, data: str) -> None:
        """Characters stand in the element that began last and has not ended."""


class StylesReader(XmlReader):
    """Reads `styles.xml`. Give it to `parse_xml`, then take `styles`."""

    def __init__(self) -> None:
        self.styles = Styles()
        self._path: list[str] = []
        self._style: Style | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take down what the element says of the style that it stands in."""
        if tag == "w:style":
            style_id = attributes.get("styleId", "")
            self._style = self.styles.by_id.setdefault(style_id, Style())
            if attributes.get("type") == "paragraph" and attributes.get("default") in ("1", "true"):
                self.styles.default_paragraph = style_id
        elif self._style is not None:
            self._take(self._style, tag, attributes)
        self._path.append(tag)

    def _take(self, style: Style, tag: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val")
        parents = tuple(self._path[-2:])
        if self._path[-1] == "w:style" and tag == "w:name":
            style.name = value or ""
        elif self._path[-1] == "w:style" and tag == "w:basedOn":
            style.based_on = value or ""
        elif parents == ("w:style", "w:pPr") and tag == "w:outlineLvl":
            style.level = outline_level(value)
        elif parents == ("w:style", "w:rPr") and tag == "w:vanish":
            style.hidden = is_on(attributes)
        elif parents == ("w:style", "w:rPr") and tag == "w:vertAlign":
            style.superscript = value == "superscript"

    def end(self, tag: str) -> None:
        """Leave the element."""
        self._path.pop()
        if tag == "w:style":
            self._style = None


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


# Formulas of a Word document written on one line, as Word's own linear format does.


_PREFIXES = {"m:num": "", "m:den": "/", "m:sup": "^", "m:sub": "_"}
_OPERATORS = {"m:rad": "\u221a", "m:nary": "\u222b"}


@dataclass(slots=True)
class _Brackets:
    """A formula in brackets; `terms` counts the parts begun so far."""

    opening: str = "("
    closing: str = ")"
    terms: int = 0


class Formulas:
    """Adds what the layout of a formula says to the paragraph that it stands in."""

    def __init__(self) -> None:
        self._group_starts: list[int] = []
        self._brackets: list[_Brackets] = []
        self._operators: list[str] = []

    def start(
        self, tag: str, parent: str, attributes: Mapping[str, str], paragraph: Paragraph
    ) -> None:
        """Enter an element of a formula."""
        if tag in _OPERATORS:
            self._operators.append(_OPERATORS[tag])
        elif tag == "m:chr" and parent == "m:naryPr" and self._operators:
            self._operators[-1] = attributes.get("val", "")
        elif tag == "m:d":
            self._brackets.append(_Brackets())
        elif parent == "m:dPr" and self._brackets:
            if tag == "m:begChr":
                self._brackets[-1].opening = attributes.get("val", "")
            elif tag == "m:endChr":
                self._brackets[-1].closing = attributes.get("val", "")
        elif tag == "m:e" and parent == "m:d" and self._brackets:
            innermost = self._brackets[-1]
            paragraph.add("|" if innermost.terms else innermost.opening)
            innermost.terms += 1
        elif tag in _PREFIXES or (tag == "m:e" and parent == "m:rad"):
            paragraph.add(_PREFIXES.get(tag, ""))
            self._group_starts.append(len(paragraph.parts))

    def end(self, tag: str, parent: str, paragraph: Paragraph) -> None:
        """Leave an element of a formula."""
        if tag in ("m:radPr", "m:naryPr") and self._operators:
            paragraph.add(self._operators[-1])
        elif tag in _OPERATORS and self._operators:
            self._operators.pop()
        elif tag == "m:d" and self._brackets:
            paragraph.add(self._brackets.pop().closing)
        elif (tag in _PREFIXES or (tag == "m:e" and parent == "m:rad")) and self._group_starts:
            paragraph.close_term(self._group_starts.pop())


_SKIPPED = frozenset(
    """
    w:del w:moveFrom w:instrText w:delText w:delInstrText w:sdtPr w:rt w:rPrChange w:pPrChange
    w:sectPrChange w:tblPrChange w:tblPrExChange w:trPrChange w:tcPrChange w:numberingChange
    """.split()
)
"""Not read. `w:rt` is the small reading aid above East Asian text."""

_DELETIONS = frozenset({"w:del", "w:moveFrom"})
_RUNS = frozenset({"w:r", "m:r"})
_STRIKES = frozenset({"w:strike", "w:dstrike"})
_NOTES = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}
_TEXTS = frozenset({"w:t", "m:t"})
_CHARACTERS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:br": "\n",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
    "w:softHyphen": "\u00ad",
}


@dataclass(slots=True)
class _Run:
    """A run of text with one look. None: the style decides."""

    style: str = ""
    hidden: bool | None = None
    superscript: bool | None = None


class TextReader(XmlReader):
    """Reads the XML of a body, notes or header part. Give it to `parse_xml`, then look at it.

    `story` is the text outside notes, `notes` the notes by their id; `note_ids` (kind and id) and
    `header_ids` what is referred to, in order. With `ignore_fields`, text that looks like the
    instructions of a field is read, too.
    """

    def __init__(self, styles: Styles, *, ignore_fields: bool = False) -> None:
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
        self._path: list[str] = []
        self._skip_depth = 0
        self._paragraphs: list[Paragraph] = []
        self._runs: list[_Run] = []
        self._rows: list[bool] = []  # for each open row, whether it has a cell yet
        self._choices: list[bool] = []  # for each open alternative, whether one was taken
        self._fields: list[bool] = []  # for each open field, whether its result has begun
        self._unfinished_fields = 0
        self._formulas = Formulas()
        self._separator = "\n"

    @property
    def has_open_field(self) -> bool:
        """Whether a field never came to its result: what follows was taken for instructions."""
        return self._unfinished_fields > 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Enter an element."""
        if self._skip_depth or self._is_skipped(tag):
            self._skip_depth += 1
            return
        parent = self._path[-1] if self._path else ""
        self._path.append(tag)
        if tag in _CHARACTERS:
            if parent in _RUNS:
                self._add(_CHARACTERS[tag])
        elif tag in _ON_START:
            _ON_START[tag](self, tag, parent, attributes)
        elif tag.startswith("m:"):
            self._formulas.start(tag, parent, attributes, self._open_paragraph)

    def end(self, tag: str) -> None:
        """Leave an element."""
        if self._skip_depth:
            self._skip_depth -= 1
            return
        self._path.pop()
        if tag in _ON_END:
            _ON_END[tag](self)
        elif tag.startswith("m:"):
            parent = self._path[-1] if self._path else ""
            self._formulas.end(tag, parent, self._open_paragraph)

    def text(self, data: str) -> None:
        """Take text, where it is text of a run."""
        if not self._skip_depth and self._path and self._path[-1] in _TEXTS and self._runs:
            self._add(data)

    def _is_skipped(self, tag: str) -> bool:
        if tag in _DELETIONS:
            if self._path[-2:] == ["w:pPr", "w:rPr"] and self._paragraphs:
                # The paragraph's end is deleted: it runs on into the next one.
                self._paragraphs[-1].joins_next = True
            self.has_deletions = True
        elif tag == "mc:Choice" and self._choices:
            taken, self._choices[-1] = self._choices[-1], True
            return taken
        elif tag == "mc:Fallback" and self._choices:
            return self._choices[-1]
        return tag in _SKIPPED

    @property
    def _open_paragraph(self) -> Paragraph:
        """What text goes to now: the innermost paragraph, or one that is thrown away."""
        if not self._paragraphs or (self._unfinished_fields and not self._ignore_fields):
            return Paragraph("")
        return self._paragraphs[-1]

    def _add(self, text: str) -> None:
        """Add text in the look of the innermost run, if that can be seen."""
        paragraph = self._open_paragraph
        run = self._runs[-1] if self._runs else _Run()
        hidden = run.hidden
        if hidden is None:
            hidden = self._styles.hidden(run.style)
        if hidden is None:
            hidden = self._styles.hidden(paragraph.style or self._styles.default_paragraph)
        if hidden:
            self.has_hidden = self.has_hidden or not text.isspace()
            return
        raised = run.superscript
        if raised is None:
            raised = self._styles.superscript(run.style)
        paragraph.add(text, raised=raised)

    def _start_paragraph(self, _tag: str, _parent: str, _attributes: Mapping[str, str]) -> None:
        self._paragraphs.append(Paragraph(self._separator))
        self._separator = "\n"

    def _end_paragraph(self) -> None:
        paragraph = self._paragraphs.pop()
        if self._paragraphs:  # in a text box: it follows the paragraph that the box hangs on
            self._paragraphs[-1].boxed += [paragraph, *paragraph.boxed]
            return
        for finished in [paragraph, *paragraph.boxed]:
            level = finished.level
            if level is None:
                level = self._styles.level(finished.style)
            self._target.add(finished, level)
        if paragraph.joins_next:
            self._separator = ""

    def _start_cell(self, _tag: str, _parent: str, _attributes: Mapping[str, str]) -> None:
        if self._rows:
            self._separator = "\t" if self._rows[-1] else "\n"
            self._rows[-1] = True

    def _end_row(self) -> None:
        self._rows.pop()
        self._separator = "\n"

    def _start_note(self, _tag: str, _parent: str, attributes: Mapping[str, str]) -> None:
        self._separator = "\n"
        self._target = Story()
        if attributes.get("type", "normal") == "normal":  # else the rule between text and notes
            self.notes[attributes.get("id", "")] = self._target

    def _end_note(self) -> None:
        self._target = self.story

    def _look(self, tag: str, parent: str, attributes: Mapping[str, str]) -> None:
        """Take down what is said of a run or a paragraph, and not of a paragraph's end."""
        if parent == "w:pPr" and self._paragraphs:
            if tag == "w:pStyle":
                self._paragraphs[-1].style = attributes.get("val", "")
            elif tag == "w:outlineLvl":
                self._paragraphs[-1].level = outline_level(attributes.get("val"))
        elif parent == "w:rPr" and not _RUNS.isdisjoint(self._path[-3:-2]):
            run = self._runs[-1]
            if tag == "w:rStyle":
                run.style = attributes.get("val", "")
            elif tag == "w:vertAlign":
                run.superscript = attributes.get("val") == "superscript"
            elif tag == "w:vanish":
                run.hidden = is_on(attributes)
            elif tag in _STRIKES and is_on(attributes):
                run.hidden = True  # taken back, like the words of a tracked deletion

    def _reference(self, tag: str, _parent: str, attributes: Mapping[str, str]) -> None:
        """Note what is referred to at a place in the text."""
        referred = attributes.get("id", "")
        if tag in _NOTES:
            self.note_ids.append((_NOTES[tag], referred))
        else:
            self.header_ids.append(referred)

    def _note(self, tag: str, _parent: str, _attributes: Mapping[str, str]) -> None:
        """Note what is open, or not read, by the element's name."""
        if tag == "w:tr":
            self._rows.append(False)
        elif tag == "mc:AlternateContent":
            self._choices.append(False)
        elif tag in _RUNS:
            self._runs.append(_Run())
        else:
            self.has_unread = True

    def _symbol(self, _tag: str, _parent: str, attributes: Mapping[str, str]) -> None:
        code = attributes.get("char", "")
        if re.fullmatch(r"[0-9A-Fa-f]{1,4}", code) and not 0xD800 <= int(code, 16) < 0xE000:
            self._add(chr(int(code, 16)))

    def _field(self, _tag: str, _parent: str, attributes: Mapping[str, str]) -> None:
        kind = attributes.get("fldCharType")
        if kind == "begin":
            self._fields.append(False)
            self._unfinished_fields += 1
        elif kind == "separate" and self._fields and not self._fields[-1]:
            self._fields[-1] = True
            self._unfinished_fields -= 1
        elif kind == "end" and self._fields:
            self._unfinished_fields -= not self._fields.pop()


_ON_START: Mapping[str, Callable[[TextReader, str, str, Mapping[str, str]], None]] = {
    "w:p": TextReader._start_paragraph,
    "w:tc": TextReader._start_cell,
    "w:footnote": TextReader._start_note,
    "w:endnote": TextReader._start_note,
    "w:sym": TextReader._symbol,
    "w:fldChar": TextReader._field,
    **dict.fromkeys(("w:pStyle", "w:outlineLvl"), TextReader._look),
    **dict.fromkeys(("w:rStyle", "w:vanish", "w:vertAlign", *_STRIKES), TextReader._look),
    **dict.fromkeys((*_NOTES, "w:headerReference", "w:footerReference"), TextReader._reference),
    **dict.fromkeys((*_RUNS, "w:tr", "mc:AlternateContent"), TextReader._note),
    **dict.fromkeys(("w:altChunk", "c:chart", "dgm:relIds"), TextReader._note),
}
_ON_END: Mapping[str, Callable[[TextReader], object]] = {
    "w:p": TextReader._end_paragraph,
    "w:r": lambda reader: reader._runs.pop(),
    "m:r": lambda reader: reader._runs.pop(),
    "w:tr": TextReader._end_row,
    "w:footnote": TextReader._end_note,
    "w:endnote": TextReader._end_note,
    "mc:AlternateContent": lambda reader: reader._choices.pop(),
}
