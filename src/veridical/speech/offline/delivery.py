"""The rules that go by times and fillers, and find what advice can rest on. Best find first."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.sources.transcript import Precision
from veridical.speech.metrics import token_seconds, words_per_minute
from veridical.speech.offline.moments import Found, MomentKind, Passage, Talk

LEAST_FILLERS = 3
"""Fewer in a whole talk are nobody's habit."""
LONG_SENTENCE_TOKENS = 40
LONGEST_USUAL_SENTENCE = 30
"""Where sentences are longer on average, it is the transcript that lacks full stops."""
RUSH_TOKENS = 20
RUSH_TIMES_USUAL = 1.35
RUSH_WORDS_PER_MINUTE = 175.0
"""A rush is so much faster than the rest of the talk, and fast by itself."""

_CLAUSE_OPENERS = frozenset("and but because then so when which".split())


def repeated_fillers(talk: Talk) -> Iterator[Found]:
    """The sentences with most fillers, each from just before the thickest place."""
    if len(talk.fillers) < LEAST_FILLERS:
        return
    reach = talk.policy.max_tokens
    thick: list[tuple[int, Passage]] = []
    for sentence in talk.sentences:
        inside = [i for i in range(sentence.first, sentence.past) if i in talk.fillers]
        if not inside:
            continue
        starts = [clause.first for clause in talk.clauses(sentence)]
        best = max(starts, key=lambda low: (sum(low <= i < low + reach for i in inside), -low))
        count = sum(best <= i < best + reach for i in inside)
        thick.append((count, Passage(best, sentence.past)))
    thick.sort(key=lambda entry: (-entry[0], entry[1].first))
    yield from (Found(MomentKind.FILLERS, passage) for _, passage in thick)


def rushes(talk: Talk) -> Iterator[Found]:
    """The fastest stretch, if it is far faster than the talk as a whole."""
    if talk.transcript.precision is Precision.NONE:
        return
    seconds = token_seconds(talk.transcript, talk.turns, talk.tokens, talk.ranges)
    paces: list[tuple[float, Passage]] = []
    for turn in talk.ranges:
        for first in range(turn.start, turn.stop - RUSH_TOKENS):
            last = first + RUSH_TOKENS
            if first in seconds and last in seconds:
                taken = seconds[last] - seconds[first]
                paces.append((words_per_minute(RUSH_TOKENS, taken), Passage(first, last)))
    if not paces:
        return
    usual = sorted(pace for pace, _ in paces)[len(paces) // 2]
    fastest, passage = max(paces, key=lambda entry: (entry[0], -entry[1].first))
    if fastest >= max(RUSH_WORDS_PER_MINUTE, RUSH_TIMES_USUAL * usual):
        yield Found(MomentKind.RUSH, _from_clause(talk, passage))


def long_sentences(talk: Talk) -> Iterator[Found]:
    """The longest sentence, if it is long and the transcript has full stops at all."""
    ended = [sentence for sentence in talk.sentences if talk.ends_sentence(sentence)]
    if len(ended) < 3 or sum(map(len, ended)) > LONGEST_USUAL_SENTENCE * len(ended):
        return
    if talk.english or " " in talk.transcript.text:
        longest = max(ended, key=lambda sentence: (len(sentence), -sentence.first))
        if len(longest) >= LONG_SENTENCE_TOKENS:
            yield Found(MomentKind.LONG_SENTENCE, longest)


def _from_clause(talk: Talk, passage: Passage) -> Passage:
    """The passage from the nearest place around its start where a clause may begin."""
    turn = next(turn for turn in talk.ranges if passage.first in turn)
    near = range(max(turn.start, passage.first - 4), min(passage.first + 8, passage.past))
    begins = [i for i in near if talk.is_border(i) or talk.keys[i] in _CLAUSE_OPENERS]
    first = min(begins, key=lambda i: (abs(i - passage.first), i), default=passage.first)
    return Passage(first, passage.past)
