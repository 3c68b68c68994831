"""When a growing answer is worth being looked at: when a sentence may just have been settled.

The moments are offsets, told by the text alone: in whatever pieces an answer arrives, it is looked
at in the same states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.text.signs import SENTENCE_ENDS

LOOK_AHEAD = 24
"""Characters of what follows that show how a sentence ended: the longest month, an abbreviation."""

WRAPPING = re.compile(r"\s*(?P<mark>```+|~~~+)[ \t]*(?:markdown|md)[ \t]*\r?\n", re.IGNORECASE)
"""A code fence around a whole answer, which models like to add."""

_SPACE = 2
"""Characters that may stand between two sentences."""

_STOP = re.compile(r"\s|(?<=[\u3002\uff01\uff1f\uff61])(?=\S)")
_ENDED = re.compile(rf"[{SENTENCE_ENDS}][)\]\"'\u201d\u00bb\u300d\u300f*_~`]*\Z|[\])\u3011>]\Z")
"""What may end a sentence, or a citation behind one."""

_CLOSERS = 12
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_LINE = 400
"""So much of a line is looked at for a fence."""


class Moments:
    """Finds the moments of a text that grows."""

    def __init__(self) -> None:
        self._scanned = 0
        self._line = 0
        self._anchor: int | None = 0
        self._later: int | None = None
        self._fence = ""

    def of(self, text: str) -> Iterator[int]:
        """The moments in what was added to `text` since the last call.

        The last character is left for the next call: what follows may belong to it.
        """
        end = max(self._scanned, len(text) - 1)
        for stop in _STOP.finditer(text, self._scanned, end):
            at = stop.start()
            if stop[0] in ("\n", "\r"):
                yield from self._line_end(text, at)
            elif not self._fence:
                yield from self._word_end(text, at)
        self._scanned = end

    def _word_end(self, text: str, at: int) -> Iterator[int]:
        if self._anchor is not None and at - self._anchor >= LOOK_AHEAD + _SPACE:
            self._anchor, self._later = self._later, None
            yield at
        if _ENDED.search(text[max(0, at - _CLOSERS) : at]):
            if self._anchor is None:
                self._anchor = at
            else:
                self._later = at

    def _line_end(self, text: str, at: int) -> Iterator[int]:
        line = text[self._line : min(at, self._line + _LINE)]
        is_first = not text[: min(self._line, _LINE)].strip()
        self._line = at + 1
        was_code = bool(self._fence)
        if not (is_first and WRAPPING.match(f"{line}\n")):
            self._note_fence(line)
        if not self._fence:
            self._anchor, self._later = at + 1, None
        if line.strip() and not (was_code and self._fence):
            yield at + 1

    def _note_fence(self, line: str) -> None:
        found = _FENCE.match(line)
        if not found:
            return
        if not self._fence:
            if "`" not in found["info"] or found["mark"][0] == "~":
                self._fence = found["mark"]
        elif found["mark"].startswith(self._fence) and not found["info"].strip():
            self._fence = ""
