"""What a reader finds in a file before it is placed in a text: entries, times, and repairs.

Times that cannot be are put right or left out, and what was said is put in their order. No word
gets a time that was not written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TypeVar

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat, clock
from veridical.sources.transcripts.align import keys_of


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


MAX_PLACES = 3
MAX_STEP_BACK_SECONDS = 60.0
"""What is so many places or seconds from where it belongs is not sorted: its time may be wrong."""

Item = TypeVar("Item", bound=Timed)


def in_order(items: list[Item], repairs: Repairs, kind: Repair) -> list[Item]:
    """The items in order of their starts, those of one second as they are in the file.

    Only what is a few places off is moved, and counted as `kind`. What is far off keeps its place
    without its time; so does all that follows a point where the clock starts again.
    """
    timed = [(index, item.start) for index, item in enumerate(items) if item.start is not None]
    keys = [start for _, start in timed]
    odd = out_of_order(keys)
    if not odd:
        return items
    restart = _restart(keys, odd)
    if restart is not None:
        repairs.count(Repair.RESTARTED_CLOCK, keys[restart], len(keys) - restart)
        at: int = timed[restart][0]
        for index, _ in timed[restart:]:
            items[index].drop_times()
        before: list[Item] = in_order(items[:at], repairs, kind)
        return before + items[at:]
    far = _far(keys, odd)
    for place in far:
        repairs.count(Repair.FAR_OUT_OF_ORDER, keys[place])
        items[timed[place][0]].drop_times()
    if len(far) < len(odd):
        first = next(b for a, b in pairwise(keys) if b < a)
        repairs.count(kind, first, len(odd) - len(far))
    return by_start(items)


def by_start(items: list[Item]) -> list[Item]:
    """The items sorted by their starts; one without a time stays behind the item before it."""
    keys = start_keys(items)
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


def _restart(keys: list[float], odd: list[int]) -> int | None:
    """The first place after which a whole run of starts lies back: another tape, or a cut."""
    has_run = bool(_runs(keys, odd))
    highest = keys[0]
    run_start: int | None = None
    for place, key in enumerate((*keys[1:], float("inf")), start=1):
        if key < highest and run_start is None:
            run_start = place
        elif key > highest:
            if run_start is not None and place - run_start > 1:
                again = run_start > 1 and keys[run_start] <= keys[0]
                back = highest - keys[run_start] > MAX_STEP_BACK_SECONDS
                if again or (has_run and back):
                    return run_start
            run_start, highest = None, key
    return None


def _runs(keys: list[float], odd: list[int]) -> set[int]:
    """The `odd` places that go on in order side by side: moved as a block, not swapped."""
    pairs = [(a, b) for a, b in pairwise(odd) if b == a + 1 and keys[a] <= keys[b]]
    return {place for pair in pairs for place in pair}


def _far(keys: list[float], odd: list[int]) -> list[int]:
    """Which of the `odd` places are no swap of neighbours."""
    place_of = [0] * len(keys)
    for place, index in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        place_of[index] = place
    in_run = _runs(keys, odd)
    return [place for place in odd if place in in_run or not _is_near(keys, place_of, place)]


def _is_near(keys: list[float], place_of: list[int], place: int) -> bool:
    before = keys[place - 1] if place else keys[place]
    after = keys[place + 1] if place + 1 < len(keys) else keys[place]
    step = max(before - keys[place], keys[place] - after)
    if place > 1 and keys[place] <= keys[0]:
        return False  # a start at 0 where none is known
    return abs(place_of[place] - place) <= MAX_PLACES and step <= MAX_STEP_BACK_SECONDS


def start_keys(items: Sequence[Timed]) -> list[float]:
    """The start of each item; one without a time goes with the item before it."""
    keys: list[float] = []
    last = float("-inf")
    for item in items:
        last = last if item.start is None else item.start
        keys.append(last)
    return keys


def out_of_order(keys: list[float]) -> list[int]:
    """The fewest indices without which the keys never go down.

    What stays is a longest non-decreasing subsequence (Fredman, Discrete Math. 11, 1975).
    """
    tails: list[float] = []
    tail_at: list[int] = []
    before: list[int] = []
    for index, key in enumerate(keys):
        place = bisect_right(tails, key)
        before.append(tail_at[place - 1] if place else -1)
        if place == len(tails):
            tails.append(key)
            tail_at.append(index)
        else:
            tails[place], tail_at[place] = key, index
    kept: set[int] = set()
    at = tail_at[-1] if tail_at else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return [index for index in range(len(keys)) if index not in kept]


LEAST_COUNTDOWN_SECONDS = 1.0
"""A clock that begins this far below zero is a countdown; nearer to it, a rounding error."""

LONGEST_ESTIMATE_SECONDS = 10.0
SECONDS_PER_TOKEN = 1.0
"""A missing end is the next start, but no later than the longer of these two allows."""

LEAST_OVERLAP_SECONDS = 0.001
MOST_TRIMMED_SECONDS = 2.0
"""An overlap between these two is a recogniser's guess at where a segment ends, and trimmed."""

SLACK_SECONDS = 1.0
"""How far a word may lie outside of its segment: both times are a recogniser's guess."""


