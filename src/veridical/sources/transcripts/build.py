"""From what a reader found to a Transcript: words in their places, times that can be, warnings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import eq
from statistics import median

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format, SourceLimits, Span
from veridical.sources.transcript import Segment, TimeBase, TimeUnit, Transcript, Word
from veridical.sources.transcripts.align import keys_of
from veridical.sources.transcripts.place import (
    Placement,
    add_missing_text,
    distribute,
    group_words,
    join_words,
    one_line,
    parted,
    place_words,
    punctuate,
    segments_of_text,
)
from veridical.sources.transcripts.raw import (
    RawSegment,
    RawTranscript,
    RawWord,
    Repair,
    Repairs,
    Timed,
    by_speaker,
    by_start,
    drop_backward_times,
    drop_stray_times,
    estimate_ends,
    in_order,
    out_of_order,
    set_origin,
    settle_segments,
    settle_words,
    start_keys,
    trim_overlaps,
)

# Whether the times of a file are in the unit that its form says: nobody speaks that fast.


MOST_WORDS_PER_SECOND = 12.0
LEAST_WORDS_PER_SECOND = 1 / 60
"""Outside of these no speech is, over a whole recording."""

LEAST_USUAL_WORDS_PER_SECOND = 0.2
"""So slow at least is what is read in another unit than the file says: sparse logs stay."""

LETTERS_PER_WORD = 5
"""For scripts without spaces, and words of any length: 60 letters a second are too many too."""

LEAST_JUDGED_WORDS = 20
"""Fewer words may well be close together; only a unit can be told from them."""

MILLISECONDS = 1000.0


@dataclass(frozen=True, slots=True)
class _Pace:
    """`while_spoken` counts the usual time of an item, `overall` the time from first to last."""

    words: float
    while_spoken: float
    overall: float


def settle_unit(raw: RawTranscript) -> None:
    """Read times that cannot be in the file's unit in the other one, or leave them all out."""
    pace = _pace(raw.segments) or _pace(raw.all_words())
    if pace is None:
        return
    if raw.unit is TimeUnit.MILLISECONDS and _is_speech(pace.while_spoken / MILLISECONDS):
        _read_as(raw, TimeUnit.SECONDS, MILLISECONDS)
    elif (
        raw.unit is TimeUnit.SECONDS
        and pace.while_spoken < LEAST_WORDS_PER_SECOND
        and _is_speech(pace.while_spoken * MILLISECONDS)
    ):
        _read_as(raw, TimeUnit.MILLISECONDS, 1 / MILLISECONDS)
    elif pace.overall > MOST_WORDS_PER_SECOND and pace.words >= LEAST_JUDGED_WORDS:
        for item in raw.items():
            item.drop_times()
        raw.repairs.remark(
            "The times make the speech impossibly fast, in seconds and in milliseconds: all times "
            "are left out."
        )


def _is_speech(words_per_second: float) -> bool:
    return LEAST_USUAL_WORDS_PER_SECOND <= words_per_second <= MOST_WORDS_PER_SECOND


def _pace(items: Sequence[RawSegment] | Sequence[RawWord]) -> _Pace | None:
    """None where the times say nothing of the pace."""
    timed = [
        (item.start, item.end, words)
        for item in items
        if item.start is not None and (words := _words_in(item))
    ]
    if not timed:
        return None
    starts = [start for start, _, _ in timed]
    closed = [(start, end, words) for start, end, words in timed if end is not None]
    extent = max([*starts, *(end for _, end, _ in closed)]) - min(starts)
    if not closed:
        # How long the last one lasts is not known, so its words do not count.
        words = sum(words for _, _, words in timed[:-1])
        steps = [abs(after - before) for before, after in pairwise(starts)]
        return _Pace(words, _usual(words, steps), _rate(words, extent)) if words else None
    words = sum(words for _, _, words in timed)
    overall = _rate(words, extent)
    spoken = _usual(sum(said for _, _, said in closed), [end - start for start, end, _ in closed])
    return _Pace(words, overall if spoken == math.inf else spoken, overall)


def _usual(words: float, durations: list[float]) -> float:
    """The pace where all last as long as the middle one: a single wrong time does not count."""
    return _rate(words, median(durations) * len(durations))


def _rate(words: float, seconds: float) -> float:
    return words / seconds if seconds > 0 else math.inf


def _words_in(item: RawSegment | RawWord) -> float:
    texts = [item.text]
    if isinstance(item, RawSegment) and not item.text:
        texts = [word.text for word in item.words]
    words = sum(len(text.split()) for text in texts)
    letters = sum(sum(map(str.isalnum, text)) for text in texts)
    return max(words, letters / LETTERS_PER_WORD) if letters else 0.0


