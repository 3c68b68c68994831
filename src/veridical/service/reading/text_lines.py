"""The lines of a document as a reader reads them: broken where the window ends.

Nothing but their breaks is changed: which words are marked was settled before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.sources.document import Format

_WRAPPED_AT = range(60, 161)
"""Characters of the longest line of a paragraph whose file breaks its lines at a width."""

_BEGINS_ANEW = re.compile(r"[-*+•|#>]|\d{1,3}[.)]|\w\)")
"""How items, rows and the like begin: they never go on a line before them."""

_COLUMNS = re.compile(r"\S(?: {3,}|\t)\S| {2}$")
"""Cells beside each other, and a line that Markdown ends on purpose."""

_SENTENCE_ENDS = (".", "!", "?", ":", ";")

_ALWAYS_JOINED = frozenset({Format.MARKDOWN, Format.HTML})
"""To whoever reads these the end of a line is a space."""

_NEVER_JOINED = frozenset({Format.PDF, Format.DOCX, Format.TRANSCRIPT})
"""Their lines are those of the page, whole paragraphs, and what was said at a time."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a line, all of one kind."""

    text: str
    marked: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the reader sees it. `number` is that of the document's own line, from 1, the first
    where several were joined; None where one of those goes on. `level` is that of a heading,
    0 for none. `page` is the number of the page that begins with this line.
    """

    number: int | None
    parts: tuple[Part, ...]
    level: int = 0
    page: int | None = None

    @property
    def words(self) -> str:
        """What there is to see, of all kinds."""
        return "".join(part.text for part in self.parts)

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to see."""
        return not self.words.strip()

    @property
    def is_marked(self) -> bool:
        """Whether some of its words are marked."""
        return any(part.marked for part in self.parts)


def joined(format: Format, lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that a file was broken at, as the paragraphs that they are: a reader's window is
    seldom as wide as the file.
    """
    if format in _NEVER_JOINED:
        yield from lines
        return
    paragraph: list[Line] = []
    for line in lines:
        if paragraph and not _may_go_on(paragraph[-1], line):
            yield from _unwrapped(format, paragraph)
            paragraph = []
        paragraph.append(line)
    yield from _unwrapped(format, paragraph)


def _may_go_on(line: Line, following: Line) -> bool:
    """Whether two lines may be of one paragraph: no heading, page, item or row begins between."""
    if line.is_blank or line.level or following.is_blank or following.level or following.page:
        return False
    if _COLUMNS.search(line.words) or _COLUMNS.search(following.words.rstrip()):
        return False
    return following.number is not None and not _BEGINS_ANEW.match(following.words.lstrip())


def _unwrapped(format: Format, paragraph: Sequence[Line]) -> Iterator[Line]:
    """The lines of a paragraph, joined; those of plain text where the next word did not
    fit any more: others were ended on purpose.
    """
    width = max((len(line.words.rstrip()) for line in paragraph), default=0)
    # Where each line is a sentence, lines were broken for their sense.
    is_wrapped = width in _WRAPPED_AT and not all(map(_ends_a_sentence, paragraph[:-1]))
    whole: Line | None = None
    length = 0
    for line in paragraph:
        first, *_ = line.words.split(maxsplit=1) or [""]
        is_full = format in _ALWAYS_JOINED or length + 1 + len(first) > width
        if whole is not None and is_wrapped and is_full:
            whole = replace(whole, parts=_with_space(whole.parts, line.parts))
        else:
            if whole is not None:
                yield whole
            whole = line
        length = len(line.words.rstrip())
    if whole is not None:
        yield whole


def _ends_a_sentence(line: Line) -> bool:
    return line.words.rstrip().endswith(_SENTENCE_ENDS)


def _with_space(parts: tuple[Part, ...], more: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of two lines as those of one, with a space for the break between them."""
    last = replace(parts[-1], text=parts[-1].text.rstrip())
    first = replace(more[0], text=more[0].text.lstrip())
    space = Part(" ", last.marked and first.marked, last.struck and first.struck)
    kept = (*parts[:-1], last, space, first, *more[1:])
    return tuple(part for part in kept if part.text)
