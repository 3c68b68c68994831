"""From what a reader found to a Transcript: words in their places, times that can be, warnings."""

from __future__ import annotations

from dataclasses import replace

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.limits import SourceLimits
from veridical.sources.span import Span
from veridical.sources.transcript import Precision, Segment, TimeBase, Transcript, Word
from veridical.sources.transcripts.fuller import add_missing_text, segments_of_text
from veridical.sources.transcripts.group import (
    distribute,
    group_words,
    parted,
    punctuate,
    sorted_words,
)
from veridical.sources.transcripts.order import (
    by_start,
    first_out_of_order,
    in_order,
    out_of_order,
    start_keys,
)
from veridical.sources.transcripts.place import Placement, join_words, one_line, place_words
from veridical.sources.transcripts.raw import RawSegment, RawTranscript
from veridical.sources.transcripts.repairs import Repair, Repairs
from veridical.sources.transcripts.repeats import Kept, doubt_loops, doubt_repeated_segments
from veridical.sources.transcripts.times import (
    by_speaker,
    drop_backward_times,
    drop_stray_times,
    estimate_ends,
    set_origin,
    settle_segments,
    settle_words,
    trim_overlaps,
)
from veridical.sources.transcripts.units import settle_unit

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
    kept = [
        Kept(segment, _placed(segment, repairs, is_own=not raw.words)) for segment in _settled(raw)
    ]
    kept = [item for item in kept if item.placement.text]
    _settle_times(kept, repairs)
    kept = [part for item in kept for part in doubt_loops(item, repairs)]
    text, words, said = _composed(kept)
    if len(text) > limits.max_text_chars:
        raise DocumentParsingError(
            f"{name}: {len(text)} characters are over the limit of {limits.max_text_chars} for one "
            "document. Split it, or raise the limit.",
            Format.TRANSCRIPT,
        )
    transcript = Transcript(
        name=name,
        text=text,
        format=Format.TRANSCRIPT,
        size_bytes=size_bytes,
        words=words,
        segments=said,
        language=raw.language,
        time_base=TimeBase(raw.unit, origin),
        recorded_as=raw.recorded_as,
        warnings=repairs.messages(),
    )
    return _with_remarks(transcript)


def _settle_times(kept: list[Kept], repairs: Repairs) -> None:
    """Leave no time that another one contradicts, and give each segment that starts an end."""
    segments = [item.segment for item in kept]
    for item in kept:
        item.segment.text = item.placement.text
        item.segment.words = [placed.word for placed in item.placement.words]
        drop_stray_times(item.segment, repairs)
        drop_backward_times(item.segment.words, repairs)
    for words in by_speaker(segments):
        drop_backward_times(words, repairs)
    doubt_repeated_segments(kept, repairs)
    trim_overlaps(segments, repairs)
    estimate_ends(segments, repairs)


def _with_remarks(transcript: Transcript) -> Transcript:
    if not transcript.text:
        return replace(transcript, warnings=(NO_WORDS, *transcript.warnings))
    if transcript.precision is Precision.NONE:
        return replace(transcript, warnings=(NO_TIMES, *transcript.warnings))
    return transcript


def _clean_texts(raw: RawTranscript) -> None:
    """Texts on one line, without characters that are no text."""
    cleaned = 0
    for segment in raw.segments:
        text = segment.text.translate(_UNUSABLE) if _is_unclean(segment.text) else segment.text
        cleaned += text is not segment.text
        segment.text = one_line(text)
    for word in (*raw.words, *(word for segment in raw.segments for word in segment.words)):
        if _is_unclean(word.text):
            word.text = word.text.translate(_UNUSABLE)
            cleaned += 1
    if _is_unclean(raw.text):
        raw.text = raw.text.translate(_UNUSABLE)
        cleaned += 1
    if cleaned:
        raw.repairs.count(Repair.NOT_TEXT, times=cleaned)


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
    lost = distribute(segments, sorted_words(raw.words, repairs))
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
    words = sorted_words(raw.words, raw.repairs)
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
        return join_words(sorted_words(segment.words, repairs))
    placement = place_words(segment.text, segment.words)
    if placement.unplaced and first_out_of_order(start_keys(segment.words)) is not None:
        sorted_placement = place_words(segment.text, by_start(segment.words))
        if len(sorted_placement.unplaced) < len(placement.unplaced):
            odd = out_of_order(start_keys(segment.words))
            repairs.count(Repair.UNSORTED_WORDS, segment.start, len(odd))
            placement = sorted_placement
    if placement.unplaced and not placement.uncovered and is_own:
        second = placement.unplaced[0].start
        repairs.count(Repair.FULLER_WORDS, second, len(placement.unplaced))
        return join_words(sorted_words(segment.words, repairs))
    if placement.unplaced:
        second = placement.unplaced[0].start
        repairs.count(Repair.WORDS_NOT_IN_TEXT, second, len(placement.unplaced))
    if placement.uncovered and segment.words:
        repairs.count(Repair.TEXT_WITHOUT_WORDS, segment.start, placement.uncovered)
    return placement


def _composed(kept: list[Kept]) -> tuple[str, tuple[Word, ...], tuple[Segment, ...]]:
    """The text of all segments, and the places in it of the words and segments."""
    parts: list[str] = []
    words: list[Word] = []
    segments: list[Segment] = []
    at = 0
    for item in kept:
        segment, placement = item.segment, item.placement
        if segments:
            same = segments[-1].speaker == segment.speaker
            parts.append(SAME_SPEAKER if same else OTHER_SPEAKER)
            at += len(parts[-1])
        for placed in placement.words:
            word = placed.word
            span = Span(at + placed.start, at + placed.end)
            words.append(Word(span, word.start, word.end, word.confidence, word.speaker))
        parts.append(placement.text)
        span = Span(at, at + len(placement.text))
        segments.append(Segment(span, segment.start, segment.end, segment.speaker))
        at = span.end
    return "".join(parts), tuple(words), tuple(segments)
