"""Where are the cues of a rubric said? All of them are looked up once, in four steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rapidfuzz.distance import DamerauLevenshtein

from veridical.scoring.checking.places import number_beside
from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import (
    EMPTY_WORDS,
    FILLERS,
    MOST_PLACES,
    PREPOSITIONS,
    Heard,
    KeyIndex,
    Place,
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
from veridical.text.spoken import SpokenIndex, spoken_keys
from veridical.validation.free import conflicts
from veridical.validation.lexicon import CONFUSABLE
from veridical.validation.values import same_values

# Words that were written down with a slip: "establshing comand".


_SHORTEST_SWAPPED = 5
"""Letters of a word in which two may have changed places, or one been doubled."""

_SHORTEST_LEFT_OUT = 9
"""Letters of a word that may have one more or less: of shorter ones "starting" is "stating"."""

_ENDING = 2


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


def _mended(heard: Heard, phrases: Iterable[str]) -> list[tuple[str, ...]]:
    """The keys of a transcript's words, those that are slips of a cue's word as that word is.

    What is written with a capital may be a name, in which a letter makes another one.
    """
    wanted: dict[str, list[str]] = {}
    for key in {key for phrase in phrases for key in loose_words(phrase)}:
        wanted.setdefault(key[0], []).append(key)
    known: dict[str, str] = {key: key for keys in wanted.values() for key in keys}

    def mended(key: str) -> str:
        if key not in known:
            slips = (one for one in sorted(wanted.get(key[0], ())) if is_slip(one, key))
            known[key] = next(slips, key)
        return known[key]

    return [
        tuple(map(mended, keys)) if heard.text(range(at, at + 1)).islower() else keys
        for at, keys in enumerate(heard.keys)
    ]


# Words that say what a cue says in other forms: those that carry meaning, and in what form.


_EMPTY = EMPTY_WORDS | FILLERS
_FORMS = {"ing": "~", "ed": "~", "s": "+", "": ""}
"""Done is being done, but not to be done: "establish" is an order."""


def _form(word: str) -> tuple[str, ...]:
    """A word without its ending, as far as that is told from its letters; none for an empty one."""
    if word in _EMPTY:
        return ()
    for ending, form in _FORMS.items():
        stem = word.removesuffix(ending)
        if len(stem) > 2 and word.endswith(ending) and not (ending == "s" and stem.endswith("s")):
            return (stem + form,)
    return (word,)


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
        self._meanings = Meanings(heard)
        self._spoken = SpokenIndex(heard.transcript.text)
        self._loose = KeyIndex(heard, heard.keys)
        self._mended = KeyIndex(heard, _mended(heard, listed))
        self._forms = KeyIndex(heard, [_form(word) for word in heard.words])
        self._hits = {phrase: tuple(self._found(phrase)) for phrase in listed}

    def hits(self, phrase: str) -> tuple[Hit, ...]:
        """Where a phrase is said, in order of the text."""
        return self._hits[phrase]

    def _found(self, phrase: str) -> list[Hit]:
        """The places of a phrase's own words, and of those that are written otherwise; where there
        are none those with a slip, and then those of other forms of its words.
        """
        exact, wanted = self._exact(phrase), loose_words(phrase)
        places = dict.fromkeys(exact, Step.EXACT)
        for place in self._loose.find(wanted):
            apart = not any(place.shares_with(other) for other in exact)
            if apart and self._agrees(phrase, place):
                places[place] = Step.APPROXIMATE
        if not places:
            slips = self._mended.find(wanted) if len(wanted) > 1 else []
            places = dict.fromkeys(slips, Step.APPROXIMATE)
        if not places:
            places = dict.fromkeys(self._in_other_forms(phrase), Step.SEMANTIC)
        return [self._hit(phrase, place, places[place]) for place in sorted(places)]

    def _in_other_forms(self, phrase: str) -> list[Place]:
        """Where the words of a phrase are said in other forms, in one sentence."""
        keys, heard = word_keys(phrase), self.heard
        wanted = [form for key in keys for form in _form(key)]
        if len(wanted) < 2:
            return []
        prepositions = [key for key in keys if key in PREPOSITIONS]
        return [
            place
            for place in self._forms.find(wanted)
            if heard.sentence_of(place.first) == heard.sentence_of(place.past - 1)
            and prepositions
            == [key for key in heard.words[place.first : place.past] if key in PREPOSITIONS]
            and not conflicts(phrase, heard.text(place))
            and not conflicts(heard.text(place), phrase)
        ]

    def _exact(self, phrase: str) -> list[Place]:
        keys = spoken_keys(phrase)
        found: list[Place] = []
        for first in self._spoken.find(keys):
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
