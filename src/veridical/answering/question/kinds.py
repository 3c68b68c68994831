"""What a question asks for: its kind, and the type of thing that an answer must name."""

from __future__ import annotations

import re
from enum import StrEnum

from veridical.text.lexicon import any_of


class QuestionKind(StrEnum):
    """How a question is put."""

    HOW_MUCH = "how_much"
    HOW_MANY = "how_many"
    HOW_LONG = "how_long"
    HOW_OFTEN = "how_often"
    WHEN = "when"
    WHO = "who"
    WHERE = "where"
    WHY = "why"
    HOW = "how"
    WHAT = "what"
    YES_NO = "yes_no"
    KEYWORDS = "keywords"
    """No question in form: some words, or another language."""


class Wanted(StrEnum):
    """The type of thing without which a sentence is no answer."""

    MONEY = "an amount of money"
    DURATION = "a length of time"
    SHARE = "a percentage"
    NUMBER = "a number"
    QUANTITY = "an amount"
    FREQUENCY = "how often"
    TIME = "a time or deadline"
    PERSON = "a person or function"
    PLACE = "a place"
    CONTACT = "an address or number to contact"
    RULING = "a rule that says yes or no"
    REASON = "a reason"
    NAME = "a name"
    DATE = "a date or day"
    CLOCK = "a time of day"
    PERSON_NAME = "the name of a person"
    WAY = "a way to do it"


_MODAL = rf"(?:{any_of('be', 'do', 'have', 'modals')}|isn't|aren't|don't|doesn't|can't|won't)"
_KINDS = (
    (QuestionKind.HOW_MANY, r"\bhow many\b"),
    (QuestionKind.HOW_LONG, (r"\bhow (?:long|soon|quickly|promptly|much (?:time|notice|warning)|"
                             r"fast (?:must|should|do|does|did|will|have))\b")),
    (QuestionKind.HOW_OFTEN, r"\bhow (?:often|frequently|many times)\b"),
    (QuestionKind.HOW_MUCH, r"\bhow (?:much|large|big|high|far|expensive)\b"),
    (
        QuestionKind.WHEN,
        rf"(?:^|[,;:.?!]\s*|\b(?:and|by|until|from|since)\s+)when\b(?=\s+{_MODAL}\b)|^when\b",
    ),
    (QuestionKind.WHEN, r"\b(?:at|by|until|on) what (?:time|date)\b|\bwh(?:at|ich) (?:date|day)\b"),
    (QuestionKind.WHO, (rf"(?:^|[,;:.?!]\s*|\b(?:and|to|by|with|from|for)\s+)who(?:m|se)?\b|"
                       rf"\bwho(?:m|se)?\s+{_MODAL}\b")),
    (QuestionKind.WHERE, rf"^where\b|\bwhere\s+{_MODAL}\b"),
    (QuestionKind.WHY, r"^why\b|\bwhy (?:is|are|do|does|did|was|were|must|should)\b"),
    (QuestionKind.HOW, rf"^how\b|\bhow\s+(?:{_MODAL}|to)\b"),
    (QuestionKind.WHAT, r"\b(?:what|what's|which)\b"),
    (
        QuestionKind.YES_NO,
        (rf"(?:^|[,;:.?!]\s*){_MODAL}\s+\w+.*\?|^{_MODAL}\s+"
        r"(?:i|we|you|they|he|she|it|the|an?|my|our|there|employees|staff)\b"),
    ),
    (QuestionKind.HOW, (r"^(?!tell|give|show|explain|name|list|describe|say)[a-z]+"
                        r"(?: (?:up|in|out|on|off|for|to))? (?:my|an?|the|your|our) [^?]*\?$")),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)

