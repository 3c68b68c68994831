"""Where do these tokens stand in a transcript, one after the other?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from veridical.sources.span import Span
from veridical.text.spoken import spoken_tokens

MOST_PLACES = 2_000
"""Up to so many places of a quote's rarest token are looked at one by one: it takes microseconds.

Beyond, the whole text is searched, which takes no longer for a text of nothing but two words.
"""

_CODES = 0x110000


class SpokenIndex:
    """The tokens of one text, and where each of them stands."""

    def __init__(self, text: str) -> None:
        self._tokens = spoken_tokens(text)
        self._places: dict[str, list[int]] = {}
        for index, key in enumerate(self._tokens.keys):
            self._places.setdefault(key, []).append(index)

    def __len__(self) -> int:
        return len(self._tokens)

    def find(self, keys: Sequence[str]) -> Iterator[int]:
        """The index of each token from which `keys` follow one another; overlaps included."""
        wanted, there = list(keys), self._tokens.keys
        places = [self._places.get(key, []) for key in wanted]
        rarest = min(range(len(places)), key=lambda index: len(places[index]), default=0)
        if not wanted or not places[rarest]:
            return
        if len(places[rarest]) > MOST_PLACES:
            starts = self._find_in_codes(wanted)
        else:
            starts = (place - rarest for place in places[rarest] if place >= rarest)
        for start in starts:
            if there[start : start + len(wanted)] == wanted:
                yield start

    def _find_in_codes(self, keys: list[str]) -> Iterator[int]:
        """Where keys may follow one another, found in a string with one character a token."""
        wanted, at = "".join(map(self._codes.__getitem__, keys)), -1
        while (at := self._text.find(wanted, at + 1)) >= 0:
            yield at

    @cached_property
    def _codes(self) -> dict[str, str]:
        # A text with more different tokens than there are characters uses some of them twice, which
        # is why `find` looks at the tokens once more.
        return {key: chr(number % _CODES) for number, key in enumerate(self._places)}

    @cached_property
    def _text(self) -> str:
        return "".join(map(self._codes.__getitem__, self._tokens.keys))

    def span(self, first: int, count: int) -> Span:
        """The place in the text of `count` tokens from token `first` on, at most to the end."""
        last = min(first + count, len(self)) - 1
        return Span(self._tokens.starts[first], self._tokens.ends[last])

    def first_from(self, offset: int) -> int:
        """The index of the first token that ends after `offset` of the text."""
        return bisect_right(self._tokens.ends, offset)
