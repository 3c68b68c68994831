"""Where are the cues of a rubric said? All of them are looked up once, in three steps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from rapidfuzz.distance import DamerauLevenshtein

from veridical.matching.align import Needle
from veridical.matching.embeddings import default_embedder
from veridical.matching.locate import locate_near
from veridical.matching.seeds import SearchPolicy
from veridical.scoring.checking.places import number_beside
from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import (
    EMPTY_WORDS,
    FILLERS,
    MOST_PLACES,
    PREPOSITIONS,
    Heard,
    LooseIndex,
    Place,
    keys_of,
    loose_words,
    word_keys,
)
from veridical.scoring.offline.meaning import (
    Meanings,
    Plainness,
    Reading,
    around,
    plainness,
)
from veridical.scoring.units import with_plain_units
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold
from veridical.text.spoken import SpokenIndex, spoken_keys
from veridical.validation.free import conflicts
from veridical.validation.lexicon import (
    CONFUSABLE,
    NEGATIONS,
    NEGATIVE_PREFIXES,
)
from veridical.validation.values import same_values

# Words that were written down with a slip: "establshing comand", "allclear".


POLICY = SearchPolicy(max_edit_distance=2, min_similarity=0.85)
"""Two edits are two letters that changed places; of shorter phrases less is forgiven."""

_SHORTEST_SWAPPED = 5
"""Letters of a word in which two may have changed places, or one been doubled."""

_SHORTEST_LEFT_OUT = 9
"""Letters of a word that may have one more or less: of shorter ones "starting" is "stating"."""

_SHORTEST_JOINED = 7
_ENDING = 2


def find_slips(heard: Heard, phrases: Sequence[str]) -> list[list[Place]]:
    """The first places of each phrase where it stands with slips, as whole words."""
    needles = [Needle(fold(phrase)) for phrase in phrases]
    located = locate_near(FoldedText(heard.transcript), needles, policy=POLICY)
    slips: list[list[Place]] = []
    for phrase, matches in zip(phrases, located, strict=True):
        places = set[Place]()
        for span in (match.span for match in matches):
            first = bisect_right(heard.tokens.ends, span.start)
            past = bisect_left(heard.tokens.starts, span.end)
            place = heard.place(first, past) if first < past else None
            if place is not None and _is_slip_of(heard, place, phrase):
                places.add(place)
        slips.append(sorted(places)[:MOST_PLACES])
    return slips


def _is_slip_of(heard: Heard, place: Place, phrase: str) -> bool:
    """Whether all words of a place are those of a phrase, or slips of them."""
    wanted = loose_words(phrase)
    written = [heard.text(range(word, word + 1)) for word in range(place.first, place.past)]
    there = keys_of(heard, range(place.first, place.past))
    if len(there) != len(wanted):
        # The letters may be the same, only parted in another way.
        letters, parts = "".join(wanted), {*there, *wanted}
        return (
            "".join(there) == letters
            and letters.isalpha()
            and len(letters) >= _SHORTEST_JOINED
            and not parts & (NEGATIONS | set(NEGATIVE_PREFIXES))
            and min(map(len, parts)) > 1
        )
    is_name = any(word[:1].isupper() for word in (*written[1:], *phrase.split()[1:]))
    changed = [(one, other) for one, other in zip(wanted, there, strict=True) if one != other]
    # Where no word is changed, a number or sign is: the place was refused for it before.
    return (
        0 < len(changed) < len(wanted) and not is_name and all(is_slip(*pair) for pair in changed)
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


# Words that say what a cue says without being its words.


SAME_COSINE = 0.85
"""From here on two phrases of the same words in other forms say the same.

