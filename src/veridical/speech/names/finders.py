"""Finding the names of people: by patterns, or by a spaCy pipeline (the extra `names`)."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.speech.lexicon import listed
from veridical.speech.names.claims import GIVEN_NAMES, PLACE_NAMES, SURNAMES, WORD_NAMES, claims
from veridical.speech.names.text import NameWord, name_words

_KNOWN = GIVEN_NAMES | WORD_NAMES | PLACE_NAMES | SURNAMES
_RADIO = listed("radio")
_RADIO_SIGNS = listed("radio-signs")
_LEAST_RADIO_SIGNS = 2


class NameFinder(Protocol):
    """Finds the names of people. Places and organisations are not names here."""

    def find(self, text: str) -> Sequence[str]:
        """The names in a text, as they are written there, each once."""
        ...


class PatternNames:
    """The embedded default: introductions, thanks, address, given names, and unknown words with a
    capital where people stand.

    English first, with the commonest forms of German, French and Spanish. It misses unknown names
    that nothing announces in transcripts without capitals: list those yourself.
    """

    def find(self, text: str) -> tuple[str, ...]:
        """The names in a text, in the order in which they first stand there. Linear in its length.

        A title that goes with a name ("Dr.") is not part of it.
        """
        words = name_words(text)
        everyday = _everyday(words)
        if len(_RADIO_SIGNS.intersection(word.key for word in words)) >= _LEAST_RADIO_SIGNS:
            everyday |= _said_on_the_radio(words)
        found = (
            text[words[first].start : words[last].end]
            for first, last in claims(words)
            if first < last or first not in everyday
        )
        return tuple(dict.fromkeys(found))


def _everyday(words: Sequence[NameWord]) -> set[int]:
    """The unknown words that a text, which has capitals, writes in lower case as often as with one
    that does not begin a sentence.
    """
    if not any(word.capital for word in words):
        return set()
    lower = Counter(word.key for word in words if not word.capital)
    upper = Counter(word.key for word in words if word.capital and not word.opens)
    often = {key for key, times in lower.items() if times >= upper[key]} - _KNOWN
    return {index for index, word in enumerate(words) if word.key in often}


def _said_on_the_radio(words: Sequence[NameWord]) -> set[int]:
    """The words of radio talk that stand by themselves ("Roger, ...") or beside another of them."""
    said: set[int] = set()
    for index, word in enumerate(words):
        beside = (*words[max(0, index - 1) : index], *words[index + 1 : index + 2])
        alone = (word.opens or not word.joined) and word.after.strip()[:1] in {*",.!?"}
        if word.key in _RADIO and (alone or any(w.key in _RADIO | _RADIO_SIGNS for w in beside)):
            said.add(index)
    return said


class AllNames:
    """What any of several finders finds."""

    def __init__(self, *finders: NameFinder) -> None:
        self._finders = finders

    def find(self, text: str) -> tuple[str, ...]:
        """The names that they find, in their order."""
        return tuple(dict.fromkeys(name for finder in self._finders for name in finder.find(text)))


_LOG = logging.getLogger(__name__)

_PERSON_LABELS = frozenset({"PERSON", "PER", "persName"})
_PIECE_CHARS = 100_000
"""spaCy takes a text up to a length and memory that grows with it: longer texts go in pieces."""


class SpacyNames:
    """The entities that a spaCy pipeline labels as people.

    `model` is the name of an installed pipeline or the path of one. It finds names that nothing
    announces; use it beside the patterns: `AllNames(PatternNames(), SpacyNames("en_core_web_sm"))`.

    Raises MissingExtraError without spaCy, ConfigurationError where the pipeline cannot be loaded
    or labels no entities.
    """

    def __init__(self, model: str | Path = "en_core_web_sm") -> None:
        self._pipeline = _pipeline(model)

    def find(self, text: str) -> tuple[str, ...]:
        """The names in a text, in the order in which they first stand there."""
        found: dict[str, None] = {}
        for document in self._pipeline.pipe(_pieces(text)):
            for entity in document.ents:
                if entity.label_ in _PERSON_LABELS:
                    found.setdefault(str(entity.text).strip())
        return tuple(name for name in found if name)


def _pipeline(model: str | Path) -> Any:
    try:
        spacy = import_module("spacy")
    except ImportError as error:
        raise MissingExtraError("finding names with spaCy", "names") from error
    try:
        pipeline = spacy.load(model)
    except (OSError, ValueError, ImportError) as error:
        raise ConfigurationError(
            f"the spaCy pipeline '{model}' cannot be loaded. If it is not installed yet: "
            f"python -m spacy download {model}"
        ) from error
    if not {"ner", "entity_ruler", "span_ruler"} & set(pipeline.pipe_names):
        raise ConfigurationError(
            f"the spaCy pipeline '{model}' labels no entities: it has neither 'ner' nor "
            "'entity_ruler'; choose another, such as en_core_web_sm"
        )
    _LOG.debug("names are found by the spaCy pipeline %s", model)
    return pipeline


def _pieces(text: str) -> list[str]:
    """The text cut at white space into pieces that spaCy takes."""
    pieces: list[str] = []
    start = 0
    while len(text) - start > _PIECE_CHARS:
        cut = text.rfind(" ", start + 1, start + _PIECE_CHARS)
        cut = cut if cut > start else start + _PIECE_CHARS
        pieces.append(text[start:cut])
        start = cut
    return [*pieces, text[start:]]
