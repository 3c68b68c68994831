"""Which parts of a document are shown struck through: the author has taken them back."""

from __future__ import annotations

import re

from veridical.sources.masks import Masks
from veridical.sources.span import Span

_TILDES = "~~"
_OPENS = re.compile(r"<(?:del|s|strike)(?=[\s/>])", re.IGNORECASE)
_CLOSES = re.compile(r"</(?:del|s|strike)(?=[\s>])", re.IGNORECASE)


def struck_spans(text: str, masks: Masks) -> tuple[Span, ...]:
    """The spans between the marks of a strike-through, in order: `~~` and the elements for it."""
    found: list[Span] = []
    opened = -1
    if _TILDES not in text and _OPENS.search(text) is None:
        return ()
    for mask in masks:
        if mask.unseen:
            continue
        mark = text[mask.start : mask.end]
        if _OPENS.match(mark) or (opened < 0 and _TILDES in mark):
            opened = mask.end
        elif opened >= 0 and (_CLOSES.match(mark) or _TILDES in mark):
            if opened < mask.start:
                found.append(Span(opened, mask.start))
            opened = -1
    return tuple(found)
