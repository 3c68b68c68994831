"""Which sentences around a deciding one belong to it: what it points back to, or is limited by."""

from __future__ import annotations

import re

from veridical.answering.extractive.context_limits import heading_over, limited_by, qualified_by
from veridical.answering.extractive.context_lists import (
    introduced,
    introducing,
    is_item,
    is_term,
)
from veridical.answering.quoting import without_bullet
from veridical.retrieval.shown import is_heading
from veridical.retrieval.tables.layout import Layout

_MOST_BACK = 2
"""Sentences that are brought along because the next one points back to them."""

_POINTS_BACK = re.compile(
    r"(?!th(?:is|ese) (?:policy|policies|guide|section|document|handbook|chapter|page|plan)\b)"
    r"(?:this|these|that|those|it|they|he|she|such|its|their|both|neither|either|otherwise|however|"
    r"but|also|in (?:this|that|these|those|such) cases?|(?:in )?the (?:same|latter|former|above)|"
    r"then|instead|nor|nevertheless|in addition|additionally|furthermore|moreover|therefore|"
    r"conversely|likewise|similarly|for this|after this|after that|until then|thereafter)\b",
    re.IGNORECASE,
)


def belonging(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentences of a chunk that sentence `index` is not understood without, it among them.

    In the order of the text: the line that introduces a list, what a "this" points back to or
    that says that the following does not hold, the items behind a colon, and exceptions.
    """
    if layout.is_row(index):
        return (index,)
    leads = leading(layout, index)
    before = leads or _pointed_to(layout, index)
    first = before[0] if before else index
    around = (*qualified_by(layout, first), *before, *introduced(layout, index))
    return tuple(sorted({index, *around, *limited_by(layout, index)}))


def leading(layout: Layout, index: int) -> tuple[int, ...]:
    """The line that sentence `index` says something else without: it introduces its list, or says
    that what follows does not hold.
    """
    line = introducing(layout, index)
    return qualified_by(layout, index) if line is None else (line,)


def in_words(layout: Layout, indexes: tuple[int, ...]) -> str:
    """Sentences of a chunk, in order, as one text; rows with their titles, items after a colon
    parted by semicolons.
    """
    title = heading_over(layout)
    text = f"{title}:" if title else ""
    before = -1
    for index in indexes:
        words = layout.row_in_words(index) or without_bullet(layout.plain(index))
        listed = is_item(layout, index) or layout.is_row(index)
        if text and listed and not text.endswith((":", ".", "!", "?", ";")):
            text += _parting(layout, before, index)
        text = f"{text} {words}" if text else words
        before = index
    return text


def _parting(layout: Layout, before: int, index: int) -> str:
    """The mark between a listed sentence and the shown one before it, which ends without one."""
    if layout.is_row(index):
        return "."
    return ";" if is_item(layout, before) and not is_term(layout, before) else ":"


def _pointed_to(layout: Layout, index: int) -> tuple[int, ...]:
    """The sentences before one that begins with what points back to them."""
    first = index
    while (
        index - first < _MOST_BACK
        and first > 0
        and _POINTS_BACK.match(layout.plain(first))
        and not is_heading(layout.chunk, first - 1)
        and not layout.is_row(first - 1)
        and not is_item(layout, first - 1)
    ):
        first -= 1
    return tuple(range(first, index))
