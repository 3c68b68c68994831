"""What a model proposes as claims, held against the answer: a model may not put words in."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.ledger.entry import ClaimType, Importance
from veridical.sources.span import Span
from veridical.text.tokens import is_word_character, prepare, tokenize
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS

_MARK = re.compile(
    r"(?:[\[\uff3b](?:cite\b[^\[\]]*|\^?[\d,;\s\u2013-]+)[\]\uff3d]|\u3010[^\u3010\u3011]*\u3011"
    r"|<sup>[^<>]*</sup>)\s*\Z",
    re.IGNORECASE,
)
_LOADED = NEGATIONS | RESTRICTIONS
_WORDLESS = re.compile(r"[\s.!?\u3002\uff01\uff1f]+\Z")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim as a model lists it; nothing of it is trusted."""

    text: str
    statement: str
    context: str
    type: ClaimType
    importance: Importance


@dataclass(frozen=True, slots=True)
class Located:
    """A proposal and where it stands in the answer."""

    proposal: Proposal
    span: Span


class Locator:
    """Finds proposals in an answer, in order: as they are, or but for white space."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._collapsed, self._places = _collapsed(answer)

    def locate(self, proposals: Sequence[Proposal], within: Span) -> tuple[list[Located], int]:
        """The proposals that stand in `answer[within]`, disjoint; and how many do not."""
        found: list[Located] = []
        lost, at = 0, within.start
        for proposal in proposals:
            span = self._find(proposal.text, at, within.end)
            if span is None or not any(c.isalnum() for c in self._answer[span.start : span.end]):
                lost += 1
                continue
            found.append(Located(proposal, span))
            at = span.end
        return found, lost

    def _find(self, text: str, start: int, end: int) -> Span | None:
        text = _trimmed(text)
        if not text:
            return None
        exact = _find_words(self._answer, text, start, end)
        if exact >= 0:
            return Span(exact, exact + len(text))
        low = bisect_left(self._places, start)
        high = bisect_left(self._places, end)
        wanted = " ".join(text.split())
        loose = _find_words(self._collapsed, wanted, low, high)
        if loose < 0:
            return None
        return Span(self._places[loose], self._places[loose + len(wanted) - 1] + 1)


def _find_words(text: str, wanted: str, start: int, end: int) -> int:
    """Where `wanted` stands in `text[start:end]` without cutting a word in two; -1 if nowhere."""
    at = text.find(wanted, start, end)
    while at >= 0 and (_cuts(text, at) or _cuts(text, at + len(wanted))):
        at = text.find(wanted, at + 1, end)
    return at


def _cuts(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at + 1]
    return len(around) == 2 and at > 0 and all(map(is_word_character, around))


def _trimmed(text: str) -> str:
    """A proposal without what is never part of a claim: a marker or a full stop behind it."""
    text = text.strip()
    while True:
        shorter = _WORDLESS.sub("", _MARK.sub("", text))
        if shorter == text:
            return text
        text = shorter


def _collapsed(answer: str) -> tuple[str, list[int]]:
    """The answer with each run of white space as one space, and where its characters stand."""
    kept: list[str] = []
    places: list[int] = []
    after_space = False
    for place, character in enumerate(answer):
        is_space = character.isspace()
        if not (is_space and after_space):
            kept.append(" " if is_space else character)
            places.append(place)
        after_space = is_space
    return "".join(kept), places


def is_end_of(statement: str, shown: str) -> bool:
    """Whether a statement is what a reader sees of its claim, but for harmless words before it.

    What it leaves out must be in front, and hold no number, no negation and no restriction.
    """
    wanted, given = tokens(statement), tokens(shown)
    cut = len(given) - len(wanted)
    if not wanted or cut < 0 or given[cut:] != wanted:
        return False
    return not any(key in _LOADED or not key[:1].isalpha() for key in given[:cut])


class AnswerWords:
    """The words of an answer as its reader sees it: what stands there, and what does not."""

    def __init__(self, shown: str) -> None:
        self._words = _joined(tokens(shown))

    def have(self, text: str) -> bool:
        """Whether each line of `text` stands in the answer, word for word."""
        lines = [tokens(line) for line in text.split("\n")]
        return any(lines) and all(_joined(line) in self._words for line in lines if line)


def _joined(keys: list[str]) -> str:
    return f" {' '.join(keys)} "


def tokens(text: str) -> list[str]:
    """The words, numbers and signs of a text in the form in which they are compared."""
    return [token.key for token in tokenize(prepare(text))]
