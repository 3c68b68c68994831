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
from veridical.speech.metrics import filler_tokens
from veridical.text.lexicon import english
from veridical.text.reading import CLAUSE_ENDS, QUESTION_MARKS, SENTENCE_ENDS, Reading
from veridical.text.spoken import spoken_keys
from veridical.text.turns import tokens_of_turns, turns
from veridical.validation.timed import TimedQuotePolicy

MAX_QUOTE_CHARS = 1_000
"""A longer run of tokens is no speech."""

_FAIR_TOKENS = 8
"""A sentence that must be cut keeps at least so many, even if no clause ends there."""

_CLAUSE_END = re.compile(rf"[{CLAUSE_ENDS}]|\s-+\s")
_SENTENCE_END = re.compile(f"[{SENTENCE_ENDS}]")
_CLOSING_SIGNS = re.compile(f"[{SENTENCE_ENDS}]{{1,20}}")
_LEFT_HANGING = listed("left-hanging")
"""Words on which a quote had better not end."""
_TITLES = english("titles") | {"st"}
"""Their full stop ends nothing."""
_UNSPACED = re.compile(f"[{UNSPACED}]")


class MomentKind(StrEnum):
    """What makes a passage worth quoting."""

    STORY = "story"
    QUESTION = "question"
    CONTRAST = "contrast"
    CALL_TO_ACTION = "call_to_action"
    FILLERS = "fillers"
    RUSH = "rush"
    LONG_SENTENCE = "long_sentence"
    OPENING_WORDS = "opening_words"
    MIDDLE_PASSAGE = "middle_passage"
    CLOSING_WORDS = "closing_words"
    OTHER_WORDS = "other_words"


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and why it was picked; a quote of it must hold the `core`, if there is one."""

    kind: MomentKind
    passage: range
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
        while past - 1 >= first + least and self.keys[past - 1] in _LEFT_HANGING | _TITLES:
            past -= 1
        return past

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