def _read_as(raw: RawTranscript, unit: TimeUnit, factor: float) -> None:
    for item in raw.items():
        item.change_times(lambda seconds: seconds * factor)
    raw.repairs.change_times(lambda seconds: seconds * factor)
    raw.repairs.remark(
        f"The times are impossible in {raw.unit} and are read as {unit}: check one of them."
    )
    raw.unit = unit


# What a recogniser makes up in silence: the same words over and over, faster than can be said.


MIN_REPEATS = 3
MIN_REPEATED_TOKENS = 3
"""So many segments in a row, of so many tokens at least, are looked at."""

MAX_GAP_SECONDS = 2.0
MAX_STEP_SECONDS = 3.0
"""A person who calls again waits for an answer: repeats that are further apart are speech.

The gap is from end to start, the step from start to start where no end is written.
"""

MAX_TOKENS_PER_SECOND = 8.0
"""Nobody says the same words again any faster."""

MAX_PHRASE_TOKENS = 12
MIN_LOOPED_TOKENS = 20
MIN_LOOPS = 6
"""A phrase of up to so many tokens, said so often that it makes up so many tokens, is a loop."""


def doubt_repeated_segments(segments: Sequence[RawSegment], repairs: Repairs) -> None:
    """Of each row of segments that say the same, those that cannot be speech lose their times."""
    texts = [segment.text.casefold().rstrip(" .,!?\u2026\u3002") for segment in segments]
    start = 0
    while start < len(segments):
        end = start + 1
        while (
            end < len(segments)
            and texts[end] == texts[start]
            and _follows(segments[end - 1], segments[end])
        ):
            end += 1
        tokens = len(keys_of(texts[start]).keys) if end - start >= MIN_REPEATS else 0
        if tokens >= MIN_REPEATED_TOKENS:
            _judge(segments[start:end], tokens, repairs)
        start = end


def _judge(row: Sequence[RawSegment], tokens: int, repairs: Repairs) -> None:
    seconds = [segment.start for segment in row]
    impossible = [
        segment.is_doubtful or _is_too_fast(tokens, _lasting(segment, before, following))
        for before, segment, following in zip(row, row[1:], [*row[2:], None], strict=False)
    ]
    for segment, second, is_impossible in zip(row[1:], seconds[1:], impossible, strict=True):
        if is_impossible:
            repairs.count(Repair.REPEATED_SEGMENTS, second)
            segment.drop_times()
        else:
            repairs.count(Repair.LIKELY_REPEATED_SEGMENTS, second)


def _lasting(segment: RawSegment, before: RawSegment, following: RawSegment | None) -> float | None:
    """The seconds that a repeat takes; 0 where it has those of the one before it."""
    if segment.start is None or (segment.start, segment.end) == (before.start, before.end):
        return 0.0
    if segment.end is not None:
        return segment.end - segment.start
    if following is None or following.start is None:
        return None
    return following.start - segment.start


def _is_too_fast(tokens: int, seconds: float | None) -> bool:
    return seconds is not None and tokens > MAX_TOKENS_PER_SECOND * seconds


def _follows(before: RawSegment, after: RawSegment) -> bool:
    if before.speaker != after.speaker or before.start is None or after.start is None:
        return False
    if before.end is None:
        return after.start - before.start <= MAX_STEP_SECONDS
    return after.start - before.end <= MAX_GAP_SECONDS


def doubt_loops(segment: RawSegment, repairs: Repairs) -> list[RawSegment]:
    """The segment, cut where a phrase goes round and round: a loop that cannot be is untimed."""
    if segment.start is None:
        return [segment]
    text = segment.text
    keys = keys_of(text)
    cuts: list[tuple[int, int]] = []
    for first, last in _loops(keys.keys):
        if not _is_impossible(segment, len(keys.keys), keys.starts[first], keys.ends[last - 1]):
            repairs.count(Repair.LIKELY_LOOPED_WORDS, segment.start, last - first)
            continue
        repairs.count(Repair.LOOPED_WORDS, segment.start, last - first)
        cuts.append(_between_spaces(text, keys.starts[first], keys.ends[last - 1]))
    parts: list[RawSegment] = []
    at = 0
    for start, end in cuts:
        parts += _part(segment, at, start, is_timed=True)
        parts += _part(segment, max(at, start), end, is_timed=False)
        at = end
    return [*parts, *_part(segment, at, len(text), is_timed=True)] if cuts else [segment]


