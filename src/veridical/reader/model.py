"""The reader itself: pieces of two texts in, what one says of the other out, on this machine.

A cross-encoder of twelve layers and 384 dimensions with int8 weights. It has three heads: whether
an evidence supports or refutes a claim, whether a passage answers a question, and which of its
words decide either. How it was trained and what it is worth: `docs/model-card.md`.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.networks.pieces import WordPieces
from veridical.networks.session import cores, onnx_session, run, safe
from veridical.text.shipped import check_file, read_file, unusable

_FOLDER = Path(str(files("veridical.reader"))) / "weights"
_CLS, _SEP = 101, 102
_VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""Of the vocabulary of BERT uncased, which all weights are trained with."""

_DECIMALS = 3
"""Logits are rounded to these: beyond them they depend on the processor."""

_LEVELS = ("strict", "balanced", "lenient", "partial", "contradicts", "answers")
"""The thresholds of a card."""

_OUTPUTS = ("verdict", "relevance", "deciding")

Logits = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader says of pairs, before calibration.

    `verdict` are logits of not enough, supported and refuted (pairs, 3), `relevance` those of
    answering a question (pairs,), and `deciding`, for each pair, those of the pieces of its second
    text: whether they stand in what decides (pieces,).
    """

    verdict: Logits
    relevance: Logits
    deciding: tuple[Logits, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What is stored beside the weights: their hash, and how their logits are to be read.

    `slope` and `intercept` calibrate the logit of supported against the rest, `against_slope` and
    `against_intercept` that of refuted. `answer_found` and what follows it calibrate what is known
    of a line that was read for a question to whether it is the answer and none of its rivals: its
    score by the finder, whose file has the hash `finder`, how far that is behind the best, its
    relevance, and its nearness. Thresholds are calibrated probabilities: of support for each
    operating point, of refutation, and that what is told is an answer.
    """

    version: str
    sha256: str
    finder: str
    slope: float
    intercept: float
    against_slope: float
    against_intercept: float
    strict: float
    balanced: float
    lenient: float
    partial: float
    contradicts: float
    answer_found: float
    answer_behind: float
    answer_relevance: float
    answer_nearness: float
    answer_intercept: float
    answers: float


class Reader:
    """The network with its tokenizer, loaded on first use and kept for the process.

    Usable from several threads. Raises ConfigurationError where the weights are missing or are
    not those that this version was released with.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 1) -> None:
        self.folder = folder or _FOLDER
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[WordPieces, Any] | None = None
        self.card = _read_card(self.folder)

    def encode(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The word pieces of texts, without marks at their ends."""
        tokenizer, _ = self._load()
        return [tokenizer.encode(safe(text)) for text in texts]

    def read(self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Reading:
        """What is said of each pair of pieces: (claim, evidence) or (question, passage)."""
        _, session = self._load()

        def one(pair: tuple[Sequence[int], Sequence[int]]) -> list[Any]:
            first, second = pair
            ids = np.array([[_CLS, *first, _SEP, *second, _SEP]], np.int32)
            kinds = np.zeros_like(ids)
            kinds[:, len(first) + 2 :] = 1
            return [row for (row,) in run(session, _OUTPUTS, {"ids": ids, "kinds": kinds})]

        # One by one: in a batch they would share the scales of their int8 values, so that each
        # would be read differently beside others, and no sooner. On each processor one, though.
        threads = min(cores(), len(pairs)) if self._threads == 1 else 1
        if threads > 1:
            with ThreadPoolExecutor(threads, "veridical-reader") as pool:
                read = list(pool.map(one, pairs))
        else:
            read = list(map(one, pairs))
        verdict, relevance = np.zeros((len(pairs), 3)), np.zeros(len(pairs))
        deciding = []
        for row, ((first, _), (said, bears, each)) in enumerate(zip(pairs, read, strict=True)):
            verdict[row], relevance[row] = said, bears
            deciding.append(np.round(each[len(first) + 2 : -1].astype(float), _DECIMALS))
        return Reading(
            np.round(verdict, _DECIMALS), np.round(relevance, _DECIMALS), tuple(deciding)
        )

    def _load(self) -> tuple[WordPieces, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _tokenizer(self.folder), self._session()
            return self._loaded

    def _session(self) -> Any:
        path = self.folder / "reader.onnx"
        check_file(path, self.card.sha256)
        # By its path: a session that is made of bytes keeps them, 34 MB beside its own copy.
        return onnx_session(str(path), self._threads)


def _tokenizer(folder: Path) -> WordPieces:
    check_file(folder / "vocab.txt", _VOCABULARY_SHA256)
    words = read_file(folder / "vocab.txt").decode("utf-8").split("\n")
    return WordPieces({word: i for i, word in enumerate(words) if word})


def _read_card(folder: Path) -> Card:
    path = folder / "card.json"
    try:
        card = Card(**json.loads(read_file(path)))
    except (ValueError, TypeError, RecursionError) as problem:
        raise unusable(path, "is damaged") from problem
    values = [getattr(card, field.name) for field in fields(card)[3:]]
    if not all(isinstance(value, (int, float)) and math.isfinite(value) for value in values):
        raise unusable(path, "is damaged")
    if not all(0 < getattr(card, name) < 1 for name in _LEVELS):
        raise unusable(path, "is damaged")
    return card


@lru_cache(maxsize=1)
def default_reader() -> Reader:
    """The shipped reader, made once a process."""
    return Reader()
