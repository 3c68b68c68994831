"""Where do these tokens stand in a transcript, one after the other?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from veridical.sources.document import Span
from veridical.text.spoken import spoken_tokens

_CODES = 0x110000


class SpokenIndex:
    """The tokens of one text, and where each of them stands.

    The text is searched as a string with one character a token.
    """

    def __init__(self, text: str) -> None:
        self._tokens = spoken_tokens(text)
        known = dict.fromkeys(self._tokens.keys)
        # A text with more different tokens than there are characters uses some of them twice, which
        # is why `find` looks at the tokens once more.
        self._codes = {key: chr(number % _CODES) for number, key in enumerate(known)}
        self._text = "".join(map(self._codes.__getitem__, self._tokens.keys))

    def __len__(self) -> int:
        return len(self._tokens)

    def find(self, keys: Sequence[str]) -> Iterator[int]:
        """The index of each token from which `keys` follow one another; overlaps included."""
        wanted = list(keys)
        if not wanted or any(key not in self._codes for key in wanted):
            return
        text, at = "".join(map(self._codes.__getitem__, wanted)), -1
        while (at := self._text.find(text, at + 1)) >= 0:
            if self._tokens.keys[at : at + len(wanted)] == wanted:
                yield at

    def span(self, first: int, count: int) -> Span:
        """The place in the text of `count` tokens from token `first` on, at most to the end."""
        last = min(first + count, len(self)) - 1
        return Span(self._tokens.starts[first], self._tokens.ends[last])

    def first_from(self, offset: int) -> int:
        """The index of the first token that ends after `offset` of the text."""
        return bisect_right(self._tokens.ends, offset)
