"""Bytes become text of a format.

Of the encoding says a byte-order mark, a declaration, else it is UTF-8; nothing is guessed. Of the
format says the content first, and the suffix where content leaves it open.
"""

from __future__ import annotations

import codecs
import re
import shlex
import struct
from collections.abc import Mapping
from typing import NamedTuple

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.patterns import lazy

_MARKS = (
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TEXT_CODEC = (
    r"utf-8|utf-16(?:-[lb]e)?|utf-32(?:-[lb]e)?|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|kz1048|"
    r"ptcp154|tis-620|hp-roman8|gb2312|gbk|gb18030|hz|big5(?:hkscs)?|euc_\w+|shift_jis\w*|"
    r"iso2022_\w+|johab"
)
"""Codecs of character sets. Python has others ("zip", "rot13") that a file must not pick."""

_DECLARATION_BYTES = 4096
_XML_DECLARATION = rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:+-]{1,40})[\"']"
_META = rb"(?i)<meta\s[^>]*?charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})"
_COMMENT = rb"(?s)<!--.*?(?:-->|\Z)"

_CONTROLS = r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]"
_SAMPLE_CHARS = 100_000
_MAX_CONTROL_RATE = 0.05


def declared_encoding(data: bytes) -> str | None:
    """The encoding that an HTML or XML file names in its first bytes, in lower case, or None."""
    head = data[:_DECLARATION_BYTES]
    found = re.match(_XML_DECLARATION, head) or re.search(_META, re.sub(_COMMENT, b"", head))
    return found[1].decode("ascii").lower() if found else None


def decode(data: bytes, name: str, *, declared: str | None = None) -> str:
    """The text of a file, without its byte-order mark; line ends stay as they are.

    A byte-order mark decides, then `declared` if it is a character set that Python knows, then
    UTF-8. `name` is for the error.
    Raises DocumentParsingError that names the first byte that does not fit, or says that the file
    is not text.
    """
    if other := instead_of_text(data, name):
        raise DocumentParsingError(f"{name}: this is {other}")
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _checked(_decode(data[len(mark) :], codec, name, len(mark)), name)
    if b"\x00" in data:
        raise _not_text(data, name)
    codec = _text_codec(declared) or "utf-8"
    if codec in {"ascii", "iso8859-1"}:
        # As browsers do: pages that say Latin-1 are written in its extension by Microsoft.
        try:
            return _checked(data.decode("cp1252"), name)
        except UnicodeDecodeError:
            codec = "iso8859-1"
    elif codec.startswith(("utf-16", "utf-32")):
        codec = "utf-8"  # the declaration could be read as ASCII, so it is wrong
    return _checked(_decode(data, codec, name, 0, declared=declared), name)


def _text_codec(declared: str | None) -> str | None:
    """Python's name of a declared character set; None if it is none."""
    try:
        codec = codecs.lookup(declared).name if declared else ""
    except (LookupError, ValueError):
        return None
    return codec if re.fullmatch(_TEXT_CODEC, codec) else None


def _decode(
    data: bytes, codec: str, name: str, skipped: int, *, declared: str | None = None
) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        offset = error.start
        line = data.count(b"\n", 0, offset) + 1
        value = data[offset : offset + 1].hex().upper()
        said = ""
        if declared and _text_codec(declared) is None:
            said = f" (it declares the unknown encoding {declared!r})"
        raise DocumentParsingError(
            f"{name}: byte 0x{value} at offset {offset + skipped} (line {line}) is not valid "
            f"{codec.upper()}{said}. Convert the file to UTF-8, for example with "
            "`iconv -f WINDOWS-1252 -t UTF-8`, or save it with a byte-order mark; an HTML page may "
            "declare its encoding in <meta charset>."
        ) from None


def _not_text(data: bytes, name: str) -> DocumentParsingError:
    offset = data.index(b"\x00")
    sample = data[:_DECLARATION_BYTES]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) > 4 * min(even, odd) + len(sample) // 8:
        hint = "It looks like UTF-16 without a byte-order mark: save it with one, or as UTF-8."
    else:
        hint = f"Supported: {SUPPORTED}."
    return DocumentParsingError(
        f"{name}: not a text file (byte 0x00 at offset {offset}). {hint}",
    )


def _checked(text: str, name: str) -> str:
    """`text`, if it is text."""
    sample = text[:_SAMPLE_CHARS]
    controls = len(re.findall(_CONTROLS, sample))
    if "\x00" in text or controls > _MAX_CONTROL_RATE * len(sample):
        raise DocumentParsingError(
            f"{name}: not a text file (it holds control characters). Supported: {SUPPORTED}."
        )
    return text


