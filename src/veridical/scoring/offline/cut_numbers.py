"""Is a number cut in two? "five victims" is not in "twenty-five victims"."""

from __future__ import annotations

from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.loose import loose_keys, loose_words
from veridical.validation.lexicon import CARDINALS, MAGNITUDES

_SPOKEN = frozenset(CARDINALS) | frozenset(MAGNITUDES) | {"zero", "oh", "niner"}
_BEFORE_NUMBERS = frozenset({"point", "minus"})


def cuts_number(heard: Heard, place: Place, label: str | None) -> bool:
    """Whether the number at either end of some words goes on outside them.

    The number of the speaker's own name, `label`, is not a part of the one after it: "Ladder 4, two
    victims".
    """
    turn = heard.turn_words[heard.turn_of(place.first)]
    first, past = place.first, place.past
    if first > turn.start and _is_number(heard, first) and not _names(heard, first, turn, label):
        before = heard.words[first - 1]
        if _runs_on(heard, first) and (_is_number(heard, first - 1) or before in _BEFORE_NUMBERS):
            return True
        if before in ("and", "of") and first - 1 > turn.start:
            further = heard.words[first - 2]
            return further in MAGNITUDES if before == "and" else _is_number(heard, first - 2)
    if past < turn.stop and _is_number(heard, past - 1) and _runs_on(heard, past):
        after = heard.words[past]
        goes_on = after == "point" and past + 1 < turn.stop and _is_number(heard, past + 1)
        return goes_on or _is_number(heard, past)
    return False


def _is_number(heard: Heard, word: int) -> bool:
    """Whether a word is a number: "7", "seven", "twenty-five"."""
    key = heard.words[word]
    return key[:1].isdigit() or all(part in _SPOKEN for part in key.split("-"))


def _runs_on(heard: Heard, word: int) -> bool:
    """Whether nothing but space or a hyphen parts a word from the one before it."""
    return not heard.gap(word).strip(" \t\r\n-\u2010\u2011")


def _names(heard: Heard, first: int, turn: range, label: str | None) -> bool:
    """Whether the words before are a name, the speaker's own."""
    wanted = loose_words(label or "")
    begin = max(turn.start, first - len(wanted))
    before = [
        key for word in range(begin, first) for key in loose_keys(heard.text(range(word, word + 1)))
    ]
    return bool(wanted) and before[-len(wanted) :] == wanted
