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

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
_ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime"})
_MOST_PARTS = 1_000
_MOST_INSIDE = 5
"""E-mails that may be inside each other."""


def read_email(
    data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS, depth: int = 0
) -> Document:
    """The text of an e-mail, its subject for a heading.

    Raises DocumentParsingError where it is none, is encrypted, has too many parts or no text.
    """
    builder = TextBuilder(name, Format.EMAIL, limits)
    try:
        message = message_from_bytes(data, policy=policy.default)
        parts = list(islice(message.walk(), _MOST_PARTS + 1))
    except RecursionError:
        raise builder.refuse("its parts are inside each other too deeply. Save it again.") from None
    if len(parts) > _MOST_PARTS:
        raise builder.refuse(f"it has more than {_MOST_PARTS:,} parts, the limit. Split it.")
    if not message.keys():
        raise builder.refuse("it has no header, so it is no e-mail. Save it again as EML.")
    if any(part.get_content_type() in _ENCRYPTED for part in parts):
        raise builder.refuse("it is encrypted. Decrypt it in your mail program and save that.")
    _headers(message, builder)
    body = message.get_body(("html", "plain"))
    page = _page(body, limits) if body is not None else None
    if page is not None:
        builder.document(page, "message")
    for part in _attached(message, body):
        _attachment(part, builder, limits, depth)
    return builder.build(data)


def _headers(message: MIMEPart, builder: TextBuilder) -> None:
    builder.place("message header")
    for key in _SHOWN:
        value = " ".join(_header(message, key).split())
        if value and key == "Subject":
            builder.heading(value, 1)
        elif value:
            builder.add(f"{key}: {value}\n")
    builder.add("\n")


def _header(message: MIMEPart, key: str) -> str:
    try:
        return str(message.get(key, ""))
    except (LookupError, TypeError, ValueError, AttributeError):  # broken beyond its parser
        return next((str(value) for name, value in message.raw_items() if name == key), "")


def _page(part: MIMEPart, limits: SourceLimits) -> Document | None:
    """The message itself; None where it holds nothing."""
    try:
        text = str(part.get_content())
    except (LookupError, ValueError):  # an encoding that nobody knows
        payload = part.get_payload(decode=True)
        text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    text = text.replace("\r\n", "\n").replace("\x00", "\ufffd")
    if not text.strip():
        return None
    if part.get_content_subtype() == "html":
        return read_html(text, "message", size_bytes=len(text), limits=limits)
    return read_plain_text(text, "message", size_bytes=len(text))


def _attached(part: MIMEPart, body: MIMEPart | None) -> Iterator[MIMEPart]:
    """What comes with the message: parts that are neither it nor another form of it."""
    kind = part.get_content_type()
    if part.is_multipart() and kind != "message/rfc822":
        for inner in part.iter_parts():
            if kind != "multipart/alternative" or inner.get_content_maintype() != "text":
                yield from _attached(inner, body)
    elif part is not body:
        yield part


def _attachment(part: MIMEPart, builder: TextBuilder, limits: SourceLimits, depth: int) -> None:
    """Add an attachment, or say why it was not read."""
    name = " ".join(str(part.get_filename() or "").split())
    inner = part.get_content() if part.get_content_type() == "message/rfc822" else None
    if inner is not None and not name:
        name = f"{' '.join(_header(inner, 'Subject').split()) or 'message'}.eml"
    try:
        document = _inner(part, inner, name, limits, depth)
    except (DocumentParsingError, LookupError, ValueError) as error:
        builder.warn(f"An attachment was not read: {error}")
    else:
        builder.document(document, f"attachment '{name}'")


def _inner(
    part: MIMEPart, inner: MIMEPart | None, name: str, limits: SourceLimits, depth: int
) -> Document:
    from veridical.sources.loader import load_document_bytes

    if inner is not None and depth < _MOST_INSIDE:
        return read_email(inner.as_bytes(), name, limits=limits, depth=depth + 1)
    if inner is not None or PurePath(name).suffix.lower() not in NAMED:
        raise DocumentParsingError(f"{name or part.get_content_type()}: of a kind not read there.")
    payload = part.get_payload(decode=True)
    return load_document_bytes(payload if isinstance(payload, bytes) else b"", name, limits=limits)
