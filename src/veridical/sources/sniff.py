"""Which format a source is in: by its content first, by its suffix where content leaves it open."""

from __future__ import annotations

import re

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.patterns import lazy

SUFFIXES = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".txt": Format.PLAIN_TEXT,
    ".text": Format.PLAIN_TEXT,
    ".rst": Format.PLAIN_TEXT,
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".srt": Format.TRANSCRIPT,
    ".vtt": Format.TRANSCRIPT,
}
"""The suffixes that are read when a folder is given, and what they mean."""

SUPPORTED = "Markdown, HTML, plain text, PDF, DOCX, SRT or WebVTT"

_BINARY = (Format.PDF, Format.DOCX)
_PDF_MAGIC_WITHIN = 1024
_LOOK_AHEAD_CHARS = 200_000
_MAX_COMMENTS = 20

_ZIP_CONTENTS = (
    (b"word/document", "", ""),
    (b"xl/workbook", "an Excel workbook", "Export the sheet as text or PDF."),
    (b"ppt/presentation", "a PowerPoint presentation", "Export it as PDF."),
    (b"application/epub+zip", "an EPUB book", "Convert it to HTML or PDF."),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file", "Save it as DOCX or PDF."),
)
_MAGIC = (
    (b"{\\rtf", "a rich text (RTF) file", "Save it as DOCX or PDF."),
    (b"%!PS", "a PostScript file", "Convert it to PDF."),
    (b"\x89PNG", "an image", "Run text recognition on it and give the text."),
    (b"\xff\xd8\xff", "an image", "Run text recognition on it and give the text."),
    (b"GIF8", "an image", "Run text recognition on it and give the text."),
    (b"II*\x00", "an image", "Run text recognition on it and give the text."),
    (b"MM\x00*", "an image", "Run text recognition on it and give the text."),
    (b"\x1f\x8b", "a compressed file", "Unpack it first."),
    (b"BZh", "a compressed file", "Unpack it first."),
    (b"\xfd7zXZ\x00", "a compressed file", "Unpack it first."),
    (b"7z\xbc\xaf\x27\x1c", "an archive", "Unpack it first."),
    (b"Rar!\x1a\x07", "an archive", "Unpack it first."),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_SPACE = lazy(r"\s*+")
_HTML_START = lazy(r"<(?:!doctype\s++html|(?:html|head|body)(?=[\s>/]))", re.IGNORECASE)
_HTML_TAG = lazy(r"<html[\s>]", re.IGNORECASE)
_FRAGMENT = lazy(
    r"\s*+<(a|abbr|article|aside|b|blockquote|dd|details|div|dl|em|figure|footer|form|h[1-6]|header|"
    r"i|li|main|nav|ol|p|pre|section|small|span|strong|table|tr|u|ul)(?=[\s>])[^<>]*+>",
    re.IGNORECASE,
)
_CAPTIONS = lazy(
    r"\s*+(?:WEBVTT(?=\s|\Z)"
    r"|(?:\d++[ \t]*+[\r\n]\s*+)?-?(?:\d{1,4}:)?\d{1,4}:\d{2}(?:[.,]\d{1,6})?[ \t]*+-->)"
)
"""How WebVTT begins, and SubRip: at once, or with the number of the first cue."""

_MARKDOWN_SIGNS = lazy(
    r"""^[ \t]*+(?:
        \#{1,6}[ ]\S                            # a heading
      | (?:```|~~~)                             # a code fence
      | \|?[ \t]*+:?-{3,}+:?[ \t]*+\|[-:| \t]*+(?=\r|\n|\Z)   # the line under the head of a table
    )
    | \[[^\[\]\r\n]{1,200}+\]\((?:https?://|\#|/|\./|mailto:)   # a link
    | \*\*[^\s*](?:[^*\r\n]{0,200}[^\s*])?\*\*(?![\w*])          # strong emphasis
    """,
    re.VERBOSE | re.MULTILINE,
)


def sniff_binary(data: bytes, name: str, suffix: str) -> Format | None:
    """PDF or DOCX, or None for what is to be decoded as text and given to `sniff_text`.

    `suffix` is that of the file (".pdf"), or empty.
    Raises DocumentParsingError for formats that cannot be read; the error says what to do.
    """
    named = SUFFIXES.get(suffix.lower())
    magic_at = data.find(b"%PDF-", 0, _PDF_MAGIC_WITHIN)
    if magic_at == 0 or (magic_at > 0 and (named is Format.PDF or _ends_as_pdf(data, suffix))):
        return Format.PDF
    if data.startswith(b"PK\x03\x04"):
        return _sniff_zip(data, name, named)
    _refuse_unsupported(data, name, suffix)
    if named in _BINARY:
        label = "PDF" if named is Format.PDF else "DOCX"
        raise DocumentParsingError(
            f"{name}: named {suffix}, but its content is not {label}. "
            "It may be damaged or incomplete, or another kind of file: get it again, or give it "
            "its right suffix.",
            named,
        )
    return None


def sniff_text(text: str, suffix: str = "") -> Format:
    """HTML, Markdown, plain text, or the transcript that captions are.

    This is what `text` is, given the suffix of its file if it has one.
    """
    named = SUFFIXES.get(suffix.lower())
    if named is Format.HTML or _is_page(text):
        return Format.HTML
    if named is Format.MARKDOWN:
        return named
    if is_captions(text):
        return Format.TRANSCRIPT
    if suffix:
        return Format.PLAIN_TEXT
    head = text[:_LOOK_AHEAD_CHARS]
    fragment = _FRAGMENT().match(head)
    if fragment and f"</{fragment[1].lower()}" in text.lower():
        return Format.HTML
    if _MARKDOWN_SIGNS().search(head):
        return Format.MARKDOWN
    return Format.HTML if _HTML_TAG().search(head) else Format.PLAIN_TEXT


def is_captions(text: str) -> bool:
    """Whether the text begins as SubRip or WebVTT captions do."""
    return _CAPTIONS().match(text) is not None


def _is_page(text: str) -> bool:
    """Whether the text starts as an HTML page does, comments and an XML declaration aside."""
    at = 0
    for opening, closing in (("", ""), ("<?xml", "?>"), *[("<!--", "-->")] * _MAX_COMMENTS):
        if text.startswith(opening, at):
            end = text.find(closing, at)
            space = _SPACE().match(text, end + len(closing)) if end >= 0 else None
            at = space.end() if space else len(text)
    return _HTML_START().match(text, at) is not None


def _ends_as_pdf(data: bytes, suffix: str) -> bool:
    """Whether data of an unnamed kind is a PDF with something before it, not a text about PDF."""
    return not suffix and b"%%EOF" in data[-_PDF_MAGIC_WITHIN:]


def _sniff_zip(data: bytes, name: str, named: Format | None) -> Format:
    for content, kind, advice in _ZIP_CONTENTS:
        if content in data:
            if not kind:
                return Format.DOCX
            raise _unsupported(name, kind, advice)
    if named is Format.DOCX:
        return Format.DOCX
    raise _unsupported(name, "a zip archive", "Unpack it, and give the folder.")


def _refuse_unsupported(data: bytes, name: str, suffix: str) -> None:
    if data.startswith(_OLE):
        if suffix.lower() == ".docx":
            raise DocumentParsingError(
                f"{name}: this DOCX file is protected by a password or is in an older format. "
                "Open it in a word processor and save it as an unprotected DOCX.",
                Format.DOCX,
            )
        raise _unsupported(name, "an older Office file", "Save it as DOCX or PDF.")
    for magic, kind, advice in _MAGIC:
        if data.startswith(magic):
            raise _unsupported(name, kind, advice)


def _unsupported(name: str, kind: str, advice: str) -> DocumentParsingError:
    return DocumentParsingError(
        f"{name}: this is {kind}, which is not supported. {advice} Supported: {SUPPORTED}."
    )
