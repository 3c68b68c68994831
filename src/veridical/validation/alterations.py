"""What was changed between a quote and the words it claims to be?

The search forgets case, punctuation and signs so that it can find; here the two are compared as
they are written, token by token. Differences that two honest copies of the same words can have are
*rules* (`Rule`); every other difference is an *alteration*, named by what it touches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein, Levenshtein

from veridical.text.normalize import LINE_END_HYPHEN
from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon
from veridical.validation.cannot import CANNOT, one_cannot
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import (
    Alteration,
    AlterationKind,
    Comparison,
    DiffPart,
    Rule,
)
from veridical.validation.ladder import mild_rules, rules_between
from veridical.validation.subtle import run_on_alterations, subtle_alterations

_NUMBERS_OVER_LINES = re.compile(r"\d\s*\n\s*\d")


def compare(quoted: str, source: str, *, before: str = "", after: str = "") -> Comparison:
    """Compare a quote with what a reader sees at the place where it was found.

    `before` and `after` are the source's characters next to that place. Where the place cuts a word
    in two, they tell whether the cut made another word or number of it ("5 days" of "15 days").
    """
    cuts = cut_alterations(quoted, source, before, after)
    if quoted == source:
        return Comparison((), cuts, ())
    comparison = _compare_words(quoted, source, cuts)
    if not comparison.alterations and (subtle := subtle_alterations(quoted, source)):
        return Comparison((), subtle, (DiffPart(quoted, source, equal=False),))
    return comparison


def _compare_words(quoted: str, source: str, cuts: tuple[Alteration, ...]) -> Comparison:
    mild = mild_rules(quoted, source)
    if mild is not None and not _NUMBERS_OVER_LINES.search(source):
        return Comparison(mild, cuts, ())
    comparison = _compare(quoted, source, quoted, source, cuts)
    joined = LINE_END_HYPHEN.sub("", quoted), LINE_END_HYPHEN.sub("", source)
    if comparison.alterations and joined != (quoted, source):
        # A hyphen at a line end may be part of the word or not: the reading that agrees is right.
        again = _compare(quoted, source, *joined, cuts)
        if len(again.alterations) < len(comparison.alterations):
            return again
    return comparison


def _compare(
    quoted: str, source: str, left: str, right: str, cuts: tuple[Alteration, ...]
) -> Comparison:
    """Compare the words of `left` and `right`; the rules are those between the texts as given."""
    left, right = prepare(left), prepare(right)
    q, s = one_cannot(tokenize(left), left), one_cannot(tokenize(right), right)
    found: list[Alteration] = []
    harmless: list[Rule] = []
    blocks = _blocks([t.key for t in q], [t.key for t in s])
    for equal, a, b, c, d in blocks:
        if equal:
            continue
        rule = (
            Rule.PUNCTUATION
            if a == b and _is_note_mark(s[c:d], right)
            else _joined_rule(q[a:b], s[c:d], left, right)
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

    def differs_in(self, key: Callable[[Token], str | None]) -> bool:
        """Whether the two sides differ in the tokens for which `key` gives a value."""
        return [k for t in self.quoted if (k := key(t))] != [
            k for t in self.source if (k := key(t))
        ]


def _classify(change: _Change) -> Alteration:
    kind = AlterationKind.WORDING
    if change.differs_in(_number):
        kind = AlterationKind.DATE if _beside_month(change) else AlterationKind.NUMBER
    elif _negates(change):
        kind = AlterationKind.NEGATION
    elif change.differs_in(unit_of):
        kind = AlterationKind.UNIT
    elif change.differs_in(_date):
        kind = AlterationKind.DATE
    elif _renames(change):
        kind = AlterationKind.NAME
    elif _is_slip(change):
        kind = AlterationKind.SPELLING
    return Alteration(
        kind,
        _text(change.quoted, change.quoted_text),
        _text(change.source, change.source_text),
    )


def _text(tokens: Sequence[Token], text: str) -> str:
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def _number(token: Token) -> str | None:
    if token.kind is TokenKind.NUMBER:
        return token.key
    if token.kind is TokenKind.SIGN and token.key in _NUMBER_SIGNS | {"-", "/", "*", "<", ">"}:
        return token.key
    if token.key.startswith("^") or token.key[:1].isdigit():
        return token.key
    return token.key if token.key in lexicon.NUMBER_WORDS else None


_NUMBER_SIGNS = frozenset(
    {
        "+",
        "=",
        "\u00b1",
        "\u00d7",
        "\u00f7",
        "\u221a",
        "\u221e",
        "~",
        "\u2248",
        "\u2260",
        "\u2264",
        "\u2265",
        "^",
    }
)


def unit_of(token: Token) -> str | None:
    """The unit or sign that a token is, in the singular; None for any other token."""
    if token.kind is TokenKind.SIGN:
        return token.key
    singular = _singular(token.key)
    return singular if singular in lexicon.UNITS else None


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


_SAME_NEGATION = {"cant": CANNOT}
"""A short form is another wording of a negation, and does not deny anything else."""


def _negates(change: _Change) -> bool:
    quoted = Counter(_SAME_NEGATION.get(t.key, t.key) for t in change.quoted if _is_negation(t))
    source = Counter(_SAME_NEGATION.get(t.key, t.key) for t in change.source if _is_negation(t))
    if quoted != source:
        return True
    return any(
        _negated_pair(a.key, b.key) for a in change.quoted for b in change.source if a.key != b.key
    )


def _is_negation(token: Token) -> bool:
    return token.key in lexicon.NEGATIONS


def _negated_pair(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix or suffix that denies it."""
    short, long = sorted((one, other), key=len)
    if len(short) < 3:
        return False
    if long.endswith(short) and long.removesuffix(short) in lexicon.NEGATIVE_PREFIXES:
        return True
    if any(long == short + ending for ending in lexicon.NEGATIVE_SUFFIXES):
        return True
    stems = {one[: -len(end)] for end in ("ful", "less") if one.endswith(end)}
    return bool(stems & {other[: -len(end)] for end in ("ful", "less") if other.endswith(end)})


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


