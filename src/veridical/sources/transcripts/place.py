"""Words and texts brought together: words are found in a text, make one, or make segments.

Of a file that says the same twice, whole and in parts, what either lacks is taken from the other.
No word of the fuller one is lost. What has no time where it is found gets none.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from veridical.sources.patterns import lazy
from veridical.sources.transcripts.align import (
    Keys,
    Run,
    is_unspaced,
    keys_of,
    keys_of_word,
    matching_runs,
    sure_runs,
)
from veridical.sources.transcripts.raw import (
    SLACK_SECONDS,
    RawSegment,
    RawWord,
    Repair,
    Repairs,
    in_order,
)

_CONTRACTED = lazy(r"(?i)(?:['\u2019](?:t|s|re|ve|ll|d|m)|n['\u2019]t)(?![^\W_])")
"""The ends of "don't", "it's", "we're"; other words begin with an apostrophe too ("'twas")."""


@dataclass(slots=True)
class Placement:
    """The text of a segment with the words that were found in it, which have their `place`.

    `unplaced` are words whose letters are not in the text, or at no place that is sure;
    `uncovered` counts the tokens of the text that no word surely agrees with.
    """

    text: str
    words: list[RawWord] = field(default_factory=list)
    unplaced: list[RawWord] = field(default_factory=list)
    uncovered: int = 0


def one_line(text: str) -> str:
    """`text` with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def place_words(text: str, words: Sequence[RawWord]) -> Placement:
    """Find `words` in `text` in their order. A word of which any letter differs finds no place."""
    placement = Placement(text)
    if not words:
        return placement
    keys = keys_of(text)
    spoken = [keys_of_word(word.text) for word in words]
    extents, placement.uncovered = _extents(keys, spoken)
    at = 0
    for word, own, extent in zip(words, spoken, extents, strict=True):
        if not own.keys:
            continue  # punctuation or a sign: nothing that could be found, or missed
        if extent is None or extent[0] < at:
            placement.unplaced.append(word)
            continue
        start, end = _as_written(text, one_line(word.text), extent, own.starts[0], at)
        word.place = start, end
        placement.words.append(word)
        at = end
    return placement


def _extents(keys: Keys, spoken: Sequence[Keys]) -> tuple[list[tuple[int, int] | None], int]:
    """Where the letters of each word stand, or None; and how many tokens no word agrees with."""
    flat = [key for own in spoken for key in own.keys]
    if flat != keys.keys:
        letters = _Letters(keys, flat)
        return [letters.next(own) for own in spoken], letters.uncovered
    extents: list[tuple[int, int] | None] = []
    token = 0
    for own in spoken:
        following = token + len(own.keys)
        extents.append((keys.starts[token], keys.ends[following - 1]) if own.keys else None)
        token = following
    return extents, 0


class _Letters:
    """Maps the letters of words, one after the other, to places in the text."""

    def __init__(self, keys: Keys, flat: list[str]) -> None:
        self._keys = keys
        text_at = [0, *accumulate(map(len, keys.keys))]
        word_at = [0, *accumulate(map(len, flat))]
        self._text_at = text_at
        self._runs: list[tuple[int, int, int]] = []
        self.uncovered = len(keys.keys)
        for run in sure_runs(keys.keys, flat):
            self.uncovered -= run.left_end - run.left_start
            start, end = word_at[run.right_start], word_at[run.right_end]
            shift = text_at[run.left_start] - start
            if self._runs and self._runs[-1][1:] == (start, shift):
                start = self._runs.pop()[0]
            self._runs.append((start, end, shift))
        self._run = self._at = 0

    def next(self, own: Keys) -> tuple[int, int] | None:
        """Where the letters of the next word stand; None where they are not in the text."""
        start = self._at
        end = self._at = start + sum(map(len, own.keys))
        while self._run < len(self._runs) and self._runs[self._run][1] <= start:
            self._run += 1
        if self._run == len(self._runs):
            return None
        run_start, run_end, shift = self._runs[self._run]
        if start < run_start or end > run_end:
            return None
        first, last = self._offset(start + shift), self._offset(end + shift - 1)
        return None if first is None or last is None else (first, last + 1)

    def _offset(self, letter: int) -> int | None:
        """The place in the text of a letter of the keys; of the last of a token, its very end."""
        token = bisect_right(self._text_at, letter) - 1
        into = letter - self._text_at[token]
        start, end = self._keys.starts[token], self._keys.ends[token]
        if into == len(self._keys.keys[token]) - 1 and into:
            return end - 1
        return start + into if into == 0 or end - start == len(self._keys.keys[token]) else None


