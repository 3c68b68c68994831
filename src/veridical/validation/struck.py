"""Words that are shown struck through: the source has taken them back."""

from __future__ import annotations

import re

from veridical.sources.document import Document
from veridical.sources.span import Span

_LONGEST = 8_000
"""Characters before a span in which a strike-through that reaches into it may begin."""

_TILDES = "~~"
_OPENS = re.compile(r"<(?:del|s|strike)(?=[\s/>])", re.IGNORECASE)
_CLOSES = re.compile(r"</(?:del|s|strike)(?=[\s>])", re.IGNORECASE)


def struck_span(document: Document, span: Span) -> Span | None:
    """The first part of a span that is struck through; None where there is none."""
    text = document.text
    opened = -1
    for mask in document.masks.between(max(0, span.start - _LONGEST), span.end + _LONGEST):
        if mask.unseen:
            continue
        mark = text[mask.start : mask.end]
        if _OPENS.match(mark) or (opened < 0 and _TILDES in mark):
            opened = mask.end
        elif opened >= 0 and (_CLOSES.match(mark) or _TILDES in mark):
            start, end = max(opened, span.start), min(mask.start, span.end)
            if start < end:
                return Span(start, end)
            opened = -1
    return None
