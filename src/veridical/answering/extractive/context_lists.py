"""Lists of a chunk: which sentences are items, and which line introduces them."""

from __future__ import annotations

import re

from veridical.retrieval.shown import is_heading, sentence_text
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Format

_MOST_ITEMS = 12
"""Items of one list that are shown with their introducing line."""

_MOST_BACK = 100
"""Sentences that are gone back over to find the line that introduces a list."""

_MARKER = re.compile(r"(?:[-*+•‣◦▪▫●○■□∙⁃–\uf0b7]|\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])\s+(?=\S)")
_ITEM_TAG = re.compile(r"<(li|dd|dt)\b[^<>]*>\s*(?:<[^<>]*>\s*){0,8}\Z", re.IGNORECASE)
_TAG_REACH = 300

_BLOCK_ENDS = re.compile(
    r"\n[ \t\r]*\n(?![ \t]{2,}\Z)|</?(?:p|li|ul|ol|dl|dt|dd|div|br|h\d)\b",
    re.IGNORECASE,
)
"""What parts a list item from the text after it; an indented paragraph is still of the item."""

_ENDED = re.compile(r"[.!?][\"'”’)]*\Z")


def is_item(layout: Layout, index: int) -> bool:
    """Whether sentence `index` opens an item of a list."""
    return bool(_tag_before(layout, index) or _MARKER.match(sentence_text(layout.chunk, index)))


def is_term(layout: Layout, index: int) -> bool:
    """Whether sentence `index` is a term of a list of definitions."""
    return index >= 0 and _tag_before(layout, index) == "dt"


def item_of(layout: Layout, index: int) -> int | None:
    """The sentence that opens the list item which sentence `index` stands in."""
    chunk = layout.chunk
    for at in range(index, max(-1, index - _MOST_BACK), -1):
        if is_item(layout, at):
            return at
        if at == 0 or is_heading(chunk, at) or layout.is_row(at):
            return None
        gap = chunk.document.text[chunk.sentences[at - 1].end : chunk.sentences[at].start]
        if _BLOCK_ENDS.search(gap):
            return None
    return None


def introducing(layout: Layout, index: int) -> int | None:
    """The line that introduces the list which sentence `index` stands in: the one straight before
    its first item, with a colon at its end or without.
    """
    item = item_of(layout, index)
    if item is None:
        return None
    at = item - 1
    while at >= max(0, item - _MOST_BACK) and not is_heading(layout.chunk, at):
        if is_term(layout, at):
            return at
        within = item_of(layout, at)
        if within is None:
            return None if layout.is_row(at) else at
        at = within - 1
    return None


def introduced(layout: Layout, index: int) -> tuple[int, ...]:
    """The items, or the rows of the table, that a line introduces: one with a colon at its end, or
    that a list follows on without a full stop.
    """
    line = layout.plain(index)
    colon = line.endswith(":")
    if not colon and (_ENDED.search(line) or is_item(layout, index)):
        return ()
    found: list[int] = []
    for at in range(index + 1, min(len(layout.chunk.sentences), index + 1 + _MOST_ITEMS)):
        if layout.is_head(at):
            continue
        if not is_item(layout, at) and not (colon and layout.is_row(at)):
            break
        found.append(at)
    return tuple(found)


def after_list(layout: Layout, index: int) -> int | None:
    """The sentence behind the list that sentence `index` stands in."""
    if item_of(layout, index) is None:
        return None
    for at in range(index + 1, len(layout.chunk.sentences)):
        if is_heading(layout.chunk, at):
            return None
        if item_of(layout, at) is None:
            return at
    return None


def _tag_before(layout: Layout, index: int) -> str:
    """The tag of the list item that a sentence of HTML opens; empty where it opens none."""
    document = layout.chunk.document
    if document.format is not Format.HTML:
        return ""
    start = layout.chunk.sentences[index].start
    found = _ITEM_TAG.search(document.text[max(0, start - _TAG_REACH) : start])
    return found[1].lower() if found else ""
