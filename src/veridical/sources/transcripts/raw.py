"""What a reader finds in a file before it is placed in a text: entries, times, and repairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat, clock


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

    def change_times(self, change: Callable[[float], float]) -> None:
        """Move the seconds noted so far: the transcript's clock or its unit is another."""
        self._first = {kind: change(second) for kind, second in self._first.items()}

    def messages(self) -> tuple[str, ...]:
        """The warnings, the same for the same repairs."""
        places = {k: f" (first near {clock(max(at, 0.0))})" for k, at in self._first.items()}
        counted = (
            f"{kind[0].upper()}{kind[1:]}: {self._counts[kind]:,}{places.get(kind, '')}."
            for kind in Repair
            if kind in self._counts
        )
        return (*self._remarks, *counted)


MAX_SECONDS = 366 * 24 * 3600
"""No recording is longer than a year: a time beyond is a date, or damaged."""

_MILLISECONDS = 1000
_NUMBER = lazy(r"\s*([+-]?\d{1,12}(?:\.\d{0,12})?)\s*s?\s*")
_CLOCK = lazy(r"\s*(-)?(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,](\d{1,6}))?\s*")

CLOCK_PATTERN = r"(?:\d{1,4}:)?\d{1,4}:\d{2}(?:[.,]\d{1,6})?"
"""What may be a time as a clock shows it; `clock_seconds` decides."""


def clock_seconds(text: str) -> float | None:
    """The seconds of `1:02:03.5`, `02:03` or `00:02:03,500`; None where it is no such time.

    Minutes go over 59 only where there are no hours.
    """
    found = _CLOCK().fullmatch(text)
    if found is None:
        return None
    sign, hours, minutes, seconds, fraction = found.groups()
    if int(seconds) > 59 or (hours and int(minutes) > 59):
        return None
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    value = float(f"{whole}.{int(fraction or 0):0{len(fraction or '0')}}")
    return -value if sign else value


class Clock:
    """Reads the times of one file, in its unit, and notes those that are not usable.

    `near` is the last time that was read: what is noted is noted as near to it.
    """

    def __init__(self, repairs: Repairs, unit: TimeUnit = TimeUnit.SECONDS) -> None:
        self._repairs = repairs
        self._per_second = _MILLISECONDS if unit is TimeUnit.MILLISECONDS else 1
        self.near: float | None = None

    def seconds(self, value: object) -> float | None:
        """Seconds, which may be below zero; None where `value` is missing or not usable."""
        if value is None:
            return None
        if type(value) is not float and type(value) is not int:
            return self._from_text(value)
        most = MAX_SECONDS * self._per_second
        if not -most <= value <= most:  # so NaN is refused, and an integer that no float can hold
            self._repairs.count(Repair.UNUSABLE_TIME, self.near)
            return None
        self.near = value / self._per_second
        return self.near

    def _from_text(self, value: object) -> float | None:
        if isinstance(value, str) and len(value) <= 40:
            number = _NUMBER().fullmatch(value)
            seconds = float(number[1]) / self._per_second if number else clock_seconds(value)
            if seconds is not None and abs(seconds) <= MAX_SECONDS:
                self._repairs.count(Repair.TIME_AS_TEXT, self.near)
                self.near = seconds
                return seconds
        self._repairs.count(Repair.UNUSABLE_TIME, self.near)
        return None


@dataclass(slots=True)
class Timed:
    """What was said from `start` to `end`, in seconds of the file's own clock: they may be missing,
    below zero or the wrong way round.
    """

    text: str = ""
    start: float | None = None
    end: float | None = None

    def change_times(self, change: Callable[[float], float]) -> None:
        """Move the times that there are, to a millionth of a second."""
        self.start = None if self.start is None else round(change(self.start), 6)
        self.end = None if self.end is None else round(change(self.end), 6)

    def drop_times(self) -> None:
        """Leave it, and what it is made of, without a time."""
        self.start = self.end = None


@dataclass(slots=True)
class RawWord(Timed):
    """A word as written, with the white space around it if it carries any.

    `confidence` is 0 to 1. A `glued` word follows the one before it without a space ("-known" after
    "well"). `place` is where it stands in the text of its segment, once that is known.
    """

    confidence: float | None = None
    speaker: str | None = None
    glued: bool = False
    place: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class RawSegment(Timed):
    """A stretch of speech; `text` is empty where the file only has its words.

    `is_doubtful` is the recogniser's own word that it may have made this up.
    """

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
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(self.repairs, self.unit)

    def all_words(self) -> list[RawWord]:
        """Those of the segments, and those that belong to none yet."""
        return [*(word for segment in self.segments for word in segment.words), *self.words]

    def items(self) -> list[Timed]:
        """The segments, and all words."""
        return [*self.segments, *self.all_words()]


MAX_LABEL_CHARS = 200


def label_of(value: object) -> str | None:
    """A speaker's label as written; numbers become their digits, nothing becomes None."""
    if type(value) is int and abs(value) < 10**9:
        return str(value)
    if not isinstance(value, str):
        return None
    return " ".join(value[:MAX_LABEL_CHARS].split()) or None


def language_of(value: object) -> str | None:
    """The language as the file names it ("en", "english"), or None."""
    return label_of(value) if isinstance(value, str) else None
