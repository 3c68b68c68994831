"""The rules that find what praise and advice can rest on. Each gives its best find first.

They know English, and trust only sentences whose end is marked: where a recogniser writes no full
stops, nobody can tell what belongs together. What a rule finds may not work on a listener, so the
texts that go with it say what it is, not that it was brilliant.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.sources.transcript import Precision
from veridical.speech.metrics import token_seconds, words_per_minute
from veridical.speech.offline import cues
from veridical.speech.offline.moments import Found, MomentKind, Talk

STORY_BY = 0.35
"""A story opening starts in the first part of the talk, up to this share."""
CALL_FROM = 0.55
"""A call to action comes after this share of the talk."""
LONGEST_TOKENS = 60
"""A longer sentence is not read: its full stop may be one of few."""
SHORTEST_QUESTION = 5


def story_openings(talk: Talk) -> Iterator[Found]:
    """Sentences early in the talk that name a time, and what the speaker did then."""
    for sentence in _sentences(talk):
        if talk.share(sentence) > STORY_BY:
            return
        place = None if talk.asks(sentence) else cues.told_time(_keys(talk, sentence))
        if place is not None:
            core = range(sentence.start + place[0], sentence.start + place[1])
            clauses = talk.clauses(sentence)
            first = max(clause.start for clause in clauses if clause.start <= core.start)
            yield Found(MomentKind.STORY, range(first, sentence.stop), core)


def questions(talk: Talk) -> Iterator[Found]:
    """Questions to think about; those to the technician are left out."""
    for sentence in _sentences(talk):
        if len(sentence) < SHORTEST_QUESTION or not talk.asks(sentence):
            continue
        if cues.asks_along(_keys(talk, sentence)):
            yield Found(MomentKind.QUESTION, sentence)


def contrasts(talk: Talk) -> Iterator[Found]:
    """Not this but that: a denial, and the same again for what holds."""
    for sentence in _sentences(talk):
        if talk.asks(sentence):
            continue
        clauses = talk.clauses(sentence)
        for denial, other in pairwise(clauses):
            if cues.contrasted(_keys(talk, denial), _keys(talk, other)):
                whole = range(denial.start, other.stop)
                yield Found(MomentKind.CONTRAST, whole, whole)


def calls_to_action(talk: Talk) -> Iterator[Found]:
    """Sentences late in the talk that ask the listeners to act; those that say when first."""
    some_day: list[Found] = []
    for sentence in _sentences(talk):
        if talk.share(sentence) < CALL_FROM or talk.asks(sentence):
            continue
        clauses = talk.clauses(sentence)
        place = cues.request_in([_keys(talk, clause) for clause in clauses])
        if place is None:
            continue
        verb = clauses[place[0]].start + place[1]
        found = Found(MomentKind.CALL_TO_ACTION, sentence, range(verb, verb + 2))
        if cues.names_a_time(_keys(talk, sentence)):
            yield found
        else:
            some_day.append(found)
    yield from some_day


def _sentences(talk: Talk) -> Iterator[range]:
    """The sentences that the rules read."""
    for sentence in talk.sentences if talk.english else ():
        if len(sentence) <= LONGEST_TOKENS and talk.ends_sentence(sentence):
            yield sentence


def _keys(talk: Talk, passage: range) -> list[str]:
    return talk.keys[passage.start : passage.stop]


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
    thick: list[tuple[int, range]] = []
    for sentence in talk.sentences:
        inside = [i for i in sentence if i in talk.fillers]
        if not inside:
            continue
        starts = [clause.start for clause in talk.clauses(sentence)]
        best = max(starts, key=lambda low: (sum(low <= i < low + reach for i in inside), -low))
        count = sum(best <= i < best + reach for i in inside)
        thick.append((count, range(best, sentence.stop)))
    thick.sort(key=lambda entry: (-entry[0], entry[1].start))
    yield from (Found(MomentKind.FILLERS, passage) for _, passage in thick)


def rushes(talk: Talk) -> Iterator[Found]:
    """The fastest stretch, if it is far faster than the talk as a whole."""
    if talk.transcript.precision is Precision.NONE:
        return
    seconds = token_seconds(talk.transcript, talk.turns, talk.tokens, talk.ranges)
    paces: list[tuple[float, range]] = []
    for turn in talk.ranges:
        for first in range(turn.start, turn.stop - RUSH_TOKENS):
            last = first + RUSH_TOKENS
            if first in seconds and last in seconds:
                taken = seconds[last] - seconds[first]
                paces.append((words_per_minute(RUSH_TOKENS, taken), range(first, last)))
    if not paces:
        return
    usual = sorted(pace for pace, _ in paces)[len(paces) // 2]
    fastest, passage = max(paces, key=lambda entry: (entry[0], -entry[1].start))
    if fastest >= max(RUSH_WORDS_PER_MINUTE, RUSH_TIMES_USUAL * usual):
        yield Found(MomentKind.RUSH, _from_clause(talk, passage))


def long_sentences(talk: Talk) -> Iterator[Found]:
    """The longest sentence, if it is long and the transcript has full stops at all."""
    ended = [sentence for sentence in talk.sentences if talk.ends_sentence(sentence)]
    if len(ended) < 3 or sum(map(len, ended)) > LONGEST_USUAL_SENTENCE * len(ended):
        return
    if talk.english or " " in talk.transcript.text:
        longest = max(ended, key=lambda sentence: (len(sentence), -sentence.start))
        if len(longest) >= LONG_SENTENCE_TOKENS:
            yield Found(MomentKind.LONG_SENTENCE, longest)


def _from_clause(talk: Talk, passage: range) -> range:
    """The passage from the nearest place around its start where a clause may begin."""
    turn = next(turn for turn in talk.ranges if passage.start in turn)
    near = range(max(turn.start, passage.start - 4), min(passage.start + 8, passage.stop))
    begins = [i for i in near if talk.is_border(i) or talk.keys[i] in _CLAUSE_OPENERS]
    first = min(begins, key=lambda i: (abs(i - passage.start), i), default=passage.start)
    return range(first, passage.stop)
