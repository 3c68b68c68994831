"""The words by which the rules tell a moment from what only looks like it.

Praise for what is not there is worse than none. So each test asks for all that it takes, and says
no where it cannot tell. Words are keys of `veridical.text.spoken`: lower case, no apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.speech.lexicon import IMPERATIVES, listed
from veridical.text.lexicon import english
from veridical.validation.lexicon import MAGNITUDES, NUMBERS

Words = Sequence[str]

REPORTING = listed("reporting")
"""After these the words may be somebody else's."""

_DENIALS = listed("denials")

# --- Words with a meaning of their own --------------------------------------------------------

_FUNCTION = listed(
    "never-names", "english", "pronouns", "prepositions", "determiners", "questions", "seeming"
) | frozenset("thing things lot bit something just like got went im theres".split())
_ABSTRACT = re.compile(r"(?:tion|ness|ment|ity|ism|ance|ence|ship|ly|ing)s?$")
_LEAST_LETTERS = 3


def tells(key: str) -> bool:
    """Whether a word has a meaning of its own, and is no figure."""
    return len(key) >= _LEAST_LETTERS and key not in _FUNCTION and not is_number(key)


def is_plain_thing(key: str) -> bool:
    """Whether a word has no ending of words for what cannot be seen."""
    return tells(key) and _ABSTRACT.search(key) is None and key not in _DID | _WAS | REPORTING


_NUMBER_PARTS = "|".join(sorted(NUMBERS, key=len, reverse=True))
_NUMBER = re.compile(rf"\d{{2,15}}(?:st|nd|rd|th)?|(?:{_NUMBER_PARTS}){{2,4}}")


def is_number(key: str) -> bool:
    """Whether a word is a figure that tells: ten or more, in digits or in words."""
    return key in MAGNITUDES or NUMBERS.get(key, 0) >= 10 or _NUMBER.fullmatch(key) is not None


# --- When, where and who ----------------------------------------------------------------------

_AGE = (
    rf"(?:{'|'.join(word for word, value in NUMBERS.items() if 2 <= value <= 50)}|\d{{1,2}}"
    "|an? (?:child|boy|girl|kid|student|teenager)|young|little|small|about|at school)"
)
_SEASON = "(?:day|morning|evening|night|afternoon|summer|winter|spring|autumn|weekend)"
_WEATHER = "(?:cold|warm|wet|hot|rainy|dark|late|early|grey|quiet|stormy|snowy|sunny|first)"
_DAYS = "|".join(english("weekdays", "months"))
_YEAR = (
    r"(?:(?:18|19|20)\d\d|(?:eighteen|nineteen|twenty) ?(?:hundred|oh|[a-z]{3,10}(?:teen|ty|een))"
    r"(?: ?(?:one|two|three|four|five|six|seven|eight|nine))?|two thousand(?: and [a-z]{3,9})?)"
)
_TIME = re.compile(
    r"\b(?:(?:[a-z0-9]{1,12} )?(?:years?|months?|weeks?|days?|summers|winters) (?:ago|later)"
    rf"|when (?:i|he|she|we) (?:was|were) {_AGE}"
    rf"|(?:one|on the first|the first|the last) (?:{_WEATHER} )?(?:{_SEASON}|{_DAYS})"
    rf"|on (?:an? )?(?:{_WEATHER} )?(?:{_DAYS})(?: {_SEASON})?"
    rf"|last (?:week|night|{_SEASON}|{_DAYS})|yesterday|this morning"
    rf"|in (?:the (?:{_SEASON}|middle) of (?:{_DAYS}|{_YEAR})|{_YEAR})"
    rf"|i (?:still )?remember the (?:first |last )?(?:{_WEATHER} )?(?:{_SEASON}|time|moment)"
    rf"|as an? (?:child|boy|girl|kid|student)|in the {_SEASON} of)\b"
)
_DID = listed("deeds")
"""What somebody does in a scene; nothing that is only said, reported or decided in a meeting."""
_WAS = frozenset("was were had said told came asked knew wanted looked".split())
_OF_MEETINGS = listed("meetings")
_LEAST_PAST = 5
"""Letters of a regular past: "asked"; "need", "bed" and "red" are none."""


def tells_of_the_past(keys: Words) -> bool:
    """Whether a sentence tells what happened, and not what a meeting decided."""
    if not _OF_MEETINGS.isdisjoint(keys) or "if" in keys:
        return False
    return any(
        key in _DID or key in _WAS or (key.endswith("ed") and len(key) >= _LEAST_PAST)
        for key in keys
    )


def when(keys: Words) -> tuple[int, int] | None:
    """Where a time is named, None where none is."""
    return next(iter(_found(_TIME, keys)), None)


AT = frozenset(
    "in at on near from behind outside inside into to above over through under across along".split()
)
"""What stands before a place."""


