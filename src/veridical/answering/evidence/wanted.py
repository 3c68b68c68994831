"""Does a sentence name the type of thing that is asked for?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.answering.question.asked import AskedQuestion
from veridical.answering.question.kinds import Wanted
from veridical.judging.words import FUNCTION_WORDS, stem
from veridical.text.lexicon import any_of, english
from veridical.validation.lexicon import NUMBERS

_NUMBER_WORD = "|".join([*NUMBERS][1:]) + (
    "|hundred|thousand|once|twice|half|dozen|no limit|unlimited|none|no more|single|both"
)
_NUMERAL = rf"(?:\d[\d.,]*|\b(?:{_NUMBER_WORD})\b)"
_PERIOD = (
    rf"(?:(?:{any_of('periods')}|night)s?|mins?|hrs?|half-days?|"
    r"(?:working|business|calendar) days?)"
)
_EXTENT = (
    rf"{_NUMERAL}\s(?:characters?|letters?|digits?|words?|lines?|pages?|minutes?|met(?:re|er)s?|"
    r"feet|inch(?:es)?|miles?|kilomet(?:re|er)s?|cm|mm|km)\b"
)
_CURRENCY = (
    r"(?:[$\u20ac\u00a3\u00a5]\s?\d|\d[\d.,]*\s?(?:[$\u20ac\u00a3\u00a5]|dollars?|euros?|pounds?|"
    r"cents?|pence|usd|eur|gbp|chf|francs?)\b|\b(?:usd|eur|gbp|chf)\s?\d)"
)
_SHARE = r"\d\s?(?:%|percent\b|per cent\b)|\b(?:half|third|quarter|full pay|all of)\b"
_COSTLESS = r"\b(?:free of charge|at no cost|no charge|actual costs?|in full|no limit|unlimited)\b"
_DAY = rf"\b(?:{any_of('months', 'weekdays')}|weekdays?|weekends?)\b"
_DURATION = (
    rf"{_NUMERAL}(?:[\s-]|&nbsp;)*(?:\w+[\s-]){{0,2}}{_PERIOD}\b|\b(?:an?|each|same) {_PERIOD}\b|"
    r"\bimmediately\b|\bpermanent(?:ly)?\b|\bindefinite(?:ly)?\b|\bno longer than\b"
)
_PATTERNS = {
    Wanted.MONEY: rf"{_CURRENCY}|{_SHARE}|{_COSTLESS}|\b(?:base|full) (?:pay|salary)\b",
    Wanted.DURATION: rf"{_DURATION}|{_EXTENT}|\b(?:at once|same day|no (?:deadline|time limit))\b",
    Wanted.SHARE: _SHARE,
    Wanted.NUMBER: _NUMERAL,
    Wanted.QUANTITY: rf"{_NUMERAL}|{_COSTLESS}",
    Wanted.FREQUENCY: (
        r"\b(?:every|each|per|once|twice|times? an?)\b|"
        r"\b(?:annual|month|week|dai|quarter|year)ly\b|"
        rf"\bannual(?:ly)?\b|\bdaily\b|{_NUMERAL} times\b|\balways\b|\bnever\b|\bregularly\b"
    ),
    Wanted.TIME: (
        rf"{_DURATION}|{_DAY}|\d{{1,2}}[:.]\d\d|\b\d{{1,2}} ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|"
        r"\b(?:before|after|by|until|within|once|when|whenever|as soon as|during|at the end|on the|"
        r"if|upon|from|start|end|same|next|first|last|annual(?:ly)?|daily|deadline|only)\b|\b\d{4}\b"
    ),
    Wanted.PERSON: (
        r"\b(?:managers?|teams?|officers?|heads?|directors?|employees?|staff|everyone|anyone|"
        r"nobody|people|persons?|departments?|committees?|board|hr|human resources|desk|leads?|"
        r"supervisors?|contractors?|colleagues?|members?|partners?|owner|administrators?|"
        r"executives?|counsel|security|finance|payroll|council|contacts?|leaders?|interns?|candidates?|"
        r"workers?|you|we|chief|office)\b|@|[a-z],? [A-Z][a-z]+ [A-Z][a-z]+"
    ),
    Wanted.PLACE: (
        r"https?:|www\.|\b(?:offices?|portal|page|site|intranet|systems?|rooms?|building|floor|drive|"
        r"folder|app|desk|reception|depot|canteen|home|abroad|archive|safe|register|tool|form|handbook|"
        r"website|channel|locker|cabinet|box|list|guide|policy|appendix|annex|extension|e-?mail|team|"
        r"(?i:in|at|to|from)\s(?:the\s|our\s|your\s|every\s)?[A-Z]\w+)\b"
    ),
    Wanted.CONTACT: (
        r"@\w|https?:|www\.|\d[\d ()/-]{5,}\d|\b(?:extension|ext\.?|hotline|dial|call|phone|tel)\b"
        r".{0,20}\d|\b(?:call|phone|ring|dial)s? the\b"
    ),
    Wanted.WAY: (
        r"\b(?:must|should|please|ask\w*|tells?|told|forms?|request\w*|sends?|sent|fill\w*|submit\w*|"
        r"hand(?:s|ed)?|portal|tool|app|via|through|contact\w*|call\w*|write|writes|written|enter(?:s|ed)?|"
        r"appl(?:y|ies|ied)|applications?|orders?|ordered|book(?:s|ed)?|sign(?:s|ed)?|report\w*|notif\w+|"
        r"inform\w*|agreed?|decide[sd]?|clicks?|button|e-?mail\w*|visit|select|choose|"
        r"follow|reach out|can|need|use|find|join|add|create|start|get|see|check|set up|talk|"
        r"go to)\b|https?:|@"
    ),
    Wanted.RULING: (
        r"\b(?:must|may|can|cannot|can't|should|shall|will|need|needs|required?|allowed?|permitted|"
        r"prohibited|forbidden|never|not|no|only|always|is|are|does|do|entitled|eligible|covers?|"
        r"counts?|applies|apply|has|have|any|all|every|mandatory|optional|includes?|excludes?)\b"
    ),
    Wanted.DATE: (
        rf"{_DAY}|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:week|day|month) \d|"
        r"\b(?:first|last|second|third) "
        r"(?:working |business )?day\b|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2}"
    ),
    Wanted.CLOCK: (
        r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|a\.m|p\.m|o'clock)|\b(?:noon|midnight)\b"
    ),
    Wanted.REASON: (
        r"\b(?:because|since|so that|in order to|to|due to|reasons?|therefore|helps?|ensures?|"
        r"otherwise|as|purpose|means|protects?|why)\b"
    ),
}
_COMPILED = {
    wanted: re.compile(pattern, re.IGNORECASE if wanted is not Wanted.PERSON else 0)
    for wanted, pattern in _PATTERNS.items()
}

STRICT = frozenset(
    {
        Wanted.MONEY, Wanted.DURATION, Wanted.SHARE, Wanted.NUMBER, Wanted.QUANTITY,
        Wanted.CONTACT, Wanted.NAME, Wanted.DATE, Wanted.CLOCK, Wanted.PERSON_NAME,
    }
)  # fmt: skip
"""Types that can be seen in a text with certainty: without them there is no answer."""

_SAID_BY_TYPE = {
    Wanted.MONEY: "amount sum money cost costs price rate worth value",
    Wanted.QUANTITY: "amount sum value size number much",
    Wanted.SHARE: "share percentage percent proportion part",
    Wanted.NUMBER: "number",
    Wanted.DURATION: "time period long length duration advance",
    Wanted.TIME: "time date deadline moment",
    Wanted.DATE: "date day month week year",
    Wanted.CLOCK: "time hour hours",
    Wanted.CONTACT: "phone telephone fax number extension email address contact",
    Wanted.NAME: "name names called",
    Wanted.PERSON_NAME: "name names called",
    Wanted.PERSON: "person people name",
    Wanted.PLACE: "place location",
}


def said_by_type(asked: AskedQuestion) -> list[bool]:
    """Which words of a question only say the type of what is asked for ("the phone number of"):
    a sentence that names such a thing need not have them.
    """
    words = _SAID_BY_TYPE.get(asked.wanted, "").split() if asked.wanted else []
    return [word.casefold() in words for word in asked.words]


TYPE_MET = 0.9
"""What a word counts for that a thing of the type stands for."""

_PERIODS = english("periods") | {"night"}
_COUNT = re.compile(rf"{_NUMERAL}\+?(?P<what>(?:[\s,/-]+[^\W\d_]+){{1,4}})", re.IGNORECASE)


def names_wanted(asked: AskedQuestion, text: str, head: str = "") -> bool:
    """Whether a sentence names a thing of the type asked for; of no type, any sentence does.

    A number must count what is asked for: a word of `asked.counted` stands after it, or above it
    in the `head` of its table. Times may be told in other units than those asked for.
    """
    if asked.wanted is None:
        return True
    if asked.wanted in STRICT and _ELSEWHERE.search(text):
        return False
    if asked.wanted is Wanted.NAME:
        return _has_name(asked, text)
    if asked.wanted is Wanted.PERSON_NAME:
        return _has_person(asked, text)
    if asked.wanted in _AMOUNTS:
        text = _NO_AMOUNT.sub(" ", text)
    if asked.wanted is Wanted.NUMBER and asked.counted:
        return _counts(asked.counted, text, head)
    return _COMPILED[asked.wanted].search(text) is not None


_ELSEWHERE = re.compile(
    r"\b(?:whose \w+|the list|which) (?:[\w']+ ){0,4}?"
    r"(?:sets?|decided?|decides|published|listed|kept)\b"
    r"|\bwhat (?:it|is|they|we) .{0,40}\bis (?:described|said|set out|explained)\b"
    r"|\bwithin the (?:time|period|limits?) set\b",
    re.IGNORECASE,
)
"""Says that what is asked for is told somewhere else, or decided by somebody."""

_AMOUNTS = frozenset({Wanted.NUMBER, Wanted.QUANTITY})
_NO_AMOUNT = re.compile(
    r"\b(?:section|form|step|page|version|extension|room|chapter|clause|article)s? [A-Z]?-?\d+"
    r"(?:\.\d+)*|\b\d{1,2}:\d\d(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?",
    re.IGNORECASE,
)
"""Numbers that name a place or a time of day: they are no amounts."""

_MEASURES = frozenset({Wanted.MONEY, Wanted.DURATION, Wanted.SHARE, Wanted.NUMBER, Wanted.QUANTITY})
_MEASURED = re.compile(
    rf"\b(?:lasts?|takes?|runs?|is|are|within|up to|at least|at most)\b "
    rf"(?:(?:up to|at least|at most|about|approx\.?|for|only|a|an) ){{0,2}}{_NUMERAL}",
    re.IGNORECASE,
)
_FIRM = {
    Wanted.TIME: re.compile(
        rf"{_DURATION}|{_DAY}|\d{{1,2}}:\d\d|\b\d{{1,2}} ?(?:am|pm|a\.m|p\.m)", re.IGNORECASE
    ),
    Wanted.PERSON: re.compile(
        r"\b(?:Head|Director|Officer|Board|Committee|Counsel|Lead|Partner|Desk|Coordinator|Council|"
        r"[Mm]anagers?|[Ss]upervisors?|[A-Z]\w+ (?:team|office))\b"
    ),
    Wanted.PLACE: re.compile(
        r"\b(?:at|in|to|from|into|on|under)\s(?:(?:the|our|your|every|each|any|a)\s)?(?:[\w.-]+\s){0,2}"
        r"(?:offices?|reception|rooms?|portal|intranet|desk|building|floor|page|site|drive|folder|"
        r"system|app|depot|canteen|archive|safe|register|website|channel|locker|cabinet|box)\b"
        r"|\broom \d|https?:",
        re.IGNORECASE,
    ),
}
"""What names a thing of a type beyond doubt, for types that hang on small words otherwise."""

_LASTING = re.compile(
    r"\bhow long (?:is|are|does|do|will|did|was)(?! (?:i|we|you)\b)", re.IGNORECASE
)
_LASTS = re.compile(r"\b(?:lasts?|takes?|runs? for)\b", re.IGNORECASE)


def says_directly(asked: AskedQuestion, text: str) -> float:
    """How directly a sentence says what is asked for, 0 to 2: it names it beyond doubt, or says in
    so many words how long or how much a thing is.
    """
    if asked.wanted in _FIRM:
        return float(_FIRM[asked.wanted].search(text) is not None)
    if asked.wanted not in _MEASURES or not _MEASURED.search(text):
        return 0.0
    return 2.0 if _LASTING.search(asked.text) and _LASTS.search(text) else 1.0


def says_none(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence speaks of there being none of what is measured ("no PTO is earned")."""
    if asked.wanted not in _MEASURES:
        return False
    stems = {stem(word.casefold()) for word in asked.words}
    return any(
        stem(word.casefold()) in stems
        for found in _NONE_OF.finditer(text)
        for word in found["what"].split()
    )


