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
from veridical.answering.question.names import SHORT_NAMES, dates_in, names_in, numbers_in
from veridical.answering.question.words import ASKING_WORDS, FOREIGN_ASKING, FOREIGN_WORDS
from veridical.errors import ValidationError
from veridical.judging.words import FUNCTION_WORDS
from veridical.matching.passages import STOP_WORDS
from veridical.retrieval.terms import terms

__all__ = ["AskedQuestion", "QuestionKind", "Wanted", "read_question"]

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
    `names` are proper names and acronyms, `numbers` and `dates` stand as they were written.
    `wanted` is what an answer must name, None where anything may answer; `counted` are the words
    of which one says what is counted ("how many remote days"). `context` are the keys of words that
    stand only in sentences before the question ("My phone was stolen. Whom do I tell?"), and
    `pairs` are words that stand side by side, by their places in `words`.
    """

    text: str
    kind: QuestionKind
    wanted: Wanted | None = None
    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    context: frozenset[str] = frozenset()
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def weights(self) -> tuple[float, ...]:
        """What each of `words` counts for: less in the context than in the question itself."""
        return tuple(_IN_CONTEXT if key_of(word) in self.context else 1.0 for word in self.words)

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
    dates = dates_in(plain)
    words = _words(plain, foreign=foreign)
    return AskedQuestion(
        text=shown,
        kind=kind,
        wanted=wanted_by(plain.lower(), kind),
        terms=_terms(plain, foreign=foreign),
        words=words,
        names=names_in(plain),
        numbers=numbers_in(plain, dates),
        dates=dates,
        counted=counted_in(plain.lower()),
        context=_context(plain),
        pairs=_pairs(plain, words),
    )


def _context(plain: str) -> frozenset[str]:
    """The keys of words that stand in statements before a question, and not in it."""
    found = _STATEMENTS.match(plain)
    if found is None:
        return frozenset()
    return frozenset(map(key_of, written_words(found["told"]))) - frozenset(
        map(key_of, written_words(found["asked"]))
    )


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
