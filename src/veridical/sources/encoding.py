"""Bytes become text: by byte-order mark, by declaration, else as UTF-8, and never by guessing."""

from __future__ import annotations

import codecs
import re

from veridical.errors import DocumentParsingError

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
        hint = "Give a text, Markdown, HTML, PDF or DOCX file."
    return DocumentParsingError(
        f"{name}: not a text file (byte 0x00 at offset {offset}). {hint}",
    )


def _checked(text: str, name: str) -> str:
    """`text`, if it is text."""
    sample = text[:_SAMPLE_CHARS]
    controls = len(re.findall(_CONTROLS, sample))
    if "\x00" in text or controls > _MAX_CONTROL_RATE * len(sample):
        raise DocumentParsingError(
            f"{name}: not a text file (it holds control characters). "
            "Give a text, Markdown, HTML, PDF or DOCX file."
        )
    return text
