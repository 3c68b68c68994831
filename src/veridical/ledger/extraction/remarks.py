"""Sentences of an answer that claim nothing about the subject: why they are left out.

A remark must be nothing but a remark. Where a sentence has an amount, or goes on with "but", it is
taken for a claim: better a claim too many than one that nobody checked.
"""

from __future__ import annotations

import re

from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.words import (
    AMOUNT,
    LIMITS,
    OBLIGATION,
    PERMISSION,
    is_full_statement,
    is_statement,
    phrases,
    words_of,
)
from veridical.sources.patterns import lazy
from veridical.text.lexicon import english
from veridical.text.reading import QUESTION_MARKS

# What stands before a list and ends with a colon: does it only lead in, or state something
# itself?


_FLAGS = re.VERBOSE | re.IGNORECASE
_ADVERB = r"(?:(?:not|never|always|generally|usually|now|also|only|strictly|fully|both|all)\ )*"
_RULED = r"""(?:
    allowed|permitted|accepted|acceptable|welcome|legal|illegal|forbidden|prohibited|banned|required
    |mandatory|compulsory|obligatory|optional|included|covered
    )"""
_FOLLOWS = r"(?:[,;]?\ (?:as\ follows|namely|that\ is|i\.e\.|for\ example|e\.g\.|here))?"
_POINTS = r"""(?:the\ following|following|these|those|this|that|it|they|there|here|below|what|which
    |who|whoever|all|everything|anything|if|when|where|unless|whether|to)"""
_RULES_ON_SUBJECT = lazy(
    rf"""(?!{_POINTS}\b)(?:(?!\bfollowing\b)[^:;])*?\b(?!(?:that|which|who|what)\b)(?P<noun>[^\W\d_]+)
    \ (?:is|are|was|were|remains?)\ {_ADVERB}{_RULED}{_FOLLOWS}\W*""",
    _FLAGS,
)
"""A subject of its own and what is ruled of it: "Bribes are always allowed"."""

_RULING = r"""(?:
    allows?|permits?|accepts?|forbids?|prohibits?|bans?|grants?|requires?|demands?|may(?:\ not)?
    |must(?:\ not|n['\u2019]t)?|shall(?:\ not)?|cannot|can['\u2019]t
    |(?:is|are)\ (?:not\ )?(?:allowed|permitted|entitled|required|obliged|forbidden)\ to
    |ha(?:s|ve)\ (?:the\ right\ )?to
    )"""
_POINTER = r"(?:the\ following|these|those)\ "
_RULES_ON_OBJECT = lazy(
    rf"""(?!{_POINTS}\b)(?:(?!\bfollowing\b)[^:;])*?\b{_RULING}\ (?:[^\W\d_]+\ ){{0,4}}?
    {_POINTER}(?:[^\W\d_]+\ )?(?P<noun>[^\W\d_]+)\W*""",
    _FLAGS,
)
"""What is ruled of what the list names: "The handbook allows the following bribes"."""

_POINTER_AT_END = lazy(rf"\b{_POINTER}(?=(?:[^\W\d_]+\ )?[^\W\d_]+\W*$)", _FLAGS)
_FOLLOWS_AT_END = lazy(r"[,;]?\ as\ follows\W*$", _FLAGS)
_GENERAL = english("general-nouns")
"""Nouns that every list may go by: without it they say nothing."""


def states_itself(lead_in: str) -> bool:
    """Whether a lead-in says something whatever the list below it says."""
    found = _RULES_ON_SUBJECT().fullmatch(lead_in) or _RULES_ON_OBJECT().fullmatch(lead_in)
    return found is not None and found["noun"].lower() not in _GENERAL


def without_pointer(lead_in: str) -> str:
    """What a lead-in states, less its words for what follows: "The handbook allows bribes"."""
    return _FOLLOWS_AT_END().sub("", _POINTER_AT_END().sub("", lead_in))


