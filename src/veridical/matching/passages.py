"""The passages of a document that a claim may mean: by its words, by titles, by the sense.

By words, in any order: every sentence is a passage. Those that share rare words with the claim are
scored with rapidfuzz's token set ratio, bounded by the share of the claim's words that stand in the
passage, so that a passage never bears out words that it does not have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from veridical.matching.embeddings import Embedder
from veridical.sources.document import Document, Section, Span
from veridical.text.folded import FoldedChunk, FoldedText, sorted_unique
from veridical.text.lexicon import english
from veridical.text.normalize import encode, fold
from veridical.text.reading import Reading

STOP_WORDS = english("articles", "be", "prepositions") - {"am"} | frozenset(
    "and as be been has have it its or that their this will".split()
)

_STEM = 5
_SAME_STEM = 0.8
_MIN_SCORE = 0.4
"""Passages less similar than this are not reported."""

_LONG, _MORE = 2, 40
"""A passage longer than twice the claim and 40 characters is narrowed to its best part."""

_WIDTH = 1.5
"""Lengths of the claim that such a part may have."""

_TRIED = 8
_WIDENED = 3
"""Sentences that are also tried together with their neighbours."""

_TRIED_CONCEPTS = 16
_MAX_CONCEPT_WORDS = 4
_SPACE = 32
_PLACES = np.uint64(256) ** np.arange(_STEM, dtype=np.uint64)
_OWNER_BITS = np.uint64(64 - 8 * _STEM)
_OWNER = np.uint64((1 << (64 - 8 * _STEM)) - 1)
"""A posting: the key of a stem, and below it the sentence; 24 bits are 16 million sentences."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a document with its similarity to a claim, 0 to 1."""

    document: Document
    span: Span
    similarity: float


