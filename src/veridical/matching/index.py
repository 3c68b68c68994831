"""One document made ready for every kind of search. Each part is made once, when first needed."""

from __future__ import annotations

from functools import cached_property

from veridical.matching.embeddings import Embedder
from veridical.matching.passages import PassageIndex
from veridical.matching.semantic import SemanticIndex
from veridical.matching.titles import TitleIndex
from veridical.sources.document import Document
from veridical.text.folded import FoldedText
from veridical.text.reading import Reading


class DocumentIndex:
    """The searchable forms of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.folded = FoldedText(document)
        self._semantic: dict[tuple[int, int], SemanticIndex] = {}

    @cached_property
    def reading(self) -> Reading:
        """The text as a reader sees it."""
        return Reading(self.document)

    @cached_property
    def passages(self) -> PassageIndex:
        """Sentences by their words."""
        return PassageIndex(self.reading, self.folded)

    @cached_property
    def titles(self) -> TitleIndex:
        """Sections by title and number."""
        return TitleIndex(self.document)

    def semantic(self, embedder: Embedder, chunk_size: int, overlap: int) -> SemanticIndex:
        """Chunks by their embedding; sizes in characters."""
        key = (chunk_size, overlap)
        if key not in self._semantic:
            self._semantic[key] = SemanticIndex(self.reading, embedder, chunk_size, overlap)
        return self._semantic[key]
