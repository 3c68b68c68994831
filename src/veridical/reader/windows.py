"""What the reader is shown: the lines nearest to a claim, in their order, under their titles.

A window holds so many word pieces that a few paragraphs fit, and no more. So the lines of all
passages that were found for a claim compete for the place: those go in first that share its words
and its sense and add what the others have not said yet. A line brings its lead-in ("You may not
bring:") along, the first line of a section its titles, and lines that do not follow on each other
are parted by an ellipsis.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.matching.embeddings import Embedder
from veridical.networks.pieces import MOST_WORD_CHARS
from veridical.retrieval.terms import terms

MOST_PIECES = 160
"""Word pieces of claim, window and the three marks around them."""

MOST_CLAIM_PIECES = 80
"""Pieces of a claim that are read; a longer one is cut, and its verdict must say so."""

MOST_CONTEXT_WORDS = 12
"""Words of a context that is read before its claim. A longer one only helps to find the lines: read
as well, it would have to be borne out too (WiCE: AUC 0.53 with paragraphs read, 0.64 without).
"""

MOST_ALONE_PIECES = 110
"""Pieces of a line, with its titles and its lead-in, that a question is read against."""

_MOST_HEADING_PIECES = 24
_REPEATED = 0.25
"""What a word of the claim still counts in a line when another chosen line has it already."""

_BEFORE, _AFTER = 0.2, 0.15
"""Shares of a line's nearness that the lines beside it get: what "it" means stands there."""

_HEADING = 0.4
"""What a word of the claim counts that stands in the titles above a line."""

_FULL = 0.9
"""Share of a window from which no shorter line is looked for that still fits."""

UNREAD = re.compile(rf"\w{{{MOST_WORD_CHARS + 1}}}")
"""A word that the tokenizer does not take: whoever has it is not read as a whole."""

_MOST_WORDS = 64
"""Different words of a claim and its context that lines are compared with: the first ones."""

_MOST_REMEMBERED = 20_000
"""Lines and titles whose pieces, words and vectors are remembered."""

Pieces = tuple[int, ...]
Encode = Callable[[Sequence[str]], list[Pieces]]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or table row as the reader is shown it.

    `section` tells the stretch of a document that it stands in (lines of one section have equal
    ones and follow on each other), `heading` the titles above, `lead_in` the index of the line that
    introduces it, -1 where there is none.
    """

    text: str
    section: int
    heading: str = ""
    lead_in: int = -1


@dataclass(frozen=True, slots=True)
class Window:
    """The pieces of a claim and of what is shown for it, and which lines (indexes, in order).

    `spans` tells for each of those lines which pieces of the evidence are its own, as a range from
    0. `is_cut` tells that some of the claim is not in its pieces.
    """

    claim: Pieces
    evidence: Pieces
    lines: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    is_cut: bool = False

    def by_line(self, pieces: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over the pieces of each line of a value that each piece has: (lines,). A line of
        which nothing is shown has the least.
        """
        least = float(pieces.min(initial=0.0))
        means = [pieces[a:b].mean() if a < b else least for a, b in self.spans]
        return np.array(means)


class _Known(NamedTuple):
    """What is known of a line or title."""

    pieces: Pieces
    words: frozenset[str]
    sense: NDArray[np.float32]


