"""Evidence for a question: sentences of retrieved passages, ranked by how well they answer it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from veridical.answering.evidence.match import Matrix, match_texts
from veridical.answering.evidence.wanted import (
    STRICT,
    TYPE_MET,
    names_wanted,
    said_by_type,
    says_directly,
    says_none,
)
from veridical.answering.question.asked import AskedQuestion
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.hybrid import Hit
from veridical.retrieval.tables.layout import Layout

MOST_EVIDENCE = 12
"""Sentences that are kept for a question."""

_MOST_SENTENCES = 400
"""Sentences of all passages together that are read."""

_SENTENCE, _IN_CONTEXT, _SUBJECT, _TYPE, _RANK = 0.2, 0.32, 0.28, 0.25, 0.13
"""What counts for a sentence: the question's words that it holds, those that its surroundings hold
too, its subject, that it names what is asked for, and the rank of its passage."""

_STRICT_TYPE, _DIRECT, _NONE = 0.06, 0.1, 0.2
"""What counts for it besides: where an amount is asked for, that it names one at all; that it says
directly what is asked ("it lasts 90 days"); and against it, that it says there is none of what is
measured ("no PTO is earned").
"""

_TITLES, _NEIGHBOUR, _CARRIED_ON = 0.7, 0.4, 0.9
"""What a word counts for that stands in the titles above, in the sentence before or after, or in
the one before a sentence that goes on with it ("It is finished within 30 days")."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a passage, and how well it answers the question.

    `index` counts in `chunk.sentences`. `text` is the sentence as a reader sees it, white space
    collapsed. `score` orders the evidence of one question, higher first. `above` is what stands
    above the sentence: titles, and the head of its table.
    """

    chunk: Chunk
    index: int
    text: str
    score: float
    above: str = ""


def find_evidence(asked: AskedQuestion, hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    """The sentences of passages that answer a question best, at most `MOST_EVIDENCE`, best first.

    Headings and questions are left out: they say what is spoken of, and nothing on it.
    """
    lines = _lines(hits)
    if not lines or not asked.words:
        return ()
    texts = [line.text for line in lines] + [line.titles for line in lines]
    matches = match_texts(asked.words, texts, asked.name_keys).weighing(asked.weights)
    inside, titles = matches.best[:, : len(lines)], matches.best[:, len(lines) :]
    named = [names_wanted(asked, line.text, line.titles) for line in lines]
    inside = inside.copy()
    inside[np.ix_(said_by_type(asked), named)] = TYPE_MET
    around = np.maximum(titles * _TITLES, _near(inside, lines))
    strict = asked.wanted in STRICT
    held, subject = matches.covered(inside), matches.subject.copy()
    for at in _going_on(lines):
        subject[at] = max(subject[at], subject[at - 1] * _CARRIED_ON)
    in_context = matches.covered(np.maximum(inside, around))
    found: list[Evidence] = []
    for at, line in enumerate(lines):
        if not line.tells:
            continue
        score = (
            _SENTENCE * held[at]
            + _IN_CONTEXT * in_context[at]
            + _SUBJECT * subject[at]
            + _TYPE * named[at]
            + _RANK / line.rank
        )
        if named[at]:
            score += _STRICT_TYPE * strict + _DIRECT * says_directly(asked, line.text)
        if strict:
            score -= _NONE * says_none(asked, line.text)
        found.append(
            Evidence(line.chunk, line.index, line.text, round(float(score), 6), line.titles)
        )
    return tuple(sorted(found, key=lambda one: -one.score)[:MOST_EVIDENCE])


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of a passage: `tells` is False for what only says what follows. `rank` is that of
    the passage among the hits.
    """

    chunk: Chunk
    index: int
    text: str
    titles: str
    tells: bool
    rank: int = 0


def _lines(hits: Iterable[Hit]) -> list[_Line]:
    lines = [
        replace(line, rank=rank) for rank, hit in enumerate(hits, 1) for line in _read(hit.chunk)
    ]
    return lines[:_MOST_SENTENCES]


_MOST_READ = 4_096
_already_read: dict[int, tuple[Chunk, tuple[_Line, ...]]] = {}
"""Passages that have been read, by identity: hashing one would take as long as reading it."""


def _read(chunk: Chunk) -> tuple[_Line, ...]:
    known = _already_read.get(id(chunk))
    if known is not None and known[0] is chunk:
        return known[1]
    if len(_already_read) >= _MOST_READ:
        _already_read.clear()
    lines = tuple(_lines_of(chunk))
    _already_read[id(chunk)] = chunk, lines
    return lines


def _lines_of(chunk: Chunk) -> Iterator[_Line]:
    titles, layout = titles_of(chunk), Layout(chunk)
    heads = {
        row: layout.plain(table.head)
        for table in layout.tables
        if table.head is not None
        for row in table.rows
    }
    for index, span in enumerate(chunk.sentences):
        text = " ".join(chunk.document.shown(span).split())
        if text:
            above = f"{titles} \n {heads[index]}" if index in heads else titles
            telling = tells(chunk, text) and not layout.is_head(index)
            yield _Line(chunk, index, text, above, telling)


def sentences_of(chunk: Chunk) -> dict[int, str]:
    """The sentences of a passage that say something, by index, on one line each."""
    return {line.index: line.text for line in _read(chunk)}


ABOVE = " \n "
"""What stands between titles."""


def titles_of(chunk: Chunk) -> str:
    """What stands above a passage: the name of its document, its headings, its table's head."""
    name = PurePosixPath(chunk.document.name).stem.replace("-", " ").replace("_", " ")
    head = chunk.document.shown(chunk.table_head) if chunk.table_head else ""
    return ABOVE.join((name, *chunk.heading_path, " ".join(head.split())))


def tells(chunk: Chunk, text: str) -> bool:
    """Whether a sentence can be an answer: it is no heading and no question."""
    plain = text.strip("#*_> ").rstrip("*_ ")
    return (
        plain not in chunk.heading_path and not plain.endswith("?") and any(map(str.isalnum, plain))
    )


_ON_THE_ONE_BEFORE = re.compile(r"(?:It|They|This|These|He|She)\b")
"""How a sentence begins that goes on with what the one before speaks of."""


def _going_on(lines: Sequence[_Line]) -> Iterator[int]:
    """The sentences that speak of what the one before them does, in order."""
    for at in range(1, len(lines)):
        same = lines[at].chunk is lines[at - 1].chunk
        if same and _ON_THE_ONE_BEFORE.match(lines[at].text):
            yield at


def _near(inside: Matrix, lines: Sequence[_Line]) -> Matrix:
    """What the words count for that the sentences before and after in the same passage hold."""
    near: Matrix = np.zeros_like(inside)
    going_on = frozenset(_going_on(lines))
    for at in range(1, len(lines)):
        if lines[at].chunk is lines[at - 1].chunk:
            back = _CARRIED_ON if at in going_on else _NEIGHBOUR
            near[:, at] = np.maximum(near[:, at], inside[:, at - 1] * back)
            near[:, at - 1] = np.maximum(near[:, at - 1], inside[:, at] * _NEIGHBOUR)
    return near