def may_be_a_place(key: str) -> bool:
    """Whether a word with a capital may be a place: no day, nation, title or pronoun."""
    return key not in listed("never-names", "dates") and len(key) > 1


_KIN = "|".join(sorted(listed("roles", "groups")))
_WHO = re.compile(
    rf"\b(?:(?:my|our|his|her) (?:[a-z]{{3,9}} )?(?:{_KIN})"
    rf"|an? (?:[a-z]{{3,9}} )?(?:{'|'.join(sorted(listed('persons') | listed('roles')))}))\b"
)


def who(keys: Words) -> tuple[int, int] | None:
    """Where a person is named by what he or she is to somebody: "my old neighbour", "a woman"."""
    return next(iter(_found(_WHO, keys)), None)


_BETWEEN = frozenset("just still then first finally suddenly once also quietly slowly".split())


def acts(keys: Words) -> bool:
    """Whether "I" or "we" did something, to somebody else than the listeners."""
    for index, key in enumerate(keys):
        if key in ("i", "we"):
            verb = index + 1 + (keys[index + 1 : index + 2] != [] and keys[index + 1] in _BETWEEN)
            did = verb < len(keys) and keys[verb] in _DID
            if did and keys[verb + 1 : verb + 2] not in (["you"], ["your"]):
                return True
    return False


_PAST_REPORTING = REPORTING - frozenset("says tells asks saying".split())
_TO_WHOM = frozenset("me him her us them".split())
_IN_PERSON = frozenset("i you we me my your us our im youre dont lets ill youll id were".split())
_OWN = frozenset("i we as like".split())
_NOBODY = frozenset("they people some others everybody everyone somebody experts".split())


def reports(keys: Words) -> bool:
    """Whether a sentence says that somebody speaks."""
    return not REPORTING.isdisjoint(keys)


def lets_speak(said: Words, words: Words) -> bool:
    """Whether a clause says whose the words beside it are, and they are speech: "she asked me",
    "where are you going"; "said Maureen".
    """
    core = said[:-1] if said[-1:] and said[-1] in _TO_WHOM else said
    verb = core[0] if len(core) == 2 and core[0] in _PAST_REPORTING else (*core, "")[len(core) - 1]
    if len(core) < 2 or verb not in _PAST_REPORTING or verb in words:
        return False
    if not _OWN.isdisjoint(core):  # "as I said"
        return False
    return _NOBODY.isdisjoint(core) and len(words) >= 4 and not _IN_PERSON.isdisjoint(words)


# --- How a talk begins, goes on and ends ------------------------------------------------------

_GREETS = re.compile(
    r"(?:(?:so|and|well|okay|ok|yes|now|um|uh) )*(?:thank|thanks|good (?:morning|evening|afternoon"
    r"|day)|hello|hi|hey|welcome|ladies|gentlemen|fellow|madam|mr|mrs|mister|dear|my name|sorry) "
)


def greets(keys: Words) -> bool:
    """Whether a sentence begins with a greeting, thanks, a name of one's own or a pardon."""
    return _GREETS.match(" ".join(keys) + " ") is not None


_RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_COUNTED = re.compile(
    rf"(?:(?:and|so|now|then|my|the|our) )*(?P<rank>{'|'.join(_RANKS)})(?:ly| of all)? "
    r"(?!time|day|night|year|week|month|half|floor|hand|world|and)(?P<next>[a-z]+ )?(?P<is>is|was)?"
)


def counts_off(keys: Words) -> int | None:
    """Which of some points a sentence begins, from 0; None where it begins none."""
    text = " ".join(keys) + " "
    found = _COUNTED.match(text)
    if found is None:
        return None
    bare = text.split(" ", 1)[0].removesuffix("ly") in _RANKS
    if not bare and found["is"] is None and (found["next"] or "").strip() not in ("is", "was"):
        return None
    return _RANKS.index(found["rank"])


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
    if at >= len(keys) or keys[at] not in _ASKS:
        return False
    if not _HOSTILE.isdisjoint(keys) or not _SAID.isdisjoint(keys):
        return False
    if keys[at] != "why" and _FOR_ALL.isdisjoint(keys):
        return False
    return _NO_QUESTION.search(" ".join(keys)) is None


# --- Not this but that -----------------------------------------------------------------------

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
_NOT = frozenset(("not", "never"))
_DOES = frozenset(("do", "does", "did"))
_LONGEST_ANSWER = 24
_LEAST_ALIKE = 3


