"""What a text denies, and which words deny each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.judging.words import Word, stem
from veridical.validation import lexicon


class Denial(NamedTuple):
    """A word that denies, by its place, with the content words that it denies, the nearest
    first.
    """

    at: int
    word: Word
    scope: tuple[Word, ...]


_SCOPE = 3
"""Content words after a denial that it is taken to deny."""

_LEAST_BASE = 4
"""Letters of a word that a prefix can deny."""

_PERMITTED = frozenset("allowed permitted possible provided covered included available".split())
"""Words whose denial is one of what they are said of: smoking is not allowed."""


def denials(words: Sequence[Word]) -> list[Denial]:
    """The words that deny, each with the content words that it denies."""
    found = []
    for at, word in enumerate(words):
        if word.key not in lexicon.NEGATIONS:
            continue
        after = _up_to_border(words[at + 1 :])
        if after[:1] and after[0].key == "only":
            continue
        if after[:1] and after[0].key == "longer":
            after = after[1:]
        scope = [other for other in after if other.content and other.key not in lexicon.NEGATIONS]
        before = [other for other in reversed(words[:at]) if other.content]
        if not scope:
            scope = before
        # "may not, even if both agree, be cancelled"
        reach = len(scope) if after[:1] and after[0].border else _SCOPE
        named = before[:1] if scope and scope[0].key in _PERMITTED else []
        found.append(Denial(at, word, (*scope[:reach], *named)))
    return found


def _up_to_border(words: Sequence[Word]) -> Sequence[Word]:
    end = next((i for i, word in enumerate(words) if word.border == ";"), len(words))
    return words[:end]


def stems_of(found: Sequence[Denial]) -> set[str]:
    """The stems of all words that are denied."""
    return {word.stem for denial in found for word in denial.scope}


def opposed_words(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """The places of words of the claim that the other side has not, each with the first place of
    its opposite there, which the claim has not.
    """
    ours, theirs = {word.stem for word in claim}, {word.stem for word in said}
    by_form = {
        form: at for at in range(len(said) - 1, -1, -1) for form in (said[at].stem, said[at].key)
    }
    for at, word in enumerate(claim):
        if word.stem in theirs or word.number is not None:
            continue
        forms = (*_OPPOSITES.get(word.stem, ()), *_denied_forms(word.key))
        other = next((by_form[form] for form in forms if form in by_form), None)
        if other is not None and said[other].stem not in ours:
            yield at, other


@lru_cache(maxsize=1 << 14)
def _denied_forms(key: str) -> tuple[str, ...]:
    """A word with each prefix that denies it, and without the one that it has: paid, unpaid."""
    joined = [prefix + key for prefix in lexicon.NEGATIVE_PREFIXES if _denies(prefix, key)]
    parted = [
        base
        for prefix in lexicon.NEGATIVE_PREFIXES
        if (base := key.removeprefix(prefix)) != key and _denies(prefix, base)
    ]
    return (*joined, *parted)


_ALSO_ELSE = frozenset({"used", "like", "able"})
"""Words that mean something else besides: leave is used up, and carried over unused."""


def _denies(prefix: str, base: str) -> bool:
    return (
        len(base) >= _LEAST_BASE
        and base not in _ALSO_ELSE
        and not base.startswith(lexicon.NOT_DENIED.get(prefix, ()))
        and (prefix != "de" or base.startswith(lexicon.DENIED_BY_DE))
    )


def _opposite_stems() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for pair in lexicon.OPPOSITES:
        one, other = map(stem, pair)
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {key: tuple(sorted(others)) for key, others in found.items()}


_OPPOSITES = _opposite_stems()
