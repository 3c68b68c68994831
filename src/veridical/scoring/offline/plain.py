"""Is it said plainly? A cue proves most where nothing but the expected stands around its words.

"The gas is off the hook", "every hour the gas is off costs us", "it's all clear to me that": no
list of phrases has them all. So it is listed what may stand around a cue, and anything else is
passed over, or believed less.
"""

from __future__ import annotations

import re
from enum import Enum

from veridical.scoring.offline import moods as m
from veridical.scoring.offline import words as w
from veridical.scoring.offline.clauses import Around, after_address, is_statement
from veridical.scoring.offline.vocabulary import EMPTY_WORDS, PREPOSITIONS


class Plainness(Enum):
    """How far the words around a cue leave it what it is."""

    PLAIN = "nothing stands around it that could change it"
    ODD = "what stands around it is not known to leave it what it is"
    UNCLEAR = "it is a statement in another one, or goes on to be another one"


_MOST_UNKNOWN = 2
"""Unknown words before a cue that may say more of it: "second floor". More say something else."""

_KNOWN_BEFORE = EMPTY_WORDS | frozenset(
    """
    all both some full good now already still also again finally then okay yes well no be got do
    did can see confirm confirmed report say advise advised able managed put made thisll heres
    theres its please note checked while minute
    """.split()
)
"""Words by which a speaker says that something is so: "we now have", "I can confirm that"."""

_GOES_ON = re.compile(
    r"(?:and|or|at|from|with|for|to(?! (?:me|you|us)(?!\S))|on|in|of|by order|side|here|there|now"
    r"|yet|today|again|already"
    r"|yesterday|completely|fully|entirely|over|sir|maam|chief|as of|because|so|since"
    r"|while|is|are|was|were|has|have|that|this|who|which|i|we|you|\d\S*|\S+ly)(?!\S)"
)
"""How a clause may go on behind a cue and leave it what it is."""

_PARTICLES = frozenset("off out on up down in over through back".split())
_AFTER_PARTICLE = re.compile(
    r"(?:and(?! on(?!\S))|at|here|now|yet|over|today|again|already|side|sir|chief|\d\S*)(?!\S)"
)
"""The same behind a particle, of which the next word may make another verb: "out of", "off to"."""

_NO_VERBS = frozenset("clear complete open secure control search report".split())
_TAKES_MORE = (
    w.BREAKING_OFF | (m.BARE_VERBS - _NO_VERBS) | {"you", "me", "him", "them", "us", "over"}
)
"""Words that a cue ends with to be gone on from, with whatever comes."""


def plainness(around: Around) -> Plainness:
    """How plainly a cue is said, by its own clause."""
    return max(_lead(around), _tail(around), key=list(Plainness).index)


def _lead(around: Around) -> Plainness:
    unknown = [
        word
        for word in after_address(_own_part(around)).split()
        if word not in _KNOWN_BEFORE and not w.NUMBER_WORD.fullmatch(word)
    ]
    if not unknown:
        return Plainness.PLAIN
    if is_statement(around.hit):
        return Plainness.UNCLEAR
    is_part = around.hit.split()[0] in PREPOSITIONS or around.before.endswith((" i", " we"))
    return Plainness.ODD if len(unknown) <= _MOST_UNKNOWN or is_part else Plainness.UNCLEAR


def _own_part(around: Around) -> str:
    """Of "we made the second floor and have" the last part, which says the same of the speaker."""
    ahead, _, last = f"{around.before} ".rpartition(" and ")
    goes_on = w.FIRST_PERSON.search(ahead) is not None or is_statement(around.hit)
    return last if goes_on else around.before


def _tail(around: Around) -> Plainness:
    after, last = around.after, around.hit.split()[-1]
    closed = is_statement(around.hit)
    goes_on = not closed and last.endswith("ing")
    if not after or goes_on or last in _TAKES_MORE - _PARTICLES:
        return Plainness.PLAIN
    known = _AFTER_PARTICLE if closed and last in _PARTICLES else _GOES_ON
    if known.match(after) or w.RESTART.match(after) or w.NAME.match(after):
        return Plainness.PLAIN
    return Plainness.UNCLEAR if closed else Plainness.ODD
