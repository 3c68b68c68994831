"""A question as it is understood: what it is about, what it asks for, which names it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.answering.evidence.words import key_of, written_words
from veridical.answering.question.kinds import (
    QuestionKind,
    Wanted,
    counted_in,
    kind_of,
    wanted_by,
)
from veridical.answering.question.limits import MAX_QUESTION_CHARS, MIN_QUESTION_CHARS
from veridical.errors import ValidationError
from veridical.judging.words import FUNCTION_WORDS
from veridical.matching.passages import STOP_WORDS
from veridical.retrieval.terms import terms
from veridical.text.lexicon import english

# Words that put a question and say nothing on what it is about, beside the function words.


ASKING_WORDS = frozenset(
    """
    quickly promptly much many long often soon far please tell me know want like just get got give
    given go going happen happens thing things way ways what's who's where's when's how's it's i'm
    i've i'd i'll we're we've you're they're don't doesn't isn't aren't can't won't let lets s t re
    ve m ll d don doesn isn aren im ive id doing done say says said ask asks asking question
    questions answer answered answers wonder wondering need needs needed someone something anything
    anyone somebody whether exactly actually really ever still only too very other same else now hi
    hello dear thanks thank kindly explain describe mean means meant show find out up allow allowed
    able possible sure make makes take takes taking use uses used using apply applies applied ours
    mine myself not no q why while whats whos wheres whens hows another become becomes became made
    went fast high large big back available involved after before during between through over under
    until within without because even though yet once both every more less most part everything
    everyone however above below doesnt isnt arent cant wont havent hasnt didnt thats theres youre
    theyre weve youve
    """.split()
)

FOREIGN_ASKING = frozenset(
    """
    wie viel viele was wer wen wem wo wann warum wieso welche welcher welches welchen
    combien quel quelle quels quelles quand qui comment pourquoi quoi
    cuánto cuántos cuánta cuántas cuál cuáles cuándo quién dónde cómo
    quanti quanto quanta quante quale quali quando dove chi hoeveel wanneer welke waar hoe
    """.split()
)
"""Words with which other languages ask."""

FOREIGN_WORDS = FOREIGN_ASKING | frozenset(
    """
    der die das den dem des ein eine einen einem einer ist sind hat habe haben ich wir sie er es
    mein meine unser lang lange im in am an auf aus bei beim mit nach von vom zu zum zur und oder
    nicht für muss müssen darf dürfen kann kann können wird werden pro gibt jahr
    le la les un une du de d au aux et ou est sont ai a ont je nous mon ma mes notre par pour dans
    sur avec il elle on ne pas y
    el los las una unos del al y o es son tengo tiene hay mi por para con en que se
    il lo gli i uno della dei di e ho ha ci sono mio mia per con het een van zijn heb ik mijn op
    """.split()
)
"""Small words of other languages, left out of a question that asks in one of them."""

# Names in a question: what a passage must know to answer it.


_TOKEN = re.compile(r"[^\W_]+(?:[&'.-][^\W_]+)*")
_ACRONYM = re.compile(
    r"[A-Z](?:[A-Z&-]*[A-Z])+s?|(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])"
    r"(?!\d+(?:st|nd|rd|th|x|s|h|am|pm|hrs|min|k)$)[^\W_]+|\d{3}k|[a-z]+[A-Z]\w*"
)
_ENDS = ".?!:\u2026"
_CALENDAR = english("months", "weekdays") | {"christmas", "easter"}
_FEW = 3
"""More longer words than these, all with a capital, are those of a title."""


def names_in(text: str) -> tuple[str, ...]:
    """Proper names, a run of capitalised words each, and acronyms, in order.

    The first word of a sentence is a name only as an acronym, or before another name's word.
    """
    if text.isupper():
        return ()
    tokens = list(_TOKEN.finditer(text))
    if _is_titled(text, tokens):
        return tuple(dict.fromkeys(token[0] for token in tokens if _is_acronym(token[0])))
    names: list[str] = []
    run: list[str] = []
    end = 0
    for token in tokens:
        word = token[0].removesuffix("'s").removesuffix("'S")
        named = _is_acronym(word) or (word[0].isupper() and not _opens(text, token.start()))
        if not named or (word.lower() in _COMMON and word not in SHORT_NAMES):
            _close(run, names)
            continue
        if text[end : token.start()].strip(" "):
            _close(run, names)
        run.append(word)
        end = token.end()
    _close(run, names)
    return tuple(dict.fromkeys(names))


SHORT_NAMES = frozenset({"US", "IT"})
"""Acronyms that are common words but for their capitals."""

_COMMON = FUNCTION_WORDS | ASKING_WORDS | _CALENDAR


def _close(run: list[str], names: list[str]) -> None:
    if run:
        names.append(" ".join(run))
        run.clear()


def _is_acronym(word: str) -> bool:
    return _ACRONYM.fullmatch(word) is not None


def _opens(text: str, start: int) -> bool:
    """Whether a sentence begins at an offset."""
    before = text[:start].rstrip(" \"'(\u201c\u2018[*_-")
    return not before or before[-1] in _ENDS


def _is_titled(text: str, tokens: list[re.Match[str]]) -> bool:
    """Whether the words of a text begin with capitals as those of a title do: small words too, or
    all of several longer ones.
    """
    inside = [
        token[0] for token in tokens
        if token[0][0].isalpha() and not _opens(text, token.start()) and not _is_acronym(token[0])
    ]  # fmt: skip
    small = [word for word in inside if word.lower() in _COMMON - _CALENDAR and len(word) > 1]
    longer = [word for word in inside if word.lower() not in _COMMON]
    return any(word[0].isupper() and word not in SHORT_NAMES for word in small) or (
        len(longer) > _FEW and all(word[0].isupper() for word in longer)
    )


_IN_CONTEXT = 0.5
"""What a word counts for that stands only in a sentence before the question."""

_STATEMENTS = re.compile(r"^(?P<told>.*[.!])\s+(?P<asked>(?=[A-Z])[^.!?]*\?.*)$")
_SIDE_BY_SIDE = re.compile(r"[\s-]+|\s+of\s+(?:the\s+)?")

_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc\u00b4`", "'''''")
_LABEL = re.compile(r"^(?:Q|Question)\s*\d*\s*[.:)]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, read.

    `text` is the question, white space collapsed. `terms` are the stems that passages about it are
    found by (see `retrieval.terms`), each once, without words that only ask; empty where there is
    nothing to look for. `words` are the same words as they were written.
    `names` are proper names and acronyms, as they were written.
    `wanted` is what an answer must name, None where anything may answer; `counted` are the words
    of which one says what is counted ("how many remote days"). `weights` is what each of `words`
    counts for: less for one that stands only in a sentence before the question ("My phone was
    stolen. Whom do I tell?"). `pairs` are words that stand side by side, by places in `words`.
    """

    text: str
    kind: QuestionKind
    wanted: Wanted | None = None
    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def name_keys(self) -> frozenset[str]:
        """The words of all names, as they are compared."""
        return frozenset(key_of(word) for name in self.names for word in written_words(name))


