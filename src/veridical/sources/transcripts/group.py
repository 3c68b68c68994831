"""Words that stand alone become segments, or go to the segments that they were said in."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from veridical.sources.transcripts.align import matching_runs
from veridical.sources.transcripts.keys import keys_of, keys_of_word
from veridical.sources.transcripts.order import in_order
from veridical.sources.transcripts.raw import RawSegment, RawWord
from veridical.sources.transcripts.repairs import Repair, Repairs
from veridical.sources.transcripts.times import SLACK_SECONDS

PAUSE_SECONDS = 1.0
"""A silence that ends a segment, where only words are known."""

MAX_WORDS = 60
_SENTENCE_ENDS = ".?!\u2026\u3002\uff01\uff1f\u061f\u0964"
_CLOSING = "\"')]}\u2019\u201d\u00bb\u300d"


def group_words(words: list[RawWord], repairs: Repairs) -> list[RawSegment]:
    """Segments of words: cut where the speaker changes, at a pause, after a sentence."""
    words = sorted_words(words, repairs)
    segments: list[RawSegment] = []
    previous: RawWord | None = None
    for word in words:
        if previous is None or _is_cut(previous, word) or len(segments[-1].words) >= MAX_WORDS:
            segments.append(RawSegment(speaker=word.speaker))
        segments[-1].words.append(word)
        previous = word
    return segments


def sorted_words(words: list[RawWord], repairs: Repairs) -> list[RawWord]:
    """The words in order of their starts; what was out of order is counted."""
    return in_order(words, repairs, Repair.UNSORTED_WORDS)


def _is_cut(previous: RawWord, word: RawWord) -> bool:
    if previous.speaker != word.speaker:
        return True
    if previous.text.rstrip().rstrip(_CLOSING).endswith(tuple(_SENTENCE_ENDS)):
        return True
    if previous.end is None or word.start is None:
        return False
    return word.start - previous.end >= PAUSE_SECONDS


def punctuate(words: list[RawWord], text: str) -> None:
    """Give words the punctuation of `text`, where the two agree in every letter."""
    own = [keys_of_word(word.text).keys for word in words]
    keys = keys_of(text)
    if not all(own) or [key for part in own for key in part] != keys.keys:
        return
    token = 0
    cuts: list[int] = []
    for part in own:
        before = keys.ends[token - 1] if token else 0
        gap = text[before : keys.starts[token]]
        # What stands before the last space belongs to the word before, the rest to this one.
        spaced = max((index for index, sign in enumerate(gap) if sign.isspace()), default=-1)
        cuts.append(before + spaced + 1 if token else 0)
        token += len(part)
    for word, start, end in zip(words, cuts, (*cuts[1:], len(text)), strict=True):
        word.text = text[start:end].strip()
        word.glued = start > 0 and not text[start - 1].isspace()


def distribute(segments: list[RawSegment], words: list[RawWord]) -> list[RawWord]:
    """Give `words` to the `segments` whose text they are, both in order of time.

    A segment takes the words that agree with its text and were said about when it was.
    Returns the words that no segment takes.
    """
    keys = [keys_of_word(word.text).keys for word in words]
    lost: list[RawWord] = []
    at = 0
    for index, segment in enumerate(segments):
        wanted = keys_of(segment.text).keys
        end = segment.end
        if end is None:
            end = segments[index + 1].start if index + 1 < len(segments) else None
        most = min(len(words), at + 2 * len(wanted) + 50)
        if segment.start is not None:
            early = _first_after(words, at, most, segment.start - SLACK_SECONDS)
            if not {key for own in keys[at:early] for key in own}.intersection(wanted):
                lost += words[at:early]
                at = early
        stop = most if end is None else _first_after(words, at, most, end + SLACK_SECONDS)
        taken = at + _agreeing(wanted, keys[at:stop])
        if end is not None:
            # What was surely said in this segment does not wait for the next.
            taken = _first_after(words, taken, len(words), end - SLACK_SECONDS)
        (segment.words if wanted else lost).extend(words[at:taken])
        at = taken
    return [*lost, *words[at:]]


def parted(words: list[RawWord], segments: list[RawSegment]) -> tuple[list[RawWord], list[RawWord]]:
    """Of words that no segment takes, those said when there is no segment, and the others."""
    spans = [(s.start, s.end) for s in segments if s.start is not None and s.end is not None]
    closed = len(spans) == len(segments)
    starts = [start for start, _ in spans]
    reach = list(accumulate((end for _, end in spans), max))
    apart: list[RawWord] = []
    within: list[RawWord] = []
    for word in words:
        if not closed or word.start is None:
            within.append(word)
            continue
        before = bisect_right(starts, word.start + SLACK_SECONDS)
        is_apart = not before or reach[before - 1] + SLACK_SECONDS < word.start
        (apart if is_apart else within).append(word)
    return apart, within


def _first_after(words: list[RawWord], at: int, stop: int, second: float) -> int:
    """The first word from `at` that starts at `second` or later, or `stop`."""
    while at < stop:
        start = words[at].start
        if start is not None and start >= second:
            break
        at += 1
    return at


def _agreeing(wanted: list[str], keys: list[list[str]]) -> int:
    """How many of the words it takes to find all of `wanted` that is in them."""
    flat = [key for own in keys for key in own]
    if flat[: len(wanted)] == wanted:
        last = len(wanted)
    else:
        runs = matching_runs(wanted, flat)
        last = runs[-1].right_end if runs else 0
    count = seen = 0
    while seen < last:
        seen += len(keys[count])
        count += 1
    return count
