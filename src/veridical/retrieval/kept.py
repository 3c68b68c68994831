"""What is kept of documents between runs: chunks, and which files they were read from."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document

Content = tuple[Document, tuple[Chunk, ...]]
"""A document and its chunks, in order."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file whose document is kept, as it was when it was read.

    `path` tells files apart, `name` is what the document is called. `modified_ns` and `changed_ns`
    are the times when its bytes were modified and its inode was changed, in nanoseconds since 1970,
    None where they would not tell a later change. `sha256` is of its bytes, in hex. `made_by` tells
    what read and cut it (`answering.index.maker`).
    """

    path: str
    name: str
    size_bytes: int
    modified_ns: int | None
    changed_ns: int | None
    sha256: str
    made_by: str


@dataclass(frozen=True, slots=True)
class KeptIndex:
    """An index of a database: the workspace that holds it, and what it is of.

    With `keeps_versions` what a document said before stays as an earlier version of it, for ledgers
    that quote it; the workspace may hold other documents too.
    """

    workspace: str
    sources: tuple[str, ...]
    keeps_versions: bool = False
