"""What a document is called."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from veridical.sources.front_matter import front_matter_title
from veridical.sources.span import Span

if TYPE_CHECKING:
    from veridical.sources.document import Document, Section

LONGEST_TITLE = 300
"""Characters of a title; a longer one is an accident and is cut here."""

_JOINTS = re.compile(r"[-_\s]+")
_SUFFIX = re.compile(r"\.[a-zA-Z][a-zA-Z0-9]{0,9}$")


def title_of(document: Document) -> str:
    """What a reader would call the document, on one line. See `Document.title`."""
    title = front_matter_title(document.text) or _heading(document) or _from_name(document.name)
    return title[:LONGEST_TITLE].strip()


def _heading(document: Document) -> str:
    """The heading that stands above the whole document; empty where there is none.

    That is the only one of the outermost level, or the one that opens the text; a printed number
    makes a heading the first of its like ("1. Purpose").
    """
    if not document.sections:
        return ""
    top = min(section.level for section in document.sections)
    outermost = [section for section in document.sections if section.level == top]
    first = outermost[0]
    opens = not first.number and _opens(document, first)
    return first.title if opens or len(outermost) == 1 else ""


def _opens(document: Document, section: Section) -> bool:
    """Whether no letter or digit is shown before a heading."""
    return not any(map(str.isalnum, document.shown(Span(0, section.heading.start))))


def _from_name(name: str) -> str:
    """The file name without suffix, in words: "pto-policy.md" is "Pto policy"."""
    stem = PurePosixPath(name.replace("\\", "/")).name
    words = _JOINTS.sub(" ", _SUFFIX.sub("", stem)).strip()
    return words[:1].upper() + words[1:] if words else name
