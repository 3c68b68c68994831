"""What the claims of an answer lean on: headings, introductions, the sentence before."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from veridical.ledger.extraction.words import ANAPHORS, BACKWARD, has_verb, words_of
from veridical.sources.patterns import UNSPACED

MAX_PART_CHARS = 300
"""Longer parts of a context are cut at a word; the end is what stands nearest."""

BELOW_HEADINGS = 7
"""The level of a line in bold that serves as a heading: below all real ones."""

_ANAPHOR_WORDS = 3
_FRAGMENT_WORDS = 5
_GENERAL = frozenset(
    (
        "answer|response|summary|short answer|in short|tl;dr|overview|key points|key facts|details|"
        "introduction|conclusion|explanation|note|notes|results|findings|"
        "zusammenfassung|antwort|r\u00e9sum\u00e9|resumen"
    ).split("|")
)
"""Headings that say nothing of the subject."""

_UNSPACED = re.compile(f"[{UNSPACED}]")
_FOREIGN = frozenset(
    "er sie es diese dieser dieses dies das dabei hierf\u00fcr il elle ils elles cela ceci ce ces "
    "cette celui este esta esto estos estas ello ellos ellas".split()
)


@dataclass(slots=True)
class Outline:
    """What has been read so far, as far as later claims may refer to it."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    parents: list[tuple[int, str]] = field(default_factory=list)
    anchor: str = ""
    """The last sentence that stands by itself, and `previous` the last one of all."""
    previous: str = ""

    def heading(self, level: int, title: str) -> None:
        """Enter a section; one without a title only ends those that it is not below."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        if title:
            self.headings.append((level, title))
        self.parents.clear()
        self.anchor = self.previous = ""

    def enter(self, level: int, *, item: bool) -> None:
        """Begin a block of this depth in lists: what lies deeper, or beside an item, is over."""
        deepest = level - item
        while self.parents and (self.parents[-1][0] > deepest or level == 0):
            self.parents.pop()

    def introduce(self, level: int, text: str) -> None:
        """Note what introduces, or holds, the items that are deeper than `level`."""
        self.parents.append((level, text))

    def said(self, statement: str) -> None:
        """Note a sentence that later ones may refer to."""
        if not self.anchor or not leans(statement):
            self.anchor = statement
        self.previous = statement

    def context(self, statement: str, *, first_of_item: bool, columns: str = "") -> str:
        """What the words of a claim refer to: the sections, the introductions, what was said."""
        parts = [" > ".join(title for _, title in self.headings if title.lower() not in _GENERAL)]
        parts.extend(text for _, text in self.parents)
        parts.append(columns)
        introduced = first_of_item and (self.parents or not refers_back(statement))
        if not columns and not introduced and leans(statement):
            parts.extend((self.anchor, self.previous))
        kept = (_shortened(part) for part in parts if part and part != statement)
        return "\n".join(dict.fromkeys(kept))


def leans(statement: str) -> bool:
    """Whether a sentence refers back: by a pronoun near its start, or because it is no sentence."""
    if refers_back(statement):
        return True
    is_short = len(words_of(statement, _FRAGMENT_WORDS + 1)) <= _FRAGMENT_WORDS
    return is_short and statement.isascii() and ":" not in statement and not has_verb(statement)


def refers_back(statement: str) -> bool:
    """Whether a sentence has a pronoun near its start, or is of a language that drops them."""
    words = words_of(statement, _ANAPHOR_WORDS)
    if _UNSPACED.search(statement) or (words and words[0] in ANAPHORS | _FOREIGN):
        return True
    return not BACKWARD.isdisjoint(words)


def _shortened(text: str) -> str:
    if len(text) <= MAX_PART_CHARS:
        return text
    tail = text[-MAX_PART_CHARS:]
    return tail[tail.find(" ") + 1 :]
