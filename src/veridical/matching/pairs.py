"""The tokens of a word by byte pair encoding, as Hugging Face's tokenizer gives them.

Source: Sennrich et al., arXiv:1508.07909; characters that are no token are read as their bytes.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence


class PairEncoder:
    """A tokenizer of `vocabulary`, whose `merges` are pairs of tokens, the first ones first."""

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[Sequence[str]]) -> None:
        self._vocabulary = vocabulary
        self._ranks = {(one, other): rank for rank, (one, other) in enumerate(merges)}

    def encode(self, word: str) -> list[int]:
        """The ids of a word that begins after a blank."""
        tokens: list[str] = []
        for character in f"\u2581{word}":
            if character in self._vocabulary:
                tokens.append(character)
            else:
                tokens += (f"<0x{byte:02X}>" for byte in character.encode())
        self._merge(tokens)
        return [self._vocabulary[token] for token in tokens if token]

    def _merge(self, tokens: list[str]) -> None:
        """Put pairs together, the lowest rank first and of equals the leftmost; "" is left over."""
        after = list(range(1, len(tokens) + 1))
        before = list(range(-1, len(tokens) - 1))
        waiting: list[tuple[int, int, str, str]] = []

        def offer(left: int) -> None:
            if left >= 0 and after[left] < len(tokens):
                pair = (tokens[left], tokens[after[left]])
                rank = self._ranks.get(pair)
                if rank is not None:
                    heapq.heappush(waiting, (rank, left, *pair))

        for left in range(len(tokens)):
            offer(left)
        while waiting:
            _, left, *pair = heapq.heappop(waiting)
            right = after[left]
            if right >= len(tokens) or pair != [tokens[left], tokens[right]]:
                continue  # one of them is a part of another token by now
            tokens[left], tokens[right] = "".join(pair), ""
            after[left] = after[right]
            if after[left] < len(tokens):
                before[after[left]] = left
            offer(before[left])
            offer(left)
