"""English words by what they are: `months`, `modals`, `possessives`. A file here holds each list.

What a rule takes of them besides, or leaves out, stands with the rule.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from veridical.sources.patterns import word_lists

_FOLDER = Path(__file__).parent


@cache
def listed(name: str) -> tuple[str, ...]:
    """The words of one list, in its order."""
    return tuple((_FOLDER / f"{name}.txt").read_text("utf-8").split())


def english(*names: str) -> frozenset[str]:
    """The words of some lists together."""
    return frozenset(word for name in names for word in listed(name))


def pairs(name: str) -> frozenset[frozenset[str]]:
    """The pairs of a list of them, each written "one/other"."""
    return frozenset(frozenset(pair.split("/")) for pair in listed(name))


def named(name: str) -> dict[str, str]:
    """From each word of the lists in a file to the name of its list."""
    lists = word_lists(_FOLDER / f"{name}.txt")
    return {word: called for called, words in lists.items() for word in words}


def any_of(*names: str) -> str:
    """A pattern of any word of some lists, to be put in a group."""
    return "|".join(word for name in names for word in listed(name))
