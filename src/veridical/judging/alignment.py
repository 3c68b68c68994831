"""A claim laid beside a passage, word by word: which words have a counterpart, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment_vectors import WordTable
from veridical.judging.alignment_words import Word, read_words, same_quantity
from veridical.judging.bounds import unbound_places
from veridical.judging.judge import Case

MAX_SENTENCES = 64
"""Sentences of a passage that are read."""

MAX_CLAIM_WORDS = 200

FIRM = 0.5
"""Match from which a word counts as having a counterpart."""

FAINT = 0.35
"""Match below which nothing in the passage stands for a word."""

_STEM_MATCH = 0.97
_COSINE_FROM, _COSINE_TO, _COSINE_WORTH = 0.3, 0.75, 0.9
Matrix = NDArray[np.float64]
Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Alignment:
    """The words of a claim against those of a passage.

    `claim` are the claim's content words (all its words where it has none), `claim_all` all;
    `passage` all words of the passage and `sentence_of` (passage,) the sentence of each. Matrices
    are (claim, passage): `exact` and `related` are 0 or 1, `cosine` is that of the vectors, 0 for
    numbers, and `match`, 0 to 1, is what all of them come to. Vectors (words, dimensions) are as
    long as the words weigh.

    Where a word stands is told by its index from 0: a place in `claim_all`, a row in `claim`, a
    column in `passage`. The `Word` itself does not tell: a word that is said twice may be one
    object, or two that are equal.
    """

    claim: tuple[Word, ...]
    claim_all: tuple[Word, ...]
    passage: tuple[Word, ...]
    sentence_of: NDArray[np.int64]
    sentences: int
    claim_weight: Matrix
    passage_weight: Matrix
    claim_vectors: Vectors
    passage_vectors: Vectors
    exact: Matrix
    related: Matrix
    cosine: Matrix
    match: Matrix

    @cached_property
    def place_of(self) -> tuple[int, ...]:
        """The place in `claim_all` of each row: (claim,), rising."""
        return _content_places(self.claim_all)

    @cached_property
    def row_of(self) -> tuple[int | None, ...]:
        """The row of each place in `claim_all`, None where `claim` has not the word:
        (claim_all,).
        """
        rows = {place: row for row, place in enumerate(self.place_of)}
        return tuple(rows.get(place) for place in range(len(self.claim_all)))

    def rows_at(self, places: Iterable[int]) -> list[int]:
        """The rows of some places in `claim_all`, but for those that have none."""
        return [row for place in places if (row := self.row_of[place]) is not None]

    def rows_before(self, place: int) -> list[int]:
        """All rows in front of a place in `claim_all`, the nearest last."""
        return self.rows_at(range(place))

    def rows_behind(self, place: int) -> list[int]:
        """All rows behind a place in `claim_all`, the nearest first."""
        return self.rows_at(range(place + 1, len(self.claim_all)))

    @cached_property
    def unbound(self) -> tuple[int, ...]:
        """The places in `claim_all` of words that do not bound a number, rising."""
        return tuple(unbound_places(self.claim_all))

    @cached_property
    def sentence_at(self) -> list[int]:
        """`sentence_of` as plain numbers, which are read one by one in a third of the time."""
        at: list[int] = self.sentence_of.tolist()
        return at

    @cached_property
    def content(self) -> NDArray[np.bool_]:
        """Which passage words are content words: (passage,)."""
        return np.array([word.content for word in self.passage])

    @cached_property
    def raw(self) -> Matrix:
        """1 for related words, else the cosine."""
        return np.maximum(self.related, self.cosine)

    def by_sentence(self, matrix: Matrix) -> Matrix:
        """The best counterpart of each claim word in each sentence: (claim, sentences)."""
        best: Matrix = np.zeros((len(self.claim), self.sentences))
        filled = self.sentence_of[self.begins]
        best[:, filled] = np.maximum.reduceat(matrix, self.begins, axis=1)
        return best

    @cached_property
    def begins(self) -> NDArray[np.int64]:
        """The first word of each sentence that has words: (sentences,)."""
        first = np.ones(len(self.sentence_of), bool)
        first[1:] = self.sentence_of[1:] != self.sentence_of[:-1]
        begins: NDArray[np.int64] = np.flatnonzero(first)
        return begins

    @cached_property
    def matched(self) -> Matrix:
        """`match` by sentence."""
        return self.by_sentence(self.match)

    @cached_property
    def held(self) -> Matrix:
        """The best match of each claim word anywhere in the passage: (claim,)."""
        best: Matrix = self.match.max(axis=1)
        return best

    @cached_property
    def is_held(self) -> list[bool]:
        """Whether the claim has each word of the passage, or one that means the same and has no
        nearer counterpart: what "euros" stands for is not "EU" as well.
        """
        ours = {word.key for word in self.claim_all}
        free = ~self.related.any(axis=1)
        related = self.related.any(axis=0)
        near = np.logical_or(related, (self.match[free] >= FIRM).any(axis=0)).tolist()
        return [
            one if word.content else word.key in ours
            for word, one in zip(self.passage, near, strict=True)
        ]

    def covered(self, best: Matrix) -> Matrix:
        """The weighted share of the claim for matches (claim,) or (claim, n)."""
        share: Matrix = self.claim_weight @ best / self._whole_weight
        return share

    @cached_property
    def _whole_weight(self) -> np.float64:
        return np.float64(self.claim_weight.sum())

    @cached_property
    def best_sentence(self) -> int:
        """The sentence that covers most of the claim; the first of equals that has words."""
        filled = self.sentence_of[self.begins]
        return int(filled[np.argmax(np.round(self.covered(self.matched[:, filled]), 9))])

    @cached_property
    def in_best(self) -> NDArray[np.bool_]:
        """Which passage words are in the best sentence: (passage,)."""
        inside: NDArray[np.bool_] = self.sentence_of == self.best_sentence
        return inside


@lru_cache(maxsize=1 << 14)
def read_keys(sentence: str) -> tuple[str, ...]:
    """The keys of the words of a sentence: each is asked for once for each of its claims."""
    return tuple(word.key for word in read_words(sentence))


def words_of(cases: Sequence[Case]) -> set[str]:
    """All words of claims and passages, as a table of vectors needs them."""
    keys: set[str] = set()
    for case in cases:
        keys.update(read_keys(case.claim))
        for sentence in case.sentences[:MAX_SENTENCES]:
            keys.update(read_keys(sentence))
    return keys


def align(case: Case, vectors: WordTable) -> Alignment | None:
    """A claim beside its passage; None where one of them has no words."""
    claim_all = read_words(case.claim)[:MAX_CLAIM_WORDS]
    claim = tuple(claim_all[place] for place in _content_places(claim_all))
    sentences = [read_words(sentence) for sentence in case.sentences[:MAX_SENTENCES]]
    passage = tuple(word for sentence in sentences for word in sentence)
    if not claim or not passage:
        return None
    sentence_of = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
    c = np.array([vectors.rows[word.key] for word in claim])
    p = np.array([vectors.rows[word.key] for word in passage])
    numbers = np.array([word.number is not None for word in claim])
    counted = np.array([word.number is not None for word in passage])
    exact = (c[:, None] == p[None, :]).astype(np.float64)
    alike = vectors.stems[c][:, None] == vectors.stems[p][None, :]
    alike |= vectors.beginnings[c][:, None] == vectors.beginnings[p][None, :]
    related = alike.astype(np.float64)
    if numbers.any() or counted.any():
        _quantities(claim, passage, exact, related)
    ours, theirs = vectors.unit[c], vectors.unit[p]
    cosine = (ours @ theirs.T).astype(np.float64)
    cosine[numbers[:, None] | counted[None, :]] = 0.0
    meant = np.clip((cosine - _COSINE_FROM) / (_COSINE_TO - _COSINE_FROM), 0.0, 1.0)
    match = np.maximum(related * _STEM_MATCH + exact * (1 - _STEM_MATCH), meant * _COSINE_WORTH)
    return Alignment(
        claim, claim_all, passage, sentence_of, len(sentences),
        vectors.weight[c], vectors.weight[p],
        ours * vectors.weight[c, None].astype(np.float32),
        theirs * vectors.weight[p, None].astype(np.float32),
        exact, related, cosine, match,
    )  # fmt: skip


def _content_places(words: Sequence[Word]) -> tuple[int, ...]:
    """The places of the content words; of all words where there are none."""
    return tuple(at for at, word in enumerate(words) if word.content) or tuple(range(len(words)))


def _quantities(
    claim: Sequence[Word], passage: Sequence[Word], exact: Matrix, related: Matrix
) -> None:
    """Set what the matrices say of numbers: only equal quantities are counterparts."""
    counted = [column for column, word in enumerate(passage) if word.number is not None]
    exact[:, counted] = related[:, counted] = 0.0
    for row, word in enumerate(claim):
        if word.number is None:
            continue
        exact[row] = related[row] = 0.0
        for column in counted:
            same = float(same_quantity(word, passage[column]))
            exact[row, column] = related[row, column] = same