By trial: "the search is now complete" 0.96, "established command" 0.86; "half a story" 0.85 has
another number, which `conflicts` sees.
"""

_MOST_EMPTY = 4
"""Empty words between two words that carry meaning."""

_EMPTY = EMPTY_WORDS | FILLERS
_ENDINGS = ("ing", "ed", "s", "")


@dataclass(frozen=True, slots=True)
class _Word:
    stem: str
    ending: str

    def agrees_with(self, other: _Word) -> bool:
        """The same word; done or being done, but not to be done: "establish" is an order."""
        if self.stem != other.stem:
            return False
        return self.ending == other.ending or {self.ending, other.ending} == {"ing", "ed"}


class Likeness:
    """Looks for what phrases say among the sentences of a transcript."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._words = [_word(word) for word in heard.words]
        self._places: dict[str, list[int]] = {}
        for at, word in enumerate(self._words):
            self._places.setdefault(word.stem, []).append(at)

    def same(self, phrase: str) -> list[Place]:
        """The first places where a phrase is said in other forms of its words."""
        keys = word_keys(phrase)
        wanted = [_word(key) for key in keys if key not in EMPTY_WORDS]
        if len(wanted) < 2:
            return []
        found: list[Place] = []
        for at in self._places.get(wanted[0].stem, ())[: MOST_PLACES * MOST_PLACES]:
            place = self._in_order(wanted, at)
            if place is not None and self._agrees(phrase, keys, place):
                found.append(place)
                if len(found) == MOST_PLACES:
                    break
        return found

    def _in_order(self, wanted: Sequence[_Word], first: int) -> Place | None:
        """The place from word `first` on where the wanted words stand, empty ones between them."""
        at = first
        if not self._words[at].agrees_with(wanted[0]):
            return None
        for word in wanted[1:]:
            at += 1
            empty = 0
            while at < len(self._words) and self._heard.words[at] in _EMPTY and empty < _MOST_EMPTY:
                at, empty = at + 1, empty + 1
            if at >= len(self._words) or not self._words[at].agrees_with(word):
                return None
        place = self._heard.place(first, at + 1)
        sentence = self._heard.sentences[self._heard.sentence_of(first)] if place else range(0)
        return place if at in sentence else None

    def _agrees(self, phrase: str, keys: Sequence[str], place: Place) -> bool:
        text = self._heard.text(place)
        there = self._heard.words[place.first : place.past]
        if [k for k in keys if k in PREPOSITIONS] != [k for k in there if k in PREPOSITIONS]:
            return False
        if conflicts(phrase, text) or conflicts(text, phrase):
            return False
        one, other = default_embedder().embed([phrase, text])
        return float(one @ other) >= SAME_COSINE


def _word(key: str) -> _Word:
    """A word without its ending, as far as that is told from its letters."""
    for ending in _ENDINGS:
        stem = key.removesuffix(ending)
        if len(stem) > 2 and key.endswith(ending) and not (ending == "s" and stem.endswith("s")):
            return _Word(stem.removesuffix("e") if len(stem) > 3 else stem, ending)
    return _Word(key, "")


ODD_CONFIDENCE = 0.5
"""Of a cue with words around it that are not known to leave it what it is: for a person to see."""


class Step(Enum):
    """How a cue was found. The value is how sure its words are those of the cue, from 0 to 1."""

    EXACT = 0.9
    APPROXIMATE = 0.75
    SEMANTIC = 0.55


