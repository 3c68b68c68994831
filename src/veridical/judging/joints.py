"""Are values and things joined by the same small words: and or or, from or until, working days?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word, same_quantity
from veridical.validation import lexicon

_EITHER = {"or": "and", "and": "or"}

_FROM = frozenset("from since starting beginning".split())
_UNTIL = frozenset("until till before by".split())
_AFTER = frozenset("after following".split())
_ENDS = {
    **dict.fromkeys(_FROM, "from"),
    **dict.fromkeys(_UNTIL, "until"),
    **dict.fromkeys(_AFTER, "after"),
}
_AGREE = frozenset({("from", "after"), ("after", "from")})

_WHICH = {
    **dict.fromkeys(("working", "business", "work"), "working"),
    "consecutive": "consecutive",
    "school": "school",
    "trading": "trading",
    "bank": "bank",
    "square": "square",
    "cubic": "cubic",
    "nautical": "nautical",
    "net": "net",
    "gross": "gross",
}
"""Words between a number and what it counts that say which of it is meant. Days without one are
calendar days."""

_MOST_BETWEEN = 2


def joined_otherwise(a: Alignment, standing: Sequence[int]) -> tuple[str, str] | None:
    """What the claim joins by one small word and the passage by another, as the claim and as the
    passage has it; None where they agree. `standing` are the columns that the claim stands on.
    """
    said = [a.passage[column] for column in standing]
    for found in (*_ends(a.claim_all, said), *_which(a.claim_all, said), *_either(a, standing)):
        return found
    return None


def _ends(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """From 9 am, where it is until 9 am."""
    for at, word in enumerate(claim):
        if word.number is None:
            continue
        ours = _end_before(claim, at)
        theirs = {_end_before(said, i) for i, o in enumerate(said) if same_quantity(word, o)}
        if ours is None or not theirs or None in theirs or ours in theirs:
            continue
        if not any((ours, other) in _AGREE for other in theirs):
            yield f"{ours} {word.text}", f"{min(filter(None, theirs))} {word.text}"


def _end_before(words: Sequence[Word], at: int) -> str | None:
    """On which side of a value it holds, by the word in front; "from 8 to 6" has no side."""
    before = [word.key for word in words[max(0, at - _MOST_BETWEEN) : at]]
    for key in reversed(before):
        if key in _ENDS:
            return _ENDS[key]
        if key not in ("the", "of", "and"):
            return None
    return None


def _which(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Ten days, where it is ten working days."""
    for at, word in enumerate(claim):
        if word.number is None:
            continue
        ours = _which_behind(claim, at)
        theirs = [_which_behind(said, i) for i, o in enumerate(said) if same_quantity(word, o)]
        if theirs and ours not in theirs:
            yield _named(word, ours), _named(word, theirs[0])


def _which_behind(words: Sequence[Word], at: int) -> str:
    for word in words[at + 1 : at + 1 + _MOST_BETWEEN]:
        if word.border or not word.content:
            break  # "per calendar year"
        if word.key in _WHICH:
            return _WHICH[word.key]
    return ""


def _named(word: Word, which: str) -> str:
    return " ".join(filter(None, (word.text, which, word.unit or "")))


def _either(a: Alignment, standing: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Either, where it is both: between the same two things."""
    claim = a.claim_all
    if any(word.key in lexicon.NEGATIONS for word in claim):
        return  # "no calls or messages" is no calls and no messages
    rows = {id(word): row for row, word in enumerate(a.claim)}
    for at, word in enumerate(claim):
        other = _EITHER.get(word.key)
        if other is None:
            continue
        left = next((rows[id(w)] for w in reversed(claim[:at]) if id(w) in rows), None)
        right = next((rows[id(w)] for w in claim[at + 1 :] if id(w) in rows), None)
        if left is None or right is None:
            continue
        if _between(a, standing, left, right) == {other}:
            both = (a.claim[left].text, a.claim[right].text)
            yield f"{both[0]} {word.key} {both[1]}", f"{both[0]} {other} {both[1]}"


def _between(a: Alignment, standing: Sequence[int], left: int, right: int) -> set[str]:
    """The conjunctions that join two words of the claim in the passage, whichever comes first."""
    found: set[str] = set()
    ones = [c for c in standing if a.match[left, c] >= FIRM]
    others = [c for c in standing if a.match[right, c] >= FIRM]
    for one in ones:
        for other in others:
            low, high = sorted((one, other))
            if a.sentence_at[low] != a.sentence_at[high] or high - low > _FARTHEST:
                continue
            found |= {a.passage[c].key for c in range(low + 1, high)} & _EITHER.keys()
    return found


_FARTHEST = 6
"""Words from one to the other of two things that are joined."""
