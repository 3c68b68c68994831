"""A transcript made ready for cues: its words, and the turn and sentence of each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from veridical.scoring.units import places_of_units, with_plain_units
from veridical.sources.document import Span
from veridical.sources.transcript import Transcript
from veridical.text.lexicon import english
from veridical.text.normalize import fold
from veridical.text.reading import sentence_spans
from veridical.text.spoken import SpokenIndex, spoken_tokens
from veridical.text.tokens import word_key
from veridical.text.turns import Turn, tokens_of_turns, turns
from veridical.validation.lexicon import CARDINALS, NUMBERS

FILLERS = frozenset("uh um er erm ah eh hm hmm mm".split())

SPOKEN_NUMBERS = CARDINALS | {"zero", "oh", "niner"}
"""Words of numbers as they are said on the radio."""

EMPTY_WORDS = (
    english("articles", "be", "being", "have", "do", "subjects", "objects", "determiners")
    | english("prepositions")
    | frozenset("and or now just here there so up im ive we're weve youre theyre thats".split())
) - {"being", "his"}
"""Words that say nothing of what a sentence is about."""

PREPOSITIONS = english("prepositions") | {"up"}
"""Those of the empty words without which "water on the fire" is no other than "water for it"."""

BREAKING_OFF = english("articles", "have", "do", "prepositions", "conjunctions") | frozenset(
    """
    if when once until that is are was we're not no dont cant cannot unable still we i you they our
    your my will we'll going be been get getting advise confirm verify
    """.split()
)
"""Nobody ends a sentence with these. What comes after a pause, or a comma, belongs to them."""

_TITLES = english("titles") | frozenset("lt capt sgt st approx".split())
"""Their full stop ends no sentence."""

MOST_WORDS = 200
"""Words of a sentence that goes on after a pause: nobody says more in one breath."""

PAUSE_SECONDS = 2.0
"""Between two segments of one turn, a silence that ends a sentence which has no full stop."""

_ENDS = ".?!"
_CLOSING = "\"'”’)]»"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Words `first` to `past` of a transcript, half-open, all in one turn."""

    first: int
    past: int

    def shares_with(self, other: Place) -> bool:
        """Whether they have a word in common."""
        return self.first < other.past and other.first < self.past


class Heard:
    """The words of one transcript. Made once, and then only read."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.turns: tuple[Turn, ...] = turns(transcript)
        self.tokens, self.turn_words = tokens_of_turns(transcript, self.turns)
        text = transcript.text
        written = [
            text[start:end] for start, end in zip(self.tokens.starts, self.tokens.ends, strict=True)
        ]
        self.words = [word_key(word) for word in written]
        self.keys = [loose_keys(word) for word in written]
        self._turn_starts = [turn.span.start for turn in self.turns]
        self.sentences: list[range] = []
        for turn, words in zip(self.turns, self.turn_words, strict=True):
            self.sentences.extend(self._sentences_of(turn, words))
        self._sentence_starts = [sentence.start for sentence in self.sentences]
        self._write_units_in_one_way(text)

    def _write_units_in_one_way(self, text: str) -> None:
        """Compare "E25", "ENG25" and "Engine two five" as the words "engine" and "25"."""
        for start, end, unit in places_of_units(text):
            first = bisect_right(self.tokens.starts, start) - 1
            last = bisect_right(self.tokens.starts, end - 1) - 1
            if first < 0 or self.place(first, last + 1) is None:
                continue
            rest = "x" + text[end : self.tokens.ends[last]]  # the "'s" of "E25's"
            self.keys[first : last + 1] = [()] * (last + 1 - first)
            self.keys[last] = (str(unit.number), *loose_keys(rest)[1:])
            self.keys[first] = (unit.kind, *self.keys[first])
            self.words[first] = unit.kind if first < last else f"{unit}{word_key(rest)[1:]}"

    def place(self, first: int, past: int) -> Place | None:
        """Those words as a place; None where they are not all of one turn."""
        turn = self.turn_of(first)
        return None if turn < 0 or past > self.turn_words[turn].stop else Place(first, past)

    def turn_of(self, word: int) -> int:
        """The index of the turn that a word stands in, -1 where it stands in none."""
        at = bisect_right(self._turn_starts, self.tokens.starts[word]) - 1
        return at if at >= 0 and word in self.turn_words[at] else -1

    def speaker(self, turn: int) -> str | None:
        """Who speaks a turn."""
        return self.turns[turn].parts[0].speaker

    def span(self, words: Place | range) -> Span:
        """Where some words stand in the text."""
        first, past = (
            (words.start, words.stop) if isinstance(words, range) else (words.first, words.past)
        )
        return Span(self.tokens.starts[first], self.tokens.ends[past - 1])

    def text(self, words: Place | range) -> str:
        """Some words as they are written."""
        span = self.span(words)
        return self.transcript.text[span.start : span.end]

    def start(self, words: Place | range) -> float | None:
        """The second at which the first of them was said, None where that is not known."""
        return self.transcript.moment(self.span(words)).start

    def silence_before(self, words: range) -> float:
        """The seconds between some words and the one before them; 0 where that is not known."""
        if words.start == 0:
            return 0.0
        ended = self.transcript.moment(self.span(range(words.start - 1, words.start))).end
        begins = self.start(words)
        return 0.0 if ended is None or begins is None else begins - ended

    def sentence_of(self, word: int) -> int:
        """The index of the sentence that a word of a turn stands in."""
        return bisect_right(self._sentence_starts, word) - 1

    def words_within(self, span: Span) -> range:
        """The words that lie inside a span of the text."""
        first = bisect_left(self.tokens.starts, span.start)
        return range(first, max(first, bisect_right(self.tokens.ends, span.end)))

    def written(self, words: range) -> str:
        """Some words as they are compared, with single spaces between them."""
        return " ".join(self.words[words.start : words.stop])

    def written_sentences(self, first: int, count: int, turn: range) -> tuple[str, ...]:
        """So many sentences, each `written`; those that are not of the turn are empty."""
        numbers = range(first, first + count)
        of_turn = (
            0 <= n < len(self.sentences) and self.sentences[n].start in turn for n in numbers
        )
        return tuple(
            self.written(self.sentences[n]) if is_of_turn else ""
            for n, is_of_turn in zip(numbers, of_turn, strict=True)
        )

    def gap_after(self, word: int) -> str:
        """What is written between a word and the next one, or the end of its turn."""
        turn = self.turn_of(word)
        is_last = word + 1 == self.turn_words[turn].stop
        end = self.turns[turn].span.end if is_last else self.tokens.starts[word + 1]
        return self.transcript.text[self.tokens.ends[word] : end]

    def gap(self, word: int) -> str:
        """What is written between a word and the one before it."""
        before = self.tokens.ends[word - 1] if word else 0
        return self.transcript.text[before : self.tokens.starts[word]]

    def _sentences_of(self, turn: Turn, words: range) -> Iterator[range]:
        """A turn's sentences, each with at least one word."""
        text = self.transcript.text[turn.span.start : turn.span.end]
        ends = {turn.span.start + end for _, end in sentence_spans(text)}
        for one, other in pairwise(turn.parts):
            if one.end is not None and other.start is not None:
                ends |= {other.span.start} if other.start - one.end >= PAUSE_SECONDS else set()
        starts, begin = self.tokens.starts, words.start
        for end in sorted({bisect_left(starts, at, words.start, words.stop) for at in ends}):
            if not begin < end < words.stop:
                continue
            if end - begin >= MOST_WORDS or not self._goes_on(end):
                yield range(begin, end)
                begin = end
        if begin < words.stop:
            yield range(begin, words.stop)

    def _goes_on(self, past: int) -> bool:
        """Whether what is said before word `past` was broken off, not ended."""
        written = self.gap(past).strip().rstrip(_CLOSING)
        if written == "." and self.words[past - 1] in _TITLES:
            return True
        if written.endswith(("...", "…")):
            return True
        return not written.endswith(tuple(_ENDS)) and self.words[past - 1] in BREAKING_OFF


