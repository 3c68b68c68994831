"""Links to the very words: `#:~:text=[prefix-,]start[,end][,-suffix]`.

A link tells the words and, where they stand in the document more than once, the words around them.
Source: URL Fragment Text Directives, Draft Community Group Report (WICG).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from urllib.parse import quote

from veridical.sources.document import Document, Format, Span
from veridical.sources.masks import Mask

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
            start = " ".join(blocks[0].split()[:_END_WORDS])
            end = " ".join(blocks[-1].split()[-_END_WORDS:])
        stop = min(len(document.text), span.end + _CONTEXT_CHARS)
        before = _blocks(document, Span(max(0, span.start - _CONTEXT_CHARS), span.start))[-1:]
        after = _blocks(document, Span(span.end, stop))[:1]
        for words in _CONTEXT_WORDS:
            around = slice(-words, None) if words else slice(0)
            prefix = " ".join(word for block in before for word in block.split()[around])
            suffix = " ".join(word for block in after for word in block.split()[:words])
            told = _folded(prefix + start + ("" if end else suffix))
            at = self._text.find(told)
            if at >= 0 and self._text.find(told, at + 1) < 0:
                parts = [f"{_encoded(prefix)}-"] if prefix else []
                parts += [_encoded(part) for part in (start, end) if part]
                parts += [f"-{_encoded(suffix)}"] if suffix else []
                return f"text={','.join(parts)}"
        return None


def _encoded(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="").replace("-", "%2D")


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
