"""Files as replies: to be kept by whoever asked, never to be shown or run by a browser."""

from __future__ import annotations

import re
from urllib.parse import quote

from starlette.responses import Response

from veridical.service.entry.headers import FILE_POLICY

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