_FUNCTIONS = (
    r"(?:directors?|officers?|managers?|heads?|leads?|leaders?|advis[eo]rs?|president|chair(?:man|"
    r"woman|person)?|ceo|cfo|cto|secretary|supervisors?|boss|partners?|coordinators?|counsel|"
    r"keepers?|representatives?|owners?|trustees?|members?|investigators?)"
)
_OF_WHAT = (
    (
        Wanted.PERSON_NAME,
        (
            rf"\bwhat(?:'s| is| are) the names? of (?:[\w-]+ ){{0,5}}{_FUNCTIONS}\b|"
            rf"\bwho(?:'s| is| are) (?:the|our|my|your) (?:[\w-]+ ){{0,4}}{_FUNCTIONS}"
            r"(?: of (?:[\w-]+ ?){1,4})?\s*\?*$"
        ),
    ),
    (Wanted.SHARE, r"\bwh(?:at|ich) (?:percentage|percent|proportion|share|fraction)\b"),
    (
        Wanted.NAME,
        (
            r"\b(?:which|what) (?:countries|country|cities|city|states)\b|"
            r"\b(?:which|what) (?:[\w-]+ ){0,3}(?:bank|insurer|brand|make|product|vendor|provider|"
            r"manufacturer|airline|firm|supplier|software|tool|app|password manager)s?\b|"
            r"\bwhat(?:'s| is| are) the names? of\b|\bwho is (?:the|our) (?:[\w-]+ ){0,3}by name\b"
        ),
    ),
    (Wanted.MONEY, r"\bwhat (?:does|do|did|will|would) .{1,60}\b(?:cost|costs)\b"),
    (Wanted.MONEY, r"\bwhat (?:amount|sum)\b(?! of)"),
    (Wanted.QUANTITY, r"\bwhat (?:amount|sum|value|speed|size|temperature|age|weight)\b"),
    (
        Wanted.DATE,
        r"\b(?:by|until|on|from|since)? ?(?:what|which) (?:day|date|month)s?\b",
    ),
    (
        Wanted.CLOCK,
        (
            r"\b(?:at|by|until|from) (?:what|which) time\b|"
            r"\bwhat(?:'s| is| are) the (?:[\w-]+ ){0,2}(?:hours|times)\b"
        ),
    ),
    (Wanted.DURATION, r"\bhow (?:far|much|long) (?:in advance|ahead|before)\b"),
    (Wanted.DURATION, r"\bhow much (?:\w+ ){0,2}(?:leave|vacation|holiday|pto|time off|time)\b"),
    (
        Wanted.MONEY,
        (
            r"\bhow (?:much|expensive|high|large)\b.*\b(?:costs?|money|pay|paid|price|fee|charged?|"
            r"worth|bonus|allowance|compensation|claim|spend|salary|tuition|fine|budget|stipend|"
            r"reimbursed?|repaid|ransom|fund|contribute|benefit)\b|"
            r"\bwhat(?:'s| is| are)? (?:the |my |our )?(?:[\w-]+ ){0,4}"
            r"(?:allowance|budget|stipend|price|cost|fee|fine|per diem|"
            r"(?:mileage|hourly|hotel) rate)\b|"
            r"\bwhat(?:'s| is| are)? (?:the |my |our )?(?:[\w-]+ ){0,4}"
            r"(?:discount|bonus|salary|premium|wage|deductible|fare|reward|fines?)\b"
            r"(?! (?:review|band|structure|policy|process|scheme|plan|system|cycle|date|payment))"
        ),
    ),
    (Wanted.QUANTITY, r"\bhow (?:much|large|big|high|far|expensive)\b"),
    (
        Wanted.CONTACT,
        (
            r"\b(?:phone|telephone|fax|extension|hotline) number\b|\be-?mail address\b|"
            r"\bwhat (?:is|'s)? ?(?:the )?(?:\w+ )?(?:e-?mail|url|web address|hotline)\b"
        ),
    ),
    (
        Wanted.TIME,
        (
            r"\bwhat(?:'s| is| are)? (?:the |my |our )?(?:\w+ ){0,3}"
            r"(?:deadline|due date|cut-?off|date)\b"
        ),
    ),
    (
        Wanted.DURATION,
        (
            r"\bwhat(?:'s| is) (?:the |my |our )?(?:[\w-]+ ){0,4}"
            r"(?:notice period|retention period|probation(?:ary)? period|time limit|duration)\b"
        ),
    ),
    (
        Wanted.QUANTITY,
        (
            r"\bwhat(?:'s| is| are) (?:the |my |our )?(?:[\w-]+ ){0,4}"
            r"(?:amount|age|limit|maximum|minimum|cap|ceiling|threshold|allowance|budget|stipend|price|"
            r"cost|fee|(?:mileage|accrual|per diem|hourly|daily) rate)\b"
        ),
    ),
)
_WANTED = tuple((wanted, re.compile(pattern)) for wanted, pattern in _OF_WHAT)

