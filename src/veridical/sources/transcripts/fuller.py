"""A file that says the same twice, whole and in parts: what either lacks is taken from the other.

No word of the fuller one is lost. What has no time where it is found gets none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.sources.patterns import lazy
from veridical.sources.transcripts.align import Run, matching_runs
from veridical.sources.transcripts.keys import keys_of, keys_of_word
from veridical.sources.transcripts.place import PlacedWord, one_line, place_words
from veridical.sources.transcripts.raw import RawSegment, RawWord
from veridical.sources.transcripts.repairs import Repair, Repairs

MIN_SHARE = 0.9
"""A text with fewer tokens than this share of the words' own is cut off: the words count."""

MAX_SENTENCE_CHARS = 400
"""A longer sentence is cut between two words: the time of a part says more."""

_END = lazy(r"[.?!\u2026]['\")\]\u2019\u201d\u00bb]*+\s|[\u3002\uff01\uff1f]")


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
        while at < len(placement.words) and placement.words[at].start < end:
            segment.words.append(placement.words[at].word)
            at += 1
        segments.append(segment)
    return segments


def _cuts(text: str, words: list[PlacedWord]) -> list[int]:
    """Where sentences begin and speakers change, with both ends of the text."""
    cuts = {0, len(text), *(found.end() for found in _END().finditer(text))}
    cuts.update(b.start for a, b in pairwise(words) if a.word.speaker != b.word.speaker)
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