def _as_written(
    text: str, word: str, extent: tuple[int, int], lead: int, earliest: int
) -> tuple[int, int]:
    """The place of a word with its punctuation where the text has it too, else of its letters."""
    start, end = extent
    written = start - lead
    if written >= earliest and text.startswith(word, written):
        return written, max(end, written + len(word))
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return start, end


def join_words(words: Sequence[RawWord]) -> Placement:
    """The text that the words make: as they are where they carry their spaces, else joined.

    No space comes between words of a script that is written without.
    """
    placement = Placement("")
    as_they_are = _carry_spaces(words)
    parts: list[str] = []
    at, previous, open_end = 0, "", False
    for word in words:
        text = one_line(word.text)
        if not text:
            continue
        if as_they_are:
            spaced = open_end or word.text[0].isspace()
        else:
            spaced = not (word.glued or _joins(previous, text))
        if parts and spaced:
            parts.append(" ")
            at += 1
        parts.append(text)
        if any(character.isalnum() for character in text):
            word.place = at, at + len(text)
            placement.words.append(word)
        at += len(text)
        previous, open_end = text[-1], word.text[-1].isspace()
    placement.text = "".join(parts)
    return placement


def _joins(previous: str, text: str) -> bool:
    """Whether `text` follows without a space: a script without any, or the end of a contraction."""
    if not previous:
        return False
    if is_unspaced(previous) and is_unspaced(text[0]):
        return True
    return previous.isalnum() and _CONTRACTED().match(text) is not None


def _carry_spaces(words: Sequence[RawWord]) -> bool:
    """Whether the words have their spaces with them, as Whisper writes those that need one."""
    carrying = needing = 0
    for word in words:
        bare = word.text.strip()
        needing += bool(bare) and not is_unspaced(bare[0])
        carrying += len(bare) < len(word.text)
    return carrying > 0 and carrying * 2 >= needing


PAUSE_SECONDS = 1.0
"""A silence that ends a segment, where only words are known."""

MAX_WORDS = 60
_SENTENCE_ENDS = ".?!\u2026\u3002\uff01\uff1f\u061f\u0964"
_CLOSING = "\"')]}\u2019\u201d\u00bb\u300d"


def group_words(words: list[RawWord], repairs: Repairs) -> list[RawSegment]:
    """Segments of words: cut where the speaker changes, at a pause, after a sentence."""
    words = in_order(words, repairs, Repair.UNSORTED_WORDS)
    segments: list[RawSegment] = []
    previous: RawWord | None = None
    for word in words:
        if previous is None or _is_cut(previous, word) or len(segments[-1].words) >= MAX_WORDS:
            segments.append(RawSegment(speaker=word.speaker))
        segments[-1].words.append(word)
        previous = word
    return segments


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


MIN_SHARE = 0.9
"""A text with fewer tokens than this share of the words' own is cut off: the words count."""

MAX_SENTENCE_CHARS = 400
"""A longer sentence is cut between two words: the time of a part says more."""

_SENTENCE_END = lazy(r"[.?!\u2026]['\")\]\u2019\u201d\u00bb]*+\s|[\u3002\uff01\uff1f]")


