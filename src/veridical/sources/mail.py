"""E-mails (EML): who wrote what to whom and when, the message, and its attachments.

Of a message in several forms the HTML is read, which is what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import MIMEPart
from itertools import islice
from pathlib import PurePath

from veridical.errors import DocumentParsingError
from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.headings import read_plain_text
from veridical.sources.html import read_html
from veridical.sources.parts import TextBuilder
from veridical.sources.sniff import NAMED

_SHOWN = ("From", "To", "Cc", "Date")
_ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime"})
_TEXT = frozenset({"text/plain", "text/html"})
_MOST_PARTS = 1_000
_MOST_INSIDE = 5
"""E-mails that may be inside each other."""


def read_email(
    data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS, depth: int = 0
) -> Document:
    """The text of an e-mail, its subject for a heading."""
    builder = TextBuilder(name, Format.EMAIL, limits)
    # Parts inside each other take time by the square: they are counted before.
    deep = data.count(b"boundary=") > _MOST_PARTS
    message = message_from_bytes(b"" if deep else data, policy=policy.default)
    if deep or len(parts := list(islice(message.walk(), _MOST_PARTS + 1))) > _MOST_PARTS:
        raise builder.refuse(f"it has more than {_MOST_PARTS:,} parts, or too deep ones. Split it.")
    if not message.keys():
        raise builder.refuse("it has no header, so it is no e-mail. Save it again as EML.")
    if any(part.get_content_type() in _ENCRYPTED for part in parts):
        raise builder.refuse("it is encrypted. Decrypt it in your mail program and save that.")
    builder.place("message header")
    builder.heading(_header(message, "Subject"), 1)
    told = ((key, _header(message, key)) for key in _SHOWN)
    builder.add("".join(f"{key}: {value}\n" for key, value in told if value) + "\n")
    body = message.get_body(("html", "plain"))
    if body is not None:
        builder.document(_page(body, limits), "message")
    for part in _leaves(message):
        if part is not body:
            _attachment(part, builder, limits, depth)
    return builder.build(data)


def _leaves(part: MIMEPart) -> Iterator[MIMEPart]:
    """The parts that hold no others, but for the other forms of the message."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        yield part
        return
    is_choice = part.get_content_subtype() == "alternative"
    for inner in part.iter_parts():
        if not is_choice or inner.get_content_type() not in _TEXT:
            yield from _leaves(inner)


def _header(message: MIMEPart, key: str) -> str:
    try:
        return " ".join(str(message.get(key, "")).split())
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return ""  # broken beyond its parser


def _page(part: MIMEPart, limits: SourceLimits) -> Document:
    """The message itself."""
    try:
        text = str(part.get_content())
    except (LookupError, ValueError):  # an encoding that nobody knows
        text = _bytes(part).decode("utf-8", "replace")
    text = text.replace("\r\n", "\n")
    if part.get_content_subtype() == "html":
        return read_html(text, "message", size_bytes=len(text), limits=limits)
    return read_plain_text(text, "message", size_bytes=len(text))


def _attachment(part: MIMEPart, builder: TextBuilder, limits: SourceLimits, depth: int) -> None:
    """Add an attachment, or say why it was not read."""
    from veridical.sources.loader import load_document_bytes

    name = " ".join(str(part.get_filename() or "").split())
    try:
        if part.get_content_type() == "message/rfc822" and depth < _MOST_INSIDE:
            inner = part.get_content()
            name = name or f"{_header(inner, 'Subject') or 'message'}.eml"
            document = read_email(inner.as_bytes(), name, limits=limits, depth=depth + 1)
        elif not name and part.get_content_type() in _TEXT:  # as mailing lists put below
            builder.document(_page(part, limits), "message")
            return
        elif PurePath(name).suffix.lower() in NAMED:
            document = load_document_bytes(_bytes(part), name, limits=limits)
        else:
            builder.warn(f"Not read: attachment {name or part.get_content_type()}.")
            return
    except (DocumentParsingError, LookupError, ValueError) as error:
        builder.warn(f"Not read: attachment {error}")
    else:
        builder.document(document, f"attachment '{name}'")


def _bytes(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
