"""Links to the very words: `#:~:text=[prefix-,]start[,end][,-suffix]`, made, read and followed.

A link is made only where it leads to those words and nowhere else: where `start`, with what is
around it, stands once in the document, compared as loosely as any browser does.

Source: URL Fragment Text Directives, Draft Community Group Report (WICG).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote

from veridical.ledger.text_fragment_page import END, SHOWN_FORMATS, FragmentPage
from veridical.sources.document import Document, Format
from veridical.sources.span import Span

MOST_WHOLE_CHARS = 300
"""Longer words are told by their beginning and end."""

MOST_PAGE_CHARS = 2_000_000
"""No directives are made for longer documents, nor followed in them."""

MOST_URL_CHARS = 100_000
MOST_DIRECTIVES = 100

_DELIMITER = ":~:"
_RANGE_WORDS = (3, 5, 8, 12, 20)
_CONTEXT_WORDS = (0, 1, 2, 3, 5, 8, 13)
_MOST_LOOKED_AT = 2_000
"""Places of one text that are looked at before a directive is said to lead nowhere."""

_BROKEN = re.compile("%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class TextDirective:
    """A text directive. Where there is an `end`, what is meant goes from `start` to it."""

    start: str
    end: str | None = None
    prefix: str | None = None
    suffix: str | None = None

    def __str__(self) -> str:
        """As it stands in a URL, after `:~:`."""
        parts = [f"{_encoded(self.prefix)}-"] if self.prefix else []
        parts.append(_encoded(self.start))
        parts += [_encoded(self.end)] if self.end else []
        parts += [f"-{_encoded(self.suffix)}"] if self.suffix else []
        return f"text={','.join(parts)}"


def _encoded(text: str) -> str:
    return quote(text, safe="").replace("-", "%2D")


def parse_directives(url: str) -> tuple[TextDirective, ...]:
    """The text directives of a URL or of its fragment, in order; those that are malformed are left
    out, as browsers do: `unread_directives` has them. None of a URL of more than `MOST_URL_CHARS`
    characters.
    """
    if len(url) > MOST_URL_CHARS:
        return ()
    parsed = (_parsed(item) for item in _directives(url)[:MOST_DIRECTIVES])
    return tuple(directive for directive in parsed if directive is not None)


def unread_directives(url: str) -> tuple[str, ...]:
    """What a URL asks to be shown and `parse_directives` leaves out: directives that are malformed,
    of another kind, or too many.
    """
    if len(url) > MOST_URL_CHARS:
        return tuple(_directives(url)[:1])
    items = _directives(url)
    left_out = [item for item in items[:MOST_DIRECTIVES] if _parsed(item) is None]
    return tuple(left_out + items[MOST_DIRECTIVES:])


def _directives(url: str) -> list[str]:
    """What stands after `:~:`, item by item; a directive that is empty asks for nothing."""
    _, found, told = url.partition("#")
    _, _, told = (told if found else url).partition(_DELIMITER)
    return [item for item in told.split("&") if item]


def _parsed(item: str) -> TextDirective | None:
    if not item.startswith("text="):
        return None
    parts = item.removeprefix("text=").split(",")
    prefix = parts.pop(0)[:-1] if parts[0].endswith("-") and len(parts) > 1 else None
    suffix = parts.pop()[1:] if parts[-1].startswith("-") and len(parts) > 1 else None
    if not 1 <= len(parts) <= 2 or prefix == "" or suffix == "" or "" in parts:
        return None
    if any(_BROKEN.search(part) or "-" in part for part in (*parts, prefix or "", suffix or "")):
        return None
    try:
        start, end = unquote(parts[0], errors="strict"), None
        end = unquote(parts[1], errors="strict") if len(parts) > 1 else None
        before = unquote(prefix, errors="strict") if prefix else None
        after = unquote(suffix, errors="strict") if suffix else None
    except UnicodeDecodeError:
        return None
    return TextDirective(start, end, before, after)


class TextFragments:
    """Text fragments of one document, which is made ready once."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def is_page(self) -> bool:
        """Whether directives are made for the document and followed in it at all."""
        shown = self.document.format in SHOWN_FORMATS
        return shown and len(self.document.text) <= MOST_PAGE_CHARS

    @cached_property
    def _page(self) -> FragmentPage:
        return FragmentPage(self.document)

    def link(self, url: str, span: Span) -> str:
        """A link to the words of a span at `url`, whose own fragment is dropped: with a text
        directive, with the page of a PDF (RFC 8118), or where neither can be, to the whole.
        """
        base = url.partition("#")[0]
        directive = self.directive(span)
        if directive is not None:
            return f"{base}#{_DELIMITER}{directive}"
        page = self.document.page_at(span.start)
        if self.document.format is Format.PDF and page is not None:
            return f"{base}#page={page}"
        return base

    def directive(self, span: Span) -> TextDirective | None:
        """The shortest directive of those tried that leads to what a reader sees of a span.

        None where there is none: nothing of it is shown, no browser shows such a document as text,
        or the same words with the same around them stand elsewhere too.
        """
        if not self.is_page:
            return None
        target = self._page.range_of(span)
        if target is None:
            return None
        for candidate in self._candidates(*target):
            if self._leads_to(candidate, target):
                return candidate
        return None

    def find(self, directive: TextDirective) -> Span | None:
        """The words that a directive leads to: the first that fit, as a browser takes them."""
        parts = (directive.start, directive.end, directive.prefix, directive.suffix)
        plain = [part and " ".join(part.split()) for part in parts]
        if not self.is_page or "" in plain:
            return None
        found = next(self._matches(TextDirective(plain[0] or "", *plain[1:])), None)
        return None if found is None else self._page.span_of(*found)

    def _candidates(self, first: int, last: int) -> Iterator[TextDirective]:
        text = self._page.text[first:last]
        if END not in text and len(text) <= MOST_WHOLE_CHARS:
            yield from self._in_context(first, last, text, None)
        for words in _RANGE_WORDS:
            start, end = _first_words(text, words), _last_words(text, words)
            if len(start) + len(end) < len(text):
                yield from self._in_context(first, last, start, end)

    def _in_context(
        self, first: int, last: int, start: str, end: str | None
    ) -> Iterator[TextDirective]:
        """The same words with more and more of what is around them."""
        tried: set[TextDirective] = set()
        for words in _CONTEXT_WORDS:
            before, after = self._before(first, words), self._after(last, words)
            for prefix, suffix in ((before, None), (None, after), (before, after)):
                candidate = TextDirective(start, end, prefix or None, suffix or None)
                if candidate not in tried:
                    tried.add(candidate)
                    yield candidate

    def _before(self, first: int, words: int) -> str:
        """Up to so many words before a place, of the block that ends there or just before it."""
        text = self._page.text
        end = first
        while end > 0 and text[end - 1].isspace():
            end -= 1
        return _last_words(text[text.rfind(END, 0, end) + 1 : end], words)

    def _after(self, last: int, words: int) -> str:
        text = self._page.text
        start = self._page.after_space(last)
        end = text.find(END, start)
        return _first_words(text[start : len(text) if end < 0 else end], words)

    def _leads_to(self, directive: TextDirective, target: tuple[int, int]) -> bool:
        """Whether a directive means the target and, its words counted anywhere, nothing else."""
        page = self._page
        first, last = target
        if directive.prefix is not None:
            edge = first
            while edge > 0 and page.text[edge - 1].isspace():
                edge -= 1
            sure = [page.is_sure_boundary(edge - len(directive.prefix))]
        else:
            sure = [page.is_sure_boundary(first)]
        if directive.end is not None:
            sure += [
                page.is_sure_boundary(first + len(directive.start)),
                page.is_sure_boundary(last - len(directive.end)),
            ]
        if directive.suffix is not None:
            sure.append(page.is_sure_boundary(page.after_space(last) + len(directive.suffix)))
        else:
            sure.append(page.is_sure_boundary(last))
        if not all(sure):
            return False
        found = self._matches(directive, bounded=False)
        return next(found, None) == target and next(found, None) is None

    def _matches(
        self, directive: TextDirective, *, bounded: bool = True
    ) -> Iterator[tuple[int, int]]:
        """Where a directive leads, in `text`, in order: the first is what a browser takes.
        Without `bounded` words may begin and end within other words.
        """
        page, left = self._page, iter(range(_MOST_LOOKED_AT))
        ends_word = directive.end is not None or directive.suffix is None
        ends_before = page.last_place(directive.end) if directive.end else len(page.text)
        for first, after in self._starts(directive, bounded=bounded):
            if next(left, None) is None or after > ends_before:
                return
            if bounded and ends_word and not page.is_boundary(after):
                continue
            last = self._end(directive, after, left, bounded=bounded)
            if last is not None:
                yield first, last

    def _starts(self, directive: TextDirective, *, bounded: bool) -> Iterator[tuple[int, int]]:
        page = self._page
        if directive.prefix is None:
            for first, after in page.occurrences(directive.start):
                if not bounded or page.is_boundary(first):
                    yield first, after
            return
        for begun, ended in page.occurrences(directive.prefix):
            first = page.after_space(ended)
            last = page.match_at(directive.start, first)
            if last is not None and (not bounded or page.is_boundary(begun)):
                yield first, last

    def _end(
        self, directive: TextDirective, after: int, left: Iterator[int], *, bounded: bool
    ) -> int | None:
        """Where what begins before `after` ends; None where it does not as the directive says.
        `left` gives one for each place that may still be looked at.
        """
        if directive.end is None:
            return after if self._followed(directive, after, bounded=bounded) else None
        page = self._page
        for begun, last in page.occurrences(directive.end, after):
            if next(left, None) is None:
                return None
            ends_word = page.is_boundary(last) or directive.suffix is not None
            if bounded and not (page.is_boundary(begun) and ends_word):
                continue
            if self._followed(directive, last, bounded=bounded):
                return last
        return None

    def _followed(self, directive: TextDirective, last: int, *, bounded: bool) -> bool:
        if directive.suffix is None:
            return True
        page = self._page
        end = page.match_at(directive.suffix, page.after_space(last))
        return end is not None and (not bounded or page.is_boundary(end))


def _first_words(text: str, count: int) -> str:
    """The first so many words of the first block of a text."""
    block = text.partition(END)[0]
    ends = [found.end() for found, _ in zip(re.finditer(r"\S+", block), range(count), strict=False)]
    return block[: ends[-1]].strip() if ends else ""


def _last_words(text: str, count: int) -> str:
    block = text.rpartition(END)[2]
    starts = [found.start() for found in re.finditer(r"\S+", block)][-count:] if count else []
    return block[starts[0] :].strip() if starts else ""
