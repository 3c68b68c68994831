"""What replies tell the browser: load nothing from elsewhere, run nothing that is not ours, and
keep files, never show or run them.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from starlette.responses import Response

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "media-src 'self'; worker-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
FILE_POLICY = "sandbox; default-src 'none'"
"""Of files that somebody gave us: whatever they are, they do nothing."""

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    # With `no-referrer` a browser would call the origin of our own forms "null".
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "private, no-cache",
}
"""Of every reply that does not set them itself."""

MOST_NAME_CHARS = 200
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f-\x9f"\\/%;\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]'
)
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+(; charset=utf-8)?")
_UNKNOWN_TYPE = "application/octet-stream"
_ATTRIBUTE_CHARS = "!#$&+-.^_`|~"


def file_response(
    content: bytes, *, filename: str, media_type: str, headers: dict[str, str] | None = None
) -> Response:
    """A reply that is saved under `filename`, as far as that is harmless."""
    usable = media_type if _MEDIA_TYPE.fullmatch(media_type) else _UNKNOWN_TYPE
    told = {
        **(headers or {}),
        "Content-Disposition": attachment(filename),
        "Content-Security-Policy": FILE_POLICY,
    }
    return Response(content, media_type=usable, headers=told)


def attachment(filename: str) -> str:
    """The header `Content-Disposition` for a file of this name (RFC 6266): in ASCII for whoever
    knows no better, and in UTF-8.
    """
    stem, dot, suffix = filename.rpartition(".")
    kept = f"{stem[: MOST_NAME_CHARS - len(suffix) - 1]}{dot}{suffix}"[:MOST_NAME_CHARS]
    name = _UNSAFE.sub("_", kept).strip(" .") or "file"
    plain = name.encode("ascii", "replace").decode("ascii").replace("?", "_")
    exact = quote(name, safe=_ATTRIBUTE_CHARS)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"