def _is_impossible(segment: RawSegment, tokens: int, start: int, end: int) -> bool:
    """Whether a loop cannot be speech: by the times of its words, else of its whole segment."""
    if segment.is_doubtful:
        return True
    inside = [word.start for word in segment.words if start <= word.place[0] < end]
    starts = [second for second in inside if second is not None]
    if len(starts) >= MIN_LOOPED_TOKENS // 2:
        return len(starts) > 1 and _is_too_fast(len(starts) - 1, starts[-1] - starts[0])
    lasting = None if segment.end is None or segment.start is None else segment.end - segment.start
    return _is_too_fast(tokens, lasting)


def _between_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with all the letters and signs that no space parts from it."""
    before, after = text.rfind(" ", 0, start + 1), text.find(" ", end)
    return before + 1, len(text) if after < 0 else after


def _part(whole: RawSegment, start: int, end: int, *, is_timed: bool) -> Iterator[RawSegment]:
    """`whole.text[start:end]` as a segment of its own, unless it is empty."""
    text = whole.text[start:end]
    start += len(text) - len(text.lstrip())
    end = start + len(text.strip())
    if start >= end:
        return
    words = [word for word in whole.words if start <= word.place[0] and word.place[1] <= end]
    for word in words:
        word.place = word.place[0] - start, word.place[1] - start
    part = RawSegment(whole.text[start:end], whole.start, whole.end, whole.speaker, words)
    if not is_timed:
        part.drop_times()
    yield part


def _loops(keys: list[str]) -> list[tuple[int, int]]:
    """Which tokens repeat those before them, as ranges in order that do not overlap."""
    if len(keys) < MIN_LOOPED_TOKENS or len(set(keys)) == len(keys):
        return []
    found: list[tuple[int, int]] = []
    for size in range(1, MAX_PHRASE_TOKENS + 1):
        same = bytes(map(eq, keys, keys[size:]))
        least = max(MIN_LOOPED_TOKENS, MIN_LOOPS * size) - size
        for run in re.finditer(b"\x01{%d,}" % least, same):
            rounds = (run.end() - run.start()) // size
            first = run.start() + size
            found.append((first, first + rounds * size))
    found.sort()
    cuts: list[tuple[int, int]] = []
    for first, last in found:
        if not cuts or first >= cuts[-1][1]:
            cuts.append((first, last))
    return cuts


SAME_SPEAKER = " "
OTHER_SPEAKER = "\n\n"
NO_WORDS = "The transcript holds no words."
NO_TIMES = "The transcript holds no times: no timestamp can be checked against it."

_UNUSABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\N{REPLACEMENT CHARACTER}")


def build_transcript(
    raw: RawTranscript, name: str, *, size_bytes: int, limits: SourceLimits
) -> Transcript:
    """The transcript of what was read; `raw` is used up.

    Raises DocumentParsingError where its text is over the limit.
    """
    repairs = raw.repairs
    _clean_texts(raw)
    settle_unit(raw)
    origin = set_origin(raw)
    segments = _settled(raw)
    for segment in segments:
        placement = _placed(segment, repairs, is_own=not raw.words)
        segment.text, segment.words = placement.text, placement.words
    segments = [segment for segment in segments if segment.text]
    _settle_times(segments, repairs)
    segments = [part for segment in segments for part in doubt_loops(segment, repairs)]
    text, words, said = _composed(segments)
    if len(text) > limits.max_text_chars:
        raise DocumentParsingError(
            f"{name}: {len(text)} characters are over the limit of {limits.max_text_chars} for one "
            "document. Split it, or raise the limit.",
            Format.TRANSCRIPT,
        )
    starts = [*(word.start for word in words), *(segment.start for segment in said)]
    remarks = (NO_TIMES,) if all(start is None for start in starts) else ()
    return Transcript(
        name=name,
        text=text,
        format=Format.TRANSCRIPT,
        size_bytes=size_bytes,
        words=words,
        segments=said,
        language=raw.language,
        time_base=TimeBase(raw.unit, origin),
        recorded_as=raw.recorded_as,
        warnings=((NO_WORDS,) if not text else remarks) + repairs.messages(),
    )


def _settle_times(segments: list[RawSegment], repairs: Repairs) -> None:
    """Leave no time that another one contradicts, and give each segment that starts an end."""
    for segment in segments:
        drop_stray_times(segment, repairs)
        drop_backward_times(segment.words, repairs)
    for words in by_speaker(segments):
        drop_backward_times(words, repairs)
    doubt_repeated_segments(segments, repairs)
    trim_overlaps(segments, repairs)
    estimate_ends(segments, repairs)


def _clean_texts(raw: RawTranscript) -> None:
    """Texts on one line, without characters that are no text."""
    holders: list[Timed | RawTranscript] = [*raw.items(), raw]
    for holder in holders:
        if _is_unclean(holder.text):
            holder.text = holder.text.translate(_UNUSABLE)
            raw.repairs.count(Repair.NOT_TEXT)
    for segment in raw.segments:
        segment.text = one_line(segment.text)


def _is_unclean(text: str) -> bool:
    if text.isascii():
        return "\x00" in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return "\x00" in text


def _settled(raw: RawTranscript) -> list[RawSegment]:
    """The segments in order, with their words and usable times."""
    repairs = raw.repairs
    for segment in raw.segments:
        settle_words(segment.words, repairs)
    settle_words(raw.words, repairs)
    if not any(segment.text or segment.words for segment in raw.segments):
        segments = _without_segments(raw)
        settle_segments(segments, repairs)
        return in_order(segments, repairs, Repair.UNSORTED_SEGMENTS)
    segments = raw.segments
    if raw.text and all(segment.text for segment in segments):
        segments = add_missing_text(segments, raw.text, repairs)
    settle_segments(segments, repairs)
    segments = in_order(segments, repairs, Repair.UNSORTED_SEGMENTS)
    if not raw.words:
        return segments
    lost = distribute(segments, in_order(raw.words, repairs, Repair.UNSORTED_WORDS))
    apart, within = parted(lost, segments)
    if within:
        repairs.count(Repair.WORDS_NOT_IN_TEXT, within[0].start, len(within))
    if apart:
        repairs.count(Repair.FULLER_WORDS, apart[0].start, len(apart))
        added = group_words(apart, repairs)
        settle_segments(added, repairs)
        segments = by_start([*segments, *added])
    return segments


def _without_segments(raw: RawTranscript) -> list[RawSegment]:
    """Segments of words alone, or of a text alone."""
    if not raw.words:
        return [RawSegment(one_line(raw.text))] if raw.text.strip() else []
    words = in_order(raw.words, raw.repairs, Repair.UNSORTED_WORDS)
    if raw.text.strip():
        segments = segments_of_text(raw.text, words, raw.repairs)
        if segments is not None:
            return segments
        punctuate(words, raw.text)
    return group_words(words, raw.repairs)


def _placed(segment: RawSegment, repairs: Repairs, *, is_own: bool) -> Placement:
    """The segment's words in its text. `is_own`: the file itself says that they are its words."""
    if segment.speaker is None:
        named = {word.speaker for word in segment.words}
        segment.speaker = named.pop() if len(named) == 1 else None
    if not segment.text:
        return join_words(in_order(segment.words, repairs, Repair.UNSORTED_WORDS))
    placement = place_words(segment.text, segment.words)
    odd = out_of_order(start_keys(segment.words)) if placement.unplaced else []
    if odd:
        again = place_words(segment.text, by_start(segment.words))
        if len(again.unplaced) < len(placement.unplaced):
            repairs.count(Repair.UNSORTED_WORDS, segment.start, len(odd))
            placement = again
        else:
            placement = place_words(segment.text, segment.words)
    if placement.unplaced:
        is_fuller = is_own and not placement.uncovered
        kind = Repair.FULLER_WORDS if is_fuller else Repair.WORDS_NOT_IN_TEXT
        repairs.count(kind, placement.unplaced[0].start, len(placement.unplaced))
        if is_fuller:
            return join_words(in_order(segment.words, repairs, Repair.UNSORTED_WORDS))
    if placement.uncovered and segment.words:
        repairs.count(Repair.TEXT_WITHOUT_WORDS, segment.start, placement.uncovered)
    return placement


def _composed(kept: list[RawSegment]) -> tuple[str, tuple[Word, ...], tuple[Segment, ...]]:
    """The text of all segments, and the places in it of the words and segments."""
    parts: list[str] = []
    words: list[Word] = []
    segments: list[Segment] = []
    at = 0
    for segment in kept:
        if segments:
            same = segments[-1].speaker == segment.speaker
            parts.append(SAME_SPEAKER if same else OTHER_SPEAKER)
            at += len(parts[-1])
        for word in segment.words:
            span = Span(at + word.place[0], at + word.place[1])
            words.append(Word(span, word.start, word.end, word.confidence, word.speaker))
        parts.append(segment.text)
        span = Span(at, at + len(segment.text))
        segments.append(Segment(span, segment.start, segment.end, segment.speaker))
        at = span.end
    return "".join(parts), tuple(words), tuple(segments)
