"""The rules that find moments worth quoting. Each gives its best find first.

They go by what can be seen: words, punctuation, times. What a rule finds may not work on a
listener, so the texts that go with it say what it is, not that it was brilliant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from veridical.sources.transcript import Precision
from veridical.speech.lexicon import IMPERATIVES
from veridical.speech.offline.moments import Found, MomentKind, Passage, Talk
from veridical.speech.pace import token_seconds, words_per_minute

STORY_BY = 0.35
"""A story opening starts in the first part of the talk, up to this share."""
CALL_FROM = 0.55
"""A call to action comes after this share of the talk."""
MOST_TOKENS_OF_A_PIECE = 8
"""A triad's pieces and the way from "not" to its other half are short."""
LEAST_FILLERS = 3
"""Fewer in a whole talk are nobody's habit."""
LONG_SENTENCE_TOKENS = 40
LONGEST_USUAL_SENTENCE = 30
"""Where sentences are longer on average, it is the transcript that lacks full stops."""
RUSH_TOKENS = 20
RUSH_TIMES_USUAL = 1.35
RUSH_WORDS_PER_MINUTE = 175.0
"""A rush is so much faster than the rest of the talk, and fast by itself."""

_STORY = re.compile(
    r"\b(?:(?:years?|months?|weeks?|days?) ago|once upon a time|when i was|i (?:still )?remember"
    r"|one (?:cold |warm |wet |hot |rainy )?(?:day|morning|evening|night|afternoon|summer|winter"
    r"|spring|autumn)|last (?:year|month|week|summer|winter|spring|autumn|night)|growing up"
    r"|as a (?:child|boy|girl|kid|student)|in the (?:summer|winter|spring|autumn) of|picture this"
    r"|i was (?:\w+ ){1,3}(?:years )?old)\b"
)
_TELLER = frozenset("i we my our me us he she his her picture".split())
_ASIDE = re.compile(
    r"\b(?:how are you|hear me|see me|see my|is this on|any questions|questions$|you guys ready"
    r"|ready to start|next slide|right$|okay$|ok$|isnt it$|you know$)"
)
_DENIALS = frozenset("not isnt wasnt arent werent dont didnt doesnt without less".split())
_TURNS = frozenset("but rather instead".split())
_SUBJECTS = frozenset("it its we you they i this that these those he she with more".split())
_JOINERS = frozenset("and or und oder et ou y o e och og en".split())
_CALL = re.compile(
    r"\b(?:i (?:invite|challenge|urge|ask|encourage|dare|want|would like) you to|lets|let us"
    r"|(?:this|next) (?:week|month|weekend|year|time)|(?:so )?(?:today|tonight|tomorrow) \w+ "
    r"|before you|each of you|every one of you)\b"
)
_CLAUSE_OPENERS = frozenset("and but because then so when which".split())
_LEADS = frozenset("so and then please but just now because today tonight tomorrow".split())


def story_openings(talk: Talk) -> Iterator[Found]:
    """Sentences early in the talk that set a time and have somebody in them."""
    for sentence in talk.sentences if talk.english else ():
        if talk.share(sentence) > STORY_BY:
            return
        keys = talk.keys[sentence.first : sentence.past]
        if _STORY.search(" ".join(keys)) and not _TELLER.isdisjoint(keys):
            yield Found(MomentKind.STORY, sentence)


def questions(talk: Talk) -> Iterator[Found]:
    """Questions that the speaker goes on from; those to the technician are left out."""
    for sentence in talk.sentences:
        if talk.ends_sentence(sentence) not in {"?", "？", "؟"} or len(sentence) < 5:
            continue
        if not _ASIDE.search(" ".join(talk.keys[sentence.first : sentence.past])):
            yield Found(MomentKind.QUESTION, sentence)


def contrasts(talk: Talk) -> Iterator[Found]:
    """Not this but that: a denial, and close behind it the other half."""
    for sentence in talk.sentences if talk.english else ():
        for clause in talk.clauses(sentence):
            half = _other_half(talk, sentence, clause)
            if half is not None:
                yield Found(MomentKind.CONTRAST, Passage(clause.first, half))


def triads(talk: Talk) -> Iterator[Found]:
    """Three short clauses in a row that begin with the same word."""
    pieces = [clause for sentence in talk.sentences for clause in talk.clauses(sentence)]
    at = 0
    while at + 3 <= len(pieces):
        three = pieces[at : at + 3]
        whole = Passage(three[0].first, three[2].past)
        if len(whole) <= talk.policy.max_tokens and _is_triad(talk, three):
            yield Found(MomentKind.TRIAD, whole)
            at += 3
        else:
            at += 1


def calls_to_action(talk: Talk) -> Iterator[Found]:
    """Sentences of the last part that ask the audience to do something; the plainest first."""
    weaker: list[Found] = []
    for sentence in talk.sentences if talk.english else ():
        if talk.share(sentence) < CALL_FROM or talk.ends_sentence(sentence) == "?":
            continue
        asked = _has_imperative(talk, sentence)
        named = _CALL.search(" ".join(talk.keys[sentence.first : sentence.past])) is not None
        found = Found(MomentKind.CALL_TO_ACTION, sentence)
        if asked and named:
            yield found
        elif (asked and len(sentence) >= talk.policy.min_tokens) or named:
            weaker.append(found)
    yield from weaker


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


def _other_half(talk: Talk, sentence: Passage, clause: Passage) -> int | None:
    """Where the clause's contrast ends; None where there is none."""
    keys = talk.keys
    denial = next((i for i in range(clause.first, clause.past) if keys[i] in _DENIALS), None)
    if denial is None or denial - clause.first > 3:
        return None
    for index in range(denial + 2, min(denial + 2 + MOST_TOKENS_OF_A_PIECE, sentence.past - 1)):
        turns = keys[index] in _TURNS and index > denial + 1
        same = keys[index] == keys[clause.first] and keys[index] in _SUBJECTS
        if turns or (same and talk.is_border(index)):
            rest = next((i for i in range(index + 2, sentence.past) if talk.is_border(i)), None)
            return rest if rest is not None else sentence.past
    return None


def _is_triad(talk: Talk, three: list[Passage]) -> bool:
    first_words = set()
    for piece in three:
        first = piece.first + (len(piece) > 1 and talk.keys[piece.first] in _JOINERS)
        if not 2 <= piece.past - first <= MOST_TOKENS_OF_A_PIECE:
            return False
        first_words.add(talk.keys[first])
    whole = {tuple(talk.keys[piece.first : piece.past]) for piece in three}
    in_a_row = all(a.past == b.first for a, b in pairwise(three))
    return len(first_words) == 1 and len(whole) == 3 and in_a_row


def _has_imperative(talk: Talk, sentence: Passage) -> bool:
    for clause in talk.clauses(sentence):
        at = clause.first
        while at < clause.past - 1 and talk.keys[at] in _LEADS:
            at += 1
        if talk.keys[at] in IMPERATIVES and at < clause.past - 1:
            return True
    return False


def _from_clause(talk: Talk, passage: Passage) -> Passage:
    """The passage from the nearest place around its start where a clause may begin."""
    turn = next(turn for turn in talk.ranges if passage.first in turn)
    near = range(max(turn.start, passage.first - 4), min(passage.first + 8, passage.past))
    begins = [i for i in near if talk.is_border(i) or talk.keys[i] in _CLAUSE_OPENERS]
    first = min(begins, key=lambda i: (abs(i - passage.first), i), default=passage.first)
    return Passage(first, passage.past)