def read_question(text: str) -> AskedQuestion:
    """Read a question.

    Raises ValidationError for one without any character but white space, and above
    `MAX_QUESTION_CHARS`. A question of punctuation or pictures alone has no terms.
    """
    shown = _LABEL.sub("", " ".join(text.split()))
    _check(shown)
    plain = shown.translate(_APOSTROPHES)
    kind = kind_of(plain.lower())
    foreign = _is_foreign(plain, kind)
    words = _words(plain, foreign=foreign)
    return AskedQuestion(
        text=shown,
        kind=kind,
        wanted=wanted_by(plain.lower(), kind),
        terms=_terms(plain, foreign=foreign),
        words=words,
        names=names_in(plain),
        counted=counted_in(plain.lower()),
        weights=_weights(plain, words),
        pairs=_pairs(plain, words),
    )


def _weights(plain: str, words: tuple[str, ...]) -> tuple[float, ...]:
    found = _STATEMENTS.match(plain)
    if found is None:
        return (1.0,) * len(words)
    told, asked = (set(map(key_of, written_words(found[part]))) for part in ("told", "asked"))
    return tuple(_IN_CONTEXT if key_of(word) in told - asked else 1.0 for word in words)


def _pairs(plain: str, words: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Words that stand side by side, but for a hyphen or "of", by their places in `words`."""
    found: list[tuple[int, int]] = []
    at = 0
    ends: list[tuple[int, int]] = []
    for place, word in enumerate(words):
        start = plain.find(word, at)
        if start < 0:
            continue
        if ends and _SIDE_BY_SIDE.fullmatch(plain[ends[-1][1] : start]):
            found.append((ends[-1][0], place))
        at = start + len(word)
        ends.append((place, at))
    return tuple(found)


def _check(shown: str) -> None:
    if len(shown) < MIN_QUESTION_CHARS:
        raise ValidationError(
            "the question is empty: ask something about the documents",
            {
                "path": "question",
                "value": "",
                "constraint": f"at least {MIN_QUESTION_CHARS} character",
            },
        )
    if len(shown) > MAX_QUESTION_CHARS:
        raise ValidationError(
            f"the question has {len(shown):,} characters, at most {MAX_QUESTION_CHARS:,} are "
            "read: ask one thing at a time",
            {
                "path": "question",
                "value": shown[:60] + "…",
                "constraint": f"at most {MAX_QUESTION_CHARS} characters",
            },
        )


_SAID_OFTEN = ASKING_WORDS | FUNCTION_WORDS | STOP_WORDS
_EMPTY = frozenset(terms(" ".join(sorted(_SAID_OFTEN))))
_EMPTY_ABROAD = frozenset(terms(" ".join(sorted(FOREIGN_WORDS))))


def _terms(plain: str, *, foreign: bool) -> tuple[str, ...]:
    if not any(map(str.isalpha, plain)):
        return ()
    empty = _EMPTY | _EMPTY_ABROAD if foreign else _EMPTY
    return tuple(term for term in dict.fromkeys(terms(plain)) if term not in empty)


def _words(plain: str, *, foreign: bool) -> tuple[str, ...]:
    if not any(map(str.isalpha, plain)):
        return ()
    empty = _SAID_OFTEN | FOREIGN_WORDS if foreign else _SAID_OFTEN
    unique: dict[str, str] = {}
    for word in written_words(plain):
        said_often = word.lower() in empty or key_of(word) in empty
        if not said_often or word in SHORT_NAMES:
            unique.setdefault(key_of(word), word)
    return tuple(word for key, word in unique.items() if len(key) > 1 or not key.isascii())


def _is_foreign(plain: str, kind: QuestionKind) -> bool:
    """Whether a question asks in another language than English."""
    return kind is QuestionKind.KEYWORDS and not FOREIGN_ASKING.isdisjoint(plain.lower().split())
