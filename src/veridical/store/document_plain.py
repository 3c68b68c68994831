"""What is known about a document beside its text, as a JSON value and back.

Enough to show and to cite: sections, pages, and the masks that tell what a reader sees.
"""

from __future__ import annotations

from array import array
from typing import Any

from veridical.sources.document import Document, Format, Page, Section
from veridical.sources.masks import NO_MASKS, Masks
from veridical.sources.transcript import Segment, TimeBase, Transcript, TranscriptFormat, Word
from veridical.store.plain import codec

_STRUCTURE = {
    "sections": tuple[Section, ...],
    "pages": tuple[Page, ...],
    "warnings": tuple[str, ...],
}
_RECORDING = {
    "words": tuple[Word, ...],
    "segments": tuple[Segment, ...],
    "language": str | None,
    "time_base": TimeBase,
    "recorded_as": TranscriptFormat,
}


def structure_of(document: Document) -> dict[str, Any]:
    """All but name, text, format and size."""
    masks = document.masks
    kinds = _STRUCTURE | (_RECORDING if isinstance(document, Transcript) else {})
    return {
        **{name: codec(kind).to_plain(getattr(document, name)) for name, kind in kinds.items()},
        "masks": [list(masks.starts), list(masks.ends), masks.shown, list(masks.unseen)],
    }


def document_of(
    name: str, text: str, format: str, size_bytes: int, structure: dict[str, Any]
) -> Document:
    """The document that `structure_of` was given."""
    kinds = _STRUCTURE | (_RECORDING if "words" in structure else {})
    kind = Transcript if "words" in structure else Document
    return kind(
        name=name,
        text=text,
        format=Format(format),
        size_bytes=size_bytes,
        masks=_masks(*structure["masks"]),
        **{name: codec(kind).from_plain(structure[name]) for name, kind in kinds.items()},
    )


def _masks(starts: list[int], ends: list[int], shown: list[str], unseen: list[int]) -> Masks:
    if not starts:
        return NO_MASKS
    return Masks(array("q", starts), array("q", ends), tuple(shown), array("b", unseen))
