"""Names of people by a spaCy pipeline: the optional extra `names`."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

from veridical.errors import ConfigurationError, MissingExtraError

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
        self._pipeline = _load(model)

    def find(self, text: str) -> tuple[str, ...]:
        """The names in a text, in the order in which they first stand there."""
        found: dict[str, None] = {}
        for document in self._pipeline.pipe(_pieces(text)):
            for entity in document.ents:
                if entity.label_ in _PERSON_LABELS:
                    found.setdefault(str(entity.text).strip())
        return tuple(name for name in found if name)


def _load(model: str | Path) -> Any:
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