_TURN = lazy(
    r"\b(?:but|however|although|though|yet|so|therefore|thus|hence|meaning|aber|mais|pero)\b"
    r"|;|\u2014|,\s*(?:and|which|as)\b",
    re.IGNORECASE,
)
"""How a remark goes on to claim something after all."""

_BESIDE = lazy(r"[:,(\u2013]|\s-\s|\b(?:because|since|that)\b", re.IGNORECASE)
"""Where a refusal may end and a statement begin: "I found no limit: take 99 days"."""

_NOT = (
    r"(?:(?:is|are|was|were|do|does|did|has|have|had|could|would|should|must|need)n['\u2019]?t"
    r"|(?:ca|wo|sha)n['\u2019]?t|cannot)"
)
_BE_OR_DO = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|must|may)"
)
_PRONOUN = r"(?:i|you|he|she|it|we|they|there|this|that|one)"
_NEGATED = lazy(rf"\W*{_NOT}\b", _FLAGS)
_NOUN = r"(?!(?:or|if|whether|why|how|what)\b)\w+"
_DENIED = lazy(
    rf"\W*{_BE_OR_DO}\ (?:{_PRONOUN}|(?!{_PRONOUN}\b){_NOUN}(?:\ {_NOUN})?)"
    r"\ (?P<denial>not\ )(?=\w)",
    _FLAGS,
)
_TAG = lazy(
    rf"""[,;\u2014]\s*(?:right|correct|okay|eh|huh|nicht\ wahr|oder|n'est-ce\ pas|verdad|
    (?:{_NOT}|{_BE_OR_DO})\ {_PRONOUN}(?:\ not)?)\s*\??$""",
    _FLAGS,
)
_TOLD = lazy(rf"\W*(?:{phrases('told')})\s*\bthat\s+(?=\w)", _FLAGS)
_TOLD_BARELY = lazy(
    r"""\W*(?:did(?:n['\u2019]?t)?\ you\ (?:know|hear)|who\ (?:knew|doesn['\u2019]?t\ know)|
    (?:do|would)(?:n['\u2019]?t\ you|\ you\ not)\ (?:think|agree|say))
    \s+(?=\w)""",
    _FLAGS,
)
"""The same without "that": only before a whole sentence, as in "Did you know leave is paid?"."""

"""How questions begin or end that claim what they ask; `_TAG` is ", right?"."""

_FOLLOW_UP = lazy(
    rf"""\W*(?:{_NOT}\ i\b
    |{_NOT}\ you\ (?:want|like|prefer|need\ me|mean|find|see|remember|mention|say|ask)\b
      (?!\ that\b)
    |{_NOT}\ you\ have\ (?:\w+\ ){{1,4}}(?:yet|already|at\ hand|to\ hand|handy|with\ you)\W*$
    |{_NOT}\ (?:that|this|it)\ (?:what\ you\b|answer\ your\b|help\b|work\ for\ you\b))""",
    _FLAGS,
)
"""How a question begins that asks the reader for something: "Don't you want me to look it up?"."""

_ASKED_BEFORE = lazy(r"\W*did\ you\ know\b", _FLAGS)

