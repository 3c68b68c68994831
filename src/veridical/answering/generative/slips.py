"""Small slips that change what a sentence says, and that a judge of meanings may overlook.

Each is a sign against support by itself. They hold a model to the source's own words where a word
more or less makes another rule: the prompt asks for these words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMPOUND = re.compile(r"\b([a-z]{2,})[-\u2010\u2011]([a-z]{3,})\b")

_NUMBER = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|"
    r"thirty|forty|fifty|sixty|ninety|hundred|half)"
)
_UNIT = re.compile(
    rf"\b{_NUMBER}[-\s](?:[^\W\d]+[-\s]){{0,2}}?"
    r"(?P<unit>second|minute|hour|day|week|fortnight|month|quarter|year|night|shift|percent|euro|"
    r"dollar|pound|mile|kilomet|met[er]{2}|gigabyte|megabyte)",
    re.IGNORECASE,
)

_OUTCOME = re.compile(
    r"\b(?:laps|expir|forfeit|lost|lose|unpaid|half|doubl|twice|tripl|unlimited|never|always|"
    r"guarantee|automatic)"
)
"""Beginnings of words for what becomes of something, which no source says in passing."""

_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b")

_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
    r"|\b[\w-]{1,64}\.(?:com|net|org|io|example)\b\S*",
    re.IGNORECASE,
)


def slips(text: str, sentences: Sequence[str]) -> bool:
    """Whether a statement differs in a telling word from the sentences that it rests on.

    `sentences` are these, the one that says most of it first.
    """
    text, words = text.lower(), " ".join(sentences).lower()
    best = sentences[0].lower() if sentences else ""
    return (
        _swaps_a_kind(text, words)
        or _changes_a_unit(text, words)
        or any(found[0] not in words for found in _OUTCOME.finditer(text))
        or not set(_ORDINAL.findall(text)) <= set(_ORDINAL.findall(best))
    )


def _swaps_a_kind(text: str, words: str) -> bool:
    """Whether it speaks of part-time staff where the source speaks of full-time staff."""
    said = _COMPOUND.findall(words)
    for first, second in _COMPOUND.findall(text):
        kinds = {one for one, other in said if other == second}
        if kinds and first not in kinds:
            return True
    return False


def _changes_a_unit(text: str, words: str) -> bool:
    """Whether it counts in a unit that the source does not have: "5 unused weeks" of days."""
    return any(found["unit"] not in words for found in _UNIT.finditer(text))


def adds_an_address(text: str, source: str) -> bool:
    """Whether it sends its reader to an address that the source does not have."""
    shown = source.lower()
    return any(found.rstrip(".,;:)").lower() not in shown for found in _ADDRESS.findall(text))
