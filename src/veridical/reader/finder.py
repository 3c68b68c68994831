"""The finder: which lines of documents say what a question asks, compared piece by piece.

Question and line are read apart, each piece of them becoming a vector that knows what stands around
it. A line's score is how near, for each piece of the question, its nearest piece of the line comes,
weighed by how much the question hangs on that piece. A line is read once and compared with any
number of questions. Source: Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search
via Contextualized Late Interaction over BERT, SIGIR 2020; the weights of the pieces are ours.
How it was trained and what it is worth: `docs/model-card.md`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.networks.session import onnx_session, run
from veridical.reader.model import Reader, default_reader
from veridical.reader.windows import Pieces
from veridical.text.shipped import check_file

_CLS, _SEP, _ASKS, _TELLS, _STOP = 101, 102, 1, 2, 1012
"""The marks around a text, those that say what it is, and the full stop behind its titles."""

_MOST_QUESTION_PIECES = 48
_MOST_LINE_PIECES = 112
_MOST_HEADING_PIECES, _MOST_LEAD_IN_PIECES = 24, 40

_WHOLE = 127
"""Vectors are kept as whole numbers of so many to one: a fourth of the memory, and how near two of
them are does not depend on the order in which it is summed up.
"""

_MOST_REMEMBERED = 700_000
"""Pieces of lines that are remembered: 67 MB."""

_DECIMALS = 4
"""Scores are rounded to these: beyond them they depend on the processor."""

Vectors = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Told:
    """A line with what it is not understood without: the titles above, and what introduces it."""

    text: str
    heading: str = ""
    lead_in: str = ""


def question_ids(pieces: Pieces) -> Pieces:
    """The pieces of a question as the network reads them."""
    return (_CLS, _ASKS, *pieces[:_MOST_QUESTION_PIECES], _SEP)


def line_ids(text: Pieces, heading: Pieces, lead_in: Pieces) -> Pieces:
    """The pieces of a line as the network reads them: behind its titles and what introduces it."""
    titles = (*heading[-_MOST_HEADING_PIECES:], _STOP) if heading else ()
    ids = (_CLS, _TELLS, *titles, *lead_in[:_MOST_LEAD_IN_PIECES], *text)
    return (*ids[: _MOST_LINE_PIECES - 1], _SEP)


class Finder:
    """The network, loaded on first use and kept for the process; it remembers lines.

    Usable from several threads. Its pieces are those of the reader. Raises ConfigurationError where
    its file is missing or is not the one that this version was released with.
    """

    def __init__(self, reader: Reader | None = None, *, threads: int = 1) -> None:
        self._reader = reader or default_reader()
        self._threads = threads
        self._lock = threading.Lock()
        self._session: Any = None
        self._lines: dict[Told, Vectors] = {}
        self._held = 0

    def scores(self, question: str, lines: Sequence[Told]) -> NDArray[np.float64]:
        """How well each line answers, about 0 to 1: (lines,). Of one question they can be compared
        with each other; those of another are higher or lower all together.
        """
        if not lines:
            return np.zeros(0)
        vectors, weights = self._question(question)
        known = [self._line(line) for line in lines]
        starts = np.cumsum([0, *map(len, known[:-1])])
        near = vectors.astype(np.float32) @ np.concatenate(known).astype(np.float32).T
        nearest = np.maximum.reduceat(near, starts, axis=1) / _WHOLE**2
        return np.asarray(np.round(weights @ nearest.astype(np.float64), _DECIMALS))

    def _question(self, text: str) -> tuple[Vectors, NDArray[np.float64]]:
        (pieces,) = self._reader.encode([text])
        vectors, weights = self._run(question_ids(pieces), is_line=False)
        heavy = np.exp(weights.astype(np.float64) - weights.max())
        return _whole(vectors), heavy / heavy.sum()

    def _line(self, line: Told) -> Vectors:
        known = self._lines.get(line)
        if known is not None:
            return known
        text, heading, lead_in = self._reader.encode([line.text, line.heading, line.lead_in])
        vectors, _ = self._run(line_ids(text, heading, lead_in), is_line=True)
        known = _whole(vectors)
        with self._lock:
            self._held += len(known)
            if self._held > _MOST_REMEMBERED:
                self._lines, self._held = {}, len(known)
            self._lines[line] = known
        return known

    def _run(self, ids: Pieces, *, is_line: bool) -> list[NDArray[np.float32]]:
        with self._lock:
            if self._session is None:
                path: Path = self._reader.folder / "finder.onnx"
                check_file(path, self._reader.card.finder)
                self._session = onnx_session(str(path), self._threads)
        feed = {"ids": np.array([ids], np.int32), "is_line": np.array(is_line)}
        return [row for (row,) in run(self._session, ("vectors", "weights"), feed)]


def _whole(vectors: NDArray[np.float32]) -> Vectors:
    return np.rint(vectors * _WHOLE).astype(np.int8)


@lru_cache(maxsize=1)
def default_finder() -> Finder:
    """The shipped finder, made once a process."""
    return Finder()
