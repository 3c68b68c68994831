"""What was changed between a quote and the words it claims to be?

The search forgets case, punctuation and signs so that it can find; here the two are compared as
they are written, token by token. Differences that two honest copies of the same words can have are
*rules* (`Rule`); every other difference is an *alteration*, named by what it touches.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import DamerauLevenshtein, Levenshtein

from veridical.text.normalize import LINE_END_HYPHEN
from veridical.text.tokens import DASHES, INVISIBLE, Token, TokenKind, prepare, tokenize, written
from veridical.validation import lexicon
from veridical.validation.cuts import cut_alterations, run_on_alterations, subtle_alterations
from veridical.validation.differences import (
    NOTHING_CHANGED,
    Alteration,
    AlterationKind,
    Comparison,
    DiffPart,
    Rule,
)

# `cannot` and `can not` are one word to a reader, who writes the one or the other.


CANNOT = "cannot"
_PARTED = re.compile(r"[ \t\u00a0]*[ \t\u00a0\n][ \t\u00a0]*")
_CONTRAST = frozenset({"", "only", "just", "merely", "simply", "solely", "alone"})
"""After `can not`, where `not` belongs to what follows: "can not only swim but dive". Where a text
ends there, it may have gone on like that.
"""


def one_cannot(tokens: Sequence[Token], text: str) -> list[Token]:
    """The tokens of a text with `can not` as one, where nothing but a space or a line's end stands
    between the two and it can only mean `cannot`.
    """
    keys = [token.key for token in tokens]
    if ("can", "not") not in pairwise(keys):
        return list(tokens)
    joined: list[Token] = []
    for number, token in enumerate(tokens):
        before = joined[-1] if joined else None
        after = tokens[number + 1].key if number + 1 < len(tokens) else ""
        if (
            before is not None
            and token.key == "not"
            and before.key == "can"
            and _PARTED.fullmatch(text, before.end, token.start)
            and after not in _CONTRAST
        ):
            written = text[before.start : token.end]
            joined[-1] = Token(TokenKind.WORD, written, CANNOT, before.start, token.end)
        else:
            joined.append(token)
    return joined


# Does one of two runs of words deny something that the other does not, or say its opposite?


_SAME_NEGATION = {"cant": CANNOT}
"""A short form is another wording of a negation, and does not deny anything else."""

_SHORTEST_DENIED = 3


def negates(quoted: Sequence[str], source: Sequence[str]) -> bool:
    """Whether the negations of two runs differ, or a word of one denies a word of the other or is
    its opposite.
    """
    if _negations(quoted) != _negations(source):
        return True
    one, other = set(quoted), set(source)
    theirs = other | set(map(lexicon.singular, other))
    if any(lexicon.opposites_of(word) & theirs for word in one):
        return True
    return any(base in other for word in one for base in _denied_by(word)) or any(
        base in one for word in other for base in _denied_by(word)
    )


def _negations(keys: Sequence[str]) -> Counter[str] | None:
    found = [_SAME_NEGATION.get(key, key) for key in keys if key in lexicon.NEGATIONS]
    return Counter(found) if found else None


def _denied_by(word: str) -> Iterator[str]:
    """The words that a word denies, if its beginning is a prefix or its end `less`."""
    for prefix in lexicon.NEGATIVE_PREFIXES:
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_DENIED:
            yield word.removeprefix(prefix)
    if word.endswith("less"):
        stem = word.removesuffix("less")
        yield stem + "ful"
        if len(stem) >= _SHORTEST_DENIED:
            yield stem


# Differences in tokens that are none in words: words parted otherwise, the numbers of notes.


_NOTE_MARK = re.compile(r"[^\W\d][\"'\u201d\u2019.,;:!?)]*\s?\[\d{1,3}\]")


def is_note_mark(source: Sequence[Token], text: str) -> bool:
    """Whether the tokens are the number of a note, in brackets after a word, as in "sells[12]"."""
    if len(source) != 1 or source[0].kind is not TokenKind.NUMBER:
        return False
    start = source[0].start
    return any(
        mark.start() < start < mark.end()
        for mark in _NOTE_MARK.finditer(text, max(0, start - 8), source[0].end + 1)
    )


def joined_rule(
    quoted: Sequence[Token], source: Sequence[Token], left: str, right: str
) -> Rule | None:
    """The rule, if two runs are the same letters and only parted differently; else None."""
    if not quoted or not source:
        return None
    tokens = [*quoted, *source]
    if "".join([t.key for t in quoted]) != "".join([t.key for t in source]):
        return None
    if any(t.kind is not TokenKind.WORD or t.key in lexicon.NEGATIONS for t in tokens):
        return None
    if any(t.key in lexicon.NEGATIVE_PREFIXES or t.key in _NEVER_JOINED for t in tokens):
        return None
    one, other = written(quoted, left), written(source, right)
    if "/" in one or "/" in other:
        return None
    # Where no hyphen and no line end parts them, "a typical" and "atypical" are two things.
    if "-" in one or "-" in other:
        return Rule.HYPHENATION
    return Rule.WHITESPACE if "\n" in one or "\n" in other else None


_NEVER_JOINED = frozenset({"a", "re", "co", "may", "the", "pre"})
"""Parts that make another word where they are joined: re-sign, a part, the rapist."""

# The ladder: which harmless differences have to be forgiven for two texts to be the same?


_PUNCTUATION = re.compile(r" ?(?:[^\w\s$%&+=<>^\u00a2-\u00a5\u00b0\u00b1\u20a0-\u20cf]|_)+ ?")
_SPACES = re.compile(r"\s+")
_QUOTATION_MARKS = "\u2018\u2019\u02bc\u201a\u201c\u201d\u201e\u00ab\u00bb"
_STRAIGHT = str.maketrans(_QUOTATION_MARKS, "'" * 4 + '"' * 5)
_PLAIN = _STRAIGHT | str.maketrans(DASHES, "-" * len(DASHES), INVISIBLE)


@lru_cache(maxsize=8)
def _straight(text: str) -> str:
    if text.isascii():
        return prepare(text)
    decomposed = unicodedata.normalize("NFKD", prepare(text).translate(_STRAIGHT))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


_LIGATURE = re.compile("[\u00b5\ufb00-\ufb06]")
_NO_LIGATURES = re.compile("[^\u00b5\ufb00-\ufb06]+")


def _caseless(text: str) -> str:
    """The text without capitals; ligatures and the micro sign, which folding changes, are left."""
    if text.isascii() or not _LIGATURE.search(text):
        return text.casefold()
    return _NO_LIGATURES.sub(lambda run: run.group().casefold(), text)


_TRANSFORMS: dict[Rule, Callable[[str], str]] = {
    Rule.HYPHENATION: lambda text: LINE_END_HYPHEN.sub("", text),
    Rule.TYPOGRAPHY: _straight,
    Rule.PUNCTUATION: lambda text: _PUNCTUATION.sub(" ", text).strip(),
    Rule.CASE: _caseless,
    Rule.WHITESPACE: lambda text: _SPACES.sub(" ", text).strip(),
}


def _unspaced(text: str) -> str:
    return _SPACES.sub("", text)


_SPACED: dict[Rule, Callable[[str], str]] = {
    rule: _unspaced if rule is Rule.WHITESPACE else transform
    for rule, transform in _TRANSFORMS.items()
    if rule is not Rule.PUNCTUATION
}
_STRONGEST_FIRST = (
    Rule.PUNCTUATION,
    Rule.HYPHENATION,
    Rule.TYPOGRAPHY,
    Rule.CASE,
    Rule.WHITESPACE,
)


def mild_rules(quoted: str, source: str) -> tuple[Rule, ...] | None:
    """The rules, if case, white space, quotation marks and dashes are all that differs; else None.

    Most quotes that were retyped are settled here, without looking at their words.
    """
    one, other = quoted.translate(_PLAIN), source.translate(_PLAIN)
    if _one_spaced(_caseless(one)) != _one_spaced(_caseless(other)):
        return None
    rules: list[Rule] = []
    is_typography = _one_spaced(_caseless(quoted)) != _one_spaced(_caseless(source))
    if not is_typography:
        one, other = quoted, source
    if _one_spaced(one) != _one_spaced(other):
        rules, one, other = [Rule.CASE], _caseless(one), _caseless(other)
    if one != other:
        rules.append(Rule.WHITESPACE)
    return (*rules, Rule.TYPOGRAPHY) if is_typography else tuple(rules)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


def rules_between(quoted: str, source: str, known: Sequence[Rule]) -> tuple[Rule, ...]:
    """The mildest set of rules that makes the two the same, in the order of the ladder.

    What none of them covers (`&` for `and`, `1,000` for `1000`) counts as typography.
    """
    if known:
        return tuple(rule for rule in Rule if rule in {*known, *_visible(quoted, source)})
    needed = set(_TRANSFORMS)
    if not _same_under(_TRANSFORMS, quoted, source):
        if _same_under(_SPACED, quoted, source):
            return tuple(r for r in Rule if r in {Rule.WHITESPACE, *_visible(quoted, source)})
        return tuple(r for r in Rule if r in {Rule.TYPOGRAPHY, *_visible(quoted, source)})
    for rule in _STRONGEST_FIRST:
        rest = {kept: _TRANSFORMS[kept] for kept in _TRANSFORMS if kept in needed - {rule}}
        if _same_under(rest, quoted, source):
            needed.discard(rule)
    return tuple(rule for rule in Rule if rule in needed)


def _same_under(transforms: Mapping[Rule, Callable[[str], str]], quoted: str, source: str) -> bool:
    for transform in transforms.values():
        quoted, source = transform(quoted), transform(source)
    return quoted == source


def _visible(quoted: str, source: str) -> set[Rule]:
    """Rules that can be told apart by looking at single words, where the whole never agrees."""
    one, other = set(quoted.split()), set(source.split())
    found: set[Rule] = set()
    if {w.casefold() for w in one - other} & {w.casefold() for w in other - one}:
        found.add(Rule.CASE)
    return found


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

    def differs_in(self, key: Callable[[Token], str | None]) -> bool:
        """Whether the two sides differ in the tokens for which `key` gives a value."""
        return [k for t in self.quoted if (k := key(t))] != [
            k for t in self.source if (k := key(t))
        ]


def _classify(change: _Change) -> Alteration:
    kind = AlterationKind.WORDING
    if change.differs_in(_number):
        kind = AlterationKind.DATE if _beside_month(change) else AlterationKind.NUMBER
    elif negates([t.key for t in change.quoted], [t.key for t in change.source]):
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
        written(change.quoted, change.quoted_text),
        written(change.source, change.source_text),
    )


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