def set_origin(raw: RawTranscript) -> float:
    """Move a clock that begins below zero, as a countdown does, to begin at 0.

    Returns what the clock showed at our second 0. Only where the first starts are below zero and
    run on in order: a single time below zero is an error of its own.
    """
    starts = [segment.start for segment in raw.segments if segment.start is not None]
    starts = starts or [word.start for word in raw.words if word.start is not None]
    below = [start for start in starts if start < 0]
    if len(below) < 2 or starts[: len(below)] != sorted(below):
        return 0.0
    origin = below[0]
    if origin > -LEAST_COUNTDOWN_SECONDS:
        return 0.0
    for item in raw.items():
        item.change_times(lambda seconds: seconds - origin)
    raw.repairs.change_times(lambda seconds: seconds - origin)
    raw.repairs.remark(
        f"The clock of the file begins at {origin:.10g} seconds: this is second 0 here."
    )
    return origin


def settle_words(words: list[RawWord], repairs: Repairs) -> None:
    """Both times of each word, from 0 up and in their order, or none."""
    for word in words:
        if word.start is not None and word.start < 0:
            _settle_start(word, repairs)
        if word.start is None:
            word.end = None
        elif word.end is None or word.end < word.start:
            repairs.count(Repair.WORD_WITHOUT_END, word.start)
            word.end = word.start


def settle_segments(segments: list[RawSegment], repairs: Repairs) -> None:
    """Starts from 0 up, ends after them; what is missing is taken from their words."""
    for segment in segments:
        if segment.start is not None and segment.start < 0:
            _settle_start(segment, repairs)
        if segment.start is None:
            segment.start = min(_known(word.start for word in segment.words), default=None)
        if segment.start is None:
            segment.end = None
            continue
        if segment.end is not None and segment.end < segment.start:
            repairs.count(Repair.REVERSED_TIME, segment.start)
            segment.end = None
        if segment.end is None and segment.words:
            last = max(_known(word.end for word in segment.words), default=None)
            segment.end = None if last is None else max(segment.start, last)


def _known(times: Iterable[float | None]) -> list[float]:
    return [time for time in times if time is not None]


def _settle_start(item: Timed, repairs: Repairs) -> None:
    repairs.count(Repair.NEGATIVE_TIME, 0.0)
    item.start = 0.0 if item.end is not None and item.end > 0 else None


def drop_stray_times(segment: RawSegment, repairs: Repairs) -> None:
    """Take the time from words that lie outside of their segment: one of the two is wrong."""
    if segment.start is None:
        return
    earliest = segment.start - SLACK_SECONDS
    latest = float("inf") if segment.end is None else segment.end + SLACK_SECONDS
    for word in segment.words:
        if word.start is not None and not earliest <= word.start <= latest:
            repairs.count(Repair.STRAY_WORDS, segment.start)
            word.drop_times()
        elif word.end is not None and word.end > latest:
            repairs.count(Repair.WORD_WITHOUT_END, word.start)
            word.end = word.start


def drop_backward_times(words: list[RawWord], repairs: Repairs) -> None:
    """Take the time from the fewest words after which the starts of the others never go back."""
    timed = [word for word in words if word.start is not None]
    keys = [word.start for word in timed if word.start is not None]
    for index in out_of_order(keys):
        repairs.count(Repair.BACKWARD_WORDS, timed[index].start)
        timed[index].drop_times()


def by_speaker(segments: Iterable[RawSegment]) -> list[list[RawWord]]:
    """The words of each speaker, in the order of the text.

    Segments that lie inside an earlier one of the same speaker are somebody else's, so left out.
    """
    words: dict[str | None, list[RawWord]] = {}
    reach: dict[str | None, float] = {}
    for segment in segments:
        end = segment.end if segment.end is not None else segment.start
        if end is None or end > reach.get(segment.speaker, -1.0):
            words.setdefault(segment.speaker, []).extend(segment.words)
            reach[segment.speaker] = max(end or 0.0, reach.get(segment.speaker, -1.0))
    return list(words.values())


def trim_overlaps(segments: list[RawSegment], repairs: Repairs) -> None:
    """A segment that runs a little into the next of the same speaker ends where that begins.

    A longer overlap stays, as does a segment inside another: that is two people talking at once,
    and to cut the longer one short would give what is said late in it a wrong second.
    """
    last: dict[str | None, RawSegment] = {}
    for segment in segments:
        if segment.start is None:
            continue
        before = last.get(segment.speaker)
        if before is not None and before.end is not None and before.end > segment.start:
            if segment.end is not None and segment.end <= before.end:
                repairs.count(Repair.LONG_OVERLAPS, segment.start)
                continue
            if before.end - segment.start >= MOST_TRIMMED_SECONDS:
                repairs.count(Repair.LONG_OVERLAPS, segment.start)
            else:
                if before.end - segment.start > LEAST_OVERLAP_SECONDS:
                    repairs.count(Repair.OVERLAPS, before.start)
                before.end = segment.start
        last[segment.speaker] = segment


def estimate_ends(segments: list[RawSegment], repairs: Repairs) -> None:
    """Give every segment that starts an end."""
    following = float("inf")
    for segment in reversed(segments):
        if segment.start is not None and segment.end is None:
            tokens = len(keys_of(segment.text).keys)
            most = max(LONGEST_ESTIMATE_SECONDS, tokens * SECONDS_PER_TOKEN)
            segment.end = min(following, segment.start + most)
            repairs.count(Repair.ESTIMATED_ENDS, segment.start)
        following = following if segment.start is None else segment.start
