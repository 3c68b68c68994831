"""Markdown as a Document: the file's own text, with the markup that a reader does not see masked.

A light, linear reader of CommonMark 0.31 with the usual additions (front matter, tables,
strikethrough, footnotes). It decides only what is shown and where sections start; no tree is built.
"""

from __future__ import annotations

import re

from veridical.sources.document import Document, Format
from veridical.sources.front_matter import front_matter_end
from veridical.sources.headings import with_sections
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.markdown_blocks import BlockReader
from veridical.sources.markdown_inline import label_key
from veridical.sources.markdown_syntax import DEFINITION, LABEL
from veridical.sources.patterns import lazy

_INDENT = lazy(r"\n([ \t]*+)[^ \t\r\n]")
_HEADING_INDENT = re.compile(r"(?:\n|\A)([ \t]*+)#{1,6}[ \t]")
_LABELS = lazy(rf"\n[ \t>]*+(?={LABEL})")
_FLUSH_LEFT = re.compile(r"\n[^ \t\r\n]")
_CODE_INDENT = 4


def read_markdown(
    text: str, name: str, *, size_bytes: int, limits: SourceLimits = DEFAULT_LIMITS
) -> Document:
    """Read Markdown. Offsets are code points of `text`, which is kept as it is.

    Emphasis marks, link targets, comments, front matter and the like are masked; list markers stay,
    and so does all markup that has no partner. Raw HTML is read as in an HTML page.
    Raises DocumentParsingError where HTML elements nest deeper than `limits.max_nesting`.
    """
    base_indent, has_indented_code = _indentation(text)
    reader = BlockReader(
        text,
        name,
        limits,
        references=_references(text),
        base_indent=base_indent,
        has_indented_code=has_indented_code,
    )
    masks, headings = reader.read(front_matter_end(text))
    document = Document(
        name=name, text=text, format=Format.MARKDOWN, masks=masks, size_bytes=size_bytes
    )
    return with_sections(document, headings)


def _references(text: str) -> frozenset[str]:
    """The labels that links (`[text][label]`) and footnotes (`[^1]`) of the text may refer to."""
    if "]:" not in text:
        return frozenset()
    keys: set[str] = set()
    text = "\n" + text  # every line then starts in the same way
    for found in _LABELS().finditer(text):
        definition = DEFINITION().match(text, found.end())
        if definition or found[1].startswith("^"):
            keys.add(label_key(found[1]))
    return frozenset(keys)


def _indentation(text: str) -> tuple[int, bool]:
    """How far the whole text is indented, and whether still deeper lines are code.

    A text from a triple-quoted string is indented as a whole, but for its first line; one that was
    put together from such strings may have all of its headings, but not all of its lines, indented.
    """
    base = 0
    if not _FLUSH_LEFT.search(text):
        base = min((_width(found[1]) for found in _INDENT().finditer(text)), default=0)
    headings = [_width(found[1]) for found in _HEADING_INDENT.finditer(text)]
    return base, not headings or min(headings) < base + _CODE_INDENT


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))
