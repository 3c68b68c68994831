"""The words by which the rules tell a moment from what only looks like it.

Praise for what is not there is worse than none. So each test asks for all that it takes, and says
no where it cannot tell. Words are keys of `veridical.text.spoken`: lower case, no apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.speech.lexicon import listed
from veridical.text.lexicon import english
from veridical.validation.lexicon import NUMBERS

Words = Sequence[str]

_HOUSEKEEPING = listed("housekeeping")
_HOUSEKEEPING_PHRASE = re.compile(
    r"\b(?:(?:hear|see|follow|excuse|understand) me|can everybody|can everyone|can anybody"
    r"|can you (?:all )?(?:hear|see)|(?:the|my|much|more|of|out of) time\b(?! (?:i|we|you)\b)"
    r"|minutes left|i have left|the minutes|the back|the door|the lights?|is this (?:on|better)"
    r"|this thing on|next slide|a break|the break|the buffet|take a look|my name|your name)\b"
)


def is_housekeeping(keys: Words) -> bool:
    """Whether somebody speaks of the room, the clock, the slides, or begs pardon."""
    if not _HOUSEKEEPING.isdisjoint(keys):
        return True
    return _HOUSEKEEPING_PHRASE.search(" ".join(keys)) is not None


REPORTING = listed("reporting")
"""After these the words may be somebody else's."""

_DENIALS = listed("denials")

# --- A time, and what the speaker did then ---------------------------------------------------

_AGE = (
    rf"(?:{'|'.join(word for word, value in NUMBERS.items() if 2 <= value <= 50)}|\d{{1,2}}"
    "|an? (?:child|boy|girl|kid|student|teenager)|young|little|small|about|at school)"
)
_SEASON = "(?:day|morning|evening|night|afternoon|summer|winter|spring|autumn)"
_WEATHER = "(?:cold|warm|wet|hot|rainy|dark|late|early|grey|quiet|stormy|snowy|sunny)"
_TIME = re.compile(
    r"\b(?:(?:years?|months?|weeks?|days?|summers|winters) ago"
    rf"|when i was {_AGE}|one (?:{_WEATHER} )?{_SEASON}"
    r"|last (?:year|month|week|summer|winter|spring|autumn|night)|yesterday|this morning"
    rf"|i (?:still )?remember the (?:first |last )?(?:{_WEATHER} )?(?:{_SEASON}|time|moment)"
    rf"|as an? (?:child|boy|girl|kid|student)|in the {_SEASON} of)\b"
)
_DID = listed("deeds")
"""What somebody does in a scene; nothing that is only said, reported or decided in a meeting."""
_BETWEEN = frozenset("just still then first finally suddenly once also quietly slowly".split())
_OF_MEETINGS = listed("meetings")
_REACH = 14
"""So many words may lie between the time and the deed."""


def told_time(keys: Words) -> tuple[int, int] | None:
    """Where a time is named of which the speaker tells what he or she did; None where not."""
    if not _OF_MEETINGS.isdisjoint(keys) or is_housekeeping(keys) or "if" in keys:
        return None
    deeds = [index for index in range(len(keys)) if _does(keys, index)]
    for first, past in _found(_TIME, keys):
        if not REPORTING.isdisjoint(keys[:first]):
            return None
        if any(first - _REACH <= deed <= past + _REACH for deed in deeds):
            return first, past
    return None


def _does(keys: Words, index: int) -> bool:
    """Whether "I" or "we" stands here and did something, to somebody else than the listeners."""
    if keys[index] not in ("i", "we"):
        return False
    verb = index + 1
    if verb < len(keys) and keys[verb] in _BETWEEN:
        verb += 1
    if verb >= len(keys) or keys[verb] not in _DID:
        return False
    return keys[verb + 1 : verb + 2] not in (["you"], ["your"])


# --- Questions -------------------------------------------------------------------------------

