"""No pattern hangs on a text that repeats what it looks for, however often."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise

import pytest

LENGTH = 5_000
MODULES = (
    "lexicon",
    "metrics",
    "tone",
    "offline.cues",
    "offline.moments",
    "offline.rules",
)
PATTERNS = {
    f"{module}.{name}": value
    for module in MODULES
    for name, value in sorted(vars(importlib.import_module(f"veridical.speech.{module}")).items())
    if isinstance(value, re.Pattern)
}
NOISE = ("a", "1", " ", "a ", "1 ", ". ", "\"'", "“", "you a ", "1,1", "-", "very ", "ly ")


def repetitive(pattern: str) -> list[str]:
    """Texts of one word of the pattern over and over, of two in turn, and of all in a row."""
    words = sorted(set(re.findall(r"[^\W\d_]{2,}", pattern)))
    pairs = [f"{first} {second} " for first, second in pairwise(words)]
    units = [*NOISE, *(f"{word} " for word in words), *words, *pairs, " ".join(words)]
    return [(unit * (LENGTH // max(1, len(unit)) + 1))[:LENGTH] for unit in units]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", PATTERNS)
def test_it_comes_to_an_end(name: str) -> None:
    pattern = PATTERNS[name]
    for text in repetitive(pattern.pattern):
        assert sum(1 for _ in pattern.finditer(text)) <= len(text) + 1
