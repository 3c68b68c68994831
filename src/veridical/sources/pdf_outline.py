"""The outline of a PDF (its bookmarks), tied to where the headings stand in the text.

A bookmark names a page, not a place. Its title is looked for on that page by letters and digits
alone: bookmarks lose line breaks, ligatures and typographic quotes.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from veridical.sources.document import Page
from veridical.sources.headings import MAX_TITLE_CHARS, Heading
from veridical.sources.span import Span

_MAX_ENTRIES = 10_000
_MAX_DEPTH = 9
_MAX_PLACES = 500
_WORD = re.compile(r"[^\W_]+")
_NUMBER_BEFORE = re.compile(r"\s*(?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3}){0,5}[.)]?\s*")


class OutlineEntry(NamedTuple):
    """One bookmark. `page` counts from 0."""

    title: str
    level: int
    page: int


def read_outline(pdf: Any) -> list[OutlineEntry]:
    """The bookmarks of a `pypdfium2.PdfDocument` that have a title and lead to one of its pages.

    At most 10,000, nine levels deep; circles in the outline end it.
    """
    entries: list[OutlineEntry] = []
    page_count = len(pdf)
    for bookmark in islice(pdf.get_toc(max_depth=_MAX_DEPTH), _MAX_ENTRIES):
        try:
            title = bookmark.get_title()
        except ValueError:  # no or broken UTF-16
            continue
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if page is not None and page < page_count and any(map(str.isalnum, title)):
            entries.append(OutlineEntry(title[:MAX_TITLE_CHARS], bookmark.level + 1, page))
    return entries


def locate_headings(
    entries: Sequence[OutlineEntry], text: str, pages: Sequence[Page]
) -> list[Heading]:
    """Where the bookmarks' titles stand in `text`. Those that stand nowhere are left out.

    A line that is the title, with or without its number, goes before a line that starts with it,
    and that before a mention. Bookmarks with one title on one page take its places in turn.
    """
    letters: dict[int, _Letters] = {}
    headings: list[Heading] = []
    for entry in entries:
        span = pages[entry.page].span
        if entry.page not in letters:
            letters[entry.page] = _Letters(text[span.start : span.end])
        found = letters[entry.page].take(entry.title)
        if found is not None:
            place = Span(span.start + found.start, span.start + found.end)
            title = " ".join(text[place.start : place.end].split())
            headings.append(Heading(entry.level, place, title[:MAX_TITLE_CHARS]))
    return headings


class _Letters:
    """The letters and digits of a page, folded, and where each stands in the page's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = array("I")
        folded: list[str] = []
        for word in _WORD.finditer(text):
            if word[0].isascii():
                folded.append(word[0].lower())
                self._offsets.extend(range(word.start(), word.end()))
                continue
            for offset, char in enumerate(word[0], word.start()):
                letters = _fold(char)
                folded.append(letters)
                self._offsets.extend([offset] * len(letters))
        self._folded = "".join(folded)
        self._taken: set[int] = set()

    def take(self, title: str) -> Span | None:
        """The likeliest place of a heading, if it is not taken yet, with the number before it."""
        places = [span for span in self._places(title) if span.start not in self._taken]
        if not places:
            return None
        best = max(places, key=self._likeness)  # the first of equals
        self._taken.add(best.start)
        return best

    def _places(self, title: str) -> Iterator[Span]:
        wanted = "".join(_fold(char) for word in _WORD.findall(title) for char in word)
        at = self._folded.find(wanted)
        for _ in range(_MAX_PLACES):
            if at < 0:
                return
            start = self._offsets[at]
            end = self._offsets[at + len(wanted) - 1] + 1
            line_start = self._text.rfind("\n", 0, start) + 1
            before = self._text[line_start:start]
            if _NUMBER_BEFORE.fullmatch(before):
                start = line_start + len(before) - len(before.lstrip())
            yield Span(start, end)
            at = self._folded.find(wanted, at + len(wanted))

    def _likeness(self, place: Span) -> int:
        """How much a place looks like a heading: 3 for a line of its own, 0 for a mention."""
        line_start = self._text.rfind("\n", 0, place.start) + 1
        line_end = self._text.find("\n", place.end)
        before = self._text[line_start : place.start]
        after = self._text[place.end : line_end if line_end >= 0 else len(self._text)]
        return 2 * (not _WORD.search(before)) + (not _WORD.search(after))


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", char.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())
