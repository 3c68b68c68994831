"""What of a chunk is searched, and what the chunk keeps of its scores."""

from __future__ import annotations

from veridical.retrieval.chunks import Chunk

_TITLE_SHARE = 1e-3
"""What a heading with nothing below it keeps of its scores: it fits many claims and proves none."""


def searched_text(chunk: Chunk) -> str:
    """What a chunk is found by: its titles, the head of its table, and what it still says.

    Empty for a chunk that says nothing: all of it is struck through.
    """
    if not chunk.sentences:
        return ""
    document = chunk.document
    lines = [" ".join(chunk.heading_path)]
    if chunk.table_head:
        lines.append(document.shown(chunk.table_head))
    if document.struck:
        lines += map(document.shown, chunk.sentences)
    else:
        lines.append(chunk.text)
    return "\n".join(lines)


def kept_share(chunk: Chunk) -> float:
    """What a chunk keeps of its scores: nothing if it says nothing, little if it is a heading."""
    text = chunk.text
    if not chunk.sentences or not any(map(str.isalnum, text)):
        return 0.0
    is_title = bool(chunk.heading_path) and " ".join(text.split()) == chunk.heading_path[-1]
    return _TITLE_SHARE if is_title else 1.0