class _Kind(NamedTuple):
    """A format: how messages call it, its media type, its suffixes, and what reads it apart."""

    label: str
    media_type: str
    suffixes: str
    entry: str = ""


_OFFICE = "application/vnd.openxmlformats-officedocument."
KINDS: Mapping[Format, _Kind] = {
    Format.MARKDOWN: _Kind("Markdown", "text/markdown", ".md .markdown"),
    Format.HTML: _Kind("HTML", "text/html", ".html .htm .xhtml"),
    Format.PLAIN_TEXT: _Kind("Plain text", "text/plain", ".txt .text .rst"),
    Format.PDF: _Kind("PDF", "application/pdf", ".pdf", "pdf:read_pdf"),
    Format.DOCX: _Kind("Word document (DOCX)", f"{_OFFICE}wordprocessingml.document", ".docx",
                       "docx:read_docx"),
    Format.XLSX: _Kind("Excel workbook (XLSX)", f"{_OFFICE}spreadsheetml.sheet", ".xlsx .xlsm",
                       "xlsx:read_xlsx"),
    Format.CSV: _Kind("table (CSV)", "text/csv", ".csv .tsv", "sheets:read_csv"),
    Format.PPTX: _Kind("PowerPoint presentation (PPTX)", f"{_OFFICE}presentationml.presentation",
                       ".pptx", "pptx:read_pptx"),
    Format.EPUB: _Kind("book (EPUB)", "application/epub+zip", ".epub", "epub:read_epub"),
    Format.EMAIL: _Kind("e-mail (EML)", "message/rfc822", ".eml", "mail:read_email"),
    Format.TRANSCRIPT: _Kind("Transcript", "text/plain", ".srt .vtt"),
    Format.JSON: _Kind("JSON file", "application/json", ".json .jsonl .ndjson",
                       "json_text:read_json"),
    Format.IMAGE: _Kind("image", "text/plain", ".png .jpg .jpeg .tif .tiff .webp",
                        "scans:read_image"),
}  # fmt: skip

NAMED = {suffix: one for one, kind in KINDS.items() for suffix in kind.suffixes.split()}
"""The suffixes of files that are named one by one, and what they mean."""

SUFFIXES = {s: one for s, one in NAMED.items() if one not in (Format.JSON, Format.IMAGE)}
"""Those that are read when a folder is given: JSON and pictures there are seldom documents."""

SUPPORTED = (
    "Markdown, HTML, plain text, PDF, DOCX, XLSX, CSV, PPTX, EPUB, EML, JSON, SRT, WebVTT or an "
    "image"
)

_IMAGE = re.compile(
    rb"(?s)(?P<png>\x89PNG)|(?P<jpeg>\xff\xd8\xff)|(?P<tiff>II\*\0|MM\0\*)|(?P<webp>RIFF.{4}WEBP)"
)
_BINARY = (Format.PDF, Format.DOCX, Format.XLSX, Format.PPTX, Format.EPUB, Format.IMAGE)
_BY_NAME = (Format.CSV, Format.EMAIL)
"""Text that its suffix tells from other text."""

_PDF_MAGIC_WITHIN = 1024
_LOOK_AHEAD_CHARS = 200_000
_MAX_COMMENTS = 20

_ZIP_CONTENTS = (
    (b"application/epub+zip", Format.EPUB),
    (b"word/document", Format.DOCX),
    (b"xl/workbook", Format.XLSX),
    (b"ppt/presentation", Format.PPTX),
    (b"META-INF/container.xml", Format.EPUB),
)
_DIRECTORY = struct.Struct("<4s8xII")
"""The end of a ZIP archive: its mark, the size of its directory, where that starts."""

_MAGIC = (
    (b"{\\rtf", "a rich text (RTF) file", "Save it as DOCX or PDF."),
    (b"%!PS", "a PostScript file", "Convert it to PDF."),
    (b"GIF8", "a GIF image", "Save it as PNG."),
    (b"\x1f\x8b", "a compressed file", "Unpack it first."),
    (b"BZh", "a compressed file", "Unpack it first."),
    (b"\xfd7zXZ\x00", "a compressed file", "Unpack it first."),
    (b"7z\xbc\xaf\x27\x1c", "an archive", "Unpack it first."),
    (b"Rar!\x1a\x07", "an archive", "Unpack it first."),
)
_RECORDING = re.compile(
    rb"ID3|\xff[\xf1-\xf3\xf9-\xfb]|RIFF.{4}(?:WAVE|AVI )|FORM.{4}AIF|fLaC|OggS|.{4}ftyp|#!AMR"
    rb"|\x1a\x45\xdf\xa3|\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    re.DOTALL,
)
"""How sound and film begin: MP3, AAC, WAV, AVI, AIFF, FLAC, Ogg, MP4, AMR, WebM, Matroska, WMA."""

