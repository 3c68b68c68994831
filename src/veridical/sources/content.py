"""The text content of a page, as a browser's DOM has it: what W3C selectors count in.

Tags and comments are gone and entities are decoded, but scripts and hidden elements still count:
this is not what a reader sees (`Document.shown`).
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left

from veridical.sources.masks import Mask, Masks

_RAW_ELEMENT = re.compile(r"(?is)<(script|style)\b[^>]*>(.*?)(?:</\1\s*>|\Z)")
_TAG_OR_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)|<[!/?a-zA-Z][^>]*(?:>|\Z)")


class TextContent:
    """Maps offsets of an HTML source to offsets of its text content, both in code points."""

    def __init__(self, text: str, masks: Masks) -> None:
        self._text = text
        self._masks = masks
        self._saved: list[int] = []
        saved = 0
        for mask in masks:
            saved += mask.end - mask.start - len(self._instead(mask))
            self._saved.append(saved)

    def position(self, offset: int) -> int:
        """The offset in the text content of an offset in the source."""
        before = bisect_left(self._masks.ends, offset + 1)
        position = offset - (self._saved[before - 1] if before else 0)
        if before < len(self._masks) and self._masks.starts[before] < offset:
            position -= offset - self._masks.starts[before]
        return position

    def slice(self, start: int, end: int) -> str:
        """The text content of `source[start:end]`; of markup cut at an edge, nothing."""
        parts: list[str] = []
        at = start
        for mask in self._masks.between(start, end):
            parts.append(self._text[at : max(at, mask.start)])
            if mask.start >= start and mask.end <= end:
                parts.append(self._instead(mask))
            at = min(mask.end, end)
        parts.append(self._text[at:end])
        return "".join(parts)

    def _instead(self, mask: Mask) -> str:
        written = self._text[mask.start : mask.end]
        if written.startswith("&"):
            return mask.shown
        if not mask.unseen:
            return ""
        raw = _RAW_ELEMENT.fullmatch(written)
        return raw.group(2) if raw else html.unescape(_TAG_OR_COMMENT.sub("", written))
