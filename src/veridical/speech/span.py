"""From when to when one speech runs in a recording that holds more than it.

What lies outside keeps its place in the transcript under a label of its own, so that no word of a
chair is the speaker's, seconds stay those of the recording, and names are found in all of it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from veridical.errors import ConfigurationError
from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Segment, Transcript, Word, clock
from veridical.speech.metrics import LONG_PAUSE_SECONDS
from veridical.speech.names.claims import TITLES
from veridical.speech.names.finders import PatternNames
from veridical.speech.offline.cues import REPORTING, greets
from veridical.speech.speakers import Evaluated
from veridical.text.reading import Reading
from veridical.text.spoken import SpokenTokens, spoken_keys, spoken_tokens

SPEAKER = "speaker"
OUTSIDE = "outside the speech"

_FIRST, _LAST = 0.25, 0.75
"""A speech begins in the first quarter of a recording and ends in the last one."""
_SLOWEST_SECONDS = 0.6
"""Whoever takes more than this a word is silent in between."""
_MARKS = frozenset(",.;:!?")
_MOST_BETWEEN = 200
_NEAR = 4
"""Words before a name, and sentences behind one, that belong to it."""
_LEAST_INTRODUCTION = 8
_SELF = frozenset("my im am".split())
_THANKS = frozenset("thank thanks".split())
_TELLS_ME = REPORTING | {"me", "us"}
"""Behind these a speaker's own name is called by somebody in the speech: "he said to me, Anna"."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a recording, in its seconds, and the words with which it begins and ends."""

    start: float
    end: float
    begins: str = ""
    ends: str = ""

    @property
    def told(self) -> str:
        """`0:27 to 4:10`."""
        return f"{clock(self.start)} to {clock(self.end)}"

    @property
    def warning(self) -> str:
        """What a reader must know where nobody has said that this is the speech."""
        return (
            f"the speech is taken to run from {self.told} of the recording; what is said before "
            "and after is not evaluated"
        )


def seconds_of(given: str) -> float:
    """Seconds as they are given: `95`, `1:35` or `1:02:03`.

    Raises ConfigurationError for anything else.
    """
    try:
        parts = [float(part) for part in given.split(":")]
    except ValueError:
        parts = []
    is_clock = all(part < 60 for part in parts[1:])  # seconds, minutes
    if not 1 <= len(parts) <= 3 or not is_clock or not all(0 <= part < math.inf for part in parts):
        raise ConfigurationError(f"{given!r} is no time: give seconds (95) or a clock time (1:35)")
    return sum(part * 60.0**power for power, part in enumerate(reversed(parts)))


def between(
    transcript: Transcript, evaluated: Evaluated, start: float | None, end: float | None
) -> tuple[Transcript, Evaluated]:
    """The transcript in which only what is said from `start` to `end` seconds is the speaker's.

    Raises ConfigurationError where the transcript has no times, or nothing is said there.
    """
    low = 0.0 if start is None else start
    high = math.inf if end is None else end
    if low >= high:
        raise ConfigurationError(f"the stretch ends at {clock(high)}, not after {clock(low)}")
    if (low, high) == (0.0, math.inf):
        return transcript, evaluated
    if transcript.precision is Precision.NONE:
        raise ConfigurationError("the transcript has no times from which a stretch could be taken")
    timed: Sequence[Word | Segment] = (
        transcript.words if transcript.precision is Precision.WORD else transcript.segments
    )
    inside = [part.span for part in timed if _is_inside(part, low, high)]
    if not inside:
        told = f"{clock(low)} to {'the end' if end is None else clock(high)}"
        raise ConfigurationError(
            f"nothing is known to be said from {told}; the recording runs from "
            f"{clock(transcript.start)} to {clock(transcript.end)}"
        )
    kept = Span(inside[0].start, inside[-1].end)
    own = evaluated.label or next(iter(transcript.speakers), SPEAKER)

    def labelled(part: Word | Segment, speaker: str | None) -> str | None:
        if speaker not in (None, own) or (speaker is None and len(transcript.speakers) > 1):
            return speaker
        return own if kept.start <= part.span.start < kept.end else OUTSIDE

    by_segment = [
        replace(segment, speaker=labelled(segment, segment.speaker))
        for segment in transcript.segments
    ]
    words = tuple(
        replace(word, speaker=labelled(word, word.speaker or _speaker_at(transcript, word)))
        for word in transcript.words
    )
    divided = replace(transcript, words=words, segments=tuple(by_segment))
    return divided, replace(evaluated, label=own)


