"""The words that the rules go by. Each list is the one place for its words.

English first; of other languages the words that bind and permit, so that types come out alike.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from veridical.sources.patterns import lazy
from veridical.text.lexicon import any_of, english
from veridical.text.tokens import prepare, tokenize
from veridical.validation.lexicon import NEGATIONS, NUMBERS, RESTRICTIONS


@cache
def _tables() -> dict[str, str]:
    text = Path(__file__).with_name("phrases.txt").read_text("utf-8").strip()
    tables = (part.split("\n") for part in text.split("\n\n"))
    return {name.strip("[]"): "|".join(lines).replace(" ", r"\ ") for name, *lines in tables}


def phrases(name: str) -> str:
    """A table of `phrases.txt` as a pattern of any of them, to be put in a group."""
    return _tables()[name]


FINITE_VERBS = english("be", "have", "do", "modals", "clause-verbs")
"""Verbs by which a group of words is told to be a sentence, or a clause that can stand alone."""

AUXILIARIES = english("be", "have", "do", "modals") - {"am"} | {"cannot"}

LIMITS = lazy(rf"\b(?:{phrases('limits')})\b", re.IGNORECASE)
"""Words that tie the halves of a sentence together, or may: with one of them it stays whole."""

LEADING = english("clause-openers")
"""Words at the start of a clause that may hold for all that follows."""

ANAPHORS = english("anaphors")
"""Words that refer to what was said before, at the start of a sentence."""

BACKWARD = frozenset("it it's its they their them this these such same latter former".split())
"""Those of them that do so near its start as well; "that" and "who" need not."""

OBLIGATION = lazy(
    rf"\b(?:{phrases('obligations')})\b|必须|必須|须|不得|禁止|必要|なければ|يجب|ممنوع",
    re.IGNORECASE,
)
"""Obligations, prohibitions and rights."""

PERMISSION = lazy(
    rf"\b(?:{phrases('permissions')})\b|\bmay\b(?! \d)|可以|可|يجوز|يحق", re.IGNORECASE
)
"""What may or should be done, and who decides."""

DEFINITION = lazy(
    r"""(?!(?:this|that|which|it|these|those|what)\b)(?:\W*\w[^.;:]{0,120}?)
    (?:\b(?:means|is\ defined\ as|are\ defined\ as|refers?\ to|denotes?|stands\ for|
    is\ the\ term\ for|bezeichnet|bedeutet|d\u00e9signe|signifie|significa|se\ refiere\ a)\b
    |\u662f\u6307|\u6307\u7684\u662f|\u3068\u306f|\u064a\u0642\u0635\u062f)""",
    re.VERBOSE | re.IGNORECASE,
)

_COUNTED = "|".join([*NUMBERS][2:]) + "|hundred|thousand|million"
_NUMBER_WORD = (
    rf"(?:one|half|{_COUNTED}|zwei|drei|vier|f\u00fcnf|sechs|zehn|zw\u00f6lf|deux|trois|"
    r"quatre|cinq|dix|douze|dos|tres|cuatro|cinco|diez|doce)"
)
_UNIT = (
    r"(?:(?:calendar|business|working|full|consecutive|additional|paid|unpaid)[ -])*"
    rf"(?:(?:{any_of('periods')})s?|percent|times|"
    r"per\ cent|euros?|dollars?|pounds?|cents?|km|kilomet(?:er|re)s?|miles?|kg|tagen?|wochen?|"
    r"monaten?|monate|jahren?|stunden?|prozent|jours?|semaines?|mois|ans?|heures?|d\u00edas?|"
    r"semanas?|mes(?:es)?|a\u00f1os?|horas?)"
)
AMOUNT = lazy(
    rf"""(?=\d)(?<!section\ )(?<!sections\ )(?<!clause\ )(?<!article\ )(?<!form\ )(?<!page\ )
    (?<!chapter\ )(?<!version\ )(?<!step\ )(?<!annex\ )(?<!appendix\ )(?<!table\ )(?<!level\ )
    (?<!part\ )(?<!paragraph\ )(?<!rule\ )(?<!policy\ )(?<!no\.\ )(?<!\u00a7\ )(?<!\u00a7)
    (?<![\w.,/-])\d
    |[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341][\u5929\u65e5\u5e74\u6708\u5468\u9031]
    |(?<=[\u3040-\u9fff])\d|[$\u20ac\u00a3\u00a5]\s?\d
    |\b{_NUMBER_WORD}[ -]{_UNIT}\b|\bonce\ (?:a|per)\b|\btwice\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""An amount, a date, a rate: digits that are no section's number, or number words with a unit."""

