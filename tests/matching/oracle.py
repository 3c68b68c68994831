"""What approximate search must find: an alignment of each needle with the whole folded text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import edlib

from veridical.text.normalize import fold

ALPHABETS = (
    "ab",
    "ab ",
    "abc ",
    "abcd ",
    "abcdefghijklmnop  ",
    "αβ ",
    "абвгд ",
    "אבגד ",
    "漢字仮名交じり文章",
    "aéßﬁ \u0301",
    "aбα漢 ",
)


@dataclass(frozen=True)
class Truth:
    """The least distance, None above the budget, and the ends at it."""

    distance: int | None
    ends: tuple[int, ...]


def truth(needle: str, text: str, budget: int) -> Truth:
    """Align by brute force."""
    found = edlib.align(needle, text, mode="HW", task="distance", k=budget)
    distance = found["editDistance"]
    if distance < 0:
        return Truth(None, ())
    return Truth(distance, tuple(end for _, end in found["locations"] if end >= 0))


def distance(one: str, other: str) -> int:
    """Edit distance of two texts."""
    found: int = edlib.align(one, other, mode="NW", task="distance")["editDistance"]
    return found


def texts(seed: int, count: int) -> Iterator[tuple[str, list[str]]]:
    """Folded texts, random or repetitive, with needles cut out of them and damaged."""
    rng = random.Random(seed)
    for index in range(count):
        alphabet = ALPHABETS[index % len(ALPHABETS)]
        length = rng.randint(60, 3000)
        if index % 3:
            raw = "".join(rng.choice(alphabet) for _ in range(length))
        else:
            period = "".join(rng.choice(alphabet) for _ in range(rng.randint(1, 60)))
            letters = list((period * length)[:length])
            for _ in range(rng.randint(0, length // 40)):
                letters[rng.randrange(length)] = rng.choice(alphabet)
            raw = "".join(letters)
        text = fold(raw)
        if len(text) > 30:
            yield text, list(_needles(text, alphabet, rng))


def _needles(text: str, alphabet: str, rng: random.Random) -> Iterator[str]:
    for _ in range(12):
        length = rng.randint(4, min(150, len(text) - 1))
        start = rng.choice([0, len(text) - length, rng.randrange(len(text) - length)])
        letters = list(text[start : start + length])
        for _ in range(rng.randint(0, 4 if rng.random() < 0.5 else int(length * 0.16))):
            edit, at = rng.choice("sid"), rng.randrange(len(letters))
            if edit == "s":
                letters[at] = rng.choice(alphabet)
            elif edit == "i":
                letters.insert(at, rng.choice(alphabet))
            elif len(letters) > 4:
                del letters[at]
        needle = fold("".join(letters))
        if len(needle) >= 3:
            yield needle
