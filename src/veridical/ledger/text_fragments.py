"""Links to the very words: `#:~:text=[prefix-,]start[,end][,-suffix]`.

A link tells the words and, where they stand in the document more than once, the words around them.
Source: URL Fragment Text Directives, Draft Community Group Report (WICG).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from urllib.parse import quote

from veridical.sources.document import Document, Format
from veridical.sources.masks import Mask
from veridical.sources.span import Span

SHOWN_FORMATS = (Format.HTML, Format.MARKDOWN, Format.PLAIN_TEXT)
"""What browsers show as a page of text."""

MOST_WHOLE_CHARS = 300
"""Longer words, and words over several blocks, are told by their beginning and end."""

MOST_PAGE_CHARS = 2_000_000
"""No directives are made for longer documents."""

_END_WORDS = 5
_CONTEXT_WORDS = (0, 3, 10)
_CONTEXT_CHARS = 400
_LIST_SIGN = re.compile(r"(?m)^[ \t]*(?:[-+*•]|[0-9]{1,9}[.)]|#{1,6}|>)[ \t]+")
_QUOTES = str.maketrans("‘’‚“”„", "'''\"\"\"", "\xad")


class TextFragments:
    """Text fragments of one document, which is made ready once."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _text(self) -> str:
        return _folded(" ".join(_blocks(self.document, Span(0, len(self.document.text)))))

    def link(self, url: str, span: Span) -> str:
        """A link to the words of a span at `url`, whose own fragment is dropped: with a text
        directive, with the page of a PDF (RFC 8118), or where neither can be, to the whole.
        """
        base = url.partition("#")[0]
        directive = self.directive(span)
        if directive is not None:
            return f"{base}#:~:{directive}"
        page = self.document.page_at(span.start)
        if self.document.format is Format.PDF and page is not None:
            return f"{base}#page={page}"
        return base

    def directive(self, span: Span) -> str | None:
        """The text directive of a span, as it stands in a URL after `:~:`.

        None where nothing of it is shown, no browser shows such a document as text, or the same
        words with the same around them stand elsewhere too.
        """
        document = self.document
        if document.format not in SHOWN_FORMATS or len(document.text) > MOST_PAGE_CHARS:
            return None
        blocks = _blocks(document, span)
        if not blocks:
            return None
        start, end = blocks[0], ""
        if len(blocks) > 1 or len(start) > MOST_WHOLE_CHARS:
            start, end = _first(blocks[0], _END_WORDS), _last(blocks[-1], _END_WORDS)
        before = _blocks(document, Span(max(0, span.start - _CONTEXT_CHARS), span.start))
        stop = min(len(document.text), span.end + _CONTEXT_CHARS)
        after = _blocks(document, Span(span.end, stop))
        for words in _CONTEXT_WORDS:
            prefix = _last(before[-1], words) if before else ""
            suffix = _first(after[0], words) if after else ""
            told = (prefix, start) if end else (prefix, start, suffix)
            if _stands_once(_folded("".join(told)), self._text):
                return _directive(prefix, start, end, suffix)
        return None


def _directive(prefix: str, start: str, end: str, suffix: str) -> str:
    parts = [f"{_encoded(prefix)}-"] if prefix else []
    parts += [_encoded(part) for part in (start, end) if part]
    parts += [f"-{_encoded(suffix)}"] if suffix else []
    return f"text={','.join(parts)}"


def _encoded(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="").replace("-", "%2D")


def _first(text: str, words: int) -> str:
    return " ".join(text.split()[:words])


def _last(text: str, words: int) -> str:
    return " ".join(text.split()[-words:]) if words else ""


def _stands_once(words: str, text: str) -> bool:
    at = text.find(words)
    return at >= 0 and text.find(words, at + 1) < 0


def _folded(text: str) -> str:
    """A text as browsers compare: without case, accents, typography and white space, which may or
    may not stand where markup is.
    """
    plain = unicodedata.normalize("NFKD", text.translate(_QUOTES)).casefold()
    return "".join(char for char in plain if not (unicodedata.combining(char) or char.isspace()))


def _blocks(document: Document, span: Span) -> list[str]:
    """What a browser shows of a span, a string for each block: no search runs over its end. A line
    of Markdown or plain text may or may not be a block, by the program that shows it; here it is.
    """
    parts: list[str] = []
    at = span.start
    for mask in document.masks.between(span.start, span.end):
        parts.append(_written(document, at, mask.start))
        if mask.start >= span.start:
            parts.append(_of_mask(document.text, mask))
        at = max(at, mask.end)
    parts.append(_written(document, at, span.end))
    text = "".join(parts)
    if document.format is Format.MARKDOWN:
        text = _LIST_SIGN.sub("", text)
    return [block for line in text.split("\n") if (block := " ".join(line.split()))]


def _written(document: Document, start: int, end: int) -> str:
    text = document.text[start : max(start, end)]
    if document.format is Format.HTML:
        return text.replace("\n", " ")
    return text.replace("|", "\n") if document.format is Format.MARKDOWN else text


def _of_mask(text: str, mask: Mask) -> str:
    """What a mask puts into the text of the page: what an entity stands for. A tag puts nothing
    there, or ends a block: the quotes of `<q>` are no text that is searched.
    """
    written = text[mask.start : mask.start + 2]
    if not written.startswith("<"):
        return mask.shown
    unseen = mask.unseen and written not in ("<!", "<?")
    return "\n" if unseen or any(map(str.isspace, mask.shown)) else ""
