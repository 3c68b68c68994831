"""The passages of a speech that may be quoted, and how a quote is cut out of them.

A quote is a run of tokens inside one turn, of a length within the policy. All places here are
indices of the transcript's tokens, half-open.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from veridical.sources.document import Span
from veridical.sources.patterns import UNSPACED
from veridical.sources.transcript import Precision, Transcript
from veridical.speech.lexicon import listed, reads_as_english
from veridical.speech.metrics import filler_tokens, measure_turns, token_seconds
from veridical.speech.names.finders import PatternNames
from veridical.speech.offline import cues
from veridical.speech.results import DeliveryMetrics
from veridical.text.lexicon import english
from veridical.text.reading import CLAUSE_ENDS, QUESTION_MARKS, SENTENCE_ENDS, Reading
from veridical.text.spoken import spoken_keys
from veridical.text.turns import tokens_of_turns, turns
from veridical.validation.lexicon import CARDINALS
from veridical.validation.timed import TimedQuotePolicy

MAX_QUOTE_CHARS = 1_000
"""A longer run of tokens is no speech."""

_FAIR_TOKENS = 8
"""A sentence that must be cut keeps at least so many, even if no clause ends there."""

LONGEST_TOKENS = 60
"""A longer sentence is not read by the rules: its full stop may be one of few."""

_CLAUSE_END = re.compile(rf"[{CLAUSE_ENDS}\"“”]|\s-+\s")
_SENTENCE_END = re.compile(f"[{SENTENCE_ENDS}]")
_CLOSING_SIGNS = re.compile(f"[{SENTENCE_ENDS}]{{1,20}}")
_LEFT_HANGING = listed("left-hanging")
"""Words on which a quote had better not end."""
_NEVER_LAST = _LEFT_HANGING - english("anaphors", "objects", "subjects")
"""Words on which no clause ends that its speaker went through with."""
_TITLES = english("titles") | {"st"}
"""Their full stop ends nothing."""
_SHORTEST_CLAUSE = 3
"""Words that a clause has at least, where a passage is cut at its end."""
_SLACK = 4
"""Words more than there is room for that are shown where a clause ends with them."""
_ELLIPSIS = re.compile(r"\.\.\.|\u2026")
_QUOTES = re.compile('["“”«»„]')
_UNSPACED = re.compile(f"[{UNSPACED}]")


class MomentKind(StrEnum):
    """What makes a passage worth speaking of."""

    STORY = "story"
    SPEECH = "speech"
    QUESTION = "question"
    CONTRAST = "contrast"
    TRIAD = "triad"
    REPETITION = "repetition"
    RETURN = "return"
    SIGNPOSTS = "signposts"
    SHORT_LINE = "short_line"
    SHORT_WORDS = "short_words"
    SILENCE = "silence"
    CALL_TO_ACTION = "call_to_action"
    FILLERS = "fillers"
    RUSH = "rush"
    NO_SILENCE = "no_silence"
    HURRIED_QUESTION = "hurried_question"
    FIGURES = "figures"
    LONG_SENTENCE = "long_sentence"
    OTHER_WORDS = "other_words"


@dataclass(frozen=True, slots=True)
class Found:
    """A passage, and what there is to say of it.

    `weight`, 0 to 1, says how much it is worth to the speaker; a quote of the passage must hold
    the `core`, if there is one. `short` names it in half a sentence, for the closing.
    """

    kind: MomentKind
    passage: range
    summary: str
    explanation: str
    weight: float
    short: str = ""
    core: range | None = None


class Talk:
    """What one speaker says in a transcript, as tokens, sentences and runs that may be quoted."""

    def __init__(self, transcript: Transcript, label: str | None, policy: TimedQuotePolicy) -> None:
        self.transcript = transcript
        self.policy = policy
        self.turns = turns(transcript, label)
        self.tokens, self.ranges = tokens_of_turns(transcript, self.turns)
        self.keys = self.tokens.keys
        self.fillers = filler_tokens(transcript, self.tokens, self.ranges)

    @cached_property
    def metrics(self) -> DeliveryMetrics:
        """How it was delivered."""
        return measure_turns(self.transcript, self.turns, self.tokens, self.ranges)

    @cached_property
    def token_seconds(self) -> dict[int, float]:
        """When each token was said, where that is known."""
        return token_seconds(self.transcript, self.turns, self.tokens, self.ranges)

    @cached_property
    def silences(self) -> dict[int, float]:
        """The tokens before which a long silence stands, and how many seconds it lasts."""
        if self.transcript.precision is not Precision.WORD:
            return {}
        at = {second: index for index, second in reversed(self.token_seconds.items())}
        return {at[gap.end]: gap.seconds for gap in self.metrics.pauses if gap.end in at}

    @cached_property
    def telling(self) -> list[int]:
        """The tokens with a meaning of their own: no filler, and no name of a person."""
        return [
            index
            for turn in self.ranges
            for index in turn
            if index not in self.fillers
            and cues.tells(self.keys[index])
            and self.keys[index] not in self._people
        ]

    @cached_property
    def _people(self) -> frozenset[str]:
        """The keys of the words of people's names."""
        names = PatternNames().find(self.transcript.text)
        return frozenset(key for name in names for key in spoken_keys(name))

    def is_person(self, index: int) -> bool:
        """Whether a word is part of a person's name."""
        return self.keys[index] in self._people

    def is_place_word(self, index: int) -> bool:
        """Whether a word may be part of a place's name: a capital where none is needed, no person,
        no day and no nation.
        """
        written = self.transcript.text[self.tokens.starts[index]]
        key = self.keys[index]
        opens = any(
            sentence.start == index for sentence in self.sentences_at(range(index, index + 1))
        )
        return (
            written.isupper() and not opens and cues.may_be_a_place(key) and key not in self._people
        )

    def gap_seconds(self, index: int) -> float | None:
        """The silence before a token, in seconds; None where that is not known."""
        if not 0 < index < len(self.keys):
            return None
        before = Span(self.tokens.starts[index - 1], self.tokens.ends[index - 1])
        ended, begun = self.transcript.moment(before).end, self._start_of(index)
        return None if ended is None or begun is None else begun - ended

    @cached_property
    def english(self) -> bool:
        """Whether rules about English words apply."""
        own = [key for turn in self.ranges for key in self.keys[turn.start : turn.stop]]
        return reads_as_english(own, self.transcript.language)

    @cached_property
    def sentences(self) -> tuple[range, ...]:
        """The sentences, none reaching over the end of a turn."""
        found: list[range] = []
        reading = Reading(self.transcript)
        for start, end in reading.sentences():
            span = reading.to_source(start, end)
            first = bisect_left(self.tokens.starts, span.start)
            past = bisect_left(self.tokens.starts, span.end)
            found.extend(_inside(range(first, past), self.ranges))
        return tuple(found)

    def sentences_at(self, passage: range) -> Sequence[range]:
        """The sentences that a passage has a token of."""
        first = bisect_right(self.sentences, passage.start, key=lambda sentence: sentence.stop)
        past = bisect_left(self.sentences, passage.stop, key=lambda sentence: sentence.start)
        return self.sentences[first:past]

    @cached_property
    def runs(self) -> tuple[range, ...]:
        """Tokens in a row of one turn whose seconds are known, or all where no time is known."""
        if self.transcript.precision is Precision.NONE:
            return tuple(turn for turn in self.ranges if turn)
        runs = []
        for turn in self.ranges:
            first = turn.start
            for index in turn:
                if self._start_of(index) is None:
                    runs.append(range(first, index))
                    first = index + 1
            runs.append(range(first, turn.stop))
        return tuple(run for run in runs if len(run))

    @cached_property
    def extent(self) -> range:
        """From the speaker's first token to the last."""
        spoken = [turn for turn in self.ranges if turn]
        return range(spoken[0].start, spoken[-1].stop) if spoken else range(0)

    def share(self, passage: range) -> float:
        """How far into the talk a passage starts, from 0 to 1."""
        return (passage.start - self.extent.start) / max(1, len(self.extent))

    def ends_sentence(self, passage: range) -> str:
        """The sign with which a sentence ends, empty where there is none."""
        found = _SENTENCE_END.search(self._gap(passage.stop))
        return found.group() if found else ""

    def asks(self, sentence: range) -> bool:
        """Whether a sentence ends with a question mark."""
        return self.ends_sentence(sentence) in QUESTION_MARKS

    def clauses(self, passage: range) -> list[range]:
        """A passage cut at commas and the like."""
        borders = [passage.start, *filter(self.is_border, passage[1:])]
        return [range(low, high) for low, high in pairwise([*borders, passage.stop])]

    def is_border(self, index: int) -> bool:
        """Whether a clause ends before this token."""
        if index and self.keys[index - 1] in _TITLES:
            return False
        return _CLAUSE_END.search(self._gap(index)) is not None

    def breaks_off(self, clause: range) -> bool:
        """Whether a clause was given up before its end: "it's about the weight of"."""
        dots = _ELLIPSIS.search(self._gap(clause.stop))
        return dots is not None or self.keys[clause.stop - 1] in _NEVER_LAST

    def stumbles(self, passage: range) -> int:
        """Fillers and words said twice in a row: what praise must not quote."""
        fillers = sum(index in self.fillers for index in passage)
        twice = sum(
            self.keys[index] == self.keys[index + 1] and not _UNSPACED.match(self.keys[index])
            for index in passage[:-1]
        )
        return fillers + twice

    def cut(self, passage: range, longest: int | None = None) -> range | None:
        """A quote that starts with a passage: at a clause's end where one is in reach.

        A passage that is too short goes on into what follows, or takes in what comes before. None
        where its run is too short for any quote.
        """
        least = self.policy.min_tokens
        most = max(least, min(self.policy.max_tokens, longest or self.policy.max_tokens))
        run = self._run_of(passage.start)
        if run is None or len(run) < least:
            return None
        first = max(run.start, min(passage.start, run.stop - least))
        past = self._end(first, min(passage.stop, run.stop), min(run.stop, first + most), least)
        quote = range(first, past)
        return quote if self.is_quotable(quote) else None

    def pack(self, taken: Container[int]) -> Iterator[range]:
        """The shortest quotes side by side, in all tokens that are not taken."""
        least = self.policy.min_tokens
        for run in self.runs:
            first = run.start
            for index in run:
                if index in taken:
                    first = index + 1
                elif index + 1 - first == least:
                    quote = range(first, index + 1)
                    quotable = self.is_quotable(quote)
                    if quotable:
                        yield quote
                    first += least if quotable else 1

    def longer(self, quote: range) -> Iterator[range]:
        """The quote with one more token, two more and so on, as far as its run allows."""
        run = self._run_of(quote.start)
        most = min(quote.start + self.policy.max_tokens, run.stop if run is not None else 0)
        yield from (range(quote.start, past) for past in range(quote.stop + 1, most + 1))

    def quote(self, passage: range) -> str:
        """The words as they stand, white space collapsed, and the sign that ends their sentence."""
        start, end = self.tokens.starts[passage.start], self.tokens.ends[passage.stop - 1]
        sign = _CLOSING_SIGNS.match(self.transcript.text, end)
        return " ".join(self.transcript.text[start : sign.end() if sign else end].split())

    def words(self, passage: range, most: int = 9) -> str:
        """A passage as part of a sentence of ours: as much of its beginning as there is room for,
        to the end of a clause where one is near, with no sign or loose end behind.
        """
        past = min(passage.stop, passage.start + most)
        if past < passage.stop:
            near = [*range(past, min(passage.stop, past + _SLACK) + 1)]
            near += range(past, passage.start + _SHORTEST_CLAUSE - 1, -1)
            ends = (at for at in near if at == passage.stop or self.is_border(at))
            whole = next(ends, None)
            while not whole and past > passage.start + 1 and self._hangs(past):
                past -= 1
            past = whole or past
        start, end = self.tokens.starts[passage.start], self.tokens.ends[past - 1]
        return " ".join(_QUOTES.sub("", self.transcript.text[start:end]).split())

    def ending(self, passage: range) -> range:
        """The last words of a passage that can be quoted: from where a clause begins, and from
        before the passage where that is too short.
        """
        turn = next((turn for turn in self.ranges if passage.start in turn), passage)
        low = max(turn.start, passage.stop - self.policy.max_tokens)
        high = passage.stop - self.policy.min_tokens
        borders = [at for at in range(low, high + 1) if at == turn.start or self.is_border(at)]
        inside = [at for at in borders if at >= passage.start]
        whole = (at for at in range(low, min(high, passage.start) + 1) if self._may_begin(at))
        anywhere = next(whole, min(low, high))
        start = inside[0] if inside else borders[-1] if borders else anywhere
        return range(start, passage.stop)

    def _may_begin(self, at: int) -> bool:
        """Whether nothing is torn where a quote begins in the middle of a clause."""
        before, key = self.keys[at - 1], self.keys[at]
        return before not in CARDINALS | _LEFT_HANGING and key != "and"

    def quoted_keys(self, passage: range) -> tuple[str, ...]:
        """What two quotes are compared by."""
        return tuple(self.keys[passage.start : passage.stop])

    def seconds(self, passage: range) -> float:
        """When the first word starts; 0 where no time is known."""
        return max(0.0, self._start_of(passage.start) or 0.0)

    def places_of(self, quote: str) -> Iterator[range]:
        """Everywhere in the transcript where a quote stands."""
        wanted = spoken_keys(quote)
        for first in range(len(self.keys) - len(wanted) + 1 if wanted else 0):
            if self.keys[first] == wanted[0] and self.keys[first : first + len(wanted)] == wanted:
                yield range(first, first + len(wanted))

    def _end(self, first: int, wanted: int, most: int, least: int) -> int:
        """Where a quote from `first` ends: with its sentence, with a clause, or between words."""
        within_segment = self._end_of_segment(first)
        if within_segment - first >= least:
            most = min(most, within_segment)
        if least <= wanted - first and wanted <= most:
            return wanted
        fair = max(least, min(_FAIR_TOKENS, most - first)) if wanted > most else least
        reach = range(first + fair, most + 1)
        borders = [past for past in reach if past >= len(self.keys) or self.is_border(past)]
        if borders:
            return borders[-1] if wanted > most else borders[0]
        past = most if wanted > most else first + least
        while past - 1 >= first + least and self._hangs(past):
            past -= 1
        return past

    def _hangs(self, past: int) -> bool:
        """Whether something is missing where a quote ends before this token."""
        return self.keys[past - 1] in _LEFT_HANGING | _TITLES

    def _end_of_segment(self, first: int) -> int:
        """Where the segment of a token ends, if only segments have times: a quote stays inside."""
        start = self.tokens.starts[first]
        segments = self.transcript.segments_in(Span(start, self.tokens.ends[first]))
        if self.transcript.precision is not Precision.SEGMENT or not segments:
            return len(self.keys)
        return bisect_right(self.tokens.ends, segments[0].span.end)

    def _run_of(self, index: int) -> range | None:
        at = bisect_right(self.runs, index, key=lambda run: run.start) - 1
        return self.runs[at] if at >= 0 and index < self.runs[at].stop else None

    def is_quotable(self, passage: range) -> bool:
        """Whether its text, as a quote, has the very same tokens and a sane length."""
        start, end = self.tokens.starts[passage.start], self.tokens.ends[passage.stop - 1]
        if end - start > MAX_QUOTE_CHARS:
            return False
        return tuple(spoken_keys(self.quote(passage))) == self.quoted_keys(passage)

    def _start_of(self, index: int) -> float | None:
        span = Span(self.tokens.starts[index], self.tokens.ends[index])
        return self.transcript.moment(span).start

    def _gap(self, index: int) -> str:
        """What is written before a token, from the token before it, or after the last one."""
        start = self.tokens.ends[index - 1] if index else 0
        end = self.tokens.starts[index] if index < len(self.keys) else start + 8
        return self.transcript.text[start:end]


