"""Where are the cues of a rubric said? All of them are looked up once, in three steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from veridical.matching.embeddings import default_embedder
from veridical.scoring.offline import words as w
from veridical.scoring.offline.clauses import around_of
from veridical.scoring.offline.cut_numbers import cuts_number
from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.likeness import Likeness, Near
from veridical.scoring.offline.loose import LooseIndex, loose_words
from veridical.scoring.offline.plain import Plainness, plainness
from veridical.scoring.offline.readback import ReadBacks
from veridical.scoring.offline.reading import Reading, read
from veridical.scoring.offline.slips import find_slips
from veridical.text.spoken import spoken_keys
from veridical.validation.conflicts import conflicts
from veridical.validation.spoken_index import SpokenIndex
from veridical.validation.values import same_values

MOST_PLACES = 200
"""Places of one phrase that are looked at, from the first on."""


ODD_CONFIDENCE = 0.5
"""Of a cue with words around it that are not known to leave it what it is: for a person to see."""


class Step(Enum):
    """How a cue was found. The value is how sure its words are those of the cue, from 0 to 1."""

    EXACT = 0.9
    APPROXIMATE = 0.75
    SEMANTIC = 0.55


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a phrase is said, by whom, and how it is meant there.

    `named` is the unit that its clause names before it, if it names one.
    """

    phrase: str
    place: Place
    turn: int
    speaker: str | None
    step: Step
    reading: Reading
    confidence: float
    named: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it says that it is so."""
        return self.reading is Reading.ASSERTED


class Lookup:
    """The places of every phrase in one transcript, found once; only read afterwards."""

    def __init__(self, heard: Heard, phrases: Iterable[str]) -> None:
        self.heard = heard
        listed = sorted(set(phrases))
        self._likeness = Likeness(heard, default_embedder)
        self._readbacks = ReadBacks(heard)
        places = self._literal(listed)
        missing = [phrase for phrase in listed if not places[phrase]]
        for phrase in missing:
            found = self._likeness.same(phrase, MOST_PLACES)
            places[phrase] = dict.fromkeys(found, Step.SEMANTIC)
        self._hits = {phrase: self._read(phrase, found) for phrase, found in places.items()}
        unheard = [phrase for phrase in missing if not places[phrase]]
        self._near = dict(zip(unheard, self._likeness.near(unheard), strict=True))

    def hits(self, phrase: str) -> tuple[Hit, ...]:
        """Where a phrase is said, in order of the text."""
        return self._hits[phrase]

    def near(self, phrase: str) -> Near | None:
        """What comes nearest to a phrase that is not said."""
        return self._near.get(phrase)

    def _literal(self, phrases: Sequence[str]) -> dict[str, dict[Place, Step]]:
        """The places of the phrases' own words, and of those that are written otherwise."""
        index, loose = SpokenIndex(self.heard.transcript.text), LooseIndex(self.heard)
        found: dict[str, dict[Place, Step]] = {}
        for phrase in phrases:
            exact = self._exact(index, phrase)
            places = dict.fromkeys(exact, Step.EXACT)
            for place in loose.find(phrase, MOST_PLACES):
                if not any(place.shares_with(other) for other in exact) and self._agrees(
                    phrase, place
                ):
                    places[place] = Step.APPROXIMATE
            found[phrase] = places
        missing = [phrase for phrase in phrases if not found[phrase]]
        for phrase, slips in zip(
            missing, find_slips(self.heard, missing, MOST_PLACES), strict=True
        ):
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
        said = self.heard.text(place)
        if not any(character.isdigit() for character in phrase + said):
            return True
        return not conflicts(phrase, said) and not conflicts(said, phrase)

    def _read(self, phrase: str, places: dict[Place, Step]) -> tuple[Hit, ...]:
        return tuple(self._hit(phrase, place, places[place]) for place in sorted(places))

    def _hit(self, phrase: str, place: Place, step: Step) -> Hit:
        turn = self.heard.turn_of(place.first)
        speaker = self.heard.speaker(turn)
        # Of words that are only like the cue, all but the last are read for how it is meant.
        read_at = Place(place.past - 1, place.past) if step is Step.SEMANTIC else place
        said = self.heard.said(read_at)
        reading = self._readbacks.reading(place, read(said))
        if reading is Reading.ASKED and phrase.rstrip().endswith("?"):
            reading = Reading.ASSERTED  # The cue itself is a question.
        around = around_of(said)
        plain = Plainness.PLAIN if step is Step.SEMANTIC else plainness(around)
        if reading is Reading.ASSERTED and (
            plain is Plainness.UNCLEAR or cuts_number(self.heard, place, speaker)
        ):
            reading = Reading.UNCLEAR
        sure = min(step.value, ODD_CONFIDENCE) if plain is Plainness.ODD else step.value
        named = _unit_in(around.before)
        return Hit(phrase, place, turn, speaker, step, reading, sure, named)


def _unit_in(before: str) -> str | None:
    """The unit that is named last before a cue, in the words by which names are compared."""
    found = list(w.UNIT.finditer(" ".join(loose_words(before))))
    return found[-1].group() if found else None
