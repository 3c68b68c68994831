"""Sentences of an answer that claim nothing about the subject: why they are left out.

A remark must be nothing but a remark. Where a sentence has an amount, or goes on with "but", it is
taken for a claim: better a claim too many than one that nobody checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.page import AnswerPage, BlockKind
from veridical.ledger.extraction.words import (
    AMOUNT,
    AUXILIARIES,
    FINITE_VERBS,
    LIMITS,
    OBLIGATION,
    PERMISSION,
    is_full_statement,
    is_loaded,
    is_statement,
    phrases,
    words_of,
)
from veridical.sources.document import Span, front_matter_end
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
        return None if claims_what_it_asks(bare) else SkipReason.QUESTION
    if introduces and bare.rstrip("*_ ")[-1:] in (":", "\uff1a"):
        said = _without_attribution(bare)
        states = AMOUNT().search(said) is not None or states_itself(said)
        return None if states else SkipReason.INTRODUCTION
    refusal = _REFUSAL().match(bare)
    if _TURN().search(bare, refusal.end() if refusal else 0):
        return None
    if refusal:
        beside = _BESIDE().split(bare[refusal.end() :])[1:]
        return None if any(map(is_statement, beside)) else SkipReason.REFUSAL
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


def claims_what_it_asks(question: str) -> bool:
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


# What reads like a statement in the parts of an answer that no claim is made of.


# A whole answer in a word: "Yes.", "Not allowed.". What it says stands in the question alone.


_END = r"[\W_\ufe0f]*"
_YES_WORD = f"(?:{phrases('yes')})"
_VERDICT = r"""(?:
    (?:(?:absolutely|certainly|definitely|of\ course|generally|usually|sometimes|always)\ )?
    (?:not\ )?
    (?:never|always|sometimes|neither|both|exactly|not|at\ all|necessarily|yet|really|so
      |correct|incorrect|right|true|false|wrong|agreed|confirmed|affirmative|negative|possible
      |impossible|allowed|permitted|forbidden|prohibited|required|mandatory|optional|eligible
      |included|covered)
    )"""
_POINTS_BACK = r"(?:it|that|this|he|she|they|there|you|we|i|one)"
_IS_OR_DOES = r"""(?:
    \ (?:is|are|am|does|do|did|was|were|has|have|had|can|may|must|will|would|should|could)
      (?:\ not|n['\u2019]t)?
    |\ (?:cannot|won['\u2019]t|can['\u2019]t)|['\u2019](?:s|re|m)
    )"""
_BEFORE = rf"\W*(?:{_YES_WORD}[\s,.!:;\u2013\u2014-]+)*"
_YES = lazy(rf"{_BEFORE}{_YES_WORD}{_END}", _FLAGS)
_WORD = lazy(rf"{_BEFORE}{_VERDICT}{_END}", _FLAGS)
_POINTING = lazy(rf"{_BEFORE}{_POINTS_BACK}{_IS_OR_DOES}(?:\ {_VERDICT})?{_END}", _FLAGS)
_MOST = 60


def is_yes_or_no(text: str) -> bool:
    """Whether a text is nothing but a "yes" or a "no"."""
    return len(text) <= _MOST and _YES().fullmatch(text) is not None


def is_bare(text: str) -> bool:
    """Whether a text is nothing but a "yes", or a verdict without what it is on."""
    return is_yes_or_no(text) or (len(text) <= _MOST and _WORD().fullmatch(text) is not None)


def points_to_question(text: str) -> bool:
    """Whether a text is on what was said before, in a word: "It is allowed.", "Yes, you may."."""
    return len(text) <= _MOST and _POINTING().fullmatch(text) is not None


def with_openings(
    skipped: Sequence[Skipped], openings: Mapping[Span, SkipReason], last_claim: int
) -> list[Skipped]:
    """What was skipped, bare answers before a claim as what they are there.

    `openings` tells that of those that may be one; `last_claim` is where the last claim begins.
    """
    return [
        replace(one, reason=openings[one.span])
        if one.span in openings and one.span.start < last_claim
        else one
        for one in skipped
    ]


_CODE = re.compile(
    r"[{}<>=$\\]|\w\(|;\s*$|:\s*$"
    r"|^\s*(?:if|elif|else|while|for|def|class|return|import|from|assert|with|raise|try|except|not|#|//)"
    r"(?!\w)|^\s*[A-Z]{2,}\b.*\b[A-Z]{2,}\b"
)
"""What a line of code has and a line of prose has not."""

_LEAST_WORDS = 4
_SENTENCE = re.compile(r"\s*[^\W\d_a-z].*[^\W_][.!]\s*", re.DOTALL)
"""A capital before it and one full stop behind it: "Loading..." is no sentence."""

_CODE_WORD = re.compile(r"\w[./_]\w|\b(?:None|True|False|null|nil|[b-hj-zB-HJ-Z])\b")
"""What three words of code may have, and of prose have not: names of files, of one letter."""


def prose_in_code(page: AnswerPage) -> int:
    """How many code blocks of an answer hold what reads like a sentence."""
    code = [Span(block.start, block.end) for block in page.blocks if block.kind is BlockKind.CODE]
    return sum(1 for _ in code_with_prose(page.text, code))


def code_with_prose(answer: str, code: Iterable[Span]) -> Iterator[Span]:
    """The code blocks of an answer that hold what reads like a sentence.

    `code` are the lines of all of them, in order: white space is all that parts those of one block.
    """
    blocks: list[list[Span]] = []
    for line in code:
        if not blocks or answer[blocks[-1][-1].end : line.start].strip():
            blocks.append([])
        blocks[-1].append(line)
    for block in blocks:
        if _holds_prose([answer[line.start : line.end] for line in block]):
            yield Span(block[0].start, block[-1].end)


def _holds_prose(lines: list[str]) -> bool:
    plain = [line for line in lines if not _CODE.search(line)]
    if any(map(_is_prose, plain)):
        return True
    whole = " ".join(lines)
    return plain == lines and (_is_prose(whole) or any(map(_is_short_prose, (*lines, whole))))


def _is_prose(text: str) -> bool:
    return len(words_of(text, _LEAST_WORDS)) >= _LEAST_WORDS and is_statement(text)


def _is_short_prose(text: str) -> bool:
    """Whether a few words in a block without any sign of code say something: "Bribes are allowed".

    A command may have a verb as well ("ufw allow ssh"): one that no command has, or the form of a
    sentence, tells them apart. "Yes." says something too, "yes" may be a value.
    """
    if _CODE_WORD.search(text):
        return False
    words = words_of(text, _LEAST_WORDS)
    is_sentence = _SENTENCE.fullmatch(text) is not None
    if is_sentence and is_bare(text):
        return True
    is_sure = text.lstrip()[:1].isupper() or not AUXILIARIES.isdisjoint(words[1:])
    if is_full_statement(text) and is_sure:
        return True
    return is_sentence and len(words) > 1 and not FINITE_VERBS.isdisjoint(words[1:])


# What reads like a statement in the parts of an answer that no claim is made of.


_NAMES = frozenset(
    {SkipReason.HEADING, SkipReason.LABEL, SkipReason.COLUMN_TITLES, SkipReason.TERM}
)
_ALWAYS = frozenset({SkipReason.BARE_ANSWER, SkipReason.OPINION, SkipReason.META})
"""What states something whatever its words are; ledgers warn of the last two by themselves."""

_APART = {
    SkipReason.NOT_SHOWN: "hidden by markup",
    SkipReason.BARE_ANSWER: SkipReason.BARE_ANSWER.value,
    SkipReason.STRUCK: SkipReason.STRUCK.value,
}
_VERBATIM = frozenset({SkipReason.CODE, SkipReason.OVER_LIMIT})
_TITLE = re.compile(
    r"""(?:\]\([^\s()]*|\]:[ \t]*[^\s\]]+)\s+
    (?:"(?P<double>[^"\n]{1,1000})"|'(?P<single>[^'\n]{1,1000})'|\((?P<round>[^()\n]{1,1000})\))
    |<[a-z][^<>]*?\s(?:title|alt|aria-label)\s*=\s*
    (?:"(?P<quoted>[^"<>]{1,1000})"|'(?P<other>[^'<>]{1,1000})')""",
    re.VERBOSE | re.IGNORECASE,
)
"""The title of a link or an image: `[x](page "words")`, `[1]: page "words"`, `<a title="words">`.
"""

