"""The rules that find turns of speech worth praise. Each gives its best find first.

They know English, and trust only sentences whose end is marked: where a recogniser writes no full
stops, nobody can tell what belongs together. What a rule finds may not work on a listener, so the
texts that go with it say what it is, not that it was brilliant.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.speech.offline import cues, requests
from veridical.speech.offline.moments import Found, MomentKind, Passage, Talk

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
            core = Passage(sentence.first + place[0], sentence.first + place[1])
            clauses = talk.clauses(sentence)
            first = max(clause.first for clause in clauses if clause.first <= core.first)
            yield Found(MomentKind.STORY, Passage(first, sentence.past), core)


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
                whole = Passage(denial.first, other.past)
                yield Found(MomentKind.CONTRAST, whole, whole)
        for clause in clauses:
            half = cues.but_half(_keys(talk, clause))
            if half is not None:
                core = Passage(clause.first + half[0], clause.first + half[1])
                yield Found(MomentKind.CONTRAST, clause, core)


def triads(talk: Talk) -> Iterator[Found]:
    """Three short clauses in a row that begin with the same word."""
    pieces = [clause for sentence in _sentences(talk) for clause in talk.clauses(sentence)]
    at = 0
    while at + 3 <= len(pieces):
        three = pieces[at : at + 3]
        whole = Passage(three[0].first, three[2].past)
        if all(a.past == b.first for a, b in pairwise(three)) and cues.is_triad(
            [_keys(talk, piece) for piece in three]
        ):
            yield Found(MomentKind.TRIAD, whole, whole)
            at += 3
        else:
            at += 1


def calls_to_action(talk: Talk) -> Iterator[Found]:
    """Sentences late in the talk that ask the listeners to act; those that say when first."""
    some_day: list[Found] = []
    for sentence in _sentences(talk):
        if talk.share(sentence) < CALL_FROM or talk.asks(sentence):
            continue
        clauses = talk.clauses(sentence)
        place = requests.request_in([_keys(talk, clause) for clause in clauses])
        if place is None:
            continue
        verb = clauses[place[0]].first + place[1]
        found = Found(MomentKind.CALL_TO_ACTION, sentence, Passage(verb, verb + 2))
        if requests.names_a_time(_keys(talk, sentence)):
            yield found
        else:
            some_day.append(found)
    yield from some_day


def _sentences(talk: Talk) -> Iterator[Passage]:
    """The sentences that the rules read."""
    for sentence in talk.sentences if talk.english else ():
        if len(sentence) <= LONGEST_TOKENS and talk.ends_sentence(sentence):
            yield sentence


def _keys(talk: Talk, passage: Passage) -> list[str]:
    return talk.keys[passage.first : passage.past]
