"""What shows something: its cues, and where they were said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import Heard
from veridical.scoring.offline.lookup import Hit, Lookup
from veridical.scoring.offline.loose import loose_words
from veridical.scoring.rubric import Cue


@dataclass(frozen=True, slots=True)
class Sign:
    """A verdict, an element, an option or an event, and where its cues were said.

    `asserted` are the hits that count, `passed` those that are meant otherwise, both in order of
    the text, one for each place. `phrases` are its cues' own.
    """

    name: str
    phrases: tuple[str, ...]
    asserted: tuple[Hit, ...]
    passed: tuple[Hit, ...]

    @classmethod
    def of(cls, name: str, cues: Iterable[Cue], lookup: Lookup) -> Sign:
        """The sign that some cues are, each by the words of those speakers who count."""
        listed = tuple(cues)
        hits = [
            hit
            for cue in listed
            for hit in lookup.hits(cue.phrase)
            if counts_speaker(hit.speaker, cue) and not (cue.speakers and _is_of_another(hit))
        ]
        return cls(
            name,
            tuple(dict.fromkeys(cue.phrase for cue in listed)),
            _apart([hit for hit in hits if hit.counts]),
            _apart([hit for hit in hits if not hit.counts]),
        )


def counts_speaker(label: str | None, cue: Cue) -> bool:
    """Whether a speaker's words count for a cue. Patterns know `*` and `?`, and no other sign."""
    if not cue.speakers:
        return True
    if label is None:
        return False
    patterns = (pattern.casefold().replace("[", "[[]") for pattern in cue.speakers)
    return any(fnmatchcase(label.casefold(), pattern) for pattern in patterns)


def _is_of_another(hit: Hit) -> bool:
    """Whether a unit with a number says it of another: "I see Medic 3 on scene"."""
    speaker = " ".join(loose_words(hit.speaker or ""))
    if hit.named is None or w.UNIT.fullmatch(speaker) is None:
        return False
    return hit.named != speaker


def settle_contradiction(
    heard: Heard, one: Sequence[Hit], other: Sequence[Hit]
) -> Sequence[Hit] | None:
    """Of two that contradict each other the one that corrects the other, None where neither does.

    It does where all of it is said after all of the other, and the sentence of its first hit, or
    the one before it, calls it a correction.
    """
    first, last = (one, other) if _first(one) < _first(other) else (other, one)
    if max(hit.place.first for hit in first) >= _first(last):
        return None
    return last if _sentence_has(heard, last, w.CORRECTING) else None


def later_option(heard: Heard, signs: Sequence[Sign]) -> Sign | None:
    """The option that was said alone, or last and in words that say that it is a change.

    None where several were said and nothing says which of them replaced the others.
    """
    if len(signs) == 1:
        return signs[0]
    last = max(signs, key=lambda sign: (sign.asserted[0].place, sign.name))
    others = [hit.place.first for sign in signs if sign is not last for hit in sign.asserted]
    if max(others) >= last.asserted[0].place.first:
        return None
    return last if _sentence_has(heard, last.asserted, w.CHANGING) else None


def _first(hits: Sequence[Hit]) -> int:
    return min(hit.place.first for hit in hits)


def _sentence_has(heard: Heard, hits: Sequence[Hit], words: re.Pattern[str]) -> bool:
    """Whether the sentence of the first hit, or the one before it in its turn, has some words."""
    place = min(hit.place for hit in hits)
    said = heard.said(place)
    texts = (" ".join(said.previous), " ".join(said.words))
    return any(words.search(text) is not None for text in texts)


def _apart(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in order of the text, of those that share words the surest, then the longest."""
    ranked = sorted(
        hits,
        key=lambda hit: (
            -hit.confidence,
            hit.place.first - hit.place.past,
            hit.place,
            hit.phrase,
        ),
    )
    kept: list[Hit] = []
    taken: set[int] = set()
    for hit in ranked:
        words = range(hit.place.first, hit.place.past)
        if taken.isdisjoint(words):
            kept.append(hit)
            taken.update(words)
    return tuple(sorted(kept, key=lambda hit: hit.place))
