"""The text of a document as a browser that shows it searches it: blocks of words.

White space is collapsed, markup is gone, and no search runs over the end of a block. A line break
of Markdown or plain text, a `<br>` and white space in `<pre>` may or may not end a block, by the
program that shows them; here they always do. What is found within blocks so cut is found by all.

Source: URL Fragment Text Directives (WICG), section 3.6, "find a string in range".
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from veridical.sources.document import Document, Format
from veridical.sources.masks import Mask
from veridical.sources.span import Span

SHOWN_FORMATS = (Format.HTML, Format.MARKDOWN, Format.PLAIN_TEXT)
"""What browsers show as a page of text."""

END = "\n"
"""What stands between blocks."""

_KEPT_OUT = ("title", "textarea", "select")
"""Elements of HTML whose words are not in the text of the page."""

_ELEMENT = re.compile(r"(?i)<(/?)(title|textarea|select|pre)(?=[\s>/])")
_LIST_SIGN = re.compile(r"[ \t]*(?:[-+*•]|[0-9]{1,9}[.)]|#{1,6}|>)[ \t]+")
_QUOTES = {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "\xad": ""}

Piece = tuple[str, int, int]
"""A character that is shown, or `END`, and where it is written."""


class FragmentPage:
    """The blocks of a document, each character with its place, and the same made ready for search.

    Raises nothing for any document of `SHOWN_FORMATS`; others are taken for plain text.
    """

    def __init__(self, document: Document) -> None:
        chars: list[str] = []
        self.starts, self.ends = array("q"), array("q")
        for char, start, end in _collapsed(_pieces(document)):
            chars.append(char)
            self.starts.append(start)
            self.ends.append(end)
        self.text = "".join(chars)
        folded = [fold(char) for char in chars]
        self.folded = "".join(folded)
        self._to_text = array("q", (at for at, said in enumerate(folded) for _ in said))
        self._to_folded = array("q", [0])
        for said in folded:
            self._to_folded.append(self._to_folded[-1] + len(said))

    def range_of(self, span: Span) -> tuple[int, int] | None:
        """Where the shown characters of a span stand in `text`, without white space around them;
        None where it shows nothing.
        """
        first, last = bisect_left(self.starts, span.start), bisect_left(self.starts, span.end)
        while first < last and self.text[first].isspace():
            first += 1
        while first < last and self.text[last - 1].isspace():
            last -= 1
        return (first, last) if first < last else None

    def span_of(self, first: int, last: int) -> Span:
        """The place in the document of `text[first:last]`, which is not empty."""
        return Span(self.starts[first], self.ends[last - 1])

    def occurrences(self, words: str, at: int = 0) -> Iterator[tuple[int, int]]:
        """Where words stand in `text` from `at` on, whatever their case and accents."""
        wanted = "".join(map(fold, words))
        if not wanted:
            return
        found = self.folded.find(wanted, self._to_folded[at])
        while found >= 0:
            first, last = self._to_text[found], self._to_text[found + len(wanted) - 1] + 1
            if self._to_folded[first] == found and self._to_folded[last] == found + len(wanted):
                yield first, last
            found = self.folded.find(wanted, found + 1)

    def last_place(self, words: str) -> int:
        """Where words stand for the last time, as far as letters tell; -1 for nowhere."""
        found = self.folded.rfind("".join(map(fold, words)))
        return -1 if found < 0 or found >= len(self.folded) else self._to_text[found]

    def match_at(self, words: str, at: int) -> int | None:
        """Where words that stand at `at` end; None where they do not stand there."""
        wanted, begin = "".join(map(fold, words)), self._to_folded[at]
        end = begin + len(wanted)
        if not wanted or not self.folded.startswith(wanted, begin):
            return None
        last = self._to_text[end - 1] + 1
        return last if self._to_folded[last] == end else None

    def is_boundary(self, at: int) -> bool:
        """Whether a word begins or ends at `at`, as far as letters and figures tell."""
        if not 0 < at < len(self.text):
            return True
        return not (_is_word(self.text[at - 1]) and _is_word(self.text[at]))

    def is_sure_boundary(self, at: int) -> bool:
        """Whether every way to part words has a boundary at `at`: between CJK characters it is a
        matter of dictionaries, and a point or an apostrophe may be part of a word or number.
        """
        if not 0 < at < len(self.text):
            return True
        before, after = self.text[at - 1], self.text[at]
        if before.isspace() or after.isspace():
            return True
        if unicodedata.combining(after) or "Cf" in map(unicodedata.category, (before, after)):
            return False
        if _is_word(before) and _is_word(after):
            return False
        if _is_word(before):
            return not _is_word(self.text[at + 1 : at + 2] or END)
        if _is_word(after):
            return at < 2 or not _is_word(self.text[at - 2])
        return True

    def after_space(self, at: int) -> int:
        """The first place from `at` on that is no white space, over the ends of blocks too."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        return at