_NONE_OF = re.compile(r"\bno (?!more|later|less|longer|fewer)(?P<what>\w+(?: \w+)?)", re.IGNORECASE)

_PERSON = re.compile(r"\b[A-Z][a-z]+(?:[ -](?:[A-Z]\.|(?:van|von|de|di|la)\b|[A-Z][a-z']+)){1,3}")


def _has_person(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence has the name of a person beside the function that is asked for."""
    keys = {stem(word.casefold()) for word in asked.words} - {"name"}
    spoken = {stem(word.strip(".,:;()").casefold()) for word in text.split()}
    if not keys <= spoken:
        return False
    for found in _PERSON.finditer(text):
        words = found[0].split()
        if not any(word.casefold() in _NOBODY or stem(word.casefold()) in keys for word in words):
            return True
    return False


_CAPITAL = re.compile(r"(?<![.!?:\u2022*|] )(?<!^)(?<!\w)[A-Z][\w&-]*")
_OFFICES = frozenset(
    """
    desk team lead officer director manager head board committee finance people legal policy guide
    department office counsel council coordinator forum partner section human resources security
    service travel data executive hr it i
    """.split()
)
"""Capitalised words of functions and departments: they name nobody and no product."""

_NOBODY = (
    _OFFICES
    | english("articles", "months")
    | frozenset(
        """
        this in on at for all every each our your their no any if when company cooperative audit
        protection information learning member services payroll handbook management
        """.split()
    )
)
"""Words that stand in capitals beside each other and are no name of a person."""


def _has_name(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence has a proper name that the question does not have."""
    known = {word.casefold() for name in asked.names for word in name.split()}
    known.update(word.casefold() for word in asked.words)
    return any(word.casefold() not in _OFFICES | known for word in _CAPITAL.findall(text))


def _counts(counted: Sequence[str], text: str, head: str) -> bool:
    wanted = {stem(word) for word in counted if word not in FUNCTION_WORDS}
    if wanted & _PERIODS and _COMPILED[Wanted.DURATION].search(text):
        return True
    named = [word for found in _COUNT.finditer(text) for word in found["what"].split()]
    if head and _COMPILED[Wanted.NUMBER].search(text):
        named += head.split()
    stems = {stem(word.strip("|,/-").lower()) for word in named}
    return not wanted or not wanted.isdisjoint(stems)
