"""Signs of emphasis whose other half stands in another sentence: `**It is so. It was not.**`.

Where one of the sentences is left out, what is kept must not be left with half a pair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SIGN = re.compile(
    r"\\.|(?<!`)(?P<code>`+)(?!`)[^`]*(?P=code)(?!`)|(?P<run>\*+|~~+|(?<!\w)_+|(?<!_)_+(?!\w))",
    re.DOTALL,
)


def unpaired(text: str) -> list[str]:
    """The runs of a text that are not closed, or not opened in it, in order."""
    found: list[str] = []
    for sign in _SIGN.finditer(text):
        run = sign["run"]
        before, after = (
            text[max(0, sign.start() - 1) : sign.start()],
            text[sign.end() : sign.end() + 1],
        )
        if not run or (not before.strip() and after.isspace()):
            continue
        if run in found:
            found.remove(run)
        else:
            found.append(run)
    return found


@dataclass(slots=True)
class Emphasis:
    """The halves of pairs in one block: those in what was kept, and those that were left out."""

    _kept: list[str] = field(default_factory=list)
    _lost: list[str] = field(default_factory=list)

    def kept(self, text: str) -> str:
        """What opens again before a sentence that is kept, for what it closes."""
        opening = ""
        for run in unpaired(text):
            if run in self._kept:
                self._kept.remove(run)
            elif run in self._lost:
                self._lost.remove(run)
                opening = run + opening
            else:
                self._kept.append(run)
        return opening

    def dropped(self, text: str, prefix: str = "") -> tuple[str, str]:
        """What closes in place of a sentence that is left out, and of `prefix`, which stands
        unwritten before the block, what is still to be written.
        """
        closing = ""
        for run in unpaired(text):
            if run in self._kept:
                self._kept.remove(run)
                closing += run
            elif run in self._lost:
                self._lost.remove(run)
            elif run == _end_run(prefix):
                prefix = prefix[: -len(run)]
            else:
                self._lost.append(run)
        return closing, prefix


def _end_run(prefix: str) -> str:
    sign = prefix[-1:]
    return prefix[len(prefix.rstrip(sign)) :] if sign and sign in "*~_" else ""