_ASKS = listed("questions")
_SAID = frozenset("said says told tells asked asks wondered".split())
_FOR_ALL = frozenset("you your yours yourself we us our ours".split())
_BEFORE_A_QUESTION = frozenset("so and but now then or well because".split())
_HOSTILE = listed("hostile")
_NO_QUESTION = re.compile(
    r"\b(?:you people|wrong with you|do you think you are|how are you|who are you|do you mind"
    r"|you know what|know what i mean|may i|can i|could i|shall i|shall we|would you mind|please"
    r"|you ready|(?:did|has) (?:some|any)(?:one|body)|makes? sense|say that again"
    r"|where was i|where were we|what was i|^(?:is|was|are|were) (?:this|that|it|these|those|there)"
    r"|^(?:can|could|should) we"
    r"|(?:can|could) (?:you|somebody|someone|anybody|anyone) (?:please |just )?"
    r"(?:hear|see|give|pass|help|turn|move|open|close|repeat|tell|say|wait|speak|stand|sit|come"
    r"|hold|switch|check|get|bring|hand|show))\b"
)


def asks_along(keys: Words) -> bool:
    """Whether a question, already known by its mark, is one to think about.

    It must ask why, or have the listeners in it: "is there any water left" is for the steward.
    """
    at = 0
    while at < len(keys) and keys[at] in _BEFORE_A_QUESTION:
        at += 1
    if at >= len(keys) or keys[at] not in _ASKS or is_housekeeping(keys):
        return False
    if not _HOSTILE.isdisjoint(keys) or not _SAID.isdisjoint(keys):
        return False
    if keys[at] != "why" and _FOR_ALL.isdisjoint(keys):
        return False
    return _NO_QUESTION.search(" ".join(keys)) is None


# --- Not this but that -----------------------------------------------------------------------

_NOT_BE = re.compile(
    r"(?P<said>(?:it|this|that|they|we|you|he|she|i|these|those) (?:is|was|are|were|am)) not "
)
_NOT_DO = re.compile(
    r"(?P<subject>i|we|you|they|he|she|it) (?:do|does|did) not (?P<verb>[a-z]{2,20}) "
)
_SHORT = {
    "its": "it is",
    "theyre": "they are",
    "youre": "you are",
    "hes": "he is",
    "shes": "she is",
    "im": "i am",
    **{f"{word}nt": f"{word} not" for word in ("is", "was", "are", "were", "do", "does", "did")},
}
_HEDGES = frozenset("think know mean believe remember guess hope suppose feel care mind".split())
_A_THING = english("articles", "determiners") | {"about", "for", "with", "by", "in", "on"}
_MOST_OF_HALF = 8


def contrasted(first: Words, second: Words) -> bool:
    """Whether two clauses are a denial and its other half: "it was not A", "it was B"."""
    if is_housekeeping([*first, *second]) or not 3 <= len(first) <= _MOST_OF_HALF + 4:
        return False
    if not _DENIALS.isdisjoint(second) or len(second) < 3:
        return False
    denied, other = (" ".join(_SHORT.get(key, key) for key in keys) for keys in (first, second))
    if (be := _NOT_BE.match(denied)) is not None:
        halves = denied[be.end() :].split(), other.removeprefix(be["said"]).split()
        alike = other.startswith(be["said"] + " ")
        return alike and all(half and half[0] in _A_THING for half in halves)  # "a kettle"
    if (do := _NOT_DO.match(denied)) is None or do["verb"] in _HEDGES:
        return False
    stem = f"{do['subject']} {do['verb']}"
    return any(other.startswith(f"{stem}{ending} ") for ending in ("", "s", "es", "d", "ed"))


def _found(pattern: re.Pattern[str], keys: Words) -> list[tuple[int, int]]:
    """Where a pattern stands in the keys, as indices."""
    joined = " ".join(keys)
    return [
        (joined.count(" ", 0, found.start()), joined.count(" ", 0, found.end()) + 1)
        for found in pattern.finditer(joined)
    ]


_LEADS = frozenset(
    "so and then please but just now because today tonight tomorrow instead friends".split()
)
"""What may stand before the verb in its own clause."""

_TAKES_A_THING = listed("takes-a-thing")
_THINGS = listed("a-thing")
_GOES_WITH = {
    "begin": "today tonight tomorrow now",
    "go": "out outside home and to",
    "knock": "on at",
    "listen": "to",
    "look": "inside around for after closely",
    "reach": "out",
    "sign": "up",
    "start": "today tonight tomorrow now small",
    "talk": "to with",
    "vote": "for against",
    "walk": "to with home outside",
    "write": "to down",
    "volunteer": "at for with",
    "give": "up blood",
}
"""Verbs that need no thing, and what follows them in a request."""
_VERBS = _TAKES_A_THING | frozenset(_GOES_WITH)

