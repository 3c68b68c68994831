"""The sources that a model is shown: numbered from 1, bounded, without what is no evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.answering.evidence import Evidence
from veridical.judging.lines import sentences_of
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.hybrid import Hit

MAX_SOURCES = 8
MAX_SOURCE_CHARS = 2_400
MAX_TITLE_CHARS = 300
"""Bounds on what a model is shown; a source is cut between sentences."""


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source as a model is shown it, and as its statements are judged by.

    `sentences` are those that are shown, `indexes` their places in `chunk.sentences`, and `judged`
    is the chunk with these only: a model cannot have its statements borne out by words that it was
    not shown. `columns` are the titles of the table that the chunk is cut from, or empty.
    """

    number: int
    title: str
    section: str
    chunk: Chunk
    judged: Chunk
    indexes: tuple[int, ...]
    sentences: tuple[str, ...]
    columns: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The text as it is shown, in lines."""
        return (self.columns, *self.sentences) if self.columns else self.sentences


def shown_sources(hits: Sequence[Hit], evidence: Sequence[Evidence]) -> tuple[ShownSource, ...]:
    """The sources for a question: passages with evidence first, each content once.

    Struck text and what addresses a language model are not shown.
    """
    sources: list[ShownSource] = []
    seen: set[str] = set()
    for chunk in [*(one.chunk for one in evidence), *(hit.chunk for hit in hits)]:
        if len(sources) == MAX_SOURCES:
            break
        if chunk.sha256 in seen:
            continue
        seen.add(chunk.sha256)
        source = _shown(len(sources) + 1, chunk)
        if source is not None:
            sources.append(source)
    return tuple(sources)


def _shown(number: int, chunk: Chunk) -> ShownSource | None:
    sentences = [" ".join(sentence.split()) for sentence in sentences_of(chunk)]
    indexes: list[int] = []
    chars = 0
    for index, sentence in enumerate(sentences):
        chars += len(sentence) + 1
        if chars > MAX_SOURCE_CHARS:
            break
        if chunk.document.shown(chunk.sentences[index]).strip():
            indexes.append(index)
    if not indexes:
        return None
    head = chunk.table_head
    return ShownSource(
        number=number,
        title=_short(chunk.heading_path[0] if chunk.heading_path else chunk.document.name),
        section=_short(" > ".join(chunk.heading_path)),
        chunk=chunk,
        judged=replace(chunk, sentences=tuple(chunk.sentences[i] for i in indexes)),
        indexes=tuple(indexes),
        sentences=tuple(sentences[i] for i in indexes),
        columns=_short(chunk.document.shown(head)) if head is not None else "",
    )


def _short(title: str) -> str:
    return " ".join(title.split())[:MAX_TITLE_CHARS]
