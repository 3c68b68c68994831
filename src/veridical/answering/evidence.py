"""Evidence for a question: sentences of passages, with what stands above them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from veridical.retrieval.chunks import Chunk

ABOVE = " \n "
"""What stands between titles."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a passage, and how likely it answers the question.

    `index` counts in `chunk.sentences`. `text` is the sentence as a reader sees it, white space
    collapsed. `score` orders the evidence of one question, higher first. `above` is what stands
    above the sentence: titles, and the head of its table.
    """

    chunk: Chunk
    index: int
    text: str
    score: float
    above: str = ""


def titles_of(chunk: Chunk) -> str:
    """What stands above a passage: the name of its document, its headings, its table's head."""
    name = PurePosixPath(chunk.document.name).stem.replace("-", " ").replace("_", " ")
    head = chunk.document.shown(chunk.table_head) if chunk.table_head else ""
    return ABOVE.join((name, *chunk.heading_path, " ".join(head.split())))


ChunkKey = tuple[str, int]
"""A chunk, by the name of its document and its ordinal there."""


def key_of(chunk: Chunk) -> ChunkKey:
    """The key of a chunk."""
    return chunk.document.name, chunk.ordinal


def tells(chunk: Chunk, text: str) -> bool:
    """Whether a sentence can be an answer: it is no heading and no question."""
    plain = text.strip("#*_> ").rstrip("*_ ")
    return (
        plain not in chunk.heading_path and not plain.endswith("?") and any(map(str.isalnum, plain))
    )
