"""Which of a transcript's speakers is evaluated?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.errors import ConfigurationError
from veridical.sources.transcript import Transcript
from veridical.speech.lexicon import listed
from veridical.speech.names.claims import TITLES
from veridical.speech.names.text import name_keys
from veridical.text.spoken import spoken_keys
from veridical.text.turns import tokens_of_turns, turns

# The labels of a transcript's speakers: which are names, and which is the speaker's own.


_CODE = re.compile(r"[A-Z]{1,4}[A-Z0-9 _/-]*|\W*\w?\W*")
"""`A`, `CC`, `SPEAKER_00`: codes of a system."""

_MOST_WORDS = 5
_NOT_NAMES = listed("labels") | (listed("never-names") - TITLES)


def people_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels that are people's names, not roles or numbers ("Speaker 1", "Chair")."""
    return tuple(label for label in labels if _is_name(label))


def own_name(speaker: str | None, labels: Iterable[str]) -> str | None:
    """The speaker's name as fully as it is known.

    Where exactly one label has all words of `speaker` ("Maria" and "Maria Lopez"), it is theirs.
    """
    if speaker is None:
        return None
    keys = set(name_keys(speaker))
    fuller = [label for label in labels if keys and keys <= set(name_keys(label))]
    return fuller[0] if len(fuller) == 1 else speaker


def _is_name(label: str) -> bool:
    keys = name_keys(label)
    if not keys or len(keys) > _MOST_WORDS:
        return False
    if any(key in _NOT_NAMES for key in keys):
        return False
    if _CODE.fullmatch(label) and len(keys) == 1 and len(keys[0]) <= 3:
        return False
    return any(key not in TITLES for key in keys)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The speaker who is evaluated: the label in the transcript, None for all that was said, and
    the name, as far as it is known. `warning` says what had to be assumed.
    """

    label: str | None
    name: str | None = None
    warning: str | None = None


def evaluated_speaker(
    transcript: Transcript, *, name: str | None = None, label: str | None = None
) -> Evaluated:
    """The speaker to evaluate: with that `label`, else with the label that fits the `name`.

    Where neither tells, the one who says the most, with a warning if there are others.
    Raises ConfigurationError for a label that the transcript does not have, and for a name that
    fits none or several of the names that it has.
    """
    labels = transcript.speakers
    if label is not None:
        require_label(transcript, label)
        return Evaluated(label, name or _name_of(label))
    if len(labels) < 2:
        only = labels[0] if labels else None
        return Evaluated(None, name or (_name_of(only) if only else None))
    if name is not None:
        fitting = [other for other in labels if _fits(name, other)]
        if len(fitting) == 1:
            return Evaluated(fitting[0], name)
        if fitting or people_labels(labels):
            raise ConfigurationError(
                f"{name!r} fits {'several' if fitting else 'none'} of the speakers of the "
                f"transcript, which are labelled: {', '.join(labels)}. Give the label of the one "
                "who is meant"
            )
    said = _words_said(transcript)
    most = max(labels, key=lambda other: said[other])
    return Evaluated(
        most,
        name or _name_of(most),
        f"the transcript has {len(labels)} speakers; the one with the most words is evaluated, as "
        "none was named",
    )


def require_label(transcript: Transcript, label: str | None) -> None:
    """Raises ConfigurationError for a speaker's label that the transcript does not have."""
    if label is not None and label not in transcript.speakers:
        known = ", ".join(transcript.speakers) or "none"
        raise ConfigurationError(
            f"no speaker of the transcript is labelled {label!r}; its labels are: {known}"
        )


def _name_of(label: str) -> str | None:
    """A label that is a person's name is that person's name."""
    return next(iter(people_labels([label])), None)


def _fits(name: str, label: str) -> bool:
    """Whether all words of the one are among those of the other: "Maria" and "Maria Lopez"."""
    wanted, there = set(spoken_keys(name)), set(spoken_keys(label))
    return bool(wanted and there) and (wanted <= there or there <= wanted)


def _words_said(transcript: Transcript) -> Counter[str | None]:
    """How many words each speaker says."""
    spoken = turns(transcript)
    _, ranges = tokens_of_turns(transcript, spoken)
    said: Counter[str | None] = Counter()
    for turn, inside in zip(spoken, ranges, strict=True):
        said[turn.parts[0].speaker] += len(inside)
    return said