class Voice(Enum):
    """Whether words are those of a speaker by whom a cue counts."""

    COUNTS = "counts"
    UNKNOWN = "speaker unknown"
    OTHER = "another's"


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a phrase is said, by whom, and how it is meant there.

    `named` is the unit that its clause names before it, if it names one. `counts_by` are the
    speakers by whom its cue counts, where `voice` says that it may not be one of them.
    """

    phrase: str
    place: Place
    turn: int
    speaker: str | None
    step: Step
    reading: Reading
    confidence: float
    named: str | None = None
    voice: Voice = Voice.COUNTS
    counts_by: tuple[str, ...] = ()


class Lookup:
    """The places of every phrase in one transcript, found once; only read afterwards."""

    def __init__(self, heard: Heard, phrases: Iterable[str]) -> None:
        self.heard = heard
        listed = sorted(set(phrases))
        self._likeness = Likeness(heard)
        self._meanings = Meanings(heard)
        places = self._literal(listed)
        missing = [phrase for phrase in listed if not places[phrase]]
        for phrase in missing:
            places[phrase] = dict.fromkeys(self._likeness.same(phrase), Step.SEMANTIC)
        self._hits = {
            phrase: tuple(self._hit(phrase, place, found[place]) for place in sorted(found))
            for phrase, found in places.items()
        }

    def hits(self, phrase: str) -> tuple[Hit, ...]:
        """Where a phrase is said, in order of the text."""
        return self._hits[phrase]

    def _literal(self, phrases: Sequence[str]) -> dict[str, dict[Place, Step]]:
        """The places of the phrases' own words, and of those that are written otherwise."""
        index, loose = SpokenIndex(self.heard.transcript.text), LooseIndex(self.heard)
        found: dict[str, dict[Place, Step]] = {}
        for phrase in phrases:
            exact = self._exact(index, phrase)
            places = dict.fromkeys(exact, Step.EXACT)
            for place in loose.find(phrase):
                if not any(place.shares_with(other) for other in exact) and self._agrees(
                    phrase, place
                ):
                    places[place] = Step.APPROXIMATE
            found[phrase] = places
        missing = [phrase for phrase in phrases if not found[phrase]]
        for phrase, slips in zip(missing, find_slips(self.heard, missing), strict=True):
            found[phrase] = dict.fromkeys(slips, Step.APPROXIMATE)
        return found

    def _exact(self, index: SpokenIndex, phrase: str) -> list[Place]:
        keys = spoken_keys(phrase)
        found: list[Place] = []
        for first in index.find(keys):
            place = self.heard.place(first, first + len(keys))
            if place is not None and same_values(phrase, self.heard.text(place)):
                found.append(place)
                if len(found) == MOST_PLACES:
                    break
        return found

    def _agrees(self, phrase: str, place: Place) -> bool:
        """Whether no number or sign is another one."""
        phrase, said = with_plain_units(phrase), with_plain_units(self.heard.text(place))
        if not any(character.isdigit() for character in phrase + said):
            return True
        return not conflicts(phrase, said) and not conflicts(said, phrase)

    def _hit(self, phrase: str, place: Place, step: Step) -> Hit:
        turn = self.heard.turn_of(place.first)
        speaker = self.heard.speaker(turn)
        # Of words that are only like the cue, all but the last are read for how it is meant.
        read_at = Place(place.past - 1, place.past) if step is Step.SEMANTIC else place
        said = around(self.heard, read_at)
        reading = self._meanings.of(place, said)
        if reading is Reading.ASKED and phrase.rstrip().endswith("?"):
            reading = Reading.ASSERTED  # The cue itself is a question.
        plain = Plainness.PLAIN if step is Step.SEMANTIC else plainness(said)
        if reading is Reading.ASSERTED and (
            plain is Plainness.UNCLEAR or self._cuts_number(place, speaker)
        ):
            reading = Reading.UNCLEAR
        sure = min(step.value, ODD_CONFIDENCE) if plain is Plainness.ODD else step.value
        units = list(w.UNIT.finditer(" ".join(loose_words(said.lead))))
        named = units[-1].group() if units else None
        return Hit(phrase, place, turn, speaker, step, reading, sure, named)

    def _cuts_number(self, place: Place, label: str | None) -> bool:
        """Whether a number goes on outside the words: "five victims" is not in "twenty-five
        victims". That of the speaker's own name, `label`, does not: "Ladder 4, two victims".
        """
        text, span = self.heard.transcript.text, self.heard.span(place)
        turn = self.heard.turns[self.heard.turn_of(place.first)].span
        before, after = text[turn.start : span.start][-_BESIDE:], text[span.end : turn.end]
        name = loose_words(label or "")
        if name and loose_words(before)[-len(name) :] == name:
            before = ""
        return number_beside(before, self.heard.text(place), after[:_BESIDE]) is not None


_BESIDE = 64
"""Characters next to a place that are looked at."""
