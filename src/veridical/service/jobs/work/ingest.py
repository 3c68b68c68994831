"""The work of a job of the kind `ingest`: read a file that was given, and keep what is in it."""

from __future__ import annotations

from dataclasses import replace

from veridical.errors import ConflictError
from veridical.service.jobs.work.reading import read_isolated
from veridical.service.jobs.workers import Doing
from veridical.sources.limits import DEFAULT_LIMITS
from veridical.store.library import UploadState


def work(doing: Doing) -> None:
    """Have the upload read within the limits of one document, cut into chunks, and kept."""
    documents = doing.shelf.documents
    upload = documents.upload(doing.job.subject_id)
    if upload is None:
        raise ConflictError("The document was deleted before it was read.")
    if upload.state is UploadState.READY:
        return
    content = documents.upload_content(upload.id)
    if content is None:
        raise ConflictError("The file was taken away before it was read.")
    doing.tell(0, 2, "reading the file")
    limits = replace(DEFAULT_LIMITS, max_bytes=doing.settings.max_upload_bytes)
    read = read_isolated(content, upload.filename, limits)
    doing.tell(1, 2, "keeping what was read")
    documents.put_read(upload.id, read.document, read.chunks)
    doing.tell(2, 2, "kept")