def _is_inside(part: Word | Segment, low: float, high: float) -> bool:
    """Whether most of a part is said between two seconds."""
    if part.start is None:
        return False
    end = part.start if part.end is None else part.end
    return low <= (part.start + end) / 2 < high


def _speaker_at(transcript: Transcript, word: Word) -> str | None:
    segments = transcript.segments_in(word.span)
    return segments[0].speaker if segments else None


def likely_stretch(transcript: Transcript, name: str | None = None) -> Stretch | None:
    """Where in an undivided recording the speech most likely runs, None where that is not sure.

    It goes by who says whose name: a chair says the speaker's before the speech and calls it after,
    and in between nobody does, but "my name is". The chair calls it before as well, or a silence
    parts the two. The words of a chair at one end only are found where the speaker's `name` is
    known: behind it a silence and a greeting, or thanks and a silence before it is called.
    """
    if len(transcript.speakers) > 1 or transcript.precision is Precision.NONE:
        return None
    places = _Places(transcript)
    framed = max(places.framed(), key=lambda stretch: stretch[1] - stretch[0], default=None)
    if framed is None and name is not None:
        framed = places.beside(name)
    return None if framed is None else places.stretch(*framed)


class _Places:
    """The places of a transcript where a speech may begin or end, as indices of tokens."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.tokens: SpokenTokens = spoken_tokens(transcript.text)
        reading = Reading(transcript)
        starts = {reading.to_source(start, end).start for start, end in reading.sentences()}
        starts |= {segment.span.start for segment in transcript.segments}
        self.cuts: list[int] = []
        for index, start in enumerate(self.tokens.starts):
            between = range(self.tokens.ends[index - 1] if index else 0, start + 1)
            if not starts.isdisjoint(between[-_MOST_BETWEEN:]):
                self.cuts.append(index)

    def framed(self) -> Iterator[tuple[int, int]]:
        """From which token to before which other nobody says a name that is said on both sides."""
        names = PatternNames().find(self.transcript.text)
        people = frozenset(key for name in names for key in spoken_keys(name)) - TITLES
        said: dict[str, list[int]] = {}
        for index in self._said(people):
            said.setdefault(self.tokens.keys[index], []).append(index)
        for before, after in chain.from_iterable(map(pairwise, said.values())):
            if not (self._share(before) <= _FIRST and self._share(after) >= _LAST):
                continue
            inside = [cut for cut in self.cuts if before < cut <= after]
            if len(inside) > 1 and self._is_called(after):
                parted = max(map(self._gap, (inside[0], inside[-1]))) > LONG_PAUSE_SECONDS
                if parted or self._is_called(before):
                    yield inside[0], inside[-1]

    def beside(self, name: str) -> tuple[int, int] | None:
        """From which token to before which other a speaker of this name speaks, whom a chair names
        before or after, and nobody names in between; None where no such chair is heard.
        """
        said = list(self._said(frozenset(spoken_keys(name)) - TITLES))
        early = [index for index in said if self._share(index) <= _FIRST]
        late = [index for index in said if self._share(index) >= _LAST]
        if len(early) + len(late) < len(said):
            return None
        first = self._introduced(early[-1]) if early else 0
        past = self._thanked(late[0]) if late else len(self.tokens)
        return (first, past) if (first, past) != (0, len(self.tokens)) else None

    def _introduced(self, index: int) -> int:
        """Where a greeting begins after a silence behind a name; 0 where none does. What is shorter
        than an introduction may be the speaker's own name.
        """
        behind = bisect_left(self.cuts, index + 1)
        near = self.cuts[behind : behind + _NEAR]
        cut = next((cut for cut in near if self._gap(cut) > LONG_PAUSE_SECONDS), 0)
        is_greeting = greets(self.tokens.keys[cut : cut + _NEAR])
        return cut if cut > _LEAST_INTRODUCTION and is_greeting else 0

    def _thanked(self, index: int) -> int:
        """Where the sentence that calls a name begins, if thanks and a silence stand before it;
        else where the recording ends.
        """
        behind = bisect_left(self.cuts, index + 1)
        if behind > 1 and self._is_called(index):
            before, cut = self.cuts[behind - 2 : behind]
            thanked = not _THANKS.isdisjoint(self.tokens.keys[before:cut])
            if thanked and self._gap(cut) > LONG_PAUSE_SECONDS:
                return cut
        return len(self.tokens)

    def _said(self, people: frozenset[str]) -> Iterator[int]:
        """The tokens of these names, but where somebody gives his own."""
        for index, key in enumerate(self.tokens.keys):
            if key in people and _SELF.isdisjoint(self._before(index)):
                yield index

    def stretch(self, first: int, last: int) -> Stretch:
        """From the first of these tokens to the last but one."""
        words = self.tokens
        begins = self.transcript.text[words.starts[first] : words.ends[min(first + 7, last - 1)]]
        ends = self.transcript.text[words.starts[max(first, last - 8)] : words.ends[last - 1]]
        start = self._second(first)
        if last == len(words):
            return Stretch(math.floor(start or 0.0), self.transcript.end, begins, ends)
        end = self._second(last)
        return Stretch(math.floor(start or 0.0), round((end or 0.0) - 0.05, 2), begins, ends)

    def _before(self, index: int) -> list[str]:
        return self.tokens.keys[max(0, index - _NEAR) : index]

    def _share(self, index: int) -> float:
        """The share of the recording that has passed at a token, no number where it has no time."""
        start, end, second = self.transcript.start, self.transcript.end, self._second(index)
        return math.nan if second is None or end <= start else (second - start) / (end - start)

    def _second(self, index: int) -> float | None:
        return self.transcript.moment(self._span(index)).start

    def _span(self, index: int) -> Span:
        return Span(self.tokens.starts[index], self.tokens.ends[index])

    def _gap(self, cut: int) -> float:
        """The silence before the token that begins a sentence, in seconds."""
        ended = self.transcript.moment(self._span(cut - 1)).end
        begun = self._second(cut)
        if ended is None or begun is None:
            return 0.0
        if self.transcript.precision is Precision.SEGMENT:  # its end may only be that of a caption
            since = self.cuts[max(0, bisect_left(self.cuts, cut) - 1)]
            ended = min(ended, (self._second(since) or 0.0) + _SLOWEST_SECONDS * (cut - since))
        return begun - ended

    def _is_called(self, index: int) -> bool:
        """Whether a name stands alone between marks, or somebody is thanked by it."""
        first = index - (self.tokens.keys[max(0, index - 1)] in TITLES)
        told = self.tokens.keys[max(0, first - 1)] in _TELLS_ME
        alone = first in self.cuts or (self._marked(first) and not told)
        return (alone and self._marked(index + 1)) or not _THANKS.isdisjoint(self._before(index))

    def _marked(self, index: int) -> bool:
        """Whether a mark stands before a token."""
        past = self.tokens.starts[index] if index < len(self.tokens) else None
        between = self.transcript.text[self.tokens.ends[index - 1] if index else 0 : past]
        return not _MARKS.isdisjoint(between)