def segments_of_text(text: str, words: list[RawWord], repairs: Repairs) -> list[RawSegment] | None:
    """The sentences of a `text` that has more than its timed words; None where it has not.

    Each has the words that are found in it, and their times. `words` are in order.
    """
    text = one_line(text)
    flat = [key for word in words for key in keys_of_word(word.text).keys]
    keys = keys_of(text).keys
    runs = matching_runs(keys, flat)
    missing = len(keys) - sum(run.left_end - run.left_start for run in runs)
    if not missing:
        return None
    if len(keys) < MIN_SHARE * len(flat):
        repairs.count(Repair.OTHER_TEXT, words[0].start, missing)
        return None
    placement = place_words(text, words)
    if placement.unplaced:
        repairs.count(
            Repair.WORDS_NOT_IN_TEXT, placement.unplaced[0].start, len(placement.unplaced)
        )
    repairs.count(Repair.FULLER_TEXT, words[0].start, missing)
    segments: list[RawSegment] = []
    at = 0
    for start, end in pairwise(_cuts(text, placement.words)):
        segment = RawSegment(text[start:end].strip())
        while at < len(placement.words) and placement.words[at].place[0] < end:
            segment.words.append(placement.words[at])
            at += 1
        segments.append(segment)
    return segments


def _cuts(text: str, words: list[RawWord]) -> list[int]:
    """Where sentences begin and speakers change, with both ends of the text."""
    cuts = {0, len(text), *(found.end() for found in _SENTENCE_END().finditer(text))}
    cuts.update(b.place[0] for a, b in pairwise(words) if a.speaker != b.speaker)
    result: list[int] = []
    for cut in sorted(cuts):
        while result and cut - result[-1] > MAX_SENTENCE_CHARS:
            space = text.rfind(" ", result[-1] + 1, result[-1] + MAX_SENTENCE_CHARS)
            if space < 0:
                break
            result.append(space)
        result.append(cut)
    return result


def add_missing_text(segments: list[RawSegment], text: str, repairs: Repairs) -> list[RawSegment]:
    """The segments with what only the whole `text` has, as segments without a time or in them."""
    own = [keys_of(segment.text) for segment in segments]
    flat = [key for keys in own for key in keys.keys]
    whole = keys_of(text)
    if flat == whole.keys:
        return segments
    owner = [(number, place) for number, keys in enumerate(own) for place in keys.ends]
    inserted: dict[int, list[tuple[int, str]]] = {}
    other = i = j = 0
    for run in (
        *matching_runs(whole.keys, flat),
        Run(len(whole.keys), len(whole.keys), len(flat), len(flat)),
    ):
        if i < run.left_start:
            if j < run.right_start:
                other += run.left_start - i
            else:
                piece = text[whole.starts[i] : _word_end(text, whole.ends[run.left_start - 1])]
                number, place = owner[j - 1] if j else (-1, 0)
                inside = 0 < j < len(owner) and owner[j][0] == number
                inserted.setdefault(number, []).append((place if inside else -1, one_line(piece)))
                repairs.count(Repair.FULLER_TEXT, None, run.left_start - i)
        i, j = run.left_end, run.right_end
    if other:
        repairs.count(Repair.OTHER_TEXT, None, other)
    return list(_with_inserted(segments, inserted))


def _with_inserted(
    segments: list[RawSegment], inserted: dict[int, list[tuple[int, str]]]
) -> Iterator[RawSegment]:
    yield from (RawSegment(piece) for _, piece in inserted.get(-1, ()))
    for number, segment in enumerate(segments):
        pieces = inserted.get(number, [])
        parts: list[str] = []
        at = 0
        for place, piece in pieces:
            if place >= 0:
                end = _word_end(segment.text, place)
                parts += [segment.text[at:end], piece]
                at = end
        segment.text = one_line(" ".join((*parts, segment.text[at:])))
        yield segment
        yield from (RawSegment(piece) for place, piece in pieces if place < 0)


def _word_end(text: str, at: int) -> int:
    """The end of the word with its punctuation that ends or goes on at an offset."""
    while at < len(text) and not text[at].isspace() and not text[at].isalnum():
        at += 1
    return at
