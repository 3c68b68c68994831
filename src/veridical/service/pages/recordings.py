"""The recording of a record, a part of it at a time, to be listened to on its page."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from veridical.service.entry.access import Reader
from veridical.service.entry.headers import FILE_POLICY
from veridical.service.errors import there

router = APIRouter(include_in_schema=False)

PART_BYTES = 2 * 1024 * 1024
"""Of one reply to a range, after which a player asks for the next, and of one reading."""

_RANGE = re.compile(r"bytes=(\d{0,100})-(\d{0,100})")
_PARTIAL, _NOT_SATISFIABLE = 206, 416


@router.get("/recordings/{record_id}")
def recording_bytes(request: Request, access: Reader, record_id: str) -> Response:
    """The bytes that the header `Range` asks for; all where it asks for none that is known
    (RFC 9110, section 14).
    """
    found = access.shelf.recordings.of_record(record_id)
    recording = there(found, "There is no such recording here. It may have been deleted.")
    size = recording.size_bytes
    headers = {"Accept-Ranges": "bytes", "Content-Security-Policy": FILE_POLICY}
    span = _span(request.headers.get("range", ""), size)
    if span is None:
        parts = (
            access.shelf.recordings.content(record_id, at, min(at + PART_BYTES, size))
            for at in range(0, size, PART_BYTES)
        )
        told = {**headers, "Content-Length": str(size)}
        return StreamingResponse(parts, media_type=recording.media_type, headers=told)
    start, end = span
    if start >= end:
        told = {**headers, "Content-Range": f"bytes */{size}"}
        return Response(status_code=_NOT_SATISFIABLE, headers=told)
    content = access.shelf.recordings.content(record_id, start, end)
    told = {**headers, "Content-Range": f"bytes {start}-{end - 1}/{size}"}
    return Response(content, _PARTIAL, media_type=recording.media_type, headers=told)


def _span(asked: str, size: int) -> tuple[int, int] | None:
    """Where the part begins and ends; it is empty where the recording has no such part. None for
    what is no range that is known.
    """
    found = _RANGE.fullmatch(asked.strip())
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    elif last and int(last) < int(first):
        return None
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
    return start, min(end, start + PART_BYTES)
