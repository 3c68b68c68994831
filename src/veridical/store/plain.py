"""What columns hold, exactly: records as JSON values and as rows, and back.

On the way back a key that is missing takes the field's default, so that a field with a default can
be added to a type without touching what is stored. What cannot have been written here is refused
with a TypeError, ValueError or LookupError: someone else changed it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from veridical.codec import EXACT, Codec, Form
from veridical.sources.document import Document, Format, Span
from veridical.sources.masks import NO_MASKS, Masks
from veridical.sources.transcript import Transcript

PAIR = attrgetter("start", "end")
"""The offsets of a span."""


def structure_of(document: Document) -> dict[str, Any]:
    """What is known about a document beside name, text, format and size.

    Enough to show and to cite: sections, pages, and the masks that tell what a reader sees.
    """
    return PLAIN.write(document)


def document_of(
    name: str, text: str, format: str, size_bytes: int, structure: dict[str, Any]
) -> Document:
    """The document that `structure_of` was given."""
    kind = Transcript if "words" in structure else Document
    kept = {"name": name, "text": text, "format": Format(format), "size_bytes": size_bytes}
    return PLAIN.read(kind, structure, **kept)


def _structure_told(data: dict[str, Any]) -> dict[str, Any]:
    """Masks last: a fingerprint is made of the whole."""
    masks = data.pop("masks")
    return {**data, "masks": masks}


def _mask_columns(masks: Masks) -> list[Any]:
    return [list(masks.starts), list(masks.ends), masks.shown, list(masks.unseen)]


def _masks(columns: Any) -> Masks:
    starts, ends, shown, unseen = columns
    if not starts:
        return NO_MASKS
    return Masks(array("q", starts), array("q", ends), tuple(shown), array("b", unseen))


def _span(pair: Any) -> Span:
    start, end = pair
    if type(start) is not int or type(end) is not int:
        raise TypeError("an offset is a whole number")
    return Span(start, end)


def having(*names: str) -> Callable[[Any], Any]:
    """Refuses data without these, which were always written."""

    def given(data: dict[str, Any]) -> dict[str, Any]:
        if not data.keys() >= set(names):
            raise LookupError("what was always written is not there")
        return data

    return given


_STRUCTURE = Form(
    apart={"name", "text", "format", "size_bytes"},
    told=_structure_told,
    given=having("sections", "pages", "warnings", "masks"),
)

VALUES = {**EXACT, Span: (PAIR, _span), Masks: (_mask_columns, _masks)}
"""A span is a pair of offsets, masks are columns."""

_RECORDING = replace(
    _STRUCTURE,
    given=having(
        "sections", "pages", "warnings", "masks",
        "words", "segments", "language", "time_base", "recorded_as",
    ),
)  # fmt: skip

PLAIN = Codec({Document: _STRUCTURE, Transcript: _RECORDING}, values=VALUES, closed=True)
"""A value in a column of the type JSON. What has a column of its own is left out."""

ROWS = Codec(values=EXACT)
"""A record as the values of columns that are called as its fields, and back from a row that may
have other columns too.
"""