class PassageIndex:
    """The sentences of one document, found by the words they hold. Made once, on first use."""

    def __init__(self, reading: Reading, folded: FoldedText) -> None:
        self.reading = reading
        self._bounds: NDArray[np.int32] = np.fromiter(
            chain.from_iterable(reading.sentences()), np.int32
        ).reshape(-1, 2)
        starts = reading.to_source_starts(self._bounds[:, 0])
        postings = np.empty(sum(c.codes.count(b" ") + 1 for c in folded.chunks(0)), np.uint64)
        at = 0
        for chunk in folded.chunks(0):
            keys, offsets = _stems(chunk)
            owners = np.maximum(np.searchsorted(starts, offsets, side="right") - 1, 0)
            keys <<= _OWNER_BITS
            keys |= owners.astype(np.uint64)
            postings[at : at + len(keys)] = keys
            at += len(keys)
        self._build(postings[:at])

    def _build(self, postings: NDArray[np.uint64]) -> None:
        """Postings: for each stem the sentences that hold it, from a key above and an owner below.

        One array, sorted in its place: copies would take several times the memory.
        """
        postings.sort()
        self._postings = np.empty(len(postings), np.int32)
        np.bitwise_and(postings, _OWNER, out=self._postings, casting="unsafe")
        postings >>= _OWNER_BITS
        first = np.ones(len(postings), np.bool_)
        np.not_equal(postings[1:], postings[:-1], out=first[1:])
        firsts = np.flatnonzero(first).astype(np.int32)
        self._keys = postings[firsts]
        self._ends = np.append(firsts[1:], np.int32(len(postings)))
        self._weights = np.log1p(len(self._bounds) / np.maximum(self._ends - firsts, 1))

    def _bound(self, index: int) -> tuple[int, int]:
        start, end = self._bounds[index].tolist()
        return start, end

    def best(self, claim: str, most: int) -> list[Passage]:
        """Up to `most` passages that hold the claim's words, most similar first.

        A passage is a sentence, or two neighbours where they hold more of the claim together.
        """
        folded = fold(claim)
        words = content_words(folded)
        passages: dict[tuple[int, int], float] = {}
        scored = [
            (self._score(*self._bound(index), folded, words), -index)
            for index in self._candidates(words, _TRIED)
        ]
        for rank, (score, index) in enumerate(sorted(scored, reverse=True)):
            found = (*self._bound(-index), score)
            if found[1] - found[0] > _LONG * len(folded) + _MORE:
                if rank >= _WIDENED:
                    continue
                found = self._narrowed(*found[:2], folded, words)
            elif rank < _WIDENED:
                found = self._widened(-index, score, folded, words)
            passages[found[:2]] = max(found[2], passages.get(found[:2], 0.0))
        ranked = sorted(
            ((bounds, score) for bounds, score in passages.items() if score > 0),
            key=lambda item: (-item[1], item[0]),
        )
        return [self._passage(start, end, score) for (start, end), score in ranked[:most]]

    def mentions(self, concept: str, most: int) -> list[Passage]:
        """Up to `most` places where a short concept is named, or a word of its stem, best first."""
        words = fold(concept).split()
        if not 0 < len(words) <= _MAX_CONCEPT_WORDS:
            return []
        found: list[Passage] = []
        for index in self._candidates(words, max(most, _TRIED_CONCEPTS)):
            mention = self._mention(index, words)
            if mention is not None:
                found.append(mention)
        return sorted(found, key=lambda p: (-p.similarity, p.span))[:most]

    def _candidates(self, words: Sequence[str], most: int) -> list[int]:
        """Sentences by the summed weight of the claim's words in them, best first."""
        wanted = sorted_unique(np.array([_key(word) for word in words], np.uint64))
        if not len(wanted) or not len(self._keys):
            return []
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        ids = at[self._keys[at] == wanted].tolist()
        if not ids:
            return []
        scores = np.zeros(len(self._bounds))
        for word in ids:
            owners = self._postings[self._ends[word - 1] if word else 0 : self._ends[word]]
            scores[owners] += self._weights[word]
        top = np.argpartition(-scores, min(most, len(scores) - 1))[:most]
        top = top[np.lexsort((top, -scores[top]))]
        return [int(index) for index in top if scores[index] > 0]

    def _widened(
        self, index: int, score: float, folded: str, words: Sequence[str]
    ) -> tuple[int, int, float]:
        """The sentence, or it and a neighbour where the claim is clearly more like both."""
        start, end = self._bound(index)
        best = (start, end, score)
        if end - start >= len(folded) * 1.5:
            return best
        for first, last in ((index - 1, index), (index, index + 1)):
            if first < 0 or last >= len(self._bounds):
                continue
            low, high = self._bound(first)[0], self._bound(last)[1]
            score = self._score(low, high, folded, words)
            if score > best[2] + 0.05:
                best = (low, high, score)
        return best

    def _narrowed(
        self, start: int, end: int, folded: str, words: Sequence[str]
    ) -> tuple[int, int, float]:
        """The stretch of a long passage that holds most of the claim; words all over it say less.

        Tables and texts without full stops have passages that hold any words in any order.
        """
        stems = set(map(stem, words))
        text = self.reading.text[start:end]
        held = [
            (key, found.start(), found.end())
            for found in _WORD.finditer(text)
            if (key := stem(_fold_word(found.group()))) in stems
        ]
        if not held:
            return start, end, 0.0
        width = _WIDTH * len(folded)
        best = most = after = 0
        inside: Counter[str] = Counter()
        for at, (key, begin, _) in enumerate(held):
            while after < len(held) and held[after][2] - begin <= width:
                inside[held[after][0]] += 1
                after += 1
            if len(inside) > most:
                best, most = at, len(inside)
            if after > at:
                inside[key] -= 1
                inside += Counter()  # without those that are not inside any more
            after = max(after, at + 1)
        low = held[best][1]
        high = max(e for _, _, e in held[best:] if e - low <= max(width, held[best][2] - low))
        return start + low, start + high, self._score(start + low, start + high, folded, words)

    def _score(self, start: int, end: int, folded: str, words: Sequence[str]) -> float:
        passage = fold(self.reading.text[start:end])
        similarity = fuzz.token_set_ratio(folded, passage, score_cutoff=100 * _MIN_SCORE) / 100
        return min(similarity, coverage(words, passage)) if similarity else 0.0

    def _mention(self, index: int, words: Sequence[str]) -> Passage | None:
        start, end = self._bound(index)
        text = self.reading.text[start:end]
        present = fold(text).split()
        if not all(any(_inflected(word, other) for other in present) for word in words):
            return None
        spans: list[tuple[int, int]] = []
        total = 0.0
        for word in words:
            scored = [
                (fuzz.ratio(word, folded), -found.start(), found.span())
                for found in _WORD.finditer(text)
                if (folded := _fold_word(found.group())).startswith(word[:1])
            ]
            ratio, _, span = max(scored, default=(0.0, 0, (0, 0)))
            if ratio < 100 * _SAME_STEM:
                return None
            spans.append(span)
            total += ratio
        low, high = min(s for s, _ in spans), max(e for _, e in spans)
        if high - low > 2 * sum(map(len, words)) + 20:
            return None
        return self._passage(start + low, start + high, total / len(words) / 100)

    def _passage(self, start: int, end: int, similarity: float) -> Passage:
        return Passage(self.reading.document, self.reading.to_source(start, end), similarity)


