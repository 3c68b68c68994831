"""Delivery metrics: how long, how fast, which fillers, which pauses.

Fillers are found so that nobody is accused wrongly: a sound ("um") counts nearly always, a word
("like", "you know") only where punctuation or another filler sets it off on both sides. A
transcript without punctuation therefore gives too few of them, never too many.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Transcript
from veridical.speech.lexicon import listed, reads_as_english
from veridical.speech.results import DeliveryMetrics, Filler, PaceWindow, Pause, Third
from veridical.text.reading import CLAUSE_ENDS, SENTENCE_ENDS
from veridical.text.spoken import SpokenTokens
from veridical.text.turns import Part, Turn, tokens_of_turns, turns

_SOUNDS = {
    "um": "u+m+",
    "uh": "u+h+",
    "uhm": "u+h+m+",
    "er": "e+r",
    "erm": "e+rm+",
    "ah": "a+h+",
    "hmm": "h+m+",
    "mmm": "mmm+",
}
"""Sounds of English speech: each as it is listed, and how recognisers write it."""

_SOUNDS_ELSEWHERE = {
    "äh": "ä+h+",
    "ähm": "ä+h+m+",
    "öh": "ö+h+",
    "öhm": "ö+h+m+",
    "euh": "e+u+h+",
    "heu": "heu",
    "eh": "e+h+",
    "ehm": "e+h+m+",
    "uhm": "u+h+m+",
    "hmm": "h+m+",
}
"""Sounds that are words in no language that we know of: "um" and "er" are."""

_PHRASES = (("you", "know"), ("i", "mean"), ("sort", "of"), ("kind", "of"), ("like",))
_MARKERS = frozenset("so well actually basically literally".split())

_NAMED = frozenset("word words say says said saying sound every each no any".split())
"""What stands before a sound that is spoken about: every "um"."""
_JOINERS = frozenset("and but because or then".split())
"""Words after which a filler needs no comma: "and you know, ..."."""
_SEEMING = listed("seeming")
"""After these "like" compares, whatever the commas say."""
_AFTER_EXAMPLE_LIKE = frozenset("say for comment share subscribe follow".split())
_HEDGED = listed("hedged")
"""Before "sort of" and "kind of" these leave no noun for them to sort."""
_NOT_HEDGES = frozenset("you him her them me us thing things person people".split())
""" "It is kind of you." """

_PUNCTUATION = re.compile(rf"[{CLAUSE_ENDS}]|\s-+\s|--|\n\n")
_SENTENCE_END = re.compile(rf"[{SENTENCE_ENDS}]|\n\n")
_OPEN_QUOTE = "\"“'‘«"
_CLOSE_QUOTE = "\"”'’»"


class _FillerFinder:
    """Finds the fillers of some turns: `found[first] = (name, past)`, in indices of tokens."""

    def __init__(
        self, text: str, tokens: SpokenTokens, turns: Sequence[range], *, english: bool
    ) -> None:
        self.text, self.tokens, self.english = text, tokens, english
        self.found: dict[int, tuple[str, int]] = {}
        self._ends: set[int] = set()
        self._edges = {edge for turn in turns for edge in (turn.start, turn.stop)}
        for turn in turns:
            self._search(turn)

    def _search(self, turn: range) -> None:
        """Find those of a turn: first the sounds, then phrases, then what joins a run of them."""
        keys = self.tokens.keys
        for index in turn:
            name = _sound_name(keys[index], english=self.english)
            if name is not None and self._is_meant(index, name):
                self._add(name, index, index + 1)
        if not self.english:
            return
        for index in turn:
            for phrase in _PHRASES:
                past = index + len(phrase)
                if past > turn.stop or tuple(keys[index:past]) != phrase:
                    continue
                if self._is_hedge(index, past) or self._is_set_off(phrase, index, past):
                    self._add(" ".join(phrase), index, past)
        for index in turn:
            beside = index in self._ends or index + 1 in self.found
            if keys[index] in _MARKERS and beside and self._stands_apart(index, index + 1):
                self._add(keys[index], index, index + 1)

    def _add(self, name: str, first: int, past: int) -> None:
        self.found[first] = (name, past)
        self._ends.add(past)

    def _is_meant(self, index: int, name: str) -> bool:
        """Whether a sound is one, and neither spoken about (every "um") nor a name (the "ER")."""
        start, end = self.tokens.starts[index], self.tokens.ends[index]
        before, after = self.text[max(0, start - 1) : start], self.text[end : end + 2].strip(",.?!")
        if before and before in _OPEN_QUOTE and after[:1] and after[:1] in _CLOSE_QUOTE:
            return False
        opens = index in self._edges
        if not opens and self.tokens.keys[index - 1] in _NAMED and not self._gap(index).strip():
            return False
        if name == "ah" and (opens or _SENTENCE_END.search(self._gap(index))):
            return False  # "Ah, the smell of bread!" is said on purpose.
        if name == "eh" and self._key(index + 1) == "bien":
            return False
        written = self.text[start:end]
        if written.isupper():
            beside = [i for i in (index - 1, index + 1) if max(i, index) not in self._edges]
            return all(self._written(i).isupper() for i in beside)
        return opens or not written[0].isupper() or self._is_break(index)

    def _is_hedge(self, index: int, past: int) -> bool:
        """Whether "sort of" or "kind of" softens: "it was sort of funny", not "a sort of bread"."""
        if self.tokens.keys[past - 1] != "of" or index in self._edges or self._gap(index).strip():
            return False
        return self.tokens.keys[index - 1] in _HEDGED and self._key(past) not in _NOT_HEDGES

    def _is_set_off(self, phrase: tuple[str, ...], index: int, past: int) -> bool:
        """Whether a phrase stands apart, and a "like" does not compare."""
        if not self._stands_apart(index, past):
            return False
        if phrase != ("like",):
            return True
        first = index
        while first not in self._edges and first - 1 in self.found:
            first -= 1
        compares = first not in self._edges and self.tokens.keys[first - 1] in _SEEMING
        return not compares and self._key(past) not in _AFTER_EXAMPLE_LIKE

    def _stands_apart(self, index: int, past: int) -> bool:
        before = self._is_break(index) or index in self._ends
        after = self._is_break(past) or past in self.found
        return after and (before or self.tokens.keys[index - 1] in _JOINERS)

    def _is_break(self, index: int) -> bool:
        """Whether a turn or a clause ends before a token."""
        return index in self._edges or _PUNCTUATION.search(self._gap(index)) is not None

    def _key(self, index: int) -> str:
        """The key of a token of the same turn; empty behind its end."""
        return "" if index in self._edges else self.tokens.keys[index]

    def _gap(self, index: int) -> str:
        """What is written between a token and the one before it."""
        return self.text[self.tokens.ends[index - 1] : self.tokens.starts[index]]

    def _written(self, index: int) -> str:
        return self.text[self.tokens.starts[index] : self.tokens.ends[index]]


def fillers_of(
    transcript: Transcript, tokens: SpokenTokens, ranges: Sequence[range]
) -> tuple[Filler, ...]:
    """The fillers of some turns, given as ranges of tokens, in order of the text."""
    found = sorted(filler_tokens(transcript, tokens, ranges).items())
    spans = (Span(tokens.starts[first], tokens.ends[past - 1]) for first, (_, past) in found)
    return tuple(
        Filler(name, transcript.moment(span).start, span)
        for (_, (name, _)), span in zip(found, spans, strict=True)
    )


def filler_tokens(
    transcript: Transcript, tokens: SpokenTokens, ranges: Sequence[range]
) -> dict[int, tuple[str, int]]:
    """The fillers by the index of their first token: how they are listed, and where they end."""
    keys = [key for turn in ranges for key in tokens.keys[turn.start : turn.stop]]
    english = reads_as_english(keys, transcript.language)
    return _FillerFinder(transcript.text, tokens, ranges, english=english).found


_LONGEST_SOUND = 12


def _any_of(sounds: dict[str, str]) -> re.Pattern[str]:
    """One pattern of all sounds, none longer than the longest."""
    bounded = (pattern.replace("+", f"{{1,{_LONGEST_SOUND}}}") for pattern in sounds.values())
    return re.compile("|".join(f"({pattern})" for pattern in bounded))


_ENGLISH = _any_of(_SOUNDS)
_ELSEWHERE = _any_of(_SOUNDS_ELSEWHERE)


def _sound_name(key: str, *, english: bool) -> str | None:
    if len(key) > _LONGEST_SOUND:
        return None
    found = (_ENGLISH if english else _ELSEWHERE).fullmatch(key)
    if found is None or found.lastindex is None:
        return None
    return tuple(_SOUNDS if english else _SOUNDS_ELSEWHERE)[found.lastindex - 1]


# How fast the words come: when each was said, and the pace over the course of a speech.


WINDOW_SECONDS = 15.0
MOST_WINDOWS = 2_000
"""Windows of very long recordings are longer, so that a timeline stays a picture."""

LEAST_SECONDS = 0.1
"""No pace is worked out over less: it would say nothing, and could be beyond all numbers."""


def words_per_minute(words: int, seconds: float) -> float:
    """The pace of so many words; 0 where there is no time to speak of."""
    return words * 60 / seconds if seconds >= LEAST_SECONDS else 0.0


def token_seconds(
    transcript: Transcript, spoken: Sequence[Turn], tokens: SpokenTokens, ranges: Sequence[range]
) -> dict[int, float]:
    """When each token was said, by its index; those of which nothing is known are left out.

    A token without a time of its own is placed in its segment as if the pace there were even.
    """
    seconds: dict[int, float] = {}
    for turn, indices in zip(spoken, ranges, strict=True):
        for part, inside in _tokens_of_parts(turn, tokens, indices):
            if part.start is None or part.end is None:
                continue
            step = max(0.0, part.end - part.start) / max(1, len(inside))
            for place, index in enumerate(inside):
                seconds[index] = part.start + place * step
    spans = [Span(tokens.starts[i], tokens.ends[i]) for turn in ranges for i in turn]
    indices_of_spans = (i for turn in ranges for i in turn)
    at = 0
    for index, span in zip(indices_of_spans, spans, strict=True):
        while at < len(transcript.words) and transcript.words[at].span.end <= span.start:
            at += 1
        if at < len(transcript.words) and transcript.words[at].span.start < span.end:
            start = transcript.words[at].start
            if start is not None:
                seconds[index] = start
    return seconds


def pace_windows(seconds: Sequence[float], start: float, end: float) -> tuple[PaceWindow, ...]:
    """The pace from `start` to `end`, of words that start at these seconds.

    The last window takes in what is left where that is less than half a window.
    """
    if end - start < LEAST_SECONDS or not seconds:
        return ()
    ordered = sorted(seconds)
    length = max(WINDOW_SECONDS, (end - start) / MOST_WINDOWS)
    count = max(1, int((end - start) / length + 0.5))
    edges = [*(start + number * length for number in range(count)), end]
    counted = [0, *(bisect_left(ordered, edge) for edge in edges[1:-1]), len(ordered)]
    return tuple(
        PaceWindow(low, high, words_per_minute(past - first, high - low))
        for (low, high), (first, past) in zip(pairwise(edges), pairwise(counted), strict=True)
    )


def _tokens_of_parts(
    turn: Turn, tokens: SpokenTokens, indices: range
) -> Iterator[tuple[Part, range]]:
    """Each part of a turn, and the tokens that start in it."""
    at = indices.start
    for part in turn.parts:
        first = at
        while at < indices.stop and tokens.starts[at] < part.span.end:
            at += 1
        yield part, range(first, at)


LONG_PAUSE_SECONDS = 1.5
"""Only a longer silence counts as a pause."""

SEGMENTS_ONLY = (
    "Reduced timing precision: only segments have times, so pauses inside a segment are not seen, "
    "and fillers and pace are placed by segment."
)
SOME_WORDS_ONLY = (
    "Reduced timing precision: some words have no time of their own; there the times of their "
    "segments stand in."
)
NO_TIMES = "The transcript has no times: duration, pace and pauses are not measured."


def measure(transcript: Transcript, *, label: str | None = None) -> DeliveryMetrics:
    """Measure a speech, or with `label` what the speaker labelled so says of it.

    Duration runs from the start of the first segment to the end of the last, in seconds; words are
    tokens of `veridical.text.spoken`. A pause is a silence of more than `LONG_PAUSE_SECONDS`
    between two words of one turn, or between two segments where words have no times. Never raises:
    what cannot be measured is 0 or empty, and `notes` says why.
    """
    spoken = turns(transcript, label)
    return measure_turns(transcript, spoken, *tokens_of_turns(transcript, spoken))


def measure_turns(
    transcript: Transcript, spoken: Sequence[Turn], tokens: SpokenTokens, ranges: Sequence[range]
) -> DeliveryMetrics:
    """The same for turns that are known, with their tokens."""
    parts = [part for turn in spoken for part in turn.parts]
    start = min((part.start for part in parts if part.start is not None), default=0.0)
    end = max(start, *(part.end for part in parts if part.end is not None), start)
    words = sum(map(len, ranges))
    precision, notes = _precision(transcript, parts)
    seconds = token_seconds(transcript, spoken, tokens, ranges)
    found = {pause for turn in spoken for pause in _pauses(transcript, turn)}
    pauses = tuple(sorted(found, key=lambda pause: (pause.start, pause.end)))
    fillers = fillers_of(transcript, tokens, ranges)
    return DeliveryMetrics(
        start=start,
        end=end,
        words=words,
        words_per_minute=words_per_minute(words, end - start),
        fillers=fillers,
        pauses=pauses,
        thirds=_thirds(_spoken(spoken), list(seconds.values()), pauses, fillers),
        pace=pace_windows(list(seconds.values()), start, end),
        precision=precision,
        notes=notes,
    )


def _precision(transcript: Transcript, parts: Sequence[Part]) -> tuple[Precision, tuple[str, ...]]:
    """What the times rest on, and what to tell the reader about it."""
    if not parts:
        return Precision.NONE, ()
    timed = untimed = 0
    for part in parts:
        words = transcript.words_in(part.span)
        known = sum(word.start is not None for word in words)
        timed += known
        untimed += len(words) - known + (not words and part.start is not None)
    if timed:
        return Precision.WORD, (SOME_WORDS_ONLY,) if untimed else ()
    if any(part.start is not None for part in parts):
        return Precision.SEGMENT, (SEGMENTS_ONLY,)
    return Precision.NONE, (NO_TIMES,)


def _pauses(transcript: Transcript, turn: Turn) -> Iterator[Pause]:
    """The long silences of a turn."""
    for part in turn.parts:
        for before, after in pairwise(transcript.words_in(part.span)):
            yield from _pause(before.end, after.start)
    for earlier, later in pairwise(turn.parts):
        _, end = _edges(transcript, earlier)
        start, _ = _edges(transcript, later)
        if end is not None and start is not None:
            yield from _pause(end, start)
        else:
            yield from _pause(earlier.end, later.start)


def _pause(start: float | None, end: float | None) -> Iterator[Pause]:
    if start is not None and end is not None and end - start > LONG_PAUSE_SECONDS:
        yield Pause(start, end)


def _edges(transcript: Transcript, part: Part) -> tuple[float | None, float | None]:
    """When the first word of a part starts and the last one ends, None where it is not known."""
    words = transcript.words_in(part.span)
    return (words[0].start, words[-1].end) if words else (None, None)


def _spoken(spoken: Sequence[Turn]) -> list[tuple[float, float]]:
    """From when to when each turn is said, where that is known."""
    found = []
    for turn in spoken:
        starts = [p.start for p in turn.parts if p.start is not None]
        ends = [p.end for p in turn.parts if p.end is not None]
        if starts and ends:
            found.append((min(starts), max(ends)))
    return found


def _thirds(
    spoken: Sequence[tuple[float, float]],
    seconds: Sequence[float],
    pauses: Sequence[Pause],
    fillers: Sequence[Filler],
) -> tuple[Third, ...]:
    """How the first, second and last third of the time was delivered that the speaker had; none
    without times.
    """
    own = sum(end - start for start, end in spoken)
    if own < 3 * LEAST_SECONDS or not seconds:
        return ()
    edges = [_after(spoken, number * own / 3) for number in range(4)]
    filled = [filler.seconds for filler in fillers if filler.seconds is not None]
    thirds = []
    for low, high in pairwise(edges):
        past = math.inf if high == edges[-1] else high
        thirds.append(
            Third(
                low,
                high,
                words_per_minute(_between(seconds, low, past), own / 3),
                _between([pause.start for pause in pauses], low, past),
                _between(filled, low, past),
            )
        )
    return tuple(thirds)


def _after(spoken: Sequence[tuple[float, float]], own: float) -> float:
    """The second at which so many seconds of turns are over."""
    for start, end in spoken:
        if own <= end - start:
            return start + own
        own -= end - start
    return spoken[-1][1]


def _between(seconds: Sequence[float], low: float, high: float) -> int:
    return sum(low <= second < high for second in seconds)