_TARGETS = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*=[^<>]*)?/?>|\]\([^\s()]*|\bhttps?://\S+|\bwww\.\S+"
    r"|^\s*\[[^\]]*\]:\s*\S+",
    re.MULTILINE,
)
_MANY_WORDS = 5
_MOST_SHOWN = 80


def unchecked(answer: str, skipped: Sequence[Skipped]) -> Iterator[str]:
    """Warnings: of words that markup hides, of headings that state something, of a bare "yes"."""
    texts: dict[str, list[str]] = {what: [] for what in (*_APART.values(), "heading")}
    for one in skipped:
        what = "heading" if one.reason in _NAMES else _APART.get(one.reason)
        if what and may_state(answer, one):
            texts[what].append(_plain(answer, one))
    for what, (first, *others) in ((what, found) for what, found in texts.items() if found):
        shown = first if len(first) <= _MOST_SHOWN else f"{first[:_MOST_SHOWN]} \u2026"
        more = f" and {len(others):,} more" if others else ""
        yield f"not checked ({what}): \u201c{shown}\u201d{more}"


def unchecked_parts(answer: str, skipped: Sequence[Skipped]) -> list[Skipped]:
    """What may state something and was not checked, in order: words that markup hides, headings
    that state something, an answer in a word, opinions, what the answer says of itself, code that
    holds sentences, and all beyond the limit of claims.

    Front matter is not among them: it is for tools, and only a warning tells of it.
    """
    front_matter = front_matter_end(answer)
    code = [one.span for one in skipped if one.reason is SkipReason.CODE]
    later = (one for one in skipped if one.span.start >= front_matter)
    found = [one for one in later if may_state(answer, one)]
    found += [Skipped(span, SkipReason.CODE) for span in code_with_prose(answer, code)]
    found += [one for one in skipped if one.reason is SkipReason.OVER_LIMIT]
    return sorted(found, key=lambda one: one.span)


