"""Is it said, or only said back?

On the radio what was heard is repeated: "Command copies, Engine 7 on scene". It proves that it was
heard; an order that is read back has not been carried out, and a report counts once.
"""

from __future__ import annotations

import re

from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import PAUSE_SECONDS, Heard, Place
from veridical.scoring.offline.loose import keys_of
from veridical.scoring.offline.reading import Reading, read

MOST_TURNS = 4
MOST_SECONDS = 60.0
"""So far back an acknowledgement may repeat."""

ECHO_SECONDS = 20.0
"""So far back words are repeated without one, by the speaker who is next."""

ECHO_SHARE = 0.6
"""Of a sentence's words, names left out, that were just said for it to be an echo."""

_MOST_WORDS = 400
"""Words of an earlier turn that are looked at, counted from its end."""


class ReadBacks:
    """Tells the words of one transcript that were said before by another speaker."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    def reading(self, place: Place, reading: Reading) -> Reading:
        """The reading of a place, which is a read-back if it repeats what another has said."""
        if reading is Reading.ASSERTED and self._is_read_back(place):
            return Reading.READ_BACK
        return reading

    def _is_read_back(self, place: Place) -> bool:
        sentence = self._heard.sentences[self._heard.sentence_of(place.first)]
        before = " ".join(self._heard.words[sentence.start : place.first])
        noted = _last_end(w.TAKING_NOTE, before)
        if noted is not None and w.ADDRESS.fullmatch(before[noted:].strip()):
            return True  # What somebody says to have heard: "copies, Engine 7 on scene".
        source = self._repeated(place)
        if source is None:
            return False
        before = self._before(place)
        acknowledged = _last_end(w.ACKNOWLEDGING, before)
        if acknowledged is None and self._reading_of(source) is Reading.NOT_DONE:
            acknowledged = _last_end(w.AGREEING, before)
        sentence = self._heard.sentences[self._heard.sentence_of(place.past - 1)]
        after = " ".join(self._heard.words[place.past : sentence.stop])
        if acknowledged is None and not w.ACKNOWLEDGING.search(after):
            return self._is_echo(place, source, before)
        speaks_of_own = w.FIRST_PERSON.search(before[acknowledged or 0 :]) is not None
        return not speaks_of_own or self._reading_of(source) is Reading.ASSERTED

    def _before(self, place: Place) -> str:
        """The sentence up to the words; the one before it too where it is only "Copy."."""
        heard = self._heard
        number = heard.sentence_of(place.first)
        first = heard.sentences[number].start
        said = " ".join(heard.words[first : place.first])
        if number == 0 or heard.turn_of(first - 1) != heard.turn_of(first):
            return said
        previous = heard.sentences[number - 1]
        ahead = " ".join(heard.words[previous.start : previous.stop])
        is_apart = heard.silence_before(heard.sentences[number]) >= PAUSE_SECONDS
        return said if is_apart or not w.ADDRESS.fullmatch(ahead) else f"{ahead} {said}"

    def _repeated(self, place: Place) -> Place | None:
        """Where somebody else has just said the same words, the last time."""
        heard, turn = self._heard, self._heard.turn_of(place.first)
        wanted = keys_of(heard, range(place.first, place.past))
        speaker = heard.speaker(turn)
        nearest = place.first
        for earlier in range(turn, max(-1, turn - MOST_TURNS - 1), -1):
            known = speaker is not None and heard.speaker(earlier) is not None
            if (earlier == turn and speaker is not None) or (
                known and heard.speaker(earlier) == speaker
            ):
                continue
            words = heard.turn_words[earlier]
            found = self._find(wanted, words, min(words.stop, nearest))
            if found is not None and self._seconds_between(found, place) <= MOST_SECONDS:
                return found
        return None

    def _find(self, wanted: list[str], words: range, past: int) -> Place | None:
        """The last place in a turn, up to word `past`, of the wanted words."""
        first = max(words.start, past - _MOST_WORDS)
        keys: list[str] = []
        owners: list[int] = []
        for word in range(first, past):
            found = keys_of(self._heard, range(word, word + 1))
            keys += found
            owners += [word] * len(found)
        size = len(wanted)
        for at in range(len(keys) - size, -1, -1):
            if size and keys[at : at + size] == wanted:
                return Place(owners[at], owners[at + size - 1] + 1)
        return None

    def _is_echo(self, place: Place, source: Place, before: str) -> bool:
        heard = self._heard
        turn, earlier = heard.turn_of(place.first), heard.turn_of(source.first)
        sentence = heard.sentences[heard.sentence_of(place.first)]
        if w.CALL.match(f"{before} ") or self._seconds_between(source, place) > ECHO_SECONDS:
            return False
        answers_at_once = turn == earlier or sentence.start == heard.turn_words[turn].start
        if turn - earlier > 1 or not answers_at_once:
            return False
        meant = self._reading_of(source)
        if meant is Reading.ASKED or (
            meant is not Reading.ASSERTED and w.FIRST_PERSON.search(before)
        ):
            return False
        words = heard.turn_words[earlier]
        told = set(keys_of(heard, range(words.start, min(words.stop, sentence.start))))
        own = [
            key
            for word in sentence
            if not w.ADDRESS.fullmatch(heard.words[word])
            for key in keys_of(heard, range(word, word + 1))
        ]
        return sum(key in told for key in own) >= ECHO_SHARE * len(own)

    def _reading_of(self, place: Place) -> Reading:
        return read(self._heard.said(place))

    def _seconds_between(self, one: Place, other: Place) -> float:
        """From the one to the other; 0 where a time is not known."""
        began, begins = self._heard.start(one), self._heard.start(other)
        return 0.0 if began is None or begins is None else begins - began


def _last_end(pattern: re.Pattern[str], text: str) -> int | None:
    """Where the last of what a pattern finds ends."""
    return max((found.end() for found in pattern.finditer(text)), default=None)