# The words of speech as two honest hearers may write them differently. Case, accents, hyphens,
# articles and fillers are forgotten, numbers up to twelve are digits, and short forms are written
# out: "Uh, fire's under control" is "the fire is under control".


_DROPPED = english("articles") | FILLERS
_COUNTS = {word: str(value) for word, value in NUMBERS.items() if value <= 12}
"""Numbers that are written either way: "Engine 7", "Engine seven", "two-story"."""

_SHORT_FORMS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'s": "is"}


@lru_cache(maxsize=64 * 1024)
def loose_keys(word: str) -> tuple[str, ...]:
    """What a word, as it is written, is compared by: none, one, or one for each of its parts."""
    plain = word.replace("\u2019", "'").replace("\u02bc", "'")
    ending = next((short for short in _SHORT_FORMS if plain.lower().endswith(short)), "")
    parts = fold(plain.removesuffix(plain[len(plain) - len(ending) :]) if ending else plain).split()
    parts += [_SHORT_FORMS[ending]] if ending and parts else []
    return tuple(_COUNTS.get(part, part) for part in parts if part not in _DROPPED)


def keys_of(heard: Heard, words: range) -> list[str]:
    """Some words of a transcript, by what they are compared."""
    return [key for at in words for key in heard.keys[at]]


def word_keys(text: str) -> list[str]:
    """The words of a text as `Heard.words` has them."""
    return [word_key(word) for word in _written(text)]


def loose_words(text: str) -> list[str]:
    """The words of a text, by what they are compared."""
    return [key for word in _written(text) for key in loose_keys(word)]


def _written(text: str) -> list[str]:
    """The words of a text, units in the one way."""
    plain = with_plain_units(text)
    tokens = spoken_tokens(plain)
    return [plain[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]


MOST_PLACES = 200
"""Places of one phrase that are looked at, from the first on."""


class LooseIndex:
    """Finds phrases among the words of a transcript, whichever way both are written."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._owners: list[int] = []
        keys: list[str] = []
        for word, own in enumerate(heard.keys):
            for key in own:
                self._owners.append(word)
                keys.append(key)
        self._index = SpokenIndex(" ".join(keys))

    def find(self, phrase: str) -> list[Place]:
        """The first places of a phrase, each of whole words of one turn."""
        found: list[Place] = []
        keys, owners = loose_words(phrase), self._owners
        for at in self._index.find(keys):
            first, last = owners[at], owners[at + len(keys) - 1]
            place = self._heard.place(first, last + 1)
            past = at + len(keys)
            # No word is cut in two: "story" is not in "two-story" by itself.
            starts = at == 0 or owners[at - 1] != owners[at]
            ends = past == len(owners) or owners[past] != owners[past - 1]
            if place is not None and starts and ends:
                found.append(place)
                if len(found) == MOST_PLACES:
                    break
        return found
