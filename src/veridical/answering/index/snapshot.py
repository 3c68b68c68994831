"""One state of the documents of an index, and what came of looking for the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from veridical.matching.embeddings import Embedder
from veridical.retrieval.chunks import Chunk, ChunkPolicy
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.kept import Content
from veridical.sources.loader import LoadFailure


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What looking at the files came to: counts of documents, and the files that have none.

    `removed` counts documents whose file is gone. `warnings` says what was wrong with where the
    index is kept, and was made good.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    failures: tuple[LoadFailure, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of the documents, which stays as it is. `version` counts from 1 in this process
    and goes up when a document comes, changes or goes. `failures` are the files that cannot be
    read.
    """

    corpus: Corpus
    failures: tuple[LoadFailure, ...]
    version: int


class IndexedCorpus(Corpus):
    """A corpus of documents that are cut already."""

    def __init__(
        self, contents: Sequence[Content], *, policy: ChunkPolicy, embedder: Embedder | None
    ) -> None:
        super().__init__((document for document, _ in contents), policy=policy, embedder=embedder)
        self._cut = tuple(chunk for _, chunks in contents for chunk in chunks)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks: documents in the order given, the chunks of each in that of its text."""
        return self._cut