@cache
def _fold_other(char: str) -> str:
    said = unicodedata.normalize("NFKD", _QUOTES.get(char, char)).casefold()
    kept = "".join(c for c in said if not unicodedata.combining(c))
    return kept.replace("\n", " ")


def fold(char: str) -> str:
    """A character as comparing at the base level has it: without case and accents; maybe none."""
    return char if char == END else _fold_other(char)


def letters(text: str) -> str:
    """A text without what differs by typography only: case, quotes and white space. Accents and
    signs stay, which `fold` drops: ≠ is not =, nor 10² 102.
    """
    typed = "".join(_QUOTES.get(char, char) for char in unicodedata.normalize("NFC", text))
    return " ".join(typed.casefold().split())


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _collapsed(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Pieces with one space for several, none around the ends of blocks, no empty blocks."""
    waiting: Piece | None = None
    begun = False
    for char, start, end in pieces:
        if char.isspace() and char != "\xa0":
            if char == END or waiting is None:
                waiting = (END if char == END else " ", start, end)
            continue
        if waiting is not None and begun:
            yield waiting
        waiting, begun = None, True
        yield char, start, end


def _pieces(document: Document) -> Iterator[Piece]:
    """What is shown, character by character, with `END` where a block may end."""
    if document.format is Format.HTML:
        yield from _html_pieces(document)
    else:
        yield from _line_pieces(document)


def _line_pieces(document: Document) -> Iterator[Piece]:
    """Of Markdown or plain text: a line is a block, and so is a cell of a table."""
    text, markdown = document.text, document.format is Format.MARKDOWN
    at = 0
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        begin = at
        if markdown:
            sign = _LIST_SIGN.match(text, at, stop)
            begin = sign.end() if sign else at
        for char, start, end in _masked(document, begin, stop):
            cell = markdown and char == "|"
            yield (END if cell else char), start, end
        yield END, stop, min(stop + 1, len(text))
        at = stop + 1


def _masked(document: Document, begin: int, stop: int) -> Iterator[Piece]:
    text, at = document.text, begin
    for mask in document.masks.between(begin, stop):
        yield from ((text[i], i, i + 1) for i in range(at, max(at, min(mask.start, stop))))
        if mask.start >= begin:
            yield from _of_mask(text, mask)
        at = max(at, mask.end)
    yield from ((text[i], i, i + 1) for i in range(at, stop))


def _of_mask(text: str, mask: Mask) -> Iterator[Piece]:
    """What a mask puts into the text of the page: what an entity or an escape stands for. A tag
    puts nothing there, or ends a block: the quotes of `<q>` are no text that is searched.
    """
    written = text[mask.start : mask.start + 4]
    if written.startswith("<"):
        comment = written.startswith(("<!", "<?"))
        if (mask.unseen and not comment) or any(map(str.isspace, mask.shown)):
            yield END, mask.start, mask.end
    elif mask.shown.isspace() and not written.startswith("&"):
        yield END, mask.start, mask.end
    else:
        yield from ((char, mask.start, mask.end) for char in mask.shown)


def _html_pieces(document: Document) -> Iterator[Piece]:
    elements = _ELEMENT.finditer(document.text)
    element = next(elements, None)
    within = ""
    for char, start, end in _masked(document, 0, len(document.text)):
        while element is not None and element.start() <= start:
            name = element[2].lower()
            if not element[1]:
                within = within or name
            elif name == within:
                within = ""
            element = next(elements, None)
        if within in _KEPT_OUT:
            yield END, start, end
        elif char == "\n" and end == start + 1 and document.text[start] == "\n":
            yield (END if within == "pre" else " "), start, end
        else:
            yield char, start, end
