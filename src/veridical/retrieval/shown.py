"""A sentence of a chunk as a reader sees it, on one line."""

from __future__ import annotations

from veridical.retrieval.chunks import Chunk
from veridical.text.normalize import LINE_END_HYPHEN


def collapse(text: str) -> str:
    """A text with every run of white space as one space, none at its ends."""
    return " ".join(text.split())


def sentence_text(chunk: Chunk, index: int) -> str:
    """Sentence `index` of a chunk as a reader sees it, its white space collapsed."""
    return collapse(chunk.document.shown(chunk.sentences[index]))


def plain_text(chunk: Chunk, index: int) -> str:
    """As `sentence_text`, words that are broken at a line's end joined: it may differ from what
    the chunk shows, and is never quoted.
    """
    return collapse(LINE_END_HYPHEN.sub("", chunk.document.shown(chunk.sentences[index])))


def is_heading(chunk: Chunk, index: int) -> bool:
    """Whether sentence `index` of a chunk is a title and no more."""
    sentence = chunk.sentences[index]
    section = chunk.document.section_at(sentence.start)
    return section is not None and sentence.start < section.heading.end
