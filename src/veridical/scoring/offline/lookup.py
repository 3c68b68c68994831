"""Where are the cues of a rubric said? All of them are looked up once, in three steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from veridical.matching.embeddings import default_embedder
from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.loose import LooseIndex
from veridical.scoring.offline.meaning import Meanings, Near
from veridical.scoring.offline.readback import ReadBacks
from veridical.scoring.offline.reading import Reading, read
from veridical.scoring.offline.slips import find_slips
from veridical.text.spoken import spoken_keys
from veridical.validation.conflicts import conflicts
from veridical.validation.spoken_index import SpokenIndex
from veridical.validation.values import same_values

MOST_PLACES = 200
"""Places of one phrase that are looked at, from the first on."""


class Step(Enum):
    """How a cue was found. The value is how sure its words are those of the cue, from 0 to 1."""

    EXACT = 0.9
    APPROXIMATE = 0.75
    SEMANTIC = 0.55

    @property
    def confidence(self) -> float:
        """The confidence of an answer that rests on it."""
        return self.value


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a phrase is said, by whom, and how it is meant there."""

    phrase: str
    place: Place
    turn: int
    speaker: str | None
    step: Step
    reading: Reading

    @property
    def counts(self) -> bool:
        """Whether it says that it is so."""
        return self.reading is Reading.ASSERTED


class Lookup:
    """The places of every phrase in one transcript, found once; only read afterwards."""

    def __init__(self, heard: Heard, phrases: Iterable[str]) -> None:
        self.heard = heard
        listed = sorted(set(phrases))
        self._meanings = Meanings(heard, default_embedder)
        self._readbacks = ReadBacks(heard)
        places = self._literal(listed)
        missing = [phrase for phrase in listed if not places[phrase]]
        for phrase in missing:
            found = self._meanings.same(phrase, MOST_PLACES)
            places[phrase] = dict.fromkeys(found, Step.SEMANTIC)
        self._hits = {phrase: self._read(phrase, found) for phrase, found in places.items()}
        unheard = [phrase for phrase in missing if not places[phrase]]
        self._near = dict(zip(unheard, self._meanings.near(unheard), strict=True))

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
        # Of words that are only like the cue, all but the last are read for how it is meant.
        read_at = Place(place.past - 1, place.past) if step is Step.SEMANTIC else place
        reading = read(self.heard.said(read_at))
        reading = self._readbacks.reading(place, reading)
        if reading is Reading.ASKED and phrase.rstrip().endswith("?"):
            reading = Reading.ASSERTED  # The cue itself is a question.
        return Hit(phrase, place, turn, self.heard.speaker(turn), step, reading)