def answers(first: Words, second: Words) -> int:
    """With how many words two sentences begin alike, where only one of them denies; else 0."""
    if max(len(first), len(second)) > _LONGEST_ANSWER or second[:1] == ["or"]:  # both hold
        return 0
    one, other = (_spelled_out(keys) for keys in (first, second))
    if _NOT.isdisjoint(one) == _NOT.isdisjoint(other):
        return 0
    denial = one if not _NOT.isdisjoint(one) else other
    denies = min(denial.index(word) for word in _NOT if word in denial)
    does = denies == 1 or denial[denies - 1] in _DOES
    one, other = (_without_denial(keys) for keys in (one, other))
    alike = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        alike += 1
    least = _LEAST_ALIKE - (does and _HEDGES.isdisjoint(one[:2]))
    is_whole = alike == min(len(one), len(other))
    return alike if alike >= max(least, denies - does) and not is_whole else 0


def _without_denial(keys: Words) -> list[str]:
    """The words without "not" and the "do" before it: "we do not go" is "we go"."""
    denied = [at for at, key in enumerate(keys) if key in _NOT]
    left_out = {*denied, *(at - 1 for at in denied if at and keys[at - 1] in _DOES)}
    return [key for at, key in enumerate(keys) if at not in left_out]


def _spelled_out(keys: Words) -> list[str]:
    """The words without short forms and what only joins them: "and it isnt" is "it is not"."""
    words = " ".join(_SHORT.get(key, key) for key in keys).split()
    while words and words[0] in _JOINERS:
        words = words[1:]
    return words


# --- Three times the same start --------------------------------------------------------------

_JOINERS = frozenset("and or but".split())
_WEAK_STARTS = frozenset("a an the it that this he she they there you".split())
_STUMBLING = frozenset("um uh er sorry well like okay ok right yeah yes so".split())
_UNSURE = frozenset("forgot mean think guess know suppose believe hope am was were had".split())
_SHORTEST, _LONGEST, _MOST_APART = 2, 8, 3


def is_triad(pieces: Sequence[Words]) -> bool:
    """Whether three clauses start alike on purpose: no false starts, no list of denials."""
    cut = [piece[1:] if len(piece) > 1 and piece[0] in _JOINERS else piece for piece in pieces]
    lengths = [len(piece) for piece in cut]
    if min(lengths) < _SHORTEST or max(lengths) > _LONGEST:
        return False
    if max(lengths) - min(lengths) > _MOST_APART or len({piece[0] for piece in cut}) > 1:
        return False
    words = {key for piece in cut for key in piece}
    if not words.isdisjoint(_DENIALS | _STUMBLING):
        return False
    return _moves_on(cut) and _are_alike(cut)


def _moves_on(pieces: Sequence[Words]) -> bool:
    """Whether no clause only takes up another: "it was, it was late"."""
    return not any(a is not b and set(a) <= set(b) for a in pieces for b in pieces)


def _are_alike(pieces: Sequence[Words]) -> bool:
    seconds = {piece[1] for piece in pieces}
    if pieces[0][0] in ("i", "we", "you"):
        deeds = all(second in _DID or second.endswith("ed") for second in seconds)
        return deeds or (len(seconds) == 1 and seconds.isdisjoint(_UNSURE))
    return len(seconds) == 1 or pieces[0][0] not in _WEAK_STARTS


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
    "go": "out outside home back and to",
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
_SOON = re.compile(
    r"\b(?:today|tonight|tomorrow|(?:this|next) (?:week|weekend|month|year|time)|before you|now)\b"
)


def soon(keys: Words) -> tuple[int, int] | None:
    """Where a request says when, None where it does not."""
    return next(iter(_found(_SOON, keys)), None)


def request_in(clauses: Sequence[Words]) -> tuple[int, int] | None:
    """The clause of a sentence, and the word in it, with which the request to the listeners begins.

    None where they are not: each clause before it must set the scene or be a request itself.
    """
    keys = [key for clause in clauses for key in clause]
    if not REPORTING.isdisjoint(keys) or _TOLD.search(" ".join(keys)):
        return None
    for number, clause in enumerate(clauses):
        at = _verb_of(clause)
        if at is not None:
            return number, at
        if not _sets_the_scene(clause):
            return None
    return None


def _verb_of(clause: Words) -> int | None:
    """The index of the verb of a request, or of what denies it: "do not put"; None where the clause
    is none.
    """
    at = 0
    while at < len(clause) and clause[at] in _LEADS:
        at += 1
    rest = " ".join(clause[at:]) + " "
    if (found := _INVITING.match(rest)) is not None:
        verb = at + rest.count(" ", 0, found.end())
        return verb if _is_action(clause, verb) else None
    begins = at
    for start in ("lets ", "let us ", "do not ", "dont ", "never ", "let us not "):
        if rest.startswith(start):
            at += start.count(" ")
            break
    asked = "please" in clause[:at] and at + 1 < len(clause) and clause[at] in IMPERATIVES
    if asked and _NO_ACTION.isdisjoint(clause[at + 1 : at + 4]):
        return begins
    return begins if _is_action(clause, at) else None


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
