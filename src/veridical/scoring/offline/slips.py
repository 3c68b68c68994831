"""Words that were written down with a slip: "establshing comand", "allclear".

Recognisers and typists slip, but most slips of a letter make another word of it. Only such are
forgiven that hardly ever do.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import DamerauLevenshtein

from veridical.matching.align import Needle
from veridical.matching.locate import locate_near
from veridical.matching.policy import SearchPolicy
from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.loose import loose_keys, loose_words
from veridical.sources.span import Span
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold
from veridical.validation.lexicon import CONFUSABLE, NEGATIONS, NEGATIVE_PREFIXES

POLICY = SearchPolicy(max_edit_distance=2, min_similarity=0.85)
"""Two edits are two letters that changed places; of shorter phrases less is forgiven."""

_SHORTEST_SWAPPED = 5
"""Letters of a word in which two may have changed places, or one been doubled."""

_SHORTEST_LEFT_OUT = 9
"""Letters of a word that may have one more or less: of shorter ones "starting" is "stating"."""

_SHORTEST_JOINED = 7
_ENDING = 2


def find_slips(heard: Heard, phrases: Sequence[str], most: int) -> list[list[Place]]:
    """The places of each phrase, at most so many, where it stands with slips."""
    needles = [Needle(fold(phrase)) for phrase in phrases]
    located = locate_near(FoldedText(heard.transcript), needles, policy=POLICY)
    return [
        _slips_of(heard, phrase, [found.span for found in places])[:most]
        for phrase, places in zip(phrases, located, strict=True)
    ]


def _slips_of(heard: Heard, phrase: str, spans: Iterable[Span]) -> list[Place]:
    """Those of the stretches where a phrase stands with slips, as whole words, in order."""
    places = {_whole_words(heard, span.start, span.end) for span in spans}
    return sorted(place for place in places if place and _is_slip_of(heard, place, phrase))


def _whole_words(heard: Heard, start: int, end: int) -> Place | None:
    """The words that share a character with a stretch of the text."""
    first = bisect_right(heard.tokens.ends, start)
    past = bisect_left(heard.tokens.starts, end)
    return heard.place(first, past) if first < past else None


def _is_slip_of(heard: Heard, place: Place, phrase: str) -> bool:
    """Whether all words of a place are those of a phrase, or slips of them."""
    wanted = loose_words(phrase)
    written = [heard.text(range(word, word + 1)) for word in range(place.first, place.past)]
    there = [key for word in written for key in loose_keys(word)]
    if len(there) != len(wanted):
        return _is_joined(there, wanted)
    is_name = any(word[:1].isupper() for word in (*written[1:], *phrase.split()[1:]))
    changed = [(one, other) for one, other in zip(wanted, there, strict=True) if one != other]
    return (
        len(wanted) > len(changed)
        and not (changed and is_name)
        and all(is_slip(*pair) for pair in changed)
    )


def _is_joined(there: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the letters are the same, only parted in another way."""
    letters = "".join(wanted)
    parts = {*there, *wanted}
    return (
        "".join(there) == letters
        and letters.isalpha()
        and len(letters) >= _SHORTEST_JOINED
        and not parts & (NEGATIONS | set(NEGATIVE_PREFIXES))
        and min(map(len, parts)) > 1
    )


def is_slip(one: str, other: str) -> bool:
    """Whether a word is another with one slip in it, and no other word."""
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST_SWAPPED or not (one.isalpha() and other.isalpha()):
        return False
    if frozenset((one, other)) in CONFUSABLE or one[0] != other[0]:
        return False
    if one[-_ENDING:] != other[-_ENDING:] or DamerauLevenshtein.distance(one, other) != 1:
        return False
    if len(short) == len(long):
        return sorted(one) == sorted(other)
    at = next(i for i, letter in enumerate(long) if short[i : i + 1] != letter)
    return long[at] == long[at - 1] or len(long) >= _SHORTEST_LEFT_OUT