_BY_KIND = {
    QuestionKind.HOW_MUCH: Wanted.QUANTITY,
    QuestionKind.HOW_MANY: Wanted.NUMBER,
    QuestionKind.HOW_LONG: Wanted.DURATION,
    QuestionKind.HOW_OFTEN: Wanted.FREQUENCY,
    QuestionKind.WHEN: Wanted.TIME,
    QuestionKind.WHO: Wanted.PERSON,
    QuestionKind.WHERE: Wanted.PLACE,
    QuestionKind.WHY: Wanted.REASON,
    QuestionKind.YES_NO: Wanted.RULING,
}

_BY_KEYWORD = (
    (Wanted.CONTACT, re.compile(r"\b(?:phone|telephone|extension) number\b|\be-?mail address\b")),
    (Wanted.DURATION, re.compile(r"\b(?:notice|retention|probation|waiting) period\b")),
    (Wanted.TIME, re.compile(r"\b(?:deadline|due date)\b")),
    (Wanted.QUANTITY, re.compile(r"\b(?:limit|rate|budget|allowance|fee|price|cost|amount)s?\b")),
)

_COUNTED = re.compile(r"\bhow many (?P<what>[^\W\d_]+(?: [^\W\d_]+){0,3})")


def kind_of(plain: str) -> QuestionKind:
    """The kind of a question in lower case with plain apostrophes: the first that fits."""
    return next(
        (kind for kind, pattern in _COMPILED if pattern.search(plain)), QuestionKind.KEYWORDS
    )


_TO_DO = re.compile(
    r"\bhow (?:do|can|could|should|may|must|would|shall) (?:i|we|you|one|employees|staff)\b|"
    r"\bhow to\b|^(?!.*\bhow\b)"
)
_TO_CALL = re.compile(
    r"\bwhom? (?:can|do|should|must|may|could) (?:i|we) (?:call|phone|ring|dial)\b"
)


def wanted_by(plain: str, kind: QuestionKind) -> Wanted | None:
    """The type of thing an answer must name; None where anything may answer."""
    if kind is QuestionKind.HOW:
        return Wanted.WAY if _TO_DO.search(plain) else None
    if kind is QuestionKind.WHO and _TO_CALL.search(plain):
        return Wanted.CONTACT
    if kind is QuestionKind.WHO and _WANTED[0][1].search(plain):
        return Wanted.PERSON_NAME
    if kind in (QuestionKind.HOW_MUCH, QuestionKind.WHAT, QuestionKind.WHEN):
        for wanted, pattern in _WANTED:
            if pattern.search(plain):
                return wanted
    if kind is QuestionKind.KEYWORDS:
        return next((wanted for wanted, words in _BY_KEYWORD if words.search(plain)), None)
    return _BY_KIND.get(kind)


def counted_in(plain: str) -> tuple[str, ...]:
    """The words after "how many", of which one says what is counted."""
    found = _COUNTED.search(plain)
    return tuple(found["what"].split()) if found else ()
