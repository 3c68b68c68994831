"""Collects the masks of a Markdown text, which come nested and out of order within a block."""

from __future__ import annotations

from operator import itemgetter

from veridical.sources.masks import MaskBuilder, Masks


class NestedMasks:
    """Masks found in any order within a block, handed on in the order of the text."""

    def __init__(self) -> None:
        self._found: list[tuple[int, int, str, bool]] = []
        self._builder = MaskBuilder()
        self._masked_to = 0

    def add(self, start: int, end: int, shown: str = "", unseen: bool = False) -> None:
        """Note a mask of the block that is being read. It may stand inside another one."""
        self._found.append((start, end, shown, unseen))

    def settle(self, hidden_from: int = -1) -> None:
        """End a block: keep the outermost of nested masks, and none from `hidden_from` on.

        `hidden_from` is where a hidden element starts that is still open, or -1: its one mask comes
        when it ends.
        """
        if not self._found:
            return
        self._found.sort(key=itemgetter(1), reverse=True)
        self._found.sort(key=itemgetter(0))  # stable: at one place, the longest stays first
        for found, end, shown, unseen in self._found:
            start = max(found, self._masked_to)
            if start < end and (hidden_from < 0 or start < hidden_from):
                self._builder.add(start, end, shown, unseen=unseen)
                self._masked_to = end
        self._found.clear()

    def build(self) -> Masks:
        """The settled masks."""
        return self._builder.build()