_NOTE_MARK = re.compile(r"[^\W\d][\"'\u201d\u2019.,;:!?)]*\s?\[\d{1,3}\]")


def _is_note_mark(source: Sequence[Token], text: str) -> bool:
    """Whether the tokens are the number of a note, in brackets after a word, as in "sells[12]"."""
    if len(source) != 1 or source[0].kind is not TokenKind.NUMBER:
        return False
    start = source[0].start
    return any(
        mark.start() < start < mark.end()
        for mark in _NOTE_MARK.finditer(text, max(0, start - 8), source[0].end + 1)
    )


def _joined_rule(
    quoted: Sequence[Token], source: Sequence[Token], left: str, right: str
) -> Rule | None:
    """The rule, if two runs are the same letters and only parted differently; else None."""
    if not quoted or not source:
        return None
    tokens = [*quoted, *source]
    if any(t.kind is not TokenKind.WORD or _is_negation(t) for t in tokens):
        return None
    if "".join(t.key for t in quoted) != "".join(t.key for t in source):
        return None
    if any(t.key in lexicon.NEGATIVE_PREFIXES or t.key in _NEVER_JOINED for t in tokens):
        return None
    one, other = _text(quoted, left), _text(source, right)
    if "/" in one or "/" in other:
        return None
    # Where no hyphen and no line end parts them, "a typical" and "atypical" are two things.
    if "-" in one or "-" in other:
        return Rule.HYPHENATION
    return Rule.WHITESPACE if "\n" in one or "\n" in other else None


_NEVER_JOINED = frozenset({"a", "re", "co", "may", "the", "pre"})
"""Parts that make another word where they are joined: re-sign, a part, the rapist."""


def _diff(
    blocks: Sequence[Block], q: Sequence[Token], s: Sequence[Token], left: str, right: str
) -> tuple[DiffPart, ...]:
    return tuple(
        DiffPart(_text(q[a:b], left), _text(s[c:d], right), equal) for equal, a, b, c, d in blocks
    )
