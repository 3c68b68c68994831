"""Where do these tokens stand in a transcript, one after the other?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from veridical.sources.span import Span
from veridical.text.spoken import spoken_tokens

_CODES = 0x110000


class SpokenIndex:
    """The tokens of one text as a string with one character a token, which `str.find` searches."""

    def __init__(self, text: str) -> None:
        self._tokens = spoken_tokens(text)
        # A text with more different tokens than there are characters uses some of them twice, which
        # is why `find` looks at the tokens once more.
        self._codes = {
            key: chr(number % _CODES) for number, key in enumerate(dict.fromkeys(self._tokens.keys))
        }
        self._text = "".join(map(self._codes.__getitem__, self._tokens.keys))

    def __len__(self) -> int:
        return len(self._tokens)

    def find(self, keys: Sequence[str]) -> Iterator[int]:
        """The index of each token from which `keys` follow one another; overlaps included."""
        codes = [self._codes.get(key) for key in keys]
        if not codes or None in codes:
            return
        wanted, at = "".join(code for code in codes if code is not None), -1
        while (at := self._text.find(wanted, at + 1)) >= 0:
            if self._tokens.keys[at : at + len(keys)] == list(keys):
                yield at

    def span(self, first: int, count: int) -> Span:
        """The place in the text of `count` tokens from token `first` on, at most to the end."""
        last = min(first + count, len(self)) - 1
        return Span(self._tokens.starts[first], self._tokens.ends[last])

    def first_from(self, offset: int) -> int:
        """The index of the first token that ends after `offset` of the text."""
        return bisect_right(self._tokens.ends, offset)
