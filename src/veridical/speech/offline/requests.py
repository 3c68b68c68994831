"""What tells a request to the listeners from an order that is told, a noun, or small talk."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.speech.offline.cues import REPORTING, Words, is_housekeeping

_LEADS = frozenset(
    "so and then please but just now because today tonight tomorrow instead friends".split()
)
"""What may stand before the verb in its own clause."""

_TAKES_A_THING = frozenset(
    """
    answer ask borrow bring build call carry change check choose clean close cook count draw eat
    feed find fix forgive free give help hold hug invite keep knock learn leave lend lift make mend
    move offer open paint phone pick plant plan practise practice protect put raise reach read
    record repair ring save send share start stop support take teach thank throw touch try visit
    wash watch water write join
    """.split()
)
_THINGS = frozenset(
    """
    a an the this that these those your one two three somebody someone each every it them him her
    another less more something everything
    """.split()
)
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

_FRAMES = frozenset(
    """
    before after if when whenever once until wherever while tonight today tomorrow every each from
    on in at as instead everybody everyone friends
    """.split()
)
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
