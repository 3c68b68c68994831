"""W3C Web Annotation selectors of a span, so that other tools can find it again.

For HTML the specification's normalisation is followed: markup is removed and entities are decoded,
and positions count in what remains. All other formats are plain text to an annotation, and
positions are offsets into the document's own text.

Source: W3C Web Annotation Data Model, 2017, sections 4.2.4 and 4.2.5.
"""

from __future__ import annotations

from typing import Any

from veridical.sources.document import Document, Format, Span

CONTEXT_CHARS = 32
"""Length of the prefix and the suffix."""

_HTML_REACH = 1_000
"""Characters of HTML that are looked at for the prefix and the suffix, markup included."""


def selectors(document: Document, span: Span) -> list[dict[str, Any]]:
    """A TextQuoteSelector and a TextPositionSelector for `span`."""
    if document.format is Format.HTML:
        start, end = document.content.position(span.start), document.content.position(span.end)
        exact, prefix, suffix = (
            document.content.slice(max(0, low), min(high, len(document.text)))
            for low, high in (
                (span.start, span.end),
                (span.start - _HTML_REACH, span.start),
                (span.end, span.end + _HTML_REACH),
            )
        )
    else:
        start, end = span.start, span.end
        exact = document.text[start:end]
        prefix = document.text[max(0, start - CONTEXT_CHARS) : start]
        suffix = document.text[end : end + CONTEXT_CHARS]
    return [
        {
            "type": "TextQuoteSelector",
            "exact": exact,
            "prefix": prefix[-CONTEXT_CHARS:],
            "suffix": suffix[:CONTEXT_CHARS],
        },
        {"type": "TextPositionSelector", "start": start, "end": end},
    ]
