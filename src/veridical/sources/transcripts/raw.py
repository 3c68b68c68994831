"""What a reader finds in a file, before anything is repaired or placed in a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.repairs import Repairs


@dataclass(slots=True)
class RawWord:
    """A word as written, with the white space around it if it carries any.

    `start` and `end` are seconds of the file's own clock: they may be missing, below zero or the
    wrong way round. `confidence` is 0 to 1. A `glued` word follows the one before it without a
    space ("-known" after "well").
    """

    text: str
    start: float | None = None
    end: float | None = None
    confidence: float | None = None
    speaker: str | None = None
    glued: bool = False

    def drop_times(self) -> None:
        """Leave the word without a time."""
        self.start = self.end = None


@dataclass(slots=True)
class RawSegment:
    """A stretch of speech; `text` is empty where the file only has its words.

    `is_doubtful` is the recogniser's own word that it may have made this up.
    """

    text: str = ""
    start: float | None = None
    end: float | None = None
    speaker: str | None = None
    words: list[RawWord] = field(default_factory=list)
    is_doubtful: bool = False

    def drop_times(self) -> None:
        """Leave the segment and its words without a time."""
        self.start = self.end = None
        for word in self.words:
            word.drop_times()


@dataclass(slots=True)
class RawTranscript:
    """A file as read. `words` belong to no segment yet; `text` is that of the whole file."""

    recorded_as: TranscriptFormat
    segments: list[RawSegment] = field(default_factory=list)
    words: list[RawWord] = field(default_factory=list)
    text: str = ""
    language: str | None = None
    unit: TimeUnit = TimeUnit.SECONDS
    repairs: Repairs = field(default_factory=Repairs)

    def all_words(self) -> list[RawWord]:
        """Those of the segments, and those that belong to none yet."""
        return [*(word for segment in self.segments for word in segment.words), *self.words]
