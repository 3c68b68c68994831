"""A recording as a Document: its words, and the seconds at which they were said."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from veridical.sources.document import Document, Span


def clock(seconds: float) -> str:
    """`1:02` for 62.9 seconds, `1:00:00` for an hour; parts of a second are cut off."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


UNSURE_BELOW = 0.5
"""Confidence of a recogniser below which a word of it is unsure."""


class TranscriptFormat(StrEnum):
    """What kind of file a transcript was read from."""

    OPENAI = "openai"
    WHISPER = "whisper"
    WHISPER_CPP = "whisper_cpp"
    FASTER_WHISPER = "faster_whisper"
    WHISPERX = "whisperx"
    WHISPER_TIMESTAMPED = "whisper_timestamped"
    DEEPGRAM = "deepgram"
    ASSEMBLYAI = "assemblyai"
    UTTERANCES = "utterances"
    SRT = "srt"
    WEBVTT = "webvtt"
    LINES = "lines"


class Precision(StrEnum):
    """How closely the time of some words is known."""

    WORD = "word"
    SEGMENT = "segment"
    NONE = "none"


class TimeUnit(StrEnum):
    """How a file writes its times."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class TimeBase:
    """How the times of a file relate to ours, which are seconds from the start as floats.

    `unit` is how the file writes them. `origin_seconds` is what the file's clock shows at our
    second 0: 0 but for recordings whose clock starts elsewhere, such as a countdown.
    """

    unit: TimeUnit = TimeUnit.SECONDS
    origin_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the recogniser cut it. `span` is its place in the transcript's text.

    `start` and `end` are seconds from the start, both None where its time is not known;
    `confidence` is 0 to 1.
    """

    span: Span
    start: float | None
    end: float | None
    confidence: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of speech as the recogniser cut it. `start` and `end` are seconds, or both None."""

    span: Span
    start: float | None
    end: float | None
    speaker: str | None = None


_Part = TypeVar("_Part", Word, Segment)


@dataclass(frozen=True, slots=True)
class Moment:
    """When some words were said, and by whom.

    `start` and `end` are seconds from the start of the recording. `start` is that of the first word
    where `precision` is `word`, that of the segment it stands in where it is `segment`, None where
    it is `none`. `latest` is the last second at which the first word may have been said: `start`
    itself where that is a word's. `speakers` stand in the order in which they speak; of some words
    the speaker may be unknown, which `speakers_known` tells.
    """

    start: float | None
    end: float | None
    precision: Precision
    latest: float | None = None
    speakers: tuple[str, ...] = ()
    speakers_known: bool = False

    @property
    def speaker(self) -> str | None:
        """Who said it; None where that is not known of every word or it was more than one."""
        return self.speakers[0] if len(self.speakers) == 1 and self.speakers_known else None

    @property
    def told(self) -> tuple[str, ...]:
        """When it was said, and by whom, as far as that is known."""
        about = "about " if self.precision is Precision.SEGMENT else ""
        said = "no time known" if self.start is None else f"at {about}{clock(self.start)}"
        return (said, f"said by {' and '.join(self.speakers)}") if self.speakers else (said,)


@dataclass(frozen=True)
class Transcript(Document):
    """One recording: a Document whose words have times.

    `text` is made of the segments' texts: a space between two of one speaker, a blank line where
    the speaker changes. `words` and `segments` stand in the order of the text and do not overlap
    in it; a word lies inside a segment. Either may be missing: without word times, times are those
    of segments; without any, `precision` is `none` and no time can be checked.
    `warnings` says what was repaired in reading it.
    """

    words: tuple[Word, ...] = ()
    segments: tuple[Segment, ...] = ()
    language: str | None = None
    time_base: TimeBase = field(default_factory=TimeBase)
    recorded_as: TranscriptFormat = TranscriptFormat.LINES

    @cached_property
    def precision(self) -> Precision:
        """The best that is known of any of its words."""
        if any(word.start is not None for word in self.words):
            return Precision.WORD
        if any(segment.start is not None for segment in self.segments):
            return Precision.SEGMENT
        return Precision.NONE

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The labels of the speakers, in the order in which they first speak."""
        said_by = _said_by(self.words, self.segments)
        return tuple(dict.fromkeys(label for label in said_by if label is not None))

    @cached_property
    def start(self) -> float:
        """When the first timed segment starts, in seconds; 0 where no time is known."""
        return min((s.start for s in self.segments if s.start is not None), default=0.0)

    @cached_property
    def end(self) -> float:
        """When the last timed segment ends, in seconds; 0 where no time is known."""
        return max((s.end for s in self.segments if s.end is not None), default=0.0)

    def words_in(self, span: Span) -> tuple[Word, ...]:
        """The words that share a character with `span`, in order."""
        return _within(self.words, span)

    def segments_in(self, span: Span) -> tuple[Segment, ...]:
        """The segments that share a character with `span`, in order."""
        return _within(self.segments, span)

    def unsure_in(self, span: Span) -> tuple[str, ...]:
        """The words in `span` of which the recogniser was unsure; none where it does not tell."""
        return tuple(
            self.text[word.span.start : word.span.end]
            for word in self.words_in(span)
            if word.confidence is not None and word.confidence < UNSURE_BELOW
        )

    def offset_at(self, seconds: float) -> int:
        """About where in the text a second stands: the start of the last segment begun by then."""
        begun = [s.span.start for s in self.segments if s.start is not None and s.start <= seconds]
        return max(begun, default=0)

    def moment(self, span: Span) -> Moment:
        """When the words of `text[span.start:span.end]` were said, and by whom.

        Start and end are those of the first and the last word. A first word without a time of its
        own was said in its segment, after the timed words before it and before those after it.
        """
        words, segments = self.words_in(span), self.segments_in(span)
        said_by = list(_said_by(words, segments))
        speakers = tuple(dict.fromkeys(label for label in said_by if label is not None))
        start = latest = None
        precision = Precision.NONE
        if words and words[0].start is not None and self._silent(span.start, words[0].span.start):
            start = latest = words[0].start
            precision = Precision.WORD
        elif segments and segments[0].start is not None:
            start, latest = self._between(span.start, segments[0])
            precision = Precision.SEGMENT
        end = segments[-1].end if segments else None
        if words and words[-1].end is not None and self._silent(words[-1].span.end, span.end):
            end = words[-1].end
        return Moment(
            start=start,
            end=None if start is None else max(start, end or start),
            precision=precision,
            latest=latest,
            speakers=speakers,
            speakers_known=bool(said_by) and None not in said_by,
        )

    def _between(self, offset: int, segment: Segment) -> tuple[float, float]:
        """The seconds between which a word at `offset` of a segment was said."""
        words = self.words_in(segment.span)
        before = [w.start for w in words if w.start is not None and w.span.start < offset]
        after = [w.start for w in words if w.start is not None and w.span.start >= offset]
        low = max(before, default=segment.start) or 0.0
        high = min(after, default=segment.end if segment.end is not None else low)
        return low, max(low, high)

    def _silent(self, start: int, end: int) -> bool:
        """Whether no letter or digit stands between two offsets: no word without a time."""
        return not any(map(str.isalnum, self.text[start:end]))


def _within(parts: tuple[_Part, ...], span: Span) -> tuple[_Part, ...]:
    first = bisect_right(parts, span.start, key=lambda part: part.span.end)
    return parts[first : bisect_left(parts, span.end, key=lambda part: part.span.start)]


def _said_by(words: Sequence[Word], segments: Sequence[Segment]) -> Iterator[str | None]:
    """Who speaks, in order, None where that is not known.

    A word's own speaker counts before that of the segment it stands in.
    """
    if not segments:
        yield from (word.speaker for word in words)
        return
    at = 0
    for segment in segments:
        first = at
        while at < len(words) and words[at].span.start < segment.span.end:
            at += 1
        if first == at:
            yield segment.speaker
        yield from (word.speaker or segment.speaker for word in words[first:at])
