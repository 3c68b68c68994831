"""From when to when one speech runs in a recording that holds more than it.

What lies outside keeps its place in the transcript under a label of its own, so that no word of a
chair is the speaker's, seconds stay those of the recording, and names are found in all of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.errors import ConfigurationError
from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Segment, Transcript, Word, clock
from veridical.speech.names.finders import PatternNames
from veridical.speech.speakers import Evaluated
from veridical.text.reading import Reading
from veridical.text.spoken import SpokenTokens, spoken_keys, spoken_tokens

SPEAKER = "speaker"
OUTSIDE = "outside the speech"

_FIRST, _LAST = 0.4, 0.65
"""A speech begins in the first two fifths of a recording and ends in the last third of it."""
_FIRST_WITHOUT_WORDS = 0.25
"""Where nobody hands over in words, it begins in the first quarter."""
_LEAST_SHARE = 0.5
"""A stretch with fewer of the words is no likely speech."""
_ENOUGH, _ENOUGH_AT_END = 3, 4
"""Signs that it takes, together, to say that somebody else speaks from here on. Who ends a talk
thanks people, too: a chair thanks whom the words before the speech have named.
"""
_GAP_SECONDS, _LONG_GAP_SECONDS, _VERY_LONG_GAP_SECONDS = 2.0, 5.0, 10.0
_BEFORE_TOKENS, _AFTER_TOKENS = 25, 14

_HANDS_OVER = re.compile(
    r"\b(?:please welcome|help me welcome|(?:me|us) in welcoming|warm welcome (?:to|for)"
    r"|welcome to the stage|give it up for|round of applause|(?:big|warm) hand (?:to|for)"
    r"|over to (?:you|our)|(?:floor|stage) is yours|without further ado|i give you"
    r"|next speaker|first speaker|hand (?:you )?over to|to introduce|say a few words)\b"
)
_BEGINS = re.compile(
    r"(?:(?:well|so|um|uh|right|okay|yes) )*(?:thank you|thanks|good (?:morning|afternoon"
    r"|evening|day)|hello|hi|ladies and gentlemen|(?:dear |my )?fellow|madam|mr|mister|dear"
    r"|friends|members)\b"
)
_THANKS = re.compile(
    r"(?:(?:well|right|okay|and|so|wow|yes) )*(?:thank you|thanks|many thanks)(?: so| very)?"
    r"(?: much)?(?: again| indeed)? (?P<whom>\w+)"
)
_GOES_ON = re.compile(
    r"\b(?:next speaker|next item|timer|timekeeper|evaluators?|round of applause|big hand"
    r"|any questions|questions for|move on|moving on|give (?:him|her|them) a|what a \w+)\b"
)
_ENDS = re.compile(
    r"(?:thank you(?: very much| so much| all)?|thanks|(?:mister|madam|mr) \w+|good ?night"
    r"|goodbye)$"
)
_ADDRESSED = frozenset("all very so everyone everybody madam mr mister ladies again indeed".split())
_MOST_BETWEEN = 200
_SELF = frozenset("i im ive my me".split())
_MARKS = frozenset("applause clapping cheering music".split())


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


def likely_stretch(transcript: Transcript) -> Stretch | None:
    """Where in an undivided recording the speech most likely runs, None where it seems to be all.

    It goes by what parts a speech from a chair: somebody is handed over to or thanked by name, a
    long silence, applause, a greeting. None of these alone is enough, but a very long silence.
    """
    if len(transcript.speakers) > 1 or transcript.precision is Precision.NONE:
        return None
    places = _Places(transcript)
    first = max(places.beginnings(), default=(0, 0, 0))[2]
    last = max(places.ends(after=first), default=(0, 0, len(places.tokens)))[2]
    if (first, last) == (0, len(places.tokens)):
        return None
    if last - first < _LEAST_SHARE * len(places.tokens):
        return None
    return places.stretch(first, last)


class _Places:
    """The places of a transcript where a speech may begin or end, as indices of tokens."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.tokens: SpokenTokens = spoken_tokens(transcript.text)
        names = PatternNames().find(transcript.text)
        self._people = frozenset(key for name in names for key in spoken_keys(name))
        reading = Reading(transcript)
        starts = {reading.to_source(start, end).start for start, end in reading.sentences()}
        starts |= {segment.span.start for segment in transcript.segments}
        self.cuts: list[int] = []
        for index, start in enumerate(self.tokens.starts):
            between = range(self.tokens.ends[index - 1] if index else 0, start + 1)
            if index and not starts.isdisjoint(between[-_MOST_BETWEEN:]):
                self.cuts.append(index)

    def beginnings(self) -> Iterator[tuple[int, float, int]]:
        """How much speaks for a beginning, how long the silence is, and where."""
        for index, share in self._timed():
            if share > _FIRST:
                return
            before, after = self._around(index)
            gap = self._gap(index)
            signs = 2 * bool(_HANDS_OVER.search(before)) + self._silence(index, gap)
            signs += bool(_BEGINS.match(after))
            is_early = share <= _FIRST_WITHOUT_WORDS
            signs += is_early and self._changes_to_the_first_person(index, after)
            if signs >= _ENOUGH and (is_early or _HANDS_OVER.search(before)):
                yield signs, gap, index

    def ends(self, after: int) -> Iterator[tuple[int, float, int]]:
        """The same of an end."""
        for index, share in self._timed():
            if share < _LAST or index <= after:
                continue
            before, following = self._around(index)
            gap = self._gap(index)
            thanked = self._thanked(index, following)
            signs = 2 * bool(thanked) + self._silence(index, gap)
            signs += thanked != "for" and thanked in self.tokens.keys[:after]
            signs += 2 * bool(_GOES_ON.search(following)) + bool(_ENDS.search(before))
            if signs >= _ENOUGH_AT_END:
                yield signs, gap, index

    def stretch(self, first: int, last: int) -> Stretch:
        """From the first of these tokens to the last but one."""
        words = self.tokens
        begins = self.transcript.text[words.starts[first] : words.ends[min(first + 7, last - 1)]]
        ends = self.transcript.text[words.starts[max(first, last - 8)] : words.ends[last - 1]]
        start = self._second(first) if first else self.transcript.start
        end = self._second(last) if last < len(words) else None
        end = self.transcript.end + 1 if end is None else end
        return Stretch(math.floor(start or 0.0), round(end - 0.05, 2), begins, ends)

    def _timed(self) -> Iterator[tuple[int, float]]:
        """The places with their share of the time that the recording takes."""
        start, end = self.transcript.start, self.transcript.end
        for index in self.cuts:
            second = self._second(index)
            if second is not None and end > start:
                yield index, (second - start) / (end - start)

    def _second(self, index: int) -> float | None:
        return self.transcript.moment(self._span(index)).start

    def _span(self, index: int) -> Span:
        return Span(self.tokens.starts[index], self.tokens.ends[index])

    def _gap(self, index: int) -> float:
        ended = self.transcript.moment(self._span(index - 1)).end
        begun = self._second(index)
        return 0.0 if ended is None or begun is None else begun - ended

    def _silence(self, index: int, gap: float) -> int:
        """What a silence or applause before a token says, in signs."""
        if not _MARKS.isdisjoint(self.tokens.keys[index - 1 : index + 1]):
            return 2
        return sum(gap >= least for least in
                   (_GAP_SECONDS, _LONG_GAP_SECONDS, _VERY_LONG_GAP_SECONDS))  # fmt: skip

    def _around(self, index: int) -> tuple[str, str]:
        keys = self.tokens.keys
        before = keys[max(0, index - _BEFORE_TOKENS) : index]
        return " ".join(before), " ".join(keys[index : index + _AFTER_TOKENS])

    def _changes_to_the_first_person(self, index: int, after: str) -> bool:
        """Whether somebody was named just before, and now "I" and "my" are said."""
        if _SELF.isdisjoint(after.split()):
            return False
        keys = self.tokens.keys[max(0, index - _AFTER_TOKENS) : index]
        return not self._people.isdisjoint(keys)

    def _thanked(self, index: int, following: str) -> str:
        """The name with which somebody is thanked here, or "for"; nothing where nobody is."""
        found = _THANKS.match(following)
        if found is None or found["whom"] in _ADDRESSED:
            return ""
        whom = index + following.count(" ", 0, found.start("whom"))
        is_named = self.transcript.text[self.tokens.starts[whom]].isupper()
        return found["whom"] if is_named or found["whom"] == "for" else ""
