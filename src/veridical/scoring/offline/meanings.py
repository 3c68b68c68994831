"""How is a stretch of a transcript meant? For words that somebody quotes, whoever found them."""

from __future__ import annotations

from veridical.scoring.offline.heard import Heard
from veridical.scoring.offline.readback import ReadBacks
from veridical.scoring.offline.reading import Reading, read
from veridical.sources.span import Span
from veridical.sources.transcript import Transcript


class Meanings:
    """Tells how words of one transcript are meant. Made once, and then only read."""

    def __init__(self, transcript: Transcript) -> None:
        self._heard = Heard(transcript)
        self._readbacks = ReadBacks(self._heard)

    def reading(self, span: Span) -> Reading:
        """How the words of a span are meant in their sentence and its surroundings.

        The span is in code points of the transcript's text. Words that are not all of one turn, or
        none, are `ASSERTED`: nothing is known against them.
        """
        words = self._heard.words_within(span)
        place = self._heard.place(words.start, words.stop) if words else None
        if place is None:
            return Reading.ASSERTED
        return self._readbacks.reading(place, read(self._heard.said(place)))