class WindowMaker:
    """Makes windows; remembers what is known of lines, which many claims share.

    `encode` gives the word pieces of texts, without marks. Usable from several threads.
    """

    def __init__(self, encode: Encode, embedder: Embedder, most_pieces: int = MOST_PIECES) -> None:
        self._encode = encode
        self._embedder = embedder
        self._most = most_pieces
        self._remembered: dict[str, _Known] = {}
        (self._gap,) = encode(["..."])

    def window(self, claim: str, lines: Sequence[Line], context: str = "") -> Window:
        """The window of a claim over the lines that were found for it.

        `context` are words that the claim's pronouns refer to: read before it, as far as there is
        room.
        """
        is_read = 0 < len(context.split()) <= MOST_CONTEXT_WORDS
        before, pieces = self._encode([f"{context}:" if is_read else "", claim])
        ours = pieces[:MOST_CLAIM_PIECES]
        ours = before[max(0, len(before) + len(ours) - MOST_CLAIM_PIECES) :] + ours
        room = self._most - 3 - len(ours)
        known, titles = self._look_up(lines)
        held, weights, sense = self._compared(f"{claim} {context}", known, titles)
        chosen: list[int] = []
        for best in _ranked(lines, held, weights, sense, chosen):
            lead_in = lines[best].lead_in
            wanted = sorted({*chosen, best} if lead_in < 0 else {*chosen, best, lead_in})
            if len(_composed(lines, known, titles, wanted, self._gap)[0]) <= room:
                chosen[:] = wanted
            elif not chosen:  # the nearest line is longer than the window: its beginning is shown
                chosen.append(best)
                break
            elif len(_composed(lines, known, titles, chosen, self._gap)[0]) > _FULL * room:
                break
        evidence, spans = _composed(lines, known, titles, chosen, self._gap)
        spans = [(min(start, room), min(end, room)) for start, end in spans]
        is_cut = len(pieces) > MOST_CLAIM_PIECES or UNREAD.search(claim) is not None
        return Window(ours, evidence[:room], tuple(chosen), tuple(spans), is_cut)

    def alone(self, question: str, lines: Sequence[Line], chosen: Sequence[int]) -> list[Window]:
        """Some of the lines, each a window of its own with its titles and its lead-in."""
        (pieces,) = self._encode([question])
        asked, is_cut = pieces[:MOST_CLAIM_PIECES], len(pieces) > MOST_CLAIM_PIECES
        room = min(MOST_ALONE_PIECES, self._most - 3 - len(asked))
        known, titles = self._look_up(lines)
        windows = []
        for at in chosen:
            shown = (at,) if lines[at].lead_in < 0 else (lines[at].lead_in, at)
            evidence, spans = _composed(lines, known, titles, shown, self._gap)
            within = tuple((min(start, room), min(end, room)) for start, end in spans)
            windows.append(Window(asked, evidence[:room], shown, within, is_cut))
        return windows

    def nearness(self, claim: str, lines: Sequence[Line], context: str = "") -> NDArray[np.float64]:
        """How near each line is to the claim by words and by sense, about 0 to 2: (lines,)."""
        held, weights, sense = self._compared(f"{claim} {context}", *self._look_up(lines))
        return np.asarray(held @ weights + sense)

    def _compared(
        self, claim: str, known: Sequence[_Known], titles: Sequence[_Known]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Which words of the claim each line has (lines, words), what the words weigh (words,),
        and the cosine of each line (lines,).
        """
        wanted = list(dict.fromkeys(terms(claim)))[:_MOST_WORDS]
        counts = Counter(word for line in known for word in line.words)
        held = np.zeros((len(known), len(wanted)))
        for row, line, title in zip(held, known, titles, strict=True):
            row[:] = [1.0 if w in line.words else _HEADING * (w in title.words) for w in wanted]
        weights = np.array([np.log(1 + len(known) / (0.5 + counts[w])) for w in wanted])
        weights /= max(float(weights.sum()), 1e-9)
        vector = self._embedder.embed([claim])[0]
        return held, weights, np.array([float(line.sense @ vector) for line in known])

    def _look_up(self, lines: Sequence[Line]) -> tuple[list[_Known], list[_Known]]:
        """What is known of some lines, and of the titles above each."""
        texts = [text for line in lines for text in (line.text, line.heading)]
        remembered = self._remembered
        found = {text: remembered[text] for text in texts if text in remembered}
        new = list(dict.fromkeys(text for text in texts if text not in found))
        if new:
            vectors = self._embedder.embed(new)
            for text, pieces, vector in zip(new, self._encode(new), vectors, strict=True):
                found[text] = _Known(pieces[: self._most], frozenset(terms(text)), vector)
            if len(remembered) > _MOST_REMEMBERED:
                self._remembered = {}  # not cleared: another thread may be reading the old one
            self._remembered.update((text, found[text]) for text in new)
        known = [found[text] for text in texts]
        return known[::2], known[1::2]


def _ranked(
    lines: Sequence[Line],
    held: NDArray[np.float64],
    weights: NDArray[np.float64],
    sense: NDArray[np.float64],
    chosen: Sequence[int],
) -> Iterator[int]:
    """The lines, each time the one that adds most to those that are chosen by then."""
    near = held @ weights + sense
    same = np.array([a.section == b.section for a, b in pairwise(lines)])
    beside = np.zeros(len(lines))
    beside[1:] += _BEFORE * near[:-1] * same
    beside[:-1] += _AFTER * near[1:] * same
    left = np.ones(len(lines), bool)
    while left.any():
        repeated = (held[list(chosen)] > 0).any(axis=0)
        gain = (held * np.where(repeated, _REPEATED, 1.0)) @ weights + sense + beside
        best = int(np.where(left, gain, -np.inf).argmax())
        left[best] = False
        yield best
        left[list(chosen)] = False


def _composed(
    lines: Sequence[Line],
    known: Sequence[_Known],
    titles: Sequence[_Known],
    chosen: Sequence[int],
    gap: Pieces,
) -> tuple[Pieces, list[tuple[int, int]]]:
    """The pieces of some lines in order, with ellipses and titles, and where each line's are."""
    out: list[int] = []
    spans: list[tuple[int, int]] = []
    before = -1
    for i in chosen:
        if out and i != before + 1:
            out += gap
        line = lines[i]
        new = before < 0 or lines[before].section != line.section
        if new and not is_title(line):
            out += titles[i].pieces[:_MOST_HEADING_PIECES]
        spans.append((len(out), len(out) + len(known[i].pieces)))
        out += known[i].pieces
        before = i
    return tuple(out), spans


def is_title(line: Line) -> bool:
    """Whether a line is the last of the titles above it: it need not be shown twice."""
    return line.heading.endswith(line.text)


def relinked(lines: Sequence[Line], kept: Sequence[int]) -> list[Line]:
    """Some of the lines, by their indexes in order; lead-ins that are not kept are forgotten."""
    places = {old: new for new, old in enumerate(kept)}
    return [replace(lines[i], lead_in=places.get(lines[i].lead_in, -1)) for i in kept]
