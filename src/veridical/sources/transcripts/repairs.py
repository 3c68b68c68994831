"""What was repaired in reading a transcript: counted, and told in one line for each kind."""

from __future__ import annotations

from enum import StrEnum

from veridical.sources.clock import clock


class Repair(StrEnum):
    """A kind of repair, in the words in which the user reads it."""

    NOT_AN_ENTRY = "entries that are no segment and no word, left out"
    NOT_TEXT = "characters that are no text, replaced or left out"
    TIME_AS_TEXT = "times written as text, read as numbers"
    UNUSABLE_TIME = "times that are no usable number, left out"
    NEGATIVE_TIME = "times below zero, set to 0 or left out"
    REVERSED_TIME = "ends that lie before their start, left out"
    WORD_WITHOUT_END = "words without a usable end, which are taken to end where they start"
    LOOSE_LINES = "lines apart from any caption, kept with the caption before"
    UNSURE_LABELS = (
        "words before a colon that may be a speaker's name, kept in the text and the speaker left "
        "unknown"
    )
    ROLLED_LINES = "caption lines shown again, left out"
    FULLER_TEXT = "words that only the whole text has, put in without a time"
    FULLER_WORDS = "words that only the timed words have, put into the text"
    OTHER_TEXT = "words of the whole text that differ from the parts of it, left out"
    RESTARTED_CLOCK = (
        "segments or words after a point where the clock goes back, left without a time"
    )
    FAR_OUT_OF_ORDER = "segments or words far out of order, left without a time"
    UNSORTED_SEGMENTS = "segments out of order, sorted by their start"
    UNSORTED_WORDS = "words out of order, sorted by their start"
    BACKWARD_WORDS = "words whose times run backwards, left without a time"
    STRAY_WORDS = "words timed outside of their segment, left without a time"
    WORDS_NOT_IN_TEXT = (
        "timed words that differ from the text of their segment, or have no sure place in it, "
        "left out"
    )
    TEXT_WITHOUT_WORDS = (
        "words of the text that no timed word surely agrees with, known only by their segment's "
        "time"
    )
    REPEATED_SEGMENTS = (
        "segments repeated faster than can be said, an error of the recogniser, left without a time"
    )
    LIKELY_REPEATED_SEGMENTS = (
        "segments that repeat the one before, likely an error of the recogniser, kept"
    )
    LOOPED_WORDS = (
        "words of a phrase repeated faster than can be said, an error of the recogniser, left "
        "without a time"
    )
    LIKELY_LOOPED_WORDS = (
        "words of a phrase said over and over, likely an error of the recogniser, kept"
    )
    OVERLAPS = "segments that overlap the next of the same speaker, trimmed"
    LONG_OVERLAPS = "segments that overlap others of the same speaker, left as they are"
    ESTIMATED_ENDS = "ends that are missing, estimated from what follows"


class Repairs:
    """Counts of repairs, and the second of the first of each kind."""

    def __init__(self) -> None:
        self._counts: dict[Repair, int] = {}
        self._first: dict[Repair, float] = {}
        self._remarks: list[str] = []

    def count(self, kind: Repair, second: float | None = None, times: int = 1) -> None:
        """Note `times` repairs of one kind; `second` is where the first of them is."""
        self._counts[kind] = self._counts.get(kind, 0) + times
        if second is not None:
            self._first[kind] = min(second, self._first.get(kind, second))

    def remark(self, text: str) -> None:
        """Note what is told in its own words, before the counts."""
        self._remarks.append(text)

    def shift(self, seconds: float) -> None:
        """Move the seconds noted so far: the transcript's clock was set to another start."""
        self._first = {kind: second + seconds for kind, second in self._first.items()}

    def scale(self, factor: float) -> None:
        """Multiply the seconds noted so far: the times were in another unit than it seemed."""
        self._first = {kind: second * factor for kind, second in self._first.items()}

    def messages(self) -> tuple[str, ...]:
        """The warnings, the same for the same repairs."""
        counted = (
            f"{kind[0].upper()}{kind[1:]}: {self._counts[kind]:,}{self._place(kind)}."
            for kind in Repair
            if kind in self._counts
        )
        return (*self._remarks, *counted)

    def _place(self, kind: Repair) -> str:
        second = self._first.get(kind)
        return "" if second is None else f" (first near {clock(max(second, 0.0))})"