def _stems(chunk: FoldedChunk) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The key of each word's stem and the word's offset in the document, in order."""
    codes = np.frombuffer(chunk.codes + b" " * _STEM, np.uint8)
    inside = codes != _SPACE
    begins = np.flatnonzero(inside[1:] & ~inside[:-1]) + 1
    if inside[0]:
        begins = np.append(0, begins)
    letters = codes[begins[:, None] + np.arange(_STEM)]
    letters = np.where(np.logical_and.accumulate(letters != _SPACE, axis=1), letters, 0)
    keys = letters.astype(np.uint64) @ _PLACES
    return keys, chunk.offsets[begins]


def _key(word: str) -> int:
    """The key of a folded word's stem, as `_stems` has it."""
    return int.from_bytes(encode(word[:_STEM]), "little")


def _fold_word(word: str) -> str:
    """`fold` of one word, which most are spared."""
    return word.lower() if word.isascii() and word.isalnum() else fold(word)


def _inflected(word: str, other: str) -> bool:
    """Whether two folded words are forms of one word, as far as their letters tell."""
    return word == other or (
        other.startswith(stem(word)) and fuzz.ratio(word, other) >= 100 * _SAME_STEM
    )


def stem(word: str) -> str:
    """A rough key that inflected forms of a word share."""
    return word[:_STEM]


def content_words(folded: str) -> list[str]:
    """The different words of a folded text, in order, without those that carry no content."""
    words = list(dict.fromkeys(folded.split()))
    return [word for word in words if word not in STOP_WORDS] or words


def coverage(words: Sequence[str], passage: str) -> float:
    """The share, 0 to 1, of `words` that stand in a folded passage, as they are or inflected."""
    if not words:
        return 0.0
    present = set(passage.split())
    missing = [word for word in words if word not in present]
    held = float(len(words) - len(missing))
    spaced = f" {passage}"
    for word in missing:
        if word.isdigit():
            continue
        beginning = stem(word)
        if f" {beginning}" not in spaced:
            continue
        ratio = max((fuzz.ratio(word, o) for o in present if o.startswith(beginning)), default=0.0)
        held += ratio / 100 if ratio >= 100 * _SAME_STEM else 0.0
    return held / len(words)


