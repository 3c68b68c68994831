"""Does a passage disagree with a claim that it resembles?

A paraphrase may change words, never what they say. Only clear signs are looked for: a number, unit,
name, negation or opposite of the claim that the passage does not have. Each keeps the claim from
being validated, and leaves it to a person.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon
from veridical.validation.alterations import is_name, unit_of
from veridical.validation.differences import Alteration, AlterationKind

_DIGITS = {word: str(value) for word, value in lexicon.NUMBERS.items()} | {"hundred": "100"}
_VAGUE = frozenset({"one", "first", "second", "single", "both", "once", "un", "ein", "eine", "uno"})
"""Number words that often count nothing."""


def conflicts(claim: str, passage: str) -> tuple[Alteration, ...]:
    """Signs that a passage says something else than a claim, in the order number, unit, negation,
    name; empty where there is none.
    """
    quoted, source = prepare(claim), prepare(passage)
    q, s = tokenize(quoted), tokenize(source)
    found: list[Alteration] = []
    missing = sorted(_numbers(q) - _numbers(s) - {"one"})
    found += [Alteration(AlterationKind.NUMBER, number, "") for number in missing]
    units = {u for t in q if (u := _unit(t))} - {u for t in s if (u := _unit(t))}
    if any(_unit(t) for t in s):
        found += [Alteration(AlterationKind.UNIT, unit, "") for unit in sorted(units)]
    denied, denying = _negations(q), _negations(s)
    if bool(denied) != bool(denying):
        found.append(Alteration(AlterationKind.NEGATION, " ".join(denied), " ".join(denying)))
    known, claimed = {t.key for t in s}, {t.key for t in q}
    found += [
        Alteration(AlterationKind.NEGATION, one, other)
        for one in sorted(claimed - known)
        for other in sorted(known - claimed)
        if frozenset((one, other)) in lexicon.OPPOSITES
    ]
    modal = {lexicon.MODALS[key] for key in claimed if key in lexicon.MODALS}
    other_modal = {lexicon.MODALS[key] for key in known if key in lexicon.MODALS}
    if modal and other_modal and not modal & other_modal:
        pair = " ".join(sorted(modal)), " ".join(sorted(other_modal))
        found.append(Alteration(AlterationKind.NEGATION, *pair))
    names = [t.text for i, t in enumerate(q) if is_name(t, i, quoted) and t.key not in known]
    found += [Alteration(AlterationKind.NAME, name, "") for name in dict.fromkeys(names)]
    return tuple(found)


def _numbers(tokens: Sequence[Token]) -> set[str]:
    numbers = {t.key for t in tokens if t.kind is TokenKind.NUMBER}
    words = {t.key for t in tokens if t.key in lexicon.NUMBER_WORDS - _VAGUE}
    return numbers | {_DIGITS.get(word, word) for word in words}


def _unit(token: Token) -> str | None:
    """Units and signs that qualify an amount; single letters are too often something else."""
    unit = unit_of(token)
    if unit is None or (token.kind is TokenKind.WORD and len(unit) < 2):
        return None
    return {"%": "percent", "per": None, "cent": None}.get(unit, unit)


def _negations(tokens: Sequence[Token]) -> list[str]:
    return sorted({t.key for t in tokens if t.key in lexicon.NEGATIONS})