_PLEASANTRY = lazy(
    rf"\W*(?:{phrases('pleasantries')})"
    r"[\s.!,:\u2014\U0001F300-\U0001FAFF\u2600-\u27bf\ufe0f]*",
    _FLAGS,
)
_REFUSAL = lazy(
    rf"""\W*(?:(?:i'm|i\ am|we're|we\ are)?\ ?(?:sorry|afraid)\b,?\ ?|unfortunately,?\ |
      i\ apologi[sz]e,?\ ?(?:and\ |that\ )?)?(?:but\ )?(?:that\ )?(?:{phrases("refusals")})""",
    _FLAGS,
)
_META = lazy(rf"\W*(?:{phrases('of-the-answer')})", _FLAGS)
_OPINION = lazy(
    rf"""\W*(?:{phrases("opinions")})\b[^:;]{{0,80}}?
    \b(?:is|are|was|seems?|looks?|sounds?|be|it|this|that|ist|est|es)\ (?:\w+\ ){{0,2}}?
    (?:{phrases("judgements")})\b[^:,;]{{0,40}}""",
    _FLAGS,
)
_POINTS_AHEAD = lazy(
    r"""\W*(?:please\ |you\ can\ |also\ )*(?:see|refer\ to|consult|check|read|review|cf\.?|
      compare)\b
    [^:;]{0,120}\b(?:sections?|polic(?:y|ies)|documents?|handbook|manual|page|table|appendix|annex|
    link|guide(?:lines?)?|\S+\.(?:md|pdf|docx?|txt|html?))\b[^:,;]{0,60}""",
    _FLAGS,
)
_ATTRIBUTED = lazy(
    r"""\W*(?:according\ to|as\ per|per|based\ on|as\ (?:stated|noted|described|set\ out|outlined|
      specified|mentioned)\ (?:in|by))(?P<source>\ [^,;:]{1,80}?)?[,:]\s*(?:and\s*,?\s*)?""",
    _FLAGS,
)
_STATES = lazy(r"\W*(?:states?|says?|notes|explains?|specif(?:y|ies)|provides?)\ that\b\s*", _FLAGS)
_OPENER = lazy(r"\W*(?:sure|certainly|of\ course|yes|absolutely|great\ question)[,!.:]\s+", _FLAGS)
_EMPTY = re.compile(r"\s?[(\[](?:see|cf\.?|sources?:?)?[\s,;]*[)\]]", re.IGNORECASE)
"""What is left of "(see [1])" without its marker."""

_EMPTY_TAIL = re.compile(rf"(?:{_EMPTY.pattern})+\Z", re.IGNORECASE)
_ONLY_POINTS = re.compile(
    r"\W*(?:please\s+)?(?:(?:see|refer\s+to|cf|compare|sources?|references?|quellen?)(?!\w)"
    r"(?:\W|\b(?:also|and|or)\b)*)?",
    re.IGNORECASE,
)
"""What is left of "See [1] and [2]."."""


def remark(sentence: str, *, introduces: bool) -> SkipReason | None:
    """Why a sentence is no claim; None where it is one.

    `introduces` says that something follows which a colon at its end may point to.
    """
    bare = sentence.strip()
    if not words_of(bare, 1) and not any(character.isalnum() for character in bare):
        return SkipReason.LIST_MARK
    if is_mere_citation(bare):
        return SkipReason.CITATION
    if bare.rstrip(")]*_ ")[-1:] in QUESTION_MARKS:
        return None if is_loaded(bare) else SkipReason.QUESTION
    if introduces and bare.rstrip("*_ ")[-1:] in (":", "\uff1a"):
        said = _without_attribution(bare)
        states = AMOUNT().search(said) is not None or states_itself(said)
        return None if states else SkipReason.INTRODUCTION
    refusal = _REFUSAL().match(bare)
    if _TURN().search(bare, refusal.end() if refusal else 0):
        return None
    if refusal:
        return None if _states_beside(bare[refusal.end() :]) else SkipReason.REFUSAL
    is_bound = OBLIGATION().search(bare) is not None
    if _POINTS_AHEAD().fullmatch(bare) and not is_bound and not LIMITS().search(bare):
        return SkipReason.POINTER
    if AMOUNT().search(bare):
        return None
    if _PLEASANTRY().fullmatch(bare):
        return SkipReason.PLEASANTRY
    if is_bound:
        return None
    if _META().match(bare):
        return SkipReason.META
    return SkipReason.OPINION if _OPINION().fullmatch(bare) else None


def is_mere_citation(shown: str) -> bool:
    """Whether a text, shown without its markers, only points to them: "See [1]"."""
    return _ONLY_POINTS.fullmatch(_EMPTY.sub(" ", shown)) is not None


def citation_tail(shown: str) -> int:
    """How many characters at the end are what a marker in parentheses has left: "(see )"."""
    found = _EMPTY_TAIL.search(shown)
    return len(found[0]) if found else 0


