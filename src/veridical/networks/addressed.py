"""Text of a document that speaks to a language model: two looks at each sentence.

The linear model of `veridical.text.addressed` lets nearly all such text through, and few other
sentences. What it lets through is read by a small encoder, loaded when the first such sentence
comes, and both scores decide. How they were trained and what they find: `docs/model-card.md`.

What follows an order to a model in its paragraph is as foreign as the order itself ("tell everyone
that receipts are not needed"), and a paragraph of a block quotation that has one is left out as a
whole.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import fsum, isfinite
from pathlib import Path

from veridical.errors import ConfigurationError
from veridical.networks.pieces import WordPieces
from veridical.networks.session import INSTALL_AGAIN, onnx_session, run, safe
from veridical.text.addressed import MOST_CHARS, Gate, plain
from veridical.text.addressed import WEIGHTS as GATE
from veridical.text.shipped import check_file, read_file, unusable

WEIGHTS = Path(__file__).with_name("addressed.onnx")

MOST_PIECES = 62
"""Word pieces that are read at a time, besides the marks at their ends."""

_DECIMALS = 3
"""Logits are rounded to these: beyond them they depend on the processor."""


class Encoder:
    """The network with its tokenizer. `weights` is an ONNX file; the JSON file beside it, of the
    same name, has its threshold, its hash and its word pieces. Usable from several threads. Raises
    ConfigurationError where the files are missing or are not those of this version.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        path = weights.with_suffix(".json")
        try:
            card = json.loads(read_file(path))
            known = {piece: at for at, piece in enumerate(card["pieces"])}
            self._first, self._last = known["[CLS]"], known["[SEP]"]
            self._pieces = WordPieces(known)
            self.threshold, sha256 = float(card["threshold"]), str(card["sha256"])
        except (ValueError, KeyError, TypeError) as problem:
            raise unusable(path, "is damaged") from problem
        check_file(weights, sha256)
        try:
            self._session = onnx_session(str(weights), 1)
        except ConfigurationError:
            raise
        except Exception as problem:  # of no common class; the file is as released
            raise _failure("be loaded", problem) from problem

    def encode(self, text: str) -> list[list[int]]:
        """The word pieces of a text as they are read, one part after the other."""
        pieces = self._pieces.encode(safe(plain(text[:MOST_CHARS])))
        return [
            [self._first, *pieces[at : at + MOST_PIECES], self._last]
            for at in range(0, max(1, len(pieces)), MOST_PIECES)
        ]

    def score(self, text: str) -> float:
        """How much a text looks like one that speaks to a model, as a logit."""
        # One by one: in a batch they would share the scales of their int8 values.
        return max(round(self._logit(part), _DECIMALS) for part in self.encode(text))

    def _logit(self, pieces: list[int]) -> float:
        import numpy as np  # here, since hardly any document needs it

        try:
            (logits,) = run(self._session, ("speaks",), {"ids": np.array([pieces], np.int32)})
        except Exception as problem:  # of no common class; pieces are as the network takes them
            raise _failure("be run", problem) from problem
        return float(logits[0])


def _failure(what: str, problem: Exception) -> Exception:
    """Why the network cannot be used: for want of memory, or as ONNX Runtime says."""
    told = f"the network that tells orders to a model cannot {what}"
    if isinstance(problem, MemoryError) or "bad_alloc" in str(problem):
        return MemoryError(told)
    return ConfigurationError(f"{told} ({problem}). {INSTALL_AGAIN}")


@cache
def default_gate(path: Path = GATE) -> Gate:
    """The linear model, read once a process. Raises ConfigurationError where its file is missing or
    damaged.
    """
    try:
        card = json.loads(read_file(path))
        gate = Gate(**card)
        numbers = (gate.threshold, gate.alone, card["bias"], *card["weights"].values())
        is_sound = isfinite(fsum(numbers))
    except (ValueError, TypeError, AttributeError, OverflowError) as problem:
        raise unusable(path, "is damaged") from problem
    if not is_sound:
        raise unusable(path, "is damaged")
    return gate


def default_encoder() -> Encoder:
    """The shipped network, loaded once a process."""
    with _LOADING:
        return _loaded()


_LOADING = threading.Lock()
_loaded = cache(Encoder)

_FIRST = 2.0
"""What the gate's score counts for beside the encoder's: each is wrong about other texts. (With the
encoder's alone as many orders are found at twice as many false alarms.)
"""

MOST_READ = 1_000
"""Texts of a document that the encoder reads, some two seconds long: of ordinary documents it reads
three of a thousand sentences.
"""


@dataclass(slots=True)
class Reads:
    """How many texts of a document the encoder may still read; then words alone decide."""

    left: int = MOST_READ


def speaks(text: str, reads: Reads | None = None) -> bool:
    """Whether a text speaks to a model; without `reads`, as far as words tell."""
    gate = default_gate()
    if not gate.may_speak(text):
        return False
    first = gate.score(text)
    if reads is None or not reads.left:
        return first > gate.alone
    if first <= gate.threshold:
        return False
    reads.left -= 1
    return _FIRST * first + _score(text) > default_encoder().threshold


@lru_cache(maxsize=1_024)
def _score(text: str) -> float:
    """The encoder's score: a line may stand in many places."""
    return default_encoder().score(text)


def addressed(sentences: Sequence[str], reads: Reads | None = None, *, quoted: bool = False) -> int:
    """From which sentence of a paragraph on it speaks to a model; their number where none does.

    An order may need two sentences to be told. Of a quotation (`quoted`) all is foreign. Without
    `reads` the linear model decides alone: where no network is needed otherwise.
    """
    gate = default_gate()
    may = list(map(gate.may_speak, sentences))
    for at, sentence in enumerate(sentences):
        if may[at] and speaks(sentence, reads):
            return 0 if quoted else at
        before = sentences[at - 1] if at else ""
        if at and (may[at] or may[at - 1]) and speaks(f"{before} {sentence}", reads):
            # The first sentence may be the order, and the second what it is to say.
            starts = may[at - 1] and gate.score(before) > gate.score(sentence)
            return 0 if quoted else at - starts
    return len(sentences)
