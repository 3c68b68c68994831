"""Words of an answer that Markdown hides and its reader sees all the same.

An answer is shown as it was written: with its comments, scripts, the names of its images and the
attributes of its tags. A "never" in one of them changes what a claim says to whoever reads it. So
within a paragraph such words belong to the claim, and a judge finds that no source has them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from veridical.sources.document import Document
from veridical.sources.elements import STANDARD_NAMES
from veridical.sources.masks import Mask, MaskBuilder
from veridical.text.tokens import prepare, tokenize
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS

LOADED = NEGATIONS | RESTRICTIONS | frozenset("until before after but when while".split())
"""Words that turn or narrow what stands beside them."""

_QUIET_ATTRIBUTES = (
    "href|src|class|id|style|lang|dir|align|valign|width|height|colspan|rowspan|target|rel|start|"
    "type|open|reversed|color|size|border|cellpadding|cellspacing|bgcolor|loading|referrerpolicy"
)
_QUIET_TAG = re.compile(
    rf"</?([a-zA-Z][a-zA-Z0-9]*)(?:\s+(?:{_QUIET_ATTRIBUTES})"
    r"(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*\s*/?>",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[(?P<words>[^\]]*)")
_TITLED = re.compile(r"\]\([^()\"']*\s[\"'(](?P<words>.*)[\"')]\s*\)\Z", re.DOTALL)
_LABEL = re.compile(r"(?:\[\^|\]\[)(?P<words>[^\]]*)\]\Z")
_TARGET = re.compile(r"\]\((?P<words>[^\W\d_]*)\)\Z")
_BEFORE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\Z")


def as_written(document: Document) -> Document:
    """A document, read as Markdown, without the masks over words that a raw text shows."""
    kept = MaskBuilder()
    dropped = False
    for mask in document.masks:
        if _speaks(document.text, mask) and not _stands_alone(document.text, mask):
            dropped = True
        else:
            kept.add(mask.start, mask.end, mask.shown, unseen=mask.unseen)
    return replace(document, masks=kept.build()) if dropped else document


def _speaks(text: str, mask: Mask) -> bool:
    """Whether there are words behind a mask that may say something about the claim around it."""
    if mask.end - mask.start < 3:
        return False
    hidden = text[mask.start : mask.end]
    if hidden[0] == "<":
        tag = _QUIET_TAG.fullmatch(hidden)
        if tag is not None and not mask.unseen:
            return tag[1].lower() not in STANDARD_NAMES
        return any(map(str.isalnum, hidden))
    if mask.unseen:
        return any(map(str.isalnum, hidden))
    if found := _IMAGE.match(hidden) or _TITLED.match(hidden):
        return any(map(str.isalnum, found["words"])) or is_loaded(hidden)
    found = _LABEL.match(hidden) or _TARGET.match(hidden)
    return found is not None and is_loaded(found["words"])


def is_loaded(words: str) -> bool:
    """Whether one of some words turns or narrows what stands beside it."""
    return any(token.key in LOADED for token in tokenize(prepare(words)))


def _stands_alone(text: str, mask: Mask) -> bool:
    """Whether nothing stands beside it: a paragraph of its own, or a comment before or after one.

    A comment between two lines of a paragraph is read with them.
    """
    start = text.rfind("\n", 0, mask.start) + 1
    end = text.find("\n", mask.end)
    end = len(text) if end < 0 else end
    if text[mask.end : end].strip() or not _BEFORE.match(text[start : mask.start]):
        return False
    below = _line(text, end + 1)
    is_last = not below or (mask.unseen and _BLOCK.match(below) is not None)
    is_first = not start or not _line(text, text.rfind("\n", 0, start - 1) + 1)
    return (is_first or is_last) if mask.unseen else (is_first and is_last)


_BLOCK = re.compile(r"[-*+>#|<]|\d{1,9}[.)]")


def _line(text: str, start: int) -> str:
    """The line that begins at an offset, without the space around it."""
    end = text.find("\n", start)
    return text[start : len(text) if end < 0 else end].strip()
