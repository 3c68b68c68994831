"""The labels of a transcript's speakers: which are names, and which is the speaker's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from veridical.speech.names.text import name_keys
from veridical.speech.names.words import GENERIC_LABELS, NOT_NAMES, TITLES

_CODE = re.compile(r"[A-Z]{1,4}[A-Z0-9 _/-]*|\W*\w?\W*")
"""`A`, `CC`, `SPEAKER_00`: codes of a system."""

_MOST_WORDS = 5


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
    if any(key in GENERIC_LABELS or key in NOT_NAMES - TITLES for key in keys):
        return False
    if _CODE.fullmatch(label) and len(keys) == 1 and len(keys[0]) <= 3:
        return False
    return any(key not in TITLES for key in keys)