COUNT = lazy(rf"\b(?:{_COUNTED})\b", re.IGNORECASE)
"""A number in words, of whatever is counted."""

MONEY = lazy(
    r"""[$\u20ac\u00a3\u00a5\u20b9]\s?\d|(?<![\d.,])\d[\d.,]*+\s?(?:[$\u20ac\u00a3\u00a5\u20b9]|
    (?:EUR|USD|GBP|CHF|JPY|euros?|dollars?|pounds?|yen|francs?|\u5143|\u5186|\u00a3)(?!\w))
    |\b(?:EUR|USD|GBP|CHF|JPY)\s?\d""",
    re.VERBOSE,
)

DEADLINE = lazy(
    rf"""\b(?:deadline|due\ (?:date|by|on|within)|no\ later\ than|not\ later\ than|at\ the\ latest|
    in\ advance|expires?|by\ (?:the\ (?:end|first|last)|\d{{1,2}}|{any_of("months")}|monday|friday)|
    within\ (?:\d+|{_NUMBER_WORD}|the\ first)|(?:\d|{_UNIT}|{_NUMBER_WORD})\ (?:before|prior\ to)|
    frist|innerhalb|sp\u00e4testens|d\u00e9lai|plazo)\b|\u63d0\u524d|\u4ee5\u5185|\u671f\u9650|\u4ee5\u5185""",
    re.VERBOSE | re.IGNORECASE,
)

GRAVE = lazy(rf"\b(?:{phrases('grave')})\b", re.IGNORECASE)
"""Words of law, medicine and safety."""

ASIDE = lazy(rf"\W*(?:{phrases('asides')})", re.IGNORECASE)

CONCLUSION = lazy(rf"\W*(?:{phrases('conclusions')})\b", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def words_of(text: str, most: int = 10_000) -> list[str]:
    """The first words of a text, lower case, apostrophes straight."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))[:most]


_ASKING = frozenset("how what when where which who why whether".split())


def has_verb(text: str) -> bool:
    """Whether a group of words has one of the verbs that make it a sentence."""
    return not FINITE_VERBS.isdisjoint(words_of(text, 200))


def is_statement(text: str) -> bool:
    """Whether a line states something, as opposed to naming it: "What is covered" does not."""
    words = words_of(text, 200)
    if len(words) < 3 or words[0] in _ASKING:
        return False
    return not FINITE_VERBS.isdisjoint(words[1:])


_NOT_STATING = _ASKING | frozenset(
    "if unless because since although though while before after until once as to that for".split()
)
_RELATIVE = english("questions") | {"that", "if"}
_SUBJECTS = english("subjects") - {"it"}
_BARE_FORMS = english("bare-verbs")
"""Verbs that may be nouns, infinitives or commands: in a heading they prove nothing."""

_SURE_VERBS = FINITE_VERBS - _BARE_FORMS
_BEFORE_MONTH = frozenset("in of to from by since until till for early late mid and or".split())


def is_full_statement(title: str) -> bool:
    """Whether a heading is a whole sentence, with its subject and a verb that can be nothing else:
    "Dogs are allowed at desks", not "Documents you need", "Things to do" or "Leave in May".
    """
    words = words_of(title, 60)
    if len(words) < 3 or words[0] in _NOT_STATING or words[0] in FINITE_VERBS:
        return False
    verbs = [
        at
        for at in range(1, len(words) - 1)
        if words[at] in _SURE_VERBS
        and words[at - 1] != "to"
        and (words[at] != "may" or words[at - 1] not in _BEFORE_MONTH)
    ]
    if not verbs:
        return False
    first = verbs[0]
    if _RELATIVE.isdisjoint(words[:first]) and (first == 1 or words[first - 1] not in _SUBJECTS):
        return True
    return any(
        at > first + 1 for at in verbs
    )  # "Staff who are ill must call": the second is its own


def tokens(text: str) -> list[str]:
    """The words, numbers and signs of a text in the form in which they are compared."""
    return [token.key for token in tokenize(prepare(text))]


LOADED = NEGATIONS | RESTRICTIONS | frozenset("until before after but when while".split())
"""Words that turn or narrow what stands beside them."""


def is_loaded(words: str) -> bool:
    """Whether one of some words turns or narrows what stands beside it."""
    return not LOADED.isdisjoint(tokens(words))