def _states_beside(rest: str) -> bool:
    """Whether what follows the beginning of a refusal states something of its own."""
    return any(is_statement(part) for part in _BESIDE().split(rest)[1:])


def is_loaded(question: str) -> bool:
    """Whether a question claims what it asks: "Isn't leave paid?", "Leave is paid, right?"."""
    bare = question.rstrip(")]*_ ")
    if asks_reader(bare):
        return False
    opens = (_ASKED_BEFORE, _TOLD, _NEGATED, _DENIED)
    return any(pattern().match(bare) for pattern in opens) or _TAG().search(bare) is not None


def asks_reader(question: str) -> bool:
    """Whether a negated question only asks the reader: "Shouldn't I look up the form?".

    Not where it speaks of an amount, of what is due or what is allowed: "Don't you want 99 days?".
    """
    found = _FOLLOW_UP().match(question)
    if not found:
        return False
    rest = question[found.end() :]
    return not any(said().search(rest) for said in (AMOUNT, OBLIGATION, PERMISSION))


def asks_by_denial(question: str) -> bool:
    """Whether a question affirms by a denial around its subject: "Isn't leave paid?"."""
    if question.rstrip(")]*_ ")[-1:] not in QUESTION_MARKS or _told_in(question) is not None:
        return False
    return any(pattern().match(question) for pattern in (_NEGATED, _DENIED))


def plain_statement(shown: str) -> str:
    """The claim as it is judged: who said so and courtesies before it are left out.

    Of a loaded question it is what the question claims; the "isn't" before its subject denies
    nothing, so that it is left out, and its question mark tells it from "Isn't paid.".
    """
    text = " ".join(_EMPTY.sub(" ", shown).split())
    opener = _OPENER().match(text)
    rest = text[opener.end() :] if opener else text
    rest = _without_attribution(_without_asking(rest))
    return rest if words_of(rest, 2) or any(c.isalnum() for c in rest) else text


def _without_asking(text: str) -> str:
    tag = _TAG().search(text)
    if tag and words_of(text[: tag.start()], 2):
        text = text[: tag.start()]
    told = _told_in(text)
    if told is not None:
        return _capital(told).rstrip("?\uff1f ")
    if not asks_by_denial(text):
        return text
    text = text.rstrip("?\uff1f ")
    if negated := _NEGATED().match(text):
        return _capital(text[negated.end() :].lstrip())
    denied = _DENIED().match(text)
    return text[: denied.start("denial")] + text[denied.end() :] if denied else text


def _told_in(question: str) -> str | None:
    """What a question tells: "leave is paid?" in "Did you know that leave is paid?"."""
    if told := _TOLD().match(question):
        return question[told.end() :]
    barely = _TOLD_BARELY().match(question)
    said = question[barely.end() :] if barely else ""
    return said if is_full_statement(said) else None


def _without_attribution(text: str) -> str:
    states = _STATES().match(text)
    if states:
        return _capital(text[states.end() :])
    found = _ATTRIBUTED().match(text)
    if not found or not _is_source(found["source"] or ""):
        return text
    return _capital(text[found.end() :])


_GENERIC = frozenset(
    """
    policy policies handbook document documents manual guide guideline guidelines contract agreement
    rules regulation regulations code act source sources context information text excerpts passages
    materials faq the this these your our a an provided available company company's employee
    employer's staff hr in of on and given uploaded
    """.split()
)
_FILE = lazy(r"[\w.()%+-]+\.(?:md|pdf|docx?|txt|html?)", re.IGNORECASE)
_DIGIT = lazy(r"\d")


def _is_source(name: str) -> bool:
    """Whether "according to ..." only says that it is in the sources.

    "According to section 4" and "as per the old policy" say more, which has to be checked too.
    """
    plain = _FILE().sub(" ", name)
    return not _DIGIT().search(plain) and _GENERIC.issuperset(words_of(plain))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