def may_state(answer: str, skipped: Skipped) -> bool:
    """Whether a part of an answer that no claim was made of may state something; code apart."""
    if skipped.reason in _ALWAYS:
        return True
    if any(map(_may_state, _link_titles(answer, skipped))):
        return True
    if skipped.reason in (SkipReason.NOT_SHOWN, SkipReason.STRUCK):
        return _may_state(_plain(answer, skipped))
    return skipped.reason in _NAMES and any(
        is_full_statement(name) or (is_statement(name) and OBLIGATION().search(name))
        for name in _plain(answer, skipped).split("|")
    )


def _plain(answer: str, skip: Skipped) -> str:
    return " ".join(_TARGETS.sub(" ", answer[skip.span.start : skip.span.end]).split())


def _may_state(text: str) -> bool:
    """Of words that are not read as the others are: five of them are taken to state something."""
    words = words_of(text, _MANY_WORDS)
    return len(words) >= _MANY_WORDS or is_full_statement(text) or is_loaded(text)


def _link_titles(answer: str, skipped: Skipped) -> Iterator[str]:
    """What a reader is shown who points at a link or an image in a part of an answer."""
    if skipped.reason not in _VERBATIM:
        for found in _TITLE.finditer(answer, skipped.span.start, skipped.span.end):
            yield found[found.lastgroup or 0]
