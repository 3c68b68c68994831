"""Names inside what is written without spaces: addresses, handles, tags, words run together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.speech.names.extent import NO_PEOPLE
from veridical.speech.names.guards import is_everyday
from veridical.speech.names.lists import GIVEN_NAMES, SURNAMES
from veridical.speech.names.text import NameWord, name_key, name_words
from veridical.speech.names.vocabulary import is_common

LEAST_INSIDE = 4
"""Letters of a name that is looked for inside words too."""

_LEAST_REST = 3
_CLEAR = 6
"""Letters of a name that shows at the start or the end of a word, whatever the rest is."""

_LONGEST = 60
"""Letters of a word that is taken apart."""

_PIECE = re.compile(r"\S+")
_HANDLE = re.compile(r"[@#]\w|\w@\w|://|www\.")
_EDGE = "\"'()[]{}<>.,;:!?\u2026\u201c\u201d\u2018\u2019"
_HUMP = re.compile(r"[A-Z][a-z]+")


class Compounds:
    """Finds what holds one of `parts` (keys of names) without being the name itself."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._parts = parts
        self._inside = _any_of(part for part in parts if len(part) >= LEAST_INSIDE)
        self._clear = _any_of(
            part for part in parts if len(part) >= _CLEAR and not is_everyday(part)
        )

    def holds(self, text: str) -> bool:
        """Whether a name of four letters or more stands anywhere in a text, inside words too."""
        return self._inside is not None and self._inside.search(name_key(text)) is not None

    def handles(self, text: str) -> Iterator[tuple[int, int]]:
        """Where addresses, handles and tags with a name in them start and end."""
        if "@" not in text and "#" not in text and "://" not in text and "www." not in text:
            return
        for piece in _PIECE.finditer(text):
            if _HANDLE.search(piece.group()):
                bare = piece.group().strip(_EDGE)
                if self.holds(bare) or any(w.key in self._parts for w in name_words(bare)):
                    start = text.index(bare, piece.start())
                    yield start, start + len(bare)

    def run_together(self, text: str, words: Sequence[NameWord]) -> Iterator[tuple[int, int]]:
        """Where words that are made of names start and end: "mariagarcia", "MariaSpeaks"."""
        for word in words:
            if word.key in self._parts or not LEAST_INSIDE < len(word.key) <= _LONGEST:
                continue
            if self._made_of_names(word.key) or self._humps(text[word.start : word.end]):
                yield word.start, word.end

    def _made_of_names(self, key: str) -> bool:
        if is_common(key) or is_everyday(key) or key in NO_PEOPLE:
            return False
        if key in GIVEN_NAMES or key in SURNAMES:
            return False
        return any(
            self._pair(key[:cut], key[cut:]) or self._pair(key[cut:], key[:cut])
            for cut in range(_LEAST_REST, len(key) - _LEAST_REST + 1)
        )

    def _pair(self, name: str, rest: str) -> bool:
        """Whether one half is a name to take out and the other makes sense beside it."""
        if name not in self._parts or len(name) < LEAST_INSIDE:
            return False
        if rest in self._parts or rest in GIVEN_NAMES or rest in SURNAMES:
            return True
        return self._clear is not None and self._clear.fullmatch(name) is not None

    def _humps(self, written: str) -> bool:
        """Whether a name stands between the humps of "MariaSpeaks"."""
        humps = _HUMP.findall(written)
        return len(humps) > 1 and any(
            len(hump) >= _LEAST_REST and name_key(hump) in self._parts for hump in humps
        )


def _any_of(parts: Iterator[str]) -> re.Pattern[str] | None:
    wanted = sorted(parts)
    return re.compile("|".join(map(re.escape, wanted))) if wanted else None
