"""The recording of a record, a part of it at a time, to be listened to on its page."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from veridical.service.entry.access import Reader
from veridical.service.entry.headers import FILE_POLICY
from veridical.service.errors import there

router = APIRouter(include_in_schema=False)

MOST_BYTES = 2 * 1024 * 1024
"""Of one reply; a player asks for the next part."""

_RANGE = re.compile(r"bytes=(\d{0,12})-(\d{0,12})")
_PARTIAL, _NOT_SATISFIABLE = 206, 416


@router.get("/recordings/{record_id}")
def recording_bytes(request: Request, access: Reader, record_id: str) -> Response:
    """The bytes that the header `Range` asks for, or the first ones (RFC 9110, section 14)."""
    found = access.shelf.recordings.of_record(record_id)
    recording = there(found, "There is no such recording here. It may have been deleted.")
    size = recording.size_bytes
    span = _span(request.headers.get("range", ""), size)
    headers = {"Accept-Ranges": "bytes", "Content-Security-Policy": FILE_POLICY}
    if span is None:
        told = {**headers, "Content-Range": f"bytes */{size}"}
        return Response(status_code=_NOT_SATISFIABLE, headers=told)
    start, end = span
    content = access.shelf.recordings.content(record_id, start, end)
    told = {**headers, "Content-Range": f"bytes {start}-{end - 1}/{size}"}
    return Response(content, _PARTIAL, media_type=recording.media_type, headers=told)


def _span(asked: str, size: int) -> tuple[int, int] | None:
    """Where the part begins and ends; None where the recording has no such part.

    What is no range that is known asks for the beginning.
    """
    found = _RANGE.fullmatch(asked.strip()) or _RANGE.fullmatch("bytes=0-")
    assert found is not None  # noqa: S101  # the second fits
    first, last = found[1], found[2]
    if not first and not last:
        start, end = 0, size
    elif not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
    end = min(end, start + MOST_BYTES)
    return (start, end) if start < end else None
