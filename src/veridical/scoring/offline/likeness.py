"""Words that say what a cue says without being its words.

Vectors tell what is near, never what agrees: "not under control" is nearer to "under control" than
"controlled" is. So they only confirm what the words show: those of the cue that carry meaning, in
their order, with nothing but empty words between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veridical.matching.embeddings import Embedder
from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.vocabulary import EMPTY_WORDS, FILLERS, PREPOSITIONS
from veridical.text.spoken import spoken_tokens
from veridical.text.tokens import word_key
from veridical.validation.conflicts import conflicts

SAME_COSINE = 0.85
"""From here on two phrases of the same words in other forms say the same.

By trial: "the search is now complete" 0.96, "established command" 0.86; "half a story" 0.85 has
another number, which `conflicts` sees.
"""

NEAR_COSINE = 0.7
"""From here on a person may want to look: "primary search underway" is no "search complete"."""

_MOST_EMPTY = 4
"""Empty words between two words that carry meaning."""

_ENDINGS = ("ing", "ed", "s", "")
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Near:
    """A sentence that resembles a phrase, which is not enough; `cosine` up to 1."""

    sentence: range
    cosine: float


@dataclass(frozen=True, slots=True)
class _Word:
    stem: str
    ending: str

    def agrees_with(self, other: _Word) -> bool:
        """The same word; done or being done, but not to be done: "establish" is an order."""
        if self.stem != other.stem:
            return False
        return self.ending == other.ending or {self.ending, other.ending} == {"ing", "ed"}


class Likeness:
    """Looks for what phrases say among the sentences of a transcript."""

    def __init__(self, heard: Heard, embedder: Callable[[], Embedder]) -> None:
        self._heard = heard
        self._embedder = embedder
        self._words = [_word(word) for word in heard.words]
        self._places: dict[str, list[int]] = {}
        for at, word in enumerate(self._words):
            self._places.setdefault(word.stem, []).append(at)

    def same(self, phrase: str, most: int) -> list[Place]:
        """The first places, at most so many, where a phrase is said in other forms of its words."""
        keys = _keys(phrase)
        wanted = [_word(key) for key in keys if key not in EMPTY_WORDS]
        if len(wanted) < 2:
            return []
        found: list[Place] = []
        for at in self._places.get(wanted[0].stem, ())[: most * most]:
            place = self._in_order(wanted, at)
            if place is not None and self._agrees(phrase, keys, place):
                found.append(place)
                if len(found) == most:
                    break
        return found

    def near(self, phrases: Sequence[str]) -> list[Near | None]:
        """For each phrase the sentence most like it, if one is like it and shares a word."""
        sentences = self._heard.sentences
        if not sentences or not phrases:
            return [None] * len(phrases)
        embedder = self._embedder()
        vectors = embedder.embed([self._heard.text(sentence) for sentence in sentences])
        found: list[Near | None] = []
        for begin in range(0, len(phrases), _BATCH):
            some = phrases[begin : begin + _BATCH]
            for phrase, row in zip(some, embedder.embed(some) @ vectors.T, strict=True):
                ranked = sorted(
                    (-round(float(row[at]), 6), at) for at in (row >= NEAR_COSINE).nonzero()[0]
                )
                best = next((pair for pair in ranked if self._share(phrase, pair[1])), None)
                found.append(best and Near(sentences[best[1]], -best[0]))
        return found

    def _in_order(self, wanted: Sequence[_Word], first: int) -> Place | None:
        """The place from word `first` on where the wanted words stand, empty ones between them."""
        at = first
        if not self._words[at].agrees_with(wanted[0]):
            return None
        for word in wanted[1:]:
            at += 1
            empty = 0
            while at < len(self._words) and self._is_empty(at) and empty < _MOST_EMPTY:
                at, empty = at + 1, empty + 1
            if at >= len(self._words) or not self._words[at].agrees_with(word):
                return None
        place = self._heard.place(first, at + 1)
        sentence = self._heard.sentences[self._heard.sentence_of(first)] if place else range(0)
        return place if at in sentence else None

    def _is_empty(self, at: int) -> bool:
        word = self._heard.words[at]
        return word in EMPTY_WORDS or word in FILLERS

    def _agrees(self, phrase: str, keys: Sequence[str], place: Place) -> bool:
        text = self._heard.text(place)
        there = self._heard.words[place.first : place.past]
        if [k for k in keys if k in PREPOSITIONS] != [k for k in there if k in PREPOSITIONS]:
            return False
        if conflicts(phrase, text) or conflicts(text, phrase):
            return False
        one, other = self._embedder().embed([phrase, text])
        return float(one @ other) >= SAME_COSINE

    def _share(self, phrase: str, sentence: int) -> bool:
        words = self._heard.sentences[sentence]
        there = {self._words[at].stem for at in words}
        return any(_word(key).stem in there for key in _keys(phrase) if key not in EMPTY_WORDS)


def _keys(phrase: str) -> list[str]:
    tokens = spoken_tokens(phrase)
    pairs: Iterator[tuple[int, int]] = zip(tokens.starts, tokens.ends, strict=True)
    return [word_key(phrase[start:end]) for start, end in pairs]


def _word(key: str) -> _Word:
    """A word without its ending, as far as that is told from its letters."""
    for ending in _ENDINGS:
        stem = key.removesuffix(ending)
        if len(stem) > 2 and key.endswith(ending) and not (ending == "s" and stem.endswith("s")):
            return _Word(stem.removesuffix("e") if len(stem) > 3 else stem, ending)
    return _Word(key, "")
