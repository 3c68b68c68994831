"""The files of an index: found in folders, and looked at to tell which of them changed."""

from __future__ import annotations

import hashlib
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.errors import DocumentParsingError, NoDocumentsError
from veridical.retrieval.chunks import ChunkPolicy, chunk_document
from veridical.retrieval.kept import Content, KeptFile
from veridical.sources import loader
from veridical.sources.document import DEFAULT_LIMITS, SourceLimits
from veridical.sources.loader import LoadFailure, SourceEntry

_SETTLED_NS = 2_000_000_000
"""How old the times of a file are before they tell the next change: file systems count in steps of
up to two seconds, and two changes in one step look alike.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking at a file: its content, or that it holds what it held, or a failure.

    `state` is None where its bytes could not be read.
    """

    file: SourceEntry
    state: KeptFile | None = None
    content: Content | None = None
    failure: LoadFailure | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read and cut. `maker` tells it apart from other ways (`index_maker`)."""

    policy: ChunkPolicy
    limits: SourceLimits
    maker: str


def list_files(sources: Sequence[str]) -> tuple[list[SourceEntry], list[LoadFailure]]:
    """The files of sources in order, found and named as `load_documents` does, none of an empty
    folder; and the folders that could not be looked into.
    """
    entries: list[SourceEntry] = []
    for source in sources:
        try:
            entries.extend(loader.source_entries(source))
        except NoDocumentsError:
            continue
    files, failures = [], []
    for named in loader.with_unique_names(loader.without_repeats(entries)):
        if named.path.is_dir():
            failures.append(_refusal(named))
        else:
            files.append(named)
    return files, failures


def is_as_kept(file: SourceEntry, kept: KeptFile | None, reading: Reading) -> bool:
    """Whether a file can be taken as it is kept without being opened."""
    if kept is None or kept.modified_ns is None or not _is_made_alike(file, kept, reading):
        return False
    try:
        found = file.path.stat()
    except (OSError, ValueError):
        return False
    now = (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return (kept.size_bytes, kept.modified_ns, kept.changed_ns) == now


def look_at(file: SourceEntry, kept: KeptFile | None, reading: Reading) -> Finding:
    """Read the bytes of a file, and unless they are those that are kept, the document in them."""
    state = None
    try:
        modified_ns, changed_ns = _times_ns(file)
        data = loader.read_file(file.path, file.name, reading.limits)
        state = KeptFile(
            path=file.identity,
            name=file.name,
            size_bytes=len(data),
            modified_ns=modified_ns,
            changed_ns=changed_ns,
            sha256=hashlib.sha256(data).hexdigest(),
            made_by=reading.maker,
        )
        if kept is not None and _without_times(kept) == _without_times(state):
            return Finding(file, state)
        document = loader.load_document_bytes(
            data, file.name, suffix=file.path.suffix, limits=reading.limits
        )
    except DocumentParsingError as error:
        return Finding(file, state, failure=LoadFailure(file.name, str(error)))
    return Finding(file, state, (document, chunk_document(document, reading.policy)))


def _without_times(file: KeptFile) -> KeptFile:
    return replace(file, modified_ns=None, changed_ns=None)


def _times_ns(file: SourceEntry) -> tuple[int, int] | tuple[None, None]:
    """When a file was modified and changed last; None where a change to come could show the same.

    The first can be set, and is by what copies files; the second cannot. Looked up before the file
    is read, so that a change meanwhile shows the next time.
    """
    try:
        found = file.path.stat()
    except (OSError, ValueError):
        return None, None
    if not stat.S_ISREG(found.st_mode):
        raise DocumentParsingError(
            f"{file.name}: not a regular file: changes of it cannot be told. Save it as one."
        )
    times = found.st_mtime_ns, found.st_ctime_ns
    return times if max(times) + _SETTLED_NS <= time.time_ns() else (None, None)


def _is_made_alike(file: SourceEntry, kept: KeptFile, reading: Reading) -> bool:
    return (kept.name, kept.made_by) == (file.name, reading.maker)


def _refusal(entry: SourceEntry) -> LoadFailure:
    """Why a folder cannot be looked into."""
    try:
        entry.load(entry.name, DEFAULT_LIMITS)
    except DocumentParsingError as error:
        return LoadFailure(entry.name, str(error))
    return LoadFailure(entry.name, f"{entry.name}: the folder cannot be read.")