_FRAMES = listed("frames")
"""What an earlier clause of a request starts with: "before you throw anything away"."""
_FRAME = re.compile(
    r"(?:this|next) (?:week|weekend|month|year|evening|summer|time)\b(?: you\b.{0,200})?$"
    r"|the next time you\b|my friends$|ladies and gentlemen$|all of you$"
)
_TOLD = re.compile(
    r"\b(?:was|were|had|did|wasnt|werent|hadnt|didnt|ago|yesterday|last (?:year|week|month)"
    r"|and (?:he|she|it|we|they|you|i|there|your|the \w{1,20}) (?:will|get|gets|has|have|are|is"
    r"|goes|go|feel|can)|(?:he|she|they|i) (?:will|would)|from me|for me|to me"
    r"|(?:call|put|take|make|leave|break) (?:it|that|this) (?:a|an|the|or|from|like|what|luck|fate"
    r"|as|this|that)|any(?:one|body)?|for example|for instance|the example|the case"
    r"|a guess|a seat|a hand|a look|a minute|a moment|a second|a round|way for|a mistake|no mistake"
    r"|the trouble|the fact|(?:they|people|we|you) say|so to speak)\b"
)
"""What shows that a sentence tells a tale, puts a case, or is a turn of phrase."""
_NO_ACTION = frozenset("me my myself mine".split())
_INVITING = re.compile(
    r"(?:i (?:invite|challenge|urge|encourage|dare|ask|want|would like)"
    r"|my (?:wish|challenge|request) (?:to|for) you is) "
    r"(?:all of you |each of you |every one of you |you )(?:all )?(?:to )?"
)
_ADVISING = re.compile(r"you (?:all )?(?P<can>can|could|should|must|have to|need to)(?: all)? ")
_SOON = re.compile(
    r"\b(?:today|tonight|tomorrow|(?:this|next) (?:week|weekend|month|year|time)|before you|now)\b"
)


def names_a_time(keys: Words) -> bool:
    """Whether a request says when."""
    return _SOON.search(" ".join(keys)) is not None


def request_in(clauses: Sequence[Words]) -> tuple[int, int] | None:
    """The clause of a sentence, and the word in it, with which the listeners are asked to act.

    None where they are not: each clause before it must set the scene or be a request itself.
    """
    keys = [key for clause in clauses for key in clause]
    if not REPORTING.isdisjoint(keys) or is_housekeeping(keys) or _TOLD.search(" ".join(keys)):
        return None
    for number, clause in enumerate(clauses):
        at = _verb_of(clause)
        if at is not None:
            return number, at
        if not _sets_the_scene(clause):
            return None
    return None


def _verb_of(clause: Words) -> int | None:
    """The index of the verb of a request, None where the clause is none."""
    at = 0
    while at < len(clause) and clause[at] in _LEADS:
        at += 1
    rest = " ".join(clause[at:]) + " "
    for pattern in (_INVITING, _ADVISING):
        found = pattern.match(rest)
        if found is None:
            continue
        soon = pattern is _INVITING or found["can"] not in ("can", "could") or names_a_time(clause)
        verb = at + rest.count(" ", 0, found.end())
        return verb if soon and _is_action(clause, verb) else None
    for start in ("lets ", "let us ", "do not ", "dont ", "never ", "let us not "):
        if rest.startswith(start):
            at += start.count(" ")
            break
    return at if _is_action(clause, at) else None


def _is_action(clause: Words, at: int) -> bool:
    """Whether a verb stands here with what makes it more than a noun: a thing, or its particle."""
    if at + 1 >= len(clause) or clause[at] not in _VERBS:
        return False
    following = clause[at + 1]
    if not _NO_ACTION.isdisjoint(clause[at + 1 : at + 4]):
        return False
    if clause[at] in _TAKES_A_THING and following in _THINGS:
        return True
    return following in _GOES_WITH.get(clause[at], "").split()


def _sets_the_scene(clause: Words) -> bool:
    at = 0
    while at < len(clause) - 1 and clause[at] in _LEADS:
        at += 1
    if at < len(clause) and clause[at] in _LEADS | _FRAMES:
        return True
    return _FRAME.match(" ".join(clause[at:])) is not None