def _inside(passage: range, ranges: Sequence[range]) -> Iterator[range]:
    """The parts of a passage that lie in the ranges."""
    at = bisect_right(ranges, passage.start, key=lambda turn: turn.start) - 1
    for index in range(max(0, at), len(ranges)):
        turn = ranges[index]
        if turn.start >= passage.stop:
            return
        first, past = max(passage.start, turn.start), min(passage.stop, turn.stop)
        if first < past:
            yield range(first, past)


def sentences(talk: Talk) -> list[range]:
    """The sentences that the rules read."""
    return [
        sentence
        for sentence in (talk.sentences if talk.english else ())
        if len(sentence) <= LONGEST_TOKENS and talk.ends_sentence(sentence)
    ]


def keys_of(talk: Talk, passage: range) -> list[str]:
    """What the words of a passage are compared by."""
    return talk.keys[passage.start : passage.stop]


def place(talk: Talk, passage: range) -> str:
    """About where in the talk a passage stands, in words."""
    share = talk.share(passage)
    return "early on" if share < 1 / 3 else "half way through" if share < 2 / 3 else "near the end"


def tail(talk: Talk, passage: range, most: int = 5) -> str:
    """The last words of a passage, as part of a sentence of ours: from where a clause begins if
    one does near there.
    """
    reach = range(max(passage.start, passage.stop - most - _SLACK), passage.stop - 2)
    begins = (at for at in reach if at == passage.start or talk.is_border(at))
    start = next(begins, max(passage.start, passage.stop - most))
    return talk.words(range(start, passage.stop), most + _SLACK)