_SOUND = "a recording of sound or film"
_TRANSCRIBE = (
    "Transcribe it first: `veridical transcribe {} -o transcript.json`, and give the transcript."
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


def image_kind(data: bytes) -> str:
    """`png`, `jpeg`, `tiff` or `webp` of an image by how it begins; empty for all else."""
    found = _IMAGE.match(data)
    return found.lastgroup or "" if found else ""


def no_text(data: bytes) -> str:
    """What bytes are that nobody can read as text: `a recording of sound or film`, `an image`;
    empty for all else.
    """
    head = data[:_DECLARATION_BYTES]
    if b"\x00" not in head and _is_utf8(head[:-3]):
        return ""
    return _SOUND if _RECORDING.match(data) else "an image" if image_kind(data) else ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def instead_of_text(data: bytes, name: str) -> str:
    """The same with what to do, where text is expected."""
    kind = no_text(data)
    advice = _TRANSCRIBE.format(shlex.quote(name)) if kind == _SOUND else "Give its words as text."
    return f"{kind}, not text. {advice}" if kind else ""


def sniff_binary(data: bytes, name: str, suffix: str) -> Format | None:
    """A format that is read in a process of its own, or None for what is to be decoded as text and
    given to `sniff_text`.

    `suffix` is that of the file (".pdf"), or empty.
    Raises DocumentParsingError for formats that cannot be read; the error says what to do.
    """
    named = NAMED.get(suffix.lower())
    magic_at = data.find(b"%PDF-", 0, _PDF_MAGIC_WITHIN)
    # Of an unnamed kind it may be a PDF with something before it, or a text about PDF.
    ends_as_pdf = not suffix and b"%%EOF" in data[-_PDF_MAGIC_WITHIN:]
    if magic_at == 0 or (magic_at > 0 and (named is Format.PDF or ends_as_pdf)):
        return Format.PDF
    if data.startswith(b"PK\x03\x04"):
        return _sniff_zip(data, name, named)
    if image_kind(data):
        return Format.IMAGE
    _refuse_unsupported(data, name, suffix)
    if named in _BINARY:
        label = "an image" if named is Format.IMAGE else named.upper()
        raise DocumentParsingError(
            f"{name}: named {suffix}, but its content is not {label}. "
            "It may be damaged or incomplete, or another kind of file: get it again, or give it "
            "its right suffix.",
            named,
        )
    return named if named in _BY_NAME else None


def sniff_text(text: str, suffix: str = "") -> Format:
    """HTML, Markdown, plain text, or the transcript that captions are.

    This is what `text` is, given the suffix of its file if it has one.
    """
    named = NAMED.get(suffix.lower())
    if named is Format.JSON:
        return named
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


def _sniff_zip(data: bytes, name: str, named: Format | None) -> Format:
    end = data.rfind(b"PK\x05\x06")
    listed = data
    if end >= 0 and len(data) - end >= _DIRECTORY.size:
        _, size, start = _DIRECTORY.unpack_from(data, end)
        listed = data[:200] + data[start : start + size]  # not what is in files inside of it
    for content, kind in _ZIP_CONTENTS:
        if content in listed:
            return kind
    if b"application/vnd.oasis.opendocument" in data[:200]:
        raise _unsupported(name, "an OpenDocument file", "Save it as DOCX, XLSX, PPTX or PDF.")
    if named in _BINARY[1:]:
        return named
    raise _unsupported(name, "a zip archive", "Unpack it, and give the folder.")


def _refuse_unsupported(data: bytes, name: str, suffix: str) -> None:
    if data.startswith(_OLE):
        named = NAMED.get(suffix.lower())
        if named in _BINARY[1:]:
            raise DocumentParsingError(
                f"{name}: this {named.upper()} file is protected by a password or is in an older "
                f"format. Open it in its program and save it as an unprotected {named.upper()}.",
                named,
            )
        advice = "Save it as DOCX, XLSX, PPTX or PDF."
        raise _unsupported(name, "an older Office file", advice)
    if no_text(data) == _SOUND:
        raise _unsupported(name, _SOUND, _TRANSCRIBE.format(shlex.quote(name)))
    for magic, kind, advice in _MAGIC:
        if data.startswith(magic):
            raise _unsupported(name, kind, advice)


def _unsupported(name: str, kind: str, advice: str) -> DocumentParsingError:
    return DocumentParsingError(
        f"{name}: this is {kind}, which is not supported. {advice} Supported: {SUPPORTED}."
    )
