"""The ladder: which harmless differences have to be forgiven for two texts to be the same?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from veridical.text.normalize import LINE_END_HYPHEN
from veridical.text.tokens import DASHES, INVISIBLE, prepare
from veridical.validation.differences import Rule

_PUNCTUATION = re.compile(r" ?(?:[^\w\s$%&+=<>^\u00a2-\u00a5\u00b0\u00b1\u20a0-\u20cf]|_)+ ?")
_SPACES = re.compile(r"\s+")
_STRAIGHT = str.maketrans(
    "\u2018\u2019\u02bc\u201a\u201c\u201d\u201e\u00ab\u00bb", "'" * 4 + '"' * 5
)


_PLAIN = str.maketrans(
    "\u2018\u2019\u02bc\u201a\u201c\u201d\u201e\u00ab\u00bb" + DASHES,
    "'" * 4 + '"' * 5 + "-" * len(DASHES),
    INVISIBLE,
)


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


def _plain_marks(text: str) -> str:
    """The text with quotation marks and dashes as ASCII has them.

    Only these characters are looked up in the table: to look up all takes four times as long.
    """
    if text.isascii():
        return text
    return _MARKS.sub(lambda run: run.group().translate(_PLAIN), text)


_MARKS = re.compile(f"[{''.join(map(chr, _PLAIN))}]+")


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


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
    one, other = _plain_marks(quoted), _plain_marks(source)
    low, other_low = _caseless(one), _caseless(other)
    if _one_spaced(low) != _one_spaced(other_low):
        return None
    needed: tuple[Rule, ...] = ()
    if one == quoted and other == source:
        is_typography = False
    else:
        raw, other_raw = _caseless(quoted), _caseless(source)
        is_typography = _one_spaced(raw) != _one_spaced(other_raw)
        if not is_typography:
            one, other, low, other_low = quoted, source, raw, other_raw
    if _one_spaced(one) != _one_spaced(other):
        needed, one, other = (Rule.CASE,), low, other_low
    if one != other:
        needed = (*needed, Rule.WHITESPACE)
    return (*needed, Rule.TYPOGRAPHY) if is_typography else needed


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
