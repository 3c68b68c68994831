"""Plain text as a Document: nothing is hidden, headings are recognised by how they look."""

from __future__ import annotations

from veridical.sources.document import Document, Format
from veridical.sources.headings import build_sections, find_headings


def read_plain_text(text: str, name: str, *, size_bytes: int) -> Document:
    """Read text without markup. Offsets are code points of `text`, which is kept as it is."""
    return Document(
        name=name,
        text=text,
        format=Format.PLAIN_TEXT,
        sections=build_sections(text, find_headings(text)),
        size_bytes=size_bytes,
    )