_REFERENCE = re.compile(
    r"(?:\b(?:section|sect|sec|chapter|chap|article|art|part|clause|appendix|annex|para|paragraph)s?"
    r"\b\.?|\u00a7+)\s*(?P<number>\d+(?:\.\d+)*|[A-Z]|[IVXLC]+)\b",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(
    r"^\s*(?:(?P<digits>\d+(?:\.\d+)*)\.?(?=\s|$)|\(?(?P<closed>\d+|[A-Za-z]|[IVXLC]+)[.):](?=\s)"
    r"|(?P<roman>[IVXLC]{2,})(?=\s))"
)
_FILLER = frozenset(
    "the a an in of see under section sections sect sec chapter article part clause appendix annex "
    "para paragraph heading titled entitled called document page subsection".split()
)
_ROMAN = re.compile(r"(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SIMILAR = 0.85
_CONTRADICTED = 0.6
"""Similarity of a reference whose number is right and whose title is not."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a reference to a section says: a printed number, words of a title, or both.

    `whole` is all of it, as it is compared with a title that is the same. `numbers` are the ways in
    which its number can be read ("i" is a letter, and 1); empty where it has none.
    """

    whole: str
    numbers: frozenset[str]
    words: str


def parse_reference(text: str) -> Reference:
    """Read "Section 3.2: Overtime", "\u00a7 3.2", "III. Overtime" or "the Overtime section"."""
    found = _REFERENCE.search(text) or _LEADING_NUMBER.search(text)
    number = next(filter(None, found.groups())) if found else ""
    rest = text[: found.start()] + " " + text[found.end() :] if found else text
    folded = fold(rest.replace("&", " and "))
    words = " ".join(word for word in folded.split() if word not in _FILLER)
    whole = fold(text.replace("&", " and ")) or " ".join(text.split())
    return Reference(whole, _readings(number), words)


def _readings(number: str) -> frozenset[str]:
    """The ways to read a number: IV is 4, 4.0 is 4, and a single letter may be either."""
    plain = re.sub(r"(?:\.0+)+$", "", number.rstrip(".")).casefold()
    if not plain or plain[0].isdigit() or not _ROMAN.fullmatch(plain):
        return frozenset((plain,)) if plain else frozenset()
    values = [_ROMAN_VALUES[letter] for letter in plain]
    arabic = sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
    return frozenset((plain, str(arabic)))


class TitleIndex:
    """The sections of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._titles = [_title(section) for section in document.sections]
        self._words = [title.words for title in self._titles]
        self._by_text: dict[str, list[int]] = {}
        for index, title in enumerate(self._titles):
            for key in {title.whole} | title.numbers:
                self._by_text.setdefault(key, []).append(index)

    def find(self, reference: str, most: int) -> list[Passage]:
        """Headings that a reference may mean, likeliest first; similarity 1 is what it says."""
        return [
            Passage(self._document, section.heading, score)
            for score, section in self._scored(reference)[:most]
        ]

    def sections_named(self, reference: str) -> Iterator[Section]:
        """Sections that a reference certainly names."""
        for score, section in self._scored(reference):
            if score >= _SIMILAR:
                yield section

    def _scored(self, reference: str) -> list[tuple[float, Section]]:
        wanted = parse_reference(reference)
        near = {i for key in {wanted.whole} | wanted.numbers for i in self._by_text.get(key, ())}
        if wanted.words:
            near.update(
                index
                for _, _, index in process.extract(
                    wanted.words,
                    self._words,
                    scorer=fuzz.ratio,
                    score_cutoff=100 * _SIMILAR,
                    limit=None,
                )
            )
        sections = self._document.sections
        scored = [
            (score, sections[index])
            for index in sorted(near)
            if (score := _agreement(wanted, self._titles[index])) > 0
        ]
        return sorted(scored, key=lambda item: (-item[0], item[1].heading.start))


def _title(section: Section) -> Reference:
    title = parse_reference(section.title)
    return replace(title, numbers=title.numbers or _readings(section.number))


def _agreement(wanted: Reference, title: Reference) -> float:
    if wanted.whole == title.whole:
        return 1.0
    if wanted.numbers and title.numbers:
        if not wanted.numbers & title.numbers:
            return 0.0
        same = not wanted.words or _same_words(wanted.words, title.words) >= _SIMILAR
        return 1.0 if same else _CONTRADICTED
    if not wanted.words or not title.words:
        return 0.0
    similarity = _same_words(wanted.words, title.words)
    return similarity if similarity >= _SIMILAR else 0.0


def _same_words(wanted: str, title: str) -> float:
    if wanted == title:
        return 1.0
    return fuzz.ratio(wanted, title) / 100


# Which chunks of a document are about the same thing as a claim?


_BATCH = 64
"""Claims embedded and compared at a time."""

_EMBEDDED = 16
"""Chunks embedded at a time."""


class SemanticIndex:
    """The embedded chunks of one document."""

    def __init__(self, reading: Reading, embedder: Embedder, chunk_size: int, overlap: int) -> None:
        self._reading = reading
        self._embedder = embedder
        self._bounds: NDArray[np.int32] = np.fromiter(
            chain.from_iterable(reading.chunks(chunk_size, overlap)), np.int32
        ).reshape(-1, 2)
        self._vectors = np.empty((0, 1), np.float32)
        for at in range(0, len(self._bounds), _EMBEDDED):
            some = self._bounds[at : at + _EMBEDDED].tolist()
            vectors = embedder.embed([reading.text[start:end] for start, end in some])
            if not at:
                self._vectors = np.empty((len(self._bounds), vectors.shape[1]), np.float32)
            self._vectors[at : at + len(some)] = vectors

    def best(self, claims: Sequence[str], most: int, threshold: float) -> list[list[Passage]]:
        """For each claim up to `most` chunks whose cosine is at least `threshold`, best first."""
        if not len(self._bounds) or not claims:
            return [[] for _ in claims]
        found: list[list[Passage]] = []
        for at in range(0, len(claims), _BATCH):
            for row in self._embedder.embed(claims[at : at + _BATCH]) @ self._vectors.T:
                near = np.flatnonzero(row >= threshold)
                ranked = near[np.lexsort((near, -row[near]))][:most]
                found.append([self._passage(int(i), float(row[i])) for i in ranked])
        return found

    def _passage(self, index: int, cosine: float) -> Passage:
        start, end = self._bounds[index].tolist()
        span = self._reading.to_source(start, end)
        return Passage(self._reading.document, span, round(min(1.0, max(0.0, cosine)), 6))


class DocumentIndex:
    """The searchable forms of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.folded = FoldedText(document)
        self._semantic: dict[tuple[int, int], SemanticIndex] = {}

    @cached_property
    def reading(self) -> Reading:
        """The text as a reader sees it."""
        return Reading(self.document)

    @cached_property
    def passages(self) -> PassageIndex:
        """Sentences by their words."""
        return PassageIndex(self.reading, self.folded)

    @cached_property
    def titles(self) -> TitleIndex:
        """Sections by title and number."""
        return TitleIndex(self.document)

    def semantic(self, embedder: Embedder, chunk_size: int, overlap: int) -> SemanticIndex:
        """Chunks by their embedding; sizes in characters."""
        key = (chunk_size, overlap)
        if key not in self._semantic:
            self._semantic[key] = SemanticIndex(self.reading, embedder, chunk_size, overlap)
        return self._semantic[key]
