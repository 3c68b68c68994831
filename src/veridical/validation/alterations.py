"""What was changed between a quote and the words it claims to be?

The search forgets case, punctuation and signs so that it can find; here the two are compared as
they are written, token by token. Differences that two honest copies of the same words can have are
*rules* (`Rule`); every other difference is an *alteration*, named by what it touches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein, Levenshtein

from veridical.text.normalize import LINE_END_HYPHEN
from veridical.text.tokens import Token, TokenKind, prepare, tokenize, written
from veridical.validation import lexicon
from veridical.validation.cannot import one_cannot
from veridical.validation.cuts import cut_alterations
from veridical.validation.denials import negates
from veridical.validation.differences import (
    NOTHING_CHANGED,
    Alteration,
    AlterationKind,
    Comparison,
    DiffPart,
    Rule,
)
from veridical.validation.ladder import mild_rules, rules_between
from veridical.validation.parted import is_note_mark, joined_rule
from veridical.validation.subtle import run_on_alterations, subtle_alterations

_NUMBERS_OVER_LINES = re.compile(r"\d\s*\n\s*\d")


def compare(quoted: str, source: str, *, before: str = "", after: str = "") -> Comparison:
    """Compare a quote with what a reader sees at the place where it was found.

    `before` and `after` are the source's characters next to that place. Where the place cuts a word
    in two, they tell whether the cut made another word or number of it ("5 days" of "15 days").
    """
    cuts = cut_alterations(quoted, source, before, after)
    if quoted == source:
        return Comparison((), cuts, ()) if cuts else NOTHING_CHANGED
    comparison = _compare_words(quoted, source, cuts)
    if not comparison.alterations and (subtle := subtle_alterations(quoted, source)):
        return Comparison((), subtle, (DiffPart(quoted, source, equal=False),))
    return comparison


def _compare_words(quoted: str, source: str, cuts: tuple[Alteration, ...]) -> Comparison:
    mild = mild_rules(quoted, source)
    if mild is not None and not _NUMBERS_OVER_LINES.search(source):
        return Comparison(mild, cuts, ())
    comparison = _compare(quoted, source, quoted, source, cuts)
    if not comparison.alterations or not ("\n" in quoted or "\n" in source):
        return comparison
    joined = LINE_END_HYPHEN.sub("", quoted), LINE_END_HYPHEN.sub("", source)
    if joined != (quoted, source):
        # A hyphen at a line end may be part of the word or not: the reading that agrees is right.
        again = _compare(quoted, source, *joined, cuts)
        if len(again.alterations) < len(comparison.alterations):
            return again
    return comparison


def _compare(
    quoted: str, source: str, left: str, right: str, cuts: tuple[Alteration, ...]
) -> Comparison:
    """Compare the words of `left` and `right`; the rules are those between the texts as given."""
    (left, q), (right, s) = _taken_apart(left), _taken_apart(right)
    found: list[Alteration] = []
    harmless: list[Rule] = []
    blocks = _blocks([t.key for t in q], [t.key for t in s])
    for equal, a, b, c, d in blocks:
        if equal:
            continue
        rule = (
            Rule.PUNCTUATION
            if a == b and is_note_mark(s[c:d], right)
            else joined_rule(q[a:b], s[c:d], left, right)
        )
        if rule is not None:
            harmless.append(rule)
        else:
            found.append(_classify(_Change(q, s, a, b, c, d, left, right)))
    if not found and len(q) == len(s):
        found.extend(run_on_alterations(q, s, left, right))
    alterations = (*cuts, *found)
    if found:
        return Comparison((), alterations, _diff(blocks, q, s, left, right))
    return Comparison(rules_between(quoted, source, harmless), alterations, ())


@lru_cache(maxsize=8)
def _taken_apart(text: str) -> tuple[str, tuple[Token, ...]]:
    """A text as prepared, and its tokens; a quote is compared with several places in a row."""
    prepared = prepare(text)
    return prepared, tuple(one_cannot(tokenize(prepared), prepared))


Block = tuple[bool, int, int, int, int]


def _blocks(quoted: Sequence[str], source: Sequence[str]) -> list[Block]:
    """Runs of equal and of differing tokens: (equal, quoted from, to, source from, to)."""
    blocks: list[Block] = []
    for op in Levenshtein.opcodes(quoted, source):
        equal = op.tag == "equal"
        block = (equal, op.src_start, op.src_end, op.dest_start, op.dest_end)
        if blocks and blocks[-1][0] == equal:
            _, a, _, c, _ = blocks[-1]
            blocks[-1] = (equal, a, block[2], c, block[4])
        else:
            blocks.append(block)
    return blocks


@dataclass(frozen=True, slots=True)
class _Change:
    """A run of differing tokens in its surroundings."""

    quoted_tokens: Sequence[Token]
    source_tokens: Sequence[Token]
    a: int
    b: int
    c: int
    d: int
    quoted_text: str
    source_text: str

    @property
    def quoted(self) -> Sequence[Token]:
        return self.quoted_tokens[self.a : self.b]

    @property
    def source(self) -> Sequence[Token]:
        return self.source_tokens[self.c : self.d]

    @property
    def is_telling(self) -> bool:
        """Whether it touches anything that may be (of) a number, a unit or a date."""
        word = TokenKind.WORD
        return not all(t.kind is word and _is_plain(t.key) for t in (*self.quoted, *self.source))

    def differs_in(self, key: Callable[[Token], str | None]) -> bool:
        """Whether the two sides differ in the tokens for which `key` gives a value."""
        return [k for t in self.quoted if (k := key(t))] != [
            k for t in self.source if (k := key(t))
        ]


def _classify(change: _Change) -> Alteration:
    kind = AlterationKind.WORDING
    telling = change.is_telling
    if telling and change.differs_in(_number):
        kind = AlterationKind.DATE if _beside_month(change) else AlterationKind.NUMBER
    elif negates([t.key for t in change.quoted], [t.key for t in change.source]):
        kind = AlterationKind.NEGATION
    elif telling and change.differs_in(unit_of):
        kind = AlterationKind.UNIT
    elif telling and change.differs_in(_date):
        kind = AlterationKind.DATE
    elif _renames(change):
        kind = AlterationKind.NAME
    elif _is_slip(change):
        kind = AlterationKind.SPELLING
    return Alteration(
        kind,
        written(change.quoted, change.quoted_text),
        written(change.source, change.source_text),
    )


@lru_cache(maxsize=4096)
def _is_plain(key: str) -> bool:
    """Whether a word is no number, unit or date, nor a part of one; most words are not.

    Asked once of each word, it spares the three questions that a change of plain words need not
    answer: a tenth of the time of a quote that stands nowhere.
    """
    word = Token(TokenKind.WORD, key, key, 0, 0)
    return not (_number(word) or unit_of(word) or key in lexicon.DATE_WORDS)


def _number(token: Token) -> str | None:
    kind, key = token.kind, token.key
    if kind is TokenKind.NUMBER or (kind is TokenKind.SIGN and key in _NUMBER_SIGNS):
        return key
    first = key[:1]
    return key if first == "^" or first.isdigit() or key in lexicon.NUMBER_WORDS else None


_NUMBER_SIGNS = frozenset("+-*/=<>~^\u00b1\u00d7\u00f7\u221a\u221e\u2248\u2260\u2264\u2265")


def unit_of(token: Token) -> str | None:
    """The unit or sign that a token is, in the singular; None for any other token."""
    if token.kind is TokenKind.SIGN:
        return token.key
    singular = _singular(token.key)
    return singular if singular in lexicon.UNITS else None


@lru_cache(maxsize=4096)
def _singular(key: str) -> str:
    if key in lexicon.UNITS:
        return key
    for ending, stem in (("ies", "y"), ("es", ""), ("s", "")):
        if key.endswith(ending) and key.removesuffix(ending) + stem in lexicon.UNITS:
            return key.removesuffix(ending) + stem
    return key


def _date(token: Token) -> str | None:
    if token.key in lexicon.AMBIGUOUS_DATE_WORDS and not token.capitalised:
        return None
    return token.key if token.key in lexicon.DATE_WORDS else None


def _beside_month(change: _Change) -> bool:
    """Whether a changed number stands next to a month or is itself written as a date."""
    near = change.source_tokens[max(0, change.c - 1) : change.d + 2]
    return any(_date(token) for token in near) or any(
        _DATE_NUMBER.fullmatch(token.text) for token in change.source
    )


_DATE_NUMBER = re.compile(r"\d{1,4}[/.]\d{1,2}[/.]\d{1,4}")


def _renames(change: _Change) -> bool:
    """Whether a capitalised word was changed, added or left out where a capital means a name."""
    shouted = change.quoted_text.isupper() or change.quoted_text.islower()
    names = [t for i, t in enumerate(change.source, change.c) if is_name(t, i, change.source_text)]
    if not shouted:
        names += [
            t for i, t in enumerate(change.quoted, change.a) if is_name(t, i, change.quoted_text)
        ]
    return bool(names)


def is_name(token: Token, index: int, text: str) -> bool:
    """Whether a capital inside a sentence makes a name of token number `index` of a text."""
    if token.kind is not TokenKind.WORD or not token.capitalised or token.key in _NEVER_NAMES:
        return False
    before = text[: token.start].rstrip(" \t\r\n\"'([{\u201c\u2018\u00ab*_#>-")
    return index > 0 and bool(before) and before[-1] not in ".!?:\u2026\n"


_NEVER_NAMES = frozenset({"i", "a", "the", "an", "and", "or", "of", "in", "to", "it", "its"})

_LONG_ENOUGH = 5
_ENDING = 2


def _is_slip(change: _Change) -> bool:
    """Whether the change is one slip of the pen inside a longer word, and not another word.

    First letter and ending must stand: that is where plural, tense, person and prefix are.
    """
    if len(change.quoted) != 1 or len(change.source) != 1:
        return False
    one, other = change.quoted[0].key, change.source[0].key
    if min(len(one), len(other)) < _LONG_ENOUGH or not (one.isalpha() and other.isalpha()):
        return False
    if frozenset((one, other)) in lexicon.CONFUSABLE:
        return False
    if one[0] != other[0] or one[-_ENDING:] != other[-_ENDING:]:
        return False
    if change.quoted[0].capitalised or change.source[0].capitalised:
        return False
    return DamerauLevenshtein.distance(one, other) == 1 and _is_swap_or_double(one, other)


def _is_swap_or_double(one: str, other: str) -> bool:
    """Whether two letters changed places, or a letter is doubled in one of the words only.

    Other slips of one letter make real words too often: charge, change; price, prince.
    """
    if len(one) == len(other):
        return sorted(one) == sorted(other)
    short, long = sorted((one, other), key=len)
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return 0 < at < len(short) and long[at] == long[at - 1]


def _diff(
    blocks: Sequence[Block], q: Sequence[Token], s: Sequence[Token], left: str, right: str
) -> tuple[DiffPart, ...]:
    return tuple(
        DiffPart(written(q[a:b], left), written(s[c:d], right), equal)
        for equal, a, b, c, d in blocks
    )
