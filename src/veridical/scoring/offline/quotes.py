"""The words that are cited for a cue: the sentence or clause that holds it, as it was said."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from veridical.scoring.answer import CitedEvidence
from veridical.scoring.checking.evidence import MIN_TOKENS
from veridical.scoring.offline.heard import Heard, Place
from veridical.validation.lexicon import NEGATIONS
from veridical.validation.timed_checker import is_sign

_CLAUSE_END = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|[.?!\u2026](?=\s|\Z)")
_TRAILING = " \t\r\n,;:-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one turn, and how they are cited."""

    place: Place
    cited: CitedEvidence


class Quoter:
    """Cites places of one transcript, in at most `max_chars` characters each."""

    def __init__(self, heard: Heard, max_chars: int) -> None:
        self._heard = heard
        self._max_chars = max_chars

    def sentence(self, place: Place) -> Quote:
        """The sentence that holds some words; if that is too long, the clause, or the words."""
        whole = self._sentences(place)
        if not self._fits(whole):
            return self.clause(place)
        return self._quote(self._long_enough(whole))

    def clause(self, place: Place) -> Quote:
        """The clause that holds some words, so that its second is near to theirs."""
        whole, gap = self._sentences(place), self._heard.gap
        begin, end = place.first, place.past
        while begin > whole.first and not _CLAUSE_END.search(gap(begin)):
            begin -= 1
        while end < whole.past and not _CLAUSE_END.search(gap(end)):
            end += 1
        widened = Place(begin, end)
        if not self._fits(widened):
            widened = place
        longer = self._long_enough(widened)
        # As many of the words, from the first on, as may be cited; at least one.
        past = longer.past
        while past - longer.first > 1 and not self._fits(Place(longer.first, past)):
            past -= 1
        return self._quote(Place(longer.first, past))

    def _sentences(self, place: Place) -> Place:
        """The sentence, or the sentences, that hold some words."""
        of, sentences = self._heard.sentence_of, self._heard.sentences
        return Place(sentences[of(place.first)].start, sentences[of(place.past - 1)].stop)

    def _long_enough(self, place: Place) -> Place:
        """At least so many words as evidence needs, where the segment has so many."""
        first, past = place.first, place.past
        low, high = self._segment(first).start, self._segment(past - 1).stop
        while past - first < MIN_TOKENS and (past < high or first > low):
            if past < high:
                past += 1
            else:
                first -= 1
        while first > low and self._heard.words[first - 1] in NEGATIONS:
            first -= 1  # Without its "not" it would say something else.
        longer = Place(first, past)
        return longer if self._fits(longer) else place

    def _segment(self, word: int) -> range:
        """The words of the segment that a word stands in."""
        turn = self._heard.turns[self._heard.turn_of(word)]
        starts = [part.span.start for part in turn.parts]
        part = turn.parts[bisect_right(starts, self._heard.tokens.starts[word]) - 1]
        return self._heard.words_within(part.span)

    def _fits(self, place: Place) -> bool:
        return len(self._written(place)) <= self._max_chars

    def _quote(self, place: Place) -> Quote:
        moment = self._heard.transcript.moment(self._heard.span(place))
        return Quote(place, CitedEvidence(self._written(place), moment.start, moment.speaker))

    def _written(self, place: Place) -> str:
        """The words with the signs that touch them: "$" and "%" belong to their number."""
        text, span = self._heard.transcript.text, self._heard.span(place)
        turn = self._heard.turns[self._heard.turn_of(place.first)].span
        start, end = span.start, span.end
        while start > turn.start and is_sign(text[start - 1]):
            start -= 1
        while end < turn.end and is_sign(text[end]):
            end += 1
        return " ".join(text[start:end].rstrip(_TRAILING).lstrip(",;: ").split())
